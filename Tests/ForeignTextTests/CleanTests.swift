import ForeignText
import Testing

@Suite struct CleanTests {
  @Test(arguments: [
    ("Office Laser", "Office Laser"),
    ("", ""),
    ("\u{1B}[31mred\u{1B}]0;title\u{7}", "\u{FFFD}[31mred\u{FFFD}]0;title\u{FFFD}"),
    ("\u{9B}2J", "\u{FFFD}2J"),
    ("a\u{7F}\u{0}b", "a\u{FFFD}b"),
    ("a\tb\r\nc\u{2028}d\u{85}e", "a b c d e"),
    ("\u{202E}gpj.exe\u{2066}", "\u{FFFD}gpj.exe\u{FFFD}"),
    ("\u{200E}x\u{200F}\u{61C}y", "\u{FFFD}x\u{FFFD}y"),
    ("zero\u{200B}width\u{FEFF}", "zero\u{FFFD}width\u{FFFD}"),
    ("soft\u{AD}hyphen\u{3164}\u{34F}", "soft\u{FFFD}hyphen\u{FFFD}"),
    ("tag\u{E0041}\u{E0042}", "tag\u{FFFD}"),
    ("\u{FFFE}", "\u{FFFD}"),
    ("\u{FFF9}note", "\u{FFFD}note"),
    // Marks without a letter, and a number sign without a number.
    ("`\u{301}a'\u{301}", "`\u{FFFD}a'\u{FFFD}"),
    ("\u{600}`x", "\u{FFFD}`x"),
    ("\u{600}<b>\u{93E}", "\u{FFFD}<b>\u{FFFD}"),
    // Characters with unknown appearance: private use and unassigned.
    ("a\u{E000}b\u{378}", "a\u{FFFD}b\u{FFFD}"),
  ])
  func `what moves, hides or reorders is replaced`(text: String, expected: String) {
    #expect(cleaned(text) == expected)
  }

  @Test(arguments: [
    "Büro – 2. Stock", "写真プリンター", "مكتب", "طابعة رقم \u{600}5", "ไทยน้ำ", "tiếng Việt",
    // The joiners that Persian and Sinhala spelling needs.
    "می\u{200C}خواهم", "ශ්\u{200D}රී",
    // Family, woman with a skin tone and a job, heart, keycap, flag.
    "👩\u{200D}👩\u{200D}👧", "👩🏽\u{200D}🔬", "❤\u{FE0F}", "1\u{FE0F}\u{20E3}", "🇩🇪",
    "❤\u{FE0F}\u{200D}🔥",
    // An ideograph with a variation selector, as used in family names.
    "葛\u{E0100}",
  ])
  func `what people write stays`(text: String) {
    #expect(cleaned(text) == text)
  }

  @Test func `one line stays one, with all else as it is`() {
    #expect("Office\nPrinted x\r\n\u{85}\u{2028}y".onOneLine == "Office Printed x y")
    #expect("Büro \u{1B}[31m\u{200B}".onOneLine == "Büro \u{1B}[31m\u{200B}")
    #expect("\n\n".onOneLine.isEmpty)
  }

  @Test func `marks that pile up are cut`() {
    let flood = "Z" + String(repeating: "\u{336}", count: 500) + "algo"
    #expect(cleaned(flood) == "Z" + String(repeating: "\u{336}", count: 4) + "algo")
    #expect(cleaned("\u{336}x") == "\u{FFFD}x", "a mark would fall on what stands before the text")
    #expect(cleaned("a \n\u{336}x") == "a \u{FFFD}x")
  }

  @Test func `joiners that join nothing, and endless chains, are replaced`() {
    #expect(cleaned("a\u{200D}b") == "a\u{FFFD}b")
    #expect(cleaned("a\u{200C}b") == "a\u{FFFD}b")
    #expect(cleaned("👩\u{200D}") == "👩\u{FFFD}")
    let chain = Array(repeating: "👩", count: 100).joined(separator: "\u{200D}")
    #expect(cleaned(chain).unicodeScalars.count { $0 == "\u{200D}" } < 100)
    #expect(cleaned(chain).first?.unicodeScalars.count == 9, "five people, four joiners")
    #expect(cleaned("x🏽🏽") == "x\u{FFFD}", "a skin color on a letter")
    #expect(cleaned("x\u{FE0F}\u{FE0F}") == "x\u{FE0F}\u{FFFD}")
  }

  @Test func `what is too long is cut`() {
    #expect(cleaned("Laser", upTo: 5) == "Laser")
    #expect(cleaned("Laser", upTo: 4) == "Lase…")
    #expect(cleaned(String(repeating: "é", count: 900), upTo: 200).unicodeScalars.count == 201)
  }

  @Test func `a message keeps its lines and nothing else`() {
    #expect(
      cleaned("One.\r\n\tTwo.\u{1B}[2J\n", keepingLines: true) == "One.\n Two.\u{FFFD}[2J\n")
  }

  @Test func `cleaning twice changes nothing`() {
    let nasty = "\u{1B}[0m\u{301}👩\u{200D}\u{202E}é\u{301}\u{301}\u{301}\u{301}\u{301}\t\t\u{FEFF}"
    #expect(cleaned(cleaned(nasty)) == cleaned(nasty))
  }
}
