internal import CCairo
package import DocumentBytes
internal import Drawing
package import PrintModel
internal import Raster

/// A picture: one page.
///
/// A JPEG's properties come from its markers, and it is only decoded for drawing, since most printers accept it as it
/// is; an eighth of its size tells of damage before. Any other picture is decoded at once, so that a damaged one is
/// refused before the printer is contacted.
package final class PicturePages: Pages {
  private let file: MappedFile
  private let jpeg: JPEGHeader?
  private var facts: PictureFacts
  package private(set) var image: DocumentInfo.Image?
  private var bitmap: Bitmap?
  private var losses = LossNotes()

  package let count = 1

  /// - `keepsAlpha`: transparent areas stay transparent; otherwise they become white.
  package init(
    _ file: MappedFile, _ mediaType: String, keepsAlpha: Bool = false
  ) throws(Failure) {
    self.file = file
    var small: DecodedPicture?
    facts = try PictureFacts(file.bytes, mediaType)
    if mediaType == DocumentFormat.jpeg {
      let header = try JPEGHeader(file.bytes)
      jpeg = header
      try PictureLimits.check(header.width, header.height)
      facts.width = header.width
      facts.height = header.height
      facts.orientation = header.orientation
      facts.resolution = header.resolution
      // A failure here is ignored: drawing reports what is missing, and most printers decode pictures themselves.
      small = try? JPEGDecoder.eighth(file.bytes, header)
      if header.isCut || small?.isPartial == true { losses.add(DamagedPicture.loss) }
    } else {
      jpeg = nil
      let source = try PicturePages.source(file.bytes, mediaType)
      facts.width = source.width
      facts.height = source.height
      let decoded = try DecodedPicture(source, profile: facts.profile, keepsAlpha: keepsAlpha)
      bitmap = decoded.bitmap
      if decoded.isPartial { losses.add(DamagedPicture.loss) }
      if source.hasMore {
        losses.add(
          Loss(.page, "The file has more than one picture: only the first is printed."))
      }
    }
    image = DocumentInfo.Image(
      width: facts.seen.width, height: facts.seen.height,
      // A printer's decoder might do anything with a damaged file.
      jpeg: jpeg.flatMap { header in
        guard !header.isCut, small?.isPartial != true else { return nil }
        return DocumentInfo.JPEG(
          isBaseline: header.isBaseline, components: header.components,
          hasProfile: header.hasProfile, orientation: header.orientation,
          octets: file.bytes.count)
      })
    // Only formats of cameras are analyzed.
    guard DocumentFormat.ofCameras.contains(mediaType), facts.width * facts.height >= 1_000_000
    else { return }
    if jpeg?.components != 4 { image?.isFlat = (small?.bitmap ?? bitmap)?.isFlat }
  }

  /// Opens a picture with its own library, or with gdk-pixbuf if there is none.
  private static func source(
    _ bytes: UnsafeRawBufferPointer, _ mediaType: String
  ) throws(Failure) -> any PictureSource {
    if let packed = Icon.largestPNG(bytes) ?? AppleIcon.largestFile(bytes) {
      return try PNGSource(packed)
    }
    return switch mediaType {
    case DocumentFormat.png: try PNGSource(bytes)
    case "image/webp": try WebPSource(bytes)
    case "image/gif": try GIFSource(bytes)
    case "image/heif", "image/avif": try HEIFSource(bytes)
    case "image/x-portable-anymap": try NetpbmSource(bytes)
    case "image/bmp":
      if let plain = try BMPSource(bytes) { plain } else { try Pixbuf(decoding: bytes, mediaType) }
    case "image/x-tga":
      if let plain = TGAColorMap.expanded(bytes) {
        try plain.withUnsafeBufferPointer { (bytes) throws(Failure) in
          try Pixbuf(decoding: UnsafeRawBufferPointer(bytes), mediaType)
        }
      } else {
        try Pixbuf(decoding: bytes, mediaType)
      }
    default: try Pixbuf(decoding: bytes, mediaType)
    }
  }

  package func takeLosses() -> [Loss] { losses.take() }

  package func size(of index: Int) -> PageSize { facts.size }

  package func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    try decoded().draw(facts, on: context)
  }

  private func decoded() throws(Failure) -> Bitmap {
    if let bitmap { return bitmap }
    let made: Bitmap
    if let jpeg, let decoded = try JPEGDecoder.decode(file.bytes, jpeg) {
      made = decoded.bitmap
      if decoded.isPartial { losses.add(DamagedPicture.loss) }
    } else {
      made = try DecodedPicture(Pixbuf(decoding: file.bytes, DocumentFormat.jpeg)).bitmap
    }
    bitmap = made
    return made
  }
}

