import IPP
@testable import PrintModel
import Synchronization
import System
import TestSupport
import Testing

@testable import Submission

/// A printer that stops in the middle of a document, until `--timeout`.
@Suite struct StalledPrinterTests {
  @Test(arguments: [
    // It reports the reason, and cancels the job. Printers have printed what they had of a document.
    (
      ["media-jam"], true, Int?.some(0), 74,
      "No progress on Lab for 60 s (Paper jam: clear it). The job was canceled; the printer does not report "
        + "whether a page of it was printed."
    ),
    (
      ["media-jam"], true, 2, 74,
      "No progress on Lab for 60 s (Paper jam: clear it). The job was canceled; 2 pages of it came out."
    ),
    // It counts nothing, keeps the job, or reports nothing.
    (
      ["cover-open"], true, nil, 74,
      "The connection to Lab broke while the document was being sent (is silent). Part of it may have "
        + "printed; it is not sent again."
    ),
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
    let printer = StoppedPrinter(reasons, cancels: cancels, impressions: impressions)
    let outcome = try printer.printed()
    #expect(outcome.exitCode.rawValue == code)
    #expect(outcome.message == message)
    #expect(outcome.nothingPrinted == nil)
  }

  /// printer-state-change-time before the job and after it.
  @Test(arguments: [(5, 5, true), (5, 6, false), (nil, nil, false)])
  func `75: it has been stopped since before it had the job`(
    _ before: Int?, _ now: Int?, _ isProven: Bool
  ) throws {
    let printer = StoppedPrinter(["media-empty"], cancels: true, impressions: 0)
    (printer.changedBefore, printer.changed) = (before, now)
    let outcome = try printer.printed()
    #expect(outcome.exitCode == (isProven ? .notNow : .inDoubt))
    #expect((outcome.nothingPrinted != nil) == isProven)
    #expect(outcome.nothingPrinted?.isUnsent != true)
  }
}

/// A printer that accepts a document before it has all of it: airprint knows that it kept the rest.
@Suite struct EarlyAnswerToDocumentTests {
  @Test(arguments: [true, false])
  func `74: the document has not left`(_ createsFirst: Bool) throws {
    let printer = StoppedPrinter([], cancels: true, impressions: 3)
    printer.answersEarly = true
    let outcome = try printer.printed(createsFirst: createsFirst)
    #expect(outcome.exitCode == .inDoubt)
    #expect(
      outcome.message?.hasPrefix("Lab accepted the document before it had received all") == true)
    #expect(printer.isCanceled)
  }

  /// Why it wants no more of it is known: it is judged as any other that it aborts.
  @Test(arguments: [true, false])
  func `80: the printer has aborted it`(_ createsFirst: Bool) throws {
    let printer = StoppedPrinter([], cancels: false, impressions: 1)
    (printer.answersEarly, printer.aborts) = (true, true)
    let outcome = try printer.printed(createsFirst: createsFirst)
    #expect(outcome.exitCode == .aborted)
    #expect(outcome.message == "Lab aborted the job. It counts 1 of 3 pages.")
  }
}

/// A printer whose server refuses a document by HTTP when it has a part of it.
@Suite struct RefusedAmidDocumentTests {
  @Test(
    arguments: [
      (true, 0, 74, "Lab asks for a password. Part of it may have printed."),
      (true, nil, 77, "Lab asks for a password. Nothing was printed."),
      (
        true, 2, 74,
        "Lab asks for a password. 2 pages of it came out before that; the rest is canceled."
      ),
      (false, nil, 74, "Lab asks for a password. Part of it may have printed."),
    ] as [(Bool, Int?, Int32, String)])
  func `only the printer's word on the job proves that nothing was printed`(
    _ cancels: Bool, _ impressions: Int?, _ code: Int32, _ message: String
  ) throws {
    let printer = StoppedPrinter([], cancels: cancels, impressions: impressions)
    printer.hasBegun = impressions != nil
    printer.refusal = IPPError(.unauthorized, "asks for a password.", of: "lab")
    let outcome = try printer.printed()
    #expect(outcome.exitCode.rawValue == code)
    #expect(outcome.message == message)
  }

