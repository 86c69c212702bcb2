import Negotiation
import PrintModel
import Testing
import PrintOptions

/// One row of the table: a printer, a document and options, and the expected result.
struct Case: Sendable, CustomTestStringConvertible {
  var printer: String
  var document: Sample
  /// Options of the command line: `--type photo --paper A4 --force`.
  var options: String
  /// Options from settings.
  var settings: String
  var region: Region
  var outcome: Outcome

  enum Outcome: Sendable {
    /// `paper=iso_a4_210x297mm tray=main`, with the keys of `Facts`; a part of a reason; a part of a warning.
    case plan(String, because: [String], warns: [String])
    case refusal(ExitCode, [String])
  }

  /// Creates a case that is printed, without options.
  init(
    _ printer: String, _ document: Sample, settings: String = "", in region: Region = .a4,
    _ plan: String, because: String..., warns: [String] = []
  ) {
    self.init(
      printer: printer, document: document, options: "", settings: settings, region: region,
      outcome: .plan(plan, because: because, warns: warns))
  }

  /// Creates a case that is printed.
  init(
    _ printer: String, _ document: Sample, _ options: String, in region: Region = .a4,
    _ plan: String, because: String..., warns: [String] = []
  ) {
    self.init(
      printer: printer, document: document, options: options, settings: "", region: region,
      outcome: .plan(plan, because: because, warns: warns))
  }

  /// Creates a case that is refused, with these parts in the message.
  init(
    _ printer: String, _ document: Sample, _ options: String = "", settings: String = "",
    exit code: ExitCode, _ fragments: String...
  ) {
    self.init(
      printer: printer, document: document, options: options, settings: settings, region: .a4,
      outcome: .refusal(code, fragments))
  }

  private init(
    printer: String, document: Sample, options: String, settings: String, region: Region,
    outcome: Outcome
  ) {
    self.printer = printer
    self.document = document
    self.options = options
    self.settings = settings
    self.region = region
    self.outcome = outcome
  }

  var testDescription: String {
    let size = document.info.pages[0].size
    return "\(printer): \(document.info.mediaType) \(size.width)x\(size.height) \(options)"
  }

  func request() throws -> PrintRequest {
    var request = PrintRequest()
    try Case.apply(settings, to: &request)
    for name in Case.names(in: settings) { request.fromSettings[name] = "config.toml" }
    try Case.apply(options, to: &request)
    for name in Case.names(in: options) { request.fromSettings[name] = nil }
    return request
  }

  private static func names(in options: String) -> [String] {
    options.split(separator: " ").filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
  }

  static func apply(_ options: String, to request: inout PrintRequest) throws {
    var words = options.split(separator: " ").map(String.init)[...]
    while let word = words.popFirst() {
      switch word {
      case "--force": request.force = true
      case "--strict": request.strict = true
      case "--borderless": request.borderless = true
      case "--no-borderless": request.borderless = false
      case "--type":
        let name = words.popFirst() ?? ""
        request.type = JobType(rawValue: name)
        #expect(request.type != nil, "\(name)")
      default:
        let name = word == "-o" ? "option" : String(word.dropFirst(2))
        let option = try #require(PrintOption(rawValue: name), "\(word)")
        let value = words.popFirst() ?? ""
        try option.apply(value, to: &request)
      }
    }
  }

  /// Negotiates, and records differences from the expected result.
  func check() throws {
    let capabilities = try Samples.printer(printer)
    do {
      let ticket = try negotiate(
        try request(), document: document.info, with: capabilities, region: region)
      guard case .plan(let plan, let because, let warns) = outcome else {
        Issue.record("not refused: \(Facts(ticket, document.info))")
        return
      }
      check(ticket, plan, because, warns)
    } catch let error as Failure {
      guard case .refusal(let code, let fragments) = outcome else {
        Issue.record("refused with \(error.code): \(error)")
        return
      }
      #expect(error.code == code, "\(error)")
      for fragment in fragments { #expect(error.message.contains(fragment), "\(error.message)") }
      #expect(error.message.hasSuffix("."), "no sentence: \(error.message)")
    }
  }

  private func check(_ ticket: Ticket, _ plan: String, _ because: [String], _ warns: [String]) {
    let facts = Facts(ticket, document.info)
    for word in plan.split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      #expect(facts[parts[0]] == parts.last, "\(word), but \(parts[0])=\(facts[parts[0]])")
    }
    let reasons = ticket.reasons.joined(separator: "\n")
    #expect(ticket.reasons.count { $0.hasPrefix("scaling: ") } <= 1, "\(reasons)")
    for fragment in because { #expect(reasons.contains(fragment), "\(reasons)") }
    let warnings = ticket.warnings.joined(separator: "\n")
    for fragment in warns { #expect(warnings.contains(fragment), "warnings: \(warnings)") }
    if warns.isEmpty { #expect(ticket.warnings.isEmpty) }
    let names = ticket.attributes.map(\.name)
    #expect(Set(names).count == names.count, "an attribute twice: \(names)")
    #expect(!names.contains("media") || !names.contains("media-col"), "both media and media-col")
  }
}
