internal import CPNG
package import DocumentBytes
internal import Drawing
internal import LateLibraries
package import PrintModel

/// A PNG file, decoded by libpng row by row, so that a scan of any size takes no more memory than its bitmap.
final class PNGSource: PictureSource {
  let width: Int
  let height: Int
  let hasAlpha: Bool
  private(set) var profile: [UInt8] = []

  private let png: OpaquePointer
  private let info: OpaquePointer
  /// The stream that libpng reads from; its address must not change.
  private let file: UnsafeMutablePointer<png_file>
  /// The pixels of an interlaced picture, which is only complete at its end.
  private var interlaced: [UInt32]?
  private var next = 0
  private(set) var isGuessed = false

  /// `bytes` outlives the source.
  init(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    try GraphicsLibraries.png.load()
    file = .allocate(capacity: 1)
    file.initialize(to: png_file())
    file.pointee.bytes = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    file.pointee.count = bytes.count
    guard let png = png_file_open(file), let info = png_create_info_struct(png) else {
      file.deallocate()
      throw .fault("libpng has no memory for a picture.")
    }
    (self.png, self.info) = (png, info)
    let isBegun = png_file_begin(png, info) != 0
    width = isBegun ? Int(png_get_image_width(png, info)) : 0
    height = isBegun ? Int(png_get_image_height(png, info)) : 0
    hasAlpha =
      isBegun
      && (Int32(png_get_color_type(png, info)) & PNG_COLOR_MASK_ALPHA != 0
        || png_get_valid(png, info, UInt32(PNG_INFO_tRNS)) != 0)
    guard isBegun else { throw DamagedPicture.failure(complaint) }
    try PictureLimits.check(width, height)
    readProfile()
    let passes = png_file_prepare(png, info)
    guard passes > 0 else { throw DamagedPicture.failure(complaint) }
    if passes > 1 { try readInterlaced(passes, octets: bytes.count) }
  }

  deinit {
    png_file_close(png, info)
    file.deallocate()
  }

  var complaint: String? {
    let words = withUnsafeBytes(of: file.pointee.complaint) { $0.prefix { $0 != 0 } }
    return words.isEmpty ? nil : String(decoding: words, as: UTF8.self)
  }

  func readRow(to row: UnsafeMutablePointer<UInt32>) -> Bool {
    guard let interlaced else {
      return png_file_read_row(
        png, UnsafeMutableRawPointer(row).assumingMemoryBound(to: UInt8.self), nil) != 0
    }
    guard next < height else { return false }
    for column in 0..<width { row[column] = interlaced[next * width + column] }
    next += 1
    return true
  }

  /// Reads all passes, coarse before fine; a truncated picture stays coarse where fine pixels are missing.
  private func readInterlaced(_ passes: Int32, octets: Int) throws(Failure) {
    try PictureLimits.check(width, height, most: PictureLimits.loaded(octets))
    var pixels = [UInt32](repeating: 0, count: width * height)
    let isWhole = pixels.withUnsafeMutableBytes { pixels in
      guard let base = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
      for _ in 0..<passes {
        for y in 0..<height where png_file_read_row(png, nil, base + 4 * y * width) == 0 {
          return false
        }
      }
      return true
    }
    if !isWhole, pixels.allSatisfy({ $0 == 0 }) { throw DamagedPicture.failure(complaint) }
    isGuessed = !isWhole
    interlaced = pixels
  }

  private func readProfile() {
    var (name, data): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<UInt8>?)
    var (kind, count): (Int32, UInt32) = (0, 0)
    guard png_get_iCCP(png, info, &name, &kind, &data, &count) != 0, let data else { return }
    profile = Array(UnsafeBufferPointer(start: data, count: Int(count)))
  }
}

/// PNG pictures in one file, one after the other, each a page: the output of a renderer.
///
/// Their pixels are the printer's, whatever resolution they state.
package final class PNGPages: Pages {
  private let file: MappedFile
  private let pictures: [Picture]
  /// The last picture drawn: a page is drawn in one piece, and only once.
  private var decoded: (index: Int, bitmap: Bitmap)?

  private struct Picture {
    var bytes: Range<Int>
    var facts: PictureFacts
  }

  package init(_ file: MappedFile, _ resolution: Resolution) throws(Failure) {
    self.file = file
    var pictures: [Picture] = []
    var start = 0
    while start < file.bytes.count {
      let (bytes, width, height) = try PNGPages.picture(
        in: file.bytes, at: start, number: pictures.count + 1)
      var facts = try PictureFacts(file.bytes.piece(bytes), DocumentFormat.png)
      (facts.width, facts.height, facts.resolution) = (width, height, resolution)
      pictures.append(Picture(bytes: bytes, facts: facts))
      start = bytes.upperBound
    }
    self.pictures = pictures
  }

  package var count: Int { pictures.count }

  package func size(of index: Int) -> PageSize { pictures[index].facts.size }

  package func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    try bitmap(of: index).draw(pictures[index].facts, on: context)
  }

  private func bitmap(of index: Int) throws(Failure) -> Bitmap {
    if let decoded, decoded.index == index { return decoded.bitmap }
    let picture = pictures[index]
    do throws(Failure) {
      let bitmap = try DecodedPicture(PNGSource(file.bytes.piece(picture.bytes))).bitmap
      decoded = (index, bitmap)
      return bitmap
    } catch {
      throw error.of("Page \(index + 1)")
    }
  }

  /// The PNG that begins at `start` (ISO 15948 §5): a signature, then chunks of length, name, data and checksum, from
  /// IHDR with the size to IEND.
  private static func picture(
    in bytes: UnsafeRawBufferPointer, at start: Int, number: Int
  ) throws(Failure) -> (bytes: Range<Int>, width: Int, height: Int) {
    let broken = Failure(.document, "Page \(number) is not a complete PNG picture.")
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    guard bytes[start...].starts(with: signature) else { throw broken }
    func word(_ place: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(bytes[place + $1]) } }
    var (width, height) = (0, 0)
    var place = start + signature.count
    while place + 12 <= bytes.count {
      let length = word(place)
      guard length <= bytes.count - place - 12 else { throw broken }
      if bytes[(place + 4)...].starts(with: "IHDR".utf8), length >= 8 {
        (width, height) = (word(place + 8), word(place + 12))
      }
      let isLast = bytes[(place + 4)...].starts(with: "IEND".utf8)
      place += 12 + length
      guard isLast else { continue }
      guard width > 0, height > 0 else { throw broken }
      return (start..<place, width, height)
    }
    throw broken
  }
}
