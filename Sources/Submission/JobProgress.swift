internal import PrintModel

/// The progress of a job.
///
/// A printer that alternates between two reasons makes none, and neither does one that invents new ones endlessly: the
/// number of events that count as news is bounded, so that `--timeout` ends every wait.
struct JobProgress {
  /// Most impressions that count as progress: twice those that are printed, for blank backs, and some sheets of the
  /// printer's own.
  private let mostImpressions: Int
  private var states: Set<JobState> = []
  private var reasons: Set<String> = []
  private var impressions = -1

  /// Most reasons that count; RFC 8011 and PWG 5100.13 register 60 job-state-reasons.
  private static let mostReasons = 100

  /// `sides` is the number of sheet sides of the document, with all copies.
  init(sides: Int) { mostImpressions = 2 * sides + 20 }

  mutating func isNews(_ status: JobStatus) -> Bool {
    let isNewState = states.insert(status.state).inserted
    let count = min(status.impressions ?? 0, mostImpressions)
    let isNewReason =
      reasons.count < JobProgress.mostReasons && !reasons.isSuperset(of: status.reasons)
    if isNewReason { reasons.formUnion(status.reasons) }
    defer { impressions = max(impressions, count) }
    // After a sheet, it may run out of paper again.
    if count > impressions { states = [status.state] }
    return isNewState || isNewReason || count > impressions
  }
}
