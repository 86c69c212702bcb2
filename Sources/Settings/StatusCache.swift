internal import FoundationEssentials
package import System

/// A printer's last answer: a file of the cache folder, which may be deleted at
/// any time, and the lock of whoever asks it anew.
package struct StatusCache: Sendable {
  /// Its status, its attributes, and the warnings that were given about its supplies.
  package enum CacheKind: String, Sendable {
    case status, attributes, warnings
  }

  private let folder: String
  private let path: String

  /// - `key`: what stands for the printer: its URI.
  package init(_ places: Directories, key: String, of content: CacheKind = .status) {
    folder = "\(places.cache)/\(content.rawValue)"
    path = "\(folder)/\(key.asFileName)"
  }

  /// The bytes written last; nil when there is nothing.
  package func read() -> [UInt8]? {
    guard let data = FileManager.default.contents(atPath: "\(path).json"), data.count < 8_000_000
    else { return nil }
    return Array(data)
  }

  /// Writes it whole: a reader finds the old or the new.
  ///
  /// A cache that can't be written is no trouble, the printer is asked each time then.
  package func write(_ bytes: [UInt8]) {
    guard FileTrust.makeFolder(folder) else { return }
    _ = AtomicFile.replace("\(path).json", with: bytes, isDurable: false)
  }

  /// The lock held while the printer is asked; nil while another process has it.
  package func lock() -> FileLock? {
    guard FileTrust.makeFolder(folder) else { return nil }
    return FileLock(file: "\(path).lock")
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
