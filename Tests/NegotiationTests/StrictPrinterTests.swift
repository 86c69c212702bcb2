import Capability
import FoundationEssentials
import Negotiation
import PrintModel
import PrintOptions
import TestSupport
import Testing

/// Random requests to recorded printers: none that a printer by the letter must refuse.
///
/// With AIRPRINT_REQUESTS in the environment, as many as that.
@Suite struct StrictPrinterTests {
  private static let count =
    Int(ProcessInfo.processInfo.environment["AIRPRINT_REQUESTS"] ?? "") ?? 1_240

  private struct Printer: Sendable {
    var name: String
    var stated: AttributeSet
    var capabilities: Capabilities
  }

  private static func printers() throws -> [Printer] {
    try Recordings.names().map {
      let stated = AttributeSet(try Recordings.attributes($0))
      return Printer(name: $0, stated: stated, capabilities: Capabilities(reading: stated))
    }
  }

  @Test func `no request that the printer must refuse`() throws {
    let printers = try Self.printers()
    var granted = 0
    var reported: [String: Int] = [:]
    for number in 0..<Self.count {
      var dice = Dice(number)
      let printer = printers[number % printers.count]
      let (job, document) = Recordings.jobs.randomElement(using: &dice)!
      let options = Self.options(for: printer.capabilities, &dice)
      var request = PrintRequest()
      do { try Case.apply(options, to: &request) } catch is Failure { continue }
      guard
        let ticket = try? negotiate(
          request, document: document, with: printer.capabilities, region: .a4)
      else { continue }
      granted += 1
      for objection in StrictPrinter(stated: printer.stated).objections(to: ticket) {
        reported["\(printer.name): \(objection)", default: 0] += 1
        if reported["\(printer.name): \(objection)"] == 1 {
          Issue.record("\(printer.name), request \(number), \(job) \(options): \(objection)")
        }
      }
    }
    #expect(granted > Self.count / 3)
  }

  /// Returns up to five options with values that this printer states, and some that it may not.
  private static func options(for printer: Capabilities, _ dice: inout Dice) -> String {
    let bins = printer.attributes.strings("output-bin-supported")
    let papers =
      printer.possible.map(\.name) + ["A4", "letter", "4x6in", "100x150mm", "62mm", "best"]
    let tables: [(String, [String])] = [
      ("--type", JobType.allCases.map(\.rawValue)), ("--copies", ["1", "2", "17", "99"]),
      ("--pages", ["1", "1-2", "2-", "1,3"]), ("--paper", papers),
      ("--tray", printer.sources), ("--media-type", printer.mediaTypes),
      ("--sides", ["one", "long", "short", "auto"]), ("--color", ["auto", "color", "gray"]),
      ("--quality", ["draft", "normal", "high"]),
      ("--resolution", printer.resolutions.map(\.description) + ["300", "600"]),
      ("--scaling", Scaling.allCases.map(\.rawValue)), ("--number-up", ["1", "2", "4", "9"]),
      ("--orientation", ["portrait", "landscape"]), ("--format", ["auto", "pdf", "urf", "pwg"]),
      ("--output-bin", bins), ("--booklet", ["true"]), ("--position", ["top", "center"]),
      ("--darkness", ["10", "50", "100"]), ("--cut-length", ["50mm", "max", "auto"]),
      ("--output-order", ["normal", "reverse"]), ("--page-set", ["odd", "even"]),
      ("-o", printer.finishings.map { "finishings=\($0)" } + ["job-priority=50"]),
      ("--preset", printer.presets.map(\.name)),
    ]
    var words =
      Bool.random(using: &dice)
      ? [] : Array(["--force", "--strict", "--borderless"].shuffled(using: &dice).prefix(1))
    for _ in 0..<Int.random(in: 0...5, using: &dice) {
      let (name, values) = tables[Int.random(in: tables.indices, using: &dice)]
      let usable = values.filter { !$0.contains(" ") }
      guard let value = usable.randomElement(using: &dice), !words.contains(name) else { continue }
      words += [name, value]
    }
    return words.joined(separator: " ")
  }
}
