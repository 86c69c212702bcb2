internal import Synchronization

/// Converts lines of CMYK pixels to RGB, faster than Poppler.
///
/// Poppler mixes the 16 colors of full inks for each pixel, a quarter of the time that a photo takes. The program's
/// function gets the 16 colors from Poppler's and mixes eight pixels at once, within 1/255 of Poppler's result. If
/// Poppler's results are different, or it has no such function, Poppler converts the pixels itself.
enum CMYKLines {
  static let poppler:
    (
      @convention(c) (
        UnsafeRawPointer?, UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt32>?, Int32
      ) -> Void
    )? = libraryFunction("_ZN23GfxDeviceCMYKColorSpace10getRGBLineEPhPji")

  /// Pixels that Poppler converts itself: getting its colors takes as long as some 5,000 pixels.
  private static let fewPixels = 50_000

  private enum Progress: Sendable {
    case converted(Int)
    case known(InkMixture?)
  }

  private static let progress = Mutex(Progress.converted(0))

  /// Poppler's mixture, once there are enough pixels to be worth getting it.
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

/// Colors of mixtures of cyan, magenta, yellow and black: linear in every ink, between the colors of full inks.
struct InkMixture: Sendable {
  /// The 8 mixtures of full cyan, magenta and yellow without black, in 255ths, first the red of all of them, then
  /// green, then blue; and what black adds to each.
  private var base: [Float]
  private var black: [Float]

  /// Determines the mixture that `convert` makes of inks, four bytes per pixel; nil when it is not linear.
  ///
  /// Colors are `0xRRGGBB`, rounded down.
  init?(_ convert: ([UInt8]) -> [UInt32]) {
    var corners = [SIMD4<Float>(repeating: 255)]
    guard convert([0, 0, 0, 0])[0] & 0xFF_FFFF == 0xFF_FFFF else { return nil }
    for corner in 1..<16 {
      // Adds increasing amounts of another ink to a mixture whose color is known.
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

  /// The color at the end of a ramp of 256 colors, each of which bounds it; nil: the ramp is not linear.
  private static func end(of line: [UInt32], from start: SIMD4<Float>) -> SIMD4<Float>? {
    var low = SIMD4<Float>(repeating: -1)
    var high = SIMD4<Float>(repeating: 256)
    // With little of the ink, the uncertainty of the start has too much weight.
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
    // Allow for rounding, and for the uncertainty of the start.
    guard (low - high).max() < 1 else { return nil }
    return ((low + high) / 2).clamped(
      lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))
  }

  /// Compares mixtures of all kinds, half of them with much ink.
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

  /// Converts `count` pixels of four inks each.
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

  /// Converts eight pixels, each a word with cyan in the lowest byte.
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
          /// A mixture with and without yellow.
          @inline(__always)
          func mixed(_ corner: Int) -> SIMD8<Float> {
            let place = 8 &* channel + corner
            return mix(
              key * black[place] + base[place], key * black[place + 1] + base[place + 1], yellow)
          }
          let color = mix(
            mix(mixed(0), mixed(2), magenta), mix(mixed(4), mixed(6), magenta), cyan)
          // Rounds down: from 2^23 on, a float has its integer value in its lowest bits. 256 is added because below
          // 2^23 they also contain halves; 1/1024 keeps whole numbers from becoming the next lower one.
          let rounded = color + (256 + 1 / 1_024 - 0.5) + 8_388_608
          colors = colors &<< 8 | unsafeBitCast(rounded, to: SIMD8<UInt32>.self) & 0xFF
        }
        return colors
      }
    }
  }

  @inline(__always)
  private func share(_ amounts: SIMD8<UInt32>) -> SIMD8<Float> {
    // These bits are 2^23 plus the amount; subtracting 2^23 leaves the amount.
    (unsafeBitCast(amounts | 0x4B00_0000, to: SIMD8<Float>.self) - 8_388_608) * (1 / 255)
  }

  @inline(__always)
  private func mix(
    _ none: SIMD8<Float>, _ full: SIMD8<Float>, _ share: SIMD8<Float>
  ) -> SIMD8<Float> { none + share * (full - none) }
}

/// Replaces Poppler's function `GfxDeviceCMYKColorSpace::getRGBLine` (see `CMYKLines`).
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
