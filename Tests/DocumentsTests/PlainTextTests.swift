import Testing

@testable import Documents

/// The characters of text files, and how they look.
@Suite struct PlainTextTests {
  private func text(_ bytes: [UInt8]) throws -> PlainText {
    try GraphicsLibraries.text.load()
    return bytes.withUnsafeBytes { PlainText($0) }
  }

  private func text(_ text: String) throws -> PlainText { try self.text(Array(text.utf8)) }

  private static func bytes(_ digits: String) -> [UInt8] {
    stride(from: 0, to: digits.count, by: 2).compactMap { place in
      UInt8(digits.dropFirst(place).prefix(2), radix: 16)
    }
  }

  /// Made by Python's codecs.
  private static let samples: [(LegacyEncoding, String, String)] = [
    (
      .eucJP,
      "a4b3a4eca4cfc6fccbdcb8eca4cecab8becfa4c7a4b9a1a3a5d7a5eaa5f3a5bfa1bca4c7b0f5bafea4b7a4dea4b9a1a3c5ecb5fec5d4c0e9c2e5c5c4b6e8",
      "これは日本語の文章です。プリンターで印刷します。東京都千代田区"
    ),
    (
      .shiftJIS,
      "82b182ea82cd93fa967b8cea82cc95b68fcd82c582b781428376838a8393835e815b82c588f38dfc82b582dc82b78142938c8b9e937390e791e393638be6",
      "これは日本語の文章です。プリンターで印刷します。東京都千代田区"
    ),
    (
      .gb18030,
      "d5e2cac7d2bbb8f6d6d0cec4cec4b1bea3acd3c3c0b4b2e2cad4b4f2d3a1bbfaa1a3b1b1bea9cad0b5c4c8cbc3c7c3bfccecb6bcd4dab9a4d7f7bacdd1a7cfb0a1a3",
      "这是一个中文文本，用来测试打印机。北京市的人们每天都在工作和学习。"
    ),
    (
      .big5,
      "b36fac4fa440add3a4a4a4e5a4e5a672a141a5cea8d3b4fab8d5a64caaedbef7a143a578a55fa5abaabaa448adcca843a4d1b3a3a662a475a740a94dbec7b2dfa143",
      "這是一個中文文字，用來測試印表機。台北市的人們每天都在工作和學習。"
    ),
    (
      .eucKR,
      "c0ccb0cdc0ba20c7d1b1b9beeeb7ce20b5c820b1dbc0d4b4cfb4d92e20c7c1b8b0c5cdb7ce20c0cebce2c7d5b4cfb4d92e20bcadbfefc6afbab0bdc3",
      "이것은 한국어로 된 글입니다. 프린터로 인쇄합니다. 서울특별시"
    ),
    (
      .iso2022JP, "1b24422433246c244f467c4b5c386c244e4a383e4f2447243921231b2842",
      "これは日本語の文章です。"
    ),
  ]

  @Test(arguments: samples)
  func `East Asian text is recognized, and said to be guessed`(
    _ encoding: LegacyEncoding, _ digits: String, _ meaning: String
  ) throws {
    let bytes = Self.bytes(digits)
    #expect(LegacyEncoding.guess(bytes) == encoding)
    let text = try text(bytes)
    #expect(text.warnings.count == 1 && text.warnings[0].contains(encoding.rawValue))
    // The C library may be installed without its tables.
    let known = bytes.withUnsafeBytes { encoding.decode($0) }
    #expect(known == nil || text.pages == [[TextLine(meaning)]], "\(text.pages)")
  }

  @Test(arguments: [
    "na\u{EF}ve fa\u{E7}ade d\u{E9}j\u{E0} vu, \u{E9}l\u{E8}ve, pr\u{EA}t-\u{E0}-porter",
    "Stra\u{DF}e, \u{DC}bergr\u{F6}\u{DF}e, \u{C4}rger, M\u{FC}\u{DF}iggang, gr\u{FC}n",
    "caf\u{E9}",
  ])
  func `Western text is Windows-1252, of which nobody is warned`(_ words: String) throws {
    let text = try text(words.unicodeScalars.map { UInt8($0.value) })
    #expect(text.pages == [[TextLine(words)]])
    #expect(text.warnings.isEmpty, "\(text.warnings)")
  }

  private static func look(_ change: (inout TextLook) -> Void) -> TextLook {
    var look = TextLook()
    change(&look)
    return look
  }

  private static let bold = look { $0.isBold = true }
  private static let underlined = look { $0.isUnderlined = true }
  private static let red = look { $0.color = [192, 0, 0] }

  @Test(arguments: [
    ("N\u{8}NA\u{8}A", "NA", [TextSpan(bytes: 0..<2, look: bold)]),
    ("_\u{8}a_\u{8}b c", "ab c", [TextSpan(bytes: 0..<2, look: underlined)]),
    ("a\u{8}_", "a", [TextSpan(bytes: 0..<1, look: underlined)]),
    ("+\u{8}o", "o", []), ("\u{8}x", "x", []), ("x\u{8}", "x", []),
    ("é\u{8}é!", "é!", [TextSpan(bytes: 0..<2, look: bold)]),
    (
      "\u{1B}[01;31mred\u{1B}[0m", "red",
      [
        TextSpan(
          bytes: 0..<3,
          look: look {
            $0.isBold = true; $0.color = [192, 0, 0]
          })
      ]
    ),
    ("a\u{1B}[31mb\u{1B}[39mc", "abc", [TextSpan(bytes: 1..<2, look: red)]),
    ("\u{1B}[38;5;196mx", "x", [TextSpan(bytes: 0..<1, look: look { $0.color = [255, 0, 0] })]),
    ("\u{1B}[38;2;1;2;3mx", "x", [TextSpan(bytes: 0..<1, look: look { $0.color = [1, 2, 3] })]),
    ("\u{1B}[97;48;5;16mx\u{1B}[m", "x", []), ("\u{1B}[2Ka\u{1B}[?25lb", "ab", []),
    ("\u{1B}]0;title\u{7}a", "a", []), ("\u{1B}]8;;http://x\u{1B}\\a\u{1B}]8;;\u{1B}\\b", "ab", []),
    ("\u{1B}(Ba", "a", []), ("a\u{1B}", "a", []), ("\u{1B}[999999999999999999mx", "x", []),
  ])
  func `struck characters and escape sequences`(
    _ bytes: String, _ meaning: String, _ spans: [TextSpan]
  ) throws {
    #expect(try text(bytes).pages == [[TextLine(meaning, spans: spans)]])
  }

  @Test func `what is selected holds for the lines below`() throws {
    let pages = try text("\u{1B}[31ma\nb\u{1B}[0m\nc").pages
    let span = TextSpan(bytes: 0..<1, look: Self.red)
    #expect(pages == [[TextLine("a", spans: [span]), TextLine("b", spans: [span]), TextLine("c")]])
  }
}