  /// Without Create-Job, there is no number to ask about.
  @Test(
    arguments: [
      (false, [:], 77, "Lab: Log in with: airprint login Lab"),
      (true, [:], 74, "Part of it may have printed. Lab: Log in with: airprint login Lab"),
      (
        false, ["me": .busy], 74,
        "Part of it may have printed. Lab: Log in with: airprint login Lab"
      ),
    ] as [(Bool, [String: Status], Int32, String)])
  func `a Print-Job that was refused is forgotten if the printer lists no new job`(
    _ listsAnother: Bool, _ unlisted: [String: Status], _ code: Int32, _ message: String
  ) throws {
    let printer = StoppedPrinter([], cancels: true, impressions: nil)
    printer.refusal = IPPError(.unauthorized, "Log in with: airprint login Lab")
    printer.listsAnother = listsAnother
    printer.unlistedAfterwards = unlisted
    let outcome = try printer.printed(createsFirst: false)
    #expect(outcome.exitCode.rawValue == code)
    #expect(outcome.message == message)
    // It is not printed once more by itself.
    #expect(outcome.nothingPrinted == nil)
  }

  private static func job(_ state: JobState, _ impressions: Int? = nil) -> JobStatus {
    JobStatus(id: 7, state: state, impressions: impressions)
  }

  /// If a byte has left (true): the job's status before it was canceled, what became of it, and whether that is proof.
  @Test(
    arguments: [
      (false, nil, .over(job(.completed)), true), (false, nil, .accepted, true),
      (false, nil, .refused("not-possible"), true), (false, nil, .silence("no answer"), true),
      (true, nil, nil, false), (true, nil, .gone, false),
      (true, nil, .over(.unbegun(.canceled)), true), (true, nil, .over(.unbegun(.aborted)), true),
      (true, nil, .over(job(.canceled, 0)), false),
      (true, JobStatus.empty, .over(job(.canceled)), true),
      (true, job(.processing), .over(job(.canceled)), false),
      (true, nil, .over(job(.canceled, 2)), false), (true, nil, .over(job(.aborted)), false),
      (true, nil, .over(JobStatus(id: 7, state: .completed, reasons: ["job-errors"])), false),
      (true, nil, .over(job(.completed, 0)), false), (true, nil, .accepted, false),
      (true, job(.processing, 2), .refused("not-possible"), false),
      (true, nil, .silence("no answer"), false),
    ] as [(Bool, JobStatus?, CancelResult?, Bool)])
  func `a job whose document was refused before it was whole`(
    _ isRefused: Bool, _ waiting: JobStatus?, _ cancelResult: CancelResult?, _ isProven: Bool
  ) throws {
    let line = StoppedLine(
      to: StoppedPrinter([], cancels: true, impressions: nil),
      uri: try #require(PrinterURI("ipp://127.0.0.1:9/")))
    (line.hasSentDocument, line.isRefused) = (false, isRefused)
    let proof = NothingPrinted(line, waiting: waiting, cancelResult)
    #expect((proof != nil) == isProven)
    // Another printer must not get it.
    #expect(proof.map { $0.isUnsent == !isRefused } != false)
  }
}

/// Ctrl-C with such a printer.
@Suite struct InterruptedDocumentTests {
  @Test(
    arguments: [
      (0, "Interrupted; the job was canceled."),
      (1, "Interrupted; the job was canceled after 1 page."),
      (2, "Interrupted; the job was canceled after 2 pages."),
      (nil, "Interrupted; the job was canceled."),
    ] as [(Int?, String)])
  func `the pages that are out are said`(_ impressions: Int?, _ message: String) throws {
    let printer = StoppedPrinter(
      ["media-jam"], cancels: true, impressions: impressions)
    printer.interruption = Cancellation()
    let outcome = try printer.printed()
    #expect(outcome.exitCode == .interrupted)
    #expect(outcome.message == message)
  }

  /// A printer that restarted counts its jobs from 1 again.
  @Test(arguments: [false, true], [false, true])
  func `a document goes to no other job of the number`(_ restarts: Bool, _ hasUUIDs: Bool) throws {
    let printer = StoppedPrinter([], cancels: true, impressions: nil)
    (printer.hasUUIDs, printer.hasNames, printer.restarts) = (hasUUIDs, !hasUUIDs, restarts)
    _ = try printer.printed()
    #expect(printer.hasDocument != restarts)
    #expect(printer.isCanceled != restarts)
  }

