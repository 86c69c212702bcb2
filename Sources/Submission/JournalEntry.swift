internal import FoundationEssentials
internal import Glibc
package import PrintModel
internal import System

/// One job in the journal, held by this process: no other changes it.
package final class JournalEntry {
  package private(set) var record: JobRecord
  /// `…/jobs/k7q2m`.
  package let folder: String
  private var lock: FileLock?

  static let recordName = "job.json"
  static let cancelName = "cancel"

  init(folder: String, record: JobRecord, lock: FileLock?) {
    self.folder = folder
    self.record = record
    self.lock = lock
  }

  /// Changes the record and brings it to disk before it returns: write, fsync, rename, fsync the folder, so that a
  /// power cut leaves the old record or the new one.
  ///
  /// Exit 73 when that fails; the record in memory is then as it was.
  package func update(_ change: (inout JobRecord) -> Void) throws(Failure) {
    guard lock != nil else {
      throw Failure(.fault, "Job \(record.id) is changed by a process that does not hold it.")
    }
    var changed = record
    change(&changed)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let path = "\(folder)/\(JournalEntry.recordName)"
    guard let data = try? encoder.encode(changed),
      AtomicFile.replace(path, with: Array(data) + [0x0A])
    else { throw failure("can't be written") }
    record = changed
    if record.isOver { unlink(secretPath) }
  }

  /// The copy of the document; nil when it was begun without one.
  package var document: String? { record.document.map { "\(folder)/\($0.copy)" } }

  /// Path of the copy of a file that the request names is; nil for one that was not copied.
  package func copy(of path: String) -> String? {
    record.attachments.first { $0.path == path }.map { "\(folder)/\($0.copy)" }
  }

  /// Somebody wants the job canceled (`Journal.requestCancel`).
  package var isCancelRequested: Bool {
    access("\(folder)/\(JournalEntry.cancelName)", F_OK) == 0
  }

  /// Withdraws the request, as its user now wants something else.
  package func dropCancelRequest() { unlink("\(folder)/\(JournalEntry.cancelName)") }

  /// Password that opens a protected document, for the one who prints it without being asked; gone
  /// when the job is over.
  package var secret: String? {
    FileManager.default.contents(atPath: secretPath).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Keeps a document's password in the job's folder, mode 0600, until the job is over.
  ///
  /// Exit 73 where it can't be written.
  package func keep(secret: String) throws(Failure) {
    guard AtomicFile.write(Array(secret.utf8), to: secretPath) else {
      throw failure("can't be written")
    }
  }

  private var secretPath: String { "\(folder)/secret" }

  /// Lets others work on the job.
  ///
  /// The entry can still be read.
  package func release() { lock = nil }

  /// The lock, for a process that is to continue with the job: it holds as long as one of them has it open.
  package var lockDescriptor: Int32? { lock?.descriptor }

  /// Copies files into the folder: `document.pdf`, `attachment-1.png` and so on.
  func copy(_ sources: [Journal.SourceFile]) throws(Failure) {
    for (index, source) in sources.enumerated() {
      var name = (index == 0 ? "document" : "attachment-\(index)") + source.suffix
      if source.isBeside {
        // A name that would leave the folder, or is taken in it, is no companion's.
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

  /// Brings all copies to disk, of a job that nobody relied on when it began.
  ///
  /// Exit 73 when one can't be.
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
  /// The file's own suffix, which people and converters go by, where it is a plain one.
  fileprivate var suffix: String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    let suffix = name[dot...]
    let isPlain = suffix.dropFirst().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return isPlain && (2...9).contains(suffix.count) ? String(suffix) : ""
  }
}
