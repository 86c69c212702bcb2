package import Glibc

/// Files that are complete and on disk when a function returns.
///
/// False means a failure, with `errno`.
package enum AtomicFile {
  /// Replaces or creates a file: a reader, or a power failure, finds the old or the new one.
  ///
  /// It is written as `PATH.new`, which a killed process may leave behind, and which the next one takes over.
  ///
  /// - `mode`: the new file's, whatever the umask.
  /// - `isDurable`: waits until it is on disk. Otherwise a power failure may leave an empty file.
  /// - `isFinal`: also waits until its name is on disk. Otherwise a power failure may leave the old file.
  package static func replace(
    _ path: String, with bytes: [UInt8], mode: mode_t = 0o600, isDurable: Bool = true,
    isFinal: Bool = true
  ) -> Bool {
    let temporary = "\(path).new"
    let descriptor = openAlone(temporary, mode)
    guard descriptor >= 0 else { return false }
    // The lock is released last: until then, no other process takes over the written file.
    defer { close(descriptor) }
    // Some file systems have no modes.
    _ = fchmod(descriptor, mode)
    guard ftruncate(descriptor, 0) == 0, writeAll(bytes[...], to: descriptor),
      !isDurable || fsync(descriptor) == 0, rename(temporary, path) == 0
    else {
      let problem = errno
      unlink(temporary)
      errno = problem
      return false
    }
    return !isDurable || !isFinal || synchronize(folder: folder(of: path))
  }

  /// Writes a file that no reader uses yet.
  package static func write(_ bytes: [UInt8], to path: String) -> Bool {
    let descriptor = create(path)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return writeAll(bytes[...], to: descriptor) && fsync(descriptor) == 0
  }

  /// Copies the contents of a descriptor, from its beginning, without moving its offset.
  ///
  /// `isDurable` waits until the copy is on disk.
  package static func copy(_ source: Int32, to path: String, isDurable: Bool) -> Bool {
    let target = create(path)
    guard target >= 0 else { return false }
    defer { close(target) }
    var isWritten = true
    let isRead = readPieces(of: source, isWhole: true) { piece in
      isWritten = writeAll(piece, to: target)
      return isWritten
    }
    return isRead && isWritten && (!isDurable || fsync(target) == 0)
  }

  /// Writes a folder's entries to disk.
  package static func synchronize(folder: String) -> Bool {
    flush(folder, O_DIRECTORY)
  }

  /// Writes an existing file to disk, with its folder entry.
  package static func synchronize(_ path: String) -> Bool {
    flush(path, O_NOFOLLOW) && synchronize(folder: folder(of: path))
  }

  private static func flush(_ path: String, _ kind: Int32) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | kind)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func create(_ path: String) -> Int32 {
    open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  /// Opens a file and locks it; if another process renamed it in the meantime, opens it again.
  ///
  /// Returns -1 with `errno` on failure.
  private static func openAlone(_ path: String, _ mode: mode_t) -> Int32 {
    for _ in 0..<1000 {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
      guard descriptor >= 0 else { return -1 }
      while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
      if FileLock.isSame(descriptor, path) { return descriptor }
      close(descriptor)
    }
    errno = EBUSY
    return -1
  }
}

/// Writes all of `bytes` to a file; false with `errno` if that fails.
package func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
  bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
}

/// Writes all of `bytes` to a file; false with `errno` if that fails.
///
/// - `isSocket`: a socket whose other end is closed is such a failure, and raises no SIGPIPE.
package func writeAll(
  _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, isSocket: Bool = false
) -> Bool {
  var rest = bytes
  while !rest.isEmpty {
    let count =
      isSocket
      ? send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      : write(descriptor, rest.baseAddress, rest.count)
    // A full terminal that a shell has made non-blocking.
    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    if count < 0, errno == EAGAIN, poll(&room, 1, -1) >= 0 { continue }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
  }
  return true
}
