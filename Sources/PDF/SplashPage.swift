internal import CCairo
internal import CSplash
internal import DocumentBytes
internal import Drawing
internal import Glibc
internal import LateLibraries
internal import PrintModel

/// A page of a PDF drawn by Poppler's own renderer, Splash: as pixels, slower than with cairo, but correct where cairo
/// is not (see `RendererChoice`).
final class SplashPage {
  private let page: OpaquePointer
  /// The file that Splash reads from while drawing.
  private let file: UnsafeMutableRawBufferPointer

  /// True for a page with a shading by a function, which Splash only draws correctly when it smooths shapes: otherwise it
  /// takes a part whose corners have one color for plain.
  private let hasFunctions: Bool

  /// Maximum number of pixels drawn at once: half of A4 at 600 dpi, or less if memory is limited.
  ///
  /// Splash interprets the whole page for each piece, and takes eight bytes per pixel.
  private static let most = max(1 << 20, min((MemoryShortage.limit ?? .max) / 14, 18 << 20))
  /// The last piece drawn.
  ///
  /// Bands of a side are smaller, and lie in it one after the other.
  private var kept: (piece: Piece, pixels: OpaquePointer?)?
  /// True if nothing on the page has a color; nil until that is asked.
  private var isKnownGray: Bool?

  private struct Piece: Equatable {
    var columns: Range<Int>
    var rows: Range<Int>
    var across: Double
    var down: Double
    var isAntialiased: Bool
    var isGray: Bool
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
    // QPDF writes dictionaries as plain text.
    hasFunctions = bytes.contains("/ShadingType 1")
  }

  deinit {
    forgetPixels()
    splash_page_close(page)
    file.deallocate()
  }

  /// Draws the visible part of the page, which is of `size` in its own units; the context's user space is these, origin
  /// top left.
  ///
  /// Returns false when Splash runs out of memory. `piecewise` draws more than is visible, for the following bands;
  /// without it, no more memory is used than for the visible part. `isOnWhite`: nothing was drawn there before.
  /// `inGray`: colors become gray, with a quarter of the memory for pictures.
  func draw(
    on context: OpaquePointer, _ size: PageSize, piecewise: Bool, isOnWhite: Bool, inGray: Bool
  ) -> Bool {
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    let across = (matrix.xx * matrix.xx + matrix.yx * matrix.yx).squareRoot()
    let down = (matrix.xy * matrix.xy + matrix.yy * matrix.yy).squareRoot()
    var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
    cairo_clip_extents(context, &left, &top, &right, &bottom)
    // Turning by 90° keeps every pixel.
    let isUpright = matrix.xx == 0 && matrix.yy == 0 || matrix.xy == 0 && matrix.yx == 0
    let columns = SplashPage.pixels(left, right, size.width, across)
    let rows = SplashPage.pixels(top, bottom, size.height, down)
    guard !columns.isEmpty, !rows.isEmpty else { return true }
    var piece = Piece(
      columns: columns, rows: rows, across: across, down: down,
      isAntialiased: cairo_get_antialias(context) != CAIRO_ANTIALIAS_NONE, isGray: inGray)
    let look = Look(isUpright: isUpright, isOnWhite: isOnWhite)
    guard piecewise else {
      // No later band has the same place, and its own piece needs the memory.
      defer { if inGray { forgetPixels() } }
      return draw(piece, on: context, look)
    }
    // Bands run down the page, or across it if it is turned: all of them use the same pieces.
    let width = SplashPage.pixels(0, size.width, size.width, across).count
    let height = SplashPage.pixels(0, size.height, size.height, down).count
    let goesDown = columns.count * height >= rows.count * width
    let (whole, other) = goesDown ? (height, columns.count) : (width, rows.count)
    // One row too many could be another piece's, which would then be drawn again for the next band.
    let margin = isUpright ? SplashPage.uprightMargin : 1
    let needed =
      goesDown
      ? SplashPage.pixels(top, bottom, size.height, down, margin)
      : SplashPage.pixels(left, right, size.width, across, margin)
    guard !needed.isEmpty else { return true }
    piece.isGray = inGray || whole * other > SplashPage.most * 2 && isGray(size)
    // A quarter of the pieces, in the same memory.
    let most = piece.isGray ? SplashPage.most * 4 : SplashPage.most
    let count = max(1, (whole * other + most - 1) / most)
    let step = max(1, (whole + count - 1) / count)
    for start in stride(from: needed.lowerBound / step * step, to: needed.upperBound, by: step) {
      let part = start..<min(whole, start + step)
      if goesDown { piece.rows = part } else { piece.columns = part }
      guard draw(piece, on: context, look) else { return false }
    }
    return true
  }

  /// True if nothing on the page has a color; it is drawn once for that.
  private func isGray(_ size: PageSize) -> Bool {
    let isGray = isKnownGray ?? !hasColors(size)
    isKnownGray = isGray
    return isGray
  }

  /// Frees the last piece drawn.
  func forgetPixels() {
    if let pixels = kept?.pixels { splash_pixels_free(pixels) }
    kept = nil
  }

  /// True when anything plain is drawn on the page, which is of `size` in its own units.
  func hasMarks(_ size: PageSize) -> Bool {
    hasPixel(size) { $0 & 0xE0_E0E0 != 0xE0_E0E0 } ?? false
  }

