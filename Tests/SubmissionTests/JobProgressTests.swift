@testable import PrintModel
import Testing

@testable import Submission

/// Progress as `--timeout` measures it: a job that moves forward, and one that only seems to.
@Suite struct JobProgressTests {
  private func status(_ state: JobState, _ reason: String = "none", _ count: Int? = nil)
    -> JobStatus
  {
    JobStatus(id: 1, state: state, reasons: [reason], impressions: count)
  }

  @Test func `a state, a reason and a page are news once`() {
    var progress = JobProgress(sides: 3)
    let answers: [(JobStatus, Bool)] = [
      (status(.pending), true), (status(.pending), false), (status(.processing), true),
      (status(.pending), false), (status(.processing, "media-empty"), true),
      (status(.processing, "none"), false), (status(.processing, "none", 1), true),
      // After another page, it may stop again.
      (status(.stopped, "media-empty", 1), true), (status(.stopped, "media-empty", 1), false),
    ]
    for (status, isNews) in answers {
      let judged = progress.isNews(status)
      #expect(judged == isNews, "\(status)")
    }
  }

  @Test func `nothing is news for ever`() {
    var progress = JobProgress(sides: 3)
    let states = JobState.allCases.filter { !$0.isOver }
    let news = (0..<100_000).filter { index in
      progress.isNews(status(states[index % 4], "reason-\(index)", index))
    }
    #expect(news.count < 300)
    #expect(news.last ?? 0 < 1_000)
  }
}

@Suite struct LowSupplyTests {
  @Test(arguments: [
    ("toner-low", "Low on black toner; printing continues"),
    ("marker-supply-low", "Low on drum ink; printing continues"),
  ])
  func `what is low is of the kind that the printer means`(_ reason: String, _ warning: String) {
    let status = PrinterStatus(
      state: .idle, reasons: [reason],
      supplies: [
        .init(name: "Drum", type: "opc", level: 10),
        .init(name: "Black Toner", type: "toner", level: 20),
      ])
    let reasons = JobStateReasons(ticket: JobSubmission.test().ticket, printer: status)
    #expect(reasons.warnings == [warning])
  }
}

@Suite struct EmptyTrayTests {
  /// Another tray than the job's may be empty.
  @Test(arguments: [
    ([], "The main tray is out of paper", true), (["main"], "The main tray is out of paper", true),
    (["alternate"], "The alternate tray is out of paper", false),
  ])
  func `the tray that is out of paper is the one that the printer reports`(
    _ empty: [String], _ words: String, _ isOwn: Bool
  ) {
    var ticket = JobSubmission.test().ticket
    ticket.paper.source = "main"
    let load = ": load \(ticket.paper.titleToLoad)"
    var status = PrinterStatus(state: .stopped, reasons: ["media-empty-error"])
    status.emptyTrays = empty.map { .init(source: $0) }
    #expect(
      JobStateReasons(ticket: ticket, printer: status).troubles.map(\.words)
        == [words + (isOwn ? load : "")])
  }
}
