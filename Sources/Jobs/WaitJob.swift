package import AirprintContext
internal import ForeignText
internal import IPP
package import PrintModel
internal import Printers
internal import Printing
internal import Settings
internal import Submission
package import System

/// Waits until a job has ended, named by the journal's ID or as PRINTER/NUMBER, and returns its report with the exit
/// code that `print` would have had.
///
/// `note` is called with the reason for the wait, once for each state.
///
/// Exit 64 for an unknown job, 130 if interrupted, which leaves the job as it is.
package func waitForJob(
  _ text: String, _ context: Context, cancellation: Cancellation,
  note: @escaping @Sendable (String) -> Void
) async throws(Failure) -> JobReport {
  if let id = try context.journal.job(named: text)?.id {
    return try await onThread { () throws(Failure) in
      try wait(for: id, context, cancellation, note)
    }
  }
  let (target, job) = try await jobAtPrinter(text, context)
  return try await onThread { () throws(Failure) in
    try wait(for: job, at: target, context, cancellation, note)
  }
}

/// Resolves PRINTER/NUMBER; exit 64 for anything that is neither that nor a job's ID.
func jobAtPrinter(_ text: String, _ context: Context) async throws(Failure) -> (
  PrinterReference, Int
) {
  if text.isEmpty { throw Failure(.usage, "The job's ID is empty (see airprint jobs).") }
  guard let slash = text.lastIndex(of: "/"), let job = Int(text[text.index(after: slash)...]),
    let target = try await findPrinter(String(text[..<slash]), for: nil, context)
  else {
    // Like CUPS' `cancel PRINTER`.
    if let printer = try? context.settings.printers().findWhole(text) {
      throw Failure(
        .usage,
        "\(printer.name) is a printer. Name one of its jobs: airprint jobs \(ShellWord.quoted(printer.name))"
      )
    }
    throw Failure(.usage, "No such job: \(text) (see airprint jobs).")
  }
  return (target, job)
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
