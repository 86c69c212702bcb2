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
    var goesOn = true
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

  let picture: Pixels
  var across: Steps
  var down: Steps

  // MARK: Opaque pictures

  /// Fills `target`.
  func draw(on target: Pixels) {
    let stretched = StretchedRows(picture, across, count: target.width)
    for y in 0..<target.height {
      if y > 0, down.pair(y) == down.pair(y - 1) {
        target.row(y).copyMemory(from: target.row(y - 1), byteCount: 4 * target.width)
      } else {
        mix(y, stretched, to: target.row(y), count: target.width)
      }
    }
  }

  // MARK: Pictures with a mask

  /// Draws the picture on `target` through `mask`.
  func draw(on target: Pixels, through mask: PictureScaling) {
    let stretched = StretchedRows(picture, across, count: target.width)
    mask.forEachRow(of: target) { y, shares, line in
      mix(y, stretched, to: line, count: target.width)
      MaskedRow.draw(line, shares, on: target.row(y), count: target.width)
    }
  }

  /// Draws a color on `target` through this mask.
  func draw(_ color: UInt32, on target: Pixels) {
    var isFilled = false
    forEachRow(of: target) { y, shares, line in
      if !isFilled { line.update(repeating: color, count: target.width + 8) }
      isFilled = true
      MaskedRow.draw(line, shares, on: target.row(y), count: target.width)
    }
  }

  /// Calls `body` with each row on which a mask has anything, as shares of 255, and with a buffer for a row's colors
  /// and eight more.
  private func forEachRow(
    of target: Pixels,
    _ body: (Int, UnsafePointer<Int16>, UnsafeMutablePointer<UInt32>) -> Void
  ) {
    let count = target.width
    let stretched = StretchedRows(picture, across, count: count)
    // Eight pixels are written at once.
    var line = [UInt32](repeating: 0, count: count + 8)
    var shares = [Int16](repeating: 0, count: count + 8)
    for y in 0..<target.height {
      let (top, bottom, share) = down.pair(y)
      let one = stretched.row(top)
      let other = share == 0 ? one : stretched.row(bottom)
      if one.isEmpty && other.isEmpty { continue }
      let rows = Mixture(one.gray, other.gray, share, factors: stretched.factors)
      PictureScaling.mixShares(rows, to: &shares, count: count)
      body(y, shares, &line)
    }
  }

  // MARK: Between pixels

  private func mix(
    _ y: Int, _ stretched: StretchedRows, to line: UnsafeMutableRawPointer, count: Int
  ) {
    let (top, bottom, share) = down.pair(y)
    let one = stretched.row(top)
    let other = share == 0 ? one : stretched.row(bottom)
    if one.isGray, other.isGray {
      let rows = Mixture(one.gray, other.gray, share, factors: stretched.factors)
      PictureScaling.mixGray(rows, to: line, count: count)
    } else {
      let rows = Mixture(
        stretched.colors(of: one), stretched.colors(of: other), share,
        factors: stretched.factors)
      PictureScaling.mixColors(rows, to: line, count: count)
    }
  }

  private static func mixShares(
    _ rows: Mixture, to shares: UnsafeMutablePointer<Int16>, count: Int
  ) {
    let target = UnsafeMutableRawPointer(shares)
    @inline(__always)
    func mix(isEven: Bool) {
      for place in stride(from: 0, to: 2 * count, by: 16) {
        target.storeBytes(
          of: rows.eight(place, isEven: isEven), toByteOffset: place, as: SIMD8<Int16>.self)
      }
    }
    rows.isEven ? mix(isEven: true) : mix(isEven: false)
  }

  /// Two rows to be mixed, with `share` 128ths of the second one.
  ///
  /// The rows contain numbers in 128ths. For two numbers that differ by `d`, `(128 a + d s) >> 14` is `(a + (d s >> 7))
  /// >> 7`, and `d s >> 7` is the upper half of a 16-bit product as long as `s` is below 64: one of the two rows has
  /// such a share.
  private struct Mixture {
    private let near: UnsafeRawPointer
    private let far: UnsafeRawPointer
    /// Eight copies of the factor, read from memory for each eight numbers: if it were in a register, the compiler
    /// would widen it to 32 bits and multiply these, which baseline x86-64 can't.
    private let factors: UnsafeRawPointer
    /// True for equal shares, for which the factor would need 17 bits.
    let isEven: Bool

    /// - `factors`: room for eight numbers.
    init(
      _ one: UnsafePointer<Int16>, _ other: UnsafePointer<Int16>, _ share: Int,
      factors: UnsafeMutablePointer<Int16>
    ) {
      isEven = share == 64
      let isFirst = share <= 64
      near = UnsafeRawPointer(isFirst ? one : other)
      far = UnsafeRawPointer(isFirst ? other : one)
      let less = isFirst ? share : 128 - share
      factors.update(repeating: isEven ? 0 : Int16(truncatingIfNeeded: less << 9), count: 8)
      self.factors = UnsafeRawPointer(factors)
    }

    /// Eight numbers, starting at byte `place`.
    @inline(__always)
    func eight(_ place: Int, isEven: Bool) -> SIMD8<Int16> {
      let one = near.loadUnaligned(fromByteOffset: place, as: SIMD8<Int16>.self)
      let difference = far.loadUnaligned(fromByteOffset: place, as: SIMD8<Int16>.self) &- one
      if isEven { return (one &+ difference &>> 1) &>> 7 }
      let factor = factors.loadUnaligned(as: SIMD8<Int16>.self)
      let product =
        SIMD8<Int32>(truncatingIfNeeded: difference) &* SIMD8<Int32>(truncatingIfNeeded: factor)
      return (one &+ SIMD8<Int16>(truncatingIfNeeded: product &>> 16)) &>> 7
    }
  }

  private static func mixGray(_ rows: Mixture, to line: UnsafeMutableRawPointer, count: Int) {
    @inline(__always)
    func mix(isEven: Bool) {
      for x in stride(from: 0, to: count, by: 8) {
        let gray = rows.eight(2 &* x, isEven: isEven)
        let pair = unsafeBitCast(gray | gray &<< 8, to: SIMD8<UInt16>.self)
        var words = SIMD16<UInt16>()
        words.evenHalf = pair
        words.oddHalf = pair | 0xFF00
        store(unsafeBitCast(words, to: SIMD8<UInt32>.self), at: x, of: count, in: line)
      }
    }
    rows.isEven ? mix(isEven: true) : mix(isEven: false)
  }

  private static func mixColors(_ rows: Mixture, to line: UnsafeMutableRawPointer, count: Int) {
    @inline(__always)
    func four(_ place: Int, isEven: Bool) -> SIMD4<UInt32> {
      let numbers = SIMD16(
        lowHalf: rows.eight(place, isEven: isEven),
        highHalf: rows.eight(place &+ 16, isEven: isEven))
      return unsafeBitCast(SIMD16<UInt8>(truncatingIfNeeded: numbers), to: SIMD4<UInt32>.self)
    }
    @inline(__always)
    func mix(isEven: Bool) {
      for x in stride(from: 0, to: count, by: 8) {
        let words = SIMD8(
          lowHalf: four(8 &* x, isEven: isEven), highHalf: four(8 &* x &+ 32, isEven: isEven))
        store(words | 0xFF00_0000, at: x, of: count, in: line)
      }
    }
    rows.isEven ? mix(isEven: true) : mix(isEven: false)
  }

  @inline(__always)
  private static func store(
    _ pixels: SIMD8<UInt32>, at x: Int, of count: Int, in line: UnsafeMutableRawPointer
  ) {
    if x &+ 8 <= count {
      line.storeBytes(of: pixels, toByteOffset: 4 &* x, as: SIMD8<UInt32>.self)
    } else {
      for index in x..<count {
        line.storeBytes(of: pixels[index - x], toByteOffset: 4 &* index, as: UInt32.self)
      }
    }
  }
}
