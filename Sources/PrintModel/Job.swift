/// job-state (RFC 8011 §5.3.7); the numbers are the enum's.
package enum JobState: Int, Sendable, CaseIterable {
  case pending = 3
  case held = 4
  case processing = 5
  case stopped = 6
  case canceled = 7
  case aborted = 8
  case completed = 9

  /// The keyword: the case's name, but for two.
  package var keyword: String {
    switch self {
    case .held: "pending-held"
    case .stopped: "processing-stopped"
    default: "\(self)"
    }
  }

  /// True if the state is final.
  package var isOver: Bool { rawValue >= JobState.canceled.rawValue }

  package init?(keyword: String) {
    guard let state = JobState.allCases.first(where: { $0.keyword == keyword }) else { return nil }
    self = state
  }
}

/// A printer's report of a job.
package struct JobStatus: Sendable, Equatable {
  package var id: Int
  package var name: String?
  package var user: String?
  package var state: JobState
  /// job-state-reasons, as stated.
  package var reasons: [String] = []
  /// job-state-message or job-printer-state-message: the printer's own message.
  package var message: String?
  package var impressions: Int?
  /// True if these are sheets: the printer counts no sides.
  package var countsSheets = false
  /// True if the printer's reports about this very job show that nothing of it was printed.
  ///
  /// A count of 0 does not: many printers count nothing, or only what they complete, or in steps.
  package var isUnprinted = false
  /// True if it states when it began to print the job (time-at-processing), false if it states that it did not.
  package var isStarted: Bool?
  /// job-uuid: distinguishes jobs with the same number, on a printer that restarted its count.
  package var uuid: String?
  /// time-at-creation, in seconds since the printer's start, which stays the same; nil if that was an earlier start.
  package var created: Int?
  /// Seconds since the printer received it.
  package var age: Int?
  /// Seconds since it ended.
  package var ended: Int?
  /// Time when it ended, by the printer's clock, in seconds since 1970 (RFC 8011 §5.3.14.8).
  package var completedAt: Int?
  /// number-of-intervening-jobs: those that come before it.
  package var jobsAhead: Int?
  /// Seconds until its end, as the printer estimates.
  package var secondsLeft: Int?

  /// The time until its end: `about 2 min`; nil if it is unknown.
  package var timeLeft: String? { secondsLeft.map { "about \(max(1, ($0 + 30) / 60)) min" } }

  /// What a job waits for that has not begun, and how long it takes: `3 jobs ahead, about 2 min`; nil if the printer
  /// states nothing of it.
  package var outlook: String? {
    guard state == .pending || state == .processing else { return nil }
    let ahead = jobsAhead.flatMap { $0 > 0 ? "\($0.counted("job")) ahead" : nil }
    let words = [ahead, timeLeft].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// True if the printer has begun with it.
  package var hasBegun: Bool {
    isStarted == true || [.processing, .stopped].contains(state)
      || reasons.contains("processing-to-stop-point")
  }

  /// True if the printer states that it has not begun with it; false also if it does not state when it did.
  package var isWaiting: Bool { !hasBegun && isStarted == false }

  /// True if it was created and waits for its document.
  package var isEmpty: Bool {
    (state == .held || state == .pending) && impressions ?? 0 == 0
      && reasons.contains { ["job-data-insufficient", "job-incoming"].contains($0) }
  }
}

/// A printer's report of its current status.
package struct PrinterStatus: Sendable, Equatable, Codable {
  package enum State: Int, Sendable, Codable {
    case idle = 3
    case processing = 4
    case stopped = 5

    /// The keyword, which is the case's name.
    package var keyword: String { "\(self)" }
  }

  package var state: State
  /// printer-state-reasons, as stated; `none` left out.
  package var reasons: [String]
  package var message: String?
  /// What it tells people in its own words, besides that: at most ten texts of 255 characters.
  package var messages: [String] = []
  package var isAcceptingJobs = true
  package var queuedJobs: Int?
  /// printer-state-change-time: when its state last changed, in seconds since its start.
  package var changed: Int?
  package var supplies: [Supply] = []
  /// True if some tray has paper; nil if the printer does not report that.
  package var hasPaper: Bool?
  /// Trays without paper; empty if the printer does not report them.
  package var emptyTrays: [EmptyTray] = []
  /// What the trays are set for, as titles to load; empty if it was not asked for.
  package var loaded: [String] = []

  /// When it stopped, in seconds since its start; nil if it is not stopped, or does not report that.
  package var stoppedSince: Int? { state == .stopped ? changed : nil }

  /// A tray without paper.
  package struct EmptyTray: Sendable, Hashable, Codable {
    /// Its keyword of media-source.
    package var source: String
    /// The paper that it is set for, as a title to load; nil if unknown.
    package var paper: String?
  }

  /// Ink, toner or another supply (marker-*).
  package struct Supply: Sendable, Equatable, Codable {
    package var name: String
    package var type: String
    /// Level in percent; nil if the printer does not report it.
    @Null package var level: Int? = nil
  }
}