  /// True unless everything on the page, which is of `size` in its own units, is gray.
  func hasColors(_ size: PageSize) -> Bool {
    hasPixel(size) { ($0 ^ $0 >> 8) & 0xFFFF != 0 } ?? true
  }

  /// True if a pixel matches; nil: the page can't be drawn.
  private func hasPixel(_ size: PageSize, _ isWanted: (UInt32) -> Bool) -> Bool? {
    // A large page is drawn at a lower resolution, with half a megapixel.
    let dpi = min(50, 72 * (524_288 / max(1, size.width * size.height)).squareRoot())
    let width = Int32(max(1, size.width * dpi / 72))
    let height = Int32(max(1, size.height * dpi / 72))
    guard let pixels = splash_page_draw(page, dpi, dpi, 0, 0, width, height, 1, 1, 0) else {
      return nil
    }
    defer { splash_pixels_free(pixels) }
    let (columns, stride) = (Int(splash_pixels_width(pixels)), Int(splash_pixels_stride(pixels)))
    guard let data = splash_pixels_data(pixels) else { return nil }
    return (0..<Int(splash_pixels_height(pixels))).contains { row in
      UnsafeRawBufferPointer(start: data + row * stride, count: columns * 4)
        .bindMemory(to: UInt32.self).contains(where: isWanted)
    }
  }

  /// The pixels of a piece; nil: Splash runs out of memory.
  private func pixels(of piece: Piece) -> OpaquePointer? {
    if let kept, kept.piece == piece { return kept.pixels }
    forgetPixels()
    errno = 0
    var drawn = splash_page_draw(
      page, 72 * piece.across, 72 * piece.down, Int32(piece.columns.lowerBound),
      Int32(piece.rows.lowerBound), Int32(piece.columns.count), Int32(piece.rows.count),
      piece.isAntialiased || hasFunctions ? 1 : 0, piece.isAntialiased ? 1 : 0,
      piece.isGray ? 1 : 0)
    if let pixels = drawn, isShort(pixels, of: piece) {
      splash_pixels_free(pixels)
      drawn = nil
    }
    kept = (piece, drawn)
    if piece.isGray, let pixels = drawn, let data = splash_pixels_data(pixels) {
      // From light to ink.
      let count = Int(splash_pixels_height(pixels)) * Int(splash_pixels_stride(pixels))
      for index in 0..<count { data[index] = ~data[index] }
    }
    return drawn
  }

  /// True when memory ran out for a part of a piece.
  ///
  /// Splash then continues with one pixel in place of a page or a group, without a message (SplashOutputDev, Poppler 22
  /// to 26).
  private func isShort(_ pixels: OpaquePointer, of piece: Piece) -> Bool {
    Int(splash_pixels_width(pixels)) != piece.columns.count
      || Int(splash_pixels_height(pixels)) != piece.rows.count
      || errno == ENOMEM && MemoryShortage.isPossible
  }

  /// How pixels get onto the context.
  private struct Look {
    var isUpright: Bool
    var isOnWhite: Bool
  }

  private func draw(_ piece: Piece, on context: OpaquePointer, _ look: Look) -> Bool {
    guard let pixels = pixels(of: piece), let data = splash_pixels_data(pixels) else {
      return false
    }
    let surface = cairo_image_surface_create_for_data(
      data, piece.isGray ? CAIRO_FORMAT_A8 : CAIRO_FORMAT_RGB24, splash_pixels_width(pixels),
      splash_pixels_height(pixels), splash_pixels_stride(pixels))
    defer { cairo_surface_destroy(surface) }
    let pattern = cairo_pattern_create_for_surface(surface)
    defer { cairo_pattern_destroy(pattern) }
    var place = cairo_matrix_t()
    cairo_matrix_init_translate(
      &place, -Double(piece.columns.lowerBound), -Double(piece.rows.lowerBound))
    cairo_pattern_set_matrix(pattern, &place)
    cairo_pattern_set_filter(pattern, look.isUpright ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD)
    cairo_save(context)
    cairo_scale(context, 1 / piece.across, 1 / piece.down)
    // White leaves what is below it, like paper: gray pixels are the density of black ink. On white, colors are copied,
    // which is much faster.
    if piece.isGray {
      cairo_set_source_rgb(context, 0, 0, 0)
      cairo_mask(context, pattern)
    } else {
      let isCopy = look.isUpright && look.isOnWhite
      cairo_set_operator(context, isCopy ? CAIRO_OPERATOR_OVER : CAIRO_OPERATOR_MULTIPLY)
      cairo_set_source(context, pattern)
      cairo_paint(context)
    }
    cairo_restore(context)
    return true
  }

  /// A pixel is copied if its center is visible; the rest is for cairo's rounding.
  private static let uprightMargin = -0.5 + 0.01

  /// The page's pixels between two of its coordinates.
  ///
  /// - `margin`: pixels that are also read on both sides; negative for fewer.
  private static func pixels(
    _ start: Double, _ end: Double, _ length: Double, _ scale: Double, _ margin: Double = 1
  ) -> Range<Int> {
    let (first, last) = (
      max(0, start * scale - margin), min(length * scale, end * scale + margin)
    )
    guard first < last, last < 1e8 else { return 0..<0 }
    return Int(first)..<Int(last.rounded(.up))
  }
}