  /// It is asked once what it calls the job, over the connection on which it made it: a UUID may be made from the number.
  @Test(arguments: [false, true])
  func `a job that the printer renames is canceled`(_ hasUUIDs: Bool) throws {
    let printer = StoppedPrinter(["media-jam"], cancels: true, impressions: 1)
    printer.interruption = Cancellation()
    (printer.hasUUIDs, printer.renamesJobs) = (hasUUIDs, true)
    #expect(try printer.printed().message == "Interrupted; the job was canceled after 1 page.")
    #expect(printer.operations.starts(with: [5, 9, 9, 8]))
  }

  @Test(arguments: [(true, false, false), (true, true, true), (false, false, true)])
  func `a job that may have been renamed is not gone`(
    _ renamesJobs: Bool, _ hasUUIDs: Bool, _ isCanceled: Bool
  ) throws {
    let printer = StoppedPrinter([], cancels: true, impressions: 1)
    (printer.hasUUIDs, printer.renamesJobs) = (hasUUIDs, renamesJobs)
    let made = printer.answer(Request(.createJob, operationAttributes: []))
    let job = try #require(JobIdentity(made, to: JobSearch(name: "report", user: "me")))
    let line = StoppedLine(to: printer, uri: try #require(PrinterURI("ipp://127.0.0.1:9/")))
    let cancelResult = try line.cancel(job, user: "me", timeout: .zero, Cancellation())
    #expect(cancelResult.isSure == isCanceled && cancelResult != .gone)
    #expect(printer.isCanceled == isCanceled)
  }
}

/// A printer that has canceled a job may no longer know it, with pages on their way.
@Suite struct ForgottenCancellationTests {
  @Test(arguments: [(false, CancelResult.accepted), (true, .gone)])
  func `it has accepted the cancellation; only a job that was gone before is gone`(
    _ isGone: Bool, _ cancelResult: CancelResult
  ) throws {
    let printer = StoppedPrinter([], cancels: true, impressions: 1)
    (printer.hasUUIDs, printer.forgetsJobs) = (true, isGone ? .all : .canceled)
    let made = printer.answer(Request(.createJob, operationAttributes: []))
    let job = try #require(JobIdentity(made, to: JobSearch(name: "report", user: "me")))
    let line = StoppedLine(to: printer, uri: try #require(PrinterURI("ipp://127.0.0.1:9/")))
    #expect(try line.cancel(job, user: "me", Cancellation()) == cancelResult)
  }
}

/// A printer with a fault of its own, which says nothing about its jobs.
@Suite struct FaultyAnswersTests {
  @Test(
    arguments: [
      (1, .internalError, nil), (2, .internalError, nil), (2, .forbidden, nil),
      (100, .internalError, .silence("server-error-internal-error")),
      (100, .forbidden, .unknown(.forbidden)),
      (100, .operationNotSupported, .unknown(.operationNotSupported)),
    ] as [(Int, Status, JobAnswer?)])
  func `a fault that stays is silence, and a refusal that does the job's end`(
    _ faults: Int, _ fault: Status, _ end: JobAnswer?
  ) throws {
    let printer = StoppedPrinter([], cancels: true, impressions: 1)
    (printer.faults, printer.fault) = (faults, fault)
    let line = StoppedLine(to: printer, uri: try #require(PrinterURI("ipp://127.0.0.1:9/")))
    let answer = try line.answer(about: 7, user: "me")
    let status = if case .status = answer { true } else { false }
    #expect(end == nil ? status : answer == end)
    #expect(printer.operations.count == min(faults + 1, 3))
  }
}

/// A printer that was switched off, and hides the names of other users' jobs.
@Suite struct HiddenNameTests {
  @Test(arguments: [nil, "d.pdf"])
  func `the end of a job that may be another's is not believed`(_ name: String?) throws {
    let printer = StoppedPrinter([], cancels: true, impressions: 1)
    printer.hidesNames = true
    let line = StoppedLine(to: printer, uri: try #require(PrinterURI("ipp://127.0.0.1:9/")))
    var status = JobStatus(id: 7, state: .pending)
    status.name = name
    let answer = try line.answer(about: JobIdentity(status), user: "me")
    if name != nil {
      #expect(answer == .unknown(nil))
    } else if case .status = answer {
    } else {
      Issue.record("\(answer)")
    }
  }
}

/// A printer that creates jobs and reads nothing of their documents.
final class StoppedPrinter {
  private let reasons: [String]
  private let cancels: Bool
  private let impressions: Int?
  private let passed = PassedTime()
  private(set) var isCanceled = false
  /// When it made the job.
  private var made = ContinuousClock.now
  /// The operations that it was asked for.
  private(set) var operations: [Int] = []
  /// True if it accepts the document after its first piece.
  var answersEarly = false
  /// True if it aborts the job once it was passed a piece of the document.
  var aborts = false
  /// Its server's refusal of a document of which it has a part.
  var refusal: IPPError?
  /// False if it states that it has not begun with the job.
  var hasBegun = true
  /// printer-state-change-time before it has a job, and now.
  var changedBefore: Int?
  var changed: Int?
  /// Users whose jobs it does not list, and its answer to that.
  var unlisted: [String: Status] = [:]
  /// The same once it was passed a piece of the document.
  var unlistedAfterwards: [String: Status] = [:]
  /// True if it then lists another job, without a name.
  var listsAnother = false
  /// True if it states a UUID of each job.
  var hasUUIDs = false
  /// True if it states the name of each job.
  var hasNames = false
  /// True if it restarts before it gets the document: the connection ends, and another job has that number.
  var restarts = false
  fileprivate(set) var hasRestarted = false
  /// True once it was passed a piece of the document.
  fileprivate(set) var hasDocument = false
  /// True if it calls jobs and their users something else, as it states when it is asked about them, and not their age.
  var renamesJobs = false
  enum Forgotten { case none, canceled, all }
  /// The jobs that it does not know if it is asked about them.
  var forgetsJobs = Forgotten.none
  /// True if it hides the names of jobs once it has stated them.
  var hidesNames = false
  /// How many questions about a job it will answer with this.
  var faults = 0
  var fault = Status.internalError
  /// The cancellation to trigger while the document is being sent.
  var interruption: Cancellation?

