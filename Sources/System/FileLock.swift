internal import Glibc

/// A flock(2) on a file or a folder: it ends with its last holder, however that ends.
package final class FileLock: Sendable {
  package let descriptor: Int32

  /// Locks a folder that is there.
  ///
  /// nil, with `errno`, when it can't be opened or another process has it.
  package init?(folder: String) {
    let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard opened >= 0, FileLock.lock(opened, waits: false) else { return nil }
    descriptor = opened
  }

  /// Locks a file, which is made where there is none.
  ///
  /// nil, with `errno`, when it can't be opened, or another process has it and it is not waited for.
  ///
  /// - `isNew`: the file has to be made by this.
  package init?(file: String, waits: Bool = false, isNew: Bool = false) {
    let opened = open(file, O_RDWR | O_CREAT | O_CLOEXEC | (isNew ? O_EXCL : 0), 0o600)
    guard opened >= 0, FileLock.lock(opened, waits: waits) else { return nil }
    descriptor = opened
  }

  /// A lock that was inherited.
  package init(adopting descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// True when what has that name is still what is locked, and not something that took its place.
  package func isStill(_ path: String) -> Bool { FileLock.isSame(descriptor, path) }

  /// True when a process has the lock of a file or folder.
  ///
  /// Those who ask don't get in each other's way.
  package static func isTaken(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    var (mine, theirs) = (stat(), stat())
    return fstat(descriptor, &mine) == 0 && lstat(path, &theirs) == 0
      && mine.st_ino == theirs.st_ino && mine.st_dev == theirs.st_dev
  }

  /// False, with `errno` and the descriptor closed, when the lock can't be had.
  private static func lock(_ descriptor: Int32, waits: Bool) -> Bool {
    while flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      let problem = errno
      close(descriptor)
      errno = problem
      return false
    }
    return true
  }
}
