/// Enlarges or copies rows of a picture along the pixels' rows and columns, with the same result as pixman, but faster.
///
/// pixman mixes the surrounding four pixels again for every pixel: for a scan of 200 dpi, this is 40 % of the time of a
/// page at 600 dpi. Here, a row of the picture is stretched once for all rows that it is part of, and rows of gray are
/// mixed as one channel instead of four.
struct PictureScaling {
  /// Pixels, with `stride` bytes from row to row; colors have 32 bits, `0x??RRGGBB` in the machine's byte order.
  struct Pixels {
    /// Masks specify how much is drawn, with a byte for each pixel, or a bit, lowest first.
    enum Kind { case colors, byteMask, bitMask }

    var base: UnsafeMutableRawPointer
    var width: Int
    var height: Int
    var stride: Int
    var kind = Kind.colors
    /// Keeps `base`, if they were made here.
    var memory: PixelMemory?

    func row(_ index: Int) -> UnsafeMutableRawPointer { base + index * stride }

    /// The same picture with columns and rows exchanged, of which only these are valid, as far as there are any; nil for
    /// bits, and for more pixels than are worth the memory: a band that enlarges a picture needs fewer than it has itself.
    func turned(columns: Range<Int>, rows: Range<Int>) -> Pixels? {
      let (columns, rows) = (columns.clamped(to: 0..<height), rows.clamped(to: 0..<width))
      guard columns.count * rows.count <= Pixels.mostTurned else { return nil }
      return switch kind {
      case .colors: turned(columns, rows, UInt32.self)
      case .byteMask: turned(columns, rows, UInt8.self)
      case .bitMask: nil
      }
    }

    private static let mostTurned = 4 << 20

    private func turned<Pixel>(
      _ columns: Range<Int>, _ rows: Range<Int>, _: Pixel.Type
    ) -> Pixels {
      let size = MemoryLayout<Pixel>.size
      let memory = PixelMemory(byteCount: size * columns.count * rows.count)
      var turned = self
      turned.memory = memory
      (turned.width, turned.height, turned.stride) = (height, width, size * columns.count)
      turned.base = memory.base - rows.lowerBound * turned.stride - size * columns.lowerBound
      for column in columns {
        let line = row(column)
        for index in rows {
          let pixel = line.load(fromByteOffset: size * index, as: Pixel.self)
          turned.row(index).storeBytes(of: pixel, toByteOffset: size * column, as: Pixel.self)
        }
      }
      return turned
    }
  }

  /// Memory for pixels.
  final class PixelMemory {
    let base: UnsafeMutableRawPointer

    init(byteCount: Int) { base = .allocate(byteCount: byteCount, alignment: 16) }

    deinit { base.deallocate() }
  }

  /// A place between the picture's pixels and the step to the next place, in 65536ths (pixman's `pixman_fixed_t`).
  struct Steps {
    var first: Int
    /// Negative if the picture is mirrored on this axis.
    var step: Int
    /// Number of the picture's pixels on this axis.
    var length: Int
    /// True if the picture continues beyond its edges with its last pixel; otherwise, there is nothing.
    var goesOn: Bool
    /// True to use the nearest pixel for each place, instead of a mixture of the surrounding ones.
    var isNearest: Bool

    func place(_ index: Int) -> Int { first + index * step }

    /// True when no place needs a pixel beyond the picture's edge.
    func isInside(_ count: Int) -> Bool {
      first >= 0 && place(count - 1) >= 0 && max(first, place(count - 1)) >> 16 < length - 1
    }

    /// The pixels for the first `count` places.
    func range(_ count: Int) -> Range<Int> {
      let (start, end) = (pair(0), pair(count - 1))
      return min(start.one, end.one)..<max(start.other, end.other) + 1
    }

    /// Index of the pixel, or of the one at the edge; `-1` or `length` where there is nothing.
    private func bounded(_ index: Int) -> Int {
      goesOn ? min(max(0, index), length - 1) : min(max(-1, index), length)
    }

    /// The two pixels around a place, and the share of the second one in 128ths; or twice the nearest.
    func pair(_ index: Int) -> (one: Int, other: Int, share: Int) {
      let place = place(index)
      let one = bounded(place >> 16)
      return isNearest ? (one, one, 0) : (one, bounded(place >> 16 + 1), place >> 9 & 127)
    }
  }

  var picture: Pixels
  let across: Steps
  let down: Steps

  // MARK: Drawing

  /// Fills `target`, which is eight pixels wide at least.
  func draw(on target: Pixels) {
    let stretched = StretchedRows(picture, across, count: target.width)
    for y in 0..<target.height {
      if y > 0, down.pair(y) == down.pair(y - 1) {
        target.row(y).copyMemory(from: target.row(y - 1), byteCount: 4 * target.width)
      } else {
        mix(y, stretched, to: target.row(y))
      }
    }
  }

  /// Draws a picture, or if there is none a color, through this mask on `target`, which is eight pixels wide at least.
  func draw(_ picture: PictureScaling?, or color: UInt32, on target: Pixels) {
    let count = target.width
    let masks = StretchedRows(self.picture, across, count: count)
    let stretched = picture.map { StretchedRows($0.picture, $0.across, count: count) }
    var line = [UInt32](repeating: color, count: count)
    for y in 0..<target.height {
      let (one, other, share) = masks.rows(down.pair(y))
      if one.isEmpty && other.isEmpty { continue }
      if let picture, let stretched { picture.mix(y, stretched, to: &line) }
      let shares = Mixture(one.gray, other.gray, share, factors: masks.factors)
      PictureScaling.blend(line, shares, on: target.row(y), count: count)
    }
  }

