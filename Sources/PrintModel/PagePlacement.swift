/// One page on one side of a sheet, with the lines above and below it.
package struct PagePlacement: Sendable, Codable, Equatable {
  /// The document's page, from 0.
  package var page: Int
  /// From the page's points to the sheet's, both from the top left.
  package var transform: Transform
  /// Area the page may draw on, in the sheet's points; nil: all of it.
  package var clip: Rectangle?
  /// Header and footer.
  package var lines: [RunningLine] = []
  /// The frame around the page, in the sheet's points; nil: none.
  package var border: BorderedFrame?

  package init(page: Int, transform: Transform) {
    self.page = page
    self.transform = transform
  }
}

/// A header or a footer as it is drawn: one line.
package struct RunningLine: Sendable, Codable, Equatable {
  /// Texts at the left, in the middle and at the right; empty where nothing does.
  package var left: String
  package var centre: String
  package var right: String
  /// The line's place in points, from the top left; `transform` maps it to the sheet.
  package var frame: Rectangle
  package var transform: Transform
  /// Of the type, in points.
  package var size: Double
  /// The line stands at the frame's lower edge: a footer.
  package var isAtBottom: Bool

  package init(
    left: String, centre: String, right: String, frame: Rectangle, transform: Transform,
    size: Double, isAtBottom: Bool
  ) {
    self.left = left
    self.centre = centre
    self.right = right
    self.frame = frame
    self.transform = transform
    self.size = size
    self.isAtBottom = isAtBottom
  }
}

/// `--page-border`: lines around every page, in the words of CUPS' page-border (cups-filters, pdftopdf).
package enum PageBorder: String, Sendable, Codable, CaseIterable {
  case none, single
  case singleThick = "single-thick"
  case double
  case doubleThick = "double-thick"

  /// Width of a line in points.
  package var lineWidth: Double { self == .singleThick || self == .doubleThick ? 1.5 : 0.5 }
  package var isDouble: Bool { self == .double || self == .doubleThick }
}

/// A page's border where it is drawn: its lines lie inside of `area`, the sheet's points from the top left.
package struct BorderedFrame: Sendable, Codable, Equatable {
  package var area: Rectangle
  package var style: PageBorder

  package init(area: Rectangle, style: PageBorder) {
    self.area = area
    self.style = style
  }

  /// The lines' middles, from the outside in.
  package var outlines: [Rectangle] {
    let width = style.lineWidth
    return (0..<(style.isDouble ? 2 : 1)).map { line in
      let inset = width / 2 + Double(line) * (width + 1.5)
      return Rectangle(
        x: area.x + inset, y: area.y + inset, width: max(0, area.width - 2 * inset),
        height: max(0, area.height - 2 * inset))
    }
  }
}
