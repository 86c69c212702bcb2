internal import Glibc
package import PrintModel
internal import System

/// Reads `--document-password-file FILE`: the password for protected documents, from the file's first line.
///
/// A file, so that the password is not among the arguments that `ps` shows; a pipe works, too (`<(pass show
/// invoices)`).
///
/// It is read as UTF-8, else as Latin-1. Exit 66 if the file can't be read, 64 if its first line is empty.
package func documentPassword(in file: String) async throws(Failure) -> String {
  try await onThread { () throws(Failure) in
    guard let stream = fopen(file, "re") else { throw unreadable(file) }
    defer { fclose(stream) }
    // No password is longer: PDF uses 127 bytes of it (ISO 32000-2 §7.6.4.3).
    var line = [CChar](repeating: 0, count: 4096)
    guard fgets(&line, Int32(line.count), stream) != nil || ferror(stream) == 0 else {
      throw unreadable(file)
    }
    let bytes = line.prefix { ![0, 0x0A, 0x0D].contains($0) }.map(UInt8.init(bitPattern:))
    guard !bytes.isEmpty else {
      throw Failure(
        .usage,
        "--document-password-file \(file): its first line is empty; it must be the password.")
    }
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}

private func unreadable(_ file: String) -> Failure {
  Failure(
    .unreadable,
    "--document-password-file \(file): it can't be read: \(SystemError()).")
}
