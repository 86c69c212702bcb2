internal import CTurboJPEG
package import Drawing
internal import LateLibraries
package import PrintModel

/// The pixels of a JPEG file, decoded by libjpeg-turbo.
enum JPEGDecoder {
  /// The picture at an eighth of its width and height, for analysis, and if its data are damaged: all are read, but this
  /// is several times as fast as decoding it completely.
  ///
  /// nil for kinds that TurboJPEG does not decode. Inks stay as they are.
  static func eighth(
    _ file: UnsafeRawBufferPointer, _ header: JPEGHeader
  ) throws(Failure) -> DecodedPicture? {
    let decoder = try decoder()
    defer { tjDestroy(decoder) }
    let bitmap = try Bitmap(of: header.width, header.height, reducedBy: 8)
    let format = header.components == 4 ? TJPF_CMYK : TJPF_BGRX
    guard decompress(file, by: decoder, to: bitmap, format, TJFLAG_FASTDCT) else { return nil }
    return DecodedPicture(bitmap: bitmap, isPartial: isDamaged(decoder))
  }

  /// The decoded picture, and if its data are damaged; nil for the rare kinds that TurboJPEG does not decode (subsampling that no camera uses).
  static func decode(
    _ file: UnsafeRawBufferPointer, _ header: JPEGHeader
  ) throws(Failure) -> DecodedPicture? {
    let decoder = try decoder()
    defer { tjDestroy(decoder) }
    let bytes = file.assumingMemoryBound(to: UInt8.self).baseAddress
    var (width, height, subsampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard
      tjDecompressHeader3(
        decoder, bytes, UInt(file.count), &width, &height, &subsampling, &space) == 0
    else { return nil }
    // TurboJPEG reduces to a half, a quarter or an eighth; pictures that need more exceed the maximum.
    var factor = 1
    while factor < 8, PictureLimits.factor(Int(width) / factor, Int(height) / factor) > 1 {
      factor *= 2
    }
    let bitmap = try Bitmap(of: Int(width), Int(height), reducedBy: factor)
    let format = header.components == 4 ? TJPF_CMYK : TJPF_BGRX
    guard decompress(file, by: decoder, to: bitmap, format) else {
      let why = tjGetErrorStr2(decoder).map { String(cString: $0) } ?? "unknown"
      throw .document("The JPEG file can't be read: \(why).")
    }
    let isDamaged = isDamaged(decoder)
    let end = header.isCut ? lastRow(of: bitmap) + 1 : bitmap.height
    try toSRGB(bitmap, header)
    for y in end..<bitmap.height {
      bitmap.row(y).update(repeating: 0xFF_FFFF, count: bitmap.width)
    }
    return DecodedPicture(bitmap: bitmap, isPartial: isDamaged)
  }

  /// True if the decoder has skipped or made up data, of which TurboJPEG has only the last message.
  ///
  /// Some cameras write a few bytes too many before the end, or between scans: nothing is missing then. More are rows
  /// that follow damage, and that the decoder has no place for.
  private static func isDamaged(_ decoder: tjhandle) -> Bool {
    let words = tjGetErrorStr2(decoder).map { String(cString: $0) } ?? ""
    guard words.hasPrefix("Corrupt JPEG data") else { return false }
    let extraneous = words.split(separator: " ").firstIndex(of: "extraneous")
    let bytes = extraneous.flatMap { Int(words.split(separator: " ")[$0 - 1]) }
    return bytes.map { $0 > mostPadding } ?? true
  }

  /// Bytes that a writer may have put before a marker, such as the rest of a word.
  private static let mostPadding = 16

  private static func decoder() throws(Failure) -> tjhandle {
    try GraphicsLibraries.jpeg.load()
    guard let decoder = tjInitDecompress() else {
      throw .fault("libjpeg-turbo has no memory for a picture.")
    }
    return decoder
  }

  /// False if nothing of the picture could be decoded; a warning is none.
  private static func decompress(
    _ file: UnsafeRawBufferPointer, by decoder: tjhandle, to bitmap: Bitmap, _ format: TJPF,
    _ flags: Int32 = 0
  ) -> Bool {
    // A small file may contain thousands of scans of a large picture.
    tjDecompress2(
      decoder, file.assumingMemoryBound(to: UInt8.self).baseAddress, UInt(file.count),
      bitmap.row(0), Int32(bitmap.width), Int32(bitmap.stride), Int32(bitmap.height),
      Int32(format.rawValue), TJFLAG_LIMITSCANS | flags) == 0
      || tjGetErrorCode(decoder) == TJERR_WARNING.rawValue
  }

  /// The last row with content; libjpeg makes missing rows below it gray.
  private static func lastRow(of bitmap: Bitmap) -> Int {
    let last = (0..<bitmap.height).last { y in
      let row = UnsafeBufferPointer(start: bitmap.row(y), count: bitmap.width)
      return !row.allSatisfy { $0 & 0xFF_FFFF == 0x80_8080 }
    }
    return last ?? -1
  }

  /// Converts the colors in place.
  ///
  /// Four inks are inverted, 0 for full ink, as Adobe stores them: also without Adobe's marker, like browsers read
  /// them, because programs that leave it out copy such files (lovell/sharp#1649).
  private static func toSRGB(_ bitmap: Bitmap, _ header: JPEGHeader) throws(Failure) {
    let source: ColorProfile.Source =
      switch header.components {
      case 1: .gray
      case 4: .invertedCMYK
      default: .rgb
      }
    let profile = try ColorProfile(header.profile, from: source)
    for y in 0..<bitmap.height {
      if let profile {
        profile.convert(bitmap.row(y), width: bitmap.width)
      } else if header.components == 4 {
        PlainCMYK.toRGB(bitmap.row(y), width: bitmap.width, isInverted: true)
      }
    }
  }
}

/// CMYK without a profile: each ink absorbs its share of the white.
enum PlainCMYK {
  /// Converts a row of cyan, magenta, yellow and black in place.
  static func toRGB(_ row: UnsafeMutablePointer<UInt32>, width: Int, isInverted: Bool) {
    let flip: UInt32 = isInverted ? 0 : 0xFFFF_FFFF
    for column in 0..<width {
      let light = row[column] ^ flip
      let black = light >> 24
      let red = (light & 0xFF) * black / 255
      let green = (light >> 8 & 0xFF) * black / 255
      let blue = (light >> 16 & 0xFF) * black / 255
      row[column] = red << 16 | green << 8 | blue
    }
  }
}

/// Canvases as JPEG files, encoded by libjpeg-turbo.
package enum JPEGEncoder {
  /// The bitmap as a baseline JPEG file of good quality.
  ///
  /// Throws exit 70 when memory runs out.
  package static func file(of canvas: Canvas) throws(Failure) -> [UInt8] {
    try GraphicsLibraries.jpeg.load()
    guard let encoder = tjInitCompress() else {
      throw .fault("There is no memory for a JPEG file.")
    }
    defer { tjDestroy(encoder) }
    var data: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let status = canvas.withPixels { pixels in
      tjCompress2(
        encoder, pixels.assumingMemoryBound(to: UInt8.self).baseAddress,
        Int32(clamping: canvas.width),
        Int32(clamping: canvas.stride), Int32(clamping: canvas.height), Int32(TJPF_BGRX.rawValue),
        &data, &count,
        Int32(TJSAMP_420.rawValue), 75, 0)
    }
    guard status == 0, let data else {
      throw .fault("The page can't be written as JPEG.")
    }
    defer { tjFree(data) }
    return Array(UnsafeBufferPointer(start: data, count: Int(count)))
  }
}
