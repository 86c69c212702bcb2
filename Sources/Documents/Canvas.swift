internal import CPango  // cairo, which all modules of its kin have
internal import CPoppler
internal import Glibc
package import PrintModel

/// A white bitmap to draw pages on: 32 bits per pixel, `xRGB` in the machine's byte order (cairo's RGB24), reused for
/// bands and pages.
package final class Canvas {
  package let width: Int
  package let height: Int
  /// Bytes from row to row.
  package let stride: Int
  private var bitmap: OpaquePointer
  /// The same bitmap, for drawing.
  var surface: OpaquePointer {
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
    stride = Int(cairo_image_surface_get_stride(surface))
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
  private var isWhite = false

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
    if let base = cairo_image_surface_get_data(bitmap) {
      UnsafeMutableRawBufferPointer(start: base, count: stride * height).initializeMemory(
        as: UInt8.self, repeating: 0xFF)
    }
    cairo_surface_mark_dirty(bitmap)
  }

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
        try PixelMinimum.enforce { () throws(Failure) in
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

  /// Replaces the whole canvas with rows of a half-resolution canvas, from `top` on: each of its pixels becomes four.
  ///
  /// Throws exit 70 when memory runs out.
  package func enlarge(_ half: Canvas, from top: Int) throws(Failure) {
    guard let context = cairo_create(surface) else {
      throw Failure(.fault, "cairo has no memory for a context.")
    }
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
        let row = UnsafeRawBufferPointer(rebasing: pixels[row * stride..<row * stride + width * 4])
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
  var lastMarkedRow: Int? {
    withPixels { pixels in
      (0..<height).last { row in
        let words = UnsafeRawBufferPointer(
          rebasing: pixels[row * stride..<row * stride + width * 4]
        )
        .assumingMemoryBound(to: UInt32.self)
        return words.contains { $0 & 0xFF_FFFF != 0xFF_FFFF }
      }
    }
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
      throw Failure(.fault, "cairo has no memory for a context.")
    }
    defer { cairo_destroy(context) }
    if !isAntialiased { hardenEdges(context) }
    var matrix = cairo_matrix_t(transform)
    cairo_transform(context, &matrix)
    try draw(placement, on: context)
    let status = cairo_status(context)
    if status == CAIRO_STATUS_NO_MEMORY {
      throw MemoryShortage.failure(page: placement.page)
    }
    guard status == CAIRO_STATUS_SUCCESS else {
      if redrawBySplash(page: placement.page) { return }
      let why = cairo_status_to_string(status).map { String(cString: $0) } ?? "unknown"
      throw Failure(.document, "Page \(placement.page + 1) can't be drawn: \(why).")
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
    var matrix = cairo_matrix_t(placement.transform)
    cairo_transform(context, &matrix)
    try draw(page: placement.page, on: context)
    guard !placement.lines.isEmpty || placement.border != nil else { return }
    cairo_restore(context)
    cairo_save(context)
    if let border = placement.border { draw(border, on: context) }
    for line in placement.lines {
      cairo_save(context)
      defer { cairo_restore(context) }
      var matrix = cairo_matrix_t(line.transform)
      cairo_transform(context, &matrix)
      try LineSetter.draw(line, on: context)
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

/// The limit on the memory of the process that draws.
enum MemoryShortage {
  /// True if the process has a limit on its own memory.
  static var isPossible: Bool {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0
      && limit.rlim_cur != rlim_t.max
  }

  /// The failure, exit 65, of a page that needs more memory than its process may have: an attempt that takes less may
  /// succeed.
  static func failure(page: Int) -> Failure { failure(of: "Page \(page + 1)") }

  /// - `subject`: the start of a sentence.
  static func failure(of subject: String) -> Failure {
    Failure(
      .memoryShortage,
      "\(subject) can't be drawn: it takes more memory than page-memory in config.toml allows.",
      about: subject)
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
