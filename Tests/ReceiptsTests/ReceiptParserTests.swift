import PrintModel
import Testing
import Text

@testable import Receipts

/// The meaning of a receipt's lines: airprint-receipt(5).
@Suite struct ReceiptParserTests {
  private typealias Style = CellStyle

  @Test(
    arguments: [
      ("2 Flat white", .text("2 Flat white", Style(), .natural)),
      ("", .text("", Style(), .natural)),
      ("   indented", .text("   indented", Style(), .natural)),
      ("title: Café", .text("Café", Style(isBold: true, across: 2, along: 2), .center)),
      ("bold: so", .text("so", Style(isBold: true), .natural)),
      ("wide:so", .text("so", Style(across: 2), .natural)),
      ("tall: so", .text("so", Style(along: 2), .natural)),
      ("double: so", .text("so", Style(isBold: true, across: 2, along: 2), .natural)),
      (" 7 % |  0.69 ", .columns([" 7 %", "0.69"], Style())),
      ("  | 1", .columns(["", "1"], Style())),
      ("center: so", .text("so", Style(), .center)),
      ("center: so", .text("so", Style(), .center)),
      ("left: so", .text("so", Style(), .left)),
      ("right: bold: tall: so", .text("so", Style(isBold: true, along: 2), .right)),
      ("Tea | 2.90", .columns(["Tea", "2.90"], Style())),
      ("a|b|c", .columns(["a", "b", "c"], Style())),
      ("| 2.90", .columns(["", "2.90"], Style())),
      ("bold: TOTAL | 13.70", .columns(["TOTAL", "13.70"], Style(isBold: true))),
      // A line with its own alignment has no columns.
      ("center: a | b", .text("a | b", Style(), .center)),
      ("---", .rule(isDouble: false)),
      ("  ----------------  ", .rule(isDouble: false)),
      ("===", .rule(isDouble: true)),
      ("--", .text("--", Style(), .natural)),
      ("--=", .text("--=", Style(), .natural)),
      ("qr: https://a/?b=|&c=\\", .code(.qr("https://a/?b=|&c=\\", .M, width: nil), .natural)),
      ("left: qr(H, 30mm): x", .code(.qr("x", .H, width: 3_000), .left)),
      ("barcode: A 1", .code(.bars("A 1", .code128, height: 1_200, hasText: true), .natural)),
      (
        "barcode(ean13 8.5mm notext): 4006381333931",
        .code(.bars("4006381333931", .ean13, height: 850, hasText: false), .natural)
      ),
      ("image: logo (1).png", .picture("logo (1).png", width: nil, .natural)),
      ("right: image(40mm): a.svg", .picture("a.svg", width: 4_000, .right)),
    ] as [(String, Receipt.Content)])
  fileprivate func `a line`(_ line: String, _ content: Receipt.Content) throws {
    #expect(try parse(line + "\n").parts == [[Receipt.Line(number: 1, content: content)]])
    #expect(try parse(line + "\r\nx").parts[0][0].content == content, "CR LF")
  }

  @Test func `a direction lasts until the next one`() throws {
    let parts = try parse("a\nrtl: b | 1\nbold: c\ncut\n---\nltr:\nd\n").parts
    #expect(parts.map { $0.map(\.isRightToLeft) } == [[nil, true, true], [true, false]])
    #expect(parts[0][1].content == .columns(["b", "1"], Style()))
    #expect(parts[1][1].content == .text("d", Style(), .natural))
  }

