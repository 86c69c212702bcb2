internal import IPP
internal import PrintModel
internal import System

extension JobSubmitter {
  /// Follows the job until the printer reports that it has ended, and judges the outcome.
  ///
  /// Exit 75 when the time is over, 77 once the printer can't be asked any more.
  func watch(_ job: JobIdentity) throws(SubmitError) -> JobOutcome {
    var progressTimer = ProgressTimer(submission.handling.timeout, clock)
    var line: (any JobConnection)? = connection
    var watch = JobWatch(submission)
    func ask() throws(SubmitError) -> [JobWatch.Action] {
      let answer = try poll(job, over: &line)
      try throwBarrier(after: watch.last)
      return watch.receive(
        .answered(
          answer, isLate: progressTimer.isOver, isCancelRequested: entry.isCancelRequested))
    }
    var actions = try ask()[...]
    if case .end? = actions.first {} else { entry.finishUpdate() }
    while let action = actions.popFirst() {
      switch action {
      case .restartTimer: progressTimer.restart()
      case .tell(let status): tell(status, over: line)
      case .tellSilence(let why): tell([Trouble("No answer (\(why))")])
      case .cancel:
        let isKept =
          watch.phase == .takingBack && submission.handling.leavesOnTimeout == nil
          && entry.record.isForLater && isLost(job)
        actions += watch.receive(isKept ? .kept : .canceled(cancel(job)))
        try throwBarrier(after: watch.last)
      case .wait(let pause):
        guard clock.sleep(pause, cancellation) else {
          throw interrupted(job)
        }
        actions += try ask()
      case .end(let status):
        // Its reasons from the time of printing are outdated, too; this wait is short.
        line?.timeout = .seconds(1)
        if let known = printerStatus, known.state != .idle, let line,
          let now = try? self.status(over: line)
        {
          printerStatus = now
        }
        return ended(status)
      case .forget(let last):
        return .forgotten(
          by: submission.printer, job: job.number, last: last, sides: submission.sides)
      case .giveUp(let end):
        throw end.ending(of: submission, job: job, isInDoubt: isInDoubt, troubles, printerStatus)
      }
    }
    throw SubmitError(.fault, "The job's watch has no end.", job: job)
  }

  /// Returns the outcome of a job that is not waited for.
  ///
  /// The state of a job that should be held is requested once: some printers print it immediately (PAPPL, for raster).
  /// So is that of one that is only known by what was sent: later, it is told from others by what the printer calls it.
  func endWhenSent(_ job: JobIdentity) throws(SubmitError) -> JobOutcome {
    if let answered, answered.state.isOver, !answered.isSuccess {
      return JobOutcome(answered, at: submission.printer, sides: submission.sides)
    }
    // Its answer is often older than what the printer does with the job.
    let waits = [JobState.held, .stopped].first { $0 == answered?.state }
    let sent = JobOutcome(
      exitCode: .success, jobId: job.number,
      state: waits ?? (submission.isHeld ? .held : .processing), reasons: answered?.reasons ?? [])
    guard submission.isHeld || !known(job).isKnown else { return sent }
    var line: (any JobConnection)? = connection
    let timeout = submission.isHeld ? .seconds(10) : JobSubmitter.statusTimeout
    guard case .status(let status) = try poll(job, over: &line, timeout: timeout) else {
      // A job of the queue is left only to a printer that says that it holds it.
      return submission.handling.endsWhenSent ? sent : try watch(job)
    }
    guard submission.isHeld, status.state != .held else { return sent }
    report(.note("\(submission.printer) does not hold the job."))
    guard submission.handling.endsWhenSent else { return try watch(job) }
    return status.state.isOver
      ? JobOutcome(status, at: submission.printer, sides: submission.sides)
      : JobOutcome(exitCode: .success, jobId: job.number, state: status.state)
  }

  /// Ends the watch of a job about which the printer can't be asked any more.
  private func throwBarrier(after last: JobStatus?) throws(SubmitError) {
    guard let barrier else { return }
    var record = entry.record
    if let last { record.take(last) }
    throw SubmitError(record.standing(barredBy: barrier.failure(at: submission.printer)))
  }

