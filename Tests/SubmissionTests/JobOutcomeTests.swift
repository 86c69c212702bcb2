@testable import PrintModel
import Testing

@testable import Submission

@Suite struct JobOutcomeTests {
  @Test func `an end that can't be right is none`() throws {
    var outcome = JobOutcome(exitCode: .success)
    #expect(outcome.end(ofJobOf: 100, now: 200) == nil)
    outcome.completedAt = 150
    #expect(outcome.end(ofJobOf: 100, now: 200) == 150)
    #expect(outcome.end(ofJobOf: 160, now: 200) == nil, "before it began")
    #expect(outcome.end(ofJobOf: 100, now: 140) == nil, "in the future")
    outcome.age = 20
    #expect(outcome.end(ofJobOf: 100, now: 200) == 180, "its own count is surer than its clock")
  }

  /// Another printer gets a job only if this one has nothing of it.
  @Test func `a job in doubt stays with its printer`() {
    for code in [ExitCode.notNow, .unavailable, .refused] {
      var outcome = JobOutcome(exitCode: code)
      #expect(!outcome.mayTryNextPrinter)
      outcome.nothingPrinted = NothingPrinted(
        JobStatus.unbegun(.canceled, id: 1))
      #expect(!outcome.mayTryNextPrinter)
      outcome.nothingPrinted = .unsent
      #expect(outcome.mayTryNextPrinter == (code != .refused))
    }
  }

