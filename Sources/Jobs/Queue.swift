package import AirprintContext
internal import Printers
package import Printing
package import PrintModel
internal import Submission
package import System

/// A job that waits to be printed later: a row of `queue list`.
package struct QueuedJob: Sendable, Encodable {
  package var job: String
  package var name: String
  /// Path as given when it was queued.
  package var file: String
  @Null package var mediaType: String? = nil
  /// Time in seconds since 1970.
  package var created: Double
  /// The same time in the format of RFC 3339.
  var createdAt: String
  /// nil if it depends on the paper.
  @Null package var pages: Int? = nil
  /// The type that was given, else the document's apparent type.
  @Null package var type: JobType? = nil
  /// `-d`, if it was typed.
  package var printers: [String]
  /// Its current destination; nil if no printer is saved for it.
  @Null package var printer: String? = nil
  /// True if a process is printing it now.
  package var isBeingPrinted: Bool
  /// Result of the last attempt; nil before the first.
  @Null package var exitCode: Int32? = nil
  /// The reason why it waits; nil before the first attempt.
  @Null package var message: String? = nil
  /// The options that were given, for `queue show`.
  package var options: [PrintRequest.JobOption]
  @Null package var title: String? = nil
  package var attachments: [String]

  private enum CodingKeys: String, CodingKey {
    case job, name, file, mediaType, created, createdAt, pages, type, printers, printer,
      isBeingPrinted =
      "printing"
    case exitCode, message, options, title, attachments
  }

  init(_ record: JobRecord, _ store: PrinterStore, isHeld: Bool) {
    job = record.id
    name = record.name
    file = record.file
    mediaType = record.document?.mediaType
    created = record.created
    createdAt = rfc3339(record.created)
    pages = record.pages
    let asked = record.request.type.flatMap(JobType.init(rawValue:))
    type = asked ?? record.type.flatMap(JobType.init(rawValue:))
    printers = record.request.printers
    printer =
      printers.isEmpty ? record.likelyPrinter(in: store)?.name : printers.joined(separator: ",")
    isBeingPrinted = isHeld
    exitCode = record.exitCode
    message = record.message
    options = record.request.options
    title = record.request.title
    attachments = record.attachments.map(\.path)
  }
}

extension JobRecord {
  /// True if it waits in the queue, or is being printed from there, but nothing of its document has been sent.
  var isInQueue: Bool {
    isForLater && [.queued, .accepted, .creating, .created].contains(phase)
  }
}

/// Returns the waiting jobs, oldest first, and the reasons why records can't be read (73): those jobs may wait, too.
package func queuedJobs(
  _ context: Context
) async throws(Failure) -> (jobs: [QueuedJob], unreadable: [Failure]) {
  try await onThread { () throws(Failure) in
    let store = try context.settings.printers()
    let journal = context.journal
    var unreadable: [Failure] = []
    let jobs = try journal.records { unreadable.append($0) }.filter(\.isInQueue).map {
      QueuedJob($0, store, isHeld: journal.isHeld($0.id))
    }
    return (jobs, unreadable)
  }
}

/// Returns one waiting job.
///
/// Exit 69 for an unknown job, 76 for one that has ended, 64 for one that a printer has.
package func queuedJob(_ id: String, _ context: Context) async throws(Failure) -> QueuedJob {
  try await onThread { () throws(Failure) in
    let record = try waiting(id, context.journal)
    return QueuedJob(
      record, try context.settings.printers(), isHeld: context.journal.isHeld(id))
  }
}

/// Removes a job from the queue and deletes its copies.
///
/// Exits like `queuedJob`, and 75 if it is being printed.
package func removeFromQueue(_ id: String, _ context: Context) async throws(Failure) -> String {
  try await onThread { () throws(Failure) in
    let record = try waiting(id, context.journal)
    guard let entry = try context.journal.claim(id), entry.record.isInQueue else {
      throw .beingPrinted(record)
    }
    switch try entry.settle(in: context) {
    case .unprinted:
      try context.journal.withdraw(entry)
      context.journal.touch()
    case .over, .underWay:
      throw .notNow("\(record.name) (job \(id)) is already at its printer.")
    }
    return record.name
  }
}