/// Windows icons: pictures of the same thing in several sizes.
private enum Icon {
  /// The largest picture, if it is a PNG file; gdk-pixbuf only reads bitmaps (2.42).
  static func largestPNG(_ file: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard file.count >= 6, file.prefix(4).elementsEqual([0, 0, 1, 0]) else { return nil }
    let entries = (0..<min(file.number(at: 4, isLittle: true), 64)).map { 6 + 16 * $0 }
      .filter { $0 + 16 <= file.count }
    // Sizes are one byte, where 0 is 256.
    let largest = entries.max { (Int(file[$0]) + 255) % 256 < (Int(file[$1]) + 255) % 256 }
    guard let largest else { return nil }
    let length = file.number(at: largest + 8, bytes: 4, isLittle: true)
    let start = file.number(at: largest + 12, bytes: 4, isLittle: true)
    guard start + length <= file.count, file.hasPrefix("PNG", at: start + 1) else { return nil }
    return file.piece(start..<start + length)
  }
}

/// URF or PWG Raster from another program: pages of pixels.
package final class RasterPages: Pages {
  private let file: MappedFile
  private let headers: [RasterPage]

  /// Scans the whole file, so that a truncated one is refused before a printer is contacted.
  package init(_ file: MappedFile) throws(Failure) {
    self.file = file
    var reader = try RasterReader(file.bytes)
    headers = try reader.scan()
    guard !headers.isEmpty else { throw .document("The raster file has no pages.") }
  }

  package var count: Int { headers.count }

  /// Common properties of the pages; nil when they differ, or their pixels have a format that few printers accept.
  package var facts: DocumentInfo.Raster? {
    guard let first = headers.first, first.pixels == .gray8 || first.pixels == .srgb24,
      headers.allSatisfy({
        $0.resolution == first.resolution && $0.pixels == first.pixels && $0.sides == first.sides
          && $0.copies <= 1
      })
    else { return nil }
    return DocumentInfo.Raster(
      resolution: first.resolution, isGray: first.pixels == .gray8, sides: first.sides,
      turnsBacks: headers.contains { $0.turn != .none })
  }

  package func size(of index: Int) -> PageSize {
    let page = headers[index]
    return PageSize(
      width: Double(page.width) * 72 / Double(page.resolution.x),
      height: Double(page.height) * 72 / Double(page.resolution.y))
  }

  package func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    let bitmap = try decoded(index)
    let resolution = headers[index].resolution
    cairo_scale(context, 72 / Double(resolution.x), 72 / Double(resolution.y))
    cairo_set_source_surface(context, bitmap.surface, 0, 0)
    cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
    cairo_paint(context)
  }

  /// The pixels of one page.
  private func decoded(_ index: Int) throws(Failure) -> Bitmap {
    let header = headers[index]
    guard let bitmap = try? Bitmap(width: header.width, height: header.height) else {
      throw .document("Page \(index + 1) is too large to be drawn.")
    }
    var reader = try RasterReader(file.bytes)
    for _ in 0...index { _ = try reader.nextPage() }
    var row = 0
    while let rows = try reader.nextLine() {
      for _ in 0..<rows where row < header.height {
        RasterPages.copy(reader.line, reader.channels, to: bitmap.row(row), header.width)
        row += 1
      }
    }
    return bitmap
  }

  private static func copy(
    _ line: [UInt8], _ channels: Int, to target: UnsafeMutablePointer<UInt32>, _ width: Int
  ) {
    for column in 0..<width {
      let first = UInt32(line[column * channels])
      target[column] =
        channels == 1
        ? first * 0x01_0101
        : first << 16 | UInt32(line[column * 3 + 1]) << 8 | UInt32(line[column * 3 + 2])
    }
  }
}
