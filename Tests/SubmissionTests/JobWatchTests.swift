import IPP
@testable import PrintModel
import Synchronization
import System
import Testing

@testable import Submission

/// A job at its printer, as tables of the printer's reports and the actions.
@Suite struct JobWatchTests {
  private func answer(
    _ state: JobState, _ impressions: Int? = nil, late: Bool = false, cancel: Bool = false
  ) -> JobWatch.Event {
    .answered(
      .status(JobStatus(id: 7, state: state, impressions: impressions)), isLate: late,
      isCancelRequested: cancel)
  }

  private func actions(
    _ events: [JobWatch.Event], leaves: Bool? = nil, hold: String = "no-hold"
  ) -> [[String]] {
    var submission = JobSubmission.test()
    submission.handling.leavesOnTimeout = leaves
    submission.ticket.attributes.append(Attribute("job-hold-until", .keyword(hold)))
    var watch = JobWatch(submission)
    return events.map { watch.receive($0).map(\.word) }
  }

  @Test func `it is asked more and more rarely, and sooner when something went forward`() {
    var watch = JobWatch(.test())
    var pauses: [Duration] = []
    for round in 0..<15 {
      let state: JobState = round < 13 ? .pending : .processing
      for case .wait(let pause) in watch.receive(answer(state)) { pauses.append(pause) }
    }
    #expect(pauses[0] == .milliseconds(10) && pauses[1] == .milliseconds(16))
    #expect(pauses[12] == .seconds(1))
    #expect(pauses[13] == .milliseconds(250) && pauses[14] == .milliseconds(400))
  }

