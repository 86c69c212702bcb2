package import Glibc

/// The bytes of a file, up to `most`; none if it can't be read.
///
/// Also of a file that the kernel writes as it is read (/proc, /sys): of those, FoundationEssentials (6.3) returns only
/// what the first read(2) gives, one page at most.
package func wholeFile(_ path: String, most: Int = 16 << 20) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  _ = readPieces(of: descriptor) { piece in
    bytes += piece.prefix(most - bytes.count)
    return bytes.count < most
  }
  return bytes
}

/// Returns at most `most` bytes of a file from `offset`, which does not move its own; nil, with `errno`, if they can't be
/// read.
package func piece(of descriptor: Int32, from offset: off_t = 0, most: Int) -> [UInt8]? {
  var piece = [UInt8](repeating: 0, count: most)
  let count = pread(descriptor, &piece, most, offset)
  return count < 0 ? nil : Array(piece[..<count])
}

/// Passes the rest of a file, piece by piece, to `body` until that returns false; false, with `errno`, if it can't be
/// read.
///
/// - `isWhole`: passes it from its beginning, without moving the descriptor's offset.
package func readPieces<Problem: Error>(
  of descriptor: Int32, isWhole: Bool = false,
  _ body: (ArraySlice<UInt8>) throws(Problem) -> Bool
) throws(Problem) -> Bool {
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  var offset: off_t = 0
  while true {
    let count =
      isWhole
      ? pread(descriptor, &piece, piece.count, offset) : read(descriptor, &piece, piece.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return count == 0 }
    offset += off_t(count)
    guard try body(piece[..<count]) else { return true }
  }
}

/// Returns the absolute path without symbolic links; nil if nothing exists there.
package func absolutePath(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}

/// Reads a stream to its end, and returns its first 4 kB as text; nil if that takes longer than until `deadline`.
package func shortText(
  from descriptor: Int32, until deadline: ContinuousClock.Instant? = nil
) -> String? {
  var text: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1024)
  while true {
    if let deadline {
      guard ContinuousClock.now < deadline else { return nil }
      guard waitForInput(on: [descriptor], milliseconds: 200) == [true] else { continue }
    }
    let count = read(descriptor, &piece, piece.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return String(decoding: text, as: UTF8.self) }
    if text.count < 4096 { text += piece[..<count] }
  }
}

/// The owner, kind and size of a file, as stat(2) returns them.
package typealias FileStatus = stat

extension FileStatus {
  /// Makes the status of what a path leads to; nil, with `errno`, if there is none.
  package init?(_ path: String) {
    self.init()
    guard fstatat(AT_FDCWD, path, &self, 0) == 0 else { return nil }
  }

  /// Makes the status of what has this path, which may be a link itself, in an open folder; nil, with `errno`, if there
  /// is none.
  package init?(link path: String, in folder: Int32 = AT_FDCWD) {
    self.init()
    guard fstatat(folder, path, &self, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
  }

  /// Makes the status of an open file; nil, with `errno`, if there is none.
  package init?(descriptor: Int32) {
    self.init()
    guard fstat(descriptor, &self) == 0 else { return nil }
  }

  /// `S_IFREG`, `S_IFDIR` and so on (inode(7)).
  package var kind: mode_t { st_mode & S_IFMT }
}

/// Folders for one account, or for everybody to read.
package enum PrivateFolder {
  /// Creates a folder whose name begins with `path`, as mkdtemp(3) does, and returns its path.
  ///
  /// nil, with `errno`, if it can't be created.
  package static func makeTemporary(_ path: String) -> String? {
    var template = Array("\(path)XXXXXX".utf8CString)
    return mkdtemp(&template) == nil ? nil : template.text
  }

  /// Creates a folder and its missing parents, with this mode whatever the umask.
  ///
  /// False, with `errno`, if one can't be created.
  package static func make(_ path: String, mode: mode_t = 0o700) -> Bool {
    if access(path, F_OK) == 0 { return true }
    var made = ""
    var isReadOnly = false
    for part in path.split(separator: "/") {
      made += "/\(part)"
      if mkdir(made, mode) == 0 {
        chmod(made, mode)
        continue
      }
      guard errno != EEXIST else { continue }
      // A folder on the way may be on a read-only file system, and exist; below one that does not, nothing does.
      guard isReadOnly || errno == EROFS else { return false }
      isReadOnly = true
    }
    guard access(path, F_OK) != 0 else { return true }
    if isReadOnly { errno = EROFS }
    return false
  }
}
