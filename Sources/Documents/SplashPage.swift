internal import CPango  // cairo, which all modules of its kin have
internal import CPoppler
internal import CSplash
internal import Glibc
internal import PrintModel

/// A page of a PDF that Poppler's own renderer, Splash, draws: as pixels, slower than by cairo, and right in
/// what cairo can't do (see `SplashScan`).
final class SplashPage {
  private let page: OpaquePointer
  /// Splash reads from it as it draws.
  private let file: UnsafeMutableRawBufferPointer

  /// Pixels that are drawn at once: half of A4 at 600 dpi, or less where there is little memory.
  ///
  /// Splash reads the whole page for each piece, and takes eight bytes a pixel.
  private static let most: Int = {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else { return 18 << 20 }
    return max(1 << 20, Int(clamping: min(limit.rlim_cur / 14, 18 << 20)))
  }()
  /// The piece that was drawn last.
  ///
  /// Bands of a side are smaller, and lie in it one after another.
  private var kept: Piece?

  private struct Piece {
    var columns: Range<Int>
    var rows: Range<Int>
    var across: Double
    var down: Double
    var isAntialiased: Bool
    var pixels: OpaquePointer?

    func hasPlace(of other: Piece) -> Bool {
      columns == other.columns && rows == other.rows && across == other.across
        && down == other.down && isAntialiased == other.isAntialiased
    }
  }

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
    forgetPixels()
    splash_page_close(page)
    file.deallocate()
  }

  /// Draws what is seen of the page, of `size` in its own units; the context's user space is these, origin top
  /// left.
  ///
  /// False when Splash has no memory for it. `piecewise` draws more than is seen, for the bands that come next;
  /// without it no more memory is taken than for what is seen.
  func draw(on context: OpaquePointer, _ size: PageSize, piecewise: Bool) -> Bool {
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    let across = (matrix.xx * matrix.xx + matrix.yx * matrix.yx).squareRoot()
    let down = (matrix.xy * matrix.xy + matrix.yy * matrix.yy).squareRoot()
    var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
    cairo_clip_extents(context, &left, &top, &right, &bottom)
    let columns = SplashPage.pixels(left, right, size.width, across)
    let rows = SplashPage.pixels(top, bottom, size.height, down)
    guard !columns.isEmpty, !rows.isEmpty else { return true }
    var piece = Piece(
      columns: columns, rows: rows, across: across, down: down,
      isAntialiased: cairo_get_antialias(context) != CAIRO_ANTIALIAS_NONE)
    guard piecewise else { return draw(piece, on: context) }
    // Bands go down the page, or across it where it is turned: pieces are the same for all of them.
    let width = SplashPage.pixels(0, size.width, size.width, across).count
    let height = SplashPage.pixels(0, size.height, size.height, down).count
    let goesDown = columns.count * height >= rows.count * width
    let (whole, other) = goesDown ? (height, columns.count) : (width, rows.count)
    let needed = goesDown ? rows : columns
    let count = max(1, (whole * other + SplashPage.most - 1) / SplashPage.most)
    let step = max(1, (whole + count - 1) / count)
    for start in stride(from: needed.lowerBound / step * step, to: needed.upperBound, by: step) {
      let part = start..<min(whole, start + step)
      if goesDown { piece.rows = part } else { piece.columns = part }
      guard draw(piece, on: context) else { return false }
    }
    return true
  }

  /// Gives the memory back that keeps what was drawn last.
  func forgetPixels() {
    if let pixels = kept?.pixels { splash_pixels_free(pixels) }
    kept = nil
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

  /// A piece as pixels; nil: Splash has no memory for it.
  private func pixels(of piece: Piece) -> OpaquePointer? {
    if let kept, kept.hasPlace(of: piece) { return kept.pixels }
    forgetPixels()
    kept = piece
    errno = 0
    kept?.pixels = splash_page_draw(
      page, 72 * piece.across, 72 * piece.down, Int32(piece.columns.lowerBound),
      Int32(piece.rows.lowerBound), Int32(piece.columns.count), Int32(piece.rows.count),
      piece.isAntialiased ? 1 : 0)
    if let pixels = kept?.pixels, isShort(pixels, of: piece) {
      splash_pixels_free(pixels)
      kept?.pixels = nil
    }
    return kept?.pixels
  }

  /// True when there was no memory for all of a piece.
  ///
  /// Splash goes on then with one pixel in a page's or a group's place, and says nothing (SplashOutputDev,
  /// Poppler 22 to 26).
  private func isShort(_ pixels: OpaquePointer, of piece: Piece) -> Bool {
    Int(splash_pixels_width(pixels)) != piece.columns.count
      || Int(splash_pixels_height(pixels)) != piece.rows.count
      || errno == ENOMEM && MemoryShortage.isPossible
  }

  private func draw(_ piece: Piece, on context: OpaquePointer) -> Bool {
    guard let pixels = pixels(of: piece) else { return false }
    let surface = cairo_image_surface_create_for_data(
      splash_pixels_data(pixels), CAIRO_FORMAT_RGB24, splash_pixels_width(pixels),
      splash_pixels_height(pixels), splash_pixels_stride(pixels))
    defer { cairo_surface_destroy(surface) }
    cairo_save(context)
    cairo_scale(context, 1 / piece.across, 1 / piece.down)
    cairo_set_source_surface(
      context, surface, Double(piece.columns.lowerBound), Double(piece.rows.lowerBound))
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
