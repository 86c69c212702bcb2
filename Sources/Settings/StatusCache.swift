internal import FoundationEssentials
internal import Glibc

/// How a printer was when it was last asked: a file of the cache folder, which may be deleted at any time,
/// and the lock of whoever asks it anew.
package struct StatusCache: Sendable {
  private let folder: String
  private let path: String

  /// - Parameter key: what stands for the printer: its URI.
  package init(_ places: Directories, key: String) {
    folder = "\(places.cache)/status"
    path = "\(folder)/\(key.asFileName)"
  }

  /// What was written last; nil when there is nothing.
  package func read() -> [UInt8]? {
    guard let data = FileManager.default.contents(atPath: "\(path).json"), data.count < 1_000_000
    else { return nil }
    return Array(data)
  }

  /// Writes it whole: a reader finds the old or the new. A cache that can't be written is no trouble, the
  /// printer is asked each time then.
  package func write(_ bytes: [UInt8]) {
    guard makeFolder() else { return }
    let temporary = "\(path).\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    if count != bytes.count || rename(temporary, "\(path).json") != 0 { unlink(temporary) }
  }

  /// The lock of whoever asks the printer: a descriptor, which the caller closes; nil while another
  /// process has it.
  package func lock() -> Int32? {
    guard makeFolder() else { return nil }
    let descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  private func makeFolder() -> Bool {
    PrivateFolder.make(folder)
  }
}

extension String {
  /// A file's name of letters, digits, dots and dashes, for a URI, which has slashes.
  var asFileName: String {
    let name = utf8.map { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2E
        ? String(UnicodeScalar(byte)) : "-"
    }.joined()
    return String(name.suffix(200))
  }
}
