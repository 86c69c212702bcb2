// Numbers and strings at fixed offsets of a header. Both formats are big-endian.

extension UInt32 {
  var bigEndianBytes: [UInt8] {
    [UInt8(self >> 24), UInt8(self >> 16 & 0xFF), UInt8(self >> 8 & 0xFF), UInt8(self & 0xFF)]
  }
}

extension [UInt8] {
  mutating func store(_ value: Int, at offset: Int) {
    replaceSubrange(offset..<offset + 4, with: UInt32(truncatingIfNeeded: value).bigEndianBytes)
  }

  func load(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Stores a field of 64 bytes: up to 63 of ASCII, then NUL.
  ///
  /// Text that does not fit is left out completely, because a truncated keyword is another keyword.
  mutating func store(_ text: String, at offset: Int) {
    let text = Array(text.utf8)
    guard text.count < 64, text.allSatisfy({ $0 > 0 && $0 < 0x80 }) else { return }
    replaceSubrange(offset..<offset + text.count, with: text)
  }

  func loadText(at offset: Int) -> String {
    String(decoding: self[offset..<offset + 64].prefix { $0 != 0 }, as: UTF8.self)
  }
}
