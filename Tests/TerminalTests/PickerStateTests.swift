import Testing

@testable import Terminal

/// Four printers, and a picker with room for all.
let office = PickerRow(
  id: "o", title: "Office Laser", subtitle: "2nd floor", columns: ["document", "ready"],
  mark: "✓ saved")
let label = PickerRow(id: "l", title: "Label", subtitle: "Warehouse", columns: ["label", "ready"])
let photo = PickerRow(id: "p", title: "写真 Canon", columns: ["photo", "busy"])
let cafe = PickerRow(id: "c", title: "Café", subtitle: "Küche", columns: ["receipt", "ready"])

func picker(
  _ rows: [PickerRow]? = nil, start: String? = nil, width: Int = 60, height: Int = 24,
  advice: [String] = []
) -> PickerState {
  var text = PickerText(title: "Select a printer")
  (text.hint, text.searching, text.nothing) = ("Enter saves", "Looking", "None.")
  text.advice = { advice }
  text.columns = [Column("types", importance: 0), Column("state", minimum: 4, importance: 1)]
  var state = PickerState(text, start: start, size: ScreenSize(width: width, height: height))
  if let rows { state.apply(rows: rows) }
  return state
}

extension PickerState {
  /// Presses keys that must not end the picker.
  mutating func press(_ keys: KeyPress...) {
    for key in keys { #expect(apply(key) == nil) }
  }

  mutating func type(_ text: String) {
    for character in text { press(.text(String(character))) }
  }

  var titles: [String] { visible.map(\.row.title) }
  /// The result of pressing Enter.
  var choice: PickerResult? {
    var copy = self
    return copy.apply(.enter)
  }
}

@Suite struct PickerStateTests {
  @Test func `Enter, Esc and Ctrl-C end it`() {
    var state = picker([office, label])
    #expect(state.apply(.enter) == .chosen("o"))
    #expect(state.apply(.escape) == .left)
    #expect(state.apply(.interrupt) == .interrupted(signal: 2))
    state = picker()
    #expect(state.apply(.enter) == nil, "there is nothing to choose yet")
  }

  @Test func `keys move and stop at both ends`() {
    var state = picker([office, label, photo, cafe])
    state.press(.down, .down)
    #expect(state.choice == .chosen("p"))
    state.press(.down, .down, .down)
    #expect(state.choice == .chosen("c"))
    state.press(.home)
    #expect(state.choice == .chosen("o"))
    state.press(.up, .end, .up)
    #expect(state.choice == .chosen("p"))
  }

  @Test func `the selection stays with its row while others come and go`() {
    var state = picker([label, photo])
    state.press(.down)
    state.apply(rows: [cafe, label, office, photo])
    #expect(state.choice == .chosen("p"))
    state.apply(rows: [photo])
    #expect(state.choice == .chosen("p"))
  }

  @Test func `Enter never chooses a neighbour of a row that went away`() {
    var state = picker([office, label, photo])
    state.press(.down)
    state.apply(rows: [office, photo])
    #expect(state.choice == nil)
    #expect(state.goneTitle == "Label")
    var down = state
    down.press(.down)
    #expect(down.choice == .chosen("p"), "the row that slid into its place")
    var up = state
    up.press(.up)
    #expect(up.choice == .chosen("o"))
    state.apply(rows: [office, label, photo])
    #expect(state.choice == .chosen("l"), "it is back")
    #expect(state.goneTitle == nil)
    state.apply(rows: [])
    #expect(state.choice == nil)
    state.press(.up, .down, .pageDown)
    #expect(state.choice == nil)
  }

  @Test func `the cursor goes to the saved row when it appears, unless a key was pressed`() {
    var state = picker([label], start: "o")
    #expect(state.choice == .chosen("l"))
    state.apply(rows: [label, office])
    #expect(state.choice == .chosen("o"))
    state.press(.up)
    state.apply(rows: [label, photo, office])
    #expect(state.choice == .chosen("l"), "only once")

    state = picker([label, photo], start: "o")
    state.press(.down)
    state.apply(rows: [label, photo, office])
    #expect(state.choice == .chosen("p"))

    state = picker([label, photo], start: "o")
    state.type("l")
    state.press(.backspace)
    state.apply(rows: [label, photo, office])
    #expect(state.choice == .chosen("l"))
  }

