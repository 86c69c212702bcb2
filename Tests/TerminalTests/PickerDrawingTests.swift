import Testing

@testable import Terminal

@Suite struct PickerDrawingTests {
  @Test func `a list with everything`() {
    var state = picker([office, label, photo, cafe], width: 50, height: 14)
    state.press(.down)
    #expect(
      state.draw(colors: false) == [
        "Select a printer                           4 found",
        "Type to filter",
        "",
        "  Office Laser  ✓ saved  document  ready",
        "    2nd floor",
        "❯ Label                  label     ready",
        "    Warehouse",
        "  写真 Canon             photo     busy",
        "  Café                   receipt   ready",
        "    Küche",
        "",
        "",
        "",
        "Enter saves",
      ])
  }

  @Test func `in 40 columns there is room for the mark and the state`() {
    let row = PickerRow(
      id: "1", title: "Printer on the second floor", columns: ["ready"], mark: "✓ photo, postcard")
    var text = PickerText(title: "Choose")
    text.hint = "Enter chooses · Esc leaves · Tab paper · ^B beep"
    text.columns = [Column("STATE", minimum: 24, usual: 48)]
    var state = PickerState(text, size: ScreenSize(width: 40, height: 8))
    state.apply(rows: [row])
    let lines = state.draw(colors: false)
    #expect(lines.contains("❯ Printer on the seco…  ✓ photo,…  ready"), "\(lines)")
    // Keys are left out whole.
    #expect(lines.last == "Enter chooses · Esc leaves · Tab paper")
  }

  @Test func `columns that nobody described give way first`() {
    var row = office
    row.columns += ["color", "locked"]
    #expect(
      picker([row], width: 60, height: 3).draw(colors: false)[1]
        == "❯ Office Laser  ✓ saved  document  ready  color  locked")
    #expect(
      picker([row], width: 51, height: 3).draw(colors: false)[1]
        == "❯ Office Laser  ✓ saved  document  ready  color")
  }

  @Test func `styles tell the same as the signs`() {
    var state = picker([office], width: 50, height: 8)
    state.type("o")
    #expect(
      state.draw(colors: true, glyphs: .ascii) == [
        "\u{1B}[1mSelect a printer\u{1B}[0m                            \u{1B}[2m1 of 1\u{1B}[0m",
        "\u{1B}[2mFilter: \u{1B}[0mo\u{1B}[7m \u{1B}[0m",
        "",
        "\u{1B}[36;1m>\u{1B}[0m \u{1B}[1mOffice Laser\u{1B}[0m  \u{1B}[32m✓ saved\u{1B}[0m"
          + "  document  ready",
        "", "", "", "\u{1B}[2mEnter saves\u{1B}[0m",
      ])
  }

  @Test func `an empty list says that it searches, and since when`() {
    var state = picker(width: 40, height: 8)
    state.seconds = 12
    #expect(state.isSearching)
    #expect(
      state.draw(colors: false) == [
        "Select a printer", "Type to filter", "", "  Looking … 12 s", "", "", "", "Enter saves",
      ])
    state.hasEnded = true
    #expect(!state.isSearching)
    #expect(state.draw(colors: false)[3] == "  None.")
    state.apply(rows: [office])
    state.type("inkjet")
    #expect(
      state.draw(colors: false).prefix(4) == [
        "Select a printer                  0 of 1", "Filter: inkjet_", "",
        "  Nothing matches “inkjet”. Ctrl-U clea…",
      ])
  }

  @Test func `what is out of sight is counted`() {
    let rows = (0..<20).map { PickerRow(id: "\($0)", title: "Printer \($0)") }
    var state = picker(rows, width: 30, height: 9)
    state.press(.pageDown, .pageDown)
    #expect(
      state.draw(colors: false) == [
        "Select a printer      20 found", "Type to filter", "  ↑ 5 more", "  Printer 5",
        "  Printer 6", "  Printer 7", "❯ Printer 8", "  ↓ 11 more", "Enter saves",
      ])
    state.apply(rows: rows.filter { $0.id != "8" })
    #expect(state.draw(colors: false)[2] == "  Printer 8 went away")
    #expect(state.draw(colors: false)[6] == "  Printer 9")
  }

  @Test(arguments: [
    (1, 1, ["❯"]), (1, 3, ["…", "❯", " "]), (2, 1, ["❯ "]), (5, 2, ["❯ Of…", "  La…"]),
    (
      20, 3,
      [
        "Select a printer", "❯ Office Laser  rea…", "  Label         rea…",
      ]
    ),
    (
      30, 6,
      [
        "Select a printer       4 found", "Type to filter", "❯ Office Laser  ✓ saved  ready",
        "  Label                  ready", "  写真 Canon             busy", "Enter saves",
      ]
    ),
    (
      40, 7,
      [
        "Select a printer                 4 found", "Type to filter",
        "❯ Office Laser  ✓ saved  document  ready", "    2nd floor",
        "  Label                  label     ready", "    Warehouse", "Enter saves",
      ]
    ),
  ])
  func `a small screen shows the rows first`(width: Int, height: Int, lines: [String]) {
    #expect(
      picker([office, label, photo, cafe], width: width, height: height).draw(colors: false)
        == lines)
  }

  @Test(arguments: [1, 2, 3, 5, 8, 13, 21, 34, 55, 89], 1...12)
  func `nothing is ever drawn outside the screen`(width: Int, height: Int) {
    let evil = PickerRow(
      id: "e", title: "Evil\u{1B}[2J\r\n\u{202E}", subtitle: "\u{1B}]0;x\u{7}\n\n",
      columns: ["\n", "\t", "more", "than", "asked"], mark: "\u{9B}")
    let rows =
      [office, label, photo, cafe, evil] + (0..<30).map { PickerRow(id: "\($0)", title: "\($0)") }
    var state = picker(rows, width: width, height: height)
    for key in [KeyPress.down, .pageDown, .end, .text("e"), .text("写"), .backspace, .home] {
      state.press(key)
      let lines = state.draw(colors: false)
      #expect(lines.count <= height)
      for line in lines {
        #expect(line.displayWidth <= width)
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" })
      }
    }
    #expect(!picker(width: width, height: height).draw(colors: false).isEmpty)
  }

  @Test func `a long filter shows its end`() {
    var state = picker([office], width: 20, height: 8)
    state.type("abcdefghijklmnopqrstuvwxyz")
    #expect(state.draw(colors: false)[1] == "Filter: pqrstuvwxyz_")
  }

  @Test func `only lines that differ are written`() {
    #expect(
      redrawing(["a", "b", "c"], as: ["a", "B", "c"])
        == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[2KB\u{1B}[?2026l")
    #expect(redrawing(["a"], as: ["a"]) == "")
    #expect(
      redrawing(["a", "b"], as: ["a"])
        == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[2K\u{1B}[?2026l")
    #expect(
      redrawing(nil, as: ["a"])
        == "\u{1B}[?2026h\u{1B}[2J\u{1B}[1;1H\u{1B}[2Ka\u{1B}[?2026l")
  }

  @Test func `a list that stays empty says what may be the matter`() {
    var state = picker([], advice: ["Is it on?"])
    state.seconds = 4
    #expect(!state.draw(colors: false).contains { $0.contains("Is it on?") })
    state.seconds = 5
    #expect(state.draw(colors: false).contains("  Is it on?"))
    state.apply(rows: [photo])
    #expect(!state.draw(colors: false).contains { $0.contains("Is it on?") })
  }
}
