internal import Glibc
internal import PrintModel
internal import System

/// True for a PDF file that says that it is encrypted; it may still open without a password. Standard input and
/// pipes are not looked at.
package func isProtected(_ path: String) async -> Bool {
  await onThread {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    // In the trailer, or in the dictionary of a stream of cross-references: both are plain text.
    return EncryptionSearch(descriptor).finds("/Encrypt")
  }
}

/// A search through a PDF's bytes, a part of the file at a time.
private struct EncryptionSearch {
  private let descriptor: Int32
  private static let partSize = 1 << 20

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func finds(_ word: String) -> Bool {
    let word = Array(word.utf8)
    var bytes = [UInt8](repeating: 0, count: EncryptionSearch.partSize)
    var offset: off_t = 0
    while true {
      let count = pread(descriptor, &bytes, bytes.count, offset)
      guard count >= word.count else { return false }
      if offset == 0, !holds("%PDF-", bytes.prefix(min(count, 1_024))) { return false }
      if holds(word, bytes.prefix(count)) { return true }
      // A word may stand across two parts.
      offset += off_t(count - word.count + 1)
    }
  }

  private func holds(_ word: String, _ bytes: ArraySlice<UInt8>) -> Bool {
    holds(Array(word.utf8), bytes)
  }

  private func holds(_ word: [UInt8], _ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress else { return false }
      var place = 0
      while all.count - place >= word.count,
        let found = memchr(base + place, Int32(word[0]), all.count - place - word.count + 1)
      {
        if memcmp(found, word, word.count) == 0 { return true }
        place = UnsafeRawPointer(found) - base + 1
      }
      return false
    }
  }
}

extension FileReport {
  /// It takes a password, or another one.
  package var needsPassword: Bool {
    exitCode == .document && message?.hasPrefix("The PDF is protected by a password") == true
  }
}
