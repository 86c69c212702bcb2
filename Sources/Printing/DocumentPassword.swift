internal import Glibc
package import PrintModel
internal import Printers
internal import System

/// Returns true for a PDF file that states that it is encrypted; it may still open without a password.
///
/// Standard input and pipes are not inspected.
package func isProtected(_ path: String) async -> Bool {
  await onThread {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard let status = FileStatus(descriptor: descriptor), status.kind == S_IFREG else {
      return false
    }
    // Read instead of mapped: truncating the file in the meantime would crash the program.
    func piece(at offset: Int, _ length: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: length)
      let count = pread(descriptor, &bytes, length, off_t(offset))
      return Array(bytes.prefix(max(0, count)))
    }
    // In the last trailer, or in the dictionary of the last cross-reference stream: both are plain text.
    let end = 1 << 20
    return piece(at: 0, 1_028).holds("%PDF-")
      && piece(at: max(0, Int(status.st_size) - end), end).holds("/Encrypt")
  }
}

extension [UInt8] {
  fileprivate func holds(_ word: String) -> Bool {
    let word = Array<UInt8>(word.utf8)
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      var place = 0
      while bytes.count - place >= word.count,
        let found = memchr(base + place, Int32(word[0]), bytes.count - place - word.count + 1)
      {
        if memcmp(found, word, word.count) == 0 { return true }
        place = UnsafeRawPointer(found) - base + 1
      }
      return false
    }
  }
}

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
