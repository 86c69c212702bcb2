internal import Glibc
internal import PrintModel

/// Encodings of text that is neither Unicode nor Western.
///
/// Text does not specify its encoding, so it is guessed from the characters: those of East Asia are pairs of bytes, and
/// each encoding has other pairs for the common ones. See `SingleByteLetters` for the rest.
enum LegacyEncoding: String, CaseIterable {
  case shiftJIS = "Shift_JIS"
  case eucJP = "EUC-JP"
  case gb18030 = "GB18030"
  case big5 = "Big5"
  case eucKR = "EUC-KR"
  /// Recognized by their escape sequences (RFC 1468, RFC 1557), as all of their bytes are ASCII.
  case iso2022JP = "ISO-2022-JP"
  case iso2022KR = "ISO-2022-KR"
  case koi8R = "KOI8-R"
  case windows1251 = "Windows-1251"
  case thai = "TIS-620"

  /// What selects double-byte characters.
  private static let escapes: [(LegacyEncoding, [UInt8])] = [
    (.iso2022JP, [0x1B, 0x24, 0x42]), (.iso2022JP, [0x1B, 0x24, 0x40]),
    (.iso2022KR, [0x1B, 0x24, 0x29, 0x43]),
  ]

  /// True if text in it is valid UTF-8 as well.
  var isASCII: Bool { LegacyEncoding.escapes.contains { $0.0 == self } }

  /// Maximum number of bytes examined.
  private static let lookedAt = 64 << 10

  /// The encoding of bytes that are not UTF-8; nil for Western text.
  static func guess(_ bytes: some Collection<UInt8>) -> LegacyEncoding? {
    let head = Array(bytes.prefix(lookedAt))
    if head.allSatisfy({ $0 < 0x80 }) {
      return head.indices.lazy.filter { head[$0] == 0x1B }
        .compactMap { index in escapes.first { head[index...].starts(with: $0.1) }?.0 }.first
    }
    if let encoding = SingleByteLetters.encoding(of: head) { return encoding }
    // Western accented letters stand alone between others.
    let scores = allCases.compactMap { encoding in
      encoding.score(head).map { (encoding: encoding, score: $0) }
    }
    guard let best = scores.max(by: { $0.score < $1.score }), best.score > 0.55 else { return nil }
    return best.encoding
  }

  /// The share of common characters among those beyond ASCII; nil for bytes that are not text in this encoding.
  private func score(_ bytes: [UInt8]) -> Double? {
    var (all, common, wrong) = (0, 0.0, 0)
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      guard lead >= 0x80 else {
        index += 1
        continue
      }
      guard index + 1 < bytes.count else { break }
      all += 1
      guard let (length, weight) = character(lead, bytes[index + 1]) else {
        wrong += 1
        index += 1
        continue
      }
      common += weight
      index += length
    }
    guard all >= 4, wrong * 50 <= all else { return nil }
    return common / Double(all)
  }

  /// The length of a character in bytes, and a weight, up to 1 for common ones; nil when these bytes are not a
  /// character.
  private func character(_ lead: UInt8, _ trail: UInt8) -> (length: Int, weight: Double)? {
    let isHighPair = (0xA1...0xFE).contains(lead) && (0xA1...0xFE).contains(trail)
    switch self {
    case .shiftJIS:
      // Half-width katakana are rare in texts of any length.
      if (0xA1...0xDF).contains(lead) { return (1, 0.1) }
      guard (0x81...0x9F).contains(lead) || (0xE0...0xFC).contains(lead),
        (0x40...0xFC).contains(trail), trail != 0x7F
      else { return nil }
      // Punctuation, hiragana, katakana; level 1 of the ideographs.
      return (2, (0x81...0x83).contains(lead) ? 1 : (0x88...0x97).contains(lead) ? 0.8 : 0.1)
    case .eucJP:
      if lead == 0x8E { return (0xA1...0xDF).contains(trail) ? (2, 0.1) : nil }
      if lead == 0x8F { return (3, 0.1) }
      guard isHighPair else { return nil }
      let isKana = lead == 0xA4 && trail <= 0xF3 || lead == 0xA5 && trail <= 0xF6
      return (2, isKana ? 1 : lead == 0xA1 ? 0.9 : (0xB0...0xCF).contains(lead) ? 0.6 : 0.1)
    case .gb18030:
      guard (0x81...0xFE).contains(lead) else { return nil }
      if (0x30...0x39).contains(trail) { return (4, 0.1) }
      guard (0x40...0xFE).contains(trail), trail != 0x7F else { return nil }
      // Level 1 of the ideographs, which is sorted by sound, and punctuation.
      let isLevel1 = isHighPair && (0xB0...0xD7).contains(lead)
      let isPunctuation = isHighPair && (lead == 0xA1 || lead == 0xA3)
      return (2, isLevel1 ? 0.85 : isPunctuation ? 0.9 : 0.1)
    case .big5:
      guard (0xA1...0xF9).contains(lead),
        (0x40...0x7E).contains(trail) || (0xA1...0xFE).contains(trail)
      else { return nil }
      // Common characters are sorted by number of strokes; half of them have a second byte below 0x80.
      let isLow = trail <= 0x7E
      return (2, (0xA4...0xC6).contains(lead) ? (isLow ? 1 : 0.7) : lead == 0xA1 ? 0.9 : 0.1)
    case .eucKR:
      guard isHighPair else { return nil }
      // Syllables.
      return (2, (0xB0...0xC8).contains(lead) ? 0.9 : lead == 0xA1 ? 0.5 : 0.1)
    case .iso2022JP, .iso2022KR, .koi8R, .windows1251, .thai: return nil
    }
  }

  /// The text, with U+FFFD in place of bytes that are not part of any character, and the number of these; nil if the C
  /// library does not support the encoding.
  func decode(_ bytes: UnsafeRawBufferPointer) -> (text: String, wrong: Int)? {
    // Microsoft's variants of Shift-JIS, EUC-KR and TIS-620 have more characters.
    let names: [LegacyEncoding: String] = [
      .shiftJIS: "CP932", .eucKR: "CP949", .thai: "CP874", .windows1251: "CP1251",
    ]
    guard let converter = iconv_open("UTF-8", names[self] ?? rawValue),
      Int(bitPattern: converter) != -1
    else { return nil }
    defer { iconv_close(converter) }
    var input = UnsafeMutablePointer(
      mutating: bytes.assumingMemoryBound(to: CChar.self).baseAddress)
    var left = bytes.count
    var (text, wrong): ([UInt8], Int) = ([], 0)
    var piece = [CChar](repeating: 0, count: 16 << 10)
    while left > 0 {
      var room = piece.count
      let (status, problem) = piece.withUnsafeMutableBufferPointer { piece in
        var output = piece.baseAddress
        return (iconv(converter, &input, &left, &output, &room), errno)
      }
      text += piece.prefix(piece.count - room).lazy.map { UInt8(bitPattern: $0) }
      // Either the output is full, or the next byte does not start a character.
      guard status == -1, problem != E2BIG, left > 0 else { continue }
      text += "\u{FFFD}".utf8
      wrong += 1
      input = input.map { $0 + 1 }
      left -= 1
    }
    return (String(decoding: text, as: UTF8.self), wrong)
  }
}