extension Failure {
  /// Another process has the job: exit 75.
  static func beingPrinted(_ record: JobRecord) -> Failure {
    .notNow(
      "\(record.name) (job \(record.id)) is being printed right now; airprint cancel \(record.id) stops it."
    )
  }
}

/// Returns the record of a waiting job.
func waiting(_ id: String, _ journal: Journal) throws(Failure) -> JobRecord {
  guard let record = try journal.record(id) else {
    throw .unknownJob(id, listedBy: "queue list")
  }
  try record.refuseOver()
  guard record.isInQueue else {
    throw .usage("Job \(id) is not in the queue; see airprint jobs.")
  }
  return record
}

/// Returns the arguments of a job of the journal that was named instead of a file; nil if a file has this name, or if
/// there is no such job.
///
/// Its copies replace its files. Exit 73 if the journal can't be read.
package func argumentsOfJob(_ name: String, _ context: Context) async throws(Failure)
  -> PrintArguments?
{
  try await onThread { () throws(Failure) in
    guard !InputFile.exists(name), let entry = try context.journal.look(name) else { return nil }
    return try PrintArguments(entry)
  }
}

/// Adds documents to the queue, one job each: copies of all their files and the options are durable on disk when `each`
/// is called with the result.
///
/// No printer is contacted; `failure` is that of an earlier attempt, if there was one. Exit 65 and 66 for
/// documents that can't be printed, 73 if the journal can't be written.
package func addToQueue(
  _ arguments: PrintArguments, after failure: Failure? = nil, _ context: Context,
  cancellation: Cancellation,
  each: @escaping @Sendable (PrintResult) -> Void
) async {
  await onThread {
    for file in arguments.files {
      var result = PrintResult(file: file)
      do throws(Failure) {
        let document = try arguments.open(file, for: nil, context, cancellation)
        let record = try queue(document, by: arguments, context, after: failure)
        result.job = record.id
        result.isLeft = true
        result.printer = record.printer.isEmpty ? nil : record.printer
      } catch {
        result.fail(error)
      }
      each(result)
      if cancellation.isRaised || arguments.stopsOnError && result.exitCode != .success { return }
    }
  }
}

/// Events while the queue is printed.
///
/// Several printers work at once.
package enum QueueRunEvent: Sendable {
  case event(QueuedJob, JobEvent)
  /// The last event of a job that was tried; `isWaiting`: it is still in the queue.
  case finished(QueuedJob, PrintResult, isWaiting: Bool)
  /// A job that is not tried: it was named and is not in the queue, an earlier run was stopped while it was sent, or its
  /// record can't be read (73).
  ///
  /// - `job`: as it was named.
  case problem(Failure, job: String? = nil)
}

/// Prints the waiting jobs: printers in parallel, each one's jobs oldest first, on the printer that the same `print`
/// would choose now.
///
/// Jobs that can't be printed now keep waiting. A job that another process prints is skipped, so that two concurrent
/// runs print each job once. One that was named and does not wait (`queuedJob`) is a problem of its own, and the others
/// are tried.
///
/// - `jobs`: the jobs' IDs; empty: all waiting jobs.
/// - `printer`: replaces the printers of the jobs (`-d`).
/// - `isNamed`: what is given to the command is for the printers, too.
package func runQueue(
  _ jobs: [String], on printer: String? = nil, isNamed: Bool, _ context: Context,
  cancellation: Cancellation,
  note: @escaping @Sendable (String) -> Void = { _ in }
) async throws(Failure) -> AsyncStream<QueueRunEvent> {
  var misnamed: [QueueRunEvent] = []
  for id in jobs {
    do throws(Failure) { _ = try waiting(id, context.journal) } catch {
      misnamed.append(.problem(error, job: id))
    }
  }
  let names = try printer.map { (name) throws(Failure) in try printerNames(name, context) }
  let (all, problems) = try await onThread { () throws(Failure) in
    var problems: [Failure] = []
    // An earlier print that was cut off is none of the queue's.
    try settleJobs(context, note: note, isNews: \.isForLater) { problems.append($0) }
    return (try context.journal.records().filter(\.isInQueue), problems)
  }
  let records = jobs.isEmpty ? all : all.filter { jobs.contains($0.id) }
  let lines = await QueueLine.lines(of: records, for: names, context)
  let (reports, continuation) = AsyncStream<QueueRunEvent>.makeStream()
  for event in misnamed + problems.map({ .problem($0) }) { continuation.yield(event) }
  detachThread {
    QueueRun(
      named: Set(jobs), isNamed: isNamed, context: context, cancellation: cancellation,
      report: { continuation.yield($0) }
    ).print(lines)
    context.journal.touch()
    continuation.finish()
  }
  return reports
}

