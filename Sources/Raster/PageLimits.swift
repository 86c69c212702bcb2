import PrintModel

extension RasterPage {
  /// Wider than any paper: 262,144 pixels are 5.5 m at 1200 dpi.
  static let maximumWidth = 1 << 18
  /// libcups' limit; a roll of 355 m at 1200 dpi.
  static let maximumHeight = 0xFF_FFFF
  /// Maximum number of pixels of a page, 4.3 billion (more than A0 at 1200 dpi).
  ///
  /// A few bytes can claim any size; this bounds the time that a page takes.
  static let maximumPixels = 1 << 32

  /// Checks that the page's size (pixels) and resolution (dpi) are within bounds, and that its pixels have an existing
  /// depth.
  ///
  /// After this check, no computation with these numbers overflows. The message names `page`.
  ///
  /// - Throws: `.damaged`, `.tooLarge` or `.unsupported` (exit 65 for a document, exit 70 for a page of airprint's).
  package func check(page number: Int? = nil) throws(RasterError) {
    let name = number.map { "Page \($0)" } ?? "The page"
    guard width > 0, height > 0, (1...0xFFFF).contains(resolution.x),
      (1...0xFFFF).contains(resolution.y)
    else {
      throw RasterError(
        .damaged, "\(name) states a size of \(width) × \(height) pixels at \(resolution).",
        page: number)
    }
    guard width <= Self.maximumWidth, height <= Self.maximumHeight,
      width * height <= Self.maximumPixels
    else {
      throw RasterError(
        .tooLarge, "\(name) states \(width) × \(height) pixels, more than any paper has.",
        page: number)
    }
    guard [1, 2, 4, 8, 16].contains(pixels.bitsPerColor), (1...15).contains(pixels.colors) else {
      throw RasterError(
        .unsupported,
        "\(name) has \(pixels.colors) colors of \(pixels.bitsPerColor) bits a pixel.",
        page: number)
    }
  }
}
