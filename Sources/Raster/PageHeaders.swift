import PrintModel

/// Offsets in bytes of the fields of PWG 5102.4 §4.3 that airprint writes.
///
/// All other bytes of the 1796 are reserved and 0, or belong to fields where 0 is the intended value: MediaColor (64,
/// empty), InsertSheet (300), Jog (304), LeadingEdge (308, short edge first), MediaWeightMetric (328), Orientation
/// (344, portrait), ColorOrder (396, chunky: all colors of a pixel together), ImageBox (464 to 479, not stated),
/// VendorIdentifier (508), VendorLength (512), VendorData (516 to 1603) and PrintRenderingIntent (1668, empty).
private enum Field {
  /// Strings of 64 bytes.
  static let texts: [(offset: Int, member: any WritableKeyPath<RasterPage, String> & Sendable)] = [
    (128, \.mediaType), (192, \.contentOptimize), (1732, \.sizeName),
  ]
  /// Numbers of 32 bits that are members of the page as they are.
  static let numbers: [(offset: Int, member: any WritableKeyPath<RasterPage, Int> & Sendable)] = [
    (276, \.resolution.x), (280, \.resolution.y), (324, \.mediaPosition), (340, \.copies),
    (352, \.pageWidth), (356, \.pageLength), (372, \.width), (376, \.height),
    (384, \.pixels.bitsPerColor), (420, \.pixels.colors), (452, \.totalPages),
  ]
  static let cutMedia = 268
  static let duplex = 272
  static let tumble = 368
  static let bitsPerPixel = 388
  static let bytesPerLine = 392
  static let colorOrder = 396
  static let colorSpace = 400
  static let crossFeedTransform = 456
  static let feedTransform = 460
  static let alternatePrimary = 480
  static let printQuality = 484
}

extension RasterPage {
  /// The 1796 bytes of a PWG page header.
  ///
  /// It can contain a standard field that libcups 2.4 can't write, and that a printer may ignore: PrintQuality, which
  /// libcups always leaves at 0 (the printer's setting). It leaves bytes 284 to 299 reserved, where
  /// cupsRasterInitPWGHeader writes CUPS' own ImagingBoundingBox.
  var pwgHeader: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: RasterFormat.pwg.pageHeaderLength)
    bytes.store("PwgRaster", at: 0)
    for text in Field.texts { bytes.store(self[keyPath: text.member], at: text.offset) }
    for number in Field.numbers { bytes.store(self[keyPath: number.member], at: number.offset) }
    bytes.store(Int(cut.rawValue), at: Field.cutMedia)
    bytes.store(sides.isDuplex ? 1 : 0, at: Field.duplex)
    bytes.store(sides == .shortEdge ? 1 : 0, at: Field.tumble)
    bytes.store(pixels.bitsPerPixel, at: Field.bitsPerPixel)
    bytes.store(pixels.bytesPerLine(width: width), at: Field.bytesPerLine)
    bytes.store(Int(pixels.space.rawValue), at: Field.colorSpace)
    bytes.store(turn.crossFeed, at: Field.crossFeedTransform)
    bytes.store(turn.feed, at: Field.feedTransform)
    // The sRGB color of a one-color page; white is the default and means none.
    bytes.store(0xFFFFFF, at: Field.alternatePrimary)
    bytes.store(quality?.rawValue ?? 0, at: Field.printQuality)
    return bytes
  }

  /// Reads a PWG page header; its sizes are not checked yet.
  init(pwg bytes: [UInt8]) {
    func number(_ offset: Int) -> Int { Int(bytes.load(at: offset)) }
    func signed(_ offset: Int) -> Int { Int(Int32(bitPattern: bytes.load(at: offset))) }
    let space = ColorSpace(rawValue: bytes.load(at: Field.colorSpace))
    self.init(
      width: 0, height: 0, resolution: Resolution(0),
      pixels: PixelFormat(space: space, bitsPerColor: 0, colors: 0))
    for text in Field.texts { self[keyPath: text.member] = bytes.loadText(at: text.offset) }
    for field in Field.numbers { self[keyPath: field.member] = number(field.offset) }
    if pixels.colors == 0 { pixels.colors = space.colors ?? 0 }
    if number(Field.duplex) != 0 { sides = number(Field.tumble) != 0 ? .shortEdge : .longEdge }
    turn = BackSideTransform(
      crossFeed: signed(Field.crossFeedTransform), feed: signed(Field.feedTransform))
    quality = Quality(rawValue: number(Field.printQuality))
    cut = Cut(rawValue: bytes.load(at: Field.cutMedia)) ?? .never
  }

  /// True when redundant numbers of a PWG header agree, and all colors of a pixel are stored together (the only order
  /// in the standard).
  func isConsistent(pwg bytes: [UInt8]) -> Bool {
    Int(bytes.load(at: Field.bitsPerPixel)) == pixels.bitsPerPixel
      && Int(bytes.load(at: Field.bytesPerLine)) == pixels.bytesPerLine(width: width)
      && bytes.load(at: Field.colorOrder) == 0
  }
}

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

// Numbers and strings at fixed offsets of a header. Both formats are big-endian.

extension UInt32 {
  var bigEndianBytes: [UInt8] {
    [UInt8(self >> 24), UInt8(self >> 16 & 0xFF), UInt8(self >> 8 & 0xFF), UInt8(self & 0xFF)]
  }
}

extension [UInt8] {
  mutating func store(_ value: Int, at offset: Int) {
    replaceSubrange(offset..<offset + 4, with: UInt32(truncatingIfNeeded: value).bigEndianBytes)
  }

  func load(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Stores a field of 64 bytes: up to 63 of ASCII, then NUL.
  ///
  /// Text that does not fit is left out completely, because a truncated keyword is another keyword.
  mutating func store(_ text: String, at offset: Int) {
    let text = Array(text.utf8)
    guard text.count < 64, text.allSatisfy({ $0 > 0 && $0 < 0x80 }) else { return }
    replaceSubrange(offset..<offset + text.count, with: text)
  }

  func loadText(at offset: Int) -> String {
    String(decoding: self[offset..<offset + 64].prefix { $0 != 0 }, as: UTF8.self)
  }
}
