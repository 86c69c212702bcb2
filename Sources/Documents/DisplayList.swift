internal import CPango  // cairo, which all modules of its kin have
internal import CPoppler
package import PrintModel

/// Operations that cairo is to draw on a side, kept as a list and played into one band of rows
/// after another.
///
/// A page is interpreted once, however many bands it is drawn in, so a band can be small enough for the
/// processor's cache: clearing and comparing 139 MB, an A4 side at 600 dpi, took more time than drawing
/// it. Measured against whole pages in bands of 48 MB: 1.4 to 1.8 times as fast on tracemonkey, pdkids,
/// freeculture-20 and geotopo, in half of the memory.
package final class DisplayList {
  let surface: OpaquePointer
  private let isAntialiased: Bool
  private let drawn: DrawnRows

  /// A page of which more is drawn is too rich: a list of 300,000 lines of a map takes 300 MB, and they are faster drawn
  /// directly.
  private static let mostOperations = 40_000

  /// It holds a part of a page that is too rich for a list, if `isLimited`.
  package var isTooLong: Bool { drawn.isOverLimit }

  /// An empty list for a side of so many pixels.
  ///
  /// Exit 70 where there is no memory.
  package init(
    width: Int, height: Int, isAntialiased: Bool, isLimited: Bool = false
  ) throws(Failure) {
    try GraphicsLibraries.drawing.load()
    var extents = cairo_rectangle_t(x: 0, y: 0, width: Double(width), height: Double(height))
    guard let surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, &extents),
      let context = cairo_create(surface)
    else { throw Failure(.fault, "cairo has no memory for a list.") }
    self.surface = surface
    self.isAntialiased = isAntialiased
    drawn = DrawnRows(
      on: surface, height: height, limit: isLimited ? DisplayList.mostOperations : .max)
    // Without transparency cairo starts in black.
    cairo_set_source_rgb(context, 1, 1, 1)
    cairo_paint(context)
    cairo_destroy(context)
  }

  deinit { cairo_surface_destroy(surface) }

  /// Adds a page with its header and footer.
  ///
  /// `transform` maps the sheet's points to the side's pixels. Exit 65 for a page that can't be drawn, 70 where
  /// there is no memory.
  package func draw(
    _ document: Document, _ placement: PagePlacement, by transform: Transform
  ) throws(Failure) {
    try drawn.listen(toOneContext: document.isDrawnByOneContext) { () throws(Failure) in
      try PixelMinimum.enforce { () throws(Failure) in
        try document.draw(placement, on: surface, by: transform, isAntialiased: isAntialiased)
      }
    }
  }

  /// The next rows from `row` on that something may be drawn on; nil: all is white from there on.
  package func nextDrawnRows(from row: Int) -> Range<Int>? { drawn.next(from: row) }
}

extension Canvas {
  /// Draws so many rows of a list from `top` on, over all that there was on them.
  ///
  /// Exit 70 where there is no memory.
  package func play(_ list: DisplayList, from top: Int, rows: Int) throws(Failure) {
    try play(list.surface, from: top, rows: rows)
  }

  /// - `list`: a recording surface that begins with white all over.
  func play(_ list: OpaquePointer, from top: Int, rows: Int) throws(Failure) {
    guard let context = cairo_create(surface) else {
      throw Failure(.fault, "cairo has no memory for a context.")
    }
    defer { cairo_destroy(context) }
    // With this operator the list is played on the canvas itself, without a copy between.
    cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
    cairo_set_source_surface(context, list, 0, Double(-top))
    cairo_rectangle(context, 0, 0, Double(width), Double(rows))
    cairo_clip(context)
    PixelMemory.playingOverAll(cairo_image_surface_get_data(surface)) { cairo_paint(context) }
    guard cairo_status(context) == CAIRO_STATUS_SUCCESS else {
      throw Failure(.fault, "cairo can't play what was drawn.")
    }
  }
}

extension Document {
  /// True when pages are large enough in the file, 512 KB, to be too rich for a list.
  package var mayBeTooRichForList: Bool { bytesPerPage >= 512 << 10 }
}
