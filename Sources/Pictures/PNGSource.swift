internal import CPNG
internal import Drawing
internal import LateLibraries
internal import PrintModel

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
      throw Failure(.fault, "libpng has no memory for a picture.")
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
