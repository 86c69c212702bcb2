import PrintModel

/// Offsets of the fields of PWG 5102.4 §4.3 that airprint writes, in bytes from the header's start.
///
/// All other bytes of the 1796 are reserved and 0, or belong to fields where 0 is the intended value: MediaColor (64,
/// empty), InsertSheet (300), Jog (304), LeadingEdge (308, short edge first), MediaWeightMetric (328), Orientation
/// (344, portrait), ColorOrder (396, chunky: all colors of a pixel together), VendorIdentifier (508), VendorLength
/// (512) and VendorData (516 to 1603).
private enum Field {
  // Strings of 64 bytes
  static let pwgRaster = 0
  static let mediaType = 128
  static let printContentOptimize = 192
  static let renderingIntent = 1668
  static let pageSizeName = 1732

  // Numbers of 32 bits
  static let cutMedia = 268
  static let duplex = 272
  static let horizontalResolution = 276
  static let verticalResolution = 280
  static let mediaPosition = 324
  static let numCopies = 340
  static let pageWidth = 352
  static let pageLength = 356
  static let tumble = 368
  static let width = 372
  static let height = 376
  static let bitsPerColor = 384
  static let bitsPerPixel = 388
  static let bytesPerLine = 392
  static let colorOrder = 396
  static let colorSpace = 400
  static let numColors = 420
  static let totalPageCount = 452
  static let crossFeedTransform = 456
  static let feedTransform = 460
  static let imageBoxLeft = 464
  static let imageBoxTop = 468
  static let imageBoxRight = 472
  static let imageBoxBottom = 476
  static let alternatePrimary = 480
  static let printQuality = 484
}

extension RasterPage {
  /// The 1796 bytes of a PWG page header.
  ///
  /// It can contain two standard fields that libcups 2.4 can't write, and that a printer may ignore: PrintQuality,
  /// which libcups always leaves at 0 (the printer's setting), and ImageBox in pixels, which libcups computes from
  /// points. It leaves bytes 284 to 299 reserved, where cupsRasterInitPWGHeader writes CUPS' own ImagingBoundingBox.
  var pwgHeader: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: RasterFormat.pwg.pageHeaderLength)
    bytes.store("PwgRaster", at: Field.pwgRaster)
    storeSheet(in: &bytes)
    storePixels(in: &bytes)
    return bytes
  }

  private func storeSheet(in bytes: inout [UInt8]) {
    bytes.store(mediaType, at: Field.mediaType)
    bytes.store(contentOptimize, at: Field.printContentOptimize)
    bytes.store(renderingIntent, at: Field.renderingIntent)
    bytes.store(sizeName, at: Field.pageSizeName)
    bytes.store(Int(cut.rawValue), at: Field.cutMedia)
    bytes.store(sides.isDuplex ? 1 : 0, at: Field.duplex)
    bytes.store(sides == .shortEdge ? 1 : 0, at: Field.tumble)
    bytes.store(mediaPosition, at: Field.mediaPosition)
    bytes.store(copies, at: Field.numCopies)
    bytes.store(pageWidth, at: Field.pageWidth)
    bytes.store(pageLength, at: Field.pageLength)
    bytes.store(totalPages, at: Field.totalPageCount)
    bytes.store(quality?.rawValue ?? 0, at: Field.printQuality)
  }

  private func storePixels(in bytes: inout [UInt8]) {
    bytes.store(resolution.x, at: Field.horizontalResolution)
    bytes.store(resolution.y, at: Field.verticalResolution)
    bytes.store(width, at: Field.width)
    bytes.store(height, at: Field.height)
    bytes.store(pixels.bitsPerColor, at: Field.bitsPerColor)
    bytes.store(pixels.bitsPerPixel, at: Field.bitsPerPixel)
    bytes.store(pixels.bytesPerLine(width: width), at: Field.bytesPerLine)
    bytes.store(Int(pixels.space.rawValue), at: Field.colorSpace)
    bytes.store(pixels.colors, at: Field.numColors)
    bytes.store(turn.crossFeed, at: Field.crossFeedTransform)
    bytes.store(turn.feed, at: Field.feedTransform)
    bytes.store(imageBox?.left ?? 0, at: Field.imageBoxLeft)
    bytes.store(imageBox?.top ?? 0, at: Field.imageBoxTop)
    bytes.store(imageBox?.right ?? 0, at: Field.imageBoxRight)
    bytes.store(imageBox?.bottom ?? 0, at: Field.imageBoxBottom)
    // The sRGB color of a one-color page; white is the default and means none.
    bytes.store(0xFFFFFF, at: Field.alternatePrimary)
  }

  /// Reads a PWG page header; its sizes are not checked yet.
  init(pwg bytes: [UInt8]) {
    func number(_ offset: Int) -> Int { Int(bytes.load(at: offset)) }
    func signed(_ offset: Int) -> Int { Int(Int32(bitPattern: bytes.load(at: offset))) }
    let space = ColorSpace(rawValue: bytes.load(at: Field.colorSpace))
    let colors = number(Field.numColors)
    self.init(
      width: number(Field.width), height: number(Field.height),
      resolution: Resolution(
        x: number(Field.horizontalResolution), y: number(Field.verticalResolution)),
      pixels: PixelFormat(
        space: space, bitsPerColor: number(Field.bitsPerColor),
        colors: colors == 0 ? space.colors ?? 0 : colors))
    if number(Field.duplex) != 0 { sides = number(Field.tumble) != 0 ? .shortEdge : .longEdge }
    turn = BackSideTransform(
      crossFeed: signed(Field.crossFeedTransform), feed: signed(Field.feedTransform))
    quality = Quality(rawValue: number(Field.printQuality))
    mediaType = bytes.loadText(at: Field.mediaType)
    mediaPosition = number(Field.mediaPosition)
    sizeName = bytes.loadText(at: Field.pageSizeName)
    pageWidth = number(Field.pageWidth)
    pageLength = number(Field.pageLength)
    totalPages = number(Field.totalPageCount)
    copies = number(Field.numCopies)
    cut = Cut(rawValue: bytes.load(at: Field.cutMedia)) ?? .never
    contentOptimize = bytes.loadText(at: Field.printContentOptimize)
    renderingIntent = bytes.loadText(at: Field.renderingIntent)
    let box = ImageBox(
      left: number(Field.imageBoxLeft), top: number(Field.imageBoxTop),
      right: number(Field.imageBoxRight), bottom: number(Field.imageBoxBottom))
    imageBox = box == ImageBox(left: 0, top: 0, right: 0, bottom: 0) ? nil : box
  }

  /// True when redundant numbers of a PWG header agree, and all colors of a pixel are stored together (the only order
  /// in the standard).
  static func isConsistent(pwg bytes: [UInt8], _ page: RasterPage) -> Bool {
    Int(bytes.load(at: Field.bitsPerPixel)) == page.pixels.bitsPerPixel
      && Int(bytes.load(at: Field.bytesPerLine)) == page.pixels.bytesPerLine(width: page.width)
      && bytes.load(at: Field.colorOrder) == 0
  }
}
