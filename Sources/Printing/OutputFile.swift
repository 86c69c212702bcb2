internal import Glibc
package import PrintModel
internal import System

/// A file that a command writes, or standard output.
///
/// An existing file is not changed until the new one is complete: that is written beside it and renamed at the end.
/// Anything but a regular file, a device or a pipe, is written directly. Links and pipes that another user left in a
/// shared folder are not followed.
package final class OutputFile {
  /// Path as given, for messages.
  private let path: String
  private let descriptor: Int32
  /// The final place, and the temporary name of the file until it is complete; nil if it is not a file.
  private let draft: (place: OutputPlace, name: String)?
  private var isFinished = false

  /// Creates the file; exit 73 if that fails.
  package init(_ path: String) throws(Failure) {
    self.path = path
    if path == "-" {
      draft = nil
      descriptor = dup(1)
    } else if let status = FileStatus(path), status.kind != S_IFREG {
      draft = nil
      descriptor = try OutputFile.device(path)
    } else {
      // A link is kept: its target is replaced.
      let place = try OutputPlace(path)
      // In the same folder, so that it can be renamed.
      let name = ".\(place.name.prefix(200)).\(getpid()).part"
      draft = (place, name)
      descriptor = openat(
        place.folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
      if descriptor >= 0, let mode = place.mode { fchmod(descriptor, mode) }
    }
    guard descriptor >= 0 else {
      if let draft { close(draft.place.folder) }
      throw OutputFile.failure(path)
    }
  }

  deinit {
    close(descriptor)
    guard let draft else { return }
    if !isFinished { unlinkat(draft.place.folder, draft.name, 0) }
    close(draft.place.folder)
  }

  /// Opens a path that is not a regular file, and has not become one in the meantime.
  ///
  /// Returns -1 with errno; exit 73 for a stranger's link or pipe, and for a pipe that nobody reads.
  private static func device(_ path: String) throws(Failure) -> Int32 {
    let place = try OutputPlace(path)
    defer { Glibc.close(place.folder) }
    let mode = O_WRONLY | O_CLOEXEC | O_NOCTTY
    guard let folder = FileStatus(descriptor: place.folder) else { return -1 }
    let descriptor: Int32
    if place.entry != nil {
      descriptor = try openReadPipe(place, mode | O_NOFOLLOW, path)
    } else if folder.st_mode & 0o002 == 0 {
      // The kernel's own links, such as /dev/stdout to a pipe, have no path as their target.
      descriptor = open(path, mode)
    } else {
      errno = ENOENT
      descriptor = -1
    }
    guard descriptor >= 0, let status = FileStatus(descriptor: descriptor) else {
      return descriptor
    }
    if place.entry != nil, !OutputPlace.mayUse(status, in: folder) {
      close(descriptor)
      throw .cannotWrite(path, "it belongs to another user")
    }
    guard status.kind == S_IFREG else { return descriptor }
    close(descriptor)
    errno = EEXIST
    return -1
  }

  /// Longest wait, in seconds.
  private static let waitForReader = 10

  /// Opens the entry of a place; for a pipe, waits until someone reads it.
  ///
  /// Returns -1 with errno; exit 73 for a pipe that nobody reads.
  private static func openReadPipe(
    _ place: OutputPlace, _ mode: Int32, _ path: String
  ) throws(Failure) -> Int32 {
    let end = ContinuousClock.now + .seconds(waitForReader)
    while true {
      let descriptor = openat(place.folder, place.name, mode | O_NONBLOCK)
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return descriptor
      }
      var status = stat()
      guard errno == ENXIO, fstatat(place.folder, place.name, &status, AT_SYMLINK_NOFOLLOW) == 0,
        status.kind == S_IFIFO
      else { return -1 }
      guard .now < end else {
        throw .cannotWrite(path, "no program reads this pipe (\(waitForReader) s)")
      }
      usleep(20_000)
    }
  }

  /// Writes the next bytes; exit 73 if that fails.
  package func write(_ bytes: [UInt8]) throws(Failure) {
    guard writeAll(bytes[...], to: descriptor) else { throw OutputFile.failure(path) }
  }

  /// Completes the file and gives it its name.
  ///
  /// Exit 73 if that fails.
  package func finish() throws(Failure) {
    if let (place, name) = draft, renameat(place.folder, name, place.folder, place.name) != 0 {
      throw OutputFile.failure(path)
    }
    isFinished = true
  }

  private static func failure(_ path: String) -> Failure {
    .cannotWrite(path == "-" ? "Standard output" : path, SystemError())
  }
}
