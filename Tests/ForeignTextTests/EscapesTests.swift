import ForeignText
import FoundationEssentials
import TestSupport
import Testing

/// Untrusted strings, escaped for markup, JSON and bidirectional lines.
@Suite struct EscapesTests {
  @Test(arguments: [
    ("a <b>&\"'", "a &lt;b&gt;&amp;&quot;&#39;"),
    ("\u{600}<img>\u{301}", "\u{600}&lt;img&gt;\u{301}"),
    ("&amp;", "&amp;amp;"), ("Büro", "Büro"),
  ])
  func `markup is escaped by scalars`(text: String, expected: String) {
    #expect(markupEscaped(text).utf8.elementsEqual(expected.utf8))
  }

  @Test(arguments: [
    ("B%C3%BCro%20a", "Büro a"), ("100%", "100%"), ("%4", "%4"), ("%+1%zz", "%+1%zz"),
    ("%25zz", "%zz"), ("", ""),
  ])
  func `codes of bytes are read, and what is none is kept`(text: String, expected: String) {
    #expect(percentDecoded(text) == expected)
    #expect(percentDecoded(percentEncoded(expected) { $0 == 0x61 }) == expected)
  }

  @Test func `no markup of any name is left`() {
    for name in HostileNames.all {
      #expect(!markupEscaped(name).unicodeScalars.contains { "<>\"'".unicodeScalars.contains($0) })
    }
  }

  @Test(arguments: [
    ("Office Laser", "Office Laser"), ("Büro", "Büro"), ("写真", "写真"),
    ("מדפסת is printed", "\u{2068}מדפסת\u{2069} is printed"),
    ("at משרד קומה: 2 pages", "at \u{2068}משרד קומה\u{2069}: 2 pages"),
    ("a ם\u{5B0} b א", "a \u{2068}ם\u{5B0}\u{2069} b \u{2068}א\u{2069}"),
    ("א\nב", "\u{2068}א\u{2069}\n\u{2068}ב\u{2069}"),
  ])
  func `what is written from right to left is kept by itself`(text: String, expected: String) {
    #expect(isolated(text).utf8.elementsEqual(expected.utf8))
  }

  @Test(arguments: [
    ("\"a\u{9B}2J\u{7F}\"", "\"a\\u009B2J\\u007F\""), ("\"\u{202E}x\"", "\"\\u202Ex\""),
    ("\"\u{E0041}\"", "\"\\uDB40\\uDC41\""), ("\"\u{301}é e\u{301}\"", "\"\\u0301é e\u{301}\""),
    ("{\n  \"a\" : 1\n}", "{\n  \"a\" : 1\n}"), ("\"\u{2028}\"", "\"\\u2028\""),
  ])
  func `JSON on a terminal does nothing to it`(document: String, expected: String) {
    #expect(terminalSafeJSON(document).utf8.elementsEqual(expected.utf8))
  }

  @Test func `JSON says the same as before`() throws {
    let names = HostileNames.all
    let document = terminalSafeJSON(
      String(decoding: try JSONEncoder().encode(names), as: UTF8.self))
    #expect(try JSONDecoder().decode([String].self, from: Data(document.utf8)) == names)
    // Outside of strings, JSON only has ASCII, so a clean document is one that cleaning does not change.
    #expect(
      !document.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}" })
  }
}
