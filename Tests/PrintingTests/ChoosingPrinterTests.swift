import AirprintContext
import Capability
import IPP
import PrintModel
import PrintOptions
import Printers
import Submission
import Synchronization
import TestSupport
import Testing

@testable import Printing

/// The printer that `print` would use without -d, and printer names in place of a file.
@Suite struct ChoosingPrinterTests {
  private let place: Place

  init() throws {
    place = try Place(
      [
        SavedPrinter(name: "Laser", uri: "ipp://laser.example/"),
        SavedPrinter(name: "Till", uri: "ipp://till.example/"),
      ], default: "Laser", [.receipt: "Till"])
  }

  private func arguments(_ files: [String], _ typed: [(option: PrintOption, value: String)] = [])
    -> PrintArguments
  {
    var arguments = PrintArguments(files: files)
    arguments.typed = typed
    return arguments
  }

  @Test(
    arguments: [
      (nil, nil, "Laser"), ("receipt", nil, "Till"), (nil, "receipt", "Till"),
      ("label", "receipt", "Laser"), (nil, "photo", "Laser"),
    ] as [(String?, String?, String)])
  func `a job of the journal is for the printer of its type`(
    _ asked: String?, _ looks: String?, _ name: String
  ) throws {
    var record = JobRecord(
      name: "n", file: "f", printer: "", uri: "", addresses: [], user: "me", created: 1)
    record.request.type = asked
    record.sureType = looks
    #expect(record.likelyPrinter(in: try place.context.settings.printers())?.name == name)
  }

  @Test func `a printer that was asked before is the likely one, one that was not is named`() throws
  {
    let said = Notes()
    var context = place.context
    context.note = { said.add($0) }
    let laser = try #require(try arguments(["a.pdf"]).likelyPrinter(for: nil, context))
    #expect(try laser.name == "Laser" && Capabilities(lastOf: laser, context) == nil)
    #expect(said.all.count == 1 && said.all.first?.hasPrefix("Laser has not reported its") == true)
    let answer = AttributeSet([Attribute("printer-make-and-model", .string(.text, "Till 80"))])
    let cache = StatusCache(context.directories, key: "ipp://till.example/", of: .attributes)
    cache.write(Response(status: .ok, printer: answer).recorded)
    let till = try #require(try arguments(["a.pdf"]).likelyPrinter(for: .receipt, context))
    let capabilities = try #require(try Capabilities(lastOf: till, context))
    #expect(till.name == "Till")
    #expect(capabilities.makeAndModel == "Till 80" && capabilities.info == "Till")
  }

  @Test func `a printer's name among the files is exit 64 with the option that it belongs to`() {
    func refusal(_ files: [String], _ typed: [(option: PrintOption, value: String)] = [])
      -> Failure?
    {
      failureOf { try arguments(files, typed).refusePrintersAmongFiles(place.context) }
    }
    #expect(refusal(["till"])?.code == .usage)
    #expect(refusal(["till"])?.message.hasSuffix("Till is a printer: -d Till.") == true)
    #expect(
      refusal(["-"], [(.pages, "Laser")])?.message.hasSuffix("Laser is a printer: -d Laser.")
        == true)
    #expect(refusal([""])?.code == .unreadable)
    // A missing file is detected later.
    #expect(refusal(["/no/such/file"]) == nil && refusal(["-"]) == nil)
    #expect(refusal(["-"], [(.pages, "1-3")]) == nil)
  }

  @Test func `a file of a printer's name is a file`() throws {
    let path = try place.write("x", to: "Till")
    try arguments([path]).refusePrintersAmongFiles(place.context)
  }

  @Test(arguments: [
    ("file:///tmp/a%20b.pdf", "name the file by its path: '/tmp/a b.pdf'."),
    ("file:///tmp/100%.pdf", "name the file by its path: /tmp/100%.pdf."),
    ("https://example.org/a.pdf", "curl -fsSL https://example.org/a.pdf | airprint print"),
    ("HTTPS://example.org/a", "; airprint print \"$d\"/a.html"),
    ("http://example.org/a.htm?b", "; airprint print \"$d\"/'a.htm?b.html'"),
    ("http://example.org", "; airprint print \"$d\"/index.html"),
    ("http://example.org/?b=c", "; airprint print \"$d\"/'index.html?b=c.html'"),
  ])
  func `an address is refused with what fetches it`(_ address: String, _ hint: String) {
    let failure = failureOf {
      try arguments([address]).refusePrintersAmongFiles(place.context)
    }
    #expect(
      failure?.code == .usage && failure?.message.hasSuffix(hint) == true, "\(failure as Any)")
  }

  @Test func `what reads no standard input is told to fetch a file`() {
    let failure = failureOf {
      try arguments(["ftp://example.org/a.pdf"]).refusePrintersAmongFiles(place.context, for: nil)
    }
    #expect(failure?.message.contains("curl -fsSLO ftp://example.org/a.pdf") == true)
  }

  @Test func `a warning is news once a day`() {
    func isNew(_ sentence: String, of printer: String = "laser") -> Bool {
      isNews(sentence, of: "ipp://\(printer).example/", place.context)
    }
    #expect(isNew("Toner is low.") && !isNew("Toner is low."))
    #expect(isNew("The waste box is full."))
    #expect(isNew("Toner is low.", of: "till"))
  }
}

/// The messages so far.
private final class Notes: Sendable {
  private let kept = Mutex<[String]>([])

  var all: [String] { kept.withLock { $0 } }

  func add(_ text: String) { kept.withLock { $0.append(text) } }
}
