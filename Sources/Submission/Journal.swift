// The journal: one folder per job below `$XDG_STATE_HOME/airprint/jobs`, readable with `ls` and `cat`.
//
//     jobs/k7q2m/job.json         the whole request and its progress (`JobRecord`)
//     jobs/k7q2m/document.pdf     a copy of the document
//     jobs/k7q2m/attachment-1.png copies of the other files that the request names
//     jobs/k7q2m/secret           the password of a document that another process will print (mode 0600)
//     jobs/k7q2m/cancel           marks a job that has to be canceled
//     jobs/k7q2m/move             the same, because it is being moved
//
// The process that works on a job holds a flock(2) on its folder, which is released when the process ends for any
// reason. Only the holder changes a record; any process may read it at any time.
//
// A job of the queue is a record in phase `queued` with `isKept`: no process works on it until `queue run` claims it,
// sets `accepted` and prints `entry.document` by `record.request`.

internal import FoundationEssentials
internal import Glibc
package import PrintModel
internal import System

/// The folder of all jobs.
///
/// Every function throws with exit 73 if the folder can't be used: nothing was sent.
package struct Journal: Sendable {
  package let folder: String
  package var limits = Limits()
  /// The reason why no job may be started here, which `begin` and `prepare` throw.
  package var refusal: Failure?

  /// Limits for keeping jobs that have ended.
  package struct Limits: Sendable {
    /// Longest age, in seconds.
    ///
    /// A job in doubt is kept this long, however many others there are.
    package var age = 30.0 * 86_400
    package var count = 200
    /// Total size of all copies of documents, in bytes.
    package var bytes = 1 << 30
  }

  package init(folder: String) { self.folder = folder }

  /// A file to copy into a job's folder: the contents of a descriptor, from its beginning.
  package struct SourceFile {
    package var descriptor: Int32
    /// Path as the user typed it.
    package var path: String
    package var mediaType: String?
    /// True if the file keeps its path within the folder, because the document refers to it.
    package var isBeside: Bool

    package init(
      descriptor: Int32, path: String, mediaType: String? = nil, isBeside: Bool = false
    ) {
      self.descriptor = descriptor
      self.path = path
      self.mediaType = mediaType
      self.isBeside = isBeside
    }
  }

  /// Makes a job's folder with its record and copies of its files, the document first, all on disk on return.
  ///
  /// The job gets a new ID; the entry is held. Exit 73 if the disk is full or the folder can't be written.
  package func begin(
    _ record: JobRecord, copying sources: [SourceFile] = []
  ) throws(Failure) -> JournalEntry {
    try prepare()
    for _ in 0..<100 {
      let id = String((0..<5).map { _ in Journal.alphabet.randomElement() ?? "x" })
      if mkdir("\(folder)/\(id)", 0o700) == 0 {
        var record = record
        record.id = id
        return try fill(record, sources)
      }
      guard errno == EEXIST else { break }
    }
    throw failure("can't be written")
  }

  private func fill(
    _ record: JobRecord, _ sources: [SourceFile]
  ) throws(Failure) -> JournalEntry {
    let place = "\(folder)/\(record.id)"
    guard let lock = FileLock(folder: place) else { throw failure("can't be locked") }
    let entry = JournalEntry(folder: place, record: record, lock: lock)
    do throws(Failure) {
      try entry.copy(sources)
      try entry.update { _ in }
      guard AtomicFile.synchronize(folder: folder) else { throw failure("can't be written") }
    } catch {
      remove(entry)
      throw error
    }
    return entry
  }

  /// Returns all jobs, oldest first.
  ///
  /// `unreadable` is called for those that can't be read (73); the others are returned. An invalid record is set aside
  /// as `job.json.corrupt`; one that another version of airprint may have written is left as it is.
  package func records(
    unreadable: (Failure) -> Void = { _ in }
  ) throws(Failure) -> [JobRecord] {
    try records(unreadable: unreadable) { _ in true }
  }

  /// Returns the jobs that have not ended, or that may have left an empty job at a printer, oldest first.
  ///
  /// The others, which are most of a journal, are not decoded: every `print` calls this at its end. Exit 73 as for
  /// `records`.
  package func unsettledRecords() throws(Failure) -> [JobRecord] {
    try records { !JobRecord.isSettled($0) }
  }

  /// Returns the records that match.
  ///
  /// - `isWanted`: called with a record's undecoded file.
  private func records(
    unreadable: (Failure) -> Void = { _ in }, where isWanted: (Data) -> Bool
  ) throws(Failure) -> [JobRecord] {
    guard access(folder, F_OK) == 0 else { return [] }
    try checkOwner()
    var records: [JobRecord] = []
    for id in ids {
      do {
        if let record = try read(id, where: isWanted) { records.append(record) }
      } catch {
        unreadable(error)
      }
    }
    return records.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
  }

  /// Returns the job with this ID in its current state; nil if there is none.
  ///
  /// Exit 73 for a record that can't be read, or a journal that belongs to another user.
  package func record(_ id: String) throws(Failure) -> JobRecord? {
    guard Journal.isID(id), access("\(folder)/\(id)", F_OK) == 0 else { return nil }
    try checkOwner()
    return try read(id)
  }

  /// Returns the job with this ID, held by the caller; nil if there is none, or if another process works on it.
  ///
  /// Exit 73 as for `record`.
  package func claim(_ id: String) throws(Failure) -> JournalEntry? {
    guard try record(id) != nil else { return nil }
    let place = "\(folder)/\(id)"
    var lock = FileLock(folder: place)
    // Processes that only check the lock (`isHeld`) share it for a moment.
    for _ in 0..<100 where lock == nil && !FileLock.isTaken(place) {
      usleep(1_000)
      lock = FileLock(folder: place)
    }
    guard let lock, lock.isStill(place), let record = try read(id) else { return nil }
    return JournalEntry(folder: place, record: record, lock: lock)
  }

  /// Returns the job with this ID read-only, with the paths of its copies.
  ///
  /// Exit 73 as for `record`.
  package func look(_ id: String) throws(Failure) -> JournalEntry? {
    guard let record = try record(id) else { return nil }
    return JournalEntry(folder: "\(folder)/\(id)", record: record, lock: nil)
  }

  /// Returns the job whose lock this process inherited as `descriptor` from the one that started it.
  ///
  /// Exit 73 as for `record`.
  package func adopt(_ id: String, lock descriptor: Int32) throws(Failure) -> JournalEntry? {
    guard let record = try record(id) else { return nil }
    return JournalEntry(
      folder: "\(folder)/\(id)", record: record, lock: FileLock(adopting: descriptor))
  }

  /// Returns true if a process works on the job now.
  package func isHeld(_ id: String) -> Bool {
    guard Journal.isID(id) else { return false }
    return FileLock.isTaken("\(folder)/\(id)")
  }

  /// Requests that the process that works on the job, now or later, cancel it.
  ///
  /// Exit 73 if the request can't be written.
  package func requestCancel(_ id: String, by command: CancelRequest = .cancel) throws(Failure) {
    guard try record(id) != nil else { return }
    let path = "\(folder)/\(id)/\(command.rawValue)"
    guard AtomicFile.write([], to: path) else { throw failure("can't be written") }
  }

  /// Withdraws the command's request, if no process has seen it yet.
  package func withdrawCancel(_ id: String, by command: CancelRequest = .cancel) {
    guard Journal.isID(id) else { return }
    unlink("\(folder)/\(id)/\(command.rawValue)")
  }

  /// Touches the folder, so that inotify(7) wakes the processes that watch it.
  package func touch() { utimensat(AT_FDCWD, folder, nil, 0) }

  /// Makes the folder, so that it can be watched before there is a job.
  ///
  /// Exit 73 if it can't be made.
  package func prepare() throws(Failure) {
    if let refusal { throw refusal }
    guard PrivateFolder.make(folder) else {
      throw failure("can't be made")
    }
    try checkOwner()
  }

  /// Tries whether a job can be recorded.
  ///
  /// Exit 73 if not: the disk is full, or the folder can't be written.
  package func tryOut() throws(Failure) {
    try prepare()
    let path = "\(folder)/.tried"
    defer { unlink(path) }
    guard AtomicFile.write([UInt8](repeating: 0, count: 16 << 10), to: path) else {
      throw failure("can't be written")
    }
  }

  /// Removes a held job that waits here, with all of its files.
  ///
  /// Of one that may have left an empty job at a printer, the record stays, as canceled, until that job is found.
  /// Exit 73 if that can't be written.
  package func withdraw(_ entry: JournalEntry) throws(Failure) {
    guard !entry.record.orphans.isEmpty else { return remove(entry) }
    var outcome = JobOutcome(exitCode: .canceled, message: "The job was removed from the queue.")
    outcome.nothingPrinted = NothingPrinted(entry.record)
    try entry.update {
      $0.end(outcome, isOver: true)
      ($0.document, $0.attachments) = (nil, [])
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: entry.folder)) ?? []
    for name in names where name != JournalEntry.recordName {
      try? FileManager.default.removeItem(atPath: "\(entry.folder)/\(name)")
    }
    entry.release()
  }

  /// Removes a held job that was never sent, with all of its files.
  package func remove(_ entry: JournalEntry) {
    // Without its record it is no longer a job, even if the rest is interrupted.
    unlink("\(entry.folder)/\(JournalEntry.recordName)")
    try? FileManager.default.removeItem(atPath: entry.folder)
    entry.release()
  }
}

