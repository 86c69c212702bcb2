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
}

extension PictureSource {
  var hasAlpha: Bool { false }
  var isGuessed: Bool { false }
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
