internal import CPixbuf
import CGLib
import TestSupport

/// A picture for one test: white with a black rectangle in its top left corner, or black and white noise.
struct Picture {
  var width: Int
  var height: Int
  /// The size of the black part, in pixels.
  var black: (width: Int, height: Int) = (0, 0)
  /// True if every pixel is randomly black or white, so that any change is noticed.
  var isNoise = false

  private func isBlack(_ x: Int, _ y: Int) -> Bool {
    guard isNoise else { return x < black.width && y < black.height }
    return (y * width + x &+ 1) &* 2_654_435_761 >> 13 & 1 == 0
  }

  /// Its pixels in gray, row by row.
  var gray: [UInt8] {
    (0..<height).flatMap { y in (0..<width).map { x in isBlack(x, y) ? 0 : 255 } }
  }

  /// Encodes it as a baseline JPEG.
  func jpeg() throws -> [UInt8] { try encoded("jpeg") }

  func png() throws -> [UInt8] { try encoded("png") }

  /// Encodes it as GIF without compression: a clear code is written before the codes get longer than a byte.
  func gif() -> [UInt8] {
    var codes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        if (y * width + x) % 100 == 0 { codes.append(0x80) }
        codes.append(isBlack(x, y) ? 0 : 1)
      }
    }
    codes.append(0x81)
    func word(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
    var file = Array("GIF89a".utf8) + word(width) + word(height) + [0xF6, 0, 0]
    file += [0, 0, 0] + Array(repeating: 0xFF, count: 127 * 3)
    file += [0x2C, 0, 0, 0, 0] + word(width) + word(height) + [0, 7]
    for start in stride(from: 0, to: codes.count, by: 255) {
      let block = codes[start..<min(start + 255, codes.count)]
      file += [UInt8(block.count)] + block
    }
    return file + [0, 0x3B]
  }

  private func encoded(_ type: String) throws -> [UInt8] {
    guard let pixbuf = gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, Int32(width), Int32(height)),
      let pixels = gdk_pixbuf_get_pixels(pixbuf)
    else { throw Missing("a picture") }
    defer { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
    let stride = Int(gdk_pixbuf_get_rowstride(pixbuf))
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 { pixels[y * stride + 3 * x + channel] = isBlack(x, y) ? 0 : 255 }
      }
    }
    var buffer: UnsafeMutablePointer<gchar>?
    var count: gsize = 0
    guard gdk_pixbuf_save_to_bufferv(pixbuf, &buffer, &count, type, nil, nil, nil) != 0,
      let buffer
    else { throw Missing("a picture as \(type)") }
    defer { g_free(buffer) }
    return UnsafeBufferPointer(start: buffer, count: Int(count)).map { UInt8(bitPattern: $0) }
  }
}
