internal import Glibc
internal import PrintModel
internal import System

/// Destination of a file: its folder, which is open, and its name there, which is no link.
///
/// Links on the way are followed one by one, each looked at by the descriptor that is then used, so
/// that none is put in its place in between.
struct OutputPlace {
  let folder: Int32
  let name: String
  /// The mode and the owner of what is there, which is no folder; nil if there is nothing.
  let entry: (mode: mode_t, owner: uid_t)?

  /// The caller closes `folder`.
  ///
  /// The failure is exit 73.
  init(_ path: String) throws(Failure) {
    var walk = try Walk(path)
    while let part = walk.next() { try walk.enter(part) }
    guard !walk.name.isEmpty else {
      errno = EISDIR
      throw walk.failure
    }
    (folder, name, entry) = (walk.keepFolder(), walk.name, walk.entry)
  }

  /// The mode that a new file takes over from one of the caller's own: another user's may let everybody read.
  var mode: mode_t? { entry.flatMap { $0.owner == geteuid() ? $0.mode : nil } }

  /// False for what another user left in a folder where everybody may write, /tmp for one.
  ///
  /// `folder`: the place of the entry. The rule of Linux' fs.protected_symlinks and fs.protected_fifos.
  static func mayUse(_ entry: stat, in folder: stat) -> Bool {
    folder.st_mode & 0o1002 != 0o1002 || entry.st_uid == geteuid()
      || entry.st_uid == folder.st_uid
  }

  /// Names of a path that are still to be looked at, from a folder on.
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

    var failure: Failure {
      Failure(.cannotWrite, "\(path) can't be written: \(SystemError()).")
    }

    mutating func next() -> Substring? { parts.popFirst() }

    mutating func keepFolder() -> Int32 {
      defer { folder = -1 }
      return folder
    }

    /// Goes on by one name: into a folder, along a link, or to the end.
    mutating func enter(_ part: Substring) throws(Failure) {
      if part.isEmpty { return name = "" }
      let found = Walk.open(folder, String(part))
      if found < 0, errno == ENOENT, parts.isEmpty { return name = String(part) }
      guard found >= 0 else { throw failure }
      var status = stat()
      guard fstat(found, &status) == 0 else {
        close(found)
        throw failure
      }
      switch status.st_mode & S_IFMT {
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

    /// Uses the link's target in its place.
    ///
    /// One that somebody else left in a folder where everybody may write, /tmp for one, would have us replace a
    /// file of our own: what the kernel forbids holds for open(2), not for rename(2).
    private mutating func follow(_ link: Int32, _ status: stat, _ part: Substring) throws(Failure) {
      var above = stat()
      guard fstat(folder, &above) == 0 else { throw failure }
      guard OutputPlace.mayUse(status, in: above) else {
        throw Failure(
          .cannotWrite, "\(path) can't be written: \(part) is a link that belongs to another user.")
      }
      links += 1
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlinkat(link, "", &buffer, buffer.count)
      guard links <= 40, count > 0 else {
        errno = ELOOP
        throw failure
      }
      let target = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      if target.hasPrefix("/") {
        close(folder)
        folder = Walk.open(AT_FDCWD, "/")
        guard folder >= 0 else { throw failure }
      }
      parts = target.split(separator: "/")[...] + parts
    }

    /// Status of the entry of this name itself, a link too; for looking at alone.
    private static func open(_ folder: Int32, _ name: String) -> Int32 {
      let place: Int32 = 0o10000000  // O_PATH, hidden behind _GNU_SOURCE
      return openat(folder, name, place | O_NOFOLLOW | O_CLOEXEC)
    }
  }
}