  @Test func `rows whose title matches come first`() {
    var state = picker([
      PickerRow(id: "1", title: "Envelopes", columns: ["Simulated Printer"]),
      PickerRow(id: "2", title: "Printer 2", columns: ["Laser"]),
    ])
    #expect(state.titles == ["Envelopes", "Printer 2"])
    state.type("printer")
    #expect(state.titles == ["Printer 2", "Envelopes"])
    #expect(state.choice == .chosen("2"))
  }

  @Test(arguments: [
    ("lab", ["Label"]), ("LASER", ["Office Laser"]), ("floor doc", ["Office Laser"]),
    ("cafe kuche", ["Café"]), ("写", ["写真 Canon"]), ("saved", ["Office Laser"]),
    ("ready", ["Office Laser", "Label", "Café"]), ("nothing like it", []),
    ("  ca", ["写真 Canon", "Café"]),
  ])
  func `typing filters by words in everything that is shown`(typed: String, titles: [String]) {
    var state = picker([office, label, photo, cafe])
    state.type(typed)
    #expect(state.titles == titles)
    #expect(
      state.choice
        == titles.first.map { title in
          .chosen([office, label, photo, cafe].first { $0.title == title }?.id ?? "")
        })
  }

  @Test func `a filter is edited by characters and words`() {
    var state = picker([office, label, photo, cafe])
    state.type("lab ware👩\u{200D}👩\u{200D}👧")
    state.press(.backspace)
    #expect(state.filter == "lab ware")
    #expect(state.choice == .chosen("l"))
    state.press(.deleteWord)
    #expect(state.filter == "lab ")
    state.press(.deleteWord)
    #expect(state.filter == "")
    #expect(state.titles.count == 4)
    #expect(state.choice == .chosen("l"), "what was found stays selected")
    state.type("zzz")
    #expect(state.choice == nil)
    state.press(.clear, .backspace)
    #expect(state.choice == .chosen("l"))
    state.type(String(repeating: "x", count: 1000))
    #expect(state.filter.count == 200)
  }

  @Test func `a filter holds for rows that come later`() {
    var state = picker([office])
    state.type("label")
    #expect(state.titles == [])
    state.apply(rows: [office, label])
    #expect(state.titles == ["Label"])
    state.press(.down)
    #expect(state.choice == .chosen("l"))
  }

  @Test func `what is in sight follows the selection and no more`() {
    let rows = (0..<200).map { PickerRow(id: "\($0)", title: "Printer \($0)") }
    var state = picker(rows, height: 15)
    #expect(state.listHeight == 10)
    state.press(.pageDown)
    #expect(state.choice == .chosen("10"))
    #expect(state.rowsInSight == 1..<11)
    state.press(.up)
    #expect(state.rowsInSight == 1..<11)
    state.press(.pageUp)
    #expect(state.rowsInSight == 0..<10)
    state.press(.end)
    #expect(state.rowsInSight == 190..<200)
    state.apply(size: ScreenSize(width: 60, height: 8))
    #expect(state.rowsInSight == 197..<200)
    state.apply(size: ScreenSize(width: 60, height: 25))
    #expect(state.rowsInSight == 180..<200)
    state.apply(rows: Array(rows.suffix(2)))
    #expect(state.rowsInSight == 0..<2)
  }

  @Test func `the selected row stays at its height when rows come in above`() {
    let rows = (0..<100).map { PickerRow(id: "\($0)", title: "Printer \($0)") }
    var state = picker(Array(rows[50...]), height: 15)
    for _ in 0..<20 { state.press(.down) }
    #expect(state.place - state.top == 9)
    state.press(.up, .up)
    state.apply(rows: rows)
    #expect(state.choice == .chosen("68"))
    #expect(state.place - state.top == 7)
    #expect(
      picker(rows, start: "5", height: 15).top == 0, "what is in sight anyway needs no scrolling")
  }
}