  /// Ends the wait by a signal: the job is canceled, unless a closed terminal has ended this, or the queue's service that
  /// would lose it, because its end would not prove that nothing of it was printed.
  private func interrupted(_ job: JobIdentity) -> SubmitError {
    cancellation.endIfHungUp()
    let isOfService =
      FailureReason(signal: cancellation.signal).exitCode == .terminated && entry.record.isForLater
    guard isOfService, isLost(job) else {
      return submission.interrupted(cancellation, job: job, cancelResult: cancel(job))
    }
    var ending = SubmitError(
      .terminated, "Interrupted; the job was left at \(submission.printer) and may still print.",
      job: job)
    ending.outcome.isLeft = true
    return ending
  }

  /// True if nobody could tell what came out of the job if it is canceled now.
  private func isLost(_ job: JobIdentity) -> Bool {
    guard
      let line = try? another(timeout: JobSubmitter.statusTimeout, cancellation: .ofCleaning),
      case .status(let status)? = try? line.answer(about: known(job), user: submission.user)
    else { return true }
    return !status.state.isOver
      && !entry.record.canProveNothing(of: status, over: line)
  }

  /// Polls over `line`, or over a new connection if that broke: a printer may close an idle one.
  func poll(
    _ job: JobIdentity, over line: inout (any JobConnection)?, timeout: Duration = .seconds(10)
  ) throws(SubmitError) -> JobAnswer {
    let answer: JobAnswer
    barrier = nil
    do {
      let open =
        if let line { line } else {
          try another(timeout: JobSubmitter.pollTimeout, cancellation: cancellation)
        }
      line = open
      open.timeout = min(submission.handling.timeout ?? timeout, timeout)
      answer = try open.answer(
        about: known(job), user: submission.user, maker: open === connection ? maker : nil)
    } catch {
      if error.status == nil { line = nil }
      if case .interrupted = error.kind {
        throw interrupted(job)
      }
      if error.needsPerson { barrier = error }
      return .silence(error.message)
    }
    guard case .status(let report) = answer else { return answer }
    let status = weighed(report, of: job)
    // Of a job that has ended, the end is written, which follows immediately, unless it is not waited for.
    if !status.state.isOver || endsWhenSent,
      let known = known(job).learning(status)
    {
      try? record { $0.identity = known }
    }
    return .status(status)
  }

  /// Returns a report on the job with what is known besides it (`JobRecord.weighed`).
  func weighed(_ report: JobStatus, of job: JobIdentity) -> JobStatus {
    var status = report.counted(atLeast: entry.record.impressions)
    // The job's end, which follows, writes it.
    entry.keep { $0.note(status) }
    let isAnswered = isAnswered || !connection.hasSentDocument
    if status.isEmpty { status.isUnprinted = isAnswered }
    return entry.record.weighed(status, of: job, isAnswered: isAnswered) {
      try? self.status(over: nil)
    }
  }

  /// The identity with what the printer has reported since.
  func known(_ job: JobIdentity) -> JobIdentity {
    entry.record.identity.flatMap { $0.number == job.number ? $0 : nil } ?? job
  }

  /// Reports conditions that stop a running job, in words, with the printer's own reasons as well as the job's.
  private func tell(_ status: JobStatus, over line: (any JobConnection)?) {
    report(.printing(impressions: status.impressions, timeLeft: timeLeft(status)))
    // The time alone is no news.
    let isSame = outlook?.jobsAhead == status.jobsAhead
    outlook =
      status.state == .processing
      ? nil
      : status.outlook.map {
        (status.jobsAhead, isSame ? outlook?.words ?? $0 : $0)
      }
    var hold: [Trouble] = []
    if status.state == .held {
      let words = "\"\(submission.name)\" is held"
      if status.reasons.contains("job-hold-until-specified") {
        hold = [Trouble(words, advice: "to let it print, run: airprint release \(entry.record.id)")]
      } else {
        let why =
          status.reasons.contains("job-release-wait")
          ? releaseWords : status.reasons.compactMap { StateReason($0).words }.first
        hold = [Trouble(words + (why.map { ": \($0)" } ?? ""))]
      }
    }
    let last = outlook.map { [Trouble($0.words)] } ?? []
    reportPrinter(over: line, and: hold, before: last, job: status)
  }

