import Glibc

/// One entry of the picker.
///
/// Its strings may come from a network as they are; the picker cleans them.
package struct PickerRow: Sendable, Hashable {
  package var id: String
  package var title: String
  /// Shown dim under the title.
  package var subtitle: String?
  /// Other columns to see, in the order of `PickerText.columns`.
  package var columns: [String]
  /// The reason this row stands out: "✓ saved".
  package var mark: String?
  /// Words by which it is found besides, and which are not shown.
  package var words: [String]

  package init(
    id: String, title: String, subtitle: String? = nil, columns: [String] = [],
    mark: String? = nil, words: [String] = []
  ) {
    self.id = id
    self.title = title
    self.subtitle = subtitle
    self.columns = columns
    self.mark = mark
    self.words = words
  }
}

/// The picker's texts.
package struct PickerText: Sendable, Hashable {
  package var title: String
  /// The last line: what the keys do.
  package var hint: String
  /// While the list is empty; the time follows.
  package var searching: String
  /// Text when the list is empty and nothing more will come.
  package var nothing: String
  /// Lines below `searching` while the list stays empty, after five seconds: likely causes.
  package var advice: [String]
  /// Order in which the rows' columns give way in a narrow window; those beyond these are left out
  /// first.
  ///
  /// Their titles are not shown.
  package var columns: [Column]

  package init(
    title: String, hint: String = "↑↓ move · type to filter · Enter chooses · Esc leaves",
    searching: String = "Searching", nothing: String = "Nothing found.",
    advice: [String] = [], columns: [Column] = []
  ) {
    self.title = title
    self.hint = hint
    self.searching = searching
    self.nothing = nothing
    self.advice = advice
    self.columns = columns
  }
}

/// Result with which the picker ended.
package enum PickerResult: Sendable, Hashable {
  /// Enter, on the row with this id.
  case chosen(String)
  /// Esc.
  case left
  /// Ctrl-C (SIGINT), a signal, or a terminal that went away (SIGHUP). The terminal is right again, and
  /// the signal has not taken its course.
  case interrupted(signal: Int32)
}

