internal import Documents
internal import PrintModel
internal import Raster

/// Draws sides of a document in whatever form is sent, and hands the bytes over as they come.
struct SideDrawing {
  private let document: Document
  private let setup: SheetSetup

  init(_ document: Document, _ setup: SheetSetup) {
    self.document = document
    self.setup = setup
  }

  typealias Output = (FrameKind, UnsafeRawBufferPointer) -> Void

  /// Every side ends with `.endOfSide`, but for PDF, where all of them are one piece.
  func draw(_ sides: [SheetSide], to output: @escaping Output) throws(Failure) {
    switch setup.output {
    case .urf: try drawRaster(sides, as: .urf, to: output)
    case .pwg: try drawRaster(sides, as: .pwg, to: output)
    case .pdf, .previewPDF: try drawPDF(sides, to: output)
    case .jpeg, .preview: try drawPictures(sides, to: output)
    }
  }

  /// A canvas takes at most this many bytes, so an A4 page at 600 dpi is drawn in three bands. Measured
  /// on tracemonkey, pdkids and freeculture-20: as fast as one piece (fewer pages of memory are touched),
  /// with a worker of 82 to 92 MB instead of 169 to 178; eighteen bands took 1.4 to 3.4 times as long.
  private static let mostMemory = 48 << 20

  private func drawRaster(
    _ sides: [SheetSide], as format: RasterFormat, to output: Output
  ) throws(Failure) {
    let width = setup.widthInPixels
    let longest = sides.map(setup.lengthInPixels).max() ?? 1
    let rows = max(1, min(longest, SideDrawing.mostMemory / (width * 4)))
    let canvas = try Canvas(width: width, height: rows)
    canvas.isAntialiased = max(setup.resolution.x, setup.resolution.y) < 600
    for (index, side) in sides.enumerated() {
      let height = setup.lengthInPixels(side)
      do {
        var encoder = try PageEncoder(
          setup.page(side), format: format, layout: .xrgb32, inGray: setup.isGray)
        for top in stride(from: 0, to: height, by: rows) {
          let count = min(rows, height - top)
          if side.placements.isEmpty {
            encoder.encodeBlank(rows: count)
          } else {
            if index > 0 || top > 0 { canvas.clear() }
            try draw(side, on: canvas, from: top)
            canvas.withPixels { pixels in
              encoder.encode(pixels.bytes, stride: canvas.stride, rows: count)
            }
          }
          encoder.drain { bytes in bytes.withUnsafeBytes { send($0, to: output) } }
        }
      } catch let error as RasterError {
        throw Failure(.fault, error.message)
      } catch let error as Failure {
        throw error
      } catch {
        throw Failure(.fault, "\(error)")
      }
      output(.endOfSide, UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }

  /// The side's pages, on a canvas that shows the sheet's rows from `top` on.
  private func draw(_ side: SheetSide, on canvas: Canvas, from top: Int) throws(Failure) {
    let toPixels = setup.toPixels(side).then(.translation(0, Double(-top)))
    for placement in side.placements {
      try canvas.draw(
        document, page: placement.page, by: placement.transform.then(toPixels))
    }
  }

  /// In frames that leave room for those of other workers.
  private func send(_ bytes: UnsafeRawBufferPointer, to output: Output) {
    let piece = 256 << 10
    for start in stride(from: 0, to: bytes.count, by: piece) {
      output(
        .data,
        UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + piece, bytes.count)]))
    }
  }

  private func drawPDF(_ sides: [SheetSide], to output: @escaping Output) throws(Failure) {
    let file = try PDFWriter { output(.data, $0) }
    for side in sides {
      try file.page(setup.size(side)) { (page) throws(Failure) in
        for placement in side.placements {
          try page.draw(document, page: placement.page, by: placement.transform)
        }
        if setup.output == .previewPDF {
          page.tintMargins(outside: setup.printable, of: setup.size(side))
        }
      }
    }
    try file.finish()
    output(.endOfSide, UnsafeRawBufferPointer(start: nil, count: 0))
  }

  private func drawPictures(_ sides: [SheetSide], to output: Output) throws(Failure) {
    for side in sides {
      let canvas = try Canvas(
        width: setup.widthInPixels, height: setup.lengthInPixels(side))
      // Looked at from above, a back side is upright, however it is sent.
      try draw(
        SheetSide(placements: side.placements, isBack: false, length: side.length), on: canvas,
        from: 0)
      if setup.isGray { canvas.makeGray() }
      if setup.output == .preview {
        canvas.tintMargins(outside: setup.printable(side), setup.resolution)
        canvas.outline()
      }
      let file = setup.output == .jpeg ? try canvas.jpeg() : try canvas.png()
      file.withUnsafeBytes { send($0, to: output) }
      output(.endOfSide, UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }
}
