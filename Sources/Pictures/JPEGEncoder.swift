internal import CTurboJPEG
package import Drawing
internal import LateLibraries
package import PrintModel

/// Canvases as JPEG files, encoded by libjpeg-turbo.
package enum JPEGEncoder {
  /// The bitmap as a baseline JPEG file of good quality.
  ///
  /// Throws exit 70 when memory runs out.
  package static func file(of canvas: Canvas) throws(Failure) -> [UInt8] {
    try GraphicsLibraries.jpeg.load()
    guard let encoder = tjInitCompress() else {
      throw Failure(.fault, "There is no memory for a JPEG file.")
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
      throw Failure(.fault, "The page can't be written as JPEG.")
    }
    defer { tjFree(data) }
    return Array(UnsafeBufferPointer(start: data, count: Int(count)))
  }
}
