import PrintModel
import Testing
import PrintOptions

@Suite struct SuggestionTests {
  private let keys = ["timeout", "on-timeout", "color", "quality", "sides", "types"]

  @Test(arguments: [
    ("qualty", "quality"), ("Quality", "quality"), ("colour", "color"), ("typs", "types"),
    ("side", "sides"), ("timout", "timeout"), ("qaulity", "quality"), ("kolor", "color"),
    ("sidse", "sides"),
  ])
  func `a slip finds its word`(_ word: String, _ meant: String) {
    #expect(keys.nearest(to: word) == meant)
    #expect(keys.suggestion(for: word) == " (did you mean \"\(meant)\"?)")
  }

  @Test(arguments: ["", "x", "paper", "printers", String(repeating: "q", count: 100_000)])
  func `what is like nothing is left alone`(_ word: String) {
    #expect(keys.nearest(to: word) == nil)
    #expect(keys.suggestion(for: word) == "")
  }

  @Test func `one word of a name will do`() {
    let names = ["Office Laser", "Front Till"]
    #expect(names.nearest(to: "Ofice") == "Office Laser")
    #expect(names.nearest(to: "tils") == "Front Till")
    #expect(names.nearest(to: "Kitchen") == nil)
  }

  @Test func `nothing to choose from is no suggestion`() {
    #expect([String]().nearest(to: "x") == nil)
    #expect([""].nearest(to: "abc") == nil)
  }

  @Test(arguments: [
    ([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c"),
  ])
  func `a list in words`(_ list: [String], _ words: String) {
    #expect(list.inWords() == words)
    #expect(list.inWords(joinedBy: "or") == words.replacing(" and ", with: " or "))
  }
}
