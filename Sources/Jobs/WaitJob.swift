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
/// Exit 64 for an unknown job, 130 if interrupted, which leaves the job as it is.
package func waitForJob(
  _ text: String, _ context: Context, cancellation: Cancellation,
  note: @escaping @Sendable (String) -> Void
) async throws(Failure) -> JobReport {
  let job = try await NamedJob(text, context)
  return try await onThread { () throws(Failure) in
    switch job {
    case .own(let record): try wait(for: record.id, context, cancellation, note)
    case .atPrinter(let target, let number):
      try wait(for: number, at: target, context, cancellation, note)
    }
  }
}

private func wait(
  for id: String, _ context: Context, _ cancellation: Cancellation, _ note: (String) -> Void
) throws(Failure) -> JobReport {
  let journal = context.journal
  var said: String?
  var pause = Duration.milliseconds(100)
  while true {
    let record = try journal.existing(id)
    if record.isOver { return JobReport(record) }
    if let message = record.message, message != said {
      said = message
      let isHeld =
        record.state == JobState.held.keyword
        && record.reasons.contains("job-hold-until-specified")
      let next = isHeld ? " To let it print, run: airprint release \(id)" : ""
      note("\(record.name) on \(record.printer): \(message.withoutFullStop).\(next)")
    }
    // No process works on it, so its state is requested here.
    if !journal.isHeld(id), record.phase != .queued, let entry = try journal.claim(id) {
      switch try entry.settle(in: context, patience: PrinterConnection.browsePatience, cancellation)
      {
      case .over: continue
      case .unprinted where entry.record.phase == .queued: break
      case .unprinted: try startJob(entry, context)
      case .underWay(nil):
        let words = "\(record.printer) does not answer"
        if words != said { note("\(words).") }
        said = words
      case .underWay: break
      }
    }
    guard cancellation.sleep(pause) else { throw interrupted(cancellation) }
    pause = min(pause * 5 / 4, .seconds(1))
  }
}

private func wait(
  for number: Int, at target: PrinterReference, _ context: Context, _ cancellation: Cancellation,
  _ note: (String) -> Void
) throws(Failure) -> JobReport {
  let session = try PrinterConnection.reach(
    target, context, cancellation: cancellation)
  var seen: JobStatus?
  var said: String?
  while true {
    let answer =
      if let seen {
        try? session.connection.answer(about: JobIdentity(seen), user: context.user)
      } else {
        try? session.connection.answer(about: number, user: context.user)
      }
    switch answer {
    case .status(let status):
      seen = status
      guard status.state.isOver else {
        guard status.state != .processing else { break }
        let printer =
          status.state == .held ? nil : try? session.connection.status(user: context.user)
        let why =
          printer?.trouble(isLoaded: nil)
          ?? status.reasons.compactMap { StateReason($0).words }.first
        if let why, why != said {
          note("\(status.name ?? "Job \(number)") on \(session.name): \(why.withoutFullStop).")
          said = why
        }
        break
      }
      return JobReport(status, at: session)
    case .unknown:
      guard let seen else {
        throw Failure(
          .forgotten, "\(session.name) does not know job \(number), or no longer does.")
      }
      var last = JobReport(seen, at: session)
      last.exitCode = ExitCode.forgotten.rawValue
      last.message = "\(session.name) no longer lists the job."
      return last
    case .silence, nil: break
    }
    guard cancellation.sleep(.milliseconds(500)) else { throw interrupted(cancellation) }
  }
}

private func interrupted(_ cancellation: Cancellation) -> Failure {
  Failure(FailureReason(signal: cancellation.signal), "Interrupted; the job continues.")
}
