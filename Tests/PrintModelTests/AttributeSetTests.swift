import PrintModel
import Testing

@Suite struct AttributeSetTests {
  @Test func `of an attribute that is stated twice the first counts`() {
    let set = AttributeSet([
      Attribute("copies", .integer(1)), Attribute("sides", .keyword("one-sided")),
      Attribute("copies", .integer(2)),
    ])
    #expect(set.number("copies") == 1)
    #expect(set.all.count == 3)
    #expect(set["sides"]?.values == [.keyword("one-sided")])
    #expect(set["media"] == nil)
  }

  @Test func `a value that says nothing counts as none`() {
    let set = AttributeSet([
      Attribute("media-ready", .none),
      Attribute("urf-supported", .none, .keyword("W8"), .none),
      Attribute("empty", []),
    ])
    #expect(set["media-ready"] != nil)
    #expect(set.values("media-ready").isEmpty)
    #expect(set.string("urf-supported") == "W8")
    #expect(set.values("empty").isEmpty)
    #expect(set.strings("absent").isEmpty)
  }

  @Test func `values are read by kind, and another kind is passed over`() {
    let set = AttributeSet([
      Attribute(
        "mixed", .integer(1), .enumeration(2), .boolean(true), .keyword("k"), .name("n"),
        .octets([1]), .range(3...4), .resolution(Resolution(300)),
        .collection([Attribute("x", .integer(5))]), .dateTime([])),
      Attribute("flag", .boolean(false)),
    ])
    #expect(set.numbers("mixed") == [1, 2])
    #expect(set.strings("mixed") == ["k", "n"])
    // An integer is a range of one; an enum is not a number here.
    #expect(set.spans("mixed") == [1...1, 3...4])
    #expect(set.resolutions("mixed") == [Resolution(300)])
    #expect(set.collections("mixed").map { $0.number("x") } == [5])
    #expect(set.boolean("flag") == false)
    // Only the type of the first value counts.
    #expect(set.boolean("mixed") == nil)
    #expect(set.string("mixed") == nil)
    #expect(set.number("flag") == nil)
  }

  @Test func `sets are equal by what they hold`() {
    let one = Attribute("a", .integer(1))
    let two = Attribute("b", .integer(2))
    #expect(AttributeSet([one, two]) == AttributeSet([one, two]))
    #expect(AttributeSet([one, two]) != AttributeSet([two, one]))
    #expect(AttributeSet().all.isEmpty)
  }
}
