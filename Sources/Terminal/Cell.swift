internal import ForeignText

/// A piece of a line: text that is clean from the start, and how it looks.
package struct Cell: Sendable, Hashable {
  package let text: String
  package var styles: [TerminalStyle]
  /// In scalars: no terminal is wider, and no name is so long that is one.
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
  /// The same look on other text, which is clean because it was made from this one's.
  func with(text: String) -> Cell { Cell(clean: text, styles: styles) }

  private init(clean text: String, styles: [TerminalStyle]) {
    self.text = text
    self.styles = styles
  }
}

/// `cells` side by side, in at most `width` columns (nil: all of them).
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
