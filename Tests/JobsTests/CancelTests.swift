import PrintModel
@testable import Submission
import Testing

@testable import Jobs

/// What `cancel` says of a job whose end it did not see at the printer, and `reprint` of one that it was not given.
@Suite struct CancelTests {
  @Test(
    arguments: [
      (.canceled, nil, nil), (.canceled, .canceled, nil), (.inDoubt, .canceled, nil),
      // A Print-Job can't be stopped before it has its number.
      (.success, .completed, .refused), (.aborted, .aborted, .refused), (.inDoubt, nil, .inDoubt),
      (.forgotten, nil, .inDoubt), (.inDoubt, .completed, .refused),
    ] as [(ExitCode, JobState?, FailureReason?)])
  func `only a job that was canceled is`(
    _ code: ExitCode, _ state: JobState?, _ reason: FailureReason?
  ) {
    var record = JobRecord(
      name: "d.pdf", file: "d.pdf", printer: "Office", uri: "ipp://localhost/", addresses: [],
      user: "me", created: 1)
    record.phase = .sending
    record.end(JobOutcome(exitCode: code, state: state), isOver: true)
    var failure: FailureReason?
    do throws(Failure) { _ = try record.canceled() } catch { failure = error.reason }
    #expect(failure == reason)
  }

  /// Phase, exit code once it has ended, and state.
  @Test(
    arguments: [
      (.ended, .success, .completed, true), (.ended, .aborted, .aborted, true),
      (.ended, .inDoubt, nil, true), (.sent, nil, .processing, true), (.sent, nil, .held, false),
      (.ended, .canceled, .canceled, false), (.ended, .interrupted, nil, false),
      (.queued, nil, nil, false), (.created, nil, nil, false),
    ] as [(JobRecord.Phase, ExitCode?, JobState?, Bool)])
  func `a job is printed again if it may have been printed`(
    _ phase: JobRecord.Phase, _ code: ExitCode?, _ state: JobState?, _ isPrinted: Bool
  ) {
    var record = JobRecord(
      name: "d.pdf", file: "d.pdf", printer: "Office", uri: "ipp://localhost/", addresses: [],
      user: "me", created: 1)
    (record.phase, record.exitCode, record.state) = (phase, code?.rawValue, state?.keyword)
    #expect(JobReport(record).isPrinted == isPrinted)
  }
}
