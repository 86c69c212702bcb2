@testable import PrintModel
import Testing
import PrintOptions

@Suite struct TextTests {
  @Test(arguments: ["Grüße, 世界 🎉\n", "مرحبا\n", "plain\n", "日本語のテキスト。\n改行"])
  func `UTF-16 is told with and without its mark`(_ text: String) {
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(TextEncoding.utf16([0xFF, 0xFE] + little) == .utf16LittleEndian)
    #expect(TextEncoding.utf16([0xFE, 0xFF] + big) == .utf16BigEndian)
    #expect(TextEncoding.utf16(little) == .utf16LittleEndian)
    #expect(TextEncoding.utf16(big) == .utf16BigEndian)
    #expect(DocumentFormat.sniff(little) == "text/plain")
    #expect(TextEncoding.utf16(text.utf8) == nil)
  }

  @Test func `what has zero bytes and is no text is no text`() {
    for bytes: [UInt8] in [
      [0, 1, 2, 3], [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0], [0, 0, 0, 0], Array("text\0".utf8),
    ] {
      #expect(TextEncoding.utf16(bytes) == nil)
      #expect(DocumentFormat.sniff(bytes) == nil)
    }
  }

  @Test func `Windows-1252 is Latin-1 with quotes and the euro`() {
    let seen = [0x80, 0x93, 0xE9, 0x41, 0x9F].map(TextEncoding.windows1252)
    #expect(String(String.UnicodeScalarView(seen)) == "€“éAŸ")
  }

  @Test(
    arguments: [
      ("Noto Sans 11", "Noto Sans", 11.0), ("DejaVu Serif", "DejaVu Serif", nil), ("9.5", nil, 9.5),
      ("Sans 12pt", "Sans", 12), ("Iosevka Term 3 8", "Iosevka Term 3", 8),
    ] as [(String, String?, Double?)])
  func `a font has a name, a size or both`(
    _ text: String, _ family: String?, _ size: Double?
  ) throws {
    var request = PrintRequest()
    try PrintOption.font.apply(text, to: &request)
    #expect(request.text.family == family && request.text.size == size)
  }

  @Test(arguments: [
    (PrintOption.font, ""), (.font, "Sans 1"), (.font, "Sans 4000"), (.font, "Sans, Serif"),
    (.align, "middle"), (.textColor, "blurple"), (.textColor, "#12345"), (.textColor, "#ggg"),
  ])
  func `nonsense is refused`(_ option: PrintOption, _ text: String) {
    var request = PrintRequest()
    let failure = #expect(throws: Failure.self) { try option.apply(text, to: &request) }
    #expect(failure?.code == .usage)
    #expect(failure?.message.hasPrefix("--\(option.rawValue) ") == true)
  }

  @Test func `ink has a name or is in hexadecimal`() {
    #expect(TextStyle.Ink("#1a2B3c") == TextStyle.Ink(red: 0x1A, green: 0x2B, blue: 0x3C))
    #expect(TextStyle.Ink("#f08") == TextStyle.Ink(red: 255, green: 0, blue: 0x88))
    #expect(TextStyle.Ink("Navy") == TextStyle.Ink(red: 0, green: 0, blue: 128))
  }
}