/// The jobs for one printer, or for one list of printers, oldest first.
struct QueueLine: Sendable {
  var jobs: [JobRecord]
  /// The printers, or the reason why none was found.
  var targets: Result<[PrinterReference], Failure>

  /// A destination: names of printers, or the printer saved for a type.
  private struct DestinationKey: Hashable {
    var names: [String]
    /// False if `-d` gave them.
    var areStored: Bool
    var type: JobType?
  }

  /// Finds the printers of all jobs, in parallel: each may take seconds.
  static func lines(
    of records: [JobRecord], for names: [String]?, _ context: Context
  ) async -> [QueueLine] {
    let byDestination = Dictionary(grouping: records) { record in
      let own = names ?? record.request.printers
      let type = record.choosingType
      return DestinationKey(
        names: own, areStored: names == nil, type: own.isEmpty ? type : nil)
    }
    // By their URIs, or by why there are none.
    var lines: [Result<[String], Failure>: QueueLine] = [:]
    await withTaskGroup(of: (Result<[PrinterReference], Failure>, [JobRecord]).self) { group in
      for (destination, jobs) in byDestination {
        group.addTask { (await found(destination, context), jobs) }
      }
      for await (targets, jobs) in group {
        let key = targets.map { $0.map(\.uri) }
        lines[key, default: QueueLine(jobs: [], targets: targets)].jobs += jobs
      }
    }
    return lines.values.map { line in
      QueueLine(
        jobs: line.jobs.sorted { ($0.created, $0.id) < ($1.created, $1.id) },
        targets: line.targets)
    }.sorted { ($0.jobs[0].created, $0.jobs[0].id) < ($1.jobs[0].created, $1.jobs[0].id) }
  }

  private static func found(
    _ destination: DestinationKey, _ context: Context
  ) async -> Result<[PrinterReference], Failure> {
    do throws(Failure) {
      let targets = try await findPrinters(
        destination.names, for: destination.type, isStored: destination.areStored, context)
      return targets.isEmpty
        ? .failure(.noPrinterSaved(for: destination.type, context)) : .success(targets)
    } catch {
      return .failure(error)
    }
  }
}

/// One run of `queue run`.
private struct QueueRun: Sendable {
  /// The jobs that were asked for by their IDs: each gets a result.
  let named: Set<String>
  /// What is given to the command is for the jobs' printers, too.
  let isNamed: Bool
  let context: Context
  let cancellation: Cancellation
  let report: @Sendable (QueueRunEvent) -> Void

  /// Number of printers served at once: an unreachable one occupies its thread for half a minute.
  private static let threads = 32

  /// Prints every line; returns when all are done.
  func print(_ lines: [QueueLine]) {
    let rest = Monitor(Array(lines.reversed()))
    let threads = min(lines.count, QueueRun.threads)
    let ended = Monitor(0)
    for _ in 0..<threads {
      detachThread {
        while let line = rest.withLock({ $0.popLast() }) { print(line) }
        ended.withLock { $0 += 1 }
      }
    }
    _ = ended.wait { $0 == threads ? true : nil }
  }

  private func print(_ line: QueueLine) {
    // The reason why later jobs are not tried: the printer is unreachable, or waits for someone.
    var trouble: Failure?
    for record in line.jobs where !cancellation.isRaised {
      switch line.targets {
      case .success(let targets):
        if let trouble {
          hold(record, trouble, at: targets.first)
        } else {
          trouble = print(record, at: targets)
        }
      case .failure(let failure): hold(record, failure)
      }
    }
  }

