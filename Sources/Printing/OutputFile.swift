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
      guard errno == ENXIO, FileStatus(link: place.name, in: place.folder)?.kind == S_IFIFO
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

/// The destination of a file: its open folder, and its name there, which is not a link.
///
/// Links on the path are followed one by one. Each is checked through the descriptor that is then used, so that it
/// can't be replaced in the meantime.
struct OutputPlace {
  let folder: Int32
  let name: String
  /// Mode and owner of the existing entry, which is not a folder; nil if there is none.
  let entry: (mode: mode_t, owner: uid_t)?

  /// Resolves a path; the caller closes `folder`.
  ///
  /// Failures are exit 73.
  init(_ path: String) throws(Failure) {
    var walk = try Walk(path)
    while let part = walk.next() { try walk.enter(part) }
    guard !walk.name.isEmpty else {
      errno = EISDIR
      throw walk.failure
    }
    (folder, name, entry) = (walk.keepFolder(), walk.name, walk.entry)
  }

  /// The mode that a new file takes over from the caller's own file: another user's may allow everyone to read.
  var mode: mode_t? { entry.flatMap { $0.owner == geteuid() ? $0.mode : nil } }

  /// Returns false for an entry that another user left in a folder where everyone may write, such as /tmp.
  ///
  /// `folder` is the folder of the entry. This is the rule of Linux' fs.protected_symlinks and fs.protected_fifos.
  static func mayUse(_ entry: stat, in folder: stat) -> Bool {
    folder.st_mode & 0o1002 != 0o1002 || entry.st_uid == geteuid()
      || entry.st_uid == folder.st_uid
  }

  /// The remaining components of a path, and the folder reached so far.
  private struct Walk: ~Copyable {
    private let path: String
    private var folder: Int32
    private var parts: ArraySlice<Substring>
    private var links = 0
    private(set) var name = ""
    private(set) var entry: (mode: mode_t, owner: uid_t)?

    init(_ path: String) throws(Failure) {
      self.path = path
      parts = path.split(separator: "/")[...]
      folder = Walk.open(AT_FDCWD, path.hasPrefix("/") ? "/" : ".")
      if path.hasSuffix("/") { parts.append("") }
      guard folder >= 0 else { throw failure }
    }

    deinit { if folder >= 0 { close(folder) } }

    var failure: Failure { .cannotWrite(path, SystemError()) }

    mutating func next() -> Substring? { parts.popFirst() }

    mutating func keepFolder() -> Int32 {
      defer { folder = -1 }
      return folder
    }

    /// Enters one component: a folder, a link, or the final name.
    mutating func enter(_ part: Substring) throws(Failure) {
      if part.isEmpty { return name = "" }
      let found = Walk.open(folder, String(part))
      if found < 0, errno == ENOENT, parts.isEmpty { return name = String(part) }
      guard found >= 0 else { throw failure }
      guard let status = FileStatus(descriptor: found) else {
        close(found)
        throw failure
      }
      switch status.kind {
      case S_IFLNK:
        defer { close(found) }
        try follow(found, status, part)
      case S_IFDIR:
        close(folder)
        folder = found
        name = ""
      default:
        close(found)
        guard parts.isEmpty else {
          errno = ENOTDIR
          throw failure
        }
        name = String(part)
        entry = (status.st_mode & 0o777, status.st_uid)
      }
    }

    /// Replaces a link by its target.
    ///
    /// A link that someone else left in a folder where everyone may write, such as /tmp, would make us replace one of
    /// our own files: the kernel's protection applies to open(2), not to rename(2).
    private mutating func follow(_ link: Int32, _ status: stat, _ part: Substring) throws(Failure) {
      guard let above = FileStatus(descriptor: folder) else { throw failure }
      guard OutputPlace.mayUse(status, in: above) else {
        throw .cannotWrite(path, "\(part) is a link that belongs to another user")
      }
      links += 1
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlinkat(link, "", &buffer, buffer.count)
      guard links <= 40, count > 0 else {
        errno = ELOOP
        throw failure
      }
      // Swift's strings would name another file.
      guard let target = String(validating: buffer[..<count], as: UTF8.self) else {
        errno = EILSEQ
        throw failure
      }
      if target.hasPrefix("/") {
        close(folder)
        folder = Walk.open(AT_FDCWD, "/")
        guard folder >= 0 else { throw failure }
      }
      parts = target.split(separator: "/")[...] + parts
    }

    /// Opens the entry of this name itself, even if it is a link; only for inspecting it.
    private static func open(_ folder: Int32, _ name: String) -> Int32 {
      let place: Int32 = 0o10000000  // O_PATH, hidden behind _GNU_SOURCE
      return openat(folder, name, place | O_NOFOLLOW | O_CLOEXEC)
    }
  }
}
