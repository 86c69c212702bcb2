internal import Documents
internal import Drawing
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
  var memorySaving = MemorySaving.none

  /// Ways to draw a side again that took too much memory.
  enum MemorySaving: Int {
    case none
    /// In large bands, each drawn from the document: no list holds its pictures.
    case bands
    /// Additionally by Splash, which reads a PDF's pictures row by row.
    case splash
    /// Additionally at half the resolution.
    case half

    var next: MemorySaving? { MemorySaving(rawValue: rawValue + 1) }
  }

  var widthInPixels: Int { width.pixels(dpi: resolution.x) }

  func lengthInPixels(_ side: SheetSide) -> Int { length(of: side).pixels(dpi: resolution.y) }

  func size(_ side: SheetSide) -> PageSize {
    PageSize(width: width.points, height: length(of: side).points)
  }

  /// The side as it is drawn: for people, as its reader holds it; for a printer, as it is fed.
  func asSeen(_ side: SheetSide) -> (size: PageSize, transform: Transform) {
    [.preview, .previewJPEG, .previewSixel, .previewPDF].contains(output)
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

/// Draws sides of a document in the output format, and passes on the bytes as they are produced.
struct SideDrawing {
  let document: Document
  let setup: SheetSetup

  typealias MessageSink = (WorkerMessageKind, UnsafeRawBufferPointer) -> Void

  /// Draws the sides; each ends with `.endOfSide`, except in PDF and PostScript, where they are all one piece.
  func draw(_ sides: [SheetSide], to output: @escaping MessageSink) throws(Failure) {
    switch setup.output {
    case .urf: try drawRaster(sides, as: .urf, to: output)
    case .pwg: try drawRaster(sides, as: .pwg, to: output)
    case .pdf, .postScript, .previewPDF: try drawFile(sides, to: output)
    case .jpeg, .preview, .previewJPEG, .previewSixel: try drawPictures(sides, to: output)
    }
  }

  private func drawRaster(
    _ sides: [SheetSide], as format: RasterFormat, to output: @escaping MessageSink
  ) throws(Failure) {
    let bands = BandPainter(document, setup)
    for side in sides {
      var encoder = try PageEncoder(
        setup.page(side), format: format, inGray: setup.isGray, dithered: setup.isBitonal)
      if side.placements.isEmpty {
        encoder.encodeBlank(rows: encoder.remaining)
        encoder.drain { bytes in bytes.withUnsafeBytes { send($0, to: output) } }
      }
      var kept = KeptBytes(most: 0) { send($0, to: output) }
      var bandsPainted = 0
      func drain() {
        encoder.drain { bytes in bytes.withUnsafeBytes { kept.add($0) } }
      }
      try bands.paint(side) { (canvas, rows) in
        bandsPainted += 1
        // Before, it is not known that cairo can't draw a page.
        if bandsPainted == 1 { kept.most = mostKept(of: side) }
        kept.mayBeGiven = bandsPainted > 1
        guard let canvas else {
          encoder.encodeBlank(rows: rows)
          return drain()
        }
        // A large band is passed on in pieces, so that it never exists twice.
        let step = max(1, SideDrawing.encodedPixels / setup.widthInPixels)
        for first in stride(from: 0, to: rows, by: step) {
          canvas.withPixels { pixels in
            encoder.encode(
              UnsafeRawBufferPointer(rebasing: pixels[(first * canvas.stride)...]).bytes,
              stride: canvas.stride, rows: min(step, rows - first))
          }
          drain()
        }
      }
      kept.give()
      endSide(side.placements.map(\.page), to: output)
    }
  }

  /// Number of bytes of a side that are kept until it is complete, since it may have to be drawn again.
  ///
  /// Splash takes its memory for each part of a page. Once memory was short, few bytes are kept, which may themselves be
  /// too many: a picture is read again for each band, so that memory runs out in the first one, or in the second one if
  /// the bytes of the first are in the way.
  private func mostKept(of side: SheetSide) -> Int {
    guard setup.memorySaving == .none else { return 16 << 20 }
    return side.placements.contains { document.isDrawnAsPixels(page: $0.page) } ? 32 << 20 : 0
  }

  private static let encodedPixels = 1 << 20

  /// Ends a side of these pages, after reporting what is missing from it.
  private func endSide(_ pages: [Int] = [], to output: MessageSink) {
    let splashed = pages.compactMap { page in
      document.splashReason(of: page).map { SplashedPage(page: page, reason: $0) }
    }
    if !splashed.isEmpty { splashed.workerBytes.withUnsafeBytes { output(.renderers, $0) } }
    let losses = document.takeLosses()
    if !losses.isEmpty { losses.workerBytes.withUnsafeBytes { output(.losses, $0) } }
    output(.endOfSide, UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Sends bytes in frames that leave room for those of other workers.
  private func send(_ bytes: UnsafeRawBufferPointer, to output: MessageSink) {
    let piece = 256 << 10
    for start in stride(from: 0, to: bytes.count, by: piece) {
      output(
        .data,
        UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + piece, bytes.count)]))
    }
  }

  private func drawFile(_ sides: [SheetSide], to output: @escaping MessageSink) throws(Failure) {
    let file = try VectorWriter(setup.output == .postScript ? .postScript : .pdf) {
      send($0, to: output)
    }
    for side in sides {
      let reader = setup.asSeen(side)
      try file.page(reader.size) { (page) throws(Failure) in
        page.transform(by: reader.transform)
        let draw = { () throws(Failure) in
          for placement in side.placements {
            try page.draw(document, placement)
          }
        }
        if setup.isGray, !side.placements.allSatisfy(document.isBlack) {
          try page.inGray(setup.size(side), draw)
        } else {
          try draw()
        }
        if setup.output == .previewPDF {
          page.tintMargins(outside: setup.printable, of: setup.size(side))
        }
      }
      // PostScript is only written at the end; this tells the parent that a page is done.
      output(.data, UnsafeRawBufferPointer(start: nil, count: 0))
    }
    try file.finish()
    endSide(to: output)
  }

  private func drawPictures(_ sides: [SheetSide], to output: MessageSink) throws(Failure) {
    for side in sides {
      let reader = setup.asSeen(side)
      let (width, length) = (setup.widthInPixels, setup.lengthInPixels(side))
      let isTurned = reader.size != setup.size(side)
      let canvas = try Canvas(
        width: isTurned ? length : width, height: isTurned ? width : length)
      // Seen from above, a back side is upright, however it is sent.
      let front = SheetSide(placements: side.placements, isBack: false, length: side.length)
      let toPixels = reader.transform.then(setup.toPixels(front))
      try canvas.draw(document, front.placements, by: toPixels)
      if canvas.marks(rows: canvas.height) != .plain,
        document.findsMarks(on: front.placements.map(\.page))
      {
        try canvas.draw(document, front.placements, by: toPixels)
      }
      if setup.isGray { canvas.makeGray() }
      if setup.output != .jpeg {
        canvas.tintMargins(
          outside: reader.transform.apply(setup.printable(side)), setup.resolution)
        canvas.outline()
      }
      let file =
        switch setup.output {
        case .jpeg: try canvas.jpeg()
        case .previewJPEG: try canvas.jpeg().statingJPEG(setup.resolution)
        case .previewSixel: canvas.sixels()
        default: try canvas.png(setup.resolution)
        }
      file.withUnsafeBytes { send($0, to: output) }
      endSide(side.placements.map(\.page), to: output)
    }
  }
}

/// The first bytes of a side, which are given out once there are more than `most` and they `mayBeGiven`; in pieces, as an
/// array that grows would exist twice.
private struct KeptBytes {
  var most: Int
  var mayBeGiven = false
  let output: (UnsafeRawBufferPointer) -> Void
  var pieces: [[UInt8]] = []
  var count = 0

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard most > 0 else { return output(bytes) }
    pieces.append([UInt8](bytes))
    count += bytes.count
    if count > most, mayBeGiven { give() }
  }

  /// Gives out what is kept; nothing is kept from then on.
  mutating func give() {
    for piece in pieces { piece.withUnsafeBytes(output) }
    pieces = []
    most = 0
  }
}
