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
