internal import Glibc
package import PrintModel

/// What the markers of a JPEG file say (ITU-T T.81 Annex B), without decoding a pixel.
package struct JPEGHeader: Sendable, Equatable {
  package var width: Int
  package var height: Int
  package var components: Int
  /// SOF0 with 8 bits a sample.
  package var isBaseline: Bool
  package var hasProfile = false
  /// EXIF orientation, 1 to 8.
  package var orientation = 1
  /// Dots per inch, when the file says so.
  package var resolution: Resolution?

  /// Walks the markers from SOI to EOI. The failure says what is missing: a file without its end was
  /// cut off on the way.
  package init(_ file: UnsafeRawBufferPointer) throws(Failure) {
    self.init()
    var reader = MarkerReader(bytes: file, position: 2)
    while let marker = reader.nextMarker() {
      switch marker {
      case 0xD9:
        guard width > 0, height > 0 else { throw JPEGHeader.malformed("it has no picture") }
        return
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
        try readFrame(try reader.segment(), isBaseline: marker == 0xC0)
      case 0xE0: readJFIF(try reader.segment())
      case 0xE1: readEXIF(try reader.segment())
      case 0xE2:
        let segment = try reader.segment()
        // A profile that says it is sRGB changes nothing.
        if segment.starts(with: Array("ICC_PROFILE\0".utf8)), !segment.contains("sRGB IEC61966") {
          hasProfile = true
        }
      case 0x01, 0xD0...0xD7: break
      default: _ = try reader.segment()
      }
    }
    throw JPEGHeader.malformed("it ends too early")
  }

  private init() {
    width = 0
    height = 0
    components = 0
    isBaseline = false
  }

  static func malformed(_ why: String) -> Failure {
    Failure(.document, "The JPEG file is malformed: \(why).")
  }

  private mutating func readFrame(_ segment: Segment, isBaseline: Bool) throws(Failure) {
    guard segment.count >= 6 else { throw JPEGHeader.malformed("its frame header is too short") }
    self.isBaseline = isBaseline && segment[0] == 8
    height = segment.number(at: 1)
    width = segment.number(at: 3)
    components = Int(segment[5])
  }

  private mutating func readJFIF(_ segment: Segment) {
    guard segment.starts(with: Array("JFIF\0".utf8)), segment.count >= 12 else { return }
    let density = Resolution(x: segment.number(at: 8), y: segment.number(at: 10))
    guard (10...9_600).contains(density.x), (10...9_600).contains(density.y) else { return }
    switch segment[7] {
    case 1: resolution = density
    case 2:
      resolution = Resolution(x: density.x * 254 / 100, y: density.y * 254 / 100)
    default: break
    }
  }

  /// The orientation tag (0x0112) of the first directory (EXIF 2.3 §4.6.4).
  private mutating func readEXIF(_ segment: Segment) {
    guard segment.starts(with: Array("Exif\0\0".utf8)) else { return }
    let tiff = segment.dropping(6)
    guard tiff.count >= 8 else { return }
    let isLittle = tiff[0] == 0x49
    let directory = tiff.number(at: 4, bytes: 4, isLittle: isLittle)
    guard directory >= 8, directory + 2 <= tiff.count else { return }
    let entries = tiff.number(at: directory, isLittle: isLittle)
    for entry in 0..<min(entries, 512) {
      let start = directory + 2 + 12 * entry
      guard start + 12 <= tiff.count else { return }
      if tiff.number(at: start, isLittle: isLittle) == 0x0112 {
        let value = tiff.number(at: start + 8, isLittle: isLittle)
        if (1...8).contains(value) { orientation = value }
        return
      }
    }
  }
}

/// A marker's payload.
private struct Segment {
  let bytes: UnsafeRawBufferPointer

  var count: Int { bytes.count }
  subscript(index: Int) -> UInt8 { bytes[index] }

  func dropping(_ count: Int) -> Segment {
    Segment(bytes: UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count)))
  }
  func starts(with prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }

  func contains(_ text: String) -> Bool {
    let needle = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: needle) }
  }

  func number(at offset: Int, bytes count: Int = 2, isLittle: Bool = false) -> Int {
    let digits = bytes[offset..<offset + count]
    return (isLittle ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
  }
}

private struct MarkerReader {
  let bytes: UnsafeRawBufferPointer
  var position: Int

  /// The next marker's code; entropy-coded data and fill bytes before it are passed over.
  mutating func nextMarker() -> UInt8? {
    while let base = bytes.baseAddress, position + 1 < bytes.count,
      let found = memchr(base + position, 0xFF, bytes.count - 1 - position)
    {
      position = UnsafeRawPointer(found) - base + 1
      let code = bytes[position]
      if code == 0xFF { continue }
      position += 1
      if code != 0 { return code }
    }
    return nil
  }

  mutating func segment() throws(Failure) -> Segment {
    guard position + 2 <= bytes.count else { throw JPEGHeader.malformed("it ends too early") }
    let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
    guard length >= 2, position + length <= bytes.count else {
      throw JPEGHeader.malformed("it ends too early")
    }
    defer { position += length }
    return Segment(
      bytes: UnsafeRawBufferPointer(rebasing: bytes[position + 2..<position + length]))
  }
}