  /// How long the job is still being printed, if that is more than a minute: as the printer estimates, else by its
  /// pages-per-minute.
  private func timeLeft(_ status: JobStatus) -> String? {
    guard status.state == .processing else { return nil }
    var status = status
    if status.secondsLeft == nil, let sides = submission.sides,
      let rate = submission.capabilities.attributes.number("pages-per-minute"), rate > 0
    {
      status.secondsLeft = max(0, sides - (status.impressions ?? 0)) * 60 / rate
    }
    return status.secondsLeft ?? 0 > 60 ? status.timeLeft : nil
  }

  /// What releases the job at the printer, by its job-release-action (PWG 5100.11-2024 §5.1.11).
  private var releaseWords: String? {
    let action = AttributeSet(submission.ticket.attributes).string("job-release-action")
    return switch action {
    case "button-press": StateReason("job-held-for-button-press").words
    case "job-password": StateReason("job-password-wait").words
    case "owner-authorized": "waiting for your badge or login at the printer"
    default: StateReason("job-release-wait").words
    }
  }

  /// Requests the printer's state and reports it.
  ///
  /// If the printer does not answer, only that message is lost.
  func reportPrinter(
    over connection: (any JobConnection)? = nil, and more: [Trouble] = [],
    before last: [Trouble] = [], job: JobStatus? = nil
  ) {
    guard let status = try? status(over: connection) else { return }
    printerStatus = status
    let words = JobStateReasons(ticket: submission.ticket, printer: status, job: job)
    for warning in words.warnings where notes.insert(warning).inserted {
      report(.aboutPrinter("\(submission.printer): \(warning)."))
    }
    tell(more + words.troubles + last)
  }

  /// Reports what delays the job, if that is new.
  func tell(_ troubles: [Trouble]) {
    guard troubles != self.troubles else { return }
    self.troubles = troubles
    // Without it, `jobs` asks the printer, which knows the tray at most.
    try? record(isFinal: false) { $0.trouble = troubles.first?.text }
    report(.waiting(troubles))
  }

  func status(over connection: (any JobConnection)?) throws(IPPError) -> PrinterStatus? {
    let second =
      if let connection { connection } else {
        try another(
          timeout: JobSubmitter.statusTimeout,
          cancellation: cancellation.isRaised ? .ofCleaning : cancellation)
      }
    return try second.status(user: submission.user)
  }
}

// MARK: - Endings

extension JobSubmitter {
  private func ended(_ status: JobStatus) -> JobOutcome {
    if status.isSuccess, status.isPart(of: submission.sides) {
      report(.note("\(submission.printer) counts \(status.counted(of: submission.sides))."))
    }
    let outcome = JobOutcome(status, at: submission.printer, sides: submission.sides)
    if outcome.exitCode == .success, !status.isSuccess {
      report(.note("\(submission.printer) reports errors, and counts every page. Check the paper."))
    }
    return outcome
  }
}

// MARK: - Jobs ahead

extension JobSubmitter {
  /// What the first of this user's jobs for the printer waits for.
  var jobAhead: Trouble {
    let own = entry.record
    let records = (try? journal.unsettledRecords()) ?? []
    let first = records.first {
      $0.uri == own.uri && $0.id != own.id && $0.created <= own.created && $0.phase != .queued
        && !$0.isOver && journal.isHeld($0.id)
    }
    guard let first else { return Trouble("waiting for your earlier jobs") }
    let why = first.trouble.map { " (\($0.prefix(1).lowercased())\($0.dropFirst()))" }
    return Trouble("waiting for \"\(first.name)\"\(why ?? "")")
  }

  /// Makes the error for a turn that did not come, with the reason why the printer does not print.
  func overtaken() -> SubmitError {
    let printer = try? status(over: nil)
    let why = printer?.trouble(isLoaded: nil).map { " (\($0))" } ?? ""
    var ending = SubmitError(
      .notNow, "Other jobs for \(submission.printer) came first and made no progress\(why).")
    ending.outcome.reasons = printer?.reasons ?? []
    return ending
  }
}
