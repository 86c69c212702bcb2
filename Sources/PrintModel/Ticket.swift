/// Everything agreed for one job: everything that rendering and submission need, and why.
///
/// Negotiation makes it; it does not change afterwards.
package struct Ticket: Sendable, Equatable {
  package var type: JobType
  package var paper: Paper
  /// The media type that is sent.
  package var format: String
  /// The document goes to the printer as it is, byte for byte; else its pages are drawn.
  package var isPassedThrough: Bool
  /// Dots per inch of the raster; also stated for other formats, as what was chosen.
  package var resolution: Resolution
  /// True when we render gray or color.
  package var color: ColorMode
  /// Colors a raster holds: color also for gray pages, on a printer that has no gray raster; and those of PostScript
  /// that the printer makes gray itself.
  package var rasterColor: ColorMode
  /// The colors of a raster are the four inks (PWG Raster's cmyk_8).
  package var isCMYK = false
  /// A raster holds black or nothing (PWG Raster's black_1), tones as dots.
  package var isBitonal = false
  /// print-color-mode, as sent.
  package var colorKeyword: String
  package var quality: Quality
  package var sides: Sides
  package var sheetBack: SheetBack
  package var scaling: Scaling
  package var copies: Int
  /// Number of times the raster repeats the pages; the printer makes the other copies.
  package var repeats: Int
  /// Indices (from 0) of the document's pages that are printed.
  package var pages: [Int]
  package var orientation: PrintRequest.OrientationOption
  /// Pages on each side of a sheet: 1, 2, 4, 6, 9 or 16.
  package var numberUp = 1
  /// Lines around every page.
  package var pageBorder = PageBorder.none
  /// Sides that are printed, where several pages are on one: the fronts or the backs.
  package var sideSet = PrintRequest.PageSet.all
  /// The last sheet is printed first.
  package var isReversed = false
  /// Two pages a side lie so that the sheets, folded in the middle, are a booklet.
  package var isBooklet = false
  /// Set when pages go out at exactly this scale, regardless of `scaling`: a label whose pixels are the
  /// printer's.
  package var exactScale: Double?
  /// Scale that pages do not exceed on a roll, unless a poster was asked for.
  package var largestScale: Double?
  /// Every page of a roll is cut where its own content ends; else all at `paper`'s length.
  package var cutsAtContent = false
  /// A roll is cut where its page ends, white or not: the page states the size of a label.
  package var keepsPageLength = false
  /// Pages lie at the top of the printable area, not in the middle.
  package var isAtTop = false
  /// Margins left around every page, from the edges of the paper as its reader holds it, where it
  /// was asked for; the printer's own margins count besides.
  package var margins: Margins?
  /// `--header` and `--footer`, filled in but for the page's number.
  package var header: RunningText?
  package var footer: RunningText?
  /// The document's pages are made for this paper: margins, header and footer are kept free in them.
  package var reflows = false
  /// Landscape pages are turned counter-clockwise (orientation-requested 4), or clockwise (5).
  package var turnsClockwise: Bool
  /// Plain text that is the address on an envelope or the text of a label, not lines of a page.
  package var isAddress = false
  /// Style of plain text.
  package var text = TextStyle()
  /// The Job Template attributes for Create-Job.
  package var attributes: [Attribute]
  /// One sentence a choice, in the order in which they were made.
  package var reasons: [String]
  /// Warnings for the user before the paper comes out, as sentences.
  package var warnings: [String] = []

  package init(
    type: JobType, paper: Paper, format: String, isPassedThrough: Bool, resolution: Resolution,
    color: ColorMode, rasterColor: ColorMode, colorKeyword: String, quality: Quality, sides: Sides,
    sheetBack: SheetBack,
    scaling: Scaling,
    copies: Int, repeats: Int, pages: [Int], orientation: PrintRequest.OrientationOption = .auto,
    turnsClockwise: Bool = false, attributes: [Attribute] = [], reasons: [String] = []
  ) {
    self.type = type
    self.paper = paper
    self.format = format
    self.isPassedThrough = isPassedThrough
    self.resolution = resolution
    self.color = color
    self.rasterColor = rasterColor
    self.colorKeyword = colorKeyword
    self.quality = quality
    self.sides = sides
    self.sheetBack = sheetBack
    self.scaling = scaling
    self.copies = copies
    self.repeats = repeats
    self.pages = pages
    self.orientation = orientation
    self.turnsClockwise = turnsClockwise
    self.attributes = attributes
    self.reasons = reasons
  }
}
