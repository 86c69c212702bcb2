internal import CCairo
internal import Glibc
internal import LateLibraries
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
      throw Failure(.document, "A page of \(width) x \(height) pixels is too large to be drawn.")
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
