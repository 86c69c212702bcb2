/// The page for which a document that reflows is laid out, in points.
package struct PageBox: Sendable, Equatable, Codable {
  /// The size of the sheet as its reader holds it.
  package var size: PageSize
  /// Area for content.
  package var content: Rectangle
  /// True for a roll: a page is as long as its content needs, and `size.height` is its maximum.
  package var isRoll: Bool
  /// True if a form feed in plain text is only a gap on a roll: a receipt is one piece.
  package var isOnePiece: Bool
  /// The margins were asked for: the content goes as far as they say.
  package var hasAskedMargins: Bool
  /// Resolution at which the page will be drawn, if known: then the bars of a barcode are whole dots.
  package var resolution: Resolution?
  /// Style of plain text in it.
  package var text: TextStyle
  package var arrangement: Arrangement

  /// Arrangement of plain text on its page.
  package enum Arrangement: String, Sendable, Codable {
    /// Line after line, from the top.
    case lines
    /// Centered, as large as fits.
    case label
    /// The last block is the address, in the right half, 40 mm below the top and 15 mm above the bottom (UPU, S42 and
    /// its members' rules for letters); a preceding block is the sender.
    case envelope
    /// The same in the area that USPS reads: from 5/8 to 2 3/4 inches above the bottom (DMM 202 §2).
    case envelopeOfNorthAmerica
  }

  package init(
    size: PageSize, content: Rectangle, isRoll: Bool, isOnePiece: Bool = true,
    hasAskedMargins: Bool = false,
    resolution: Resolution? = nil, text: TextStyle = TextStyle(), arrangement: Arrangement = .lines
  ) {
    self.size = size
    self.content = content
    self.isRoll = isRoll
    self.isOnePiece = isOnePiece
    self.hasAskedMargins = hasAskedMargins
    self.resolution = resolution
    self.text = text
    self.arrangement = arrangement
  }
}
