internal import CCairo
internal import LateLibraries
internal import LibraryPatches
package import PrintModel

/// The drawing operations of a side, recorded as a list and played into one band of rows after another.
///
/// A page is interpreted once, however many bands it is drawn in, so a band can be small enough for the processor's
/// cache: clearing and comparing 139 MB, an A4 side at 600 dpi, took more time than drawing it. Compared with whole
/// pages in bands of 48 MB, this was 1.4 to 1.8 times as fast on tracemonkey, pdkids, freeculture-20 and geotopo, with
/// half the memory.
package final class DisplayList {
  let surface: OpaquePointer
  package let isAntialiased: Bool
  private let drawn: DrawnRows

  /// Maximum number of operations of a page: a list of 300,000 lines of a map takes 300 MB, and drawing them directly
  /// is faster.
  private static let mostOperations = 40_000

  /// True if it contains only a part of a page that has too many operations for a list; needs `isLimited`.
  package var isTooLong: Bool { drawn.isOverLimit }

  /// The number of times that its paths are traced when it is played into bands of `rows` rows.
  package func tracedPaths(inBandsOf rows: Int) -> Int { drawn.pathRows / max(1, rows) }

  /// Creates an empty list for a side of this size in pixels.
  ///
  /// Throws exit 70 when cairo can't be loaded.
  package init(
    width: Int, height: Int, isAntialiased: Bool, isLimited: Bool = false
  ) throws(Failure) {
    try GraphicsLibraries.drawing.load()
    var extents = cairo_rectangle_t(x: 0, y: 0, width: Double(width), height: Double(height))
    surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, &extents)
    self.isAntialiased = isAntialiased
    drawn = DrawnRows(
      on: surface, height: height, limit: isLimited ? DisplayList.mostOperations : .max)
    let context = cairo_create(surface)
    // Without alpha, cairo starts with black.
    cairo_set_source_rgb(context, 1, 1, 1)
    cairo_paint(context)
    cairo_destroy(context)
  }

  deinit { cairo_surface_destroy(surface) }

  /// Adds a page, which `body` draws on the surface that it gets.
  ///
  /// - `isThroughOneContext`: false if not all of it is drawn through the context that `body` makes.
  package func add(
    throughOneContext isThroughOneContext: Bool,
    _ body: (OpaquePointer) throws(Failure) -> Void
  ) throws(Failure) {
    try drawn.listen(toOneContext: isThroughOneContext) { () throws(Failure) in
      try PixelMinimum.enforce { () throws(Failure) in try body(surface) }
    }
  }

  /// The next rows from `row` on where something may be drawn; nil: everything from there on is white.
  package func nextDrawnRows(from row: Int) -> Range<Int>? { drawn.next(from: row) }
}

extension Canvas {
  /// Draws rows of a list, from `top` on, over the first `rows` rows of the canvas.
  ///
  /// Throws exit 70 when memory runs out, 65 when cairo can't draw something of it: a glyph of a Type 3 font, for
  /// example, is a picture as large as the font's box, and cairo's pictures have at most 32,767 pixels a side.
  package func play(_ list: DisplayList, from top: Int, rows: Int) throws(Failure) {
    try play(list.surface, from: top, rows: rows)
  }

  /// - `list`: a recording surface that begins with white everywhere.
  func play(_ list: OpaquePointer, from top: Int, rows: Int) throws(Failure) {
    let context = cairo_create(surface)
    defer { cairo_destroy(context) }
    // With this operator, cairo plays the list directly onto the canvas, without a copy in between.
    cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
    cairo_set_source_surface(context, list, 0, Double(-top))
    cairo_rectangle(context, 0, 0, Double(width), Double(rows))
    cairo_clip(context)
    cairo_paint(context)
    let status = cairo_status(context)
    if status == CAIRO_STATUS_NO_MEMORY {
      throw Failure(.fault, "cairo has no memory to play what was drawn.")
    }
    guard status == CAIRO_STATUS_SUCCESS else {
      let why = cairo_status_to_string(status).map { String(cString: $0) } ?? "unknown"
      throw Failure(.document, "A page can't be drawn: \(why).")
    }
  }
}
