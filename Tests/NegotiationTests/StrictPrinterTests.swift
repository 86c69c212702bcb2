import Capability
import FoundationEssentials
import Glibc
import Negotiation
import PrintModel
import TestSupport
import Testing

/// Random requests to recorded printers: none that a printer by the letter must refuse, and no substitute without a word.
///
/// With AIRPRINT_REQUESTS in the environment, as many as that, in at most 5 ms each; with AIRPRINT_PRINTERS, also to the
/// printers of that folder.
@Suite struct StrictPrinterTests {
  private static let environment = ProcessInfo.processInfo.environment

  private struct Printer: Sendable {
    var name: String
    var strict: StrictPrinter
    var capabilities: Capabilities

    init(_ name: String, _ attributes: [Attribute]) {
      let stated = AttributeSet(attributes)
      self.name = name
      strict = StrictPrinter(stated: stated)
      capabilities = Capabilities(reading: stated)
    }
  }

  private static let documents: [(name: String, info: DocumentInfo)] =
    Recordings.jobs + [
      ("wishes", Sample.threePagesWithWishes.info), ("ten pages", Sample.tenPages.info),
      ("unscaled", Sample.a4Unscaled.info), ("copies", Sample.a4TwoCopies.info),
      ("footer", Sample.a4Footer.info), ("A3", Sample.a3.info), ("slides", Sample.slides.info),
      ("A1", Sample.a1Landscape.info), ("text on a roll", Sample.textOnRoll.info),
      ("ZPL", Sample.zpl.info), ("PCL", Sample.pcl.info), ("PNG", Sample.png.info),
      ("progressive", Sample.photoProgressive.info), ("scan", Sample.scan.info),
      ("undrawable", Sample.photoUndrawable.info), ("receipts", Sample.receiptPages.info),
      ("label's pixels", Sample.labelPixels.info), ("banner", Sample.banner.info),
    ]

  /// Every printer as it is, with constraints, presets and triggers at random, and with odd answers.
  private static func printers() throws -> [Printer] {
    var all = try Recordings.names().map { ($0, try Recordings.attributes($0)) }
    for folder in [Samples.folder, environment["AIRPRINT_PRINTERS"]].compactMap(\.self) {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder)
      where name.hasSuffix(".conf") {
        let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
        all.append((name, try AttributeFile.attributes(of: String(decoding: bytes, as: UTF8.self))))
      }
    }
    var dice = Dice(1)
    return all.sorted { $0.0 < $1.0 }.flatMap { name, attributes in
      [Printer(name, attributes)]
        + (0..<2).map { number in
          Printer("\(name) restricted \(number)", RandomRestrictions.added(to: attributes, &dice))
        }
        + (0..<3).map { number in
          Printer("\(name) odd \(number)", RandomOddities.changed(attributes, &dice))
        }
    }
  }

  @Test func `no request that the printer must refuse`() throws {
    let printers = try Self.printers()
    let count = Int(Self.environment["AIRPRINT_REQUESTS"] ?? "")
    var granted = 0
    var reported: [String: Int] = [:]
    var slowest = (milliseconds: 0.0, request: "")
    for number in 0..<(count ?? 1_240) {
      var dice = Dice(number)
      let printer = printers[Int(dice.next() % UInt64(printers.count))]
      let (job, document) = Self.documents.randomElement(using: &dice)!
      guard let random = try? RandomRequest(for: printer.capabilities, &dice) else { continue }
      let region = Bool.random(using: &dice) ? Region.a4 : .letter
      var ticket: Ticket?
      var milliseconds = Double.infinity
      // What the machine does in a moment, such as freeing memory, is not the request's.
      for _ in 0..<3 where milliseconds > 5 {
        let began = clock()
        ticket = try? negotiate(
          random.request, document: document, with: printer.capabilities, region: region)
        milliseconds = min(milliseconds, Double(clock() - began) * 1_000 / Double(CLOCKS_PER_SEC))
      }
      let label = "\(printer.name), request \(number), \(job) \(random)"
      if milliseconds > slowest.milliseconds { slowest = (milliseconds, label) }
      guard let ticket else { continue }
      granted += 1
      let objections = random.request.force ? [] : printer.strict.objections(to: ticket)
      let faults = Explanations(request: random.request, ticket: ticket, document: document)
        .faults()
      for problem in objections + faults {
        reported["\(printer.name): \(problem)", default: 0] += 1
        if reported["\(printer.name): \(problem)"] == 1 { Issue.record("\(label): \(problem)") }
      }
    }
    #expect(granted > (count ?? 1_240) / 3)
    guard count != nil else { return }
    #expect(slowest.milliseconds <= 5, "\(slowest.request)")
    print("granted \(granted), slowest \(slowest.milliseconds) ms")
  }
}
