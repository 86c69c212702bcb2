import Testing

@testable import Text

@Suite struct WideCharactersTests {
  @Test func `wide characters are those of tables' rows`() {
    typealias Run = WideCharacters.Run
    for (text, runs, isRuled) in [
      ("│日本│x│", [Run(bytes: 3..<9, count: 2)], true),
      ("| 한 | 😀 |", [Run(bytes: 2..<5, count: 1), Run(bytes: 8..<12, count: 1)], false),
      ("日本  x", [Run(bytes: 0..<6, count: 2)], false),
      ("  日本 x", [], false),
      ("日本語", [], false),
      ("│abc│é│", [], false),
      ("a | b", [], false),
    ] as [(String, [Run], Bool)] {
      let wide = WideCharacters(in: text)
      #expect(wide.runs == runs && wide.isRuled == isRuled, "\(text): \(wide)")
    }
  }
}
