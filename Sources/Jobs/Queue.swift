package import AirprintContext
package import PrintModel
internal import Printers
package import Printing
internal import Settings
internal import Submission
internal import System

/// A job that waits to be printed later: a row of `queue list`.
package struct QueuedJob: Sendable, Encodable {
  package var job: String
  package var name: String
  /// As it was named when it was queued.
  package var file: String
  @Null package var mediaType: String? = nil
  /// Seconds since 1970.
  package var created: Double
  /// The same, as RFC 3339 writes it.
  var createdAt: String
  /// nil where the paper decides.
  @Null package var pages: Int? = nil
  /// The type asked for, else the one the document looks like.
  @Null package var type: JobType? = nil
  /// `-d`, when it was typed.
  package var printers: [String]
  /// Its destination now; nil when nothing is saved for it.
  @Null package var printer: String? = nil
  /// Somebody prints it at this moment.
  package var isBeingPrinted: Bool
  /// Result of the last attempt; nil before the first.
  @Null package var exitCode: Int32? = nil
  /// The reason it waits; nil before the first attempt.
  @Null package var message: String? = nil
  /// The options asked for, for `queue show`.
  package var options: [Option]
  @Null package var title: String? = nil
  package var attachments: [String]

  /// A print option by its long name, as the JSON of `jobs JOB` and `queue show` has it.
  ///
  /// It is `JobRequest.Option` for commands, which don't know Submission.
  package struct Option: Sendable, Encodable {
    package var name: String
    package var value: String
  }

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
    options = record.request.options.map { Option(name: $0.name, value: $0.value) }
    title = record.request.title
    attachments = record.attachments.map(\.path)
  }
}

extension JobRecord {
  /// It waits in the queue, or is being printed right now from there; nothing of its document has left.
  var isInQueue: Bool {
    isForLater && [.queued, .accepted, .creating, .created].contains(phase)
  }
}

/// The jobs that wait, oldest first, and why records can't be read (73): any of those may wait, too.
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

/// One of them.
///
/// Exit 64 for an unknown job or that does not wait.
package func queuedJob(_ id: String, _ context: Context) async throws(Failure) -> QueuedJob {
  try await onThread { () throws(Failure) in
    let record = try waiting(id, context.journal)
    return QueuedJob(
      record, try context.settings.printers(), isHeld: context.journal.isHeld(id))
  }
}

/// Takes a job out of the queue and deletes its copies.
///
/// Exit 64 for one that does not wait, 75 for one that is being printed.
package func removeFromQueue(_ id: String, _ context: Context) async throws(Failure) -> String {
  try await onThread { () throws(Failure) in
    let record = try waiting(id, context.journal)
    guard let entry = try context.journal.claim(id), entry.record.isInQueue else {
      throw Failure(
        .notNow,
        "\(record.name) (job \(id)) is being printed right now; airprint cancel \(id) stops it."
      )
    }
    switch try entry.settle(in: context) {
    case .unprinted:
      context.journal.remove(entry)
      context.journal.knock()
    case .over, .underWay:
      throw Failure(.notNow, "\(record.name) (job \(id)) is already at its printer.")
    }
    return record.name
  }
}

/// The record of a job that waits.
func waiting(_ id: String, _ journal: Journal) throws(Failure) -> JobRecord {
  guard let record = try journal.record(id) else {
    throw Failure(.usage, "No such job in the queue: \(id) (see airprint queue list).")
  }
  guard record.isInQueue else {
    throw Failure(.usage, "Job \(id) is not in the queue; see airprint jobs.")
  }
  return record
}

/// A job of the journal, where a file is expected and no file of that name is there; nil when
/// `name` is no job either.
///
/// Its copies stand for its files. Exit 73 where the journal can't be read.
package func argumentsOfJob(_ name: String, _ context: Context) async throws(Failure)
  -> PrintArguments?
{
  try await onThread { () throws(Failure) in
    guard !InputFile.exists(name), let entry = try context.journal.look(name) else { return nil }
    return try PrintArguments(entry)
  }
}
