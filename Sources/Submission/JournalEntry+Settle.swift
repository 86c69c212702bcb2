package import IPP
package import PrintModel
package import System

/// Result of recovering a job whose airprint is gone.
package enum RecoveryResult: Sendable, Equatable {
  /// The job has ended, and its record contains the outcome.
  case over
  /// Nothing of it can have been printed, and its user relies on it: it has to be printed.
  case unprinted
  /// The printer has the job and continues; nil if the printer does not answer.
  case underWay(JobStatus?)
}

extension JournalEntry {
  /// Longest wait for a printer's first answer about a job without a process: there may be many.
  package static let settleTimeout = Duration.seconds(3)

  /// Determines what happened to a job that no process works on any more, and records it.
  ///
  /// A job that can't have been printed is recorded as such, and an empty job at the printer is canceled. The printer
  /// is asked about a document that it has; a document is never sent again if any byte of it may have been sent.
  ///
  /// `security` is that of the printer at the record's URI, which must present the same certificate as when it received
  /// the job. Exit 73 if the journal can't be written, 77 if it presents another one or requires a password.
  package func settle(
    security: Security, timeout: Duration = settleTimeout,
    _ cancellation: Cancellation = Cancellation()
  ) throws(Failure) -> RecoveryResult {
    try settle(cancellation) { () throws(IPPError) in
      try self.connect(security, timeout, cancellation)
    }
  }

  /// The same over a connection that `connect` makes, once it is needed; which throws if the printer can't be reached.
  package func settle(
    _ cancellation: Cancellation = Cancellation(),
    over connect: @escaping () throws(IPPError) -> any JobConnection
  ) throws(Failure) -> RecoveryResult {
    let line = LateConnection(connect)
    var recovery = JobRecovery(record, isCancelRequested: isCancelRequested)
    var actions = recovery.begin()[...]
    while let action = actions.popFirst() {
      switch action {
      case .noteOrphan(let job):
        try update { $0.orphans.append($0.orphan(job)) }
      case .find:
        let found = line.ask { (line) throws(IPPError) in
          try line.listedJobs(user: record.user).flatMap { record.search?.job(among: $0) }
        }
        actions += recovery.receive(found.map { .found($0) } ?? .answered(.silence("no answer")))
      case .adopt(let job): try update { $0.identity = job }
      case .cancel(let job):
        let canceled = line.ask { (line) throws(IPPError) in
          try line.cancel(job, user: record.user, cancellation)
        }
        var cancelResult = canceled ?? .silence("no answer")
        if case .over(let end) = cancelResult { cancelResult = .over(weighed(end, of: job, line)) }
        // A cancellation may have been requested during the exchange with the printer.
        recovery.isCancelRequested = isCancelRequested
        actions += recovery.receive(.canceled(cancelResult))
      case .ask(let job):
        let answer = line.ask { (line) throws(IPPError) in
          try line.answer(about: job, user: record.user)
        }
        var known = answer ?? .silence("no answer")
        if case .status(let status) = known { known = .status(weighed(status, of: job, line)) }
        actions += recovery.receive(.answered(known))
      case .begin(let proof, let isQueued):
        try update {
          $0.retract(proof)
          if isQueued { $0.phase = .queued }
        }
      case .update(let status): try update { $0.take(status) }
      case .end(let outcome): try endUnobserved(outcome)
      case .finish(let result):
        if result == .underWay(nil), let barrier = line.barrier {
          throw barrier.failure(at: record.printer)
        }
        return result
      }
    }
    throw Failure(.fault, "Job \(record.id) can't be settled.")
  }

  /// Records an end of which only the printer may have the time.
  private func endUnobserved(_ outcome: JobOutcome) throws(Failure) {
    let isSeenLate =
      [.sent, .delivered].contains(record.phase)
      && outcome.end(ofJobOf: record.created, now: WallClock.seconds) == nil
    try update {
      $0.end(outcome, isOver: true)
      if isSeenLate { $0.ended = nil }
    }
  }

  private func weighed(
    _ report: JobStatus, of job: JobIdentity, _ line: LateConnection
  ) -> JobStatus {
    record.weighed(report, of: job) {
      line.ask { (line) throws(IPPError) in try line.status(user: record.user) } ?? nil
    }
  }

  /// Records the job's end, as the printer reports it over `line`.
  ///
  /// Exit 73 if that can't be written.
  package func end(_ status: JobStatus, over line: any JobConnection) throws(Failure) {
    let end = record.identity.map {
      record.weighed(status, of: $0) { try? line.status(user: record.user) }
    }
    try update { $0.end(by: end ?? status) }
  }

  private func connect(
    _ security: Security, _ timeout: Duration, _ cancellation: Cancellation
  ) throws(IPPError) -> Connection {
    guard let uri = PrinterURI(record.uri) else { throw IPPError(.unresolved, "has no address") }
    var security = security
    security.pin = security.pin ?? record.certificate
    return try Connection(
      to: uri, at: record.addresses, security: security, timeout: timeout,
      cancellation: cancellation)
  }
}

extension JobRecord {
  /// Returns a report on this record's job with what is known besides it: the count does not fall, and nothing of it was
  /// printed if the printer counts none, and has been stopped since before it had the job, as `printer` reports.
  ///
  /// A printer that has started since puts a job back as if it had never begun: only a report that shows by the job's age
  /// that it has not is a proof.
  ///
  /// - `isAnswered`: the printer has answered the whole document. Printers have printed what they had of one that was cut
  ///   off, whatever ended its job, and what the network has of it they may not have read: then only a stop is a proof.
  ///   If nil, the record's phase tells.
  package func weighed(
    _ report: JobStatus, of job: JobIdentity, isAnswered: Bool? = nil,
    _ printer: () -> PrinterStatus?
  ) -> JobStatus {
    var status = report.counted(atLeast: impressions)
    guard status.state.isOver, !status.isSuccess, status.impressions ?? 0 == 0 else {
      return status
    }
    let isRead = isAnswered ?? ![.sending, .delivered].contains(phase)
    status.isUnprinted =
      job.isInTime(report) == true
      && (isRead && report.isUnprinted
        || status.impressions == 0 && stoppedSince.map { printer()?.stoppedSince == $0 } == true)
    return status
  }

  /// Returns true if the end of the job with this status proves that nothing of it was printed, if it is canceled now.
  package func canProveNothing(of status: JobStatus, over line: any JobConnection) -> Bool {
    guard let job = identity else { return false }
    var end = status
    (end.state, end.isUnprinted) = (.canceled, !job.hasBegun && status.isWaiting)
    end = weighed(end, of: job) { try? line.status(user: user) }
    return NothingPrinted(end) != nil
  }
}

/// A connection to a job's printer, made once it is needed.
private final class LateConnection {
  private let connect: () throws(IPPError) -> any JobConnection
  private var line: Result<any JobConnection, IPPError>?
  /// The reason why the printer can't be asked, if waiting can't change it.
  private(set) var barrier: IPPError?

  init(_ connect: @escaping () throws(IPPError) -> any JobConnection) { self.connect = connect }

  /// Returns nil if the printer does not answer.
  func ask<Answer>(_ ask: (any JobConnection) throws(IPPError) -> Answer) -> Answer? {
    let open = line ?? Result { () throws(IPPError) in try connect() }
    line = open
    do { return try ask(try open.get()) } catch {
      if error.needsPerson { barrier = error }
      return nil
    }
  }
}
