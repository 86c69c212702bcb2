package import AirprintContext
internal import IPP
package import PrintModel
internal import Printers
internal import Printing
internal import Submission
package import System

/// Waits until a job has ended, named as for `NamedJob`, and returns its report with the exit code that `print` would
/// have had.
///
/// `note` is called with the reason for the wait, once for each state.
///
/// Exit 69 for an unknown job, 75 after `timeout`, 130 if interrupted; the last two leave the job as it is.
package func waitForJob(
  _ text: String, _ context: Context, timeout: Duration? = nil, cancellation: Cancellation,
  note: @escaping @Sendable (String) -> Void
) async throws(Failure) -> JobReport {
  let limit = WaitLimit(end: timeout.map { ContinuousClock.now + $0 }, cancellation: cancellation)
  let job = try await NamedJob(text, context)
  return try await onThread { () throws(Failure) in
    switch job {
    case .own(let record): try wait(for: record.id, context, limit, note)
    case .atPrinter(let target, let number):
      try wait(for: number, at: target, context, limit, note)
    }
  }
}

/// How long to wait.
private struct WaitLimit {
  /// nil: as long as it takes.
  let end: ContinuousClock.Instant?
  let cancellation: Cancellation

  /// Returns how long to wait for a printer's answer: no longer than that, nor, but for a second, than is left.
  func forAnswer(_ longest: Duration) -> Duration {
    min(longest, end.map { max(.seconds(1), ContinuousClock.now.duration(to: $0)) } ?? longest)
  }

  /// Sleeps; exit 75 if that takes too long, 130 if interrupted.
  func sleep(_ pause: Duration) throws(Failure) {
    if let end, end <= .now {
      throw .notNow("Timed out: the job has not ended.")
    }
    let rest = end.map { min(pause, ContinuousClock.now.duration(to: $0)) } ?? pause
    guard cancellation.sleep(rest) else {
      throw .interrupted(by: cancellation.signal, "Interrupted; the job is not affected.")
    }
  }
}

private func wait(
  for id: String, _ context: Context, _ limit: WaitLimit, _ note: (String) -> Void
) throws(Failure) -> JobReport {
  let journal = context.journal
  var (said, isSilent) = ("", false)
  func tell(_ words: String) {
    if words != said { note(words) }
    said = words
  }
  var pause = Duration.milliseconds(100)
  while true {
    let record = try journal.existing(id)
    if record.isOver { return JobReport(record) }
    if record.phase == .queued {
      let why = record.message.map { " \($0)" } ?? ""
      tell("\(record.name) waits in the queue.\(why) To print it, run: airprint queue run \(id)")
    } else if let message = record.message {
      let isHeld =
        record.state == JobState.held.keyword
        && record.reasons.contains("job-hold-until-specified")
      let next = isHeld ? " To let it print, run: airprint release \(id)" : ""
      tell("\(record.name) on \(record.printer): \(message.withoutFullStop).\(next)")
    }
    // No process works on it, so its state is requested here.
    if !journal.isHeld(id), record.phase != .queued, let entry = try journal.claim(id) {
      let result: RecoveryResult
      do throws(Failure) {
        result = try entry.settle(
          in: context, timeout: limit.forAnswer(PrinterConnection.browseTimeout),
          limit.cancellation)
      } catch {
        guard error.code == .notAllowed, entry.record.jobId != nil else { throw error }
        return JobReport(entry.record, barredBy: error)
      }
      switch result {
      case .over: continue
      case .unprinted where entry.record.phase == .queued: break
      case .unprinted: try startJob(entry, context)
      case .underWay(nil):
        if !isSilent { note("\(record.printer) does not answer.") }
        isSilent = true
      case .underWay: isSilent = false
      }
    }
    try limit.sleep(pause)
    pause = min(pause * 5 / 4, .seconds(1))
  }
}

private func wait(
  for number: Int, at target: PrinterReference, _ context: Context, _ limit: WaitLimit,
  _ note: (String) -> Void
) throws(Failure) -> JobReport {
  let connection = try PrinterConnection.reach(
    target, context, timeout: limit.forAnswer(PrinterConnection.wakeTimeout),
    cancellation: limit.cancellation)
  var seen: JobStatus?
  var said: String?
  while true {
    var answer: JobAnswer?
    connection.ipp.timeout = limit.forAnswer(connection.ipp.timeout)
    do {
      answer =
        if let seen {
          try connection.ipp.answer(about: JobIdentity(seen), user: context.user)
        } else { try connection.ipp.answer(about: number, user: context.user) }
    } catch {
      if error.needsPerson { throw error.failure(at: connection.name) }
    }
    switch answer {
    case .status(let status) where status.state.isOver: return JobReport(status, at: connection)
    case .status(let status):
      seen = status
      guard status.state != .processing else { break }
      let printer =
        status.state == .held ? nil : try? connection.ipp.status(user: context.user)
      let why =
        printer?.trouble(isLoaded: nil)
        ?? status.reasons.compactMap { StateReason($0).words }.first
      if let why, why != said {
        note("\(status.name ?? "Job \(number)") on \(connection.name): \(why.withoutFullStop).")
        said = why
      }
    case .unknown:
      guard let seen else { throw connection.unknownJob(number) }
      var last = JobReport(seen, at: connection)
      last.isActive = false
      var outcome = JobOutcome(exitCode: .forgotten)
      (outcome.state, outcome.reasons) = (seen.state, seen.reasons)
      outcome.impressions = seen.impressions
      outcome.message = "\(connection.name) no longer lists the job."
      last.take(outcome)
      return last
    case .silence, nil: break
    }
    try limit.sleep(.milliseconds(500))
  }
}
