internal import Glibc
package import PrintModel
internal import System

/// Reads the first line of a file that contains a secret; a pipe works, too (`<(pass show printer)`).
package enum SecretFile {
  /// Returns the first line; exit 66 if the file can't be read, 64 if its first line is empty or no UTF-8.
  ///
  /// `source` names the option.
  package static func firstLine(of file: String, _ source: String) throws(Failure) -> String {
    let bytes = try firstBytes(of: file, source)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.usage, "\(source) \(file): its first line is not UTF-8.")
    }
    return text
  }

  /// Returns the first line in any encoding; `advice` ends the sentence about an empty one.
  package static func firstBytes(
    of file: String, _ source: String, advice: String = ""
  ) throws(Failure) -> [UInt8] {
    guard let stream = fopen(file, "re") else { throw unreadable(file, source) }
    defer { fclose(stream) }
    // No password is longer: PDF uses 127 bytes of it (ISO 32000-2 §7.6.4.3).
    var line = [CChar](repeating: 0, count: 4096)
    guard fgets(&line, Int32(line.count), stream) != nil || ferror(stream) == 0 else {
      throw unreadable(file, source)
    }
    let bytes = line.prefix { ![0, 0x0A, 0x0D].contains($0) }.map(UInt8.init(bitPattern:))
    guard !bytes.isEmpty else {
      throw Failure(.usage, "\(source) \(file): its first line is empty\(advice).")
    }
    return bytes
  }

  private static func unreadable(_ file: String, _ source: String) -> Failure {
    Failure(.unreadable, "\(source) \(file): \(SystemError()).")
  }
}
