internal import ForeignText

/// Properties of a column that a table needs before it has rows.
package struct Column: Sendable, Hashable {
  /// The heading.
  package var title: String
  /// The smallest width at which its text is still useful.
  package var minimum: Int
  /// The usual width of its text: longer text is cut first.
  package var usual: Int
  /// If the screen is too narrow, the column with the lowest importance is cut first, and removed first.
  package var importance: Int
  package var alignment: ColumnAlignment
  /// True if it is left out of a table that is too wide for the screen.
  package var isSpare: Bool

  package init(
    _ title: String, minimum: Int = 6, usual: Int = 16, importance: Int = 0,
    alignment: ColumnAlignment = .left, isSpare: Bool = false
  ) {
    self.title = title
    self.minimum = minimum
    self.usual = usual
    self.importance = importance
    self.alignment = alignment
    self.isSpare = isSpare
  }
}

/// Number of blanks between two columns.
let gap = 2

/// Returns the width of each column so that all fit into `width`; 0 for one that is left out.
///
/// The most important column is always kept, and each other one whose minimum fits beside the more important ones.
/// Columns are first cut to their usual width, then to their minimum, each time starting with the least important one.
/// A column whose `natural` width is 0 has nothing to show and is left out.
func fittedWidths(natural: [Int], columns: [Column], width: Int) -> [Int] {
  func minimum(_ index: Int) -> Int { min(natural[index], max(1, columns[index].minimum)) }
  // Of equally important columns, the left one is kept.
  let filled = columns.indices.filter { natural[$0] > 0 }
    .sorted { (-columns[$0].importance, $0) < (-columns[$1].importance, $1) }
  var room = width + gap
  var kept: [Int] = []
  for index in filled where kept.isEmpty || minimum(index) + gap <= room {
    room -= minimum(index) + gap
    kept.insert(index, at: 0)
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

/// A styled piece of a line, whose text is cleaned on creation.
package struct Cell: Sendable, Hashable {
  package private(set) var text: String
  package var styles: [TerminalStyle]
  /// Longest text in scalars: no terminal is wider, and no real name is longer.
  private static let most = 1_000

  package init(_ text: String, _ styles: TerminalStyle...) {
    self.text = cleaned(text, upTo: Cell.most)
    self.styles = styles
  }
}

extension Cell: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self.init(value) }
}

extension Cell {
  /// Returns a cell of the same style with other text, which is clean because it was made from this one's.
  func with(text: String) -> Cell {
    var cell = self
    cell.text = text
    return cell
  }
}

/// Joins `cells` into a line of at most `width` columns (nil: unlimited).
func line(of cells: [Cell], width: Int?, colors: Bool) -> String {
  var left = width ?? .max
  var line = ""
  for cell in cells where left > 0 {
    let text = cell.text.truncated(to: left)
    left -= text.displayWidth
    line += (width == nil ? text : isolated(text)).styled(cell.styles, if: colors)
  }
  return line
}
