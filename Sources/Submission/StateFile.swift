internal import Glibc

/// Files that are on disk when a function returns.
enum StateFile {
  /// Replaces a file by one of these bytes: a reader, or a power cut, finds the old one or the new one.
  static func replace(_ path: String, with bytes: [UInt8]) -> Bool {
    let temporary = "\(path).new"
    guard write(bytes, to: temporary), rename(temporary, path) == 0 else {
      let problem = errno
      unlink(temporary)
      errno = problem
      return false
    }
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return synchronize(String(path[..<slash]))
  }

  /// Writes a file and waits until it is on disk.
  static func write(_ bytes: [UInt8], to path: String) -> Bool {
    let descriptor = create(path)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return put(bytes[...], to: descriptor) && fsync(descriptor) == 0
  }

  /// Copies what is behind a descriptor, from its beginning, without moving its place. `isDurable` waits
  /// until the copy is on disk.
  static func copy(_ source: Int32, to path: String, isDurable: Bool) -> Bool {
    let target = create(path)
    guard target >= 0 else { return false }
    defer { close(target) }
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    var offset: off_t = 0
    while true {
      let count = piece.withUnsafeMutableBytes { pread(source, $0.baseAddress, $0.count, offset) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return false }
      if count == 0 { return !isDurable || fsync(target) == 0 }
      guard put(piece[..<count], to: target) else { return false }
      offset += off_t(count)
    }
  }

  /// Makes a folder and those above it, for nobody else to look into.
  static func makeFolders(_ path: String) -> Bool {
    if access(path, F_OK) == 0 { return true }
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o700) == 0 || errno == EEXIST || errno == EROFS else { return false }
    }
    return access(path, F_OK) == 0
  }

  /// Brings a folder's names to disk.
  static func synchronize(_ folder: String) -> Bool {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }

  private static func create(_ path: String) -> Int32 {
    open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  private static func put(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// A flock(2) on a folder: no file of its own, nothing to clean up, and gone with its last holder.
final class FolderLock {
  let descriptor: Int32

  /// nil when the folder can't be opened or somebody else has it.
  init?(_ folder: String) {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let problem = errno
      close(descriptor)
      errno = problem
      return nil
    }
  }

  /// A lock that was inherited.
  init(adopting descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// Whether the folder of that name is still the one that is locked, and not one that was removed.
  func isStill(_ folder: String) -> Bool {
    var (mine, theirs) = (stat(), stat())
    return fstat(descriptor, &mine) == 0 && lstat(folder, &theirs) == 0
      && mine.st_ino == theirs.st_ino && mine.st_dev == theirs.st_dev
  }

  /// Whether somebody has the lock. Those who ask don't get in each other's way.
  static func isTaken(_ folder: String) -> Bool {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
