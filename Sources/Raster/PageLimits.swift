package import PrintModel

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
  /// After this check, no computation with these numbers overflows. The message names `page`, from 1.
  ///
  /// - Throws: exit 65; for a page of airprint's, without a number, exit 70.
  package func check(page number: Int? = nil) throws(Failure) {
    let name = number.map { "Page \($0)" } ?? "The page"
    let reason = number == nil ? FailureReason.fault : .document
    guard width > 0, height > 0, (1...0xFFFF).contains(resolution.x),
      (1...0xFFFF).contains(resolution.y)
    else {
      throw Failure(
        reason, "\(name) states a size of \(width) × \(height) pixels at \(resolution).")
    }
    guard width <= Self.maximumWidth, height <= Self.maximumHeight,
      width * height <= Self.maximumPixels
    else {
      throw Failure(
        reason, "\(name) states \(width) × \(height) pixels, more than any paper has.")
    }
    guard [1, 2, 4, 8, 16].contains(pixels.bitsPerColor), (1...15).contains(pixels.colors) else {
      throw Failure(
        reason,
        "\(name) has \(pixels.colors) colors of \(pixels.bitsPerColor) bits a pixel.")
    }
  }
}
