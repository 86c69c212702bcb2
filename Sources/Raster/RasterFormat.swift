// Raster: the pixels of a page as the two formats that driverless printers read, Apple Raster
// (image/urf) and PWG Raster (image/pwg-raster, PWG 5102.4), and both formats back into pixels.
//
// Both are a head, then pages; a page is a header of fixed length, then its lines, packed. They differ
// in their headers alone, so one encoder and one decoder of lines serve both. The encoder is our own
// because libcups' took longer than drawing the page did; libcups stays the oracle of the tests.

import PrintModel

/// The two formats.
package enum RasterFormat: String, Sendable, CaseIterable {
  /// Apple Raster, "URF". No public specification: what is written here is what libcups 2.4 writes and
  /// what AirPrint printers were seen to take.
  case urf
  /// PWG Raster, PWG 5102.4-2012.
  case pwg

  /// The format that a media type names; nil when it is not one of the two.
  package init?(mediaType: String) {
    switch mediaType {
    case DocumentFormat.urf: self = .urf
    case DocumentFormat.pwg: self = .pwg
    default: return nil
    }
  }

  package var mediaType: String {
    switch self {
    case .urf: DocumentFormat.urf
    case .pwg: DocumentFormat.pwg
    }
  }

  /// The bytes before the first page.
  ///
  /// URF: `UNIRAST`, a NUL, and how many pages follow as 32 bits, most significant byte first. `pages`
  /// counts the pages as they are sent: every copy that the file repeats, and blank back sides too. It
  /// has to be right, because some printers wait for pages that were announced.
  /// PWG: the sync word `RaS2` alone; there the count is in each page's header.
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

  /// 32 bytes for URF (a longer one made printers print the first page only: apple/cups#4920), 1796 for
  /// PWG.
  package var pageHeaderLength: Int {
    switch self {
    case .urf: 32
    case .pwg: 1796
    }
  }
}

let urfMagic = Array("UNIRAST\0".utf8)
let pwgMagic = Array("RaS2".utf8)
