internal import ForeignText
import Glibc

/// One entry of the picker.
///
/// Its strings may come from a network unchanged; the picker cleans them.
package struct PickerRow: Sendable, Hashable {
  package var id: String
  package var title: String
  /// Shown dimmed under the title.
  package var subtitle: String?
  /// Further visible columns, in the order of `PickerText.columns`.
  package var columns: [String]
  /// A mark that highlights this row, such as "✓ saved".
  package var mark: String?
  /// Additional search words, which are not shown.
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
package struct PickerText: Sendable {
  package var title: String
  /// The last line: a description of the keys.
  package var hint = "↑↓ move · type to filter · Enter chooses · Esc leaves"
  /// Text while the list is empty, followed by the time.
  package var searching = "Searching"
  /// Text if the list is empty and complete.
  package var nothing = "Nothing found."
  /// Lines with likely causes below `searching`, if the list is still empty after five seconds: those of that moment.
  package var advice: @Sendable () -> [String] = { [] }
  /// Columns in the order in which a narrow window cuts them; further columns of the rows are removed first.
  ///
  /// Their titles are not shown.
  package var columns: [Column] = []

  package init(title: String) { self.title = title }
}

/// Result of the picker.
package enum PickerResult: Sendable, Hashable {
  /// Enter, on the row with this id.
  case chosen(String)
  /// Esc.
  case left
  /// Ctrl-C (SIGINT), a signal, or the loss of the terminal (SIGHUP).
  ///
  /// The terminal has been restored, and the signal has not had its default effect.
  case interrupted(signal: Int32)
}

/// The picker's logic: matching rows, the selected row, and the visible part.
///
/// The selection is a row's ID, so it stays with its row while others come and go. If the selected row itself
/// disappears, nothing is selected until a key is pressed, or the row returns: Enter must never choose a neighbor that
/// moved under the cursor.
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

  /// Its title changes when the same list gets another purpose.
  var text: PickerText
  private(set) var filter: String
  /// The rows that match the filter, in the order of the list.
  private(set) var visible: [Entry] = []
  /// The current or last index of the selected row among them.
  private(set) var place = 0
  /// The first visible one.
  private(set) var top = 0
  private(set) var size: ScreenSize
  /// Seconds since the picker opened.
  package var seconds = 0
  /// True once the list is complete.
  package var hasEnded = false
  private var entries: [Entry] = []
  private var start: String?
  private var selection: PickerRow?

  /// `start` is the ID of the row that is selected when it appears, unless a key was pressed before.
  package init(
    _ text: PickerText, start: String? = nil, filter: String = "", size: ScreenSize
  ) {
    self.text = text
    self.filter = String(filter.prefix(PickerState.longestFilter))
    self.start = start
    self.size = size
  }

  package var count: Int { entries.count }
  /// True while the line with the time is shown.
  package var isSearching: Bool { entries.isEmpty && !hasEnded }

  /// The selected row's index in `visible`; nil if it is not there.
  var selectedIndex: Int? {
    visible.indices.contains(place) && visible[place].row.id == selection?.id ? place : nil
  }

  /// The title of the selected row if that is no longer in the list.
  var goneTitle: String? {
    guard let selection, !entries.contains(where: { $0.row.id == selection.id }) else { return nil }
    return selection.title
  }

  var selectedID: String? { selectedIndex.map { visible[$0].row.id } }

  // MARK: Events

  package mutating func apply(rows: [PickerRow]) {
    let offset = place - top
    entries = rows.map(Entry.init)
    refilter()
    if let start, let index = index(of: start) {
      select(index)
      self.start = nil
    } else if let selection, let index = index(of: selection.id) {
      select(index)
      // Keep its line on the screen.
      top = place - offset
    } else if selection == nil, !visible.isEmpty {
      select(0)
    }
    settle()
  }

  package mutating func apply(size: ScreenSize) {
    self.size = size
    settle()
  }

  /// Handles `key`, and returns its result; nil to continue.
  ///
  /// Ctrl-Z and Ctrl-L are handled with the terminal.
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
    // The row under the cursor is gone: the one in its place is one step down.
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
    let named = visible.count(where: isNamed)
    if let selection, let index = index(of: selection.id), index < named || named == 0 {
      select(index)
    } else if !visible.isEmpty {
      select(0)
    }
    settle()
  }

  // MARK: Effects

  private static let longestFilter = 200

  private mutating func refilter() {
    let word = folded(filter)
    let found = entries.filter { matches($0.folded, word) }
    // The words of a name may also be in the models of other printers.
    visible = found.filter(isNamed) + found.filter { !isNamed($0) }
  }

  /// True if the filter matches the title.
  private func isNamed(_ entry: Entry) -> Bool { matches(folded(entry.row.title), folded(filter)) }

  private func index(of id: String) -> Int? { visible.firstIndex { $0.row.id == id } }

  private mutating func select(_ index: Int) {
    place = index
    selection = visible[index].row
  }

  /// Scrolls as little as possible to show the selected row, and leaves no unused lines under the last row.
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

extension PickerState {
  // The lines around the list, if there is room for them.
  private var hasHint: Bool { size.height >= 5 }
  private var hasBlanks: Bool { size.height >= 8 }
  private var headerHeight: Int { size.height >= 4 ? 2 : size.height == 3 ? 1 : 0 }

