internal import DocumentBytes
internal import Drawing
internal import PrintModel

/// An uncompressed Windows bitmap, as nearly every program writes it.
final class BMPSource: PictureSource {
  let width: Int
  let height: Int
  private(set) var profile: [UInt8] = []
  let complaint: String? = "it ends too early"

  private let bytes: UnsafeRawBufferPointer
  private let bits: Int
  /// Offset of the first stored row, and bytes of each row.
  private let start: Int
  private let stride: Int
  /// True if the first stored row is the top one, as with a negative height; otherwise, it is the lowest.
  private let isTopDown: Bool
  private var palette: [UInt32] = []
  /// Masks of red, green, blue and alpha in a pixel of 16 or 32 bits.
  private var masks: [UInt32] = []
  private var next = 0
  private(set) var isGuessed = false

  var hasAlpha: Bool { masks.count == 4 }

  /// nil for a compressed bitmap (run lengths, JPEG, PNG).
  ///
  /// `bytes` outlives the source.
  init?(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    func number(_ place: Int, _ count: Int = 4) throws(Failure) -> Int {
      guard place >= 0, place + count <= bytes.count else {
        throw DamagedPicture.failure("it ends too early")
      }
      return bytes.number(at: place, bytes: count, isLittle: true)
    }
    self.bytes = bytes
    var start = try number(10)
    let head = try number(14)
    // BITMAPCOREHEADER has 12 bytes and 16-bit numbers; all later headers begin like BITMAPINFOHEADER.
    let isCore = head == 12
    guard isCore || (40...4_096).contains(head) else {
      throw DamagedPicture.failure("its header is not that of a BMP file")
    }
    let packing = isCore ? 0 : try number(30)
    bits = try number(isCore ? 24 : 28, 2)
    guard [0, 3, 6].contains(packing) else { return nil }
    guard [1, 2, 4, 8, 16, 24, 32].contains(bits), packing == 0 || bits == 16 || bits == 32 else {
      throw DamagedPicture.failure("\(bits) bits a pixel are not supported")
    }
    width = try isCore ? number(18, 2) : Int(Int32(truncatingIfNeeded: number(18)))
    let rows = try isCore ? number(20, 2) : Int(Int32(truncatingIfNeeded: number(22)))
    (height, isTopDown) = (abs(rows), rows < 0)
    try PictureLimits.check(width, height)
    stride = (width * bits + 31) / 32 * 4
    let stated = isCore || bits > 8 ? 0 : try number(46)
    let colors = bits > 8 ? 0 : stated == 0 ? 1 << bits : min(stated, 1 << bits)
    // Some programs forget the palette between the header and the pixels.
    if start == 14 + head { start += colors * (isCore ? 3 : 4) }
    self.start = start
    guard start + stride <= bytes.count else { throw DamagedPicture.failure("it ends too early") }
    if bits <= 8 {
      let size = isCore ? 3 : 4
      for index in 0..<colors {
        palette.append(0xFF00_0000 | UInt32(try number(14 + head + index * size, 3)))
      }
      palette += Array(repeating: 0xFF00_0000, count: 256 - palette.count)
    } else if packing == 0 {
      masks = bits == 16 ? [0x7C00, 0x03E0, 0x001F] : [0xFF_0000, 0xFF00, 0xFF]
    } else {
      // After the header of 40 bytes, or at the same place within a longer one.
      for index in 0..<(head >= 56 || packing == 6 ? 4 : 3) {
        masks.append(UInt32(truncatingIfNeeded: try number(54 + 4 * index)))
      }
    }
    if head >= 124 { profile = BMPSource.embeddedProfile(of: bytes) }
    // Many programs state an alpha and write none.
    if masks.count == 4, !(0..<height).contains(where: showsPixel) { masks.removeLast() }
  }

  /// True if a pixel of a stored row has an alpha other than 0.
  private func showsPixel(_ row: Int) -> Bool {
    let line = start + row * stride
    return line + stride <= bytes.count
      && (0..<width).contains { pixel(line, $0) & masks[3] != 0 }
  }

  /// The profile that BITMAPV5HEADER embeds; empty if it has none, or names a file.
  private static func embeddedProfile(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    guard bytes.count >= 138, bytes.number(at: 70, bytes: 4, isLittle: true) == 0x4D42_4544 else {
      return []
    }
    let start = 14 + bytes.number(at: 126, bytes: 4, isLittle: true)
    let length = bytes.number(at: 130, bytes: 4, isLittle: true)
    return start + length <= bytes.count ? Array(bytes[start..<start + length]) : []
  }

  func readRow(to row: UnsafeMutablePointer<UInt32>) -> Bool {
    let line = start + (isTopDown ? next : height - 1 - next) * stride
    guard next < height else { return false }
    next += 1
    guard line + stride <= bytes.count else {
      // A truncated bitmap lacks its upper rows, unless it is stored from the top.
      row.update(repeating: 0xFFFF_FFFF, count: width)
      isGuessed = true
      return !isTopDown
    }
    for column in 0..<width {
      switch bits {
      case 24:
        let place = line + 3 * column
        row[column] =
          0xFF00_0000 | UInt32(bytes[place + 2]) << 16 | UInt32(bytes[place + 1]) << 8
          | UInt32(bytes[place])
      case 16, 32: row[column] = color(pixel(line, column))
      default:
        let shift = 8 - bits - column * bits % 8
        let index = bytes[line + column * bits / 8] >> shift & UInt8((1 << bits) - 1)
        row[column] = palette[Int(index)]
      }
    }
    return true
  }

  /// A pixel of 16 or 32 bits.
  private func pixel(_ line: Int, _ column: Int) -> UInt32 {
    let place = line + bits / 8 * column
    return bits == 16
      ? UInt32(bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self).littleEndian)
      : bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self).littleEndian
  }

  private func color(_ pixel: UInt32) -> UInt32 {
    func part(_ mask: UInt32) -> UInt32 {
      let shift = mask.trailingZeroBitCount
      guard shift < 32 else { return 0 }
      return UInt32(UInt64((pixel & mask) >> shift) * 255 / UInt64(mask >> shift))
    }
    let alpha = hasAlpha ? part(masks[3]) : 255
    return alpha << 24 | part(masks[0]) << 16 | part(masks[1]) << 8 | part(masks[2])
  }
}
