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
    let digits = text.filter { $0 != ":" }
    guard digits.utf8.count == 64 else { return nil }
    var bytes: [UInt8] = []
    var rest = digits.utf8.map { $0 }[...]
    while rest.count >= 2 {
      let pair = String(decoding: rest.prefix(2), as: UTF8.self)
      guard pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    self.init(bytes: bytes)
  }

  /// The fingerprint as `AB:CD:…`.
  package var text: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      .joined(separator: ":")
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let read = Fingerprint(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "no SHA-256 fingerprint")
    }
    self = read
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension Fingerprint: CustomStringConvertible {
  package var description: String { text }
}
