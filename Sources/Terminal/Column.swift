/// Facts a table knows of a column before it has seen a row.
package struct Column: Sendable, Hashable {
  /// The heading.
  package var title: String
  /// The fewest columns in which its text is still useful.
  package var minimum: Int
  /// The columns that its text mostly takes: what is longer gives way first, and the width of rows
  /// that are printed as they come.
  package var usual: Int
  /// If the screen is too narrow, the column with the lowest is cut first, and left out first.
  package var importance: Int
  package var alignment: ColumnAlignment

  package init(
    _ title: String, minimum: Int = 6, usual: Int = 16, importance: Int = 0,
    alignment: ColumnAlignment = .left
  ) {
    self.title = title
    self.minimum = minimum
    self.usual = usual
    self.importance = importance
    self.alignment = alignment
  }
}

/// Between two columns.
let gap = 2

/// The width of each column so that all fit in `width`; 0 for one that is left out.
///
/// Columns first lose what is beyond their usual width, then what is beyond their minimum, each time
/// the least important first. Where even that is too much they are left out in the same order, all but
/// the most important one, and what is freed goes to the others. A column whose `natural` width is 0
/// has nothing to show and is left out at once.
func fittedWidths(natural: [Int], columns: [Column], width: Int) -> [Int] {
  let filled = columns.indices.filter { natural[$0] > 0 }
  // Equally important: the one on the right goes first.
  var kept = filled.sorted { (columns[$0].importance, -$0) < (columns[$1].importance, -$1) }
  func minimum(_ index: Int) -> Int { min(natural[index], max(1, columns[index].minimum)) }
  while kept.count > 1, kept.reduce(gap * (kept.count - 1), { $0 + minimum($1) }) > width {
    kept.removeFirst()
  }
  var widths = natural.map { _ in 0 }
  for index in kept { widths[index] = natural[index] }
  var excess = widths.reduce(gap * (kept.count - 1), +) - width
  func cut(_ index: Int, to floor: Int) {
    let loss = max(0, min(excess, widths[index] - floor))
    widths[index] -= loss
    excess -= loss
  }
  for index in kept { cut(index, to: max(minimum(index), columns[index].usual)) }
  for index in kept { cut(index, to: minimum(index)) }
  for index in kept { cut(index, to: 1) }
  return widths
}
