import PrintModel
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

  @Test func `an outcome is told in words`() {
    #expect(JobOutcome(JobStatus(id: 1, state: .completed), at: "Office").message == nil)
    let unread = JobOutcome(
      JobStatus(id: 1, state: .completed, reasons: ["document-format-error"]), at: "Office")
    #expect(
      unread.message == "Office did not print the job: the printer could not read the document.")
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

  /// The words are those of the proof, and follow the message.
  @Test(arguments: [
    (0, "Office aborted the job. Nothing was printed."), (1, "Office aborted the job."),
  ])
  func `that nothing was printed is said if it is proven`(_ impressions: Int, _ message: String) {
    let status = JobStatus(id: 1, state: .aborted, impressions: impressions)
    #expect(JobOutcome(status, at: "Office").saidInFull.message == message)
  }

  /// A missing count is not 0: an interpreter may fail at the fifth page.
  @Test(arguments: [(Int?.none, false), (0, true), (1, false)])
  func `another format is tried only if no sheet is out`(_ impressions: Int?, _ mayTry: Bool) {
    for state in [JobState.aborted, .completed] {
      let status = JobStatus(
        id: 1, state: state, reasons: ["document-format-error"], impressions: impressions)
      #expect(JobOutcome(status, at: "Office").mayTryOtherFormat == mayTry)
    }
  }
}
