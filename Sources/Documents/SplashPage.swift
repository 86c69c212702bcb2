internal import CPango  // cairo, which all modules of its kin have
internal import CPoppler
internal import CSplash
internal import PrintModel

/// A page of a PDF that Poppler's own renderer, Splash, draws: as pixels, slower than by cairo, and right in
/// what cairo can't do (see `SplashScan`).
final class SplashPage {
  private let page: OpaquePointer
  /// Splash reads from it as it draws.
  private let file: UnsafeMutableRawBufferPointer

  /// Pixels that are drawn at once.
  private static let most = 12 << 20

  /// nil: it can't be read.
  ///
  /// `bytes` are a PDF of one page.
  init?(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    try GraphicsLibraries.splash.load()
    guard bytes.count < Int32.max else { return nil }
    file = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    file.copyMemory(from: bytes)
    guard
      let page = splash_page_open(
        file.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count))
    else {
      file.deallocate()
      return nil
    }
    self.page = page
  }

  deinit {
    splash_page_close(page)
    file.deallocate()
  }

  /// Draws what is seen of the page, of `size` in its own units; the context's user space is these, origin top
  /// left.
  ///
  /// False when Splash has no memory for it.
  func draw(on context: OpaquePointer, _ size: PageSize) -> Bool {
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    let across = (matrix.xx * matrix.xx + matrix.yx * matrix.yx).squareRoot()
    let down = (matrix.xy * matrix.xy + matrix.yy * matrix.yy).squareRoot()
    var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
    cairo_clip_extents(context, &left, &top, &right, &bottom)
    let columns = SplashPage.pixels(left, right, size.width, across)
    let rows = SplashPage.pixels(top, bottom, size.height, down)
    guard !columns.isEmpty, !rows.isEmpty else { return true }
    let height = max(1, SplashPage.most / columns.count)
    for top in stride(from: rows.lowerBound, to: rows.upperBound, by: height) {
      let piece = top..<min(rows.upperBound, top + height)
      guard draw(columns, piece, on: context, (across, down)) else { return false }
    }
    return true
  }

  /// True when there is something plain on the page, of `size` in its own units.
  func hasMarks(_ size: PageSize) -> Bool {
    // A large page is looked at as coarsely as is needed for half a megapixel.
    let dpi = min(50, 72 * (524_288 / max(1, size.width * size.height)).squareRoot())
    let width = Int32(max(1, size.width * dpi / 72))
    let height = Int32(max(1, size.height * dpi / 72))
    guard let pixels = splash_page_draw(page, dpi, dpi, 0, 0, width, height, 1) else {
      return false
    }
    defer { splash_pixels_free(pixels) }
    let (columns, stride) = (Int(splash_pixels_width(pixels)), Int(splash_pixels_stride(pixels)))
    guard let data = splash_pixels_data(pixels) else { return false }
    return (0..<Int(splash_pixels_height(pixels))).contains { row in
      UnsafeRawBufferPointer(start: data + row * stride, count: columns * 4)
        .bindMemory(to: UInt32.self).contains { $0 & 0xE0_E0E0 != 0xE0_E0E0 }
    }
  }

  private func draw(
    _ columns: Range<Int>, _ rows: Range<Int>, on context: OpaquePointer,
    _ scale: (across: Double, down: Double)
  ) -> Bool {
    let isAntialiased = cairo_get_antialias(context) != CAIRO_ANTIALIAS_NONE
    guard
      let pixels = splash_page_draw(
        page, 72 * scale.across, 72 * scale.down, Int32(columns.lowerBound), Int32(rows.lowerBound),
        Int32(columns.count), Int32(rows.count), isAntialiased ? 1 : 0)
    else { return false }
    defer { splash_pixels_free(pixels) }
    let surface = cairo_image_surface_create_for_data(
      splash_pixels_data(pixels), CAIRO_FORMAT_RGB24, splash_pixels_width(pixels),
      splash_pixels_height(pixels), splash_pixels_stride(pixels))
    defer { cairo_surface_destroy(surface) }
    cairo_save(context)
    cairo_scale(context, 1 / scale.across, 1 / scale.down)
    cairo_set_source_surface(
      context, surface, Double(columns.lowerBound), Double(rows.lowerBound))
    // White leaves what lies below, as paper does. A turn by 90° keeps every pixel.
    cairo_set_operator(context, CAIRO_OPERATOR_MULTIPLY)
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    let isUpright = matrix.xx == 0 && matrix.yy == 0 || matrix.xy == 0 && matrix.yx == 0
    cairo_pattern_set_filter(
      cairo_get_source(context), isUpright ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD)
    cairo_paint(context)
    cairo_restore(context)
    return true
  }

  /// The pixels of a page that lie between two places of it.
  private static func pixels(
    _ start: Double, _ end: Double, _ length: Double, _ scale: Double
  ) -> Range<Int> {
    let (first, last) = (max(0, start * scale - 1), min(length * scale, end * scale + 1))
    guard first < last, last < 1e8 else { return 0..<0 }
    return Int(first)..<Int(last.rounded(.up))
  }
}