  /// Prints one job; returns a problem that affects the printer's other jobs, too.
  private func print(_ record: JobRecord, at targets: [PrinterReference]) -> Failure? {
    do throws(Failure) {
      if let entry = try context.journal.claim(record.id), entry.record.isInQueue,
        case .unprinted = try entry.settle(
          in: context, isMeant: isNamed && targets.contains { $0.uri == record.uri },
          timeout: PrinterConnection.browseTimeout, cancellation)
      {
        return try print(entry, at: targets)
      }
      pass(record)
      return nil
    } catch {
      reportWaiting(record, error, at: targets.first)
      return nil
    }
  }

  private func print(_ entry: JournalEntry, at targets: [PrinterReference]) throws(Failure)
    -> Failure?
  {
    let job = QueuedJob(entry.record, context)
    let arguments = try PrintArguments(entry)
    let context = context.inLocale(entry.record.request.locale)
    let targets = targets.map { $0.of(entry.record, isNamed: isNamed) }
    let run = PrintRun(arguments, targets, context, cancellation) { [report] news in
      if case .event(_, let event) = news { report(.event(job, event)) }
    }
    var result = run.printFile(arguments.files[0], as: entry)
    result.job = job.job
    let failure = result.reason.map { Failure($0, result.message ?? "") }
    if let failure, !entry.record.isOver, entry.record.isInQueue { try entry.holdBack(failure) }
    let isWaiting = entry.record.phase == .queued
    result.isLeft = result.isLeft || isWaiting
    result.isQueued = isWaiting
    entry.release()
    if !isWaiting {
      announce(result, as: arguments.title, isAskedFor: arguments.handling.notifies, context)
    }
    report(.finished(job, result, isWaiting: isWaiting))
    guard result.isLeft else { return nil }
    // A job that is refused for its own reasons, such as paper that is not loaded, does not stop other jobs.
    let isPrinters = result.exitCode == .notNow && result.ticket != nil
    return result.exitCode == .unavailable || isPrinters ? failure : nil
  }

  /// Leaves a job in the queue without trying it.
  private func hold(_ record: JobRecord, _ failure: Failure, at target: PrinterReference? = nil) {
    guard let entry = try? context.journal.claim(record.id), entry.record.isInQueue else {
      return pass(record)
    }
    var failure = failure
    do throws(Failure) { try entry.holdBack(failure) } catch { failure = error }
    entry.release()
    reportWaiting(record, failure, at: target)
  }

  /// Reports of a job that was named, and is not tried, why: another process has it, or its end.
  private func pass(_ record: JobRecord) {
    guard named.contains(record.id) else { return }
    do throws(Failure) {
      throw .beingPrinted(try waiting(record.id, context.journal))
    } catch {
      report(.problem(error, job: record.id))
    }
  }

  private func reportWaiting(
    _ record: JobRecord, _ failure: Failure, at target: PrinterReference?
  ) {
    var result = PrintResult(file: record.file, printer: target?.name, uri: target?.uri)
    result.fail(failure)
    (result.job, result.isLeft, result.isQueued) = (record.id, true, true)
    report(.finished(QueuedJob(record, context), result, isWaiting: true))
  }
}

extension JournalEntry {
  /// Records why the job waits, if that is new: a thousand jobs for an unreachable printer are not rewritten by every
  /// run.
  fileprivate func holdBack(_ failure: Failure) throws(Failure) {
    let isKnown =
      record.phase == .queued && record.exitCode == failure.code.rawValue
      && record.message == failure.message
    if !isKnown, let proof = NothingPrinted(record) {
      try update { $0.wait(JobOutcome(failure), proof) }
    }
  }
}

extension QueuedJob {
  /// Makes a job that is being printed.
  fileprivate init(_ record: JobRecord, _ context: Context) {
    let store = (try? context.settings.printers()) ?? PrinterStore(user: .init(), system: .init())
    self.init(record, store, isHeld: true)
  }
}
