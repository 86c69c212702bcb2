// The line coding of URF and PWG Raster (PWG 5102.4 §4.4) is PackBits with the opposite sign: a code of 0 to 127
// repeats the following unit 1 to 128 times; 129 to 255 is followed by 128 to 2 literal units. A unit is a pixel, or a
// byte of smaller pixels.
//
// Code 128, "the rest of the line is white", is Apple's: it is not in the standard, and libcups reads but never writes
// it. Neither do we: it would save 77 bytes for each blank stretch.

/// Packs one line.
///
/// Processes 64 units at a time, as a word with a bit for each unit that equals the next. A page of text is many short
/// runs: going from bit to bit mispredicts one branch for each word, going from unit to unit two for each run.
struct LineCoder<Unit: LineUnit> {
  private let line: UnsafeMutablePointer<Unit>
  private let count: Int
  private var out: UnsafeMutablePointer<UInt8>
  /// The first unit that is not written yet.
  private var written = 0
  /// Index of the first unit of the current run of equal units.
  private var run = 0

  /// Writes the codes of the line of `count` units to `out`, and returns the end of its output.
  ///
  /// `line` must be followed by `LineBuffer.padding`, and `out` have room for `room(count:)` bytes; the unit after the
  /// line is overwritten.
  static func encode(
    _ line: UnsafeMutableRawPointer, count: Int, to out: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var coder = LineCoder(line: line.assumingMemoryBound(to: Unit.self), count: count, out: out)
    coder.encode()
    return coder.out
  }

  /// An upper bound of the bytes that a line of `count` units takes: a code for each unit, and the overhang of a block
  /// that is stored whole.
  static func room(count: Int) -> Int { (Unit.codedBytes + 1) * count + 64 }

  private mutating func encode() {
    // A different unit after the line ends its last run.
    line[count] = ~line[count &- 1]
    let shift = UInt64(Unit.shortestRun &- 1)
    // The word's highest bits, where a run may start that only the next word shows to be long.
    let edge = ~(UInt64.max &>> shift)
    var equalBefore: UInt64 = 0
    var longBefore: UInt64 = 0
    var base = 0
    while base < count {
      // `equal` is set where a unit equals the next one; `long`, where that makes a run long enough.
      var equal = Unit.repeats(at: UnsafeRawPointer(line + base))
      let left = count &- base
      if left < 64 { equal |= UInt64.max &<< UInt64(left) }
      let long = Unit.shortestRun == 3 ? equal & (equal &<< 1 | equalBefore) : equal
      if long | longBefore == 0 {
        // The whole word is part of a literal, except perhaps its last units.
        run = base &+ 64 &- (~equal).leadingZeroBitCount
      } else {
        let changes = ~equal
        var ends = changes & (long &<< 1 | longBefore)
        // Two equal units right after a run: cheaper as a run than as the start of a literal.
        ends |= changes & equal &<< 1 & ends &<< 2
        var edges = ends | changes & (long &>> shift | edge)
        while edges != 0 {
          let place = edges.trailingZeroBitCount
          let end = base &+ place &+ 1
          if ends &>> UInt64(place) & 1 != 0 { writeRun(to: end) }
          run = end
          edges &= edges &- 1
        }
      }
      equalBefore = equal &>> 63
      longBefore = long &>> 63
      base &+= 64
    }
    writeLiterals(to: count)
  }

  /// Writes the equal units from `run` to `end`, and before them any pending literal.
  @inline(__always)
  private mutating func writeRun(to end: Int) {
    if written < run { writeLiterals(to: run) }
    written = end
    let unit = line[run]
    var length = end &- run
    while length > 128 {
      out[0] = 127
      out = write(unit, to: out + 1)
      length &-= 128
    }
    out[0] = UInt8(truncatingIfNeeded: length &- 1)
    out = write(unit, to: out + 1)
  }

  /// Writes the units from `written` to `end` as literals, in as many codes as they need.
  @inline(__always)
  private mutating func writeLiterals(to end: Int) {
    while written < end {
      let length = min(end &- written, 128)
      // A single unit is a run of one: its literal code, 257 - 1, does not fit a byte, and truncated to 0 it means the
      // same.
      out[0] = UInt8(truncatingIfNeeded: 257 &- length)
      out += 1
      let source = line + written
      if Unit.self == UInt8.self {
        var offset = 0
        while offset < length {
          let block = UnsafeRawPointer(source).loadUnaligned(
            fromByteOffset: offset, as: SIMD16<UInt8>.self)
          UnsafeMutableRawPointer(out).storeBytes(
            of: block, toByteOffset: offset, as: SIMD16<UInt8>.self)
          offset &+= 16
        }
        out += length
      } else {
        for index in 0..<length { out = write(source[index], to: out) }
      }
      written &+= length
    }
  }

  /// Stores a unit; its bytes that are not coded are overwritten by the next one.
  @inline(__always)
  private func write(
    _ unit: Unit, to out: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(out).storeBytes(of: unit, as: Unit.self)
    return out + Unit.codedBytes
  }
}
