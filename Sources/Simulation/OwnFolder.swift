internal import Glibc
package import PrintModel

/// A folder that nobody but its owner and root changes the entries of, held open: whatever becomes of the names on the
/// way to it, what is made in it is made in it.
package final class OwnFolder: Sendable {
  /// As it was named, for messages.
  package let path: String
  private let descriptor: Int32

  /// The folder at `path`, which is there.
  ///
  /// Exit 73 for another user's, who could put links in the place of what is written there, and for another user's
  /// link.
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

  /// The folder of this name in it, made unless it is there.
  ///
  /// Exit 73 as above.
  package func folder(_ name: String) throws(Failure) -> OwnFolder {
    let path = "\(self.path)/\(name)"
    guard make(path) || errno == EEXIST else { throw cannotWrite("The folder \(path)") }
    return try OwnFolder(path, named: name, in: descriptor)
  }

  /// Makes a folder that is not there yet; false with errno.
  func make(_ path: String) -> Bool { mkdirat(descriptor, inner(path), 0o777) == 0 }

  /// Makes a file that is not there yet: the folder is new, so that whatever is there is somebody else's, and may be a
  /// link.
  ///
  /// -1 with errno.
  func create(_ path: String) -> Int32 {
    openat(descriptor, inner(path), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
  }

  func remove(_ path: String) { unlinkat(descriptor, inner(path), 0) }

  /// A path for this process, by the open folder.
  func held(_ path: String) -> String { "/proc/self/fd/\(descriptor)/\(inner(path))" }

  /// The path's part behind the folder's own.
  private func inner(_ path: String) -> String { String(path.dropFirst(self.path.count + 1)) }
}
