/// Recognizes encodings with one byte per letter, other than Western ones, by sequences of letters.
///
/// Western accented letters stand alone between ASCII letters; these stand together, and a few of them make up nearly
/// all of a text.
enum SingleByteLetters {
  /// The Cyrillic or Thai encoding of bytes; nil for any other.
  static func encoding(of bytes: [UInt8]) -> LegacyEncoding? {
    let letters = bytes.count { $0 >= 0x80 }
    guard letters >= 8 else { return nil }
    if isThai(bytes, letters) { return .thai }
    let together = bytes.indices.count { index in
      bytes[index] >= 0x80
        && (index > 0 && bytes[index - 1] >= 0x80
          || index + 1 < bytes.count && bytes[index + 1] >= 0x80)
    }
    guard together * 10 >= letters * 9 else { return nil }
    let shares = [(LegacyEncoding.koi8R, koi8R), (.windows1251, windows1251)].map {
      ($0, $1.share(of: bytes, letters))
    }
    return shares.max { $0.1 < $1.1 }.flatMap { $0.1 >= 0.72 ? $0.0 : nil }
  }

  /// The positions of letters in a Cyrillic encoding.
  private struct Cyrillic {
    /// Lowercase letters; as many capitals are 32 positions away.
    var small: ClosedRange<UInt8>
    /// The 15 most frequent lowercase letters.
    var frequent: [UInt8]

    /// The share of frequent letters, if most letters are lowercase; otherwise 0.
    func share(of bytes: [UInt8], _ letters: Int) -> Double {
      guard bytes.count(where: { small.contains($0) }) * 10 >= letters * 6 else { return 0 }
      let all = Set(frequent + frequent.map { $0 ^ 0x20 })
      return Double(bytes.count { all.contains($0) }) / Double(letters)
    }
  }

  /// RFC 1489.
  private static let koi8R = Cyrillic(
    small: 0xC0...0xDF,
    frequent: [
      0xCF, 0xC5, 0xC1, 0xC9, 0xCE, 0xD4, 0xD3, 0xD2, 0xD7, 0xCC, 0xCB, 0xCD, 0xC4, 0xD0, 0xD5,
    ])

  private static let windows1251 = Cyrillic(
    small: 0xE0...0xFF,
    frequent: [
      0xEE, 0xE5, 0xE0, 0xE8, 0xED, 0xF2, 0xF1, 0xF0, 0xE2, 0xEB, 0xEA, 0xEC, 0xE4, 0xEF, 0xF3,
    ])

  /// Four out of five letters of Thai text.
  private static let frequentThai: Set<UInt8> = [
    0xA1, 0xA2, 0xA4, 0xA7, 0xA8, 0xB4, 0xB5, 0xB7, 0xB9, 0xBA, 0xBB, 0xBE, 0xC1, 0xC2, 0xC3, 0xC5,
    0xC7, 0xCA, 0xCB, 0xCD, 0xD0, 0xD1, 0xD2, 0xD4, 0xD5, 0xE0, 0xE8, 0xE9,
  ]

  /// True for Thai: vowels and tone marks, which are above and below a consonant, are stored after it.
  private static func isThai(_ bytes: [UInt8], _ letters: Int) -> Bool {
    func isMark(_ byte: UInt8) -> Bool {
      byte == 0xD1 || (0xD4...0xDA).contains(byte) || (0xE7...0xEE).contains(byte)
    }
    var (marks, astray) = (0, 0)
    for (index, byte) in bytes.enumerated() where isMark(byte) {
      marks += 1
      let before = index > 0 ? bytes[index - 1] : 0
      if !(0xA1...0xCE).contains(before), !isMark(before) { astray += 1 }
    }
    let frequent = bytes.count { frequentThai.contains($0) }
    return marks * 10 >= letters && astray * 20 <= marks && frequent * 10 >= letters * 7
  }
}
