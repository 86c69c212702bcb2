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
