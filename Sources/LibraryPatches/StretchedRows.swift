internal import Glibc

/// Rows of a picture, each stretched by mixing two of its pixels at every place: numbers in 128ths of 255ths.
///
/// The last two rows are kept, because those above and below a row of the page are used again.
final class StretchedRows {
  /// A row, whose numbers are valid until a third row is requested.
  final class Row {
    fileprivate(set) var index = Int.min
    /// True if nothing is drawn through this row of a mask.
    fileprivate(set) var isEmpty = false
    /// All pixels are gray: there is one number for each.
    fileprivate(set) var isGray = false
    fileprivate var hasColors = false
    let gray: UnsafeMutablePointer<Int16>
    /// Four numbers for each pixel: blue, green, red, and 255.
    fileprivate let colors: UnsafeMutablePointer<Int16>

    fileprivate init(_ gray: UnsafeMutablePointer<Int16>, _ colors: UnsafeMutablePointer<Int16>) {
      (self.gray, self.colors) = (gray, colors)
    }
  }

  private let picture: PictureScaling.Pixels
  /// The number of a row's pixels on the page.
  let count: Int
  /// All of the memory below.
  private let memory: UnsafeMutableRawPointer
  /// For each pixel the first of the two mixed columns of the picture, counted from the first one needed; and the
  /// second one's share in 128ths, with 128 minus this share above 32 bits.
  private let firsts: UnsafeMutablePointer<Int32>
  private let shares: UnsafeMutablePointer<UInt64>
  private let columns: Range<Int>
  private var rows: (Row, Row)
  /// A row's pixels: the lowest byte of each, and the next pixel's above 32 bits; or four bytes in 16 bits each.
  private let bytes: UnsafeMutablePointer<UInt8>
  private let words: UnsafeMutablePointer<UInt64>
  /// Scratch space for eight factors (see `PictureScaling.mix`).
  let factors: UnsafeMutablePointer<Int16>

  init(_ picture: PictureScaling.Pixels, _ across: PictureScaling.Steps, count: Int) {
    self.picture = picture
    self.count = count
    columns = across.range(count)
    // Eight numbers are read at once.
    let (room, kept) = (count + 8, columns.count + 1)
    let size = 12 * count + 9 * kept + 20 * room + 16
    memory = .allocate(byteCount: size, alignment: 16)
    memset(memory, 0, size)
    var next = memory
    func take<Number>(_ count: Int) -> UnsafeMutablePointer<Number> {
      defer { next += count * MemoryLayout<Number>.size }
      return next.assumingMemoryBound(to: Number.self)
    }
    (shares, words, firsts, factors) = (take(count), take(kept), take(count), take(8))
    rows = (Row(take(room), take(4 * room)), Row(take(room), take(4 * room)))
    bytes = take(kept)
    for x in 0..<count {
      let pair = across.pair(x)
      firsts[x] = Int32(truncatingIfNeeded: pair.one - columns.lowerBound)
      // At the edges, both columns are the same.
      let share = pair.one == pair.other ? 0 : UInt64(pair.share)
      shares[x] = (128 - share) << 32 | share
    }
  }

  deinit { memory.deallocate() }

  /// The two rows of a pair, and the share of the second one.
  func rows(_ pair: (one: Int, other: Int, share: Int)) -> (one: Row, other: Row, share: Int) {
    let one = row(pair.one)
    return (one, pair.share == 0 ? one : row(pair.other), pair.share)
  }

  /// The row of the picture, with `isGray` and, if that is true, `gray`.
  private func row(_ index: Int) -> Row {
    if rows.1.index == index { return rows.1 }
    if rows.0.index != index { stretch(index, to: rows.0) }
    // The row requested before is replaced next.
    rows = (rows.1, rows.0)
    return rows.1
  }

  /// Four numbers for each pixel of a row, gray or not.
  func colors(of row: Row) -> UnsafePointer<Int16> {
    if !row.hasColors { stretchColors(row) }
    return UnsafePointer(row.colors)
  }

  private func source(_ row: Int) -> UnsafePointer<UInt32> {
    UnsafeRawPointer(picture.row(row)).assumingMemoryBound(to: UInt32.self) + columns.lowerBound
  }

  private func stretch(_ index: Int, to row: Row) {
    row.index = index
    row.hasColors = false
    row.isGray = picture.kind != .colors || takeGray(index)
    row.isEmpty = picture.kind != .colors && !takeShares(index)
    guard row.isGray else { return }
    // Mostly paper.
    if row.isEmpty || memcmp(bytes, bytes + 1, columns.count - 1) == 0 {
      let all = row.isEmpty ? 0 : Int16(bytes[0]) &<< 7
      return row.gray.update(repeating: all, count: count)
    }
    for x in 0..<columns.count {
      words[x] = UInt64(bytes[x]) | UInt64(bytes[x &+ 1]) &<< 32
    }
    for x in 0..<count {
      // These bits are the sum of both products: the first column and the next one, each with its share.
      let mixed = (words[Int(firsts[x])] &* shares[x]) &>> 32
      row.gray[x] = Int16(truncatingIfNeeded: mixed)
    }
  }

  /// Reads a row as gray; false if it has colors.
  private func takeGray(_ index: Int) -> Bool {
    let source = source(index)
    var differences: UInt32 = 0
    for x in 0..<columns.count {
      let pixel = source[x]
      differences |= pixel ^ pixel &>> 8
      bytes[x] = UInt8(truncatingIfNeeded: pixel)
    }
    return differences & 0xFFFF == 0
  }

  /// Reads a row of a mask; false if nothing is drawn through it.
  private func takeShares(_ index: Int) -> Bool {
    guard (0..<picture.height).contains(index) else { return false }
    let drawn = columns.clamped(to: 0..<picture.width)
    guard !drawn.isEmpty else { return false }
    // Nothing is drawn beyond the edges.
    bytes.update(repeating: 0, count: drawn.lowerBound - columns.lowerBound)
    let end = bytes + (drawn.upperBound - columns.lowerBound)
    end.update(repeating: 0, count: columns.upperBound - drawn.upperBound)
    let row = UnsafeRawPointer(picture.row(index))
    let target = bytes + (drawn.lowerBound - columns.lowerBound)
    if picture.kind == .byteMask {
      memcpy(target, row + drawn.lowerBound, drawn.count)
    } else {
      for x in 0..<drawn.count {
        let place = drawn.lowerBound &+ x
        let bits = row.load(fromByteOffset: place &>> 3, as: UInt8.self)
        target[x] = 0 &- (bits &>> UInt8(truncatingIfNeeded: place & 7) & 1)
      }
    }
    return target[0] != 0 || memcmp(target, target + 1, drawn.count - 1) != 0
  }

  private func stretchColors(_ row: Row) {
    row.hasColors = true
    let source = source(row.index)
    for x in 0..<columns.count {
      let pixel = UInt64(source[x])
      words[x] = pixel & 0xFF | (pixel & 0xFF00) &<< 8 | (pixel & 0xFF_0000) &<< 16
    }
    let target = UnsafeMutableRawPointer(row.colors)
    for x in 0..<count {
      let first = Int(firsts[x])
      let (one, other) = (shares[x] &>> 32, shares[x] & 0xFF)
      // Each channel stays within its 16 bits.
      let mixed = words[first] &* one &+ words[first &+ 1] &* other &+ (255 &<< 7) &<< 48
      target.storeBytes(of: mixed, toByteOffset: 8 &* x, as: UInt64.self)
    }
  }
}
