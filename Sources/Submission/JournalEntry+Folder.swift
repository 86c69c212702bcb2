internal import FoundationEssentials
internal import Glibc
package import PrintModel
internal import System

extension JournalEntry {
  /// Copies a folder that the request names with its contents, and adds the copy to the attachments.
  ///
  /// Links to files in it are followed, others are not: the folder's sender may have made them. Exit 66 for a folder
  /// that can't be read, or that holds too much.
  package func copy(folder path: String) throws(Failure) {
    let name = "folder-\(record.attachments.count + 1)"
    guard let root = absolutePath(path) else {
      throw Failure(.unreadable, "The folder \(path) can't be read.")
    }
    var room = FolderCopy(root: root)
    try room.copy(path, to: "\(folder)/\(name)")
    try update { $0.attachments.append(JobRecord.Copy(path: path, copy: name)) }
  }
}

/// Copies a folder into the journal, within limits.
private struct FolderCopy {
  /// The folder's path without links.
  let root: String
  var files = 10_000
  var bytes = 1 << 30

  mutating func copy(_ source: String, to target: String, depth: Int = 0) throws(Failure) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: source) else {
      throw Failure(.unreadable, "The folder \(source) can't be read.")
    }
    guard mkdir(target, 0o700) == 0 else { throw .cannotWrite(target, SystemError()) }
    for name in names {
      let (path, copy) = ("\(source)/\(name)", "\(target)/\(name)")
      guard let status = FileStatus(link: path) else { continue }
      if status.kind == S_IFDIR {
        guard depth < 32 else { throw tooMuch(source) }
        try self.copy(path, to: copy, depth: depth + 1)
      } else {
        try copyFile(path, to: copy)
      }
    }
    guard AtomicFile.synchronize(folder: target) else {
      throw .cannotWrite(target, SystemError())
    }
  }

  private mutating func copyFile(_ path: String, to target: String) throws(Failure) {
    guard let place = absolutePath(path), place.hasPrefix(root == "/" ? root : "\(root)/") else {
      return
    }
    // Do not wait for a writer if this is a pipe.
    let descriptor = open(place, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Another user who can write the folder may have put a link into the path since (proc(5)).
    guard absolutePath("/proc/self/fd/\(descriptor)") == place else { return }
    guard let status = FileStatus(descriptor: descriptor), status.kind == S_IFREG else { return }
    files -= 1
    bytes -= Int(status.st_size)
    guard files >= 0, bytes >= 0 else { throw tooMuch(path) }
    guard AtomicFile.copy(descriptor, to: target, isDurable: true) else {
      throw .cannotWrite(target, SystemError())
    }
  }

  private func tooMuch(_ path: String) -> Failure {
    Failure(
      .unreadable, "\(path): the folder holds more than is kept for a job (10,000 files, 1 GB).")
  }
}
