internal import Synchronization

/// Lines of a picture's pixels in CMYK as red, green and blue, faster than Poppler makes them.
///
/// Poppler mixes the 16 colors that full inks make together, one pixel after the other: a quarter of the time that a
/// photo takes. The program has a function in the place of its own, which the dynamic linker prefers (ld.so(8)). It
/// asks that for the 16 colors and mixes eight pixels at once, within 1 of 255 of what Poppler says. Where Poppler
/// says something else, or has no such function, it goes on by itself.
enum CMYKLines {
  typealias Convert =
    @convention(c) (
      UnsafeRawPointer?, UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt32>?, Int32
    ) -> Void

  static let poppler = libraryFunction(
    "_ZN23GfxDeviceCMYKColorSpace10getRGBLineEPhPji", Convert.self)

  /// Pixels that Poppler converts by itself: asking it takes as long as some 5,000.
  private static let fewPixels = 50_000

  private enum Progress: Sendable {
    case converted(Int)
    case known(InkMixture?)
  }

  private static let progress = Mutex(Progress.converted(0))

  /// The colors that Poppler mixes, once there are so many pixels that it is worth asking for them.
  fileprivate static func mixture(_ space: UnsafeRawPointer?, pixels: Int) -> InkMixture? {
    progress.withLock { progress in
      switch progress {
      case .known(let mixture): return mixture
      case .converted(let count):
        guard count + pixels > fewPixels else {
          progress = .converted(count + pixels)
          return nil
        }
        let mixture = InkMixture { inks in
          var colors = [UInt32](repeating: 0, count: inks.count / 4)
          poppler?(space, inks, &colors, Int32(colors.count))
          return colors
        }
        progress = .known(mixture)
        return mixture
      }
    }
  }
}

/// Colors that cyan, magenta, yellow and black make, each as much of a color of full inks as there is of these:
/// linear in every ink.
struct InkMixture: Sendable {
  /// The 8 mixtures of full cyan, magenta and yellow without black, in 255ths: first red, then green, then blue of all
  /// of them; and what black adds to each.
  private var base: [Float]
  private var black: [Float]

  /// Finds out what `convert` makes of inks, four bytes a pixel; nil when that is not linear.
  ///
  /// Colors are `0xRRGGBB`, rounded down.
  init?(_ convert: ([UInt8]) -> [UInt32]) {
    var corners = [SIMD4<Float>(repeating: 255)]
    guard convert([0, 0, 0, 0])[0] & 0xFF_FFFF == 0xFF_FFFF else { return nil }
    for corner in 1..<16 {
      // From a mixture that is known, with more and more of another ink.
      let start = corner & (corner - 1)
      let ramp = (0...255).map { amount in
        (0..<4).map { ink in
          let bit = 8 >> ink
          return start & bit != 0 ? 255 : corner & bit != 0 ? UInt8(amount) : 0
        }
      }
      guard
        let end = InkMixture.end(of: convert(ramp.flatMap(\.self)), from: corners[start])
      else { return nil }
      corners.append(end)
    }
    (base, black) = ([], [])
    for channel in 0..<3 {
      for corner in stride(from: 0, to: 16, by: 2) {
        base.append(corners[corner][channel])
        black.append(corners[corner + 1][channel] - corners[corner][channel])
      }
    }
    guard agrees(with: convert) else { return nil }
  }

