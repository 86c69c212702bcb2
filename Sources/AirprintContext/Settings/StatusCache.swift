internal import FoundationEssentials
internal import Glibc
package import System

/// A printer's last answer, in a file of the cache folder that may be deleted at any time, with the lock of the process
/// that is asking again.
///
/// Printing does not depend on it.
package struct StatusCache: Sendable {
  /// The printer's status, its attributes, the warnings given about its supplies, and nothing but the time.
  package enum CacheKind: String, Sendable {
    case status, attributes, warnings, seen
  }

  private let folder: String
  private let path: String
  private let file: String

  /// - `key`: identifies the printer: its URI.
  package init(_ directories: Directories, key: String, of content: CacheKind = .status) {
    folder = "\(directories.cache)/\(content.rawValue)"
    path = "\(folder)/\(key.asFileName(upTo: 200))"
    file = content == .seen ? path : "\(path).\(content == .attributes ? "ipp" : "json")"
  }

  /// The bytes written last; nil when there are none.
  package func read() -> [UInt8]? {
    guard let data = FileManager.default.contents(atPath: file), data.count < 8_000_000
    else { return nil }
    return Array(data)
  }

  /// Time of the last `write`, in UTC: `2026-11-20T14:03:00Z`; nil before the first.
  package var writtenInUTC: String? {
    guard let status = FileStatus(file) else { return nil }
    return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec)).formatted(.iso8601)
  }

  /// Replaces the file as a whole: a reader finds the old or the new bytes.
  ///
  /// A cache that can't be written does no harm: the printer is then asked each time.
  package func write(_ bytes: [UInt8]) {
    guard FileTrust.makeFolder(folder) else { return }
    _ = AtomicFile.replace(file, with: bytes, isDurable: false)
  }

  /// The lock to hold while the printer is asked; nil while another process holds it.
  package func lock() -> FileLock? {
    guard FileTrust.makeFolder(folder) else { return nil }
    return FileLock(file: "\(path).lock")
  }
}

extension String {
  /// Returns a file name for a URI, which contains slashes: letters, digits, dots and dashes, at most `length` of them.
  package func asFileName(upTo length: Int) -> String {
    let name = utf8.map { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2E
        ? String(UnicodeScalar(byte)) : "-"
    }.joined()
    return String(name.suffix(length))
  }
}
