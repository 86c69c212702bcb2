/// The format in which a page's pixels are stored: color space and depth.
///
/// All colors of a pixel are stored together.
package struct PixelFormat: Sendable, Hashable {
  package var space: ColorSpace
  package var bitsPerColor: Int
  package var colors: Int

  /// `sgray_8`, URF's W8: 255 is white.
  package static let gray8 = PixelFormat(space: .sGray, bitsPerColor: 8, colors: 1)
  /// `srgb_8`, URF's SRGB24: red, green, blue.
  package static let srgb24 = PixelFormat(space: .sRGB, bitsPerColor: 8, colors: 3)
  /// `cmyk_8`: cyan, magenta, yellow and black, 255 is ink.
  package static let cmyk32 = PixelFormat(space: .cmyk, bitsPerColor: 8, colors: 4)
  /// `black_1`: 1 is ink, eight pixels a byte, the leftmost in the highest bit.
  ///
  /// URF has nothing like it.
  package static let black1 = PixelFormat(space: .black, bitsPerColor: 1, colors: 1)

  package var bitsPerPixel: Int { bitsPerColor * colors }

  func bytesPerLine(width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }

  /// Bytes of the unit that the line coding counts: a pixel, or a byte of smaller pixels.
  var bytesPerUnit: Int { (bitsPerPixel + 7) / 8 }
}

/// A color space by its number in PWG 5102.4 table 3 (libcups' `cups_cspace_t`).
package struct ColorSpace: RawRepresentable, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let deviceGray = ColorSpace(rawValue: 0)
  package static let deviceRGB = ColorSpace(rawValue: 1)
  package static let black = ColorSpace(rawValue: 3)
  package static let cmyk = ColorSpace(rawValue: 6)
  package static let cieLab = ColorSpace(rawValue: 16)
  package static let sGray = ColorSpace(rawValue: 18)
  package static let sRGB = ColorSpace(rawValue: 19)
  package static let adobeRGB = ColorSpace(rawValue: 20)

  private static let named: [ColorSpace: (words: String, colors: Int, isAdditive: Bool)] = [
    .deviceGray: ("device gray", 1, true), .deviceRGB: ("device RGB", 3, true),
    .black: ("black", 1, false), .cmyk: ("CMYK", 4, false), .cieLab: ("CIELab", 3, false),
    .sGray: ("sRGB gray", 1, true), .sRGB: ("sRGB", 3, true), .adobeRGB: ("Adobe RGB", 3, true),
  ]

  /// True for additive spaces, where all bits set are white; in the others, all bits clear are white.
  var isAdditive: Bool { ColorSpace.named[self]?.isAdditive ?? false }

  /// Number of colors a pixel has, for spaces that fix it.
  var colors: Int? {
    ColorSpace.named[self]?.colors ?? ((48...62).contains(rawValue) ? Int(rawValue) - 47 : nil)
  }
}

extension ColorSpace: CustomStringConvertible {
  package var description: String { ColorSpace.named[self]?.words ?? "color space \(rawValue)" }
}

extension PixelFormat: CustomStringConvertible {
  package var description: String { "\(bitsPerColor)-bit \(space)" }
}
