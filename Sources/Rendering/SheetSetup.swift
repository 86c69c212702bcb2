package import PrintModel
internal import Raster

/// Settings that all sides of a job share, as a worker needs them: plain numbers and keywords.
struct SheetSetup {
  enum Output: String {
    case urf, pwg, pdf, postScript, jpeg
    /// A PNG of each side for people: the sheet with its unprintable margin tinted.
    case preview
    /// The same as JPEG files, and as sixels for a terminal.
    case previewJPEG, previewSixel
    /// The same as one PDF file.
    case previewPDF

    /// True if all sides are one piece, made by one worker.
    var isOneFile: Bool { [.pdf, .postScript, .previewPDF].contains(self) }

    var isPreview: Bool {
      [.preview, .previewJPEG, .previewSixel, .previewPDF].contains(self)
    }
  }

  var output: Output
  /// 1/100 mm.
  var width: Hundredths
  var length: Hundredths
  var name: String
  /// In points; a preview tints everything outside.
  var printable: Rectangle
  var resolution: Resolution
  var isGray: Bool
  var isRasterGray: Bool
  var isBitonal: Bool
  var isCMYK: Bool
  var rotation = Rotation.none
  var sides: Sides
  var sheetBack: SheetBack
  var quality: Int
  var mediaType: String
  /// The medium of the first sheet, and the number of its tray (MediaPosition); 0: it is from that of the others.
  var firstMediaType = ""
  var firstTray = 0
  var contentOptimize: String
  /// PWG's CutMedia.
  var cutsEachPage: Bool
  var allSides: Int
  var economy = Economy.none

  /// Ways to draw a side again that took too much memory.
  enum Economy: Int {
    case none
    /// In large bands, each drawn from the document: no list holds its pictures.
    case bands
    /// Additionally by Splash, which reads a PDF's pictures row by row.
    case splash
    /// Additionally at half the resolution.
    case half

    var next: Economy? { Economy(rawValue: rawValue + 1) }
  }

  var widthInPixels: Int { width.pixels(dpi: resolution.x) }

  func lengthInPixels(_ side: SheetSide) -> Int { length(of: side).pixels(dpi: resolution.y) }

  func size(_ side: SheetSide) -> PageSize {
    PageSize(width: width.points, height: length(of: side).points)
  }

  /// The side as it is drawn: for people, as its reader holds it; for a printer, as it is fed.
  func asSeen(_ side: SheetSide) -> (size: PageSize, transform: Transform) {
    output.isPreview
      ? side.asRead(on: size(side), rotation) : (size(side), .identity)
  }

  /// The printable area of a side; a roll may be cut early.
  func printable(_ side: SheetSide) -> Rectangle {
    var area = printable
    area.height -= (length - length(of: side)).points
    return area
  }

  private func length(of side: SheetSide) -> Hundredths { side.length ?? length }

  /// The header of the side in a raster file.
  func page(_ side: SheetSide) -> RasterPage {
    var page = RasterPage(
      sheet: MediaSize(width: width, length: length(of: side)), name: name, resolution: resolution,
      pixels: isBitonal ? .black1 : isRasterGray ? .gray8 : isCMYK ? .cmyk32 : .srgb24)
    page.sides = sides
    page.turn = turn(of: side)
    page.quality = Quality(rawValue: quality)
    page.mediaType = mediaType
    if side.isFirst, firstTray > 0 {
      (page.mediaPosition, page.mediaType) = (firstTray, firstMediaType)
    }
    page.contentOptimize = contentOptimize
    page.totalPages = allSides
    if cutsEachPage { page.cut = .afterPage }
    return page
  }

  /// The transform that a side needs before it is sent.
  func turn(of side: SheetSide) -> BackSideTransform {
    side.isBack ? BackSideTransform.back(of: sheetBack, sides: sides) : .none
  }

  /// Maps the sheet's points to the pixels that are sent.
  func toPixels(_ side: SheetSide) -> Transform {
    let scale = Transform.scale(Double(resolution.x) / 72, Double(resolution.y) / 72)
    let width = Double(widthInPixels)
    let height = Double(lengthInPixels(side))
    switch turn(of: side) {
    case .none: return scale
    case .rotated: return scale.then(Transform(xx: -1, yy: -1, x0: width, y0: height))
    case .flipped: return scale.then(Transform(yy: -1, y0: height))
    case .mirrored: return scale.then(Transform(xx: -1, x0: width))
    }
  }
}

extension SheetSide {
  /// The sheet as its reader holds it, with the pages upright, or as `--rotate` turns them from there: its size, and the
  /// transform from the sheet as it is fed.
  ///
  /// - `sheet`: size of the side as it is fed.
  package func asRead(
    on sheet: PageSize, _ rotation: Rotation
  ) -> (size: PageSize, transform: Transform) {
    guard let page = placements.first?.transform else { return (sheet, .identity) }
    let turn = Rotation(of: page) + -rotation
    return (
      turn.isAcross ? sheet.rotated : sheet,
      turn.onto(width: sheet.width, height: sheet.height).inverse
    )
  }
}

extension SheetSetup {
  init(_ ticket: Ticket, output: Output, allSides: Int) {
    self.output = output
    width = ticket.paper.size.width
    length = ticket.paper.size.length
    name = ticket.paper.name
    printable = ticket.paper.printableRect
    resolution = ticket.resolution
    // A PostScript page that is made gray here becomes a picture (`VectorWriter.Page.inGray`).
    isGray = ticket.color == .gray && (output != .postScript || ticket.rasterColor == .gray)
    isRasterGray = ticket.rasterColor == .gray
    isBitonal = ticket.isBitonal
    isCMYK = ticket.isCMYK
    rotation = ticket.rotation
    sides = ticket.sides
    sheetBack = ticket.sheetBack
    quality = ticket.quality.rawValue
    mediaType = ticket.paper.type ?? ""
    firstMediaType = ticket.firstPaper?.type ?? ""
    firstTray = ticket.firstPaper?.source.flatMap(MediaPosition.number) ?? 0
    contentOptimize = [.photo, .postcard].contains(ticket.type) ? "photo" : ""
    cutsEachPage = ticket.paper.isRoll
    self.allSides = allSides
  }
}
