import Capability
import FoundationEssentials
import Negotiation
import PrintModel
import PrintOptions
import Testing

/// Who sends a job, who pays for it, and what it is called.
@Suite struct AccountTests {
  private func plan(
    _ options: [(PrintOption, String)], on more: String = "", from file: String? = nil
  ) throws -> Ticket {
    let path = "\(Samples.folder)/office-laser.conf"
    let text = String(
      decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    let printer = Capabilities(
      reading: AttributeSet(try AttributeFile.attributes(of: more + "\n" + text)))
    var request = PrintRequest()
    for (option, value) in options { try option.apply(value, to: &request, from: file) }
    return try negotiate(request, document: Sample.a4.info, with: printer, region: .a4)
  }

  @Test(arguments: [
    ("ATTR boolean job-account-id-supported true", true),
    ("ATTR boolean job-account-id-supported false", false), ("", false),
    ("ATTR keyword printer-mandatory-job-attributes job-account-id", true),
  ])
  func `an account goes to printers that have them`(_ printer: String, _ isSent: Bool) throws {
    let ticket = try plan([(.account, "Sales")], on: printer, from: "config.toml")
    #expect(AttributeSet(ticket.attributes).string("job-account-id") == (isSent ? "Sales" : nil))
    #expect(ticket.typed.isEmpty)
    guard isSent else {
      let failure = #expect(throws: Failure.self) { try plan([(.account, "Sales")], on: printer) }
      #expect(failure?.reason == .notSupported)
      return
    }
    #expect(try plan([(.account, "Sales")], on: printer).typed == ["job-account-id"])
  }

  @Test func `the type of an account is one of the printer's`() throws {
    let types = """
      ATTR keyword job-account-type-supported general,none
      ATTR keyword job-creation-attributes-supported media,media-col,job-account-type
      """
    let ticket = try plan([(.accountType, "General")], on: types)
    #expect(AttributeSet(ticket.attributes).string("job-account-type") == "general")
    #expect(throws: Failure.self) { try plan([(.accountType, "group")], on: types) }
  }

  @Test func `a name and a user are given as they are`() throws {
    let ticket = try plan([(.title, ""), (.user, "anna")], from: "printers.toml")
    #expect(ticket.title == "" && ticket.user == "anna")
    #expect(ticket.reasons.contains("user: anna, from printers.toml"))
    #expect(ticket.reasons.contains("job-name: \"\", from printers.toml"))
    #expect(try plan([]).user == nil)
  }
}
