import FuzzTargets
import Glibc
import IPP
import PrintModel
import System
import TestSupport

@testable import Submission

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
    let entry = try journal.begin(record)
    let (journal, id) = (journal, entry.record.id)
    printer.whenCanceled = { try? journal.requestCancel(id) }
    printer.isWorkedOn = { [unowned entry] in entry.record.identity?.number == $0 }
    printer.whenAnother = { [self] in printAnother(besides: id) }
    let outcome = try live(entry) { deliver(entry, cancellation) }
    if let outcome {
      check(outcome, entry.record)
      journal.remove(entry)
    } else {
      try recover(record: entry.record.id)
    }
    printer.endOfDay()
    printer.end()
    let paper = printer.paper(of: .us)
    if paper.count(where: { $0 > 0 }) > 1 {
      violations.append("printed more than once: \(paper) pages of each attempt")
    }
    violations += printer.violations
    // What was said has to hold at the end of the day.
    for said in promises where !said.holds(paper) { violations.append(said.words) }
  }

  /// Does what a process does with the job; nil if it died.
  ///
  /// Then the record is what it has left.
  private func live<Result>(
    _ entry: JournalEntry, _ body: () throws -> Result
  ) throws -> Result? {
    let disk = ModelDisk(entry.folder, of: printer)
    printer.whenCrashed = disk.crash
    let result = try DiskWatch.watch(disk.step, body)
    guard printer.isCrashed else { return result }
    entry.release()
    guard let left = disk.left, AtomicFile.write(left, to: "\(entry.folder)/job.json") else {
      throw Failure(.fault, "no record")
    }
    return nil
  }

  private var record: JobRecord {
    var record = JobRecord(
      name: "report", file: "report.pdf", printer: "Lab", uri: uri.text, addresses: [],
      user: "me", created: WallClock.seconds)
    record.isKept = true
    record.sides = ModelPrinter.sides
    return record
  }

  private func deliver(_ entry: JournalEntry, _ cancellation: Cancellation) -> JobOutcome {
    var capabilities = Capabilities()
    capabilities.operations =
      printer.kind.createsJobs ? [2, 4, 5, 6, 8, 9, 10, 11] : [2, 4, 8, 9, 10, 11]
    var submission = JobSubmission(
      name: "report", user: "me", ticket: Self.ticket, capabilities: capabilities, printer: "Lab")
    submission.sides = ModelPrinter.sides
    entry.keep { $0.stoppedSince = PrinterStatus(reading: printer.status).stoppedSince }
    submission.handling.timeout = .seconds(10)
    return JobSubmitter(
      submission, over: ModelLine(to: printer, uri: uri), entry: entry, of: journal,
      cancellation: cancellation, clock: clock.waiting
    ) { _ in }.run { ModelDocument() }
  }

  /// Another airprint cleans up, as it does before it prints, and prints a document of the same name.
  private func printAnother(besides id: String) {
    guard journal.isHeld(id) else { return printer.violate("two processes may work on the job") }
    let line = ModelLine(to: printer, uri: uri)
    var cleanup = OrphanedJobCleanup(journal, at: uri.text, user: "me", clock: clock.waiting)
    cleanup.sweep(over: line)
    guard let entry = try? journal.begin(record) else { return printer.violate("no second record") }
    let outcome = deliver(entry, Cancellation())
    let pages = printer.paper(of: .another).last ?? 0
    printer.tell("the other one: exit \(outcome.exitCode.rawValue), \(pages) pages")
    if outcome.exitCode == .success,
      pages != ModelPrinter.sides
        || outcome.nothingPrinted != nil && pages > 0
    {
      printer.violate("that is not true")
    }
    journal.remove(entry)
  }

  /// The next airprint finds the job: asks what became of it, and prints it if nothing of it was.
  private mutating func recover(record id: String) throws {
    for _ in 0..<20 {
      let cancellation = Cancellation()
      printer.revive(cancellation)
      let entry = try claim(id)
      printer.tell("the next airprint recovers the job")
      let line = ModelLine(to: printer, uri: uri)
      printer.isWorkedOn = { [unowned entry] in entry.record.identity?.number == $0 }
      let run = self
      let ended: (RecoveryResult, JobOutcome?)? = try live(entry) {
        // A full disk: the record stays as it is, and the next one tries again.
        guard let result = try? entry.settle(cancellation, over: { line }) else {
          return (.underWay(nil), nil)
        }
        guard !run.printer.isCrashed, result == .unprinted else { return (result, nil) }
        run.printer.tell("it is printed from the queue")
        return (result, run.deliver(entry, cancellation))
      }
      guard let (result, outcome) = ended else { continue }
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
    let code = outcome.exitCode.rawValue
    results.append("exit \(code): \(outcome.message ?? "Printed.")")
    // airprint(1), DID IT PRINT?
    switch code {
    case 0:
      promises.append(
        Statement(words: "exit 0, and not every page is on paper") {
          $0.contains(ModelPrinter.sides)
        })
    case 1...73, 76...81:
      promises.append(
        Statement(words: "exit \(code), and every page is on paper") {
          !$0.contains(ModelPrinter.sides)
        })
    case 82:
      if let job = record.identity, !job.isFound, printer.hasOurs(job.number) {
        violations.append("said not to be known any more, and the printer has it")
      }
    default: break
    }
    if outcome.isLeft, record.isOver {
      violations.append("a job that was left at its printer counts as ended")
    }
    let known = record.orphans.map { $0.identity?.number }
    if record.isOver, !printer.hasFailed, !known.contains(nil),
      let job = printer.emptyJobs.first(where: { !known.contains($0) })
    {
      violations.append("job \(job) is left empty at the printer, and nobody knows of it")
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
