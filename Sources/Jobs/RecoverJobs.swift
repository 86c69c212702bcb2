internal import AirprintContext
internal import IPP
internal import PrintModel
internal import Printers
internal import Printing
internal import Submission
internal import System

/// Checks all jobs that have not ended and that no process works on, and determines what happened to them
/// (`JournalEntry.settle`): after a crash, a power failure, or `--no-wait`.
///
/// A job that its user relies on and that can't have been printed is resumed in a separate process.
///
/// `note` is called with what a user should know, `problem` with how a job ended that was not printed, and with the
/// reason why a record can't be read. A printer that does not answer costs a few seconds, once for all of its jobs.
///
/// - `isNews`: how such a job has ended is a problem; `jobs` lists the others, too.
func settleJobs(
  _ context: Context, note: (String) -> Void, isNews: (JobRecord) -> Bool = { _ in true },
  problem: (Failure) -> Void
) throws(Failure) {
  let journal = context.journal
  var silent: Set<String> = []
  for record in try journal.records(unreadable: problem)
  where !record.isOver && record.phase != .queued {
    guard !silent.contains(record.uri), !journal.isHeld(record.id),
      let entry = try journal.claim(record.id)
    else { continue }
    let result: RecoveryResult
    do throws(Failure) { result = try entry.settle(in: context, isMeant: false) } catch {
      guard error.code == .notAllowed else { throw error }
      silent.insert(record.uri)
      continue
    }
    switch result {
    case .over:
      let code = entry.record.exitCode.flatMap(ExitCode.init(rawValue:)) ?? .fault
      if let message = entry.record.message, let reason = FailureReason(code), isNews(entry.record)
      {
        problem(Failure(reason, "\(entry.record.name) (job \(record.id)): \(message)"))
      }
    case .unprinted where entry.record.phase == .queued: break  // it waits, for queue run
    case .unprinted:
      try startJob(entry, context)
      note(
        "\(entry.record.name) (job \(record.id)) will be printed now; nothing of it had been sent.")
    case .underWay(nil): silent.insert(record.uri)
    case .underWay: break
    }
  }
  for place in try OrphanedJobCleanup.places(in: journal) where !silent.contains(place.uri) {
    guard let line = try connect(toPrinterOf: place, context) else { continue }
    var cleanup = OrphanedJobCleanup(journal, at: place.uri, user: place.user)
    cleanup.sweep(over: line)
  }
  journal.prune()
}

/// Connects to the printer of a job that its user has not named, at its current address; nil if it does not answer.
///
/// Exit 78 if the settings are invalid.
func connect(toPrinterOf job: some PlacedJob, _ context: Context) throws(Failure) -> Connection? {
  let target = try PrinterReference(of: job, context)
  guard let uri = PrinterURI(target.uri) else { return nil }
  return try? Connection(
    to: uri, at: target.addresses,
    security: PrinterTrust(context).security(of: target),
    timeout: JournalEntry.settleTimeout, cancellation: Cancellation())
}

extension JournalEntry {
  /// Determines what happened to a job without a process, at the current address of its printer.
  ///
  /// - `isMeant`: the user named the job, and thereby its printer.
  func settle(
    in context: Context, isMeant: Bool = true, timeout: Duration = settleTimeout,
    _ cancellation: Cancellation = Cancellation()
  ) throws(Failure) -> RecoveryResult {
    guard !record.uri.isEmpty else {
      return try settle(security: Security(), timeout: timeout, cancellation)
    }
    let target = try PrinterReference(of: record, isNamed: isMeant, context)
    if target.uri != record.uri {
      try update {
        $0.uri = target.uri
        $0.addresses = target.addresses
      }
    }
    return try settle(
      security: try PrinterTrust(context).security(of: target), timeout: timeout, cancellation)
  }
}
