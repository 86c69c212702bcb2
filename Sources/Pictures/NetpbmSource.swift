internal import DocumentBytes
internal import Drawing
internal import PrintModel

/// A netpbm picture: PBM, PGM or PPM, as text or as bytes (pbm(5), pgm(5), ppm(5)).
final class NetpbmSource: PictureSource {
  private(set) var width = 0
  private(set) var height = 0
  let complaint: String? = "it ends too early"

  private let bytes: UnsafeRawBufferPointer
  private var place = 2
  /// 1 to 3 are text, 4 to 6 bytes: each bits, gray, colors.
  private let kind: Int
  /// The maximum sample value, which is white.
  private var most = 1

  private var isText: Bool { kind <= 3 }
  private var isBits: Bool { kind % 3 == 1 }

  /// `bytes` outlives the source.
  init(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    self.bytes = bytes
    guard bytes.count > 2, bytes[0] == 0x50, (0x31...0x36).contains(bytes[1]) else {
      throw DamagedPicture.failure("it is not a netpbm file")
    }
    kind = Int(bytes[1]) - 0x30
    guard let width = number(), let height = number(), let most = isBits ? 1 : number() else {
      throw DamagedPicture.failure("it ends too early")
    }
    guard (1...65_535).contains(most) else {
      throw DamagedPicture.failure("its values go up to \(most)")
    }
    (self.width, self.height, self.most) = (width, height, most)
    try PictureLimits.check(width, height)
    // A single whitespace character ends the header.
    if !isText { place += 1 }
  }

  /// The next decimal number, after whitespace and comments; nil at the end, or if there is no number.
  private func number() -> Int? {
    skipSpace()
    var value: Int?
    while place < bytes.count, (0x30...0x39).contains(bytes[place]) {
      let digit = Int(bytes[place]) - 0x30
      place += 1
      value = min((value ?? 0) * 10 + digit, 1 << 40)
    }
    return value
  }

  private func skipSpace() {
    while place < bytes.count {
      if bytes[place] == 0x23 {
        while place < bytes.count, bytes[place] != 0x0A { place += 1 }
      } else if bytes[place] == 0x20 || (0x09...0x0D).contains(bytes[place]) {
        place += 1
      } else {
        return
      }
    }
  }

  func readRow(to row: UnsafeMutablePointer<UInt32>) -> Bool {
    if kind == 4 { return readBits(to: row) }
    if kind >= 5, most == 255 { return readBytes(to: row) }
    for column in 0..<width {
      guard let first = sample() else { return false }
      var (green, blue) = (first, first)
      if kind % 3 == 0 {
        guard let second = sample(), let third = sample() else { return false }
        (green, blue) = (second, third)
      }
      row[column] = 0xFF00_0000 | first << 16 | green << 8 | blue
    }
    return true
  }

  /// The next sample, scaled to 0 to 255; nil at the end.
  private func sample() -> UInt32? {
    if kind == 1 {
      // Digits need no separator, and 1 is black.
      skipSpace()
      guard place < bytes.count, bytes[place] == 0x30 || bytes[place] == 0x31 else { return nil }
      place += 1
      return bytes[place - 1] == 0x30 ? 255 : 0
    }
    let value: Int
    if isText {
      guard let number = number() else { return nil }
      value = number
    } else {
      let count = most > 255 ? 2 : 1
      guard place + count <= bytes.count else { return nil }
      value = bytes.number(at: place, bytes: count)
      place += count
    }
    return UInt32(min(value, most) * 255 / most)
  }

  /// Reads a row of nearly every PGM and PPM: a byte per sample, up to 255.
  private func readBytes(to row: UnsafeMutablePointer<UInt32>) -> Bool {
    let channels = kind == 6 ? 3 : 1
    guard place + width * channels <= bytes.count, let base = bytes.baseAddress else {
      return false
    }
    let line = (base + place).assumingMemoryBound(to: UInt8.self)
    place += width * channels
    for column in 0..<width {
      let pixel = line + column * channels
      row[column] =
        0xFF00_0000 | UInt32(pixel[0]) << 16 | UInt32(pixel[channels / 2]) << 8
        | UInt32(pixel[channels - 1])
    }
    return true
  }

  /// Reads a row of eight pixels per byte, the first in the highest bit.
  private func readBits(to row: UnsafeMutablePointer<UInt32>) -> Bool {
    let count = (width + 7) / 8
    guard place + count <= bytes.count else { return false }
    for column in 0..<width {
      let isBlack = bytes[place + column / 8] >> (7 - column % 8) & 1 == 1
      row[column] = isBlack ? 0xFF00_0000 : 0xFFFF_FFFF
    }
    place += count
    return true
  }
}
