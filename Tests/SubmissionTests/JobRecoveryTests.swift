import IPP
@testable import PrintModel
import Testing

@testable import Submission

/// The recovery of a job whose airprint is gone, as tables of its phase and the printer's report.
@Suite struct JobRecoveryTests {
  private func actions(
    _ phase: JobRecord.Phase, _ events: [JobRecovery.Event] = [], isKept: Bool = false,
    isForLater: Bool = false, cancel: Bool = false, job: JobIdentity? = 7,
    isListed: Bool = false
  ) -> [[String]] {
    var record = JobRecord(
      name: "report", file: "report.pdf", printer: "Lab", uri: "ipp://127.0.0.1/", addresses: [],
      user: "me", created: 1)
    (record.phase, record.identity, record.isKept, record.isForLater) = (
      phase, job, isKept, isForLater
    )
    record.search = isListed ? JobSearch(name: "report", user: "me", before: []) : nil
    record.sides = 3
    var recovery = JobRecovery(record, isCancelRequested: cancel)
    return [recovery.begin().map(\.word)] + events.map { recovery.receive($0).map(\.word) }
  }

  /// Nothing of the document had been sent.
  @Test(arguments: [
    (JobRecord.Phase.queued, false, false, false, ["unprinted"]),
    (.ended, false, false, false, ["over"]),
    (.accepted, false, false, false, ["end 81", "over"]),
    (.accepted, true, false, false, ["begin", "unprinted"]),
    (.accepted, true, true, false, ["queue", "unprinted"]),
    (.accepted, true, true, true, ["end 81", "over"]),
    (.creating, true, false, false, ["orphan -", "begin", "unprinted"]),
    (.creating, false, false, false, ["orphan -", "end 81", "over"]),
    (.created, true, false, false, ["cancel 7"]),
  ])
  func `before the document`(
    _ phase: JobRecord.Phase, _ isKept: Bool, _ isForLater: Bool, _ cancel: Bool, _ words: [String]
  ) {
    #expect(actions(phase, isKept: isKept, isForLater: isForLater, cancel: cancel) == [words])
  }

