import Glibc
package import PrintModel

#if _endian(big)
  #error("The conversions here and the line coder take words apart from their low end.")
#endif

/// Converts a row of pixels to a line of units ready for coding.
///
/// Rows are cairo's CAIRO_FORMAT_RGB24: a 32-bit word for each pixel, `0x??RRGGBB` in the machine's byte order. The
/// highest byte may contain anything.
enum RowConversion {
  case toGray, toTriples, toGrayTriples, toBits, toInks, toGrayInks

  /// nil when there is no conversion to `pixels`.
  init?(to pixels: PixelFormat, inGray: Bool) {
    switch pixels {
    case .gray8: self = .toGray
    case .srgb24: self = inGray ? .toGrayTriples : .toTriples
    case .black1: self = .toBits
    case .cmyk32: self = inGray ? .toGrayInks : .toInks
    default: return nil
    }
  }

  /// Converts `width` pixels at `row` to a line at `line`, which must have room for `width` bytes even if the line is
  /// shorter.
  ///
  /// `diffusion` dithers tones that become bits.
  func convert(
    _ row: UnsafeRawPointer, width: Int, to line: UnsafeMutableRawPointer,
    _ diffusion: inout ErrorDiffusion?
  ) {
    switch self {
    case .toGray: gray(row, width: width, to: line)
    case .toTriples: triples(row, width: width, to: line)
    case .toGrayTriples:
      gray(row, width: width, to: line)
      triples(spreading: width, in: line)
    case .toBits:
      gray(row, width: width, to: line)
      diffusion?.diffuse(line, width: width)
      bits(line, width: width, to: line)
    case .toInks: inks(row, width: width, to: line)
    case .toGrayInks:
      gray(row, width: width, to: line)
      inks(spreading: width, in: line)
    }
  }

  /// Writes a white line of `byteCount` bytes.
  func blank(byteCount: Int, to line: UnsafeMutableRawPointer) {
    switch self {
    case .toGray: memset(line, 0xFF, byteCount)
    case .toTriples, .toGrayTriples:
      UnsafeMutableRawBufferPointer(start: line, count: byteCount)
        .initializeMemory(as: UInt32.self, repeating: 0xFF_FFFF)
    case .toBits, .toInks, .toGrayInks: memset(line, 0, byteCount)
    }
  }
}

// MARK: Gray

/// Weights of red, green and blue in gray, in 256ths: 0.3, 0.59 and 0.11.
///
/// This is PDF's rule for RGB on a gray device (ISO 32000-1 §10.3), so that a page looks the same as on a printer that
/// receives it as PDF. The weights are Rec. 601's, rounded; Rec. 709's would print yellow on white with a third less
/// contrast. They add up to 256, so a gray pixel keeps its value exactly.
private enum LumaWeight {
  static let red: UInt16 = 77
  static let green: UInt16 = 151
  static let blue: UInt16 = 28
}

private func gray(_ row: UnsafeRawPointer, width: Int, to line: UnsafeMutableRawPointer) {
  var x = 0
  while x &+ 16 <= width {
    if isWhite(row + 4 &* x) {
      line.storeBytes(of: SIMD16(repeating: 0xFF), toByteOffset: x, as: SIMD16<UInt8>.self)
    } else {
      let both = SIMD16(lowHalf: gray8(row + 4 &* x), highHalf: gray8(row + (4 &* x &+ 32)))
      line.storeBytes(
        of: SIMD16<UInt8>(truncatingIfNeeded: both), toByteOffset: x, as: SIMD16<UInt8>.self)
    }
    x &+= 16
  }
  while x < width {
    let pixel = row.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self)
    let red = UInt16(truncatingIfNeeded: pixel &>> 16 & 0xFF) &* LumaWeight.red
    let green = UInt16(truncatingIfNeeded: pixel &>> 8 & 0xFF) &* LumaWeight.green
    let blue = UInt16(truncatingIfNeeded: pixel & 0xFF) &* LumaWeight.blue
    let gray = UInt8(truncatingIfNeeded: (red &+ green &+ blue &+ 128) &>> 8)
    line.storeBytes(of: gray, toByteOffset: x, as: UInt8.self)
    x &+= 1
  }
}

/// The gray of eight pixels.
///
/// The sums fit 16 bits (at most 255 × 256 + 128), where baseline x86-64 multiplies eight numbers at once; with 32 bits
/// it took twice as long.
@inline(__always)
private func gray8(_ pixels: UnsafeRawPointer) -> SIMD8<UInt16> {
  // Each pixel is two words: green and blue; the unused byte and red.
  let words = pixels.loadUnaligned(as: SIMD16<UInt16>.self)
  let lowWeights = alternating(LumaWeight.blue, LumaWeight.red)
  let highWeights = alternating(LumaWeight.green, 0)
  let sums = (words & 0xFF) &* lowWeights &+ (words &>> 8) &* highWeights
  return (sums.evenHalf &+ sums.oddHalf &+ 128) &>> 8
}

@inline(__always)
private func alternating(_ even: UInt16, _ odd: UInt16) -> SIMD16<UInt16> {
  var words = SIMD16(repeating: even)
  words.oddHalf = SIMD8(repeating: odd)
  return words
}

/// True when 16 pixels are white, whatever their unused bytes contain.
///
/// This is the most frequent case.
@inline(__always)
private func isWhite(_ pixels: UnsafeRawPointer) -> Bool {
  let all = pixels.loadUnaligned(as: SIMD16<UInt32>.self)
  let halves = all.lowHalf & all.highHalf
  let pairs = unsafeBitCast(halves.lowHalf & halves.highHalf, to: SIMD2<UInt64>.self)
  return pairs[0] & pairs[1] | 0xFF00_0000_FF00_0000 == .max
}