  /// A name may be in a message, which has its own lines.
  @Test func `line breaks of Unicode are left out`() throws {
    let picture = "image: a\u{2028}b\u{2029}c\u{85}d\u{B}e.png"
    #expect(
      try parse(picture).parts[0][0].content == .picture("abcde.png", width: nil, .natural))
  }

  /// Texts of customers, product names and typos stay text.
  @Test(arguments: [
    "Total: 12.00", "tel: 030 1234", "Title: so", "titles: so", "title so",
    "image of the week: 3.00",
    "qrcode: x", "qr (30mm): x", "bold(x): so", "cut here", "Cut", " title: so", "VISA **** 1234",
    "# 1042", "#1042", "1: 2", ": x", "résumé: x",
  ])
  func `no word, no colon: text`(_ line: String) throws {
    let parsed = try parse("x\n" + line).parts[0][1].content
    #expect(parsed == .text(line, CellStyle(), .natural))
  }

  @Test(arguments: [
    ("\\title: so", "title: so"), ("\\cut", "cut"), ("\\---", "---"), ("a \\| b", "a | b"),
    ("a\\\\b", "a\\b"), ("end\\", "end\\"), ("text: title: a | b \\", "title: a | b \\"),
    ("text:   three", "  three"), ("\\é", "é"), ("\\#receipt", "#receipt"),
  ])
  func `a backslash takes what follows as text`(_ line: String, _ text: String) throws {
    #expect(try parse(line).parts[0][0].content == .text(text, CellStyle(), .natural))
  }

  @Test func `parts are cut apart, and empty ones are none`() throws {
    let receipt = try parse("cut\na\n\n cut \ncut\nb\ncut")
    #expect(receipt.parts.map(\.count) == [2, 1])
    #expect(receipt.parts[1][0].number == 6)
  }

  @Test func `the marker is the first line or text`() throws {
    #expect(try parse("\u{FEFF}#receipt \nx").parts.map(\.count) == [1])
    #expect(try parse("x\n#receipt").parts[0].count == 2)
  }

  @Test(arguments: [
    ("qr(30): x", "30"), ("qr(X): x", "X"), ("qr(0.5mm): x", "0.5mm"), ("qr(nanmm): x", "nan"),
    ("qr:", "has no data"), ("barcode(ean31): 1", "ean31"), ("image(big): a.png", "big"),
    ("barcode(ean13): 4006381333932", "check digit should be 1"),
    ("barcode(ean13): 40063813339A1", "only digits"), ("barcode(ean13): 1", "13 digits, or 12"),
    ("barcode(ean8): 96385075", "check digit should be 4"),
    ("barcode(upca): 036000291453", "check digit should be 2"), ("barcode(upce): 12", "6 to 8"),
    ("barcode(itf): 123", "even number"), ("barcode(code39): abc", "capitals"),
    ("barcode(codabar): 123", "A, B, C or D"), ("bold: qr: x", "for text"),
    ("a|b|c|d|e|f|g|h|i", "8 columns"), ("caf\u{E9}".latin1, "UTF-8"),
  ])
  func `what is wrong is said with its line`(_ line: String, _ why: String) throws {
    let failure = try #require(throws: Failure.self) { try parse("a\n\n" + line) }
    #expect(failure.code == .document)
    #expect(failure.message.hasPrefix("Line 3 of the receipt"), "\(failure.message)")
    #expect(failure.message.contains(why), "\(failure.message)")
  }

  @Test func `the right check digits pass, and none at all`() throws {
    for code in [
      "ean13): 4006381333931", "ean13): 400638133393", "ean8): 96385074", "ean8): 9638507",
      "upca): 036000291452", "upca): 03600029145", "itf): 1234", "codabar): A40156B",
      "code39): AB-1 $", "code93): aB", "upce): 01234565",
    ] {
      #expect(throws: Never.self) { try parse("barcode(" + code) }
    }
  }

  @Test func `control characters are left out, tabs stay`() throws {
    let content = try parse("a\0b\u{1B}@\tc\u{9B}d").parts[0][0].content
    #expect(content == .text("ab@\tcd", CellStyle(), .natural))
  }

  @Test func `a picture that is named twice is one`() throws {
    #expect(try parse("image: a\ncut\nimage: b\nimage(9mm): a").pictures == ["a", "b"])
  }

  @Test(arguments: [
    ("", "empty"), ("#receipt\n", "empty"), ("cut\ncut\n", "empty"),
    (String(repeating: "x", count: 4_097), "4096 bytes"),
    (String(repeating: "\n", count: 20_001), "20000 lines"),
    (String(repeating: "x", count: 10_000_000), "4 MB"),
    (String(repeating: "qr: x\n", count: 501), "500 codes"),
  ])
  func `what is empty or too much is refused`(_ text: String, _ why: String) throws {
    let failure = try #require(throws: Failure.self) { try parse(text) }
    #expect(failure.code == .document && failure.message.contains(why), "\(failure.message)")
  }

  @Test func `any bytes are read or refused`() {
    var generator = SystemRandomNumberGenerator()
    let words = [
      "title:", "qr(", "barcode(ean13):", "cut\n", "|", "\\", "\n", "---", "é", "\r", "\0",
    ]
    for _ in 0..<500 {
      var bytes: [UInt8] = []
      for _ in 0..<20 {
        bytes += Array((words.randomElement(using: &generator) ?? "").utf8)
        bytes.append(UInt8.random(in: 0...255, using: &generator))
      }
      do { _ = try bytes.withUnsafeBytes { try ReceiptParser.parse($0) } } catch {
        #expect((error as? Failure)?.code == .document)
      }
    }
  }

  /// A receipt without pictures and emoji is black, and unchanged on a gray page.
  @Test(
    arguments: [
      ("Tea | 2.90", false), ("title: Café ©", false), ("qr: https://example.com/1", false),
      ("double: 収據 №1", false), ("bold: Danke 🙂", true), ("1 | ✉\u{FE0F}", true),
    ])
  func `a receipt has emoji`(_ text: String, _ hasEmoji: Bool) throws {
    #expect(try parse(text).hasEmoji == hasEmoji)
  }

  /// A line that names a kind of code without `barcode`, or a word that is not lowercase, is printed as text, and told.
  @Test(
    arguments: [
      ("ean13: 4006381333931", "barcode(ean13): DATA"), ("ean-13: 1", "barcode(ean13): DATA"),
      ("code128: A1", "barcode(code128): DATA"), ("upca(notext): 1", "barcode(upca): DATA"),
      ("center: itf: 12", "barcode(itf): DATA"), ("qrcode: https://example.com", "qr: DATA"),
      ("Bold: 12", "bold: TEXT"), ("QR(30mm): 12", "qr: DATA"), ("center: Bold: 12", "bold: TEXT"),
      ("text: Bold: 12", nil), ("Bold print", nil), ("Total: 12", nil), ("Bold:", nil),
      ("text: ean13: 4006381333931", nil), ("EAN13: 4006381333931", nil), ("ean13", nil),
      ("barcode(ean13): 4006381333931", nil), ("Tea | 2.90", nil),
    ])
  func `a code without its word is told`(_ text: String, _ meant: String?) throws {
    let hints = try parse(text).hints
    #expect(hints.count == (meant == nil ? 0 : 1))
    #expect(hints.allSatisfy { $0.hasSuffix(meant ?? "") })
  }

  private func parse(_ text: String) throws -> Receipt {
    try text.bytes.withUnsafeBytes { try ReceiptParser.parse($0) }
  }
}

extension String {
  /// Marks a text to be encoded with one byte per character.
  fileprivate var latin1: String { "\u{F8FF}" + self }

  fileprivate var bytes: [UInt8] {
    guard contains("\u{F8FF}") else { return Array(utf8) }
    return unicodeScalars.filter { $0 != "\u{F8FF}" }.map { UInt8(truncatingIfNeeded: $0.value) }
  }
}