  /// The color at the end of a line of 256, each of which says in what range it is; nil: the line is not straight.
  private static func end(of line: [UInt32], from start: SIMD4<Float>) -> SIMD4<Float>? {
    var low = SIMD4<Float>(repeating: -1)
    var high = SIMD4<Float>(repeating: 256)
    // With little of the ink, what is not known of the start counts for too much.
    for amount in 128...255 {
      let color = line[amount]
      let share = Float(amount) / 255
      let bytes = SIMD4<Float>(
        Float(color &>> 16 & 0xFF), Float(color &>> 8 & 0xFF), Float(color & 0xFF), 0)
      let least = (bytes - start * (1 - share)) / share
      low = pointwiseMax(low, least)
      high = pointwiseMin(high, least + 1 / share)
    }
    low.w = 0
    high.w = 0
    // Rounding, and what is not known of the start.
    guard (low - high).max() < 1 else { return nil }
    return ((low + high) / 2).clamped(
      lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))
  }

  /// Looks at mixtures of all kinds, every other of which is of much ink.
  private func agrees(with convert: ([UInt8]) -> [UInt32]) -> Bool {
    var number: UInt32 = 1
    let inks = (0..<4 * 1_024).map { index in
      number = number &* 1_664_525 &+ 1_013_904_223
      return UInt8(number >> 24) | (index & 4 == 0 ? 0 : 0xF0)
    }
    var ours = [UInt32](repeating: 0, count: inks.count / 4)
    self.convert(inks, &ours, count: ours.count)
    return zip(ours, convert(inks)).allSatisfy { ours, theirs in
      [0, 8, 16].allSatisfy { abs(Int(ours >> $0 & 0xFF) - Int(theirs >> $0 & 0xFF)) <= 1 }
    }
  }

  /// Makes `count` colors of as many times four inks.
  func convert(
    _ inks: UnsafePointer<UInt8>, _ colors: UnsafeMutablePointer<UInt32>, count: Int
  ) {
    let (source, target) = (UnsafeRawPointer(inks), UnsafeMutableRawPointer(colors))
    let whole = count & ~7
    for place in stride(from: 0, to: 4 * whole, by: 32) {
      let words = source.loadUnaligned(fromByteOffset: place, as: SIMD8<UInt32>.self)
      target.storeBytes(of: eight(words), toByteOffset: place, as: SIMD8<UInt32>.self)
    }
    guard whole < count else { return }
    var words = SIMD8<UInt32>()
    for index in whole..<count {
      words[index - whole] = source.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
    }
    let last = eight(words)
    for index in whole..<count { colors[index] = last[index - whole] }
  }

  /// Eight pixels, one of which is a word with cyan in the lowest byte.
  @inline(__always)
  private func eight(_ words: SIMD8<UInt32>) -> SIMD8<UInt32> {
    let cyan = share(words & 0xFF)
    let magenta = share(words &>> 8 & 0xFF)
    let yellow = share(words &>> 16 & 0xFF)
    let key = share(words &>> 24)
    return base.withUnsafeBufferPointer { base in
      black.withUnsafeBufferPointer { black in
        var colors = SIMD8<UInt32>()
        for channel in 0..<3 {
          let first = 8 &* channel
          let paper = mix(
            key * black[first] + base[first], key * black[first + 1] + base[first + 1], yellow)
          let red = mix(
            key * black[first + 2] + base[first + 2], key * black[first + 3] + base[first + 3],
            yellow)
          let blue = mix(
            key * black[first + 4] + base[first + 4], key * black[first + 5] + base[first + 5],
            yellow)
          let dark = mix(
            key * black[first + 6] + base[first + 6], key * black[first + 7] + base[first + 7],
            yellow)
          let color = mix(mix(paper, red, magenta), mix(blue, dark, magenta), cyan)
          // Rounded down, a number of this size, from 2^23 on, has its value in its lowest bits: 256 more, because halves
          // below that are another number's. What is a whole number is not to become the one below.
          let rounded = color + (256 + 1 / 1_024 - 0.5) + 8_388_608
          colors = colors &<< 8 | unsafeBitCast(rounded, to: SIMD8<UInt32>.self) & 0xFF
        }
        return colors
      }
    }
  }

  @inline(__always)
  private func share(_ amounts: SIMD8<UInt32>) -> SIMD8<Float> {
    // 2^23 and the amount; what is subtracted leaves the amount.
    (unsafeBitCast(amounts | 0x4B00_0000, to: SIMD8<Float>.self) - 8_388_608) * (1 / 255)
  }

  @inline(__always)
  private func mix(
    _ none: SIMD8<Float>, _ full: SIMD8<Float>, _ share: SIMD8<Float>
  ) -> SIMD8<Float> { none + share * (full - none) }
}

/// In the place of Poppler's own, `GfxDeviceCMYKColorSpace::getRGBLine` (see `CMYKLines`).
@_cdecl("_ZN23GfxDeviceCMYKColorSpace10getRGBLineEPhPji")
public func convertCMYKLine(
  _ space: UnsafeRawPointer?, _ inks: UnsafePointer<UInt8>?,
  _ colors: UnsafeMutablePointer<UInt32>?, _ count: Int32
) {
  if let inks, let colors, let mixture = CMYKLines.mixture(space, pixels: Int(count)) {
    mixture.convert(inks, colors, count: Int(count))
  } else {
    CMYKLines.poppler?(space, inks, colors, count)
  }
}