// MARK: Color

/// Converts pixels to red, green, blue, 0: the units of `LineCoder<UInt32>`.
private func triples(_ row: UnsafeRawPointer, width: Int, to line: UnsafeMutableRawPointer) {
  // The compiler makes vectors of these.
  for x in 0..<width {
    let pixel = row.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self)
    let swapped = pixel & 0xFF00 | pixel &>> 16 & 0xFF | (pixel & 0xFF) &<< 16
    line.storeBytes(of: swapped, toByteOffset: 4 &* x, as: UInt32.self)
  }
}

/// Spreads `width` bytes of gray to as many triples, in place, from the last to the first.
private func triples(spreading width: Int, in line: UnsafeMutableRawPointer) {
  for x in stride(from: width - 1, through: 0, by: -1) {
    let gray = UInt32(line.load(fromByteOffset: x, as: UInt8.self))
    line.storeBytes(of: gray &* 0x01_0101, toByteOffset: 4 &* x, as: UInt32.self)
  }
}

// MARK: Inks

/// Converts pixels to cyan, magenta, yellow, black and four empty bytes: the units of `LineCoder<UInt64>`.
///
/// The black that three inks would mix is printed with black, and each ink absorbs its share of the remaining light:
/// the conversion of a printer driver without profiles, and the inverse of `PixelDecoder`'s.
private func inks(_ row: UnsafeRawPointer, width: Int, to line: UnsafeMutableRawPointer) {
  for x in 0..<width {
    let pixel = row.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self)
    let light = SIMD4<UInt32>(pixel &>> 16 & 0xFF, pixel &>> 8 & 0xFF, pixel & 0xFF, 0)
    let most = max(light.x, light.y, light.z)
    var inks = UInt64(255 &- most) &<< 24
    if most > 0 {
      for color in 0..<3 {
        let ink = ((most &- light[color]) &* 255 &+ most / 2) / most
        inks |= UInt64(ink) &<< UInt64(8 &* color)
      }
    }
    line.storeBytes(of: inks, toByteOffset: 8 &* x, as: UInt64.self)
  }
}

/// Spreads `width` bytes of gray to as many pixels of black ink, in place, from the last to the first.
private func inks(spreading width: Int, in line: UnsafeMutableRawPointer) {
  for x in stride(from: width - 1, through: 0, by: -1) {
    let gray = line.load(fromByteOffset: x, as: UInt8.self)
    line.storeBytes(of: UInt64(~gray) &<< 24, toByteOffset: 8 &* x, as: UInt64.self)
  }
}

// MARK: Bits

/// Thresholds gray: values below the middle are ink.
///
/// To keep tones, apply `ErrorDiffusion` first. `line` may be `row`.
private func bits(_ row: UnsafeRawPointer, width: Int, to line: UnsafeMutableRawPointer) {
  for byte in 0..<width / 8 {
    let pixels = row.loadUnaligned(fromByteOffset: 8 &* byte, as: UInt64.self)
    line.storeBytes(of: bits(pixels), toByteOffset: byte, as: UInt8.self)
  }
  let rest = width & 7
  guard rest > 0 else { return }
  // The missing pixels are white.
  var pixels = UInt64.max
  for x in width - rest..<width {
    pixels = pixels &<< 8 | UInt64(row.load(fromByteOffset: x, as: UInt8.self))
  }
  pixels = (pixels &<< UInt64(8 * (8 - rest)) | ~(.max &<< UInt64(8 * (8 - rest)))).byteSwapped
  line.storeBytes(of: bits(pixels), toByteOffset: width / 8, as: UInt8.self)
}

/// Thresholds eight pixels of gray.
///
/// The multiplication moves the highest bit of byte k to bit 63 - k; none of its products collide.
@inline(__always)
private func bits(_ pixels: UInt64) -> UInt8 {
  let ink = ~pixels &>> 7 & 0x0101_0101_0101_0101
  return UInt8(truncatingIfNeeded: (ink &* 0x8040_2010_0804_0201) &>> 56)
}

/// Orientation of a page's pixels relative to the paper, left to right and top to bottom as they are sent.
///
/// Front sides are always `.none`. A printer reports the orientation of back sides that it requires (`SheetBack`): with
/// URF, and with PWG if the header states the same, the sender turns the pixels.
package enum BackSideTransform: Sendable, CaseIterable {
  case none
  /// Rotated by 180°.
  case rotated
  /// Top and bottom are swapped.
  case flipped
  /// Left and right are swapped.
  case mirrored

  /// CrossFeedTransform (PWG 5102.4 table 9), 1 or -1 (lines run from right to left).
  package var crossFeed: Int { self == .rotated || self == .mirrored ? -1 : 1 }

  /// FeedTransform (PWG 5102.4 table 9), 1 or -1 (the last line comes first).
  package var feed: Int { self == .rotated || self == .flipped ? -1 : 1 }

  /// Creates the transform with these numbers, or `.none` if they are neither 1 nor -1 (0: not stated).
  init(crossFeed: Int, feed: Int) {
    self =
      BackSideTransform.allCases.first { $0.crossFeed == crossFeed && $0.feed == feed } ?? .none
  }

  /// The transform of a back side (PWG 5102.4 table 9; URF's DM1 to DM4 mean the same four: cups#1200).
  package static func back(of sheet: SheetBack, sides: Sides) -> BackSideTransform {
    switch (sheet, sides) {
    case (_, .oneSided), (.normal, _): .none
    case (.flipped, .longEdge): .flipped
    case (.flipped, .shortEdge): .mirrored
    case (.rotated, .longEdge): .rotated
    case (.rotated, .shortEdge): .none
    case (.manualTumble, .longEdge): .none
    case (.manualTumble, .shortEdge): .rotated
    }
  }
}
