internal import DocumentBytes
internal import Glibc
package import PrintModel

/// The properties of a JPEG file in its markers (ITU-T T.81 Annex B), read without decoding a pixel.
package struct JPEGHeader: Sendable, Equatable {
  package var width = 0
  package var height = 0
  package var components = 0
  /// True for SOF0 with 8 bits per sample.
  package var isBaseline = false
  /// The embedded ICC profile; empty when there is none.
  package var profile: [UInt8] = []
  /// EXIF orientation, 1 to 8.
  package var orientation = 1
  /// Dots per inch, if the file states them.
  package var resolution: Resolution?
  /// True if the file ends before EOI; decoders then only lack rows.
  package var isCut = true

  /// Reads the markers from SOI to EOI, or to the end of a file that is truncated within its picture.
  ///
  /// The failure names what is missing.
  package init(_ file: UnsafeRawBufferPointer) throws(Failure) {
    var reader = MarkerReader(bytes: file, position: 2)
    var pieces: [UInt8: [UInt8]] = [:]
    var hasScan = false
    while let marker = reader.nextMarker() {
      isCut = marker != 0xD9
      guard isCut else { break }
      if marker == 0x01 || (0xD0...0xD7).contains(marker) { continue }
      guard let segment = reader.segment() else {
        guard hasScan else { throw JPEGHeader.malformed("it ends too early") }
        break
      }
      switch marker {
      case 0xDA: hasScan = true
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
        try readFrame(segment, isBaseline: marker == 0xC0)
      case 0xE0: readJFIF(segment)
      case 0xE1: readEXIF(segment)
      case 0xE2: readProfile(segment, &pieces)
      default: break
      }
    }
    guard hasScan || !isCut else { throw JPEGHeader.malformed("it ends too early") }
    guard width > 0, height > 0 else { throw JPEGHeader.malformed("it has no picture") }
    profile = pieces.keys.sorted().flatMap { pieces[$0] ?? [] }
  }

  static func malformed(_ why: String) -> Failure {
    Failure.document("The JPEG file is malformed: \(why).")
  }

  private mutating func readFrame(_ segment: UnsafeRawBufferPointer, isBaseline: Bool)
    throws(Failure)
  {
    guard segment.count >= 6 else { throw JPEGHeader.malformed("its frame header is too short") }
    self.isBaseline = isBaseline && segment[0] == 8
    height = segment.number(at: 1)
    width = segment.number(at: 3)
    components = Int(segment[5])
  }

  private mutating func readJFIF(_ segment: UnsafeRawBufferPointer) {
    guard segment.hasPrefix("JFIF\0"), segment.count >= 12 else { return }
    let density = Resolution(x: segment.number(at: 8), y: segment.number(at: 10))
    guard (10...9_600).contains(density.x), (10...9_600).contains(density.y) else { return }
    switch segment[7] {
    case 1: resolution = density
    case 2:
      resolution = Resolution(x: density.x * 254 / 100, y: density.y * 254 / 100)
    default: break
    }
  }

  private mutating func readEXIF(_ segment: UnsafeRawBufferPointer) {
    guard segment.hasPrefix("Exif\0\0") else { return }
    let block = segment.dropping(6)
    orientation = EXIF.orientation(block) ?? orientation
    // JFIF's resolution takes precedence, whichever comes first.
    resolution = resolution ?? EXIF.resolution(block)
  }

  /// Collects a profile, which is stored in numbered pieces (ICC.1:2010 §B.4).
  private func readProfile(_ segment: UnsafeRawBufferPointer, _ pieces: inout [UInt8: [UInt8]]) {
    guard segment.hasPrefix("ICC_PROFILE\0"), segment.count > 14 else { return }
    pieces[segment[12]] = Array(segment.dropping(14))
  }

  /// True for a profile that has an effect; one that states that it is sRGB has none.
  package var hasProfile: Bool { !profile.isEmpty && !ColorProfile.isSRGB(profile) }
}

private struct MarkerReader {
  let bytes: UnsafeRawBufferPointer
  var position: Int

  /// The next marker's code; skips entropy-coded data and fill bytes before it.
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

  /// The segment after a marker; nil if it is incomplete.
  mutating func segment() -> UnsafeRawBufferPointer? {
    guard position + 2 <= bytes.count else { return nil }
    let length = bytes.number(at: position)
    guard length >= 2, position + length <= bytes.count else { return nil }
    defer { position += length }
    return bytes.piece(position + 2..<position + length)
  }
}

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
