// Raster: converts a page's pixels to the two formats that driverless printers accept, Apple Raster (image/urf) and PWG
// Raster (image/pwg-raster, PWG 5102.4), and both formats back to pixels.
//
// Both consist of a file header and pages; a page is a header of fixed length and its packed lines. They differ only in
// their headers, so one encoder and one decoder of lines serve both. The encoder is our own because libcups' took
// longer than drawing the page; libcups remains the reference in tests.

package import PrintModel

/// The two formats.
package enum RasterFormat: String, Sendable, CaseIterable {
  /// Apple Raster, "URF". There is no public specification: airprint writes what libcups 2.4 writes and AirPrint
  /// printers were seen to accept.
  case urf
  /// PWG Raster, PWG 5102.4-2012.
  case pwg

  /// The bytes before the first page.
  ///
  /// URF: `UNIRAST`, a NUL, and the number of pages as a big-endian 32-bit integer. `pages` counts pages as they are
  /// sent, including all copies in the file and blank back sides. It must be exact, because some printers wait for
  /// announced pages that are missing. PWG: only the sync word `RaS2`; the count is in each page's header.
  package func fileHead(pages: Int) -> [UInt8] {
    switch self {
    case .urf: urfMagic + UInt32(clamping: pages).bigEndianBytes
    case .pwg: pwgMagic
    }
  }

  /// The header of one page, as long as `pageHeaderLength`.
  package func pageHeader(_ page: RasterPage) -> [UInt8] {
    switch self {
    case .urf: page.urfHeader
    case .pwg: page.pwgHeader
    }
  }

  /// 32 bytes for URF (a longer header made printers print only the first page: apple/cups#4920), 1796 for PWG.
  package var pageHeaderLength: Int {
    switch self {
    case .urf: 32
    case .pwg: 1796
    }
  }
}

let urfMagic = Array("UNIRAST\0".utf8)
let pwgMagic = Array("RaS2".utf8)

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
