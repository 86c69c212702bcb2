package import PrintModel
internal import Printers
internal import System

/// Reads `--document-password-file FILE`: the password for protected documents, from the file's first line.
///
/// A file, so that the password is not among the arguments that `ps` shows; a pipe works, too (`<(pass show
/// invoices)`).
///
/// It is read as UTF-8, else as Latin-1. Exit 66 if the file can't be read, 64 if its first line is empty.
package func documentPassword(in file: String) async throws(Failure) -> String {
  try await onThread { () throws(Failure) in
    let bytes = try SecretFile.firstBytes(
      of: file, "--document-password-file", advice: "; it must be the password")
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