  init(_ reasons: [String], cancels: Bool, impressions: Int?) {
    self.reasons = reasons
    self.cancels = cancels
    self.impressions = impressions
  }

  /// Runs a job of three sides and returns its outcome.
  func printed(createsFirst: Bool = true) throws -> JobOutcome {
    let scratch = try Scratch()
    let journal = Journal(folder: "\(scratch.path)/jobs")
    var record = JobRecord(
      name: "report", file: "report.pdf", printer: "Lab", uri: "ipp://127.0.0.1:9/", addresses: [],
      user: "me", created: 1)
    record.stoppedSince = changedBefore
    let uri = try #require(PrinterURI(record.uri))
    let submitter = JobSubmitter(
      JobSubmission.test(createsFirst: createsFirst), over: StoppedLine(to: self, uri: uri),
      entry: try journal.begin(record),
      of: journal, cancellation: interruption ?? Cancellation(), clock: passed.clock
    ) { _ in }
    return submitter.run { OnePage() }
  }

  /// Returns the error for a piece of the document that can't be sent.
  func refuse(_ timeout: Duration) -> IPPError {
    guard let interruption else {
      passed.pass(timeout)
      return IPPError(.silent, "is silent")
    }
    interruption.raise()
    return IPPError(.interrupted, "interrupted")
  }