  @Test func `an outcome is told in words`() {
    #expect(JobOutcome(JobStatus(id: 1, state: .completed), at: "Office").message == nil)
    let unread = JobOutcome(
      JobStatus(id: 1, state: .completed, reasons: ["document-format-error"], impressions: 0),
      at: "Office")
    #expect(
      unread.message
        == "Office reports that it completed the job, but with a problem: the printer could not read the document. It may have printed."
    )
    #expect(unread.state == .completed)
    #expect(unread.reasons == ["document-format-error"])
    let canceled = JobOutcome(
      JobStatus(id: 1, state: .canceled, reasons: ["job-canceled-at-device"]), at: "Office")
    #expect(canceled.exitCode == .canceled)
    #expect(canceled.message == "The job was canceled at Office itself.")
    let aborted = JobOutcome(
      JobStatus(id: 1, state: .aborted, message: "Out of memory"), at: "Office")
    #expect(aborted.exitCode == .aborted)
    #expect(aborted.message == "Office did not print the job: Out of memory.")
    let plain = JobOutcome(
      JobStatus(id: 1, state: .aborted, reasons: ["aborted-by-system"]), at: "Office")
    #expect(plain.message == "Office aborted the job.")
  }

  @Test(
    arguments: [
      (.success, .completed, 2, nil, .all, false), (.success, .pending, 0, nil, .unknown, true),
      (.notNow, .canceled, 0, .mediaEmpty, .no, false),
      (.notNow, .canceled, 1, .mediaEmpty, .some, false),
      (.notNow, .processing, 1, .mediaEmpty, .some, true),
      (.notNow, .held, nil, .mediaEmpty, .unknown, true),
      (.inDoubt, nil, nil, .inDoubt, .unknown, true), (.aborted, .aborted, 0, .aborted, .no, false),
      (.canceled, nil, 0, .canceled, .unknown, false),
    ] as [(ExitCode, JobState?, Int?, FailureReason?, Printed, Bool)])
  func `what is on paper, and what may follow`(
    _ code: ExitCode, _ state: JobState?, _ count: Int?, _ reason: FailureReason?,
    _ printed: Printed, _ mayStillPrint: Bool
  ) {
    var outcome = JobOutcome(
      exitCode: code, state: state, reasons: ["media-empty-error"], impressions: count)
    if count == 0, let state { outcome.nothingPrinted = NothingPrinted(.unbegun(state)) }
    #expect(outcome.reason == reason && outcome.printed == printed)
    #expect(outcome.mayStillPrint == mayStillPrint)
  }

  @Test(
    arguments: [
      (2, 3, .some), (3, 3, .all), (0, 3, .all), (nil, 3, .all), (2, nil, .all),
    ] as [(Int?, Int?, Printed)])
  func `a completed job of which not every side is counted is not all on paper`(
    _ count: Int?, _ sides: Int?, _ printed: Printed
  ) {
    let status = JobStatus(id: 1, state: .completed, impressions: count)
    let outcome = JobOutcome(status, at: "Office", sides: sides)
    #expect(outcome.exitCode == .success && outcome.printed == printed)
    var record = JobRecord(
      name: "d", file: "d", printer: "Office", uri: "", addresses: [], user: "me", created: 1)
    record.end(outcome, isOver: true)
    #expect(record.outcome?.printed == printed)
  }

  @Test func `a failure before the job keeps its reason`() {
    #expect(JobOutcome(Failure(.noPrinterSaved, "None.")).reason == .noPrinterSaved)
  }

  /// 80 means that printing it again is safe, so a job that may be whole is not 80.
  @Test(
    arguments: [
      ("job-completed-with-errors", 3, 3, .success), ("job-completed-with-errors", 2, 3, .aborted),
      ("job-completed-with-errors", 0, 3, .inDoubt), ("queued-in-device", nil, 3, .inDoubt),
      ("job-completed-with-errors", nil, 3, .inDoubt),
      ("job-completed-with-errors", 3, nil, .inDoubt), ("document-format-error", 3, 3, .inDoubt),
      ("document-format-error", 2, 3, .aborted), ("document-format-error", nil, 3, .inDoubt),
      ("document-format-error", 0, nil, .inDoubt),
      ("job-completed-with-warnings", nil, nil, .success),
      ("account-authorization-failed", 0, 3, .inDoubt), ("account-closed", 0, 3, .inDoubt),
      ("account-limit-reached", 0, 3, .inDoubt), ("account-limit-reached", 3, 3, .success),
      ("submission-interrupted", 0, 3, .inDoubt), ("submission-interrupted", 1, 3, .aborted),
      ("resources-are-not-supported", 0, 3, .inDoubt), ("errors-detected", 2, 3, .aborted),
      // What it waited for before, and a keyword that nobody registered.
      ("printer-stopped", 0, 3, .success), ("com.example-error-counter", 0, 3, .success),
    ] as [(String, Int?, Int?, ExitCode)])
  func `completed, with a reason that contradicts it`(
    _ reason: String, _ count: Int?, _ sides: Int?, _ code: ExitCode
  ) {
    let status = JobStatus(id: 1, state: .completed, reasons: [reason], impressions: count)
    #expect(JobOutcome(status, at: "Office", sides: sides).exitCode == code)
  }

  /// A sheet has one side or two.
  @Test(
    arguments: [
      (1, .aborted, "Office did not print the whole job: printed with errors. It counts 1 sheet."),
      (
        2, .inDoubt,
        "Office reports that it completed the job, but with a problem: printed with errors. It may have printed."
      ), (3, .success, nil),
    ] as [(Int, ExitCode, String?)])
  func `sheets are not told as sides`(_ count: Int, _ code: ExitCode, _ message: String?) {
    var status = JobStatus(
      id: 1, state: .completed, reasons: ["job-completed-with-errors"], impressions: count)
    status.countsSheets = true
    let outcome = JobOutcome(status, at: "Office", sides: 3)
    #expect(outcome.exitCode == code && outcome.message == message, "\(outcome.message ?? "")")
  }

  @Test(
    arguments: [
      (.terminated, 0, true), (.terminated, 1, false), (.terminated, nil, false),
      (.interrupted, 0, false), (.notNow, 0, true), (.canceled, 0, false), (.aborted, 0, false),
    ] as [(ExitCode, Int?, Bool)])
  func `a queued job that was sent waits again if nothing was printed and nobody canceled it`(
    _ code: ExitCode, _ count: Int?, _ waits: Bool
  ) {
    var record = JobRecord(
      name: "n", file: "f", printer: "Lab", uri: "ipp://lab/", addresses: [], user: "me", created: 1
    )
    (record.phase, record.isForLater) = (.sent, true)
    var outcome = JobOutcome(exitCode: code, state: .canceled)
    var status = JobStatus.unbegun(.canceled)
    (status.impressions, status.isUnprinted) = (count, count != nil)
    outcome.nothingPrinted = NothingPrinted(status)
    record.end(outcome, isOver: true)
    #expect((record.phase == .queued) == waits)
  }

  /// What came out is never said not to be printed.
  @Test(
    arguments: [
      (.aborted, nil, .aborted, "Office did not print the job: full."),
      (.aborted, 2, .aborted, "Office aborted the job: full. It counts 2 of 3 pages."),
      (
        .aborted, 3, .inDoubt,
        "Office aborted the job: full. It counts 3 of 3 pages. It may have printed."
      ),
      (.canceled, 2, .canceled, "The job was canceled on Office: full. It counts 2 of 3 pages."),
      (
        .canceled, 3, .inDoubt,
        "The job was canceled on Office: full. It counts 3 of 3 pages. It may have printed."
      ),
    ] as [(JobState, Int?, ExitCode, String)])
  func `canceled or aborted, with pages out`(
    _ state: JobState, _ count: Int?, _ code: ExitCode, _ message: String
  ) {
    let status = JobStatus(id: 1, state: state, message: "full.", impressions: count)
    let outcome = JobOutcome(status, at: "Office", sides: 3)
    #expect(outcome.exitCode == code && outcome.message == message)
  }

  /// Printing again is only safe where the count is known to fall short.
  @Test(
    arguments: [(1, 4, .canceled), (2, 4, .inDoubt), (2, nil, .inDoubt), (0, 4, .canceled)]
      as [(Int, Int?, ExitCode)])
  func `canceled, with sheets counted`(_ count: Int, _ sides: Int?, _ code: ExitCode) {
    var status = JobStatus(id: 1, state: .canceled, impressions: count)
    status.countsSheets = true
    #expect(JobOutcome(status, at: "Office", sides: sides).exitCode == code)
  }

  /// The words are those of the proof, and follow the message.
  @Test(
    arguments: [
      (nil, "Office aborted the job. Nothing was printed."),
      (1, "Office aborted the job. It counts 1 page. It may have printed."),
    ] as [(Int?, String)])
  func `that nothing was printed is said if it is proven`(_ impressions: Int?, _ message: String) {
    var status = JobStatus.unbegun(.aborted)
    status.impressions = impressions
    #expect(JobOutcome(status, at: "Office").saidInFull.message == message)
  }

  @Test func `a command ends its message, whatever is proven`() {
    var outcome = JobOutcome(.unbegun(.aborted), at: "Office")
    outcome.message = "Save it with: airprint login Office"
    #expect(
      outcome.saidInFull.message == "Nothing was printed. Save it with: airprint login Office")
  }

  /// An interpreter may fail at the fifth page.
  @Test(arguments: [
    (false, Int?.none, false), (false, 0, false), (true, nil, true), (true, 1, false),
  ])
  func `another format is tried only if it is proven that no sheet is out`(
    _ isUnprinted: Bool, _ impressions: Int?, _ mayTry: Bool
  ) {
    for state in [JobState.aborted, .completed] {
      var status = JobStatus(
        id: 1, state: state, reasons: ["document-format-error"], impressions: impressions)
      status.isUnprinted = isUnprinted
      #expect(
        JobOutcome(status, at: "Office").mayTryOtherFormat == (mayTry && state == .aborted))
    }
  }
}
