import PrintModel

/// media-type keywords, indexed by their number in a URF page header and in the MT token of urf-supported (PAPPL,
/// libcups).
///
/// There is none for plain `photographic`.
package let urfMediaTypes = [
  "auto", "stationery", "transparency", "envelope", "cardstock", "labels", "stationery-letterhead",
  "disc", "photographic-matte", "photographic-satin", "photographic-semi-gloss",
  "photographic-glossy", "photographic-high-gloss", "other",
]

/// URF's color spaces, indexed by their number.
private let urfSpaces: [ColorSpace] = [
  .sGray, .sRGB, .cieLab, .adobeRGB, .deviceGray, .deviceRGB, .cmyk,
]

/// URF's values of `sides`, indexed by their number; 0 is not stated.
private let urfSides: [Sides] = [.oneSided, .oneSided, .shortEdge, .longEdge]

extension RasterPage {
  /// The 32 bytes of a URF page header.
  ///
  ///      0      bits per pixel: 8, 16, 24, 32, 48 or 64
  ///      1      color space: 0 sGray, 1 sRGB, 2 CIELab, 3 Adobe RGB, 4 device gray, 5 device RGB, 6 CMYK
  ///      2      1 one-sided, 2 two-sided over the short edge, 3 over the long edge
  ///      3      print-quality's enum, 3 to 5; 0 for the printer's setting
  ///      4      media type, its index in `urfMediaTypes`; 0 auto, also for any other type
  ///      5      media source, 0 auto
  ///      6-11   0
  ///     12-15   pixels in a line
  ///     16-19   lines
  ///     20-23   dots per inch
  ///     24-31   0
  var urfHeader: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: RasterFormat.urf.pageHeaderLength)
    bytes[0] = UInt8(clamping: pixels.bitsPerPixel)
    bytes[1] = UInt8(urfSpaces.firstIndex(of: pixels.space) ?? 0)
    bytes[2] = UInt8(urfSides.lastIndex(of: sides) ?? 1)
    bytes[3] = UInt8(quality?.rawValue ?? 0)
    bytes[4] = UInt8(urfMediaTypes.firstIndex(of: mediaType) ?? 0)
    bytes[5] = UInt8(clamping: mediaPosition)
    bytes.store(width, at: 12)
    bytes.store(height, at: 16)
    bytes.store(resolution.x, at: 20)
    return bytes
  }

  /// Reads a URF page header; its sizes are not checked yet.
  ///
  /// A color space that URF lacks becomes one that no decoder accepts.
  init(urf bytes: [UInt8]) {
    let number = Int(bytes[1])
    let space =
      urfSpaces.indices.contains(number) ? urfSpaces[number] : ColorSpace(rawValue: UInt32.max)
    let colors = space.colors ?? 1
    self.init(
      width: Int(bytes.load(at: 12)), height: Int(bytes.load(at: 16)),
      resolution: Resolution(Int(bytes.load(at: 20))),
      pixels: PixelFormat(space: space, bitsPerColor: Int(bytes[0]) / colors, colors: colors))
    sides = urfSides.indices.contains(Int(bytes[2])) ? urfSides[Int(bytes[2])] : .oneSided
    quality = Quality(rawValue: Int(bytes[3]))
    let type = Int(bytes[4])
    mediaType = type > 0 && urfMediaTypes.indices.contains(type) ? urfMediaTypes[type] : ""
    mediaPosition = Int(bytes[5])
  }

  /// True when the depth in a URF header is possible for its color space.
  func isConsistent(urf bytes: [UInt8]) -> Bool { Int(bytes[0]) == pixels.bitsPerPixel }
}
