internal import CTIFF
internal import Glibc
internal import LateLibraries
internal import LibraryPatches
internal import PrintModel

/// An open TIFF file: its directories, and the pixels of each, decoded by libtiff.
final class TIFFFile {
  private let tiff: OpaquePointer
  private let source: Source
  /// True if a directory refers to a next one that can't be read, as in a file that was cut off.
  private(set) var lacksDirectories = false

  /// The stream that libtiff reads from, and its first error.
  private final class Source {
    let bytes: UnsafeRawBufferPointer
    var position = 0
    /// Keeps libtiff's first error message.
    let first = UnsafeMutablePointer<tiff_complaint>.allocate(capacity: 1)

    init(_ bytes: UnsafeRawBufferPointer) {
      self.bytes = bytes
      first.initialize(to: tiff_complaint())
    }

    deinit { first.deallocate() }

    /// The first message, which names the error; later ones follow from it.
    var complaint: String? {
      let text = withUnsafeBytes(of: &first.pointee.text) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      return text.isEmpty ? nil : text.trimmingEnd()
    }

    /// Clears the message before another operation.
    func forgetComplaint() { first.pointee = tiff_complaint() }

    func read(_ count: Int, to target: UnsafeMutableRawPointer) -> Int {
      let taken = min(count, bytes.count - position)
      guard taken > 0, let base = bytes.baseAddress else { return 0 }
      memcpy(target, base + position, taken)
      position += taken
      return taken
    }

    func seek(_ offset: Int, from origin: Int32) -> UInt64 {
      let base = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? position : bytes.count
      let (target, overflow) = base.addingReportingOverflow(offset)
      guard !overflow, target >= 0 else { return UInt64.max }
      position = min(target, bytes.count)
      return UInt64(target)
    }

    static func from(_ handle: UnsafeMutableRawPointer?) -> Source? {
      handle.map { Unmanaged<Source>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  /// Opens a file in memory, because workers share the descriptor and its offset; `bytes` outlives it.
  init(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    try GraphicsLibraries.tiff.load()
    let source = Source(bytes)
    let handle = Unmanaged.passUnretained(source).toOpaque()
    guard let options = TIFFOpenOptionsAlloc() else {
      throw .fault("libtiff has no memory for a picture.")
    }
    defer { TIFFOpenOptionsFree(options) }
    // A strip of a scan takes a few MB; no more than this is allocated, whatever the file claims.
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, 192 << 20)
    tiff_keep_complaint(options, source.first)
    guard
      let tiff = TIFFClientOpenExt(
        "TIFF", "r", handle, TIFFFile.read, TIFFFile.write, TIFFFile.seek, TIFFFile.close,
        TIFFFile.size, TIFFFile.map, TIFFFile.unmap, options)
    else { throw TIFFFile.failure(source.complaint) }
    self.tiff = tiff
    self.source = source
  }

  deinit { TIFFClose(tiff) }

  private static func failure(_ why: String?) -> Failure {
    Failure.document("The TIFF file can't be read: \(why ?? "it is malformed").")
  }

  private var failure: Failure { TIFFFile.failure(source.complaint) }
}

// MARK: - Callbacks of libtiff

extension TIFFFile {
  private static let read: TIFFReadWriteProc = { handle, target, count in
    guard let target else { return 0 }
    return Int64(Source.from(handle)?.read(Int(count), to: target) ?? 0)
  }

  private static let write: TIFFReadWriteProc = { _, _, _ in -1 }
  private static let close: TIFFCloseProc = { _ in 0 }
  private static let size: TIFFSizeProc = { UInt64(Source.from($0)?.bytes.count ?? 0) }
  private static let unmap: TIFFUnmapFileProc = { _, _, _ in }

  private static let seek: TIFFSeekProc = { handle, offset, origin in
    // The offset is signed, despite its type.
    Source.from(handle)?.seek(Int(truncatingIfNeeded: offset), from: origin) ?? UInt64.max
  }

  private static let map: TIFFMapFileProc = { handle, base, size in
    guard let source = Source.from(handle), let base, let size else { return 0 }
    base.pointee = UnsafeMutableRawPointer(mutating: source.bytes.baseAddress)
    size.pointee = UInt64(source.bytes.count)
    return 1
  }
}

extension String {
  fileprivate func trimmingEnd() -> String {
    var text = self
    while let last = text.last, last == "." || last.isWhitespace { text.removeLast() }
    return text
  }
}

// MARK: - Directories

extension TIFFFile {
  /// The directory of a page, with its offset in the file.
  struct Directory {
    var offset: UInt64
    var facts: PictureFacts
    /// True for a smaller picture of another page, or a mask.
    var isAside: Bool
  }

