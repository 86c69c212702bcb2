internal import CCairo
internal import CLCMS
internal import DocumentBytes
internal import LateLibraries
internal import PrintModel

/// The decoded pixels of a picture: 32 bits each, `xRGB` in the machine's byte order (cairo's RGB24), as stored in the
/// file and not turned yet.
final class Bitmap {
  let surface: OpaquePointer
  let width: Int
  let height: Int
  /// Number of the picture's columns and rows that one pixel stands for.
  let factor: Int
  private let base: UnsafeMutableRawPointer
  /// Bytes from row to row.
  let stride: Int

  /// Creates a bitmap of `width` × `height` pixels without content.
  ///
  /// - `hasAlpha`: pixels are `ARGB`, with each color multiplied by alpha (cairo's ARGB32).
  init(width: Int, height: Int, factor: Int = 1, hasAlpha: Bool = false) throws(Failure) {
    try GraphicsLibraries.drawing.load()
    guard
      let surface = cairo_image_surface_create(
        hasAlpha ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, Int32(clamping: width),
        Int32(clamping: height)),
      let base = cairo_image_surface_get_data(surface)
    else { throw .document("The picture is too large: \(width) x \(height) pixels.") }
    // Its pixels are written before cairo draws it, which takes a new surface for empty.
    cairo_surface_mark_dirty(surface)
    self.surface = surface
    self.base = UnsafeMutableRawPointer(base)
    self.width = width
    self.height = height
    self.factor = factor
    stride = Int(cairo_image_surface_get_stride(surface))
  }

  deinit { cairo_surface_destroy(surface) }

  /// A row's pixels, for reading and writing.
  func row(_ y: Int) -> UnsafeMutablePointer<UInt32> {
    (base + y * stride).bindMemory(to: UInt32.self, capacity: width)
  }
}

/// Limits that keep a worker small whatever a picture's header claims.
enum PictureLimits {
  /// A picture with more pixels than an A0 sheet at 600 dpi is an attack.
  static let most = 600_000_000
  /// Maximum number of pixels of a bitmap; larger pictures are reduced while they are decoded.
  ///
  /// On A4, this is 800 dpi.
  static let kept = 40_000_000

  /// The smallest factor by which a picture must be reduced for its bitmap.
  static func factor(_ width: Int, _ height: Int) -> Int {
    var factor = 1
    while (width / factor + 1) * (height / factor + 1) > kept { factor += 1 }
    return factor
  }

  static func check(_ width: Int, _ height: Int, most: Int = most) throws(Failure) {
    guard width > 0, height > 0 else { throw .document("The picture has no pixels.") }
    guard width <= most / height else {
      throw .document("The picture is too large: \(width) x \(height) pixels.")
    }
  }
}

/// Writes a picture's rows, from top to bottom, into a bitmap that is smaller by an integer factor: every pixel is the
/// mean of a square.
struct DownscalingWriter {
  private let bitmap: Bitmap
  private let width: Int
  /// Red, green and blue of each square.
  private var sums: [SIMD4<UInt32>]
  private var rows = 0
  private var next = 0

  init(to bitmap: Bitmap, width: Int) {
    self.bitmap = bitmap
    self.width = width
    sums = Array(repeating: SIMD4(), count: bitmap.width)
  }

  /// Adds one row of `width` pixels.
  mutating func add(_ row: UnsafePointer<UInt32>, isLast: Bool) {
    let factor = bitmap.factor
    if factor == 1 {
      bitmap.row(next).update(from: row, count: width)
      next += 1
      return
    }
    for (place, first) in stride(from: 0, to: width, by: factor).enumerated() {
      var (red, green, blue): (UInt32, UInt32, UInt32) = (0, 0, 0)
      for column in first..<min(first + factor, width) {
        let pixel = row[column]
        red += pixel >> 16 & 0xFF
        green += pixel >> 8 & 0xFF
        blue += pixel & 0xFF
      }
      sums[place] &+= SIMD4(red, green, blue, 0)
    }
    rows += 1
    if rows == factor || isLast { finishRow() }
  }

  private mutating func finishRow() {
    let y = next
    next += 1
    guard y < bitmap.height else { return }
    let target = bitmap.row(y)
    for column in 0..<bitmap.width {
      let across = min((column + 1) * bitmap.factor, width) - column * bitmap.factor
      let mean = sums[column] / SIMD4(repeating: UInt32(rows * across))
      target[column] = mean.x << 16 | mean.y << 8 | mean.z
      sums[column] = SIMD4()
    }
    rows = 0
  }
}

extension Bitmap {
  /// Creates an empty bitmap for a picture of this size, reduced if necessary.
  static func fitting(_ width: Int, _ height: Int) throws(Failure) -> Bitmap {
    try Bitmap(of: width, height, reducedBy: PictureLimits.factor(width, height))
  }

