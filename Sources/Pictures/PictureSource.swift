internal import DocumentBytes
internal import Drawing
internal import PrintModel

/// An open picture file, which returns its pixels row by row from the top, as they are stored.
protocol PictureSource: AnyObject {
  var width: Int { get }
  var height: Int { get }
  /// True when pixels can be transparent.
  var hasAlpha: Bool { get }
  /// The embedded ICC profile; empty if there is none, or it is read elsewhere.
  var profile: [UInt8] { get }
  /// Reads the next row, `width` pixels of `ARGB` not multiplied by alpha.
  ///
  /// Returns false when there is none, because the file ends or is damaged.
  func readRow(to row: UnsafeMutablePointer<UInt32>) throws(Failure) -> Bool
  /// The reason a row is missing, in the library's words.
  var complaint: String? { get }
  /// True when some rows were filled in, because the file ends before they are complete.
  var isGuessed: Bool { get }
  /// True when the file has more pictures, which are not read.
  var hasMore: Bool { get }
}

extension PictureSource {
  var hasAlpha: Bool { false }
  var isGuessed: Bool { false }
  var hasMore: Bool { false }
  var profile: [UInt8] { [] }
  var complaint: String? { nil }
}

/// A decoded picture.
struct DecodedPicture {
  var bitmap: Bitmap
  /// True if parts are missing, which are white or transparent.
  var isPartial: Bool
}

extension DecodedPicture {
  /// Decodes a picture to sRGB, reduced if it is larger than a bitmap may be.
  ///
  /// A truncated picture is drawn as far as it goes. Throws if it does not have a single row.
  ///
  /// - `profile`: the file's ICC profile, if the source does not return it.
  /// - `keepsAlpha`: transparent areas stay transparent; otherwise they become white.
  init(
    _ source: any PictureSource, profile: UnsafeRawBufferPointer? = nil, keepsAlpha: Bool = false
  ) throws(Failure) {
    let (width, height) = (source.width, source.height)
    let colorProfile = try DecodedPicture.colors(of: profile.map { Array($0) } ?? source.profile)
    let onWhite = try Bitmap.fitting(width, height)
    let opacity = keepsAlpha ? try Bitmap.fitting(width, height) : nil
    var colors = DownscalingWriter(to: onWhite, width: width)
    var alpha = opacity.map { DownscalingWriter(to: $0, width: width) }
    var row = [UInt32](repeating: 0, count: width)
    var isPartial = false
    for y in 0..<height {
      if !isPartial, try !source.readRow(to: &row) {
        guard y > 0 else { throw DamagedPicture.failure(source.complaint) }
        isPartial = true
      }
      if isPartial {
        row = Array(repeating: 0, count: width)
      } else {
        colorProfile?.convert(&row, width: width)
      }
      alpha?.add(row.map { $0 >> 24 }, isLast: y == height - 1)
      if isPartial || source.hasAlpha { DecodedPicture.layOnWhite(&row, width) }
      colors.add(row, isLast: y == height - 1)
    }
    self.init(
      bitmap: try opacity.map { (opacity) throws(Failure) in try onWhite.transparent(opacity) }
        ?? onWhite, isPartial: isPartial || source.isGuessed)
  }

  /// A gray picture has a gray profile, but three channels here.
  private static func colors(of profile: [UInt8]) throws(Failure) -> ColorProfile? {
    guard !profile.isEmpty else { return nil }
    if let colors = try ColorProfile(profile, from: .rgb) { return colors }
    return try ColorProfile(profile, from: .gray)
  }

  private static func layOnWhite(_ row: UnsafeMutablePointer<UInt32>, _ width: Int) {
    for column in 0..<width {
      let pixel = row[column]
      let alpha = pixel >> 24
      guard alpha < 255 else { continue }
      func onWhite(_ value: UInt32) -> UInt32 {
        ((value & 0xFF) * alpha + 255 * (255 - alpha) + 127) / 255
      }
      row[column] = onWhite(pixel >> 16) << 16 | onWhite(pixel >> 8) << 8 | onWhite(pixel)
    }
  }
}

