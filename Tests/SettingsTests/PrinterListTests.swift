import Glibc
import PrintModel
import Settings
import Testing

/// Lists of printers from elsewhere.
@Suite struct PrinterListTests {
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
