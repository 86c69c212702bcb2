extension Unicode.Scalar {
  /// The same, or U+FFFD in place of a noncharacter (Unicode §23.7): cairo refuses a text with one.
  package var drawable: Unicode.Scalar {
    value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value) ? "\u{FFFD}" : self
  }
}

extension Loss {
  /// What `drawable` has replaced.
  package static let noncharacters = Loss(
    .damage, "Codes in the text are no characters; \u{FFFD} is printed in their place.")
}

/// Encoding of a text file that is not UTF-8.
package enum TextEncoding: Sendable {
  case utf16LittleEndian
  case utf16BigEndian

  /// Number of bytes inspected to identify it.
  package static let lookedAt = 1024

  /// Detects UTF-16 by its byte order mark, or without one by its units: only assigned characters, no controls, and
  /// zero bytes, which other texts do not contain.
  package static func utf16(_ head: some Collection<UInt8>) -> TextEncoding? {
    let head = Array(head)
    for encoding in [utf16LittleEndian, utf16BigEndian] where encoding.hasMark(head) {
      return encoding
    }
    guard head.contains(0), head.count >= 4, head.count % 2 == 0 else { return nil }
    let plausible = [utf16LittleEndian, utf16BigEndian].filter { $0.makesSense(of: head) }
    // Short texts may be valid in both: choose the one with more ASCII.
    return plausible.max { $0.ascii(in: head) < $1.ascii(in: head) }
  }

  package func hasMark(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: self == .utf16LittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF])
  }

  package func unit(_ first: UInt8, _ second: UInt8) -> UInt16 {
    self == .utf16LittleEndian
      ? UInt16(first) | UInt16(second) << 8 : UInt16(second) | UInt16(first) << 8
  }

  private func units(of head: [UInt8]) -> [UInt16] {
    stride(from: 0, to: head.count - 1, by: 2).map { unit(head[$0], head[$0 + 1]) }
  }

  private func ascii(in head: [UInt8]) -> Int {
    units(of: head).count { (0x20...0x7E).contains($0) || $0 == 0x0A }
  }

  private func makesSense(of head: [UInt8]) -> Bool {
    var units = units(of: head)
    // The last pair may be incomplete.
    if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    // Two random bytes often form a character; words with spaces or lines are text.
    guard units.contains(where: { [0x20, 0x0A, 0x0D, 0x3000].contains($0) }),
      let text = String(validating: units, as: UTF16.self)
    else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .unassigned, .privateUse, .surrogate: false
      case .control: ["\t", "\n", "\r", "\u{C}"].contains(scalar)
      default: scalar != "\u{FFFE}"
      }
    }
  }

  /// Returns the character of a byte in Windows-1252 (WHATWG Encoding, windows-1252): Latin-1 with quotes, dashes and
  /// the euro in place of controls.
  package static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte)
  }

  private static let upper: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
    "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
    "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
    "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
  ]
}
