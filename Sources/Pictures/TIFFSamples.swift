internal import CTIFF

/// The numbers in a row of a TIFF file, of 1 to 16 bits each, one after the other (TIFF 6.0, Section 7).
struct TIFFSamples {
  /// Bits of each.
  let depth: Int
  let perPixel: Int
  let photometric: Int32
  /// True if the lowest number is negative, which is black as 0 is (SMinSampleValue).
  let isSigned: Bool

  var areInks: Bool { photometric == PHOTOMETRIC_SEPARATED }

  var source: ColorProfile.Source { areInks ? .cmyk : perPixel < 3 ? .gray : .rgb }

  /// Bytes of a row.
  func length(_ width: Int) -> Int { (width * perPixel * depth + 7) / 8 }

  /// Reads a row of `length` bytes as pixels: four inks, cyan lowest, or XRGB.
  func read(_ line: UnsafeRawBufferPointer, to row: UnsafeMutablePointer<UInt32>, width: Int) {
    for column in 0..<width {
      let first = column * perPixel
      if areInks {
        row[column] = (0..<4).reduce(0) { $0 | sample(first + $1, line) << (8 * UInt32($1)) }
      } else if perPixel < 3 {
        let gray = sample(first, line)
        row[column] = 0x01_0101 * (photometric == PHOTOMETRIC_MINISWHITE ? 255 - gray : gray)
      } else {
        row[column] = (0..<3).reduce(0) { $0 << 8 | sample(first + $1, line) }
      }
    }
  }

  /// A sample as a byte.
  ///
  /// libtiff swaps the bytes of 16 bits for this machine, and leaves others in the file's order, the highest bit first.
  private func sample(_ index: Int, _ line: UnsafeRawBufferPointer) -> UInt32 {
    let sign: UInt32 = isSigned ? 1 << UInt32(depth - 1) : 0
    if depth == 16 {
      return (UInt32(line.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)) ^ sign) >> 8
    }
    let start = index * depth
    var number: UInt32 = 0
    for place in start / 8...(start + depth - 1) / 8 { number = number << 8 | UInt32(line[place]) }
    let most = UInt32(1) << UInt32(depth) - 1
    number = number >> UInt32(7 - (start + depth - 1) % 8) & most ^ sign
    return depth > 8 ? number >> UInt32(depth - 8) : number * 255 / most
  }
}