extension Bitmap {
  /// The same pixels, with the white behind transparent ones removed again.
  ///
  /// - `opacity`: alpha as a gray picture, reduced like the colors.
  fileprivate func transparent(_ opacity: Bitmap) throws(Failure) -> Bitmap {
    let made = try Bitmap(width: width, height: height, factor: factor, hasAlpha: true)
    for y in 0..<height {
      let (row, colors, opacities) = (made.row(y), self.row(y), opacity.row(y))
      for column in 0..<width {
        let (color, opacity) = (colors[column], opacities[column] & 0xFF)
        let white = 255 - opacity
        func inked(_ value: UInt32) -> UInt32 {
          min(opacity, max(white, value & 0xFF) - white)
        }
        row[column] =
          opacity << 24 | inked(color >> 16) << 16 | inked(color >> 8) << 8 | inked(color)
      }
    }
    return made
  }
}

/// Properties that a picture's file states in addition to its pixels.
struct PictureFacts {
  /// Size in pixels as stored, before turning.
  var width = 0
  var height = 0
  /// EXIF orientation: how to turn the stored pixels, 1 to 8.
  var orientation = 1
  /// Dots per inch of the stored columns and rows; nil when the file does not state it.
  var resolution: Resolution?
  /// The embedded ICC profile, if the loader does not return it.
  var profile: UnsafeRawBufferPointer?

  /// Resolution assumed for a picture that states none.
  static let usualResolution = Resolution(96)

  private var isTurned: Bool { orientation >= 5 }

  /// Size in pixels as seen, after turning.
  var seen: (width: Int, height: Int) { isTurned ? (height, width) : (width, height) }

  /// Size in points as seen.
  var size: PageSize { isTurned ? storedSize.rotated : storedSize }

  /// The same as stored.
  private var storedSize: PageSize {
    let resolution = resolution ?? PictureFacts.usualResolution
    return PageSize(
      width: Double(width) * 72 / Double(resolution.x),
      height: Double(height) * 72 / Double(resolution.y))
  }

  /// Maps stored pixels to points of the page (EXIF 2.3 §4.6.4 A).
  var transform: Transform {
    let resolution = resolution ?? PictureFacts.usualResolution
    let points = Transform.scale(72 / Double(resolution.x), 72 / Double(resolution.y))
    let (width, height) = (storedSize.width, storedSize.height)
    let turn: Transform =
      switch orientation {
      case 2: Transform(xx: -1, yx: 0, xy: 0, yy: 1, x0: width)
      case 3: Transform(xx: -1, yx: 0, xy: 0, yy: -1, x0: width, y0: height)
      case 4: Transform(xx: 1, yx: 0, xy: 0, yy: -1, y0: height)
      case 5: Transform(xx: 0, yx: 1, xy: 1, yy: 0)
      case 6: Transform(xx: 0, yx: 1, xy: -1, yy: 0, x0: height)
      case 7: Transform(xx: 0, yx: -1, xy: -1, yy: 0, x0: height, y0: width)
      case 8: Transform(xx: 0, yx: -1, xy: 1, yy: 0, y0: width)
      default: .scale(1, 1)
      }
    return points.then(turn)
  }

  /// A resolution, if it is between 10 and 9600 dpi, and across not more than three times as fine as down, or the other
  /// way round (a fax has 204 x 98 dpi, ITU-T T.4); anything else is an error in the file.
  static func resolution(_ x: Double, _ y: Double) -> Resolution? {
    guard (10...9_600).contains(x), (10...9_600).contains(y), x <= 3 * y, y <= 3 * x else {
      return nil
    }
    return Resolution(x: Int(x.rounded()), y: Int(y.rounded()))
  }
}

// MARK: - Containers

