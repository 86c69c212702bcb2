import Negotiation
import PrintModel
import PrintOptions
import Testing

/// `--staple`, `--punch`, `--fold` and `-o finishings=…`, depending on the printer's finishers.
@Suite struct FinishingTests {
  private func finishings(_ words: [String], of supported: [Int]) throws -> [Int] {
    let attributes = try job(words, of: supported)
    #expect(attributes.count == 1)
    return attributes.flatMap(\.values).compactMap(\.number)
  }

  private func column(_ name: String) -> Attribute.Value {
    .collection([Attribute("finishing-template", .keyword(name))])
  }

  private func job(
    _ words: [String], of supported: [Int], templates: [String] = []
  ) throws -> [Attribute] {
    var printer = Capabilities()
    printer.formats = [DocumentFormat.pdf]
    printer.finishings = supported
    printer.attributes = AttributeSet([
      Attribute("finishings-col-database", templates.map(column))
    ])
    var request = PrintRequest()
    for word in words { try PrintOption.option.apply("finishings=\(word)", to: &request) }
    let page = DocumentInfo.Page(size: PageSize(width: 595, height: 842))
    let ticket = try negotiate(
      request, document: DocumentInfo(mediaType: DocumentFormat.pdf, pages: [page]), with: printer,
      region: Region(environment: ["LC_ALL": "de_DE.UTF-8"]))
    let attributes = ticket.attributes.filter { $0.name.hasPrefix("finishings") }
    #expect(ticket.asked.isSuperset(of: attributes.map(\.name)))
    return attributes
  }

  @Test(arguments: [
    (["none,staple"], [3, 4, 20], [4]), (["staple"], [3, 4, 20], [4]),
    (["staple"], [3, 28, 20], [20]), (["staple"], [3, 30], [30]),
    (["punch"], [3, 70, 74], [74]), (["fold"], [3, 100, 93], [93]),
    (["staple-dual-left"], [3, 28], [28]), (["28"], [3, 28], [28]),
    (["staple", "punch"], [3, 20, 74], [20, 74]), (["staple,fold"], [3, 4, 10], [4, 10]),
    (["staple", "staple"], [4], [4]),
  ])
  func `words are the printer's own values`(
    _ words: [String], _ supported: [Int], _ expected: [Int]
  ) throws {
    #expect(try finishings(words, of: supported) == expected)
  }

  @Test(arguments: [
    (["fold"], ["fold-z"]), (["staple", "fold"], ["staple-dual-left", "fold-z"]),
    (["acme-knot"], ["acme-knot-2"]),
  ])
  func `what only finishings-col has is asked for in it, with all else`(
    _ words: [String], _ expected: [String]
  ) throws {
    let templates = ["staple-dual-left", "fold-z", "acme-knot-2"]
    #expect(
      try job(words, of: [3, 4], templates: templates)
        == [Attribute("finishings-col", expected.map(column))])
    #expect(
      try job(["staple"], of: [3, 4], templates: templates)
        == [Attribute("finishings", .enumeration(4))])
  }

  @Test(arguments: [
    ("staple", [3], "--staple: the printer can't do that; it has no finisher."),
    (
      "fold", [3, 4, 74], "--fold: the printer can't do that; it can staple or punch-dual-left."
    ),
    ("glue", [4], "-o finishings=glue: the printer can't do that; it can staple."),
    ("21", [4], "-o finishings=21: the printer can't do that; it can staple."),
  ])
  func `64: what it has not`(_ word: String, _ supported: [Int], _ message: String) throws {
    let failure = #expect(throws: Failure.self) { try finishings([word], of: supported) }
    #expect(failure?.code == .usage && failure?.message == message)
  }
}
