/// One page on one side of a sheet, with the lines above and below it.
package struct PagePlacement: Sendable, Codable, Equatable {
  /// Index of the document's page, from 0.
  package var page: Int
  /// Maps the page's points to the sheet's, both from the top left.
  package var transform: Transform
  /// Area in which the page may draw, in the sheet's points; nil: everywhere.
  package var clip: Rectangle?
  /// Header and footer.
  package var lines: [RunningLine] = []
  /// The frame around the page, in the sheet's points; nil: none.
  package var border: BorderedFrame?
  /// Where sheets of a poster are cut and glued: black lines, in the sheet's points.
  package var marks: [Rectangle] = []

  package init(page: Int, transform: Transform) {
    self.page = page
    self.transform = transform
  }
}

/// A header or a footer as it is drawn: one line.
package struct RunningLine: Sendable, Codable, Equatable {
  /// Texts at the left, in the middle and at the right; empty if there is none.
  package var left: String
  package var center: String
  package var right: String
  /// The line's place in points, from the top left; `transform` maps it to the sheet.
  package var frame: Rectangle
  package var transform: Transform
  /// Size of the type, in points.
  package var size: Double
  /// True for a footer: the line is at the frame's lower edge.
  package var isAtBottom: Bool

  package init(
    left: String, center: String, right: String, frame: Rectangle, transform: Transform,
    size: Double, isAtBottom: Bool
  ) {
    self.left = left
    self.center = center
    self.right = right
    self.frame = frame
    self.transform = transform
    self.size = size
    self.isAtBottom = isAtBottom
  }
}

/// `--page-border`: lines around every page, with the values of CUPS' page-border (cups-filters, pdftopdf).
package enum PageBorder: String, Sendable, Codable, CaseIterable {
  case none, single
  case singleThick = "single-thick"
  case double
  case doubleThick = "double-thick"

  /// Width of a line in points.
  package var lineWidth: Double { self == .singleThick || self == .doubleThick ? 1.5 : 0.5 }
  package var isDouble: Bool { self == .double || self == .doubleThick }
}

/// A page's border as it is drawn: its lines are inside `area`, in the sheet's points from the top left.
package struct BorderedFrame: Sendable, Codable, Equatable {
  package var area: Rectangle
  package var style: PageBorder

  package init(area: Rectangle, style: PageBorder) {
    self.area = area
    self.style = style
  }

  /// The center lines of its lines, from the outside in.
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
