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
  package static let settlePatience = Duration.seconds(3)

  /// Determines what happened to a job that no process works on any more, and records it.
  ///
  /// A job that can't have been printed is recorded as such, and an empty job at the printer is canceled. The printer
  /// is asked about a document that it has; a document is never sent again if any byte of it may have been sent.
  ///
  /// `security` is that of the printer at the record's URI, which must present the same certificate as when it received
  /// the job. Exit 73 if the journal can't be written.
  package func settle(
    security: Security, patience: Duration = settlePatience,
    _ cancellation: Cancellation = Cancellation()
  ) throws(Failure) -> RecoveryResult {
    try settle(cancellation) { connect(security, patience, cancellation) }
  }

  /// The same over a connection that `connect` makes, once it is needed; nil if the printer can't be reached.
  package func settle(
    _ cancellation: Cancellation = Cancellation(), over connect: () -> (any JobConnection)?
  ) throws(Failure) -> RecoveryResult {
    var line: (any JobConnection)??
    func open() -> (any JobConnection)? {
      let open = line ?? connect()
      line = .some(open)
      return open
    }
    var recovery = JobRecovery(record, isCancelRequested: isCancelRequested)
    var actions = recovery.begin()[...]
    while let action = actions.popFirst() {
      switch action {
      case .noteOrphan(let job):
        try update { $0.orphans.append($0.orphan(job)) }
      case .find: actions += recovery.receive(find(over: open()))
      case .adopt(let job): try update { $0.identity = job }
      case .cancel(let job):
        let fate =
          (try? open()?.cancel(job, user: record.user, cancellation)) ?? .silence("no answer")
        // A cancellation may have been requested during the exchange with the printer.
        recovery.isCancelRequested = isCancelRequested
        actions += recovery.receive(.canceled(fate))
      case .ask(let job): actions += recovery.receive(.answered(ask(about: job, over: open())))
      case .begin(let proof, let isQueued):
        try update {
          $0.retract(proof)
          if isQueued { $0.phase = .queued }
        }
      case .update(let status): try update { $0.take(status) }
      case .end(let outcome):
        // It ended unobserved; only its printer has the time.
        let isSeenLate =
          [.sent, .delivered].contains(record.phase)
          && outcome.end(ofJobOf: record.created, now: WallClock.seconds) == nil
        try update {
          $0.end(outcome, isOver: true)
          if isSeenLate { $0.ended = nil }
        }
      case .finish(let result): return result
      }
    }
    throw Failure(.fault, "Job \(record.id) can't be settled.")
  }

  private func ask(about job: JobIdentity, over line: (any JobConnection)?) -> JobAnswer {
    (try? line?.answer(about: job, user: record.user)) ?? .silence("no answer")
  }

  private func find(over line: (any JobConnection)?) -> JobRecovery.Event {
    guard let line else { return .answered(.silence("no answer")) }
    do {
      return .found(
        try line.listedJobs(user: record.user).flatMap { record.search?.job(among: $0) })
    } catch {
      return .answered(.silence(error.message))
    }
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
}
