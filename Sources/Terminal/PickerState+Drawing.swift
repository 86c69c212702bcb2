internal import ForeignText

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
