/// The SHA-256 of a certificate's DER form, by which a printer is identified.
package struct Fingerprint: Sendable, Hashable, Codable {
  /// 32 bytes.
  package let bytes: [UInt8]

  /// Makes a fingerprint; nil unless there are 32 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Parses `AB:CD:…` as written by `openssl x509 -fingerprint -sha256`; colons and case don't matter.
  package init?(_ text: String) {
    let digits = text.filter { $0 != ":" }.map { $0.isASCII ? $0.hexDigitValue ?? -1 : -1 }
    guard digits.count == 64, !digits.contains(-1) else { return nil }
    self.init(bytes: stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }

  /// The fingerprint as `AB:CD:…`.
  package var text: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      .joined(separator: ":")
  }

  /// A short form, `AB:CD:…:12:34`, enough for a user to tell two apart.
  package var short: String {
    let parts = text.split(separator: ":")
    return (parts.prefix(2) + ["…"] + parts.suffix(2)).joined(separator: ":")
  }
}

/// In JSON, it is its text.
extension Fingerprint: RawRepresentable {
  package init?(rawValue: String) { self.init(rawValue) }
  package var rawValue: String { text }
}

extension Fingerprint: CustomStringConvertible {
  package var description: String { text }
}
