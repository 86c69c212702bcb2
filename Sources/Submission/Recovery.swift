package import IPP
package import PrintModel
package import System

/// Decides what is to be done with a job whose airprint is gone.
package enum RecoveryResult: Sendable, Equatable {
  /// It is over, and its record says how.
  case over
  /// Nothing of it can have printed, and somebody relies on it: it is to be printed.
  case unprinted
  /// The printer has it and goes on; nil when the printer does not answer.
  case underWay(JobStatus?)
}

extension JournalEntry {
  /// Finds out what became of a job that nobody works on any more, and writes it down: what can't
  /// have printed is said to be so, an empty job at the printer is canceled, the printer is asked about
  /// a document that it has, and of a document of which a byte may have left nothing is sent again.
  ///
  /// `security` is that of the printer at the record's URI, which has to show what it showed when it got
  /// the job.
  package func settle(
    security: Security, patience: Duration = .seconds(3),
    _ cancellation: Cancellation = Cancellation()
  ) throws(Failure) -> RecoveryResult {
    switch record.phase {
    case .queued, .ended: return record.phase == .ended ? .over : .unprinted
    case .accepted: return try unprinted()
    case .creating:
      let orphan = orphan(nil)
      try update { $0.orphans.append(orphan) }
      return try unprinted()
    case .created:
      try takeBack(security, patience, cancellation)
      return try unprinted()
    case .sending, .delivered, .sent:
      return try settleSent(security, patience, cancellation)
    }
  }

  private func unprinted() throws(Failure) -> RecoveryResult {
    if isCancelRequested {
      try end(
        JobOutcome(exitCode: .canceled, message: "The job was canceled; nothing was printed."))
      return .over
    }
    if record.isKept {
      try update {
        $0.phase = $0.isForLater ? .queued : .accepted
        $0.jobId = nil
        $0.uuid = nil
      }
      return .unprinted
    }
    try end(
      JobOutcome(
        exitCode: .canceled,
        message: "airprint was stopped before it sent the document; nothing was printed."))
    return .over
  }

  private func end(_ outcome: JobOutcome) throws(Failure) {
    try update { $0.end(outcome, isOver: true) }
  }

  private func orphan(_ job: Int?) -> JobRecord.Orphan {
    JobRecord.Orphan(
      name: record.name, user: record.user, printer: record.printer, uri: record.uri,
      addresses: record.addresses, jobId: job, since: record.created,
      printerUUID: record.printerUUID, certificate: record.certificate)
  }

  /// Cancels the empty job, now or when the printer answers.
  private func takeBack(
    _ security: Security, _ patience: Duration, _ cancellation: Cancellation
  ) throws(Failure) {
    guard let job = record.jobId else { return }
    if let line = connect(security, patience, cancellation),
      (try? line.exchange(.cancelJob(job, at: line.uri, user: record.user))) != nil
    {
      return
    }
    let orphan = orphan(job)
    try update { $0.orphans.append(orphan) }
  }

  private func connect(
    _ security: Security, _ patience: Duration, _ cancellation: Cancellation
  ) -> Connection? {
    guard let uri = PrinterURI(record.uri) else { return nil }
    var security = security
    security.pin = security.pin ?? record.certificate
    return try? Connection(
      to: uri, at: record.addresses, security: security, patience: patience,
      cancellation: cancellation)
  }

  private func settleSent(
    _ security: Security, _ patience: Duration, _ cancellation: Cancellation
  ) throws(Failure) -> RecoveryResult {
    let line = connect(security, patience, cancellation)
    var status: JobStatus?
    var isUnknown = false
    if let line, let job = record.jobId,
      let response = try? line.exchange(
        .getJobAttributes(job, at: line.uri, user: record.user))
    {
      status = response.status.isSuccess ? response.job(job) : nil
      // A number of another job is no answer about this one.
      if let uuid = record.uuid, let theirs = status?.uuid, uuid != theirs { status = nil }
      isUnknown = status == nil && !response.status.mayPass
    }
    if record.phase == .sending {
      if let line, let job = record.jobId, let open = status, !open.state.isOver {
        let answer = try? line.exchange(.cancelJob(job, at: line.uri, user: record.user))
        if answer?.status.isSuccess == true { status?.state = .canceled }
      }
      try end(inDoubt(status, "airprint was stopped while it was sending the document."))
      return .over
    }
    if let status, status.state.isOver {
      try end(judged(status))
      return .over
    }
    if isUnknown {
      try end(
        record.phase == .sent
          ? .forgotten(by: record.printer, job: record.jobId)
          : inDoubt(nil, "airprint was ended before \(record.printer) had confirmed the document."))
      return .over
    }
    if let status {
      try update {
        $0.state = status.state.keyword
        $0.reasons = status.reasons
        $0.impressions = status.impressions
        $0.message = status.message
      }
    }
    return .underWay(status)
  }

  /// A job that is over. Where the printer did not say that it has the whole document, its count of
  /// sheets has to say so.
  private func judged(_ status: JobStatus) -> JobOutcome {
    let outcome = JobOutcome(status, at: record.printer)
    guard record.phase == .delivered, outcome.exitCode == .success else { return outcome }
    let isWhole = record.sides.map { $0 > 0 && (status.impressions ?? 0) >= $0 } ?? false
    return isWhole
      ? outcome
      : inDoubt(
        status, "airprint was ended before \(record.printer) had confirmed the document.")
  }

  private func inDoubt(_ status: JobStatus?, _ why: String) -> JobOutcome {
    JobOutcome(
      exitCode: .inDoubt, jobId: record.jobId, state: status?.state, reasons: status?.reasons ?? [],
      impressions: status?.impressions,
      message: "\(why) It may have printed, in part or as a whole; it is not sent again.")
  }
}

extension JobOutcome {
  /// 82.
  package static func forgotten(
    by printer: String, job: Int?, last: JobStatus? = nil
  ) -> JobOutcome {
    JobOutcome(
      exitCode: .forgotten, jobId: job, state: last?.state, reasons: last?.reasons ?? [],
      impressions: last?.impressions,
      message: "\(printer) took the whole document, but does not know the job any more; it has "
        + "probably printed.")
  }
}
