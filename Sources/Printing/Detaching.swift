package import AirprintContext
internal import Glibc
package import PrintModel
package import Printers
package import Submission
package import System

/// Runs `print --detach`: stores each document and its request durably in the journal, passes its result to `each`, and
/// prints it in a process with its own session.
///
/// Exit 65 and 66 for documents that can't be printed are reported first; everything else is in the journal, for
/// `wait`.
package func printDetached(
  _ arguments: PrintArguments, at targets: [PrinterReference], _ context: Context,
  cancellation: Cancellation,
  each: @escaping @Sendable (PrintResult) -> Void
) async {
  await onThread {
    for file in arguments.files {
      var result = PrintResult(file: file, printer: targets.first?.name, uri: targets.first?.uri)
      do throws(Failure) {
        result.job = try detach(file, arguments, targets, context, cancellation)
        result.isLeft = true
      } catch {
        result.fail(error)
        announce(result, as: arguments.title, isAskedFor: arguments.handling.notifies, context)
      }
      each(result)
      if cancellation.isRaised || arguments.stopsOnError && result.exitCode != .success { return }
    }
  }
}

private func detach(
  _ file: String, _ arguments: PrintArguments, _ targets: [PrinterReference], _ context: Context,
  _ cancellation: Cancellation
) throws(Failure) -> String {
  let run = PrintRun(arguments, targets, context, cancellation) { _ in }
  let task = try run.task(file)
  let (document, target) = (task.document, task.targets[0])
  let certificate = try PrinterTrust(context).pin(of: target)
  let entry = try context.journal.begin(
    document, by: arguments, at: task.targets.map(\.words), context
  ) { record in
    (record.printer, record.uri, record.addresses) = (target.name, target.uri, target.addresses)
    record.certificate = certificate
    record.printerUUID = target.saved?.uuid ?? target.found?.uuid
    record.isKept = true
  }
  try startJob(entry, context)
  return entry.record.id
}

/// Command of the process that prints one job of the journal: `airprint __job ID`, with the job's lock as descriptor 3.
private let jobCommand = "__job"

/// Starts a process that prints a held job.
///
/// The lock is passed to it, and the caller may end. Exit 70 if no process can be started.
package func startJob(_ entry: JournalEntry, _ context: Context) throws(Failure) {
  guard let lock = entry.lockDescriptor else { throw Failure(.fault, "The job is not held.") }
  let problem = DetachedProcess.start([jobCommand, entry.record.id], lock: lock, context)
  guard problem == 0 else {
    throw Failure(
      .fault,
      "Job \(entry.record.id) is in the journal, but no process can be started to print "
        + "it: \(SystemError(problem)). airprint jobs tries again.")
  }
  entry.release()
}

/// Prints a job of the journal if this process was started for that; returns nil if it was not.
package func runJobIfAsked(_ arguments: [String]) async -> Int32? {
  guard arguments.count == 2, arguments[0] == jobCommand else { return nil }
  // A waiting job must not keep a file system from being unmounted.
  chdir("/")
  let context = Context.current
  let cancellation = Cancellation.catchingSignals()
  guard let entry = try? context.journal.adopt(arguments[1], lock: DetachedProcess.lock) else {
    return ExitCode.usage.rawValue
  }
  let printers = entry.record.request.printers
  let type = entry.record.choosingType
  let found: Result<[PrinterReference], Failure>
  do throws(Failure) {
    found = .success(try await findPrinters(printers, for: type, isStored: true, context))
  } catch {
    found = .failure(error)
  }
  // Only that thread works on it.
  nonisolated(unsafe) let held = entry
  return await onThread { run(held, at: found, context, cancellation).rawValue }
}

private func run(
  _ entry: JournalEntry, at found: Result<[PrinterReference], Failure>, _ context: Context,
  _ cancellation: Cancellation
) -> ExitCode {
  var outcome: JobOutcome
  do throws(Failure) {
    outcome = try printJob(entry, at: try found.get(), context, cancellation)
  } catch {
    outcome = JobOutcome(error)
  }
  announce(entry.record, outcome, context)
  if !entry.record.isOver, let proof = NothingPrinted(entry.record) {
    outcome.nothingPrinted = proof
    // If that can't be written either, the next `jobs` finds the job in its current state.
    try? entry.update { $0.end(outcome, isOver: true) }
  }
  return outcome.exitCode
}

/// Prints a held job of the journal by its own request, and returns how it ended.
///
/// If the job can't be started (65 to 78), the record
/// stays open: the caller decides what that means.
func printJob(
  _ entry: JournalEntry, at targets: [PrinterReference], _ context: Context,
  _ cancellation: Cancellation
) throws(Failure) -> JobOutcome {
  var context = context.inLocale(entry.record.request.locale)
  context.isInteractive = false
  let arguments = try PrintArguments(entry)
  let run = PrintRun(arguments, targets, context, cancellation) { _ in }
  let result = run.printFile(arguments.files[0], as: entry)
  if let outcome = entry.record.outcome { return outcome }
  return JobOutcome(
    exitCode: result.exitCode, jobId: result.jobId,
    state: result.state.flatMap(JobState.init(keyword:)), reasons: result.reasons,
    impressions: result.impressions, message: result.message)
}
