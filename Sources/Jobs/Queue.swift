package import AirprintContext
package import PrintModel
package import Printing
internal import Submission
internal import System

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
/// Exit 69 for an unknown job, 64 for one that does not wait.
package func queuedJob(_ id: String, _ context: Context) async throws(Failure) -> QueuedJob {
  try await onThread { () throws(Failure) in
    let record = try waiting(id, context.journal)
    return QueuedJob(
      record, try context.settings.printers(), isHeld: context.journal.isHeld(id))
  }
}

/// Removes a job from the queue and deletes its copies.
///
/// Exit 69 for an unknown job, 64 if it does not wait, 75 if it is being printed.
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

/// Returns the record of a waiting job.
func waiting(_ id: String, _ journal: Journal) throws(Failure) -> JobRecord {
  guard let record = try journal.record(id) else {
    throw .unknownJob(id, listedBy: "queue list")
  }
  guard record.isInQueue else {
    throw Failure(.usage, "Job \(id) is not in the queue; see airprint jobs.")
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