  /// All directories, in the order of the file; sets `lacksDirectories`.
  ///
  /// A cycle ends where it closes.
  func directories() throws(Failure) -> [Directory] {
    var found: [Directory] = []
    var seen: Set<UInt64> = []
    repeat {
      let offset = TIFFCurrentDirOffset(tiff)
      guard seen.insert(offset).inserted else { break }
      guard found.count < 10_000 else {
        throw .document("The TIFF file has more than 10000 pages.")
      }
      found.append(try directory(at: offset))
      source.forgetComplaint()
    } while TIFFReadDirectory(tiff) != 0
    // Nothing is wrong with the end of the list, nor with a cycle.
    lacksDirectories = source.complaint != nil
    return found
  }

  private func directory(at offset: UInt64) throws(Failure) -> Directory {
    var facts = PictureFacts()
    facts.width = Int(field(TIFFTAG_IMAGEWIDTH, UInt32(0)) ?? 0)
    facts.height = Int(field(TIFFTAG_IMAGELENGTH, UInt32(0)) ?? 0)
    try PictureLimits.check(facts.width, facts.height)
    if let orientation = field(TIFFTAG_ORIENTATION, UInt16(1)), (1...8).contains(orientation) {
      facts.orientation = Int(orientation)
    }
    // 2 is inches, the default; 3 is centimeters; with 1, only the shape of a pixel is stated.
    let unit = field(TIFFTAG_RESOLUTIONUNIT, UInt16(2)) ?? 2
    if unit != 1, let x = field(TIFFTAG_XRESOLUTION, Float(0)),
      let y = field(TIFFTAG_YRESOLUTION, Float(0))
    {
      let inch = unit == 3 ? 2.54 : 1
      facts.resolution = PictureFacts.resolution(Double(x) * inch, Double(y) * inch)
    }
    let kind = field(TIFFTAG_SUBFILETYPE, UInt32(0)) ?? 0
    return Directory(offset: offset, facts: facts, isAside: kind & 5 != 0)
  }

  /// True when one of the page's strips or tiles is beyond the end of the file, which was then truncated; this is
  /// reported before a printer is contacted.
  ///
  /// Throws if none of the page's data is there.
  func isCut(_ directory: Directory) throws(Failure) -> Bool {
    try select(directory)
    if !isReadHere {
      var image = try begin()
      TIFFRGBAImageEnd(&image)
    }
    let count = TIFFIsTiled(tiff) != 0 ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff)
    let end = UInt64(source.bytes.count)
    let looked = min(count, 1_000_000)
    let missing = (0..<looked).count { index in
      let start = TIFFGetStrileOffset(tiff, index)
      return start > end || TIFFGetStrileByteCount(tiff, index) > end - start
    }
    guard missing < looked else {
      throw .document("The TIFF file can't be read: it ends too early.")
    }
    return missing > 0
  }

