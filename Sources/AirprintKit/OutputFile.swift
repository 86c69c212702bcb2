internal import Glibc
internal import PrintModel

/// A file that a command writes, or standard output. A file that was there stays as it was until the new
/// one is whole: that is written beside it and takes its name in the end. What is no regular file, a
/// device or a pipe, is written to as it is.
final class OutputFile {
  /// As it was named, for messages.
  private let path: String
  private let descriptor: Int32
  /// What takes whose name at the end; nil when nothing does.
  private let renaming: (from: String, to: String)?
  private var isFinished = false

  /// Exit 73 when it can't be made.
  init(_ path: String) throws(Failure) {
    self.path = path
    var status = stat()
    let isThere = path != "-" && stat(path, &status) == 0
    if path == "-" {
      renaming = nil
      descriptor = dup(1)
    } else if isThere, status.st_mode & S_IFMT != S_IFREG {
      renaming = nil
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      // A link stays a link: what it leads to is replaced.
      try OutputFile.checkLinks(in: path)
      let place = OutputFile.resolved(path)
      let draft = OutputFile.draft(of: place)
      renaming = (draft, place)
      descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
      if descriptor >= 0, isThere { fchmod(descriptor, status.st_mode & 0o777) }
    }
    guard descriptor >= 0 else { throw OutputFile.failure(path) }
  }

  deinit {
    close(descriptor)
    if let renaming, !isFinished { unlink(renaming.from) }
  }

  /// Throws at a link that somebody else left in a folder where everybody may write, /tmp for one, and that
  /// would have us replace a file of our own: the rule of Linux' fs.protected_symlinks, which holds for
  /// open(2), not for rename(2).
  private static func checkLinks(in path: String) throws(Failure) {
    var place = path.hasPrefix("/") ? "/" : "."
    for part in path.split(separator: "/") {
      var (folder, link) = (stat(), stat())
      let next = place == "/" ? "/\(part)" : "\(place)/\(part)"
      let isShared = stat(place, &folder) == 0 && folder.st_mode & 0o1002 == 0o1002
      if isShared, lstat(next, &link) == 0, link.st_mode & S_IFMT == S_IFLNK,
        link.st_uid != geteuid(), link.st_uid != folder.st_uid
      {
        throw Failure(
          .cannotWrite, "\(path) can't be written: \(next) is a link that somebody else put there.")
      }
      place = next
    }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// `.NAME.PID.part` in the same folder, so that it can take the name.
  private static func draft(of path: String) -> String {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return "\(path[..<slash]).\(path[slash...]).\(getpid()).part"
  }

  func write(_ bytes: [UInt8]) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw OutputFile.failure(path) }
      done += count
    }
  }

  /// The file is whole, and gets its name.
  func finish() throws(Failure) {
    if let renaming, rename(renaming.from, renaming.to) != 0 { throw OutputFile.failure(path) }
    isFinished = true
  }

  private static func failure(_ path: String) -> Failure {
    Failure(
      .cannotWrite,
      "\(path == "-" ? "Standard output" : path) can't be written: "
        + "\(String(cString: strerror(errno))).")
  }
}
