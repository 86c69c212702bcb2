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
    var line: Connection??
    func open() -> Connection? {
      let open = line ?? connect(security, patience, cancellation)
      line = .some(open)
      return open
    }
    var recovery = JobRecovery(record, isCancelRequested: isCancelRequested)
    var actions = recovery.begin()[...]
    while let action = actions.popFirst() {
      switch action {
      case .noteOrphan(let job):
        try update { $0.orphans.append($0.orphan(job)) }
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
      case .update(let status):
        try update {
          $0.state = status.state.keyword
          $0.reasons = status.reasons
          $0.impressions = status.impressions
          $0.message = status.message
        }
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

  private func ask(about job: Int?, over line: Connection?) -> JobAnswer {
    guard let line, let job, let answer = try? line.answer(about: job, user: record.user) else {
      return .silence("no answer")
    }
    // The number now belongs to another job, so this is no answer about this one.
    if case .status(let status) = answer, let uuid = record.uuid, let theirs = status.uuid,
      uuid != theirs
    {
      return .unknown(nil)
    }
    return answer
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

extension JobOutcome {
  /// Makes the outcome of a job that the printer has forgotten: exit 82.
  ///
  /// - `sides`: sheet sides of the whole job; nil if unknown.
  /// - `printed`: those printed when the printer was last asked, if it was before `last`.
  package static func forgotten(
    by printer: String, job: Int?, last: JobStatus? = nil, sides: Int?, printed: Int? = nil
  ) -> JobOutcome {
    let printed = last?.impressions ?? printed
    var fate = "it was probably printed."
    // It may have lost power in the middle.
    if let printed, let sides, printed < sides {
      let sum = "\(printed) of \(sides) \(sides == 1 ? "page" : "pages")"
      fate = "\(sum) had been printed when it was last asked. Check the paper."
    }
    return JobOutcome(
      exitCode: .forgotten, jobId: job, state: last?.state, reasons: last?.reasons ?? [],
      impressions: printed,
      message: "\(printer) received the whole document but no longer lists the job; \(fate)")
  }
}
