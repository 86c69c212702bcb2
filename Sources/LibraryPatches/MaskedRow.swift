/// Draws a row of colors through a mask as pixman does it: each share in 255ths is rounded.
enum MaskedRow {
  /// - `shares`: how much of each color is drawn over the color on `line`, of 255. It has room for eight more at the
  ///   end.
  static func draw(
    _ colors: UnsafePointer<UInt32>, _ shares: UnsafePointer<Int16>,
    on line: UnsafeMutableRawPointer, count: Int
  ) {
    let (source, amounts) = (UnsafeRawPointer(colors), UnsafeRawPointer(shares))
    let whole = count & ~7
    for x in stride(from: 0, to: whole, by: 8) {
      let share = amounts.loadUnaligned(fromByteOffset: 2 &* x, as: SIMD8<UInt16>.self)
      let words = unsafeBitCast(share, to: SIMD2<UInt64>.self)
      // Most are drawn completely, or not at all.
      if words[0] | words[1] == 0 { continue }
      let drawn = source.loadUnaligned(fromByteOffset: 4 &* x, as: SIMD8<UInt32>.self)
      let isWhole = words[0] & words[1] == 0x00FF_00FF_00FF_00FF
      let result =
        isWhole
        ? drawn
        : mixed(
          drawn, line.loadUnaligned(fromByteOffset: 4 &* x, as: SIMD8<UInt32>.self), share)
      line.storeBytes(of: result, toByteOffset: 4 &* x, as: SIMD8<UInt32>.self)
    }
    guard whole < count else { return }
    var last = SIMD8<UInt32>()
    for x in whole..<count {
      last[x - whole] = line.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self)
    }
    last = mixed(
      source.loadUnaligned(fromByteOffset: 4 &* whole, as: SIMD8<UInt32>.self), last,
      amounts.loadUnaligned(fromByteOffset: 2 &* whole, as: SIMD8<UInt16>.self))
    for x in whole..<count {
      line.storeBytes(of: last[x - whole], toByteOffset: 4 &* x, as: UInt32.self)
    }
  }

  @inline(__always)
  private static func mixed(
    _ drawn: SIMD8<UInt32>, _ below: SIMD8<UInt32>, _ share: SIMD8<UInt16>
  ) -> SIMD8<UInt32> {
    // The share, repeated for each of a pixel's four bytes.
    let pairs = share | share &<< 8
    var words = SIMD16<UInt16>()
    words.evenHalf = pairs
    words.oddHalf = pairs
    let amounts = unsafeBitCast(words, to: SIMD32<UInt8>.self)
    let sources = unsafeBitCast(drawn, to: SIMD32<UInt8>.self)
    let targets = unsafeBitCast(below, to: SIMD32<UInt8>.self)
    return unsafeBitCast(
      SIMD32(
        lowHalf: mixed(sources.lowHalf, targets.lowHalf, amounts.lowHalf),
        highHalf: mixed(sources.highHalf, targets.highHalf, amounts.highHalf)),
      to: SIMD8<UInt32>.self)
  }

  @inline(__always)
  private static func mixed(
    _ drawn: SIMD16<UInt8>, _ below: SIMD16<UInt8>, _ share: SIMD16<UInt8>
  ) -> SIMD16<UInt8> {
    let amount = SIMD16<UInt16>(truncatingIfNeeded: share)
    let one = rounded(SIMD16<UInt16>(truncatingIfNeeded: drawn) &* amount)
    let other = rounded(SIMD16<UInt16>(truncatingIfNeeded: below) &* (255 &- amount))
    return SIMD16<UInt8>(truncatingIfNeeded: pointwiseMin(one &+ other, SIMD16(repeating: 255)))
  }

  /// The product of two numbers in 255ths, in 255ths.
  @inline(__always)
  private static func rounded(_ product: SIMD16<UInt16>) -> SIMD16<UInt16> {
    let sum = product &+ 128
    return (sum &+ sum &>> 8) &>> 8
  }
}
