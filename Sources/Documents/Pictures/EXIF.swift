internal import Glibc

/// EXIF's block of tags, which is a TIFF file without pixels (EXIF 2.3 §4.5).
enum EXIF {
  /// The orientation tag (0x0112) of the first directory, 1 to 8; nil where there is none (§4.6.4).
  static func orientation(_ block: UnsafeRawBufferPointer) -> Int? {
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
      if block.number(at: start, isLittle: isLittle) == 0x0112 {
        let value = block.number(at: start + 8, isLittle: isLittle)
        return (1...8).contains(value) ? value : nil
      }
    }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  func dropping(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: dropFirst(count))
  }

  func piece(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }

  func number(at offset: Int, bytes count: Int = 2, isLittle: Bool = false) -> Int {
    let digits = self[offset..<offset + count]
    return isLittle
      ? digits.reversed().reduce(0) { $0 << 8 | Int($1) } : digits.reduce(0) { $0 << 8 | Int($1) }
  }

  func hasPrefix(_ text: String, at offset: Int = 0) -> Bool {
    count >= offset + text.utf8.count && dropFirst(offset).starts(with: text.utf8)
  }

  /// Whether ASCII `text` stands anywhere in it.
  func contains(_ text: String) -> Bool {
    guard let base = baseAddress, let first = text.utf8.first else { return false }
    let length = text.utf8.count
    var place = 0
    while place + length <= count,
      let found = memchr(base + place, Int32(first), count - length + 1 - place)
    {
      if memcmp(found, text, length) == 0 { return true }
      place = UnsafeRawPointer(found) - base + 1
    }
    return false
  }
}