  /// Calls `body` with the first of every `step` of `count` places, which are as many at least: the last of them may come
  /// twice.
  @inline(__always)
  private static func forEach(_ step: Int, of count: Int, _ body: (Int) -> Void) {
    for place in stride(from: 0, to: count, by: step) { body(min(place, count &- step)) }
  }

  private func mix(_ y: Int, _ stretched: StretchedRows, to line: UnsafeMutableRawPointer) {
    let (one, other, share) = stretched.rows(down.pair(y))
    if one.isGray, other.isGray {
      let rows = Mixture(one.gray, other.gray, share, factors: stretched.factors)
      PictureScaling.forEach(8, of: stretched.count) { x in
        let gray = rows.eight(x)
        var words = SIMD16<Int16>()
        words.evenHalf = gray | gray &<< 8
        words.oddHalf = gray | -0x100
        line.storeBytes(of: words, toByteOffset: 4 &* x, as: SIMD16<Int16>.self)
      }
    } else {
      let rows = Mixture(
        stretched.colors(of: one), stretched.colors(of: other), share,
        factors: stretched.factors)
      PictureScaling.forEach(16, of: 4 &* stretched.count) { place in
        let numbers = SIMD16(lowHalf: rows.eight(place), highHalf: rows.eight(place &+ 8))
        line.storeBytes(
          of: SIMD16(truncatingIfNeeded: numbers), toByteOffset: place, as: SIMD16<UInt8>.self)
      }
    }
  }

  /// Two rows to be mixed, with `share` 128ths of the second one.
  ///
  /// The rows contain numbers in 128ths. For two numbers that differ by `d`, `(128 a + d s) >> 14` is `(a + (d s >> 7))
  /// >> 7`, and `d s >> 7` is the upper half of a 16-bit product as long as `s` is at most 64, which one of the two rows
  /// has, if both factors have the opposite sign.
  private struct Mixture {
    private let near: UnsafeRawPointer
    private let far: UnsafeRawPointer
    /// Eight copies of the factor, read from memory for each eight numbers: if it were in a register, the compiler
    /// would widen it to 32 bits and multiply these, which baseline x86-64 can't.
    private let factors: UnsafeRawPointer

    /// - `factors`: room for eight numbers.
    init(
      _ one: UnsafePointer<Int16>, _ other: UnsafePointer<Int16>, _ share: Int,
      factors: UnsafeMutablePointer<Int16>
    ) {
      let isFirst = share <= 64
      near = UnsafeRawPointer(isFirst ? one : other)
      far = UnsafeRawPointer(isFirst ? other : one)
      factors.update(repeating: Int16((isFirst ? share : 128 - share) * -512), count: 8)
      self.factors = UnsafeRawPointer(factors)
    }

    /// Eight numbers, from a place on.
    @inline(__always)
    func eight(_ place: Int) -> SIMD8<Int16> {
      let near = near.loadUnaligned(fromByteOffset: 2 &* place, as: SIMD8<Int16>.self)
      let difference =
        near &- far.loadUnaligned(fromByteOffset: 2 &* place, as: SIMD8<Int16>.self)
      let factor = factors.loadUnaligned(as: SIMD8<Int16>.self)
      let product =
        SIMD8<Int32>(truncatingIfNeeded: difference) &* SIMD8<Int32>(truncatingIfNeeded: factor)
      return (near &+ SIMD8<Int16>(truncatingIfNeeded: product &>> 16)) &>> 7
    }
  }

  /// Draws colors over those on `line` as pixman does it: each to its share of 255.
  private static func blend(
    _ colors: UnsafeRawPointer, _ shares: Mixture, on line: UnsafeMutableRawPointer, count: Int
  ) {
    for x in stride(from: 0, to: count, by: 8) {
      let place = min(x, count &- 8)
      var share = SIMD8<UInt16>(truncatingIfNeeded: shares.eight(place))
      // These are drawn already.
      for index in 0..<x &- place { share[index] = 0 }
      let words = unsafeBitCast(share, to: SIMD2<UInt64>.self)
      // Most are drawn completely, or not at all.
      if words[0] | words[1] == 0 { continue }
      let isWhole = words[0] & words[1] == 0x00FF_00FF_00FF_00FF
      // Four pixels at a time.
      for (place, share) in [(4 &* place, share.lowHalf), (4 &* place &+ 16, share.highHalf)] {
        var drawn = colors.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
        if !isWhole {
          let below = line.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
          drawn = mixed(drawn, below, share)
        }
        line.storeBytes(of: drawn, toByteOffset: place, as: SIMD16<UInt8>.self)
      }
    }
  }

  @inline(__always)
  private static func mixed(
    _ drawn: SIMD16<UInt8>, _ below: SIMD16<UInt8>, _ share: SIMD4<UInt16>
  ) -> SIMD16<UInt8> {
    // The share, repeated for each of a pixel's four bytes.
    let shares = SIMD4<UInt32>(truncatingIfNeeded: share) &* 0x0101_0101
    let amount = SIMD16<UInt16>(truncatingIfNeeded: unsafeBitCast(shares, to: SIMD16<UInt8>.self))
    let one = rounded(SIMD16<UInt16>(truncatingIfNeeded: drawn) &* amount)
    let other = rounded(SIMD16<UInt16>(truncatingIfNeeded: below) &* (255 &- amount))
    return SIMD16(truncatingIfNeeded: pointwiseMin(one &+ other, SIMD16(repeating: 255)))
  }

  /// The product of two numbers in 255ths, in 255ths.
  @inline(__always)
  private static func rounded(_ product: SIMD16<UInt16>) -> SIMD16<UInt16> {
    let sum = product &+ 128
    return (sum &+ sum &>> 8) &>> 8
  }
}