  @Test func `an empty job is taken back, now or when the printer answers`() {
    for cancelResult in [.over(JobStatus(id: 7, state: .canceled)), .gone, .accepted]
      as [CancelResult]
    {
      #expect(
        actions(.created, [.canceled(cancelResult)], isKept: true).last == ["begin", "unprinted"])
    }
    for cancelResult in [.refused("no"), .silence("no answer")] as [CancelResult] {
      #expect(
        actions(.created, [.canceled(cancelResult)], isKept: true).last == [
          "orphan 7", "begin", "unprinted",
        ])
    }
  }

  /// The printer refused the document, and airprint was killed before it took the job back.
  @Test func `a job that still waits for its document gets none`() {
    var waiting = JobStatus(id: 7, state: .pending)
    waiting.reasons = ["job-data-insufficient"]
    let ended = JobStatus.unbegun(.canceled)
    #expect(
      actions(.delivered, [.answered(.status(waiting)), .canceled(.over(ended))], isKept: true) == [
        ["ask 7"], ["cancel 7"], ["end 74", "over"],
      ])
  }

  /// Parts of the document had been sent: nothing is sent again, even if the caller expects it.
  @Test(arguments: [
    (JobRecord.Phase.sending, JobAnswer.silence("no answer"), ["orphan 7", "end 74", "over"]),
    (.sending, .unknown(.notFound), ["end 74", "over"]),
    (.sending, .status(JobStatus(id: 7, state: .completed, impressions: 3)), ["end 74", "over"]),
    (.sending, .status(JobStatus(id: 7, state: .processing)), ["cancel 7"]),
    (.delivered, .silence("no answer"), ["under way -"]),
    (.delivered, .unknown(nil), ["end 74", "over"]),
    (
      .delivered, .status(JobStatus(id: 7, state: .processing)), ["update", "under way processing"]
    ),
    (.delivered, .status(JobStatus(id: 7, state: .completed, impressions: 2)), ["end 74", "over"]),
    (.delivered, .status(JobStatus(id: 7, state: .completed, impressions: 3)), ["end 0", "over"]),
    (.sent, .silence("no answer"), ["under way -"]),
    (.sent, .unknown(nil), ["end 82", "over"]),
    (.sent, .status(JobStatus(id: 7, state: .completed)), ["end 0", "over"]),
    (.sent, .status(JobStatus(id: 7, state: .aborted)), ["end 80", "over"]),
  ])
  func `after the first byte`(_ phase: JobRecord.Phase, _ answer: JobAnswer, _ words: [String]) {
    let all = actions(phase, [.answered(answer)], isKept: true)
    #expect(all == [["ask 7"], words])
  }

  /// Its number was lost with the answer to Print-Job.
  @Test(
    arguments: [
      // The printer lists it.
      (JobRecord.Phase.delivered, true, JobRecovery.Event.found(9), ["adopt 9", "ask 9"]),
      (.sending, true, .found(9), ["adopt 9", "ask 9"]),
      // It lists none that this can be, or its jobs were not listed before that.
      (.delivered, true, .found(nil), ["end 74", "over"]),
      (.sending, true, .found(nil), ["end 74", "over"]),
      (.delivered, true, .answered(.silence("no answer")), ["under way -"]),
      (.sending, true, .answered(.silence("no answer")), ["end 74", "over"]),
      (.delivered, false, nil, []),
      (.sending, false, nil, []),
    ] as [(JobRecord.Phase, Bool, JobRecovery.Event?, [String])])
  func `a job without a number`(
    _ phase: JobRecord.Phase, _ isListed: Bool, _ event: JobRecovery.Event?, _ words: [String]
  ) {
    let all = actions(phase, [event].compactMap { $0 }, isKept: true, job: nil, isListed: isListed)
    #expect(all == (event == nil ? [["end 74", "over"]] : [["find"], words]))
  }

  @Test func `a job that was found ends as the printer counts its pages`() {
    for (count, end) in [(3, "end 0"), (2, "end 74")] {
      let over = JobStatus(id: 9, state: .completed, impressions: count)
      let all = actions(
        .delivered, [.found(9), .answered(.status(over))], job: nil, isListed: true)
      #expect(all.last == [end, "over"])
    }
  }

  /// A printer that lost power in the middle of a job no longer lists it either.
  @Test(
    arguments: [
      (nil, 4, "it was probably printed."), (4, 4, "it was probably printed."),
      (1, nil, "it was probably printed."),
      (1, 4, "1 of 4 pages had been printed when it was last asked. Check the paper."),
      (0, 1, "0 of 1 page had been printed when it was last asked. Check the paper."),
    ] as [(Int?, Int?, String)])
  func `a job that its printer has forgotten`(
    _ printed: Int?, _ sides: Int?, _ cancelResult: String
  ) {
    let outcome = JobOutcome.forgotten(by: "Office", job: 7, sides: sides, printed: printed)
    #expect(outcome.exitCode == .forgotten && outcome.impressions == printed)
    #expect(
      outcome.message?.hasSuffix(" does not report what became of it; \(cancelResult)") == true)
  }

  @Test func `a document that was cut off is canceled, and in doubt all the same`() {
    let answer = JobRecovery.Event.answered(.status(JobStatus(id: 7, state: .processing)))
    let end = CancelResult.over(JobStatus.unbegun(.canceled))
    #expect(actions(.sending, [answer, .canceled(end)])[2] == ["end 74", "over"])
    #expect(actions(.sending, [answer, .canceled(.accepted)])[2] == ["end 74", "over"])
    // The printer may have no byte of it, and wait for one forever.
    #expect(
      actions(.sending, [answer, .canceled(.refused("no"))])[2] == ["orphan 7", "end 74", "over"])
  }
}

extension JobRecovery.Action {
  fileprivate var word: String {
    switch self {
    case .noteOrphan(let job): "orphan \(job.map { "\($0.number)" } ?? "-")"
    case .find: "find"
    case .adopt(let job): "adopt \(job.number)"
    case .cancel(let job): "cancel \(job.number)"
    case .ask(let job): "ask \(job.number)"
    case .begin(_, let queued): queued ? "queue" : "begin"
    case .update: "update"
    case .end(let outcome): "end \(outcome.exitCode.rawValue)"
    case .finish(.over): "over"
    case .finish(.unprinted): "unprinted"
    case .finish(.underWay(let status)): "under way \(status?.state.keyword ?? "-")"
    }
  }
}
