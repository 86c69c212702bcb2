import Terminal
import Testing

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("Office", 6), ("Büro", 4), ("Bu\u{308}ro", 4), ("写真", 4), ("한국", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("ﾊﾝｶｸ", 4), ("Ａ", 2), ("、", 2), ("😀", 2), ("⌚", 2),
    ("👩\u{200D}👩\u{200D}👧", 2), ("👍🏽", 2), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("🇩🇪", 2),
    ("❤", 1), ("✓", 1), ("❯", 1), ("…", 1), ("━", 1), ("⠋", 1), ("\u{FFFD}", 1), ("नमस्ते", 4),
    ("می\u{200C}خواهم", 7), ("𠀋", 2), ("A\u{334}\u{335}", 1),
  ])
  func `columns are what a terminal advances`(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [
    ("Office Laser", 12, "Office Laser"), ("Office Laser", 11, "Office Las…"),
    ("Office Laser", 1, "…"), ("Office Laser", 0, ""), ("Office Laser", -3, ""),
    ("写真プリンター", 7, "写真プ…"), ("写真プリンター", 6, "写真…"), ("写真", 2, "…"), ("写真", 1, "…"),
    ("👩\u{200D}👩\u{200D}👧 Party", 4, "👩\u{200D}👩\u{200D}👧 …"), ("", 0, ""),
  ])
  func `truncation cuts between characters and says so`(text: String, width: Int, cut: String) {
    #expect(text.truncated(to: width) == cut)
    #expect(text.truncated(to: width).displayWidth <= max(0, width))
  }

  @Test func `padding fills and never cuts`() {
    #expect("写真".padded(to: 6) == "写真  ")
    #expect("写真".padded(to: 3) == "写真")
  }

  @Test(arguments: [
    (
      "paper       A4, main, loaded in tray 2", 30, 12,
      ["paper       A4, main, loaded", "in tray 2"]
    ),
    ("one", 10, 4, ["one"]), ("", 10, 4, [""]),
    ("  color: gray, as asked", 16, 4, ["  color: gray,", "as asked"]),
    ("unbreakable-word next", 8, 2, ["unbreakable-word", "next"]),
  ])
  func `lines are broken between words`(
    _ text: String, _ width: Int, _ rest: Int, _ lines: [String]
  ) {
    #expect(text.wrapped(to: width, rest: rest) == lines)
  }
}
