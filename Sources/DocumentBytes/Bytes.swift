// DocumentBytes: the bytes of a document in memory, and numbers and words in them.

internal import Glibc

extension UnsafeRawBufferPointer {
  package func dropping(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: dropFirst(count))
  }

  package func piece(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }

  package func number(at offset: Int, bytes count: Int = 2, isLittle: Bool = false) -> Int {
    let digits = self[offset..<offset + count]
    return isLittle
      ? digits.reversed().reduce(0) { $0 << 8 | Int($1) } : digits.reduce(0) { $0 << 8 | Int($1) }
  }

  package func hasPrefix(_ text: String, at offset: Int = 0) -> Bool {
    count >= offset + text.utf8.count && dropFirst(offset).starts(with: text.utf8)
  }

  /// True when it contains ASCII `text`.
  package func contains(_ text: String) -> Bool { firstPlace(of: text, from: 0) != nil }

  /// Where ASCII `text` stands first, from a place on.
  package func firstPlace(of text: String, from start: Int) -> Int? {
    guard let base = baseAddress, let first = text.utf8.first else { return nil }
    let length = text.utf8.count
    var place = start
    while place + length <= count,
      let found = memchr(base + place, Int32(first), count - length + 1 - place)
    {
      place = UnsafeRawPointer(found) - base
      if memcmp(found, text, length) == 0 { return place }
      place += 1
    }
    return nil
  }

  /// Where ASCII `text` stands last, beginning before a place.
  package func lastPlace(of text: String, before place: Int) -> Int? {
    (0..<place).last { hasPrefix(text, at: $0) }
  }

  /// True for a byte that is neither whitespace nor a delimiter in a PDF (ISO 32000-1 §7.2.2).
  package func isRegular(_ byte: UInt8) -> Bool {
    !isSpace(byte) && !"()<>[]{}/%".utf8.contains(byte)
  }

  /// True for whitespace in a PDF (§7.2.2).
  package func isSpace(_ byte: UInt8) -> Bool { [0, 9, 10, 12, 13, 32].contains(byte) }
}
