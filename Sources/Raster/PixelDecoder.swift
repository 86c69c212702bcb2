/// Converts a line as stored in a file to 8-bit gray (255 is white) or 8-bit red, green and blue.
///
/// It only shows what is in a file, and does not manage color. Adobe RGB is treated as sRGB, so that it looks a little
/// pale, and CMYK is mixed as in PDF without profiles.
struct PixelDecoder {
  private let pixels: PixelFormat
  /// 1 for gray, 3 for red, green and blue.
  let channels: Int

  /// nil for pixels that can't be decoded.
  init?(_ pixels: PixelFormat) {
    guard pixels.space.colors == pixels.colors else { return nil }
    switch pixels.space {
    case .sGray, .deviceGray, .black: channels = 1
    case .sRGB, .adobeRGB, .deviceRGB, .cmyk: channels = 3
    default: return nil
    }
    // Only gray may have less than a byte for each color.
    guard pixels.bitsPerColor >= 8 || pixels.colors == 1 else { return nil }
    self.pixels = pixels
  }

  /// Decodes `width` pixels of `line`, as `channels` bytes each.
  func decode(_ line: [UInt8], width: Int, to decoded: inout [UInt8]) {
    switch pixels.bitsPerColor {
    case 1, 2, 4:
      let (bits, most) = (pixels.bitsPerColor, 1 << pixels.bitsPerColor - 1)
      decoded = (0..<width).map { index in
        let place = index * bits
        return UInt8((Int(line[place / 8]) >> (8 - bits - place % 8) & most) * 255 / most)
      }
    // 16-bit samples are big-endian; the less significant byte is dropped.
    case 16: decoded = stride(from: 0, to: line.count, by: 2).map { line[$0] }
    default: decoded = line
    }
    switch pixels.space {
    case .black: for index in decoded.indices { decoded[index] = ~decoded[index] }
    case .cmyk: mix(&decoded, width: width)
    default: break
    }
  }

  /// Converts cyan, magenta, yellow and black to red, green and blue in place: each ink absorbs its share of the light
  /// that black leaves.
  private func mix(_ decoded: inout [UInt8], width: Int) {
    for pixel in 0..<width {
      let light = 255 - Int(decoded[4 * pixel + 3])
      for color in 0..<3 {
        decoded[3 * pixel + color] = UInt8((255 - Int(decoded[4 * pixel + color])) * light / 255)
      }
    }
    decoded.removeLast(width)
  }
}
