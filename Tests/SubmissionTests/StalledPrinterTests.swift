import IPP
import PrintModel
import Synchronization
import System
import TestSupport
import Testing

@testable import Submission

/// A printer that stops in the middle of a document, until `--timeout` is over.
@Suite struct StalledPrinterTests {
  @Test(arguments: [
    // It says why, and gives the job up: it is known what is left of it.
    (
      ["media-jam"], true, Int?.some(0), 75,
      "No progress on Lab for 60 s (Paper jam: clear it). The job was canceled; nothing was printed."
    ),
    (
      ["media-jam"], true, 2, 75,
      "No progress on Lab for 60 s (Paper jam: clear it). The job was canceled; part of it is printed."
    ),
    (
      ["cover-open"], true, nil, 75,
      "No progress on Lab for 60 s (Close the cover). The job was canceled."
    ),
    // It keeps the job, or says nothing of itself.
    (
      ["media-jam"], false, 1, 74,
      "The connection to Lab broke while the document was being sent (is silent). Part of it may have "
        + "printed; it is not sent again."
    ),
    (
      ["none"], true, 0, 74,
      "The connection to Lab broke while the document was being sent (is silent). Part of it may have "
        + "printed; it is not sent again."
    ),
  ])
  func `what is left is said as far as the printer tells it`(
    _ reasons: [String], _ cancels: Bool, _ impressions: Int?, _ code: Int32, _ message: String
  ) throws {
    let scratch = try Scratch()
    let journal = Journal(folder: "\(scratch.path)/jobs")
    let record = JobRecord(
      name: "report", file: "report.pdf", printer: "Lab", uri: "ipp://127.0.0.1:9/", addresses: [],
      user: "me", created: 1)
    let printer = StoppedPrinter(reasons, cancels: cancels, impressions: impressions)
    let uri = try #require(PrinterURI(record.uri))
    let submitter = JobSubmitter(
      .test(), over: StoppedLine(to: printer, uri: uri), journal: try journal.begin(record),
      of: journal, cancellation: Cancellation(), clock: printer.clock
    ) { _ in }
    let outcome = submitter.run { OnePage() }
    #expect(outcome.exitCode.rawValue == code)
    #expect(outcome.message == message)
    #expect(outcome.impressions == impressions || code == 74)
  }
}

/// A printer that makes jobs and takes nothing of their documents.
private final class StoppedPrinter: Sendable {
  private let reasons: [String]
  private let cancels: Bool
  private let impressions: Int?
  private let passed = Mutex(Duration.zero)
  private let isCanceled = Mutex(false)
  private let begun = ContinuousClock.now

  init(_ reasons: [String], cancels: Bool, impressions: Int?) {
    self.reasons = reasons
    self.cancels = cancels
    self.impressions = impressions
  }

  var clock: WaitingClock {
    WaitingClock(
      now: { [self] in begun + passed.withLock { $0 } },
      sleep: { [self] duration, _ in
        pass(duration)
        return true
      })
  }

  func pass(_ duration: Duration) { passed.withLock { $0 += duration } }

  func answer(_ request: Request) -> Response {
    switch request.operation {
    case 0x08:
      guard cancels else { return Response(status: .notPossible) }
      isCanceled.withLock { $0 = true }
      return Response(status: .ok)
    case 0x0B:
      let attributes = [
        Attribute("printer-state", .enumeration(5)),
        Attribute("printer-state-reasons", reasons.map { .keyword($0) }),
      ]
      return Response(status: .ok, printer: AttributeSet(attributes))
    default:
      var attributes = [
        Attribute("job-id", .integer(7)),
        Attribute("job-state", .enumeration(isCanceled.withLock { $0 } ? 7 : 5)),
      ]
      if let impressions {
        attributes.append(Attribute("job-impressions-completed", .integer(impressions)))
      }
      return Response(status: .ok, jobs: [AttributeSet(attributes)])
    }
  }
}

/// A connection to it, on which a document stays where it is.
private final class StoppedLine: PrinterLine {
  private let printer: StoppedPrinter
  let uri: PrinterURI
  let address: String? = nil
  let security = Security()
  var patience = Duration.seconds(60)
  var whenStalled: (() -> Void)?
  let mayHaveAsked = true
  let hasEndedDocument = false
  let isDelivered = false
  let gainsByCompression = false

  init(to printer: StoppedPrinter, uri: PrinterURI) {
    self.printer = printer
    self.uri = uri
  }

  func exchange(_ request: Request, grace: Duration) -> Response { printer.answer(request) }

  func beginDocument(_ request: Request) {}

  func write(_ bytes: UnsafeRawBufferPointer) throws(IPPError) -> Bool {
    printer.pass(patience)
    whenStalled?()
    throw IPPError(.silent, "is silent")
  }

  func finish(grace: Duration, _ whenEnded: () -> Void) throws(IPPError) -> Response {
    throw IPPError(.nonsense, "the document has not been sent")
  }

  func shutDown() {}

  func another(
    at addresses: [String], patience: Duration, cancellation: Cancellation
  ) -> any PrinterLine { StoppedLine(to: printer, uri: uri) }
}

private final class OnePage: DocumentStream {
  private var isGiven = false
  let progress = StreamProgress(sides: 0, allSides: 3)

  func next() -> [UInt8]? {
    defer { isGiven = true }
    return isGiven ? nil : [37, 80, 68, 70]
  }
}
