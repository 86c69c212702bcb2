internal import PrintModel

/// True when a job has gone forward.
///
/// A printer that can't decide between two reasons does not, nor does one that makes up new ones
/// for ever: what counts as news is bounded, so that `--timeout` ends every wait.
struct JobProgress {
  /// More impressions than this are no progress: twice what is printed, for backs that are left blank,
  /// and some sheets of the printer's own.
  private let mostImpressions: Int
  private var states: Set<JobState> = []
  private var reasons: Set<String> = []
  private var impressions = -1

  /// RFC 8011 and PWG 5100.13 register 60 job-state-reasons.
  private static let mostReasons = 100

  /// `sides` are the sheet sides of the document, with all copies.
  init(sides: Int) { mostImpressions = 2 * sides + 20 }

  mutating func isNews(_ status: JobStatus) -> Bool {
    let isNewState = states.insert(status.state).inserted
    let count = min(status.impressions ?? 0, mostImpressions)
    let isNewReason =
      reasons.count < JobProgress.mostReasons && !reasons.isSuperset(of: status.reasons)
    if isNewReason { reasons.formUnion(status.reasons) }
    defer { impressions = max(impressions, count) }
    // After a sheet it may run out of paper once more.
    if count > impressions { states = [status.state] }
    return isNewState || isNewReason || count > impressions
  }
}
