/// The page that a document which reflows is laid out for, in points.
package struct PageBox: Sendable, Equatable, Codable {
  /// The sheet, as its reader holds it.
  package var size: PageSize
  /// Where content may be.
  package var content: Rectangle
  /// There is one page, as long as its content needs, and `size.height` is the longest that it may be.
  package var isRoll: Bool
  /// What the page will be drawn at, where that is known: bars of a code are whole dots then.
  package var resolution: Resolution?
  /// How plain text is set in it.
  package var text: TextStyle

  package init(
    size: PageSize, content: Rectangle, isRoll: Bool, resolution: Resolution? = nil,
    text: TextStyle = TextStyle()
  ) {
    self.size = size
    self.content = content
    self.isRoll = isRoll
    self.resolution = resolution
    self.text = text
  }
}
