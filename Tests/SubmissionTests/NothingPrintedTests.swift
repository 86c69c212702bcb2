import IPP
@testable import PrintModel
import Testing

@testable import Submission

/// The facts that prove that nothing of a document was printed, and those that don't.
///
/// Only then may the document be sent again, wait in the queue again, or be reported as not printed.
@Suite struct NothingPrintedTests {
  private func refusal(_ status: Status? = .busy) -> DocumentRefusal {
    DocumentRefusal(ending: SubmitError(.notNow, "It is busy."), status: status)
  }

  private static func job(
    _ state: JobState, _ reason: String = "none", _ impressions: Int? = nil
  ) -> JobStatus {
    var status = JobStatus(id: 1, state: state, reasons: [reason], impressions: impressions)
    status.isUnprinted = true
    return status
  }

  /// The printer had begun with it, and counts 0.
  private static let begun = JobStatus(id: 1, state: .canceled, impressions: 0)

  @Test(
    arguments: [
      (.queued, true), (.accepted, true), (.creating, true), (.created, true), (.sending, false),
      (.delivered, false), (.sent, false), (.ended, false),
    ] as [(JobRecord.Phase, Bool)])
  func `the phase of a job`(_ phase: JobRecord.Phase, _ isProven: Bool) throws {
    var record = JobRecord(
      name: "n", file: "f", printer: "Lab", uri: "ipp://lab/", addresses: [], user: "me", created: 1
    )
    record.phase = phase
    #expect((NothingPrinted(record)?.isUnsent == true) == isProven)
    // What the end of a job has proved is kept.
    record.phase = .ended
    record.nothingPrinted = NothingPrinted(Self.job(.canceled, "none", 0))
    #expect(NothingPrinted(record)?.isUnsent == false)
  }

  @Test(
    arguments: [
      (job(.canceled, "none", 0), true), (job(.canceled, "none", 1), false),
      (job(.aborted, "none", 0), true), (job(.canceled), true), (job(.aborted), true),
      // Many printers count nothing, only what they complete, or in steps.
      (begun, false), (JobStatus(id: 1, state: .aborted, impressions: 0), false),
      (job(.completed, "document-format-error", 0), false), (job(.completed), false),
      // It has not ended.
      (job(.held, "none", 0), false), (job(.processing, "processing-to-stop-point", 0), false),
    ])
  func `the end that a printer reports`(_ status: JobStatus, _ isProven: Bool) {
    #expect((NothingPrinted(status) != nil) == isProven)
    #expect(NothingPrinted(status)?.isUnsent != true)
  }

  @Test(
    arguments: [
      (.status(job(.aborted, "aborted-by-system", 0)), true),
      (.status(job(.aborted, "aborted-by-system")), true), (.status(begun), false),
      (.status(job(.aborted, "aborted-by-system", 1)), false),
      // Someone canceled it, so it must not be printed anyway.
      (.status(job(.canceled, "job-canceled-by-user", 0)), false),
      (.status(job(.completed)), false),
      (.status(job(.completed, "job-completed-successfully", 0)), false),
      // It could still print.
      (.status(job(.held, "job-data-insufficient")), false), (.status(job(.pending)), false),
      (.status(job(.processing, "job-incoming", 0)), false),
      (.unknown(.notFound), false), (.unknown(nil), false), (.silence("no answer"), false),
    ] as [(JobAnswer, Bool)])
  func `what a printer says of a job whose document it refused`(
    _ answer: JobAnswer, _ isProven: Bool
  ) {
    #expect((NothingPrinted(refusal(), answer) != nil) == isProven)
  }

  /// A job that somebody canceled at the printer is gone, too, with the pages that are out.
  @Test(arguments: [Status.notFound, .gone, .busy], [Status?.some(.notFound), .gone, nil])
  func `no such job proves nothing once a byte of the document was sent`(
    _ refused: Status, _ asked: Status?
  ) {
    var refusal = refusal(refused)
    #expect(NothingPrinted(refusal, .unknown(asked)) == nil)
    refusal.nothingSent = NothingPrinted(
      JobRecord(
        name: "n", file: "f", printer: "Lab", uri: "ipp://lab/", addresses: [], user: "me",
        created: 1))
    #expect(NothingPrinted(refusal, .unknown(asked)) == refusal.nothingSent)
  }

  @Test(
    arguments: [
      (job(.held, "job-data-insufficient"), .over(job(.canceled)), true),
      (job(.pending, "job-incoming", 0), .over(job(.aborted, "none", 0)), true),
      (job(.held, "job-data-insufficient"), .over(begun), true),
      (job(.held, "job-held-for-button-press"), .over(job(.canceled)), true),
      // It may be printed while it arrives.
      (job(.pending, "job-incoming", 0), .over(begun), false),
      (job(.pending, "job-incoming"), .gone, false),
      (job(.held, "job-data-insufficient"), .gone, true),
      (job(.held, "job-data-insufficient", 1), .over(begun), false),
      (job(.held, "job-held-for-button-press"), .over(begun), false),
      (job(.processing, "job-incoming"), .over(begun), false),
      (job(.held, "job-data-insufficient"), .over(job(.canceled, "none", 1)), false),
      (job(.held, "job-data-insufficient"), .over(job(.completed)), false),
      (job(.held, "job-data-insufficient"), .accepted, false),
      (job(.held, "job-data-insufficient"), .refused("no"), false),
      (job(.held, "job-data-insufficient"), .silence("no answer"), false),
    ] as [(JobStatus, CancelResult, Bool)])
  func `a job that waited for its document and was canceled`(
    _ waiting: JobStatus, _ cancelResult: CancelResult, _ isProven: Bool
  ) {
    func isProof(_ job: JobStatus, _ status: Status = .busy) -> Bool {
      NothingPrinted(waiting: job, refusal(status), cancelResult) != nil
    }
    #expect(isProof(waiting) == isProven)
    // Data that were cut off are insufficient, too; a part of them may be printed.
    var cut = waiting
    cut.isUnprinted = false
    #expect(!isProof(cut))
    #expect(isProof(cut, .documentFormatNotSupported) == isProven)
  }
}