  func answer(_ request: Request) -> Response {
    operations.append(request.operation)
    if request.operation == 0x05 { made = .now }
    let user = request.operationAttributes.first { $0.name == "requesting-user-name" }
    let unlisted = hasDocument ? unlistedAfterwards.merging(unlisted) { $1 } : unlisted
    if request.operation == 0x0A, let refusal = unlisted[user?.values.first?.string ?? ""] {
      return Response(status: refusal)
    }
    let isForgotten = forgetsJobs == .all || forgetsJobs == .canceled && isCanceled
    switch request.operation {
    case 0x09 where faults > 0:
      faults -= 1
      return Response(status: fault)
    case 0x09 where isForgotten: return Response(status: .notFound)
    case 0x08:
      guard cancels else { return Response(status: .notPossible) }
      isCanceled = true
      return Response(status: .ok)
    case 0x0A:
      let another = AttributeSet([
        Attribute("job-id", .integer(9)), Attribute("job-state", .enumeration(5)),
      ])
      return Response(status: .ok, jobs: listsAnother && hasDocument ? [another] : [])
    case 0x0B:
      let attributes =
        [
          Attribute("printer-state", .enumeration(5)),
          Attribute("printer-state-reasons", reasons.map { .keyword($0) }),
        ] + (changed.map { [Attribute("printer-state-change-time", .integer($0))] } ?? [])
      return Response(status: .ok, printer: AttributeSet(attributes))
    default:
      var attributes = [
        Attribute("job-id", .integer(7)),
        Attribute(
          "job-state", .enumeration(isCanceled ? 7 : aborts && hasDocument ? 8 : hasBegun ? 5 : 3)),
      ]
      if !renamesJobs {
        let upTime = 50 + Int(made.duration(to: .now).components.seconds)
        attributes += [
          Attribute("time-at-creation", .integer(50)),
          Attribute("job-printer-up-time", .integer(upTime)),
        ]
      }
      if !hasBegun { attributes.append(Attribute("time-at-processing", .none)) }
      if let impressions {
        attributes.append(Attribute("job-impressions-completed", .integer(impressions)))
      }
      if hasUUIDs {
        attributes.append(Attribute("job-uuid", .uri(hasRestarted ? "urn:uuid:8" : "urn:uuid:7")))
      }
      if hasNames {
        attributes.append(Attribute("job-name", .name(hasRestarted ? "Payroll.pdf" : "report")))
      }
      if renamesJobs, request.operation == 0x09 {
        attributes += [
          Attribute("job-name", .name("Document")),
          Attribute("job-originating-user-name", .name("anonymous")),
        ]
      }
      if hidesNames, request.operation == 0x09 {
        attributes[1] = Attribute("job-state", .enumeration(9))
      }
      return Response(status: .ok, jobs: [AttributeSet(attributes)])
    }
  }
}

/// A clock on which waiting takes no time.
private final class PassedTime: Sendable {
  private let passed = Mutex(Duration.zero)
  private let begun = ContinuousClock.now

  var clock: WaitingClock {
    WaitingClock(
      now: { [self] in begun + passed.withLock { $0 } },
      sleep: { [self] duration, _ in
        pass(duration)
        return true
      })
  }

  func pass(_ duration: Duration) { passed.withLock { $0 += duration } }
}

/// A connection to it that sends nothing of a document.
final class StoppedLine: JobConnection {
  private let printer: StoppedPrinter
  let uri: PrinterURI
  let address: String? = nil
  let security = Security()
  var timeout = Duration.seconds(60)
  var whenStalled: (() -> Void)?
  var whenDocumentBegins: ((Int) throws(IPPError) -> Void)?
  let mayHaveAsked = true
  var hasSentDocument = true
  let hasEndedDocument = false
  let hasReadDocument = false
  let isDelivered = false
  var isRefused = false
  private(set) var connections = 1
  let gainsByCompression = false

  init(to printer: StoppedPrinter, uri: PrinterURI) {
    self.printer = printer
    self.uri = uri
  }

  func exchange(_ request: Request, grace: Duration) -> Response { printer.answer(request) }

  func beginDocument(_ request: Request) throws(IPPError) {
    if printer.restarts { (connections, printer.hasRestarted) = (connections + 1, true) }
    try whenDocumentBegins?(connections)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(IPPError) -> Bool {
    printer.hasDocument = true
    if printer.answersEarly { return false }
    if let refusal = printer.refusal {
      (hasSentDocument, isRefused) = (false, true)
      throw refusal
    }
    let refusal = printer.refuse(timeout)
    whenStalled?()
    throw refusal
  }

  func finish(grace: Duration, _ whenEnded: () -> Void) throws(IPPError) -> Response? {
    if printer.answersEarly {
      return printer.answer(Request(.getJobAttributes, operationAttributes: []))
    }
    throw IPPError(.nonsense, "the document has not been sent")
  }

  func shutDown() {}

  func another(
    at addresses: [String], timeout: Duration, cancellation: Cancellation
  ) -> any JobConnection { StoppedLine(to: printer, uri: uri) }
}

private final class OnePage: DocumentStream {
  private var isGiven = false
  let progress = StreamProgress(sides: 0, allSides: 3)

  func next() -> [UInt8]? {
    defer { isGiven = true }
    return isGiven ? nil : [37, 80, 68, 70]
  }
}