  /// Prepares to convert the page's pixels; the caller ends it.
  private func begin() throws(Failure) -> TIFFRGBAImage {
    var image = TIFFRGBAImage()
    var why = [CChar](repeating: 0, count: 1024)
    guard TIFFRGBAImageBegin(&image, tiff, 1, &why) != 0 else {
      guard [1, 2, 4, 8, 16].contains(samples.depth) else {
        throw TIFFFile.failure(
          "\(samples.depth) bits a sample are not supported: save it with 8 or 16")
      }
      throw TIFFFile.failure(
        String(decoding: why.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
    // libtiff takes all numbers for unsigned ones.
    let isColored = [PHOTOMETRIC_PALETTE, PHOTOMETRIC_CIELAB].contains(Int32(image.photometric))
    guard format <= (isColored ? SAMPLEFORMAT_INT : SAMPLEFORMAT_UINT) else {
      TIFFRGBAImageEnd(&image)
      throw TIFFFile.failure("its numbers have a sign: save it with unsigned ones")
    }
    return image
  }

  private func select(_ directory: Directory) throws(Failure) {
    source.forgetComplaint()
    guard TIFFSetSubDirectory(tiff, directory.offset) != 0 else { throw failure }
  }

  /// A tag's value, which libtiff writes to `value`: that must have the tag's type.
  private func field<Value>(_ tag: Int32, _ value: Value) -> Value? {
    var value = value
    let found = withUnsafeMutablePointer(to: &value) { place in
      withVaList([place]) { TIFFVGetField(tiff, UInt32(tag), $0) }
    }
    return found == 1 ? value : nil
  }

  /// The values of a tag that has a number of them, which must have the type of `count`; nil if there are none.
  private func fields<Count: BinaryInteger>(
    _ tag: Int32, _ count: Count
  ) -> UnsafeRawBufferPointer? {
    var (count, values) = (count, UnsafeRawPointer?.none)
    let found = withUnsafeMutablePointer(to: &count) { count in
      withUnsafeMutablePointer(to: &values) { values in
        withVaList([count, values]) { TIFFVGetField(tiff, UInt32(tag), $0) }
      }
    }
    guard found == 1, count > 0, let values else { return nil }
    return UnsafeRawBufferPointer(start: values, count: Int(count))
  }

  /// The embedded ICC profile; empty if there is none.
  private var profile: [UInt8] { fields(TIFFTAG_ICCPROFILE, UInt32(0)).map { Array($0) } ?? [] }

  /// What the samples are: unsigned numbers, signed ones, or others; unsigned if the file doesn't say.
  private var format: Int32 {
    let format = Int32(field(TIFFTAG_SAMPLEFORMAT, UInt16(1)) ?? 1)
    return format == SAMPLEFORMAT_VOID ? SAMPLEFORMAT_UINT : format
  }

  /// How the directory's samples are stored.
  private var samples: TIFFSamples {
    TIFFSamples(
      depth: Int(field(TIFFTAG_BITSPERSAMPLE, UInt16(1)) ?? 1),
      perPixel: Int(field(TIFFTAG_SAMPLESPERPIXEL, UInt16(1)) ?? 1),
      photometric: Int32(field(TIFFTAG_PHOTOMETRIC, UInt16(0)) ?? 0),
      isSigned: format == SAMPLEFORMAT_INT)
  }
}

// MARK: - Pixels

extension TIFFFile {
  /// The page's pixels, as stored; damaged or missing strips are white.
  ///
  /// Throws if nothing of the page can be decoded.
  func decode(_ directory: Directory) throws(Failure) -> DecodedPicture {
    try select(directory)
    let facts = directory.facts
    let bitmap = try Bitmap.fitting(facts.width, facts.height)
    source.forgetComplaint()
    _ = DamagedPictures.take()
    let bad = try isReadHere ? decodeRows(facts, to: bitmap) : decodeLight(facts, to: bitmap)
    guard bad < facts.height else { throw failure }
    // Damaged lines of a fax are only complained of.
    let isPartial = bad > 0 || source.complaint != nil || DamagedPictures.take()
    return DecodedPicture(bitmap: bitmap, isPartial: isPartial)
  }

  /// True for rows of samples that libtiff doesn't convert: four inks, for which CMYK profiles are meant, signed numbers,
  /// and depths that it doesn't know, such as 2 bits a color or 12 bits a gray.
  private var isReadHere: Bool {
    let samples = samples
    guard (1...16).contains(samples.depth), TIFFIsTiled(tiff) == 0, format <= SAMPLEFORMAT_INT,
      field(TIFFTAG_PLANARCONFIG, UInt16(1)) ?? 1 == UInt16(PLANARCONFIG_CONTIG)
    else { return false }
    return switch samples.photometric {
    case PHOTOMETRIC_SEPARATED: samples.perPixel == 4
    case PHOTOMETRIC_RGB:
      samples.perPixel == 3 && samples.isSigned
        || samples.perPixel >= 3 && ![8, 16].contains(samples.depth)
    case PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE:
      samples.perPixel == 1 && (samples.isSigned || ![1, 2, 4, 8, 16].contains(samples.depth))
    default: false
    }
  }

  /// Decodes what libtiff doesn't convert; returns the number of rows that could not be decoded.
  private func decodeRows(_ facts: PictureFacts, to bitmap: Bitmap) throws(Failure) -> Int {
    let samples = samples
    let profile = try ColorProfile(profile, from: samples.source)
    let length = max(Int(TIFFScanlineSize(tiff)), samples.length(facts.width))
    var line = [UInt8](repeating: 0, count: length)
    var row = [UInt32](repeating: 0, count: facts.width)
    var reduction = DownscalingWriter(to: bitmap, width: facts.width)
    var bad = 0
    for y in 0..<facts.height {
      if TIFFReadScanline(tiff, &line, UInt32(y), 0) != 1 {
        row = Array(repeating: 0xFFFF_FFFF, count: facts.width)
        bad += 1
      } else {
        line.withUnsafeBytes { samples.read($0, to: &row, width: facts.width) }
        if let profile {
          profile.convert(&row, width: facts.width)
        } else if samples.areInks {
          PlainCMYK.toRGB(&row, width: facts.width, isInverted: false)
        }
      }
      reduction.add(row, isLast: y == facts.height - 1)
    }
    return bad
  }

  /// Decodes what libtiff converts to red, green, blue and alpha, a few rows at a time.
  ///
  /// Returns the number of rows that could not be decoded.
  private func decodeLight(_ facts: PictureFacts, to bitmap: Bitmap) throws(Failure) -> Int {
    var image = try begin()
    defer { TIFFRGBAImageEnd(&image) }
    let isOpaque = !hasOpacity
    // As stored: libtiff can mirror, but not turn.
    image.req_orientation = image.orientation
    let isGray = image.samplesperpixel - (image.alpha != 0 ? 1 : 0) == 1
    // libtiff multiplies colors by their opacity, but not grays.
    let isStraight = isGray && image.alpha == Int32(EXTRASAMPLE_UNASSALPHA)
    let profile = try ColorProfile(profile, from: isGray ? .gray : .rgb)
    let width = facts.width
    let (rows, unit) = bandRows(width, facts.height)
    let band = UnsafeMutablePointer<UInt32>.allocate(capacity: rows * width)
    band.initialize(repeating: 0, count: rows * width)
    defer { band.deallocate() }
    var reduction = DownscalingWriter(to: bitmap, width: width)
    var bad = 0
    /// Fills `count` rows of the band from `start` on.
    func fill(_ start: Int, _ count: Int, at top: Int) -> Bool {
      image.row_offset = Int32(clamping: top + start)
      return TIFFRGBAImageGet(&image, band + start * width, UInt32(width), UInt32(count)) != 0
    }
    for top in stride(from: 0, to: facts.height, by: rows) {
      let count = min(rows, facts.height - top)
      if !fill(0, count, at: top) {
        // Decode strip by strip, to lose no more than the damaged ones.
        for start in stride(from: 0, to: count, by: unit) {
          let some = min(unit, count - start)
          guard !fill(start, some, at: top) else { continue }
          (band + start * width).update(repeating: 0xFFFF_FFFF, count: some * width)
          bad += some
        }
      }
      for index in 0..<count {
        let row = band + index * width
        if isStraight { TIFFFile.multiply(row, width) }
        TIFFFile.toXRGB(row, width, isOpaque: isOpaque)
        profile?.convert(row, width: width)
        reduction.add(row, isLast: top + index == facts.height - 1)
      }
    }
    return bad
  }

  /// The number of rows in a band, complete strips or rows of tiles of up to 16 MB, and in one of these.
  ///
  /// A single strip that is larger is read again for each of a few bands.
  private func bandRows(_ width: Int, _ height: Int) -> (band: Int, unit: Int) {
    let tag = TIFFIsTiled(tiff) != 0 ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP
    let unit = max(1, min(height, Int(field(tag, UInt32.max) ?? UInt32.max)))
    let usual = max(1, (16 << 20) / (4 * width))
    if unit <= usual { return (usual / unit * unit, unit) }
    let rows = min(unit, max(usual, (64 << 20) / (4 * width)))
    return (rows, rows)
  }

  /// False for a sample that is not said to be an opacity, such as Photoshop's saved selections; libtiff takes it for one.
  private var hasOpacity: Bool {
    let kinds = fields(TIFFTAG_EXTRASAMPLES, UInt16(0))?.baseAddress
    return kinds?.load(as: UInt16.self) != UInt16(EXTRASAMPLE_UNSPECIFIED)
  }

  /// Multiplies grays, stored as three equal colors, by their alpha.
  private static func multiply(_ row: UnsafeMutablePointer<UInt32>, _ width: Int) {
    for column in 0..<width {
      let (gray, alpha) = (row[column] & 0xFF, row[column] >> 24)
      row[column] = alpha << 24 | (gray * alpha + 127) / 255 * 0x010101
    }
  }

  /// Converts red, green, blue and alpha, with colors multiplied by alpha, to colors on white.
  ///
  /// - `isOpaque`: alpha is ignored.
  private static func toXRGB(
    _ row: UnsafeMutablePointer<UInt32>, _ width: Int, isOpaque: Bool
  ) {
    for column in 0..<width {
      let pixel = row[column]
      let white = isOpaque ? 0 : 255 - (pixel >> 24)
      let red = min(255, (pixel & 0xFF) + white)
      let green = min(255, (pixel >> 8 & 0xFF) + white)
      let blue = min(255, (pixel >> 16 & 0xFF) + white)
      row[column] = red << 16 | green << 8 | blue
    }
  }
}
