internal import PrintModel

/// The recovery of a job whose airprint is gone, as a state machine: it takes the printer's answers, returns actions,
/// and consists only of values.
///
/// `JournalEntry.settle` performs the actions.
///
/// A job that can't have been printed is printed if someone relies on it (`isKept`). An empty job at the printer is
/// canceled. A document is never sent again if any byte of it may have been sent.
struct JobRecovery {
  enum Event: Equatable {
    case canceled(CancelResult)
    case answered(JobAnswer)
    /// The job of a Print-Job without an answer; nil if the printer's lists do not show which it is.
    case found(JobIdentity?)
  }

  /// An action; the last one of several results in an event, or is the result.
  enum Action: Equatable {
    /// Records that an empty job may remain at the printer; nil: without a number.
    case noteOrphan(JobIdentity?)
    case find
    /// Records the job, which was found in the printer's lists.
    case adopt(JobIdentity)
    case cancel(JobIdentity)
    case ask(JobIdentity)
    /// Returns the job to the queue or to its initial state, without the printer's data.
    case begin(NothingPrinted, queued: Bool)
    case update(JobStatus)
    case end(JobOutcome)
    case finish(RecoveryResult)
  }

  private var record: JobRecord
  /// Checked again after every exchange with the printer.
  var isCancelRequested: Bool
  /// The status of a job with an incomplete document, before that was canceled.
  private var open: JobStatus?

  init(_ record: JobRecord, isCancelRequested: Bool) {
    self.record = record
    self.isCancelRequested = isCancelRequested
  }

  func begin() -> [Action] {
    switch record.phase {
    case .queued: [.finish(.unprinted)]
    case .ended: [.finish(.over)]
    case .accepted: unprinted()
    case .creating: [.noteOrphan(nil)] + unprinted()
    case .created: record.identity.map { [.cancel($0)] } ?? unprinted()
    case .sending, .delivered, .sent:
      record.identity.map { [.ask($0)] } ?? (record.search == nil ? cutOff(nil) : [.find])
    }
  }

  mutating func receive(_ event: Event) -> [Action] {
    switch (record.phase, event) {
    case (.created, .canceled(let cancelResult)):
      return (cancelResult.isSure ? [] : orphan()) + unprinted()
    case (_, .found(let job?)):
      record.identity = job
      return [.adopt(job), .ask(job)]
    case (_, .found(nil)): return cutOff(nil)
    case (.sending, .answered(.status(let status))):
      guard let job = record.identity, !status.state.isOver else { return cutOff(status) }
      open = status
      return [.cancel(job)]
    // The printer refused the document, or lost it: it gets no other one.
    case (.delivered, .answered(.status(let status))) where status.isEmpty:
      open = status
      return record.identity.map { [.cancel($0)] } ?? cutOff(nil)
    // If no byte of the document left, the printer has an empty job.
    case (.sending, .answered(.silence)): return orphan() + cutOff(nil)
    case (.sending, .canceled(.over(let status))), (.delivered, .canceled(.over(let status))):
      return cutOff(status)
    case (.sending, .canceled(let cancelResult)), (.delivered, .canceled(let cancelResult)):
      return (cancelResult.isSure ? [] : orphan()) + cutOff(open)
    case (_, .answered(.status(let status))):
      guard status.state.isOver else { return [.update(status), .finish(.underWay(status))] }
      return over(judged(status))
    case (.sent, .answered(.unknown)):
      return over(
        .forgotten(
          by: record.printer, job: record.jobId, sides: record.sides, printed: record.impressions))
    case (_, .answered(.unknown)): return cutOff(nil)
    case (_, .answered(.silence)), (_, .canceled): return [.finish(.underWay(nil))]
    }
  }

  /// Judges a job by the printer's report of its end, and by what the printer is known to have of the document.
  static func outcome(of record: JobRecord, _ end: JobStatus) -> JobOutcome {
    var recovery = JobRecovery(record, isCancelRequested: false)
    for case .end(let outcome) in recovery.receive(.answered(.status(end))) { return outcome }
    return JobOutcome(end, at: record.printer, sides: record.sides)
  }

  private func unprinted() -> [Action] {
    if let proof = NothingPrinted(record), record.isKept, !isCancelRequested {
      return [.begin(proof, queued: record.isForLater), .finish(.unprinted)]
    }
    var outcome = JobOutcome(
      exitCode: .canceled,
      message: isCancelRequested
        ? "The job was canceled." : "airprint was stopped before it sent the document.")
    outcome.nothingPrinted = NothingPrinted(record)
    return over(outcome)
  }

  private func orphan() -> [Action] { record.identity.map { [.noteOrphan($0)] } ?? [] }

  private func over(_ outcome: JobOutcome) -> [Action] {
    [.end(outcome.saidInFull), .finish(.over)]
  }

  /// Ends a job whose document may not have been complete; nil: one that can't be found at the printer.
  private func cutOff(_ status: JobStatus?) -> [Action] {
    let why =
      record.phase == .sending
      ? "airprint was stopped while it was sending the document." : unconfirmed
    return over(inDoubt(status, why))
  }

  private var unconfirmed: String {
    "airprint was stopped before \(record.printer) confirmed that it had the whole document."
  }

  /// Judges a job that has ended.
  ///
  /// If the printer did not confirm that it has the whole document, its count of sheets has to prove it.
  private func judged(_ status: JobStatus) -> JobOutcome {
    let outcome = JobOutcome(status, at: record.printer, sides: record.sides)
    guard record.phase == .delivered,
      outcome.exitCode == .success || record.identity?.isFound == true
    else { return outcome }
    let isWhole = record.sides.map { $0 > 0 && (status.impressions ?? 0) >= $0 } ?? false
    guard isWhole else { return inDoubt(status, unconfirmed) }
    guard record.identity?.isFound == true else { return outcome }
    var found = inDoubt(status, unconfirmed)
    found.exitCode = .forgotten
    return found
  }

  private func inDoubt(_ status: JobStatus?, _ why: String) -> JobOutcome {
    JobOutcome(
      exitCode: .inDoubt, jobId: record.jobId, state: status?.state, reasons: status?.reasons ?? [],
      impressions: status?.impressions,
      message: "\(why) It may have printed, in part or in full; it is not sent again.")
  }
}
