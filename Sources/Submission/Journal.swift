internal import FoundationEssentials
internal import Glibc
package import PrintModel

/// The folder of all jobs, `$XDG_STATE_HOME/airprint/jobs`: one folder a job, readable with `ls` and
/// `cat`.
package struct Journal: Sendable {
  package let folder: String

  package init(folder: String) { self.folder = folder }

  /// Makes a job's folder with its first entry on disk. The job's ID is short, and nobody else's.
  package func begin(
    _ record: (_ id: String) -> JobRecord
  ) throws(Failure) -> JournalEntry {
    guard makeFolders(folder) else { throw failure("can't be made") }
    for _ in 0..<100 {
      let id = String((0..<5).map { _ in Journal.alphabet.randomElement() ?? "x" })
      if mkdir("\(folder)/\(id)", 0o700) == 0 {
        let entry = JournalEntry(folder: "\(folder)/\(id)", record: record(id))
        try entry.update { _ in }
        return entry
      }
      guard errno == EEXIST else { break }
    }
    throw failure("can't be written")
  }

  /// All jobs, oldest first. What can't be read is left out: it is somebody's accident, not a job.
  package func records() -> [JobRecord] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { entry($0)?.record }.sorted {
      ($0.created, $0.id) < ($1.created, $1.id)
    }
  }

  /// The job with this ID.
  package func entry(_ id: String) -> JournalEntry? {
    guard !id.isEmpty, id.allSatisfy({ Journal.alphabet.contains($0) }),
      let data = FileManager.default.contents(atPath: "\(folder)/\(id)/job.json"),
      let record = try? JSONDecoder().decode(JobRecord.self, from: data)
    else { return nil }
    return JournalEntry(folder: "\(folder)/\(id)", record: record)
  }

  /// No vowels that make words, no digits that look like letters.
  private static let alphabet = Array("23456789bcdfghjkmnpqrstvwxyz")

  private func failure(_ what: String) -> Failure {
    Failure(
      .cannotWrite,
      "The job journal \(folder) \(what): \(String(cString: strerror(errno))). Nothing was sent.")
  }

  private func makeFolders(_ path: String) -> Bool {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o700) == 0 || errno == EEXIST else { return false }
    }
    return true
  }
}

/// One job's place in the journal.
package final class JournalEntry {
  package private(set) var record: JobRecord
  private let folder: String

  fileprivate init(folder: String, record: JobRecord) {
    self.folder = folder
    self.record = record
  }

  /// Changes the record and brings it to disk before it returns: write, fsync, rename, fsync the folder,
  /// so that a power cut leaves the old record or the new one.
  package func update(_ change: (inout JobRecord) -> Void) throws(Failure) {
    change(&record)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let temporary = "\(folder)/job.json.new"
    guard let data = try? encoder.encode(record), write(Array(data) + [0x0A], to: temporary),
      rename(temporary, "\(folder)/job.json") == 0, synchronize(folder)
    else {
      throw Failure(
        .cannotWrite,
        "The job journal \(folder) can't be written: \(String(cString: strerror(errno))).")
    }
  }

  private func write(_ bytes: [UInt8], to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      == bytes.count && fsync(descriptor) == 0
  }

  private func synchronize(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}
