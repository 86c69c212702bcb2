internal import CWebP
internal import DocumentBytes
internal import Drawing
internal import LateLibraries
internal import PrintModel

/// A WebP file, decoded by libwebp; only the first picture of an animation, where it is on the canvas.
final class WebPSource: PictureSource {
  let width: Int
  let height: Int
  let hasAlpha: Bool

  /// The decoded part of the picture: all of it, if it is no animation.
  private let part: (x: Int, y: Int, width: Int, height: Int)
  private let config: UnsafeMutablePointer<WebPDecoderConfig>
  private let decoder: OpaquePointer
  private var next = 0

  /// `bytes` outlives the source.
  init(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    try GraphicsLibraries.webp.load()
    let frame = WebPSource.firstFrame(bytes)
    let picture = frame?.picture ?? bytes
    let data = picture.assumingMemoryBound(to: UInt8.self).baseAddress
    var stated = WebPDecoderConfig()
    guard WebPInitDecoderConfig(&stated) != 0,
      WebPGetFeatures(data, picture.count, &stated.input) == VP8_STATUS_OK
    else { throw DamagedPicture.failure(nil) }
    let input = stated.input
    part = (frame?.x ?? 0, frame?.y ?? 0, Int(input.width), Int(input.height))
    width = max(frame?.width ?? 0, part.x + part.width)
    height = max(frame?.height ?? 0, part.y + part.height)
    hasAlpha = input.has_alpha != 0 || (width, height) != (part.width, part.height)
    try PictureLimits.check(width, height, most: PictureLimits.loaded(bytes.count))
    stated.output.colorspace = MODE_BGRA
    config = .allocate(capacity: 1)
    config.initialize(to: stated)
    guard let decoder = WebPIDecode(data, picture.count, config) else {
      config.deallocate()
      throw .fault("libwebp has no memory for a picture.")
    }
    self.decoder = decoder
    // A truncated picture keeps the rows that were decoded; without any, `readRow` returns none.
    _ = WebPIUpdate(decoder, data, picture.count)
  }

  deinit {
    WebPIDelete(decoder)
    WebPFreeDecBuffer(&config.pointee.output)
    config.deallocate()
  }

  func readRow(to row: UnsafeMutablePointer<UInt32>) -> Bool {
    var (rows, stride): (Int32, Int32) = (0, 0)
    guard let pixels = WebPIDecGetRGB(decoder, &rows, nil, nil, &stride), rows > 0, next < height
    else { return false }
    let line = next - part.y
    next += 1
    row.update(repeating: 0, count: width)
    guard (0..<part.height).contains(line) else { return true }
    guard line < Int(rows) else { return false }
    UnsafeMutableRawPointer(row + part.x).copyMemory(
      from: pixels + line * Int(stride), byteCount: 4 * part.width)
    return true
  }

  /// An animation's first picture, its place, and the size of the canvas.
  private struct Frame {
    var picture: UnsafeRawBufferPointer
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  /// The first `ANMF` chunk (WebP container specification, "Animation"); `VP8X` comes before it.
  private static func firstFrame(_ file: UnsafeRawBufferPointer) -> Frame? {
    var (place, width, height) = (12, 0, 0)
    while place + 8 <= file.count {
      let length = file.number(at: place + 4, bytes: 4, isLittle: true)
      func field(_ offset: Int) -> Int { file.number(at: place + offset, bytes: 3, isLittle: true) }
      if file.hasPrefix("VP8X", at: place), length >= 10, place + 18 <= file.count {
        (width, height) = (field(12) + 1, field(15) + 1)
      } else if file.hasPrefix("ANMF", at: place), length > 16, place + 24 < file.count {
        return Frame(
          picture: file.piece(place + 24..<min(file.count, place + 8 + length)), x: 2 * field(8),
          y: 2 * field(11), width: width, height: height)
      }
      place += 8 + length + length % 2
    }
    return nil
  }
}
