internal import CCairo
internal import Glibc
internal import LateLibraries
internal import LibraryPatches
package import PrintModel

/// A white bitmap to draw pages on: 32 bits per pixel, `xRGB` in the machine's byte order (cairo's RGB24), reused for
/// bands and pages.
package final class Canvas {
  package let width: Int
  package let height: Int
  /// Bytes from row to row, in cairo's bitmaps of this kind without any between them.
  package var stride: Int { width * 4 }
  private var bitmap: OpaquePointer
  /// The same bitmap, for drawing.
  package var surface: OpaquePointer {
    isWhite = false
    return bitmap
  }

  /// True for soft edges of lines and text; false for resolutions at which the steps of hard edges are invisible.
  package var isAntialiased = true

  /// Creates a white bitmap.
  ///
  /// Throws exit 65 when there is no memory for it.
  package init(width: Int, height: Int) throws(Failure) {
    try GraphicsLibraries.drawing.load()
    guard let surface = Canvas.bitmap(width, height) else {
      guard max(width, height) > Canvas.longest || !MemoryShortage.isPossible else {
        throw MemoryShortage.failure(of: "A page")
      }
      throw .document("A page of \(width) x \(height) pixels is too large to be drawn.")
    }
    bitmap = surface
    self.width = width
    self.height = height
    clear()
  }

  deinit { cairo_surface_destroy(bitmap) }

  /// Maximum width and height in pixels of a bitmap, whatever the memory (cairo-image-surface.c).
  private static let longest = 32_767

  private static func bitmap(_ width: Int, _ height: Int) -> OpaquePointer? {
    let surface = cairo_image_surface_create(
      CAIRO_FORMAT_RGB24, Int32(clamping: width), Int32(clamping: height))
    if cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS { return surface }
    cairo_surface_destroy(surface)
    return nil
  }

  /// True if it was not handed out for drawing since it was cleared.
  package private(set) var isWhite = false

  /// Makes every pixel white.
  package func clear() {
    isWhite = true
    // cairo draws nothing any more on a surface on which something failed.
    if cairo_surface_status(bitmap) != CAIRO_STATUS_SUCCESS,
      let another = Canvas.bitmap(width, height)
    {
      cairo_surface_destroy(bitmap)
      bitmap = another
    }
    cairo_surface_flush(bitmap)
    // Swift's initializeMemory would call a function for every byte in a debug build.
    if let base = cairo_image_surface_get_data(bitmap) { memset(base, 0xFF, stride * height) }
    cairo_surface_mark_dirty(bitmap)
  }

  /// Replaces the whole canvas with rows of a half-resolution canvas, from `top` on: each of its pixels becomes four.
  package func enlarge(_ half: Canvas, from top: Int) {
    let context = cairo_create(surface)
    defer { cairo_destroy(context) }
    cairo_scale(context, 2, 2)
    cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
    cairo_set_source_surface(context, half.surface, 0, Double(-top))
    cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST)
    cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
    cairo_paint(context)
  }

  /// The pixels, `height` rows of `stride` bytes.
  package func withPixels<Result, Problem: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    cairo_surface_flush(bitmap)
    return try body(
      UnsafeRawBufferPointer(start: cairo_image_surface_get_data(bitmap), count: stride * height))
  }

  /// The same pixels, for writing.
  package func withMutablePixels<Result, Problem: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    let surface = self.surface
    cairo_surface_flush(surface)
    defer { cairo_surface_mark_dirty(surface) }
    return try body(
      UnsafeMutableRawBufferPointer(
        start: cairo_image_surface_get_data(surface), count: stride * height))
  }

  /// Marks on a canvas.
  package enum Marks {
    case none
    /// Invisible marks: all channels are above 7/8.
    case faint
    case plain
  }

  /// The most visible marks on the first `rows` rows.
  package func marks(rows: Int) -> Marks {
    withPixels { pixels in
      var common: UInt32 = 0xFF_FFFF
      for row in 0..<rows {
        let row = UnsafeRawBufferPointer(rebasing: pixels[row * stride..<(row + 1) * stride])
        // The C library is faster at checking rows of one color, such as white.
        let isEven = row.baseAddress.map { memcmp($0, $0 + 4, row.count - 4) } == 0
        for pixel in row.bindMemory(to: UInt32.self).prefix(isEven ? 1 : width) {
          common &= pixel
          if common & 0xE0_E0E0 != 0xE0_E0E0 { return .plain }
        }
      }
      return common == 0xFF_FFFF ? .none : .faint
    }
  }

  /// The lowest row with a pixel that is not white.
  package var lastMarkedRow: Int? {
    withPixels { pixels in
      let last = pixels.bindMemory(to: UInt32.self).lastIndex { $0 & 0xFF_FFFF != 0xFF_FFFF }
      return last.map { $0 / width }
    }
  }
}

/// The drawing operations of a side, recorded as a list and played into one band of rows after another.
///
/// A page is interpreted once, however many bands it is drawn in, so a band can be small enough for the processor's
/// cache: clearing and comparing 139 MB, an A4 side at 600 dpi, took more time than drawing it. Compared with whole
/// pages in bands of 48 MB, this was 1.4 to 1.8 times as fast on tracemonkey, pdkids, freeculture-20 and geotopo, with
/// half the memory.
package final class DisplayList {
  let surface: OpaquePointer
  package let isAntialiased: Bool
  private let drawn: InkedRows

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
    drawn = InkedRows(
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
      try HairlineStrokes.enforce { () throws(Failure) in try body(surface) }
    }
  }

  /// The next rows from `row` on where something may be drawn; nil: everything from there on is white.
  package func nextInkedRows(from row: Int) -> Range<Int>? { drawn.next(from: row) }
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
      throw .fault("cairo has no memory to play what was drawn.")
    }
    guard status == CAIRO_STATUS_SUCCESS else {
      let why = cairo_status_to_string(status).map { String(cString: $0) } ?? "unknown"
      throw .document("A page can't be drawn: \(why).")
    }
  }
}
