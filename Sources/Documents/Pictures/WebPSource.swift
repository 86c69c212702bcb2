internal import CWebP
internal import PrintModel

/// A WebP file, decoded by libwebp; only the first picture of an animation.
final class WebPSource: PictureSource {
  let width: Int
  let height: Int
  let hasAlpha: Bool
  /// Read by `PictureFacts`, because it is stored outside the pixels.
  let profile: [UInt8] = []
  var complaint: String? { nil }

  private let config: UnsafeMutablePointer<WebPDecoderConfig>
  private let decoder: OpaquePointer
  private var next = 0

  /// `bytes` outlives the source.
  init(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    try GraphicsLibraries.webp.load()
    let picture = WebPSource.firstFrame(bytes) ?? bytes
    let data = picture.assumingMemoryBound(to: UInt8.self).baseAddress
    config = .allocate(capacity: 1)
    config.initialize(to: WebPDecoderConfig())
    guard WebPInitDecoderConfig(config) != 0,
      WebPGetFeatures(data, picture.count, &config.pointee.input) == VP8_STATUS_OK
    else {
      config.deallocate()
      throw DecodedPicture.failure(nil)
    }
    width = Int(config.pointee.input.width)
    height = Int(config.pointee.input.height)
    hasAlpha = config.pointee.input.has_alpha != 0
    config.pointee.output.colorspace = MODE_BGRA
    do throws(Failure) {
      try PictureLimits.check(width, height, most: PictureLimits.loaded(bytes.count))
    } catch {
      config.deallocate()
      throw error
    }
    guard let decoder = WebPIDecode(data, picture.count, config) else {
      config.deallocate()
      throw Failure(.fault, "libwebp has no memory for a picture.")
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
    guard let pixels = WebPIDecGetRGB(decoder, &rows, nil, nil, &stride), next < Int(rows) else {
      return false
    }
    UnsafeMutableRawPointer(row).copyMemory(
      from: pixels + next * Int(stride), byteCount: 4 * width)
    next += 1
    return true
  }

  /// The picture in the first `ANMF` chunk (WebP container specification, "Animation").
  private static func firstFrame(_ file: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var place = 12
    while place + 8 <= file.count {
      let length = file.number(at: place + 4, bytes: 4, isLittle: true)
      if file.hasPrefix("ANMF", at: place), length > 16, place + 24 < file.count {
        return file.piece(place + 24..<min(file.count, place + 8 + length))
      }
      place += 8 + length + length % 2
    }
    return nil
  }
}