// MARK: - Names and owners

extension Journal {
  /// No vowels, which could form words, and no digits that look like letters.
  private static let alphabet = Array("23456789bcdfghjkmnpqrstvwxyz")

  /// Returns true if `text` could be a job's ID; anything else is never used as a path.
  package static func isID(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 16 && text.allSatisfy { alphabet.contains($0) }
  }

  /// The folders whose names could be job IDs.
  var ids: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter(Journal.isID)
  }

  /// Reads a record; nil for a folder without one, which is still being made or was never completed, and if not wanted.
  private func read(
    _ id: String, where isWanted: (Data) -> Bool = { _ in true }
  ) throws(Failure) -> JobRecord? {
    let path = "\(folder)/\(id)/\(JournalEntry.recordName)"
    guard let data = FileManager.default.contents(atPath: path), isWanted(data) else { return nil }
    guard Journal.isOwn("\(folder)/\(id)") else {
      throw Failure(.cannotWrite, "\(folder)/\(id) belongs to another user; leaving it alone.")
    }
    do {
      var record = try JSONDecoder().decode(JobRecord.self, from: data)
      record.id = id
      return record
    } catch {
      guard (try? JSONDecoder().decode(OtherRecord.self, from: data)) == nil else {
        throw Failure(
          .cannotWrite,
          "\(path) can't be read: another version of airprint wrote it, or it was changed. It was "
            + "left unchanged; job \(id) waits for a version of airprint that can read it.")
      }
      rename(path, "\(path).corrupt")
      throw Failure(
        .cannotWrite,
        "\(path) is invalid and was set aside as job.json.corrupt: the job \(id) "
          + "is no longer known.")
    }
  }

  /// The part of a record that every version has.
  private struct OtherRecord: Decodable {
    var id: String
    var phase: String
  }

  /// Refuses a journal of another user, who could insert jobs.
  private func checkOwner() throws(Failure) {
    guard Journal.isOwn(folder) else {
      throw Failure(
        .cannotWrite,
        "The job journal \(folder) belongs to another user, or is not a folder. Nothing was sent.")
    }
  }

  private static func isOwn(_ path: String) -> Bool {
    FileStatus(link: path).map { $0.kind == S_IFDIR && $0.st_uid == geteuid() } ?? false
  }

  private func failure(_ what: String) -> Failure {
    let error = SystemError()
    let isFull = [ENOSPC, EDQUOT].contains(error.number)
    return Failure(
      .cannotWrite, "The job journal \(folder) \(what): \(error).",
      hints: [
        "Nothing was sent.",
        isFull
          ? "Free some space there." : "Set XDG_STATE_HOME to a folder that this user can write.",
      ])
  }
}
