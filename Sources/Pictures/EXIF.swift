internal import DocumentBytes
internal import PrintModel

/// EXIF's block of tags, a TIFF file without pixels (EXIF 2.3 §4.5).
enum EXIF {
  /// Dots per inch; nil if the resolution is missing or invalid.
  static func resolution(_ block: UnsafeRawBufferPointer) -> Resolution? {
    func ratio(_ tag: Int) -> Double? {
      guard let (value, isLittle) = entry(tag, in: block) else { return nil }
      let place = block.number(at: value, bytes: 4, isLittle: isLittle)
      guard place + 8 <= block.count else { return nil }
      let below = block.number(at: place + 4, bytes: 4, isLittle: isLittle)
      return below == 0
        ? nil : Double(block.number(at: place, bytes: 4, isLittle: isLittle)) / Double(below)
    }
    guard let x = ratio(0x011A), let y = ratio(0x011B) else { return nil }
    // 2 is inches, the default; 3 is centimeters.
    let unit = entry(0x0128, in: block).map { block.number(at: $0.value, isLittle: $0.isLittle) }
    let inch = unit == 3 ? 2.54 : 1
    return PictureFacts.resolution(x * inch, y * inch)
  }

  /// The orientation tag (0x0112) of the first directory, 1 to 8; nil if it is missing (§4.6.4).
  static func orientation(_ block: UnsafeRawBufferPointer) -> Int? {
    entry(0x0112, in: block).flatMap { place, isLittle in
      let value = block.number(at: place, isLittle: isLittle)
      return (1...8).contains(value) ? value : nil
    }
  }

  /// Offset of the four bytes of a tag in the first directory: its value, or the value's offset.
  private static func entry(
    _ tag: Int, in block: UnsafeRawBufferPointer
  ) -> (value: Int, isLittle: Bool)? {
    guard block.count >= 8, block[0] == block[1], [0x49, 0x4D].contains(block[0]) else {
      return nil
    }
    let isLittle = block[0] == 0x49
    let directory = block.number(at: 4, bytes: 4, isLittle: isLittle)
    guard directory >= 8, directory + 2 <= block.count else { return nil }
    let entries = block.number(at: directory, isLittle: isLittle)
    for entry in 0..<min(entries, 512) {
      let start = directory + 2 + 12 * entry
      guard start + 12 <= block.count else { return nil }
      if block.number(at: start, isLittle: isLittle) == tag { return (start + 8, isLittle) }
    }
    return nil
  }
}
