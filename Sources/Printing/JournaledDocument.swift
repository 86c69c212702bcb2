package import AirprintContext
internal import Glibc
package import Printers
package import PrintModel
internal import PrintOptions
package import Submission
package import System

extension Journal {
  /// Adds a job to the journal with copies of every file that was named, all on disk on return; the entry is held.
  ///
  /// `complete` adds what else is known to the new record.
  ///
  /// For a job that another process will print (`isKept`), the document's password and the folder of `--assets` are
  /// stored as well. Exit 65 and 66 for a file that can't be printed or read, 73 if the journal can't be written.
  func begin(
    _ document: OpenDocument, by arguments: PrintArguments, at printers: [String],
    _ context: Context, _ complete: (inout JobRecord) -> Void
  ) throws(Failure) -> JournalEntry {
    var record = JobRecord(
      name: document.jobName(document.info), file: document.name, printer: "", uri: "",
      addresses: [], user: context.user, created: WallClock.seconds)
    record.request = JobRequest(arguments, for: document.file, at: printers, context)
    complete(&record)
    if isCrowded { prune() }
    let named = try arguments.namedFiles(context)
    // The optimizer may free an array's elements after its last use, and these close their files on that; it did.
    let entry = try withExtendedLifetime((document, named)) { () throws(Failure) in
      try begin(record, copying: document.sources + named.map(\.source))
    }
    guard record.isKept else { return entry }
    do throws(Failure) {
      if let password = arguments.password { try entry.keep(secret: password) }
      // A folder that was named belongs to the job; the folder of an HTML page may have any size.
      let assets = PrintOption.assets.rawValue
      for option in record.request.options
      where option.name == assets && arguments.typed.contains(where: { $0.option == .assets }) {
        try entry.copy(folder: option.value)
      }
    } catch {
      remove(entry)
      throw error
    }
    return entry
  }
}

extension PrintArguments {
  /// Opens the files that options name (alternates and stamps) for the journal's copies.
  ///
  /// A stamp from the settings is not copied. Exit 65 and 66 for a file that can't be printed or read; the message
  /// names it.
  fileprivate func namedFiles(_ context: Context) throws(Failure) -> [InputFile] {
    var request = PrintRequest()
    for (option, value) in typed where [.alternate, .overlay, .underlay].contains(option) {
      try option.apply(value, to: &request)
    }
    var files: [InputFile] = []
    for alternate in request.alternates {
      do throws(Failure) {
        files.append(try InputFile(alternate.file, context))
      } catch {
        throw error.of(alternate.file)
      }
    }
    let configuration = try context.settings.configuration()
    for stamp in request.stamps where configuration.stamp(stamp) == stamp {
      guard case .file(let path) = stamp.source else { continue }
      do throws(Failure) {
        files.append(try stamp.opened(path, context))
      } catch {
        throw error.of(stamp.typed)
      }
    }
    return files
  }
}

extension InputFile {
  /// The file as a source for the journal's copies.
  var source: Journal.SourceFile {
    Journal.SourceFile(descriptor: descriptor, path: path, mediaType: mediaType)
  }
}

extension JournalEntry {
  /// Replaces the file in a value of `option` by its copy: `FILE`, `PAPER=FILE`, or a stamp's `FILE@page=1`.
  func withCopies(_ value: String, of option: PrintOption) -> String {
    if let copy = copy(of: value) { return copy }
    if option == .overlay || option == .underlay {
      guard case .file(let path) = Stamp(value, isBelow: option == .underlay).source,
        let copy = copy(of: path)
      else { return value }
      return copy + value.dropFirst(path.count)
    }
    guard let sign = value.firstIndex(of: "="),
      let copy = copy(of: String(value[value.index(after: sign)...]))
    else { return value }
    return value[...sign] + copy
  }
}

/// Adds an opened document to the queue.
///
/// Exit 73 if the journal can't be written, 78 if printers.toml is invalid.
///
/// - `failure`: the reason why it waits, if a printer was tried.
package func queue(
  _ document: OpenDocument, by arguments: PrintArguments, _ context: Context,
  after failure: Failure? = nil
) throws(Failure) -> JobRecord {
  let saved = try context.settings.printers()
  // A whole name, as it is or of the saved printer of which a part was typed.
  let printers = try arguments.printers.map { (name) throws(Failure) in
    try saved.findWhole(name) == nil ? saved.find(name)?.words ?? name : name
  }
  let entry = try context.journal.begin(document, by: arguments, at: printers, context) { record in
    record.phase = .queued
    record.isKept = true
    record.isForLater = true
    record.pages = document.info.reflows ? nil : document.info.pages.count
    record.type = document.info.guessedType.rawValue
    record.sureType = document.info.sureType?.rawValue
    let places = record.places(in: saved)
    record.printer = printers.first ?? places.first?.name ?? ""
    record.give(context, to: places)
  }
  if let failure, let proof = NothingPrinted(entry.record) {
    try entry.update { $0.wait(JobOutcome(failure), proof) }
  }
  entry.release()
  context.journal.touch()
  return entry.record
}

/// Runs `print --detach`: stores each document and its request durably in the journal, passes its result to `each`, and
/// prints it in a process with its own connection.
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
        let record = try detach(file, arguments, targets, context, cancellation)
        (result.job, result.printer, result.uri) = (record.id, record.printer, record.uri)
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
) throws(Failure) -> JobRecord {
  let run = PrintRun(arguments, targets, context, cancellation) { _ in }
  let task = try run.task(file)
  let (document, target) = (task.document, task.targets[0])
  let certificate = try PrinterTrust(context).pin(of: target)
  let entry = try context.journal.begin(
    document, by: arguments, at: task.targets.map(\.words), context
  ) { record in
    record.aim(at: target, knownBy: certificate)
    record.isKept = true
    record.give(context, to: task.targets)
  }
  try startJob(entry, context)
  return entry.record
}

/// Command of the process that prints one job of the journal: `airprint __job ID`, with the job's lock as descriptor 3.
private let jobCommand = "__job"

/// Starts a process that prints a held job, with the credentials that the job was given.
///
/// The lock is passed to it, and the caller may end. Exit 70 if no process can be started.
package func startJob(_ entry: JournalEntry, _ context: Context) throws(Failure) {
  guard let lock = entry.lockDescriptor else { throw .fault("The job is not held.") }
  let problem = DetachedProcess.start(
    [jobCommand, entry.record.id], lock: lock, context)
  guard problem == 0 else {
    throw .fault(
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
  let cancellation = Cancellation.catchingSignals()
  guard let entry = try? Context.current.journal.adopt(arguments[1], lock: DetachedProcess.lock)
  else { return ExitCode.usage.rawValue }
  let context = Context.current
  let printers = entry.record.request.printers
  let type = entry.record.choosingType
  let found: Result<[PrinterReference], Failure>
  do throws(Failure) {
    let targets = try await findPrinters(printers, for: type, isStored: true, context)
    found = .success(targets.map { $0.of(entry.record) })
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
  if !entry.record.isOver, let proof = NothingPrinted(entry.record) {
    outcome.nothingPrinted = proof
    // If that can't be written either, the next `jobs` finds the job in its current state.
    try? entry.update {
      $0.isForLater = $0.isForLater || isPrintedLater(after: outcome.exitCode, context)
      $0.end(outcome, isOver: true)
    }
    context.journal.touch()
  }
  if entry.record.phase != .queued { announce(entry.record, outcome, context) }
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
  return entry.record.outcome ?? result.outcome
}
