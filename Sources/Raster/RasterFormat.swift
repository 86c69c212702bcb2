// Raster: converts a page's pixels to the two formats that driverless printers accept, Apple Raster (image/urf) and PWG
// Raster (image/pwg-raster, PWG 5102.4), and both formats back to pixels.
//
// Both consist of a file header and pages; a page is a header of fixed length and its packed lines. They differ only in
// their headers, so one encoder and one decoder of lines serve both. The encoder is our own because libcups' took
// longer than drawing the page; libcups remains the reference in tests.

import PrintModel

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