  @Test func `to its end`() {
    #expect(
      actions([answer(.pending), answer(.pending), answer(.processing, 1), answer(.completed, 3)])
        == [
          ["restart", "tell", "wait"], ["tell", "wait"], ["restart", "tell", "wait"],
          ["end completed"],
        ])
    #expect(
      actions([
        answer(.processing),
        .answered(.unknown(.notFound), isLate: false, isCancelRequested: false),
      ])
      .last == ["forget processing"])
  }

  /// The timeout only applies without progress, and printed sheets are never denied.
  @Test func `the time is over`() {
    let late = answer(.stopped, late: true)
    #expect(actions([late])[0] == ["restart", "tell", "wait"])
    #expect(actions([late, late])[1] == ["tell", "cancel"])
    #expect(actions([late, late], leaves: true)[1] == ["tell", "leave"])
    #expect(
      actions([answer(.stopped, 1), answer(.stopped, 1, late: true)])[1] == [
        "tell", "leave partly",
      ])
    let silent = JobWatch.Event.answered(
      .silence("no answer"), isLate: true, isCancelRequested: false)
    #expect(actions([silent])[0] == ["silence", "cancel"])
  }

  @Test func `the time is over for a job that is held: left only if it was to be held`() {
    let late = [answer(.held), answer(.held, late: true)]
    #expect(actions(late)[1] == ["tell", "cancel"])
    #expect(actions(late, hold: "indefinite")[1] == ["tell", "leave"])
    #expect(actions(late, leaves: false, hold: "indefinite")[1] == ["tell", "cancel"])
    let released = [answer(.held), answer(.stopped), answer(.stopped, late: true)]
    #expect(actions(released, hold: "indefinite")[2] == ["tell", "cancel"])
  }

  private static func end(_ state: JobState, _ impressions: Int? = nil) -> CancelResult {
    .over(JobStatus(id: 7, state: state, impressions: impressions))
  }

  @Test(arguments: [
    (end(.canceled), ["canceled"]), (end(.canceled, 2), ["canceled, 2 out"]),
    // It ended at the last moment.
    (end(.completed), ["end completed"]), (end(.aborted), ["end aborted"]),
    (.accepted, ["canceling"]), (.refused("no"), ["not canceled"]),
    (.silence("no answer"), ["not canceled"]), (.gone, ["forget processing-stopped"]),
  ])
  func `a job that is taken back`(_ result: CancelResult, _ words: [String]) {
    let late = answer(.stopped, late: true)
    #expect(actions([late, late, .canceled(result)])[2] == words)
  }

  @Test func `airprint cancel is handed on until the printer has taken it`() {
    let asked = answer(.processing, cancel: true)
    let late = answer(.processing, late: true, cancel: true)
    let begun: [JobWatch.Event] = [asked, .canceled(.silence("no answer")), asked]
    #expect(
      actions(begun + [.canceled(.accepted), asked, answer(.canceled)])
        == [
          ["restart", "tell", "cancel"], ["wait"], ["tell", "cancel"], ["wait"], ["tell", "wait"],
          ["end canceled"],
        ])
    #expect(actions(begun + [.canceled(Self.end(.completed))]).last == ["end completed"])
    #expect(actions(begun + [.canceled(.accepted), late]).last == ["tell", "canceling"])
  }

  @Test(arguments: [
    (
      GivenUpJob.Cause.left, false, "The job was left at the printer and may still print."
    ),
    (
      .partlyPrinted, false,
      "Part of the job is printed; the rest was left at the printer."
    ),
    (.canceled(JobStatus.unbegun(.canceled)), false, "The job was canceled."),
    (
      .canceled(JobStatus(id: 7, state: .canceled)), false,
      "The job was canceled; the printer does not report whether a page of it was printed."
    ),
    (.canceled(JobStatus(id: 7, state: .canceled)), true, "The job was canceled."),
    (
      .canceled(JobStatus(id: 7, state: .canceled, impressions: 1)), false,
      "The job was canceled; 1 page of it came out."
    ),
    (
      .canceling, false,
      "The printer has not confirmed that the job is canceled: it was left there and may still print."
    ),
    (.notCanceled, false, "The job could not be canceled and may still print."),
  ])
  func `what is said of the paper`(
    _ cause: GivenUpJob.Cause, _ isInDoubt: Bool, _ words: String
  ) {
    let error = GivenUpJob(cause: cause, last: nil).ending(
      of: .test(), job: 7, isInDoubt: isInDoubt, [Trouble("the paper is out")], nil)
    #expect(error.outcome.exitCode == .notNow)
    #expect(error.outcome.message == "No progress on Lab for 60 s (the paper is out). \(words)")
    let isOver = if case .canceled = cause { true } else { false }
    #expect(error.outcome.state == (isOver ? .canceled : nil) && error.outcome.isLeft == !isOver)
  }

  /// A job that was held is not there any more when it was canceled.
  @Test(arguments: [
    (GivenUpJob.Cause.canceled(JobStatus(id: 7, state: .canceled)), false), (.canceling, false),
    (.left, true),
  ])
  func `only a job that is left can be released`(_ cause: GivenUpJob.Cause, _ isLeft: Bool) {
    let error = GivenUpJob(cause: cause, last: nil).ending(
      of: .test(), job: 7, isInDoubt: false,
      [Trouble("\"a\" is held", advice: "to let it print, run: airprint release k7q2m")], nil)
    let words = error.outcome.message ?? ""
    #expect(words.contains("\"a\" is held"), "\(words)")
    #expect(words.contains("airprint release") == isLeft, "\(words)")
  }

  /// The queue sends a job again only if the printer reports that none of it was printed: not by what it reported
  /// before the job was canceled, when it could still print.
  @Test(arguments: [
    (JobStatus.unbegun(.canceled), JobRecord.Phase.queued),
    (JobStatus(id: 7, state: .canceled), .ended),
    (JobStatus(id: 7, state: .canceled, impressions: 1), .ended),
  ])
  func `a canceled job that may have a page is not sent again`(
    _ end: JobStatus, _ phase: JobRecord.Phase
  ) {
    let error = GivenUpJob(
      cause: .canceled(end), last: JobStatus(id: 7, state: .pending, impressions: 0)
    ).ending(of: .test(), job: 7, isInDoubt: false, [], nil)
    #expect(error.outcome.impressions == end.impressions)
    var record = JobRecord(
      name: "n", file: "f", printer: "Lab", uri: "ipp://lab/", addresses: [], user: "kay",
      created: 1)
    record.isForLater = true
    record.end(error.outcome, isOver: true)
    #expect(record.phase == phase)
  }
}

extension JobWatch.Action {
  fileprivate var word: String {
    switch self {
    case .restartTimer: "restart"
    case .tell: "tell"
    case .tellSilence: "silence"
    case .cancel: "cancel"
    case .wait: "wait"
    case .end(let status): "end \(status.state.keyword)"
    case .forget(let last): "forget \(last?.state.keyword ?? "-")"
    case .giveUp(let job):
      switch job.cause {
      case .partlyPrinted: "leave partly"
      case .left: "leave"
      case .canceled(let status):
        "canceled" + (status.impressions.map { ", \($0) out" } ?? "")
      case .canceling: "canceling"
      case .notCanceled: "not canceled"
      }
    }
  }
}

@Suite struct ProgressTimerTests {
  @Test(
    arguments: [
      (9_000, Int?.some(250), true), (250, 250, false), (200, 200, false), (0, nil, false),
      (nil, 250, true),
    ] as [(Int?, Int?, Bool)])
  func `a wait ends at the limit`(_ limit: Int?, _ slept: Int?, _ goesOn: Bool) {
    let now = ContinuousClock.now
    let waited = Mutex(Duration?.none)
    let clock = WaitingClock(
      now: { now },
      sleep: { duration, _ in
        waited.withLock { $0 = duration }
        return true
      })
    var timer = ProgressTimer(limit.map { .milliseconds($0) }, clock)
    #expect(timer.wait(Cancellation()) { true } == goesOn)
    #expect(waited.withLock { $0 } == slept.map { .milliseconds($0) })
  }
}
