internal import Glibc
internal import PrintModel
internal import System

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
