extension JobStatus {
  /// Attributes requested about a job; none that a small printer would have to look up.
  package static let attributes = [
    "job-id", "job-name", "job-originating-user-name", "job-state", "job-state-reasons",
    "job-state-message", "job-printer-state-message", "job-impressions-completed",
    "job-media-sheets-completed", "job-uuid", "time-at-creation", "time-at-processing",
    "time-at-completed", "date-time-at-completed", "job-printer-up-time",
    "number-of-intervening-jobs", "time-at-completed-estimated", "date-time-at-creation",
    "date-time-at-completed-estimated",
  ]

  /// Reads a job's attributes; nil without a number or a state, which every job has.
  package init?(reading attributes: AttributeSet) {
    guard let id = attributes.number("job-id"),
      let state = attributes.number("job-state").flatMap(JobState.init(rawValue:))
    else { return nil }
    let words = ["job-state-message", "job-printer-state-message"]
      .compactMap { attributes.words($0) }.first
    // A negative count is invalid. Some count only one of the two, and report 0 of the other.
    func count(_ name: String) -> Int? { attributes.number(name).flatMap { $0 >= 0 ? $0 : nil } }
    let (sides, sheets) = (count("job-impressions-completed"), count("job-media-sheets-completed"))
    self.init(
      id: id, state: state, reasons: attributes.reasons("job-state-reasons"), message: words,
      impressions: [sides, sheets].lazy.compactMap { $0 }.first { $0 > 0 } ?? sides ?? sheets)
    countsSheets = sides ?? 0 == 0 && sheets ?? 0 > 0
    name = attributes.string("job-name")
    user = attributes.string("job-originating-user-name")
    uuid = attributes.string("job-uuid")
    created = attributes.number("time-at-creation").flatMap { $0 > 0 ? $0 : nil }
    isStarted = attributes["time-at-processing"]?.values.first.flatMap(JobStatus.isReached)
    (age, ended) = (
      attributes.seconds(since: "time-at-creation"), attributes.seconds(since: "time-at-completed")
    )
    jobsAhead = attributes.number("number-of-intervening-jobs").flatMap {
      0..<10_000 ~= $0 ? $0 : nil
    }
    completedAt = attributes.date("completed")
    // Both by the printer's clock alone, which may be wrong (PWG 5100.3-2023); at most a day.
    let estimates = [
      (attributes.number("time-at-completed-estimated"), attributes.number("job-printer-up-time")),
      (
        attributes.date("completed-estimated"),
        attributes.date("creation").flatMap { then in age.map { then + $0 } }
      ),
    ]
    secondsLeft =
      estimates.lazy.compactMap { end, now in
        guard let end, let now, now > 0, (1...86_400) ~= end &- now else { return nil }
        return end - now
      }.first
  }

  /// Returns true for a time that has come, false for none yet (no-value): 0 or less is unknown (RFC 8011 §5.3.14).
  private static func isReached(_ time: Attribute.Value) -> Bool? {
    time == .none ? false : time.number ?? 0 > 0 ? true : nil
  }

  /// True if it is completed, without a reason that contradicts that: a printer that could not read the document may
  /// still report the job as completed (cups#1703).
  package var isSuccess: Bool {
    state == .completed && trouble.isEmpty
  }

  /// The reasons that contradict success.
  package var trouble: [String] { reasons.filter { StateReason($0).objection != nil } }
}

extension AttributeSet {
  /// Returns the keywords of job-state-reasons or printer-state-reasons without `none`.
  ///
  /// They are kept: at most 100 (some 60 are registered) of at most 255 bytes, as keywords are (RFC 8011 §5.1.4).
  func reasons(_ name: String) -> [String] {
    Array(strings(name).lazy.filter { $0 != "none" && $0.utf8.count <= 255 }.prefix(100))
  }

  /// Returns the beginning of a message; nil if it is empty.
  func words(_ name: String) -> String? {
    // Of a text, at most 1023 bytes are valid (RFC 8011 §5.1.2).
    string(name).flatMap { $0.isEmpty ? nil : String($0.prefix(1023)) }
  }
}

extension AttributeSet {
  /// Returns a time's age; both times count from the printer's start (RFC 8011 §5.3.14), and must not be in the future, nor
  /// 0 or less: that is before the start, or unknown.
  fileprivate func seconds(since moment: String) -> Int? {
    guard let now = number("job-printer-up-time"), let then = number(moment), then > 0, then <= now
    else { return nil }
    return now - then
  }

  /// Returns a date-time-at-… in seconds since 1970.
  fileprivate func date(_ moment: String) -> Int? {
    guard case .dateTime(let octets)? = values("date-time-at-\(moment)").first else { return nil }
    return UTCTime.seconds(of: octets)
  }
}