  convenience init(of width: Int, _ height: Int, reducedBy factor: Int) throws(Failure) {
    try self.init(
      width: (width + factor - 1) / factor, height: (height + factor - 1) / factor, factor: factor)
  }

  /// True when a picture looks drawn or scanned: few tones, or one color that covers most of it, like white on a page
  /// of text.
  ///
  /// A photo has many tones everywhere.
  var isFlat: Bool {
    var tones = [Int](repeating: 0, count: 256)
    var colors = [Int](repeating: 0, count: 4096)
    let step = max(1, width * height / 65_536)
    var seen = 0
    for y in 0..<height {
      let row = row(y)
      for x in Swift.stride(from: y % step, to: width, by: step) {
        let pixel = Int(row[x])
        let red = (pixel >> 16) & 0xFF
        let green = (pixel >> 8) & 0xFF
        let blue = pixel & 0xFF
        let tone = (red * 299 + green * 587 + blue * 114) / 1000
        tones[tone] += 1
        colors[((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4)] += 1
        seen += 1
      }
    }
    // A color of at least a thousandth of the picture is a tone; less is the encoder's noise.
    let used = tones.count { $0 * 1000 >= seen && $0 > 0 }
    let most = colors.max() ?? 0
    return used < 24 || most * 10 > seen * 6
  }
}

/// An embedded ICC profile, for conversion to sRGB, in which pages are drawn.
///
/// Little CMS does the conversion.
final class ColorProfile {
  /// The meaning of a pixel's four bytes.
  enum Source {
    /// Blue, green, red, and an unused byte.
    case rgb
    /// The same, with all three equal.
    case gray
    /// Inks: 255 is full ink.
    case cmyk
    /// Inks as in Adobe's JPEGs: 0 is full ink.
    case invertedCMYK
  }

  private let transform: cmsHTRANSFORM

  /// nil when the profile changes nothing, can't be read, or is for another color space: the picture is then treated as
  /// if it had none.
  init?(_ profile: [UInt8], from source: Source) throws(Failure) {
    guard !ColorProfile.isSRGB(profile) else { return nil }
    try GraphicsLibraries.profiles.load()
    guard let input = cmsOpenProfileFromMem(profile, UInt32(clamping: profile.count)) else {
      return nil
    }
    defer { cmsCloseProfile(input) }
    guard cmsGetColorSpace(input).rawValue == source.signature, let output = cmsCreate_sRGBProfile()
    else { return nil }
    defer { cmsCloseProfile(output) }
    let perceptual: UInt32 = 0  // INTENT_PERCEPTUAL, for which pictures' profiles are made
    guard
      let transform = cmsCreateTransform(
        input, source.format, output, Source.rgb.format, perceptual, 0)
    else { return nil }
    self.transform = transform
  }

  deinit { cmsDeleteTransform(transform) }

  /// Converts a row of four-byte pixels in place, to blue, green, red and the unchanged fourth byte.
  func convert(_ row: UnsafeMutableRawPointer, width: Int) {
    cmsDoTransform(transform, row, row, UInt32(clamping: width))
  }

  /// True for the profile that nearly every camera writes, which states that it is sRGB, in which pages are drawn
  /// anyway.
  static func isSRGB(_ profile: [UInt8]) -> Bool {
    profile.withUnsafeBytes { $0.contains("sRGB IEC61966") }
  }
}

extension ColorProfile.Source {
  /// The profile header's color space (ICC.1:2010 table 19).
  fileprivate var signature: UInt32 {
    switch self {
    case .rgb: 0x5247_4220  // "RGB "
    case .gray: 0x4752_4159  // "GRAY"
    case .cmyk, .invertedCMYK: 0x434D_594B  // "CMYK"
    }
  }

  /// Little CMS' pixel format, composed like its macros (TYPE_BGRA_8, …), which Swift can't import.
  fileprivate var format: UInt32 {
    let (gray, rgb, cmyk): (UInt32, UInt32, UInt32) = (3 << 16, 4 << 16, 6 << 16)
    let (swapped, swappedFirst, reversed): (UInt32, UInt32, UInt32) = (1 << 10, 1 << 14, 1 << 13)
    // The number of unused bytes, that of channels, and the bytes of each.
    return switch self {
    case .rgb: rgb | 1 << 7 | 3 << 3 | 1 | swapped | swappedFirst
    case .gray: gray | 3 << 7 | 1 << 3 | 1
    case .cmyk: cmyk | 4 << 3 | 1
    case .invertedCMYK: cmyk | 4 << 3 | 1 | reversed
    }
  }
}
