import IPP
import PrintModel
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

  @Test(arguments: [
    (CancelResult.canceled, Int?.none, ["count"], ["canceled"]),
    (.canceled, 2, ["count"], ["canceled, 2 out"]),
    (.unknown, nil, ["not canceled"], []),
    (.over(JobStatus(id: 7, state: .completed)), nil, ["end completed"], []),
  ])
  func `a job that is taken back`(
    _ result: CancelResult, _ count: Int?, _ first: [String], _ second: [String]
  ) {
    let late = answer(.stopped, late: true)
    let all = actions([late, late, .canceled(result)] + (second.isEmpty ? [] : [.counted(count)]))
    #expect(all[2] == first)
    if !second.isEmpty { #expect(all[3] == second) }
  }

  @Test func `airprint cancel is handed on until the printer has taken it`() {
    let asked = answer(.processing, cancel: true)
    #expect(
      actions([asked, .canceled(.unknown), asked, .canceled(.canceled), asked, answer(.canceled)])
        == [
          ["restart", "tell", "cancel"], ["wait"], ["tell", "cancel"], ["wait"], ["tell", "wait"],
          ["end canceled"],
        ])
  }

  @Test(arguments: [
    (
      GivenUpJob.Outcome.left, Int?.none, false,
      "The job was left at the printer and may still print."
    ),
    (.partlyPrinted, 1, false, "Part of the job is printed; the rest was left at the printer."),
    (.canceled, 0, false, "The job was canceled; nothing was printed."),
    (
      .canceled, nil, false,
      "The job was canceled; the printer does not report whether a page of it was printed."
    ),
    (.canceled, nil, true, "The job was canceled."),
    (.canceled, 1, false, "The job was canceled; part of it is printed."),
    (.notCanceled, nil, false, "The job could not be canceled and may still print."),
  ])
  func `what is said of the paper`(
    _ end: GivenUpJob.Outcome, _ impressions: Int?, _ isInDoubt: Bool, _ words: String
  ) {
    let error = GivenUpJob(outcome: end, last: nil, impressions: impressions).ending(
      of: .test(), job: 7, isInDoubt: isInDoubt, ["the paper is out"], nil)
    #expect(error.outcome.exitCode == .notNow)
    #expect(error.outcome.message == "No progress on Lab for 60 s (the paper is out). \(words)")
    #expect(error.outcome.state == (end == .canceled ? .canceled : nil))
  }

  /// A job that was held is not there any more when it was canceled.
  @Test(arguments: [GivenUpJob.Outcome.canceled, .left])
  func `only a job that is left can be released`(_ outcome: GivenUpJob.Outcome) {
    let error = GivenUpJob(outcome: outcome, last: nil, impressions: 0).ending(
      of: .test(), job: 7, isInDoubt: false,
      ["\"a\" is held: \(releaseAdvice)k7q2m"], nil)
    let words = error.outcome.message ?? ""
    #expect(words.contains("\"a\" is held"), "\(words)")
    #expect(words.contains("airprint release") == (outcome == .left), "\(words)")
  }

  /// The queue sends a job again only if none of it was printed.
  @Test(arguments: [
    (JobState.pending, Int?.none, Int?.some(0), JobRecord.Phase.queued),
    (.held, nil, 0, .queued), (.processing, nil, nil, .ended), (.stopped, nil, nil, .ended),
    (.stopped, 0, 0, .queued), (.stopped, 1, 1, .ended),
  ])
  func `a canceled job that may have a page is not sent again`(
    _ last: JobState, _ counted: Int?, _ impressions: Int?, _ phase: JobRecord.Phase
  ) {
    let end = GivenUpJob(
      outcome: .canceled, last: JobStatus(id: 7, state: last), impressions: counted
    ).ending(of: .test(), job: 7, isInDoubt: false, [], nil)
    #expect(end.outcome.impressions == impressions)
    var record = JobRecord(
      name: "n", file: "f", printer: "Lab", uri: "ipp://lab/", addresses: [], user: "kay",
      created: 1)
    record.isForLater = true
    record.end(end.outcome, isOver: true)
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
    case .count: "count"
    case .wait: "wait"
    case .end(let status): "end \(status.state.keyword)"
    case .forget(let last): "forget \(last?.state.keyword ?? "-")"
    case .giveUp(let job):
      switch job.outcome {
      case .partlyPrinted: "leave partly"
      case .left: "leave"
      case .canceled: "canceled" + (job.impressions.map { ", \($0) out" } ?? "")
      case .notCanceled: "not canceled"
      }
    }
  }
}
