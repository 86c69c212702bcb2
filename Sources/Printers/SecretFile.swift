internal import Glibc
package import PrintModel
internal import System

/// Reads the first line of a file that contains a secret; a pipe works, too (`<(pass show printer)`).
package enum SecretFile {
  /// Returns the first line; exit 66 if the file can't be read, 64 if its first line is empty.
  ///
  /// `source` names the option.
  package static func firstLine(of file: String, _ source: String) throws(Failure) -> String {
    guard let stream = fopen(file, "re") else { throw unreadable(file, source) }
    defer { fclose(stream) }
    var line = [CChar](repeating: 0, count: 4096)
    guard fgets(&line, Int32(line.count), stream) != nil || ferror(stream) == 0 else {
      throw unreadable(file, source)
    }
    let bytes = line.prefix { ![0, 0x0A, 0x0D].contains($0) }.map(UInt8.init(bitPattern:))
    guard !bytes.isEmpty else {
      throw Failure(.usage, "\(source) \(file): its first line is empty.")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.usage, "\(source) \(file): its first line is not UTF-8.")
    }
    return text
  }

  private static func unreadable(_ file: String, _ source: String) -> Failure {
    Failure(
      .unreadable, "\(source) \(file): it can't be read: \(SystemError()).")
  }
}
