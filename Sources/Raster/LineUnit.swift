/// A unit that the line coding repeats or copies, as stored in a line before coding.
protocol LineUnit: FixedWidthInteger & UnsignedInteger {
  /// Number of its bytes that are written; the others are 0 and most significant.
  static var codedBytes: Int { get }
  /// Length of the shortest run worth ending a literal for.
  static var shortestRun: Int { get }
  /// A bit for each of the 64 units at `line`, lowest first, set where the next unit is equal.
  static func repeats(at line: UnsafeRawPointer) -> UInt64
}

/// Gray, or eight one-bit pixels.
///
/// In a literal, two equal bytes cost as much as a run of two, which would need another literal after it.
extension UInt8: LineUnit {
  static let codedBytes = 1
  static let shortestRun = 3

  @inline(__always)
  static func repeats(at line: UnsafeRawPointer) -> UInt64 {
    bits(sixteen(line), sixteen(line + 16), sixteen(line + 32), sixteen(line + 48))
  }

  @inline(__always)
  private static func sixteen(_ line: UnsafeRawPointer) -> SIMD16<UInt8> {
    let here = line.loadUnaligned(as: SIMD16<UInt8>.self)
    let next = line.loadUnaligned(fromByteOffset: 1, as: SIMD16<UInt8>.self)
    return unsafeBitCast(here .== next, to: SIMD16<UInt8>.self)
  }
}

/// Red, green and blue.
extension UInt32: LineUnit {
  static let codedBytes = 3
  static let shortestRun = 2

  @inline(__always)
  static func repeats(at line: UnsafeRawPointer) -> UInt64 {
    bits(sixteen(line), sixteen(line + 64), sixteen(line + 128), sixteen(line + 192))
  }

  @inline(__always)
  private static func sixteen(_ line: UnsafeRawPointer) -> SIMD16<UInt8> {
    let here = line.loadUnaligned(as: SIMD16<UInt32>.self)
    let next = line.loadUnaligned(fromByteOffset: 4, as: SIMD16<UInt32>.self)
    let equal = unsafeBitCast(here .== next, to: SIMD16<Int32>.self)
    return SIMD16(truncatingIfNeeded: equal)
  }
}

/// Cyan, magenta, yellow and black. It need not be fast: few printers support nothing else.
extension UInt64: LineUnit {
  static let codedBytes = 4
  static let shortestRun = 2

  static func repeats(at line: UnsafeRawPointer) -> UInt64 {
    var bits: UInt64 = 0
    for index in 0..<64 {
      let here = line.loadUnaligned(fromByteOffset: 8 &* index, as: UInt64.self)
      let next = line.loadUnaligned(fromByteOffset: 8 &* index &+ 8, as: UInt64.self)
      if here == next { bits |= 1 &<< UInt64(index) }
    }
    return bits
  }
}

/// The highest bit of each of 64 bytes, in order.
///
/// Baseline x86-64 has an instruction for this that Swift does not expose.
@inline(__always)
private func bits(
  _ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>, _ c: SIMD16<UInt8>, _ d: SIMD16<UInt8>
) -> UInt64 {
  let all = unsafeBitCast(a & b & c & d, to: SIMD2<UInt64>.self)
  // The most frequent case: a long run.
  if all[0] & all[1] == .max { return .max }
  return bits(a) | bits(b) &<< 16 | bits(c) &<< 32 | bits(d) &<< 48
}

@inline(__always)
private func bits(_ bytes: SIMD16<UInt8>) -> UInt64 {
  let words = unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
  return bits(words[0]) | bits(words[1]) &<< 8
}

/// The multiplication moves the highest bit of byte k to bit 56 + k; none of its products collide.
@inline(__always)
private func bits(_ word: UInt64) -> UInt64 {
  let highest = word & 0x8080_8080_8080_8080
  return (highest &* 0x0002_0408_1020_4081) &>> 56
}
