/// All choices for one job that rendering and submission need, with their reasons.
///
/// Made by negotiation; it does not change afterwards.
package struct Ticket: Sendable, Equatable {
  package var type: JobType
  package var paper: Paper
  /// The medium of the first sheet if it is from another tray: of the same size.
  package var firstPaper: Paper?
  /// The media type that is sent.
  package var format = ""
  /// True if the document is sent to the printer unchanged, byte for byte; else its pages are drawn.
  package var isPassedThrough = false
  /// True if it is sent unchanged because only the printer reads it: see `DocumentInfo`.
  package var isRaw = false
  /// Dots per inch of the raster; also set for other formats, to the chosen value.
  package var resolution = Resolution(300)
  /// Color or gray, as pages are rendered.
  package var color = ColorMode.color
  /// Colors of the raster: color even for gray pages, on a printer without a gray raster; and for PostScript that the
  /// printer itself converts to gray.
  package var rasterColor = ColorMode.color
  /// True if the colors of the raster are the four inks (PWG Raster's cmyk_8).
  package var isCMYK = false
  /// True if the raster is one bit per pixel (PWG Raster's black_1), with tones as dots.
  package var isBitonal = false
  /// print-color-mode, as sent.
  package var colorKeyword = ""
  package var quality = Quality.normal
  package var sides = Sides.oneSided
  package var sheetBack = SheetBack.normal
  package var scaling = Scaling.none
  package var copies = 1
  /// Number of times the raster repeats the pages; the printer makes the other copies.
  package var repeats = 1
  /// True if all copies of a sheet are printed before the next sheet.
  package var isUncollated = false
  /// Indices (from 0) of the document's pages that are printed.
  package var pages: [Int]
  package var orientation = PrintRequest.OrientationOption.auto
  /// Pages on each side of a sheet.
  package var numberUp = 1
  /// Their places, if columns and rows were requested; else those that leave pages largest.
  package var grid: PageGrid?
  /// Set if each page is printed over several sheets.
  package var poster: Poster?
  /// Lines around every page.
  package var pageBorder = PageBorder.none
  /// Sides that are printed if there are several pages on each: the fronts or the backs.
  package var sideSet = PrintRequest.PageSet.all
  /// True if the last sheet is printed first.
  package var isReversed = false
  /// True if pages are arranged two on a side so that the folded sheets are a booklet.
  package var isBooklet = false
  /// Set if pages are printed at exactly this scale, regardless of `scaling`: a label whose pixels are the printer's.
  package var exactScale: Double?
  /// Largest scale of pages on a roll, unless a poster was requested.
  package var largestScale: Double?
  /// True if every page of a roll is cut at the end of its own content; else all at `paper`'s length.
  package var cutsAtContent = false
  /// True if a roll is cut at the end of the page, blank or not: the page states the size of a label.
  package var keepsPageLength = false
  /// True if pages are placed at the top of the printable area instead of the middle.
  package var isAtTop = false
  /// Margins around every page, from the edges of the paper as its reader holds it, if requested; the printer's own
  /// margins apply as well.
  package var margins: Margins?
  /// `--header` and `--footer`, filled in except for the page's number.
  package var header: RunningText?
  package var footer: RunningText?
  /// True if the document's pages are made for this paper: they leave room for margins, header and footer.
  package var reflows = false
  /// True if landscape pages are turned clockwise (orientation-requested 5), false for counter-clockwise (4).
  package var turnsClockwise = false
  /// `--rotate`: the turn of everything on the sheet, clockwise, in addition to that of landscape pages.
  package var rotation = Rotation.none
  /// True for plain text that is the address on an envelope, or the text of a label or of a grid's cell, not lines of a
  /// page.
  package var isAddress = false
  /// Style of plain text.
  package var text = TextStyle()
  /// The Job Template attributes for Create-Job.
  package var attributes: [Attribute] = []
  /// Names of those whose values were typed.
  package var typed: Set<String> = []
  /// Names of those whose values were typed, set or follow from the paper: no guess of airprint's.
  package var asked: Set<String> = []
  /// job-name and requesting-user-name, if an option or a setting says so.
  package var title: String?
  package var user: String?
  /// One sentence for each choice, in the order of the choices.
  package var reasons: [String] = []
  /// The number of sides that the pages take without copies, and without several on one.
  package var sidesOfPages: Int { pages.count * (poster?.sheets ?? 1) }
  /// What the user is told before the paper comes out.
  package var ledger = Ledger()
  /// The same as sentences.
  package var warnings: [String] { ledger.warnings }

  /// Makes the beginning of a ticket, to which the other choices are added.
  package init(type: JobType, paper: Paper, pages: [Int]) {
    self.type = type
    self.paper = paper
    self.pages = pages
  }
}
