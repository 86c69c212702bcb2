/// A medium as a printer offers it: one entry of media-col-ready or of media-col-database, or a substitute on printers
/// that report neither.
///
/// Like UIPrintPaper, it is a physical sheet (or a roll's width) with its printable area. Borderless is a property of
/// one entry, not of the printer (libcupsfilters#89).
package struct Paper: Sendable, Hashable {
  /// The PWG self-describing name, in the printer's own spelling if it states one.
  package var name: String
  /// Width as fed, and length.
  ///
  /// The length of a roll is the longest cut until the content is known.
  package var size: MediaSize
  package var margins: Margins
  /// The media-source keyword: the tray.
  package var source: String?
  /// The media-type keyword.
  package var type: String?
  /// True for a roll, which is cut where the job requests it; `cuts` are the possible lengths.
  package var isRoll: Bool
  package var cuts: ClosedRange<Hundredths>?
  /// True if the printer reports that it is loaded now.
  package var isReady: Bool
  /// The members of the printer's own media-col, which are echoed to it as stated; empty if the entry was made from
  /// names.
  package var column: [Attribute]

  package init(
    name: String, size: MediaSize, margins: Margins, source: String? = nil, type: String? = nil,
    isRoll: Bool = false, cuts: ClosedRange<Hundredths>? = nil, isReady: Bool,
    column: [Attribute] = []
  ) {
    self.name = name
    self.size = size
    self.margins = margins
    self.source = source
    self.type = type
    self.isRoll = isRoll
    self.cuts = cuts
    self.isReady = isReady
    self.column = column
  }

  package var isBorderless: Bool { margins.isBorderless }

  /// `A4`, `80 mm roll`, `62x100mm`.
  package var title: String { MediaName.title(of: size, isRoll: isRoll) }

  /// The whole sheet, in points.
  package var paperRect: Rectangle {
    Rectangle(x: 0, y: 0, width: size.width.points, height: size.length.points)
  }

  /// Area that the printer can reach, in points, with its origin at the sheet's top left.
  package var printableRect: Rectangle {
    Rectangle(
      x: margins.left.points, y: margins.top.points,
      width: (size.width - margins.left - margins.right).points,
      height: (size.length - margins.top - margins.bottom).points)
  }
}

extension Paper: Encodable {
  /// Writes the JSON of `paper` (airprint-json(7)): lengths in points.
  package func encode(to encoder: any Encoder) throws {
    let sides = [
      "top": margins.top, "bottom": margins.bottom, "left": margins.left, "right": margins.right,
    ]
    try encoder.encode([
      "size": name, "width": paperRect.width, "height": paperRect.height,
      "margins": sides.mapValues(\.points), "source": source, "type": type, "ready": isReady,
      "borderless": isBorderless, "paperRect": paperRect, "printableRect": printableRect,
      "roll": isRoll, "cutLength": isRoll ? size.length.points : nil,
    ])
  }
}
