internal import ForeignText

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
