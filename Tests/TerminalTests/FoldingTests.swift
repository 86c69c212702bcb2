import Testing

@testable import Terminal

@Suite struct FoldingTests {
  @Test(arguments: [
    ("Café MÜNSTER", "cafe munster"), ("Cafe\u{301}", "cafe"), ("Straße", "strasse"),
    ("Łódź Øst Ñandú", "lodz ost nandu"), ("İstanbul", "istanbul"), ("Ｌａｓｅｒ", "laser"),
    ("ΑΘΗΝΑ Йод", "αθηνα йод"), ("写真", "写真"), ("Tiếng Việt", "tieng viet"),
  ])
  func `case and diacritics do not count`(text: String, expected: String) {
    #expect(folded(text) == expected)
  }

  @Test func `every word must occur, in any order`() {
    #expect(matches("office laser\n2nd floor", "floor off"))
    #expect(!matches("office laser\n2nd floor", "floor inkjet"))
    #expect(matches("anything", "  "))
  }
}
