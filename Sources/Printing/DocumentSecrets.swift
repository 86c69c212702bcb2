internal import DocumentBytes
internal import Glibc
internal import IPP
internal import Printers
package import PrintModel
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
    func holds(_ word: String, from offset: off_t = 0, _ length: Int) -> Bool {
      (piece(of: descriptor, from: offset, most: length) ?? []).withUnsafeBytes {
        $0.piece(0..<$0.count).contains(word)
      }
    }
    // In the last trailer, or in the dictionary of the last cross-reference stream: both are plain text.
    let end = 1 << 20
    return holds("%PDF-", 1_028)
      && holds("/Encrypt", from: max(0, status.st_size - off_t(end)), end)
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

/// Reads `--pin-file FILE`: the PIN is the file's first line.
///
/// Exit 66 if it can't be read, 64 if it is empty.
package func jobPIN(in file: String) async throws(Failure) -> String {
  try await onThread { () throws(Failure) in try SecretFile.firstLine(of: file, "--pin-file") }
}

extension PrinterConnection {
  /// Returns job-password and job-password-encryption for a job with this PIN, which the user then types at the
  /// printer; empty for a job without one.
  ///
  /// A confidential job is never printed without its PIN: exit 76 for a printer that does not support PINs, 77 if the
  /// PIN would be sent without encryption, 64 for a PIN that can't be typed on the printer's keys, and 76 for a printer
  /// that requires one.
  func jobPassword(_ pin: String?) throws(Failure) -> [Attribute] {
    guard let pin else {
      guard capabilities.mandatory.contains("job-password") else { return [] }
      throw .refused(
        "\(name) accepts jobs only with a PIN: give it with --pin-file. Nothing was sent.")
    }
    let stated = capabilities.attributes
    let methods = stated.strings("job-password-encryption-supported")
    let longest = stated.number("job-password-supported") ?? 0
    guard longest > 0 || !methods.isEmpty else {
      throw .refused("\(name) does not support PINs. Nothing was sent.")
    }
    guard ipp.peer != nil, ipp.isAgreed else {
      throw .notAllowed(
        "The connection to \(name) is not encrypted, and PINs are only sent over encrypted ones: use the printer's "
          + "ipps:// URI. Nothing was sent.")
    }
    let most = longest > 0 ? longest : 255
    let lengths = stated.spans("job-password-length-supported").first ?? 1...most
    guard lengths.contains(pin.utf8.count), pin.utf8.count <= most else {
      throw .usage(
        "--pin-file: a PIN for \(name) must have \(lengths.lowerBound) to "
          + "\(min(lengths.upperBound, most)) characters. Nothing was sent.")
    }
    if let repertoire = stated.string("job-password-repertoire-configured"),
      let problem = PrinterConnection.problem(of: pin, in: repertoire)
    {
      throw .usage("--pin-file: a PIN for \(name) must have \(problem). Nothing was sent.")
    }
    guard
      let method = JobPassword.methods.first(
        where: (methods.isEmpty ? ["none"] : methods).contains),
      let hash = JobPassword.hash(pin, by: method)
    else {
      throw .refused(
        "\(name) requires a kind of PIN encryption that airprint does not support (\(methods.inWords())). "
          + "Nothing was sent.")
    }
    return [
      Attribute("job-password", .octets(hash)),
      Attribute("job-password-encryption", .keyword(method)),
    ]
  }

  /// Returns a description of the allowed characters (job-password-repertoire, PWG 5100.11 §5.1.5); nil if `pin`
  /// consists of them, or if the repertoire is unknown.
  private static func problem(of pin: String, in repertoire: String) -> String? {
    let isASCII = pin.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    let hasDigits = pin.contains(where: \.isNumber)
    let hasLetters = pin.contains(where: \.isLetter)
    switch repertoire {
    case "iana_us-ascii_digits":
      return pin.utf8.allSatisfy { (0x30...0x39).contains($0) } ? nil : "digits only"
    case "iana_us-ascii_letters":
      return isASCII && pin.allSatisfy(\.isLetter) ? nil : "ASCII letters only"
    case "iana_us-ascii_any": return isASCII ? nil : "ASCII characters only"
    case "iana_us-ascii_complex":
      return isASCII && hasDigits && hasLetters ? nil : "ASCII letters and digits only"
    case "iana_utf-8_digits": return pin.allSatisfy(\.isNumber) ? nil : "digits only"
    case "iana_utf-8_letters": return pin.allSatisfy(\.isLetter) ? nil : "letters only"
    default: return nil
    }
  }
}
