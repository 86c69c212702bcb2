import FoundationEssentials
import FuzzTargets
import Glibc
import IPP
import PrintModel
import Submission
import System

/// One job from its request to its end: by the program's own state machines and journal, on a `ModelPrinter`; if its
/// process dies, by the next one's recovery, and from the queue.
struct ModelRun {
  private let printer: ModelPrinter
  private let journal: Journal
  private let clock = FastClock()
  private let uri: PrinterURI
  private var results: [String] = []
  /// What is wrong with it.
  private(set) var violations: [String] = []

  /// The story for people: what happened, and what was said.
  var story: String {
    (printer.story + results + violations.map { "VIOLATED: \($0)" }).enumerated()
      .map { "\($0.offset + 1). \($0.element)" }.joined(separator: "\n")
  }

  /// Runs it in `folder`, which is empty before and afterwards.
  init(_ kind: ModelPrinter.Kind, _ choices: Choices, in folder: String) throws {
    guard let uri = PrinterURI("ipp://127.0.0.1:9/") else { throw Failure(.fault, "no URI") }
    self.uri = uri
    journal = Journal(folder: folder)
    let cancellation = Cancellation()
    printer = ModelPrinter(kind, choices, clock: clock, cancellation: cancellation)
    var record = JobRecord(
      name: "report", file: "report.pdf", printer: "Lab", uri: uri.text, addresses: [],
      user: "me", created: WallClock.seconds)
    record.isKept = true
    record.sides = ModelPrinter.sides
    let entry = try journal.begin(record)
    let path = "\(entry.folder)/job.json"
    // What a dead process leaves is what is on the disk at that moment.
    var left: [UInt8]?
    printer.whenCrashed = { left = FileManager.default.contents(atPath: path).map { Array($0) } }
    let (journal, id) = (journal, entry.record.id)
    printer.whenCanceled = { try? journal.requestCancel(id) }
    let outcome = deliver(entry, cancellation)
    if printer.isCrashed {
      entry.release()
      guard let left, AtomicFile.write(left, to: path) else { throw Failure(.fault, "no record") }
      try recover(record: entry.record.id)
    } else {
      check(outcome, entry.record)
      journal.remove(entry)
    }
    printer.endOfDay()
    if printer.paper.count(where: { $0 > 0 }) > 1 {
      violations.append("printed more than once: \(printer.paper) pages of each attempt")
    }
    if printer.hasHurtOthers { violations.append("somebody else's job was canceled") }
    if printer.requests > 500 { violations.append("\(printer.requests) requests") }
    // What was said has to hold at the end of the day.
    for said in promises where !said.holds(printer.paper) { violations.append(said.words) }
  }

  private func deliver(_ entry: JournalEntry, _ cancellation: Cancellation) -> JobOutcome {
    var capabilities = Capabilities()
    capabilities.operations =
      printer.kind.createsJobs ? [2, 4, 5, 6, 8, 9, 10, 11] : [2, 4, 8, 9, 10, 11]
    var submission = JobSubmission(
      name: "report", user: "me", ticket: Self.ticket, capabilities: capabilities, printer: "Lab")
    submission.sides = ModelPrinter.sides
    submission.handling.timeout = .seconds(10)
    return JobSubmitter(
      submission, over: ModelLine(to: printer, uri: uri), entry: entry, of: journal,
      cancellation: cancellation, clock: clock.waiting
    ) { _ in }.run { ModelDocument() }
  }

  /// The next airprint finds the job: asks what became of it, and prints it if nothing of it was.
  private mutating func recover(record id: String) throws {
    for _ in 0..<20 {
      let cancellation = Cancellation()
      printer.revive(cancellation)
      let entry = try claim(id)
      let path = "\(entry.folder)/job.json"
      var left: [UInt8]?
      printer.whenCrashed = { left = FileManager.default.contents(atPath: path).map { Array($0) } }
      printer.tell("the next airprint recovers the job")
      let line = ModelLine(to: printer, uri: uri)
      let result = try entry.settle(cancellation, over: { line })
      var outcome: JobOutcome?
      if !printer.isCrashed, result == .unprinted {
        printer.tell("it is printed from the queue")
        outcome = deliver(entry, cancellation)
      }
      if printer.isCrashed {
        entry.release()
        guard let left, AtomicFile.write(left, to: path) else { throw Failure(.fault, "no record") }
        continue
      }
      if let outcome {
        check(outcome, entry.record)
      } else if let end = entry.record.outcome {
        check(end, entry.record)
      }
      let isOver = outcome != nil || result == .over
      if isOver { return journal.remove(entry) }
      entry.release()
      clock.pass(.seconds(60))
      printer.endOfDay()
    }
    violations.append("the job never ends")
    journal.remove(try claim(id))
  }

  /// Takes the job over: another test that starts a program at this moment has its lock until that runs.
  private func claim(_ id: String) throws -> JournalEntry {
    for _ in 0..<10_000 {
      if let entry = try journal.claim(id) { return entry }
      usleep(1_000)
    }
    throw Failure(.fault, "the entry is held")
  }

  // MARK: Promises

  /// A statement about the paper, and if it is true of the pages of each attempt.
  private struct Statement {
    var words: String
    var holds: ([Int]) -> Bool
  }

  private var promises: [Statement] = []

  private mutating func check(_ outcome: JobOutcome, _ record: JobRecord) {
    let words = "exit \(outcome.exitCode.rawValue): \(outcome.message ?? "Printed.")"
    results.append(words)
    if outcome.exitCode == .success {
      promises.append(
        Statement(words: "exit 0, and not every page is on paper") {
          $0.contains(ModelPrinter.sides)
        })
    }
    let saysNone =
      outcome.nothingPrinted != nil || NothingPrinted(record) != nil
      || outcome.message?.contains("othing was printed") == true
    if saysNone {
      promises.append(
        Statement(words: "said that nothing was printed") { $0.allSatisfy { $0 == 0 } })
    }
    if outcome.exitCode != .success, outcome.message == nil {
      violations.append("a failure without words")
    }
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
