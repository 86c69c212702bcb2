import PrintModel
import Submission
import Testing

@testable import Jobs

/// What `cancel` says of a job whose end it did not see at the printer.
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
}
