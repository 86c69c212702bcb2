import IPP
import PrintModel
import Testing

@testable import Submission

/// The evidence after a refusal that the printer has nothing of the document.
///
/// Only then may the document be sent again, or reported as not printed.
@Suite struct DocumentEvidenceTests {
  private func refusal(_ status: Status? = .busy) -> DocumentRefusal {
    DocumentRefusal(ending: SubmitError(.notNow, "It is busy."), status: status)
  }

  private static func job(
    _ state: JobState, _ reason: String = "none", _ impressions: Int? = nil
  ) -> JobAnswer {
    .status(JobStatus(id: 1, state: state, reasons: [reason], impressions: impressions))
  }

  @Test(
    arguments: [
      (job(.held, "job-data-insufficient"), true),
      (job(.pending, "job-incoming", 0), true),
      (job(.held, "job-data-insufficient", 1), false),
      (job(.held, "job-held-for-button-press"), false),
      (job(.pending), false),
      (job(.processing, "job-incoming"), false),
      (job(.stopped), false),
      (job(.aborted, "aborted-by-system"), true),
      (job(.aborted, "aborted-by-system", 0), true),
      (job(.aborted, "aborted-by-system", 1), false),
      // Someone canceled it, so it must not be printed anyway.
      (job(.canceled, "job-canceled-by-user", 0), false),
      (job(.completed), false),
      (job(.completed, "job-completed-successfully", 0), false),
      (.unknown(.notFound), false), (.unknown(nil), false), (.silence("no answer"), false),
    ] as [(JobAnswer, Bool)])
  func `what a printer says of the job`(_ answer: JobAnswer, _ hasNone: Bool) {
    #expect(refusal().isBorneOut(by: answer) == hasNone)
  }

  @Test(
    arguments: [
      (.notFound, .notFound, true), (.gone, .notFound, true), (.notFound, .gone, true),
      (.busy, .notFound, false), (.notFound, nil, false), (nil, .notFound, false),
      // Some printers answer this once the page is printed (ipp-client-kotlin#19).
      (.notFound, .badRequest, false),
    ] as [(Status?, Status?, Bool)])
  func `no such job, said twice`(_ refused: Status?, _ asked: Status?, _ hasNone: Bool) {
    #expect(refusal(refused).isBorneOut(by: .unknown(asked)) == hasNone)
  }

  @Test func `an empty job that had an end when it was to be canceled`() {
    func over(_ state: JobState, _ impressions: Int? = nil) -> CancelResult {
      .over(JobStatus(id: 1, state: state, impressions: impressions))
    }
    #expect(refusal().isBorneOut(by: .canceled))
    #expect(refusal().isBorneOut(by: .unknown))
    #expect(refusal().isBorneOut(by: over(.aborted)))
    #expect(!refusal().isBorneOut(by: over(.aborted, 1)))
    #expect(!refusal().isBorneOut(by: over(.completed)))
  }

  @Test func `Print-Job's job, by the printer's lists`() {
    func job(_ id: Int, _ name: String?, age: Int? = nil) -> JobStatus {
      JobStatus(id: id, name: name, state: .completed, age: age)
    }
    func found(_ open: [JobStatus], _ over: [JobStatus]) -> UnnumberedJob {
      UnnumberedJob(named: "receipt.pdf", of: "kay", age: 10, open: open, over: over)
    }
    #expect(found([], []) == .unknown)
    #expect(found([job(1, "receipt.pdf")], []) == .number(1))
    #expect(found([], [job(1, "other.pdf")]) == .none)
    #expect(found([], [job(1, "other.pdf"), job(2, "receipt.pdf", age: 9)]) == .number(2))
    // The job from this morning.
    #expect(found([], [job(2, "receipt.pdf", age: 9_000)]) == .none)
    // It ended in the meantime.
    #expect(found([job(2, "receipt.pdf")], [job(2, "receipt.pdf")]) == .number(2))
    #expect(found([job(2, "receipt.pdf")], [job(3, "receipt.pdf")]) == .unknown)
    // Names that were truncated, or are withheld.
    #expect(found([], [job(2, "rece")]) == .number(2))
    #expect(found([], [job(2, nil), job(3, "")]) == .unknown)
    #expect(found([job(1, "other.pdf")], []) == .unknown)
  }

  /// Printers change names: letters that they don't have, or a prefix of their own.
  @Test func `Print-Job's job may have another name`() {
    func found(_ name: String, of user: String?, age: Int?) -> UnnumberedJob {
      let job = JobStatus(id: 2, name: name, user: user, state: .completed, age: age)
      return UnnumberedJob(named: "Größe.pdf", of: "kay", age: 10, open: [], over: [job])
    }
    #expect(found("Gr??e.pdf", of: "kay", age: 9) == .unknown)
    #expect(found("Gr??e.pdf", of: nil, age: 15) == .unknown)
    #expect(found("Gr??e.pdf", of: "kay", age: 16) == .none)
    #expect(found("other.pdf", of: "anna", age: 3) == .none)
    #expect(found("other.pdf", of: nil, age: nil) == .none)
  }
}