extension PictureFacts {
  /// Reads the metadata of a file.
  init(_ file: UnsafeRawBufferPointer, _ mediaType: String) throws(Failure) {
    switch mediaType {
    case DocumentFormat.png: readPNG(file)
    case "image/webp": try readWebP(file)
    case "image/heif", "image/avif": try checkHEIF(file)
    default: break
    }
  }

  /// Reads PNG's chunks: eXIf for the orientation, pHYs for the size (PNG 3rd edition §11.3.4).
  private mutating func readPNG(_ file: UnsafeRawBufferPointer) {
    var place = 8
    while place + 12 <= file.count {
      let length = file.number(at: place, bytes: 4)
      guard length <= file.count - place - 12 else { return }
      let body = file.piece(place + 8..<place + 8 + length)
      if file.hasPrefix("eXIf", at: place + 4) {
        orientation = EXIF.orientation(body) ?? orientation
        resolution = resolution ?? EXIF.resolution(body)
      } else if file.hasPrefix("pHYs", at: place + 4), length >= 9, body[8] == 1 {
        // Pixels per meter.
        resolution = PictureFacts.resolution(
          Double(body.number(at: 0, bytes: 4)) * 0.0254,
          Double(body.number(at: 4, bytes: 4)) * 0.0254)
      }
      place += 12 + length
    }
  }

  /// Reads WebP's chunks: the canvas, EXIF, and the profile, which libwebp leaves to its caller.
  private mutating func readWebP(_ file: UnsafeRawBufferPointer) throws(Failure) {
    func check(_ width: Int, _ height: Int) throws(Failure) {
      try PictureLimits.check(width, height, most: PictureLimits.loaded(file.count))
    }
    var place = 12
    while place + 8 <= file.count {
      let length = file.number(at: place + 4, bytes: 4, isLittle: true)
      let body = file.piece(place + 8..<min(file.count, place + 8 + length))
      if file.hasPrefix("VP8X", at: place), body.count >= 10 {
        try check(
          body.number(at: 4, bytes: 3, isLittle: true) + 1,
          body.number(at: 7, bytes: 3, isLittle: true) + 1)
      } else if file.hasPrefix("VP8L", at: place), body.count >= 5 {
        let bits = body.number(at: 1, bytes: 4, isLittle: true)
        try check(bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
      } else if file.hasPrefix("VP8 ", at: place), body.count >= 10 {
        try check(
          max(1, body.number(at: 6, isLittle: true) & 0x3FFF),
          max(1, body.number(at: 8, isLittle: true) & 0x3FFF))
      } else if file.hasPrefix("ICCP", at: place) {
        profile = body
      } else if file.hasPrefix("EXIF", at: place) {
        let block = body.hasPrefix("Exif\0\0") ? body.dropping(6) : body
        orientation = EXIF.orientation(block) ?? orientation
        resolution = EXIF.resolution(block)
      }
      place += 8 + length + length % 2
    }
  }

  /// Checks the sizes of all pictures and tiles, which HEIF and AVIF state in `ispe` boxes (ISO/IEC 23008-12 §6.5.3);
  /// libheif (1.15) checks a tile's only after allocating memory.
  ///
  /// It turns pictures itself.
  private func checkHEIF(_ file: UnsafeRawBufferPointer) throws(Failure) {
    // The boxes precede the pixels.
    let head = file.piece(0..<min(file.count, 1 << 20))
    for place in 0..<max(0, head.count - 16)
    where head[place] == 0x69 && head.hasPrefix("ispe", at: place) {
      try PictureLimits.check(
        head.number(at: place + 8, bytes: 4), head.number(at: place + 12, bytes: 4),
        most: PictureLimits.loaded(file.count))
    }
  }
}

extension PictureLimits {
  /// Maximum number of pixels for a decoder that keeps all of them in memory, four bytes each: what fits into 256 MB,
  /// and more only if the file itself is large.
  static func loaded(_ bytes: Int) -> Int { min(most, max(64_000_000, bytes * 8)) }
}
