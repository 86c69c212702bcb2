internal import CCairo
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
    else { throw Failure(.document, "The picture is too large: \(width) x \(height) pixels.") }
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
    guard width > 0, height > 0 else { throw Failure(.document, "The picture has no pixels.") }
    guard width <= most / height else {
      throw Failure(.document, "The picture is too large: \(width) x \(height) pixels.")
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
}
