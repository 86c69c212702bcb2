import FoundationEssentials
import PrintModel
import Testing

/// A job's attributes in the JSON of `--dry-run`: IPP's names and units.
@Suite struct AttributeObjectTests {
  private func json(_ attributes: Attribute...) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(AttributeObject(attributes)), as: UTF8.self)
  }

  @Test(arguments: [
    (Attribute.Value.integer(-3), "-3"), (.enumeration(4), "4"), (.boolean(true), "true"),
    (.keyword("one-sided"), #""one-sided""#), (.name("Kü\"che"), #""Kü\"che""#),
    (.uri("ipp://h/p"), #""ipp://h/p""#), (.mediaType("image/urf"), #""image/urf""#),
    (.octets([0, 255]), "[0,255]"), (.range(1...5), #"{"lower":1,"upper":5}"#),
    (.resolution(Resolution(x: 600, y: 1200)), #"{"x":600,"y":1200}"#),
    (.collection([]), "{}"), (.none, "null"),
  ])
  func `a value`(_ value: Attribute.Value, _ text: String) throws {
    #expect(try json(Attribute("v", value)) == #"{"v":\#(text)}"#)
  }

  @Test func `one value stands for itself, several are an array`() throws {
    #expect(
      try json(
        Attribute("finishings", .enumeration(20), .enumeration(78)), Attribute("none", []),
        Attribute("page-ranges", .range(1...2), .range(5...5)), Attribute("copies", .integer(1)))
        == #"{"copies":1,"finishings":[20,78],"none":[],"#
        + #""page-ranges":[{"lower":1,"upper":2},{"lower":5,"upper":5}]}"#)
  }

  @Test func `collections are objects, however deep`() throws {
    let size = Attribute.Value.collection([
      Attribute("x-dimension", .integer(21_000)), Attribute("y-dimension", .integer(29_700)),
    ])
    let column = Attribute(
      "media-col",
      .collection([Attribute("media-size", size), Attribute("media-source", .keyword("main"))]))
    #expect(
      try json(column)
        == #"{"media-col":{"media-size":{"x-dimension":21000,"y-dimension":29700},"#
        + #""media-source":"main"}}"#)
  }
}
