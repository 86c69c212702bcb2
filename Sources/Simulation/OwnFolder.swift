internal import Glibc
package import PrintModel
internal import System

/// A folder of this user or root, held open: files are created in this folder even if the names on the path to it
/// change.
package final class OwnFolder: Sendable {
  /// The path as it was given, for messages.
  package let path: String
  private let descriptor: Int32

  /// Opens the existing folder at `path`.
  ///
  /// Throws exit 73 for another user's folder, in which they could replace written files with links, and for another
  /// user's link.
  package convenience init(_ path: String) throws(Failure) {
    try self.init(path, named: path, in: AT_FDCWD)
  }

  private init(_ path: String, named name: String, in above: Int32) throws(Failure) {
    self.path = path
    descriptor = openat(above, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    var (entry, folder) = (stat(), stat())
    guard descriptor >= 0, fstatat(above, name, &entry, AT_SYMLINK_NOFOLLOW) == 0,
      fstat(descriptor, &folder) == 0
    else { throw cannotWrite("The folder \(path)") }
    let trusted: Set = [0, geteuid()]
    guard trusted.contains(entry.st_uid), trusted.contains(folder.st_uid) else {
      throw Failure(
        .cannotWrite,
        "The folder \(path) belongs to another user; name another one with --output.")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Opens the subfolder of this name; creates it if it does not exist.
  ///
  /// Throws exit 73 as above.
  package func folder(_ name: String) throws(Failure) -> OwnFolder {
    let path = "\(self.path)/\(name)"
    guard make(path) || errno == EEXIST else { throw cannotWrite("The folder \(path)") }
    return try OwnFolder(path, named: name, in: descriptor)
  }

  /// Creates a new folder; false with errno when that fails.
  func make(_ path: String) -> Bool { mkdirat(descriptor, inner(path), 0o777) == 0 }

  /// Creates a new file, and returns its descriptor, or -1 with errno.
  ///
  /// The folder is new, so an existing file is somebody else's, and may be a link.
  func create(_ path: String) -> Int32 {
    openat(descriptor, inner(path), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
  }

  /// Writes a new file; throws exit 73 when that fails.
  func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let descriptor = create(path)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, writeAll(bytes[...], to: descriptor) else { throw cannotWrite(path) }
  }

  func remove(_ path: String) { unlinkat(descriptor, inner(path), 0) }

  /// The path through the open folder, for this process.
  func held(_ path: String) -> String { "/proc/self/fd/\(descriptor)/\(inner(path))" }

  /// The path relative to the folder.
  private func inner(_ path: String) -> String { String(path.dropFirst(self.path.count + 1)) }
}