  /// The number of lines for rows; at least one.
  var listHeight: Int {
    max(1, size.height - headerHeight - (hasHint ? 1 : 0) - (hasBlanks ? 2 : 0))
  }

  /// Returns a row's height: two lines with a subtitle, if more than one row still fits.
  func height(of index: Int) -> Int {
    listHeight >= 4 && visible[index].subtitle != nil ? 2 : 1
  }

  /// The rows that are completely visible, and at least the first.
  var rowsInSight: Range<Int> {
    var used = 0
    let end =
      visible.indices.dropFirst(top).first {
        used += height(of: $0)
        return used > listHeight
      } ?? visible.count
    return top..<max(end, min(top + 1, visible.count))
  }

  /// Draws the whole screen: at most `size.height` lines of at most `size.width` columns.
  package func draw(colors: Bool, glyphs: Glyphs = .unicode) -> [String] {
    var lines: [[Cell]] = []
    if headerHeight == 2 || (headerHeight == 1 && filter.isEmpty) { lines.append(titleLine) }
    if headerHeight == 2 || (headerHeight == 1 && !filter.isEmpty) {
      lines.append(filterLine(hasCursorStyle: colors))
    }
    if hasBlanks { lines.append(aboveList) }
    var list = visible.isEmpty ? [[emptyLine]] + adviceLines : rowLines(glyphs)
    list = Array(list.prefix(listHeight))
    if hasBlanks { list += Array(repeating: [], count: listHeight - list.count) + [belowList] }
    lines += list
    if hasHint {
      let missing = size.height - 1 - lines.count
      lines += Array(repeating: [], count: max(0, missing)) + [[Cell(hint, .dim)]]
    }
    return lines.prefix(size.height).map { line(of: $0, width: size.width, colors: colors) }
  }

  // MARK: Around the list

  /// Its keys, as many as there is room for.
  private var hint: String {
    var keys = text.hint.split(separator: " · ")
    while keys.count > 1, keys.joined(separator: " · ").displayWidth > size.width {
      keys.removeLast()
    }
    return keys.joined(separator: " · ")
  }

  private var titleLine: [Cell] {
    let count = filter.isEmpty ? "\(count) found" : "\(visible.count) of \(count)"
    let title = Cell(text.title, .bold)
    let room = size.width - title.text.displayWidth - count.displayWidth
    guard room >= gap, self.count > 0 else { return [title] }
    return [title, Cell(String(repeating: " ", count: room)), Cell(count, .dim)]
  }

  private func filterLine(hasCursorStyle: Bool) -> [Cell] {
    guard !filter.isEmpty else { return [Cell("Type to filter", .dim)] }
    let label = "Filter: "
    // Show the end of a long filter, where the user types.
    var typed = cleaned(filter)
    while !typed.isEmpty, typed.displayWidth > max(1, size.width - label.count - 1) {
      typed.removeFirst()
    }
    return [Cell(label, .dim), Cell(typed), hasCursorStyle ? Cell(" ", .inverse) : "_"]
  }

  private var aboveList: [Cell] {
    if let goneTitle { return [Cell("  \(goneTitle) went away", .yellow)] }
    return top > 0 ? [Cell("  ↑ \(top) more", .dim)] : []
  }

  private var belowList: [Cell] {
    let below = visible.count - rowsInSight.upperBound
    return below > 0 ? [Cell("  ↓ \(below) more", .dim)] : []
  }

  private var emptyLine: Cell {
    if isSearching { return Cell("  \(text.searching) … \(elapsed(seconds: seconds))", .dim) }
    if count == 0 { return Cell("  \(text.nothing)", .dim) }
    return Cell("  Nothing matches “\(filter)”. Ctrl-U clears the filter.", .dim)
  }

  private var adviceLines: [[Cell]] {
    guard isSearching, count == 0, seconds >= 5 else { return [] }
    return [[]] + text.advice().map { [Cell("  \($0)", .dim)] }
  }

  // MARK: The list

  private func rowLines(_ glyphs: Glyphs) -> [[Cell]] {
    let layout = rowLayout
    var lines: [[Cell]] = []
    for index in visible.indices.dropFirst(top) where lines.count < listHeight {
      let entry = visible[index]
      let isSelected = index == selectedIndex
      var cells = entry.cells
      if isSelected { cells[0].styles = [.bold] }
      let pointer = isSelected ? Cell(String(glyphs.pointer), .cyan, .bold) : " "
      lines.append([pointer, " "] + layout.placed(cells))
      if height(of: index) == 2, let subtitle = entry.subtitle { lines.append(["    ", subtitle]) }
    }
    return lines
  }

  /// The layout of all matching rows, not only the visible ones, so that columns don't shift while scrolling.
  private var rowLayout: RowLayout {
    var columns = text.columns
    let lowest = columns.map(\.importance).min() ?? 0
    let most = visible.map(\.row.columns.count).max() ?? 0
    while columns.count < most { columns.append(Column("", minimum: .max, importance: lowest - 1)) }
    let highest = columns.map(\.importance).max() ?? 0
    let title = Column("", minimum: 20, usual: 28, importance: highest + 2)
    // `✓ default` is left of it where little room is.
    let mark = Column("", minimum: 9, usual: 9, importance: highest + 1)
    return Table([title, mark] + columns).layout(
      for: visible.map(\.cells), width: max(1, size.width - 2), heading: false)
  }
}
