internal import Glibc
internal import PrintModel

/// Writes a settings file whole: under the folder's lock, to a temporary file, to disk, renamed. A
/// reader, or a power cut, finds the old file or the new one.
enum AtomicFile {
  /// Takes the lock, lets `change` read what is there and give the new text, and writes it.
  static func replace(
    _ name: String, in folder: String, mode: mode_t, _ change: () throws(Failure) -> String
  ) throws(Failure) {
    let path = "\(folder)/\(name)"
    try FileTrust.checkOwner(of: folder)
    guard PrivateFolder.make(folder) else { throw failure(path) }
    let lock = open("\(folder)/.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw failure(path) }
    defer { close(lock) }
    let bytes = Array(try change().utf8)
    let temporary = "\(path).new"
    guard write(bytes, to: temporary, mode), rename(temporary, path) == 0 else {
      throw failure(path)
    }
  }

  private static func failure(_ path: String) -> Failure {
    Failure(.cannotWrite, "\(path) can't be written: \(String(cString: strerror(errno))).")
  }

  private static func write(_ bytes: [UInt8], to path: String, _ mode: mode_t) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return fsync(descriptor) == 0
  }
}
