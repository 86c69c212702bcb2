/// A domain name in DNS: labels of any bytes (RFC 1035 §3.1, RFC 6763 §4.1.3).
///
/// Names that differ only in the case of ASCII letters are equal (RFC 4343). Stored as one array, because thousands are
/// kept.
package struct DomainName: Sendable {
  /// Longest label, and longest whole name including its length octets (RFC 1035 §2.3.4).
  static let longestLabel = 63
  static let longestName = 255

  /// Each label preceded by its length, without the root's.
  private let encoded: [UInt8]

  /// Makes a name; nil for an empty label or one of more than 63 octets, or a name of more than 255.
  package init?(labels: [[UInt8]]) {
    var encoded: [UInt8] = []
    for label in labels {
      guard (1...DomainName.longestLabel).contains(label.count) else { return nil }
      encoded.append(UInt8(label.count))
      encoded += label
      guard encoded.count < DomainName.longestName else { return nil }
    }
    self.encoded = encoded
  }

  /// Makes a name from validated octets: each label preceded by its length, without the root's.
  init(checked encoded: [UInt8]) { self.encoded = encoded }

  /// Parses a name as people write it: labels separated by dots, with an optional final dot.
  package init?(_ text: String) {
    var parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    guard !parts.isEmpty else { return nil }
    self.init(labels: parts.map(Array.init))
  }

  package var labels: [[UInt8]] {
    var labels: [[UInt8]] = []
    var start = 0
    while start < encoded.count {
      let end = start + 1 + Int(encoded[start])
      labels.append(Array(encoded[start + 1..<end]))
      start = end
    }
    return labels
  }

  var isRoot: Bool { encoded.isEmpty }

  /// Returns this name below a parent name; nil if that is too long.
  func below(_ parent: DomainName) -> DomainName? {
    DomainName(labels: labels + parent.labels)
  }

  /// Labels separated by dots, not escaped, without a final dot; bytes that are not UTF-8 are replaced.
  package var text: String {
    labels.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
  }

  /// The name for libresolv: all but letters, digits, hyphens and underscores escaped as `\DDD` (RFC 1035 §5.1).
  var escaped: String {
    labels.reduce(into: "") { text, label in
      for byte in label {
        let character = Character(Unicode.Scalar(byte))
        if byte < 0x80, character.isLetter || character.isNumber || "-_".contains(character) {
          text.append(character)
        } else {
          let digits = String(byte)
          text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
      }
      text += "."
    }
  }

  /// Returns true for the same name in the same case.
  func isWritten(as other: DomainName) -> Bool { encoded == other.encoded }

  /// The name as it is sent, uncompressed.
  var octets: [UInt8] { encoded + [0] }
}

extension DomainName: Hashable {
  package static func == (left: DomainName, right: DomainName) -> Bool {
    left.encoded.count == right.encoded.count
      && left.encoded.elementsEqual(right.encoded) { lowered($0) == lowered($1) }
  }

  package func hash(into hasher: inout Hasher) {
    withUnsafeTemporaryAllocation(byteCount: encoded.count, alignment: 1) { room in
      for (index, byte) in encoded.enumerated() { room[index] = Self.lowered(byte) }
      hasher.combine(bytes: UnsafeRawBufferPointer(room))
    }
    hasher.combine(encoded.count)
  }

  /// Lowercases an ASCII letter; length octets are at most 63, so they are never letters.
  private static func lowered(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
  }
}