/// Everything that the picker decides: which rows match, which one is selected, what is in sight.
///
/// The selection is a row's id, so it stays with its row while others come and go. When the selected
/// row itself goes, nothing is selected until a key is pressed, or the row is back: Enter must never
/// choose a neighbor that slid under the cursor.
package struct PickerState: Sendable {
  struct Entry: Sendable {
    let row: PickerRow
    /// Title, mark, columns.
    let cells: [Cell]
    let subtitle: Cell?
    let folded: String

    init(_ row: PickerRow) {
      self.row = row
      cells = [Cell(row.title), Cell(row.mark ?? "", .green)] + row.columns.map { Cell($0) }
      subtitle = row.subtitle.flatMap { $0.isEmpty ? nil : Cell($0, .dim) }
      let parts = [row.title, row.subtitle, row.mark].compactMap(\.self) + row.columns + row.words
      folded = Terminal.folded(parts.joined(separator: "\n"))
    }
  }

  private(set) var text: PickerText
  private(set) var filter: String
  /// Those that match the filter, in the order of the list.
  private(set) var visible: [Entry] = []
  /// Index where the selected row is among them, or was.
  private(set) var place = 0
  /// The first that is in sight.
  private(set) var top = 0
  private(set) var size: ScreenSize
  private(set) var seconds = 0
  private(set) var hasEnded = false
  private var entries: [Entry] = []
  private var start: String?
  private var selection: PickerRow?

  /// `start` is the id of the row that is selected when it appears, unless a key was pressed before.
  package init(
    _ text: PickerText, start: String? = nil, filter: String = "", size: ScreenSize
  ) {
    self.text = text
    self.filter = String(filter.prefix(PickerState.longestFilter))
    self.start = start
    self.size = size
  }

  package var count: Int { entries.count }
  /// True when the line that shows the time is visible.
  package var isSearching: Bool { entries.isEmpty && !hasEnded }

  /// The selected row's index in `visible`, nil when it is not there.
  var selectedIndex: Int? {
    visible.indices.contains(place) && visible[place].row.id == selection?.id ? place : nil
  }

  /// The title of the selected row if that row is gone from the list.
  var goneTitle: String? {
    guard let selection, !entries.contains(where: { $0.row.id == selection.id }) else { return nil }
    return selection.title
  }

  var selectedID: String? { selectedIndex.map { visible[$0].row.id } }

  // MARK: What happens

  /// The same list for another purpose.
  mutating func apply(title: String) { text.title = title }

  /// The list as it is now.
  package mutating func apply(rows: [PickerRow]) {
    let offset = place - top
    entries = rows.map(Entry.init)
    refilter()
    if let start, let index = index(of: start) {
      select(index)
      self.start = nil
    } else if let selection, let index = index(of: selection.id) {
      select(index)
      // It stays at its height on the screen.
      top = place - offset
    } else if selection == nil, !visible.isEmpty {
      select(0)
    }
    settle()
  }

  /// There will be no other list.
  package mutating func applyEnd() { hasEnded = true }

  package mutating func apply(size: ScreenSize) {
    self.size = size
    settle()
  }

  /// So long since the picker opened.
  package mutating func apply(seconds: Int) { self.seconds = seconds }

  /// The result that `key` leads to; nil to continue.
  ///
  /// Ctrl-Z and Ctrl-L are the terminal's business.
  package mutating func apply(_ key: KeyPress) -> PickerResult? {
    switch key {
    case .enter: return selectedIndex.map { .chosen(visible[$0].row.id) }
    case .escape: return .left
    case .interrupt: return .interrupted(signal: SIGINT)
    case .up: move(by: -1)
    case .down: move(by: 1)
    case .pageUp: move(by: -pageLength)
    case .pageDown: move(by: pageLength)
    case .home: move(by: -visible.count)
    case .end: move(by: visible.count)
    case .text(let typed): search(filter + typed)
    case .backspace: search(String(filter.dropLast()))
    case .deleteWord: search(withoutLastWord(filter))
    case .clear: search("")
    case .suspend, .redraw, .action: break
    }
    return nil
  }

  private mutating func move(by count: Int) {
    start = nil
    guard !visible.isEmpty else { return }
    // The row under the cursor is gone: the one that slid into its place is one step down.
    let from = selectedIndex ?? (count > 0 ? place - 1 : place)
    select(min(max(0, from + count), visible.count - 1))
    settle()
  }

  private mutating func search(_ word: String) {
    start = nil
    let word = String(word.drop { $0 == " " }.prefix(PickerState.longestFilter))
    guard word != filter else { return }
    filter = word
    refilter()
    if let selection, let index = index(of: selection.id) {
      select(index)
    } else if !visible.isEmpty {
      select(0)
    }
    settle()
  }

  // MARK: What follows from it

  private static let longestFilter = 200

  private mutating func refilter() {
    let word = folded(filter)
    visible = entries.filter { matches($0.folded, word) }
  }

  private func index(of id: String) -> Int? { visible.firstIndex { $0.row.id == id } }

  private mutating func select(_ index: Int) {
    place = index
    selection = visible[index].row
  }

  /// Brings the selected row into sight with as little scrolling as possible, and leaves no room unused
  /// under the last row.
  private mutating func settle() {
    place = min(place, max(0, visible.count - 1))
    top = min(max(0, top), place)
    var used = visible.isEmpty ? 0 : (top...place).reduce(0) { $0 + height(of: $1) }
    while used > listHeight, top < place {
      used -= height(of: top)
      top += 1
    }
    used += visible.indices.dropFirst(place + 1).reduce(0) { $0 + height(of: $1) }
    while top > 0, used + height(of: top - 1) <= listHeight {
      top -= 1
      used += height(of: top)
    }
  }

  private var pageLength: Int { max(1, rowsInSight.count) }
}

private func withoutLastWord(_ text: String) -> String {
  var text = text
  while text.last == " " { text.removeLast() }
  while let last = text.last, last != " " { text.removeLast() }
  return text
}
