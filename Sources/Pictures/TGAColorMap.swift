internal import DocumentBytes

/// The color map of a TGA file, made readable for gdk-pixbuf, which ignores its first index, and takes two bytes a color
/// for other colors (2.42).
enum TGAColorMap {
  private static let headLength = 18
  /// An index has one byte.
  private static let mostColors = 256

  /// The same file with three bytes a color, counted from 0.
  ///
  /// nil if the file has no color map, or gdk-pixbuf reads it as it is.
  static func expanded(_ file: UnsafeRawBufferPointer) -> [UInt8]? {
    func number(_ place: Int) -> Int { file.number(at: place, bytes: 2, isLittle: true) }
    guard file.count >= headLength, file[1] == 1, [1, 9].contains(file[2]), file[16] == 8 else {
      return nil
    }
    let (first, count, bits) = (number(3), number(5), Int(file[7]))
    let size = (bits + 7) / 8
    let start = headLength + Int(file[0])
    guard [15, 16, 24, 32].contains(bits), bits < 24 || first > 0,
      start + count * size <= file.count
    else { return nil }
    let colors = min(mostColors, first + count)
    var made = Array(file[..<start])
    made.replaceSubrange(3..<8, with: [0, 0, UInt8(colors & 0xFF), UInt8(colors >> 8), 24])
    for index in 0..<colors {
      let place = start + (index - first) * size
      // Five bits each of red, green and blue, from the highest but one.
      let word = index >= first && size == 2 ? number(place) : 0
      for part in 0..<3 {
        let five = word >> (5 * part) & 0x1F
        made.append(
          index < first ? 0 : size == 2 ? UInt8(five << 3 | five >> 2) : file[place + part])
      }
    }
    return made + file[(start + count * size)...]
  }
}
