/// The page that a document which reflows is laid out for, in points.
package struct PageBox: Sendable, Equatable, Codable {
  /// The sheet, as its reader holds it.
  package var size: PageSize
  /// Area for content.
  package var content: Rectangle
  /// There is one page, as long as its content needs, and `size.height` is the longest that it may be.
  package var isRoll: Bool
  /// The margins were asked for: the content goes as far as they say.
  package var hasAskedMargins: Bool
  /// Resolution the page will be drawn at, where that is known: bars of a code are whole dots then.
  package var resolution: Resolution?
  /// Style of plain text in it.
  package var text: TextStyle
  package var arrangement: Arrangement

  /// Area of plain text in its page.
  package enum Arrangement: String, Sendable, Codable {
    /// Line under line, from the top.
    case lines
    /// In the middle, as large as fits.
    case label
    /// The last block is the address, in the right half, 40 mm below the top and 15 mm above the bottom
    /// (UPU, S42 and its members' rules for letters); a block before it is the sender's.
    case envelope
    /// The same where USPS reads it: from 5/8 to 2 3/4 inches above the bottom (DMM 202 §2).
    case envelopeOfNorthAmerica
  }

  package init(
    size: PageSize, content: Rectangle, isRoll: Bool, hasAskedMargins: Bool = false,
    resolution: Resolution? = nil, text: TextStyle = TextStyle(), arrangement: Arrangement = .lines
  ) {
    self.size = size
    self.content = content
    self.isRoll = isRoll
    self.hasAskedMargins = hasAskedMargins
    self.resolution = resolution
    self.text = text
    self.arrangement = arrangement
  }
}
