import IPP
import PrintModel
import Submission
import System

extension FuzzTarget {
  /// A printer whose answers are the input (`ScriptedPrinter`), and one document for it.
  ///
  /// For any answers, no byte of the document is sent again before the printer has reported that it has nothing of
  /// it, the exit code claims no more about the paper than is known, and the run ends.
  static let submission = FuzzTarget("submission") { bytes in
    guard let first = bytes.first, let run = ScriptedRun(first, Array(bytes.dropFirst())) else {
      return
    }
    let (outcome, printer) = (run.outcome, run.printer)
    promise(printer.unbidden == 0, "a document came \(printer.unbidden + 1) times: \(outcome)")
    promise(printer.requests < 5_000, "\(printer.requests) requests")
    promise(outcome.exitCode == .success || outcome.message != nil, "\(outcome) has no words")
    if outcome.nothingPrinted != nil || saysNone(outcome) {
      promise(!printer.mayHaveDocument, "said not to be printed: \(outcome)")
    }
    // If a printer reports that it has the document, that counts.
    let words = outcome.message ?? ""
    promise(
      !(words.contains("othing was printed") && words.contains("Part of it was printed")), words)
  }

  /// Returns true if the exit code means that the document can be printed again (airprint(1), DID IT PRINT?).
  private static func saysNone(_ outcome: JobOutcome) -> Bool {
    switch outcome.exitCode {
    case .success, .inDoubt, .forgotten, .aborted, .canceled, .interrupted, .terminated: false
    // The message has the details.
    case .notNow: false
    default: true
    }
  }
}

/// One job on a printer that follows a script.
struct ScriptedRun {
  let outcome: JobOutcome
  let printer: ScriptedPrinter

  /// - `kind`: bit 0: Print-Job only; bit 1: wait only until the printer has the document; bit 2: a longer timeout.
  init?(_ kind: UInt8, _ script: [UInt8]) {
    let folder = Workplace.shared.folder("jobs")
    let journal = Journal(folder: folder)
    let clock = FastClock()
    let cancellation = Cancellation()
    let printer = ScriptedPrinter(
      script, hasJobs: kind & 1 == 0, clock: clock, cancellation: cancellation)
    let record = JobRecord(
      name: "fuzz", file: "fuzz.pdf", printer: "Fuzz", uri: "ipp://127.0.0.1:9/", addresses: [],
      user: "me", created: 1)
    guard let uri = PrinterURI(record.uri), let entry = try? journal.begin(record) else {
      return nil
    }
    var capabilities = Capabilities()
    capabilities.operations =
      printer.hasCreateJob ? [2, 4, 5, 6, 8, 9, 10, 11] : [2, 4, 8, 9, 10, 11]
    var submission = JobSubmission(
      name: "fuzz", user: "me", ticket: Self.ticket, capabilities: capabilities, printer: "Fuzz")
    submission.sides = ScriptedPrinter.sides
    submission.handling.timeout = .seconds(kind & 4 == 0 ? 20 : 300)
    submission.handling.endsWhenSent = kind & 2 != 0
    let submitter = JobSubmitter(
      submission, over: ScriptedLine(to: printer, uri: uri), entry: entry, of: journal,
      cancellation: cancellation, clock: clock.waiting
    ) { _ in }
    outcome = submitter.run { ScriptedDocument() }
    self.printer = printer
    journal.remove(entry)
  }

  private static let ticket: Ticket = {
    let paper = Paper(
      name: "iso_a4_210x297mm", size: MediaSize(width: 21_000, length: 29_700), margins: Margins(),
      isReady: true)
    var ticket = Ticket(type: .document, paper: paper, pages: [0, 1, 2])
    (ticket.format, ticket.isPassedThrough) = ("application/pdf", true)
    (ticket.color, ticket.rasterColor, ticket.colorKeyword) = (.gray, .gray, "monochrome")
    return ticket
  }()
}

/// A document of a few pieces.
private final class ScriptedDocument: DocumentStream {
  private var left = ScriptedPrinter.pieces

  func next() throws(Failure) -> [UInt8]? {
    guard left > 0 else { return nil }
    left -= 1
    return [37, 80, 68, 70]
  }

  var progress: StreamProgress { StreamProgress(sides: 3 - left, allSides: 3) }
}
