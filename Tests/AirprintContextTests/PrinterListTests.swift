import AirprintContext
import FoundationEssentials
import Glibc
import PrintModel
import TestSupport
import Testing

/// Lists of printers that an administrator distributes.
@Suite struct PrinterListTests {
  private func list(_ bytes: [UInt8]) throws -> PrinterList {
    let path = try Scratch.shared.write(bytes, to: "list-\(UUID().uuidString)")
    return try PrinterList(path: path)
  }

  private static let table = """
    default = "Till"
    colour = true
    [types]
    receipt = "Till"
    recipt = "Till"
    [printers.Till]
    uri = "ipp://192.0.2.7/ipp/print"
    [printers.Wrong]
    uri = 7
    """

  @Test func `a wrong type, key or printer leaves the rest as it is`() throws {
    let list = try list(Array(Self.table.utf8))
    #expect(list.entries.map(\.label) == ["Till", "Wrong", "colour", "types.recipt"])
    #expect(list.entries.map { $0.printer != nil } == [true, false, false, false])
    #expect(list.entries.map { $0.problem == nil } == [true, false, false, false])
    #expect(list.defaultName == "Till" && list.byType == [.receipt: "Till"])
  }

  @Test(arguments: [false, true])
  func `a list in UTF-16, as Windows writes it, is the same list`(_ isBigEndian: Bool) throws {
    let units = [0xFEFF] + Array(Self.table.utf16)
    let bytes = units.flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isBigEndian ? [high, low] : [low, high]
    }
    #expect(try list(bytes).entries.map(\.label) == ["Till", "Wrong", "colour", "types.recipt"])
    #expect(throws: Failure.self) { try list(Array(bytes.dropLast())) }
  }

  @Test(arguments: [
    ("Front%20desk", "Front desk"), ("Till%0APrinted%20a.pdf", "Till Printed a.pdf"),
    ("Till%E2%80%A8x", "Till x"), ("100%+1", "100%+1"),
  ])
  func `a queue's name is decoded to one line, and a printer that is listed twice is one`(
    _ queue: String, _ name: String
  ) throws {
    let entry = """
      <dict><key>IPAddress</key><string>192.0.2.7</string>
      <key>ResourcePath</key><string>printers/\(queue)</string></dict>
      """
    let text = """
      <plist version="1.0"><dict><key>PayloadType</key><string>com.apple.airprint</string>
      <key>AirPrint</key><array>\(entry)\(entry)</array></dict></plist>
      """
    let list = try list(Array(text.utf8))
    #expect(list.entries.map(\.printer?.name) == [name])
    #expect(list.entries.first?.printer?.uri.hasPrefix("ipp://192.0.2.7/printers/") == true)
  }

  @Test func `names have no lines of their own`() throws {
    let folders = try Folders(user: [
      "list.toml": #"""
      default = "Till\nPrinted a.pdf"
      [types]
      photo = "Till\nPrinted a.pdf"
      [printers."Till\nPrinted a.pdf"]
      uri = "ipp://192.0.2.7/ipp/print"
      [printers."Lab\u2028Printed a.pdf"]
      model = "none"
      """#
    ])
    let list = try PrinterList(path: "\(folders.places.configuration)/list.toml")
    #expect(list.entries.map(\.label) == ["Lab Printed a.pdf", "Till Printed a.pdf"])
    #expect(list.entries.compactMap(\.printer?.name) == ["Till Printed a.pdf"])
    #expect(list.defaultName == "Till Printed a.pdf")
    #expect(list.byType.values.sorted() == ["Till Printed a.pdf"])
    let problem = try #require(list.entries[0].problem?.message)
    #expect(!problem.contains { $0.isNewline }, "\(problem)")
  }

  @Test func `the command that mends a file's mode is quoted`() throws {
    let folders = try Folders()
    try folders.write("", to: "it's $(here)/list.toml")
    let path = "\(folders.places.configuration)/it's $(here)/list.toml"
    try #require(chmod(path, 0o666) == 0)
    #expect {
      try PrinterList(path: path)
    } throws: { error in
      let message = (error as? Failure)?.message ?? ""
      return message.hasSuffix("chmod go-w '\(path.replacing("'", with: #"'\''"#))'")
    }
  }
}
