import LateLibraries
import PrintModel
import Testing

@testable import DocumentBytes
@testable import Text

/// The encoding of text files, and their layout.
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

  /// Samples made with Python's codecs.
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
    (
      .iso2022KR,
      "1b2429430e404c304d403a0f200e475131393e6e374e0f200e35480f200e315b4054344f34590f2e",
      "이것은 한국어로 된 글입니다."
    ),
  ]

  /// More samples made with Python's codecs.
  private static let singleByte: [(LegacyEncoding, String, String)] = [
    (
      .koi8R,
      "f0d2c9d7c5d42c20cdc9d22120fcd4cf20cfc2d9deced9ca20d2d5d3d3cbc9ca20d4c5cbd3d420c4ccd120d0c5dec1d4c92e",
      "Привет, мир! Это обычный русский текст для печати."
    ),
    (
      .windows1251,
      "cff0e8e2e5f22c20ece8f02120ddf2ee20eee1fbf7edfbe920f0f3f1f1eae8e920f2e5eaf1f220e4ebff20efe5f7e0f2e82e",
      "Привет, мир! Это обычный русский текст для печати."
    ),
    (
      .thai,
      "cac7d1cab4d5aad2c7e2c5a120b9d5e8a4d7cda2e9cda4c7d2c1c0d2c9d2e4b7c2b8c3c3c1b4d2cad3cbc3d1baa1d2c3bed4c1beec",
      "สวัสดีชาวโลก นี่คือข้อความภาษาไทยธรรมดาสำหรับการพิมพ์"
    ),
  ]

  @Test(arguments: samples + singleByte)
  func `text of other scripts is recognized, and said to be guessed`(
    _ encoding: LegacyEncoding, _ digits: String, _ meaning: String
  ) throws {
    let bytes = Self.bytes(digits)
    #expect(LegacyEncoding.guess(bytes) == encoding)
    let text = try text(bytes)
    #expect(text.losses.count == 1 && text.losses[0].message.contains(encoding.rawValue))
    // The C library may be installed without its conversion tables.
    let known = bytes.withUnsafeBytes { encoding.decode($0) }
    #expect(known == nil || known?.wrong == 0)
    #expect(known == nil || text.pages == [[TextLine(meaning)]], "\(text.pages)")
  }

  @Test(arguments: [
    "na\u{EF}ve fa\u{E7}ade d\u{E9}j\u{E0} vu, \u{E9}l\u{E8}ve, pr\u{EA}t-\u{E0}-porter",
    "Stra\u{DF}e, \u{DC}bergr\u{F6}\u{DF}e, \u{C4}rger, M\u{FC}\u{DF}iggang, gr\u{FC}n",
    "caf\u{E9}",
  ])
  func `Western text is Windows-1252, which is said to be guessed`(_ words: String) throws {
    let text = try text(words.unicodeScalars.map { UInt8($0.value) })
    #expect(text.pages == [[TextLine(words)]])
    #expect(
      text.losses.map(\.message) == [
        "The text does not say its encoding; it is read as Windows-1252."
      ])
  }

  @Test(
    arguments: [
      // A byte of Latin-1, a character without its second byte, and one that is cut off at the end
      ("Gr\u{FC}\u{DF}e, \u{E4}".utf8 + [0x20, 0xE9], "Gr\u{FC}\u{DF}e, \u{E4} \u{FFFD}", 1),
      ("\u{E4}\u{F6}\u{FC}".utf8 + [0xC3, 0x2E], "\u{E4}\u{F6}\u{FC}\u{FFFD}.", 1),
      ("\u{6F22}\u{5B57}".utf8 + [0xE6, 0xBC], "\u{6F22}\u{5B57}\u{FFFD}", 2),
    ] as [([UInt8], String, Int)])
  func `wrong bytes in UTF-8 cost no other character, and are counted`(
    _ bytes: [UInt8], _ meaning: String, _ wrong: Int
  ) throws {
    let text = try text(bytes)
    #expect(text.pages == [[TextLine(meaning)]])
    #expect(
      text.losses.count == 1
        && text.losses[0].message.hasPrefix("\(wrong) byte\(wrong == 1 ? "" : "s") of the text")
        && text.losses[0].message.contains("UTF-8"), "\(text.losses)")
  }

  @Test func `a wrong byte in a text of another encoding is counted, too`() throws {
    let (encoding, digits, meaning) = Self.samples[2]
    let bytes = Self.bytes(digits) + [0x0A, 0x80, 0x0A] + Self.bytes(digits)
    let text = try text(bytes)
    let isKnown = bytes.withUnsafeBytes { encoding.decode($0) } != nil
    #expect(
      text.losses.map(\.message) == [
        isKnown
          ? "The text does not say its encoding; it is read as GB18030. 1 byte of the text is not part of any character; "
            + "\u{FFFD} is printed in its place."
          : "The text looks like GB18030, which the C library here can't read; it is read as Windows-1252."
      ])
    #expect(
      !isKnown || text.pages == [[TextLine(meaning), TextLine("\u{FFFD}"), TextLine(meaning)]])
  }

  private static func look(_ change: (inout TextLook) -> Void) -> TextLook {
    var look = TextLook()
    change(&look)
    return look
  }

  private static let bold = look { $0.isBold = true }
  private static let underlined = look { $0.isUnderlined = true }
  private static let red = look { $0.color = [192, 0, 0] }
  /// Not written in Swift's strings.
  private static let noncharacters =
    "a" + String(String.UnicodeScalarView([0xFDD0, 0x1FFFE].compactMap(Unicode.Scalar.init)))

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
    ("\u{1B}]0;title\u{7}a", "a", []), (noncharacters, "a\u{FFFD}\u{FFFD}", []),
    ("\u{1B}]8;;http://x\u{1B}\\a\u{1B}]8;;\u{1B}\\b", "ab", []),
    ("\u{1B}(Ba", "a", []), ("a\u{1B}", "a", []), ("\u{1B}[999999999999999999mx", "x", []),
  ])
  func `struck characters and escape sequences`(
    _ bytes: String, _ meaning: String, _ spans: [TextSpan]
  ) throws {
    #expect(try text(bytes).pages == [[TextLine(meaning, spans: spans)]])
  }

  @Test(arguments: ["]0;title", "Pq", "X", "^a", "_b"])
  func `a string without its end ends with the line`(_ start: String) throws {
    let pages = try text("a\u{1B}\(start)\nb").pages
    #expect(pages == [[TextLine("a"), TextLine("b")]])
  }

  @Test func `what is selected holds for the lines below`() throws {
    let pages = try text("\u{1B}[31ma\nb\u{1B}[0m\nc").pages
    let span = TextSpan(bytes: 0..<1, look: Self.red)
    #expect(pages == [[TextLine("a", spans: [span]), TextLine("b", spans: [span]), TextLine("c")]])
  }
}
