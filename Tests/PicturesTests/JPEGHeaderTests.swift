import DocumentBytes
import Drawing
import Glibc
import PrintModel
import Testing

@testable import Pictures

/// A JPEG's header, read without decoding pixels.
@Suite struct JPEGHeaderTests {
  private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    let length = body.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + body
  }

  private static func frame(
    _ width: Int, _ height: Int, marker: UInt8 = 0xC0, components: UInt8 = 3, bits: UInt8 = 8
  ) -> [UInt8] {
    segment(
      marker,
      [
        bits, UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF),
        components,
      ])
  }

  private static func jfif(unit: UInt8, _ x: Int, _ y: Int) -> [UInt8] {
    segment(
      0xE0,
      Array("JFIF\0".utf8) + [1, 2, unit, UInt8(x >> 8), UInt8(x & 0xFF)]
        + [UInt8(y >> 8), UInt8(y & 0xFF), 0, 0])
  }

  /// Returns an EXIF directory with the orientation and, as rationals after it, the resolution.
  private static func exif(_ orientation: UInt8, dpi: UInt8? = nil) -> [UInt8] {
    func entry(_ tag: UInt8, _ type: UInt8, _ value: [UInt8]) -> [UInt8] {
      [1, tag, 0, type, 0, 0, 0, 1] + value
    }
    var entries = [entry(0x12, 3, [0, orientation, 0, 0])]
    if dpi != nil {
      entries += [
        entry(0x1A, 5, [0, 0, 0, 62]), entry(0x1B, 5, [0, 0, 0, 62]),
        entry(0x28, 3, [0, 2, 0, 0]),
      ]
    }
    let body = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, UInt8(entries.count)] + entries.joined()
    let padding = [UInt8](repeating: 0, count: max(0, 62 - body.count))
    return segment(
      0xE1, Array("Exif\0\0".utf8) + body + (dpi.map { padding + [0, 0, 0, $0, 0, 0, 0, 1] } ?? []))
  }

  private static func icc(_ number: UInt8, _ piece: String) -> [UInt8] {
    segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, 2] + Array(piece.utf8))
  }

  private func read(_ segments: [UInt8]..., end: [UInt8] = [0xFF, 0xD9]) throws -> JPEGHeader {
    let scan = Self.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 0xFF, 0, 2, 0xFF, 0xD0, 3]
    let file = [0xFF, 0xD8] + segments.joined() + scan + end
    return try file.withUnsafeBytes { bytes throws -> JPEGHeader in try JPEGHeader(bytes) }
  }

  @Test func `size, kind and colors`() throws {
    let plain = try read(Self.frame(4_000, 3_000))
    #expect(plain.width == 4_000 && plain.height == 3_000 && plain.components == 3)
    #expect(plain.isBaseline && plain.orientation == 1 && plain.resolution == nil)
    #expect(!plain.hasProfile)
    #expect(try !read(Self.frame(10, 10, marker: 0xC2)).isBaseline)
    #expect(try !read(Self.frame(10, 10, bits: 12)).isBaseline)
    let cmyk = try read(
      Self.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 2]),
      Self.frame(10, 10, components: 4))
    #expect(cmyk.components == 4)
    // The markers of tables are within the range of those of frames.
    #expect(try read(Self.segment(0xC4, [0, 9]), Self.frame(7, 5)).width == 7)
  }

  @Test func `dots an inch, by JFIF before EXIF, and which way round`() throws {
    let frame = Self.frame(10, 10)
    #expect(try read(Self.jfif(unit: 1, 300, 150), frame).resolution == Resolution(x: 300, y: 150))
    #expect(try read(Self.jfif(unit: 2, 100, 100), frame).resolution == Resolution(254))
    #expect(try read(Self.jfif(unit: 0, 300, 300), frame).resolution == nil)
    #expect(try read(Self.jfif(unit: 1, 1, 1), frame).resolution == nil)
    let turned = try read(Self.exif(6, dpi: 200), frame)
    #expect(turned.orientation == 6 && turned.resolution == Resolution(200))
    #expect(
      try read(Self.jfif(unit: 1, 300, 300), Self.exif(8, dpi: 200), frame).resolution
        == Resolution(300))
    #expect(try read(Self.exif(9), frame).orientation == 1)
  }

  @Test func `a profile in pieces, in their order`() throws {
    let header = try read(Self.icc(2, "second"), Self.icc(1, "first "), Self.frame(10, 10))
    #expect(header.profile == Array("first second".utf8) && header.hasProfile)
  }

  @Test func `a file that ends too early, or has no picture, is said`() {
    let frame = Self.frame(10, 10)
    #expect(throws: Failure(.document, "The JPEG file is malformed: it ends too early.")) {
      let file = [0xFF, 0xD8] + frame
      _ = try file.withUnsafeBytes { bytes throws -> JPEGHeader in try JPEGHeader(bytes) }
    }
    #expect(throws: Failure(.document, "The JPEG file is malformed: it has no picture.")) {
      try read(end: [])
    }
    #expect(throws: Failure(.document, "The JPEG file is malformed: it has no picture.")) {
      try read()
    }
    #expect(throws: Failure(.document, "The JPEG file is malformed: it has no picture.")) {
      try read(Self.frame(0, 10))
    }
    #expect(
      throws: Failure(.document, "The JPEG file is malformed: its frame header is too short.")
    ) {
      try read(Self.segment(0xC0, [8, 0]))
    }
    for cut in 2..<frame.count {
      #expect(throws: Failure.self) {
        let file = [0xFF, 0xD8] + frame.prefix(cut)
        _ = try file.withUnsafeBytes { bytes throws -> JPEGHeader in try JPEGHeader(bytes) }
      }
    }
  }

  @Test func `a file that ends within its picture is one that is cut off`() throws {
    let frame = Self.frame(10, 10)
    #expect(try !read(frame).isCut)
    // Without EOI, cut within it, and cut within the data before another scan
    for end: [UInt8] in [[], [0xFF], [0xFF, 0xC4, 0, 9, 1], [0xFF, 0xC4]] {
      let header = try read(frame, end: end)
      #expect(header.isCut && header.width == 10, "\(end)")
    }
  }

  /// Returns the descriptor of an unnamed file with these bytes; the test closes it.
  private func descriptor(_ bytes: [UInt8]) -> Int32 {
    var name = Array("/tmp/airprint-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    unlink(name)
    let written = write(file, bytes, bytes.count)
    #expect(written == bytes.count)
    return file
  }

  @Test func `what is missing of a picture is white, and said, and no printer gets the file`()
    throws
  {
    let canvas = try Canvas(width: 64, height: 256)
    canvas.withMutablePixels { pixels in
      for place in pixels.indices { pixels[place] = UInt8(truncatingIfNeeded: place * place / 64) }
    }
    let whole = try JPEGEncoder.file(of: canvas)
    for (file, isWhole) in [(whole, true), (Array(whole.prefix(whole.count / 2)), false)] {
      let header = try file.withUnsafeBytes { bytes throws -> JPEGHeader in try JPEGHeader(bytes) }
      let bitmap = try #require(try file.withUnsafeBytes { try JPEGDecoder.decode($0, header) })
        .bitmap
      let last = UnsafeBufferPointer(start: bitmap.row(255), count: 64)
      #expect(last.allSatisfy { $0 & 0xFF_FFFF == 0xFF_FFFF } == !isWhole)
      #expect(bitmap.row(0)[5] & 0xFF_FFFF != 0xFF_FFFF)
      let opened = descriptor(file)
      defer { close(opened) }
      let pages = try PicturePages(MappedFile(opened), "image/jpeg")
      #expect(pages.takeLosses() == (isWhole ? [] : [DamagedPicture.loss]))
      #expect((pages.image?.jpeg != nil) == isWhole && pages.image?.height == 256)
    }
  }

  /// Returns true if a picture with these tones counts as flat.
  private func isFlat(_ tone: (_ x: Int, _ y: Int) -> UInt32) throws -> Bool {
    let bitmap = try Bitmap(width: 64, height: 64)
    for y in 0..<64 {
      for x in 0..<64 { bitmap.row(y)[x] = tone(x, y) * 0x01_0101 }
    }
    return bitmap.isFlat
  }

  @Test func `a drawing and a scan are flat, a photo is not`() throws {
    #expect(try !isFlat { x, y in UInt32(x * 2 + y * 2) })
    #expect(try isFlat { x, _ in x % 8 == 0 ? 0 : 255 })
    // A page of text: all tones at the edges of its letters, white elsewhere.
    #expect(try isFlat { x, y in y < 20 ? UInt32(x * 4) : 255 })
  }
}
