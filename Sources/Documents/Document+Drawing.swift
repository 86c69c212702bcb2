internal import CCairo
package import Drawing
internal import LibraryPatches
internal import Pictures
package import PrintModel
internal import Receipts
internal import Text

extension Canvas {
  /// Draws pages with their headers and footers on white.
  ///
  /// `transform` maps the sheet's points to pixels. Throws exit 65 for a page that can't be drawn, 70 when memory runs
  /// out.
  package func draw(
    _ document: Document, _ placements: [PagePlacement], by transform: Transform
  ) throws(Failure) {
    repeat {
      if !isWhite { clear() }
      for placement in placements {
        try HairlineStrokes.enforce { () throws(Failure) in
          try document.draw(placement, on: surface, by: transform, isAntialiased: isAntialiased)
        }
      }
    } while document.takeRedraw()
  }

  /// Draws a single page on white.
  ///
  /// `transform` maps its points to pixels. Throws exit 65 for a page that can't be drawn, 70 when memory runs out.
  package func draw(_ document: Document, page: Int, by transform: Transform) throws(Failure) {
    try draw(document, [PagePlacement(page: page, transform: transform)], by: .identity)
  }

  /// The bitmap as a baseline JPEG file of good quality.
  ///
  /// Throws exit 70 when memory runs out.
  package func jpeg() throws(Failure) -> [UInt8] { try JPEGEncoder.file(of: self) }
}

extension DisplayList {
  /// Adds a page with its header and footer.
  ///
  /// `transform` maps the sheet's points to the side's pixels. Throws exit 65 for a page that can't be drawn, 70 when
  /// memory runs out.
  package func draw(
    _ document: Document, _ placement: PagePlacement, by transform: Transform
  ) throws(Failure) {
    try add(throughOneContext: document.isDrawnByOneContext) { (surface) throws(Failure) in
      try document.draw(placement, on: surface, by: transform, isAntialiased: isAntialiased)
    }
  }
}

extension VectorWriter.Page {
  /// Draws a page of a document with its header and footer.
  ///
  /// Throws exit 65 for a page that can't be drawn.
  package func draw(_ document: Document, _ placement: PagePlacement) throws(Failure) {
    try document.draw(placement, on: context)
  }
}

extension Document {
  /// Draws a page on a cairo surface.
  ///
  /// `transform` maps the sheet's points to the surface's pixels.
  func draw(
    _ placement: PagePlacement, on surface: OpaquePointer, by transform: Transform,
    isAntialiased: Bool
  ) throws(Failure) {
    guard let context = cairo_create(surface) else {
      throw .fault("cairo has no memory for a context.")
    }
    defer { cairo_destroy(context) }
    if !isAntialiased { hardenEdges(context) }
    applyTransform(transform, to: context)
    try draw(placement, on: context)
    let status = cairo_status(context)
    if status == CAIRO_STATUS_NO_MEMORY {
      throw MemoryShortage.failure(page: placement.page)
    }
    guard status == CAIRO_STATUS_SUCCESS else {
      if redrawBySplash(page: placement.page) { return }
      let why = cairo_status_to_string(status).map { String(cString: $0) } ?? "unknown"
      throw .document("Page \(placement.page + 1) can't be drawn: \(why).")
    }
  }

  /// Draws a page and its lines at their places on a sheet; the context's user space is the sheet's points.
  func draw(_ placement: PagePlacement, on context: OpaquePointer) throws(Failure) {
    cairo_save(context)
    defer { cairo_restore(context) }
    if let clip = placement.clip {
      cairo_rectangle(context, clip.x, clip.y, clip.width, clip.height)
      cairo_clip(context)
    }
    applyTransform(placement.transform, to: context)
    try draw(page: placement.page, on: context)
    guard !placement.lines.isEmpty || placement.border != nil || !placement.marks.isEmpty else {
      return
    }
    cairo_restore(context)
    cairo_save(context)
    if let border = placement.border { draw(border, on: context) }
    for mark in placement.marks {
      cairo_set_source_rgb(context, 0, 0, 0)
      cairo_rectangle(context, mark.x, mark.y, mark.width, mark.height)
      cairo_fill(context)
    }
    for line in placement.lines {
      cairo_save(context)
      defer { cairo_restore(context) }
      applyTransform(line.transform, to: context)
      if try !LineSetter.draw(line, on: context) {
        losses.add(
          Loss(
            .textCut, page: placement.page + 1,
            "The \(line.isAtBottom ? "footer" : "header") is too long for the paper: it ends with an ellipsis."
          ))
      }
    }
  }

  private func draw(_ border: BorderedFrame, on context: OpaquePointer) {
    cairo_set_source_rgb(context, 0, 0, 0)
    cairo_set_line_width(context, border.style.lineWidth)
    for line in border.outlines {
      cairo_rectangle(context, line.x, line.y, line.width, line.height)
      cairo_stroke(context)
    }
  }
}

private func hardenEdges(_ context: OpaquePointer) {
  cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
  let options = cairo_font_options_create()
  cairo_get_font_options(context, options)
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_NONE)
  cairo_set_font_options(context, options)
  cairo_font_options_destroy(options)
}

/// The names of the pictures in a receipt in the regular file behind `descriptor`, without duplicates.
///
/// The descriptor stays the caller's. Throws exit 65 with the line's number.
package func picturesOfReceipt(_ descriptor: Int32) throws(Failure) -> [String] {
  try ReceiptParser.parse(descriptor).pictures
}
