internal import FoundationEssentials
internal import Glibc
package import PrintModel
internal import System

/// A command that has a job canceled: each has a file of its own, which the other one never withdraws.
package enum CancelRequest: String, CaseIterable {
  case cancel, move
}

/// One job in the journal, held by this process: no other process changes it.
package final class JournalEntry {
  package private(set) var record: JobRecord
  /// `…/jobs/k7q2m`.
  package let folder: String
  private var lock: FileLock?

  static let recordName = "job.json"

  /// The journal that it is in.
  var journal: Journal { Journal(folder: String(folder.dropLast(record.id.utf8.count + 1))) }

  init(folder: String, record: JobRecord, lock: FileLock?) {
    self.folder = folder
    self.record = record
    self.lock = lock
  }

  /// Changes the record and writes it to disk before it returns.
  ///
  /// It writes, calls fsync, renames, and calls fsync on the folder, so that a power failure leaves the old record or
  /// the new one. Exit 73 if that fails; the record in memory is then unchanged.
  ///
  /// Without `isFinal`, it leaves out the latter: a power failure soon afterwards may leave the old record.
  package func update(
    isFinal: Bool = true, _ change: (inout JobRecord) -> Void
  ) throws(Failure) {
    guard lock != nil else {
      throw Failure(.fault, "Job \(record.id) is changed by a process that does not hold it.")
    }
    var changed = record
    change(&changed)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let path = "\(folder)/\(JournalEntry.recordName)"
    guard let data = try? encoder.encode(changed),
      AtomicFile.replace(path, with: Array(data) + [0x0A], isFinal: isFinal)
    else { throw failure("can't be written") }
    record = changed
    if record.isOver { unlink(secretPath) }
  }

  /// Changes the record in memory only: the next update, which follows, writes it.
  func keep(_ change: (inout JobRecord) -> Void) { change(&record) }

  /// Makes the last change final.
  func finishUpdate() { _ = AtomicFile.synchronize(folder: folder) }

  /// Path of the document's copy; nil if the job was started without one.
  package var document: String? { record.document.map { "\(folder)/\($0.copy)" } }

  /// Returns the path of the copy of a file that the request names; nil if it was not copied.
  package func copy(of path: String) -> String? {
    record.attachments.first { $0.path == path }.map { "\(folder)/\($0.copy)" }
  }

  /// True if the job has to be canceled (`Journal.requestCancel`).
  package var isCancelRequested: Bool { CancelRequest.allCases.contains(where: isCanceled) }

  /// True if this command has requested that.
  package func isCanceled(by command: CancelRequest) -> Bool {
    access("\(folder)/\(command.rawValue)", F_OK) == 0
  }

  /// Password of a protected document, for a process that prints it without asking; deleted when the job ends.
  package var secret: String? {
    FileManager.default.contents(atPath: secretPath).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Stores a document's password in the job's folder, mode 0600, until the job ends.
  ///
  /// Exit 73 if it can't be written.
  package func keep(secret: String) throws(Failure) {
    guard AtomicFile.write(Array(secret.utf8), to: secretPath) else {
      throw failure("can't be written")
    }
  }

  private var secretPath: String { "\(folder)/secret" }

  /// Releases the lock, so that other processes can work on the job.
  ///
  /// The entry can still be read.
  package func release() { lock = nil }

  /// The lock's descriptor, for a process that continues the job: the lock is held as long as either has it open.
  package var lockDescriptor: Int32? { lock?.descriptor }

  /// Copies files into the folder: `document.pdf`, `attachment-1.png` and so on.
  func copy(_ sources: [Journal.SourceFile]) throws(Failure) {
    for (index, source) in sources.enumerated() {
      var name = (index == 0 ? "document" : "attachment-\(index)") + source.suffix
      if source.isBeside {
        // Skip a path that would leave the folder, or that exists there already.
        guard JobRecord.Copy.isInside(source.path), access("\(folder)/\(source.path)", F_OK) != 0
        else { continue }
        name = source.path
      }
      let path = "\(folder)/\(name)"
      if let slash = path.lastIndex(of: "/") {
        guard PrivateFolder.make(String(path[..<slash])) else {
          throw failure("can't be written")
        }
      }
      guard AtomicFile.copy(source.descriptor, to: path, isDurable: record.isKept) else {
        throw failure("can't be written")
      }
      let copy = JobRecord.Copy(path: source.path, copy: name, mediaType: source.mediaType)
      if index == 0 { record.document = copy } else { record.attachments.append(copy) }
    }
  }

  /// Writes all copies to disk, for a job that nobody relied on when it started.
  ///
  /// Exit 73 if that fails.
  package func makeDurable() throws(Failure) {
    let copies = ([record.document].compactMap { $0 } + record.attachments).map {
      "\(folder)/\($0.copy)"
    }
    for path in copies {
      guard AtomicFile.synchronize(path) else { throw failure("can't be written") }
    }
  }

  private func failure(_ what: String) -> Failure {
    Failure(
      .cannotWrite,
      "The job journal \(folder) \(what): \(SystemError()).")
  }
}

extension Journal.SourceFile {
  /// The file's own suffix, which people and converters rely on, if it is a plain one.
  fileprivate var suffix: String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    let suffix = name[dot...]
    let isPlain = suffix.dropFirst().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return isPlain && (2...9).contains(suffix.count) ? String(suffix) : ""
  }
}
