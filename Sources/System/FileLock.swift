internal import Glibc

/// A flock(2) on a file or a folder, which is released when its last holder ends for any reason.
package final class FileLock: Sendable {
  package let descriptor: Int32

  /// Locks an existing folder.
  ///
  /// nil, with `errno`, if it can't be opened or another process holds the lock.
  package init?(folder: String) {
    let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard opened >= 0, FileLock.lock(opened, waits: false) else { return nil }
    descriptor = opened
  }

  /// Locks a file, which is created if missing.
  ///
  /// nil, with `errno`, if it can't be opened, or if another process holds the lock and `waits` is false.
  ///
  /// - `isNew`: fails if the file exists.
  package init?(file: String, waits: Bool = false, isNew: Bool = false) {
    let opened = open(file, O_RDWR | O_CREAT | O_CLOEXEC | (isNew ? O_EXCL : 0), 0o600)
    guard opened >= 0, FileLock.lock(opened, waits: waits) else { return nil }
    descriptor = opened
  }

  /// Takes over an inherited lock.
  package init(adopting descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// Returns true if the path still refers to the locked file, and not to a replacement.
  package func isStill(_ path: String) -> Bool { FileLock.isSame(descriptor, path) }

  /// Returns true if a process holds the lock of a file or folder.
  ///
  /// Concurrent checks don't affect each other.
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

  /// Takes the lock; false, with `errno` and the descriptor closed, on failure.
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
