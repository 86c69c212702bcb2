/// Formats rows of cells as aligned lines.
package struct Table: Sendable {
  package var columns: [Column]

  package init(_ columns: [Column]) { self.columns = columns }

  /// Returns the lines of `rows` under a bold heading, if there are any, each in at most `width` columns.
  ///
  /// If `width` is nil (`Screen.lineWidth` of a pipe or a file), nothing is cut. A column without text in any row is
  /// left out.
  package func lines(_ rows: [[Cell]], width: Int?, colors: Bool) -> [String] {
    guard !rows.isEmpty else { return [] }
    let layout = layout(for: rows, width: width, heading: true)
    return [layout.heading(colors: colors)] + rows.map { layout.line($0, colors: colors) }
  }

  /// Returns the layout for a complete list of rows.
  package func layout(for rows: [[Cell]], width: Int?, heading: Bool) -> RowLayout {
    let natural = columns.enumerated().map { index, column in
      let widest = rows.map { index < $0.count ? $0[index].text.displayWidth : 0 }.max() ?? 0
      return widest > 0 && heading ? max(widest, column.title.displayWidth) : widest
    }
    let whole = RowLayout(columns: columns, widths: natural, width: width)
    guard let width, whole.naturalWidth > width else { return whole }
    let kept = zip(columns, natural).map { $0.isSpare ? 0 : $1 }
    return RowLayout(
      columns: columns, widths: fittedWidths(natural: kept, columns: columns, width: width),
      width: width)
  }
}

/// The column widths that all lines of a table share.
package struct RowLayout: Sendable {
  let columns: [Column]
  /// 0 for a column that is left out.
  let widths: [Int]
  /// Width of the screen; nil cuts nothing.
  let width: Int?

  /// The number of columns of a line on the screen.
  package var naturalWidth: Int {
    widths.reduce(0, +) + gap * max(0, widths.count { $0 > 0 } - 1)
  }

  /// Returns the columns' titles in bold.
  package func heading(colors: Bool) -> String {
    line(columns.map { Cell($0.title, .bold) }, colors: colors)
  }

  /// Formats one row.
  ///
  /// Missing cells are empty, those without a column are left out.
  package func line(_ cells: [Cell], colors: Bool) -> String {
    Terminal.line(of: placed(cells), width: width, colors: colors)
  }

  /// Returns the cells with the blanks between them, without trailing blanks.
  func placed(_ cells: [Cell]) -> [Cell] {
    var pieces: [Cell] = []
    for (index, cell) in cells.enumerated() where index < widths.count && widths[index] > 0 {
      let text = width == nil ? cell.text : cell.text.truncated(to: widths[index])
      let blanks = String(repeating: " ", count: max(0, widths[index] - text.displayWidth))
      if columns[index].alignment == .right { pieces.append(Cell(blanks)) }
      pieces.append(cell.with(text: text))
      if columns[index].alignment == .left { pieces.append(Cell(blanks)) }
      pieces.append(Cell(String(repeating: " ", count: gap)))
    }
    while pieces.last?.text.allSatisfy({ $0 == " " }) == true { pieces.removeLast() }
    return pieces
  }
}
