extension Canvas {
  /// The bitmap as sixels (DEC STD 070), all printable characters: raster attributes, a palette of 216 colors and 32
  /// grays, and bands of six rows.
  ///
  /// The control sequences around them are not included.
  package func sixels() -> [UInt8] {
    var text = Array("\"1;1;\(width);\(height)".utf8)
    for color in 0..<SixelPalette.count {
      let (red, green, blue) = SixelPalette.percents(of: color)
      text += "#\(color);2;\(red);\(green);\(blue)".utf8
    }
    withPixels { pixels in
      for top in Swift.stride(from: 0, to: height, by: 6) {
        // Six bits for each column, for each color of the band.
        var columns: [UInt8: [UInt8]] = [:]
        for row in top..<min(height, top + 6) {
          for column in 0..<width {
            let pixel = pixels.load(fromByteOffset: row * stride + column * 4, as: UInt32.self)
            columns[SixelPalette.color(of: pixel), default: [UInt8](repeating: 0, count: width)][
              column] |= 1 << UInt8(row - top)
          }
        }
        for (color, bits) in columns.sorted(by: { $0.key < $1.key }) {
          text += "#\(color)".utf8
          appendRuns(of: bits, to: &text)
          text.append(UInt8(ascii: "$"))
        }
        text.append(UInt8(ascii: "-"))
      }
    }
    return text
  }

  /// Appends columns of six bits as characters from `?` on, repeated ones as `!COUNT`.
  private func appendRuns(of bits: [UInt8], to text: inout [UInt8]) {
    var start = 0
    while start < bits.count {
      let end = bits[start...].firstIndex { $0 != bits[start] } ?? bits.count
      // Empty columns after the last dot of a color can be omitted.
      if end == bits.count, bits[start] == 0 { return }
      let character = 63 + bits[start]
      if end - start > 3 {
        text += "!\(end - start)".utf8
        text.append(character)
      } else {
        text += repeatElement(character, count: end - start)
      }
      start = end
    }
  }
}

/// 6 × 6 × 6 colors, and grays for pixels with hardly any color, such as edges of letters.
private enum SixelPalette {
  static let count = 248

  /// The palette's color for an xRGB pixel.
  static func color(of pixel: UInt32) -> UInt8 {
    let (red, green, blue) = (pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF)
    let (least, most) = (min(red, green, blue), max(red, green, blue))
    if most - least < 10 { return UInt8(216 + (most + least) / 2 * 31 / 255) }
    func level(_ value: UInt32) -> UInt32 { (value * 5 + 127) / 255 }
    return UInt8(level(red) * 36 + level(green) * 6 + level(blue))
  }

  static func percents(of color: Int) -> (Int, Int, Int) {
    if color >= 216 {
      let gray = (color - 216) * 100 / 31
      return (gray, gray, gray)
    }
    return (color / 36 * 20, color / 6 % 6 * 20, color % 6 * 20)
  }
}
