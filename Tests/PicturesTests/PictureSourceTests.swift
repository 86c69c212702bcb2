import Drawing
import PrintModel
import Testing

@testable import Pictures

/// Pictures of a few bytes, decoded to pixels, and truncated ones.
@Suite struct PictureSourceTests {
  /// Returns every pixel as `RRGGBB`, one row per line.
  private func drawn(_ file: [UInt8], _ type: String) throws -> (rows: [[UInt32]], isPartial: Bool)
  {
    try file.withUnsafeBytes { bytes in
      let source: any PictureSource =
        switch type {
        case "png": try PNGSource(bytes)
        case "gif": try GIFSource(bytes)
        case "bmp": try #require(try BMPSource(bytes))
        default: try NetpbmSource(bytes)
        }
      let picture = try DecodedPicture(source)
      let rows = (0..<picture.bitmap.height).map { y in
        (0..<picture.bitmap.width).map { picture.bitmap.row(y)[$0] & 0xFF_FFFF }
      }
      return (rows, picture.isPartial)
    }
  }

  @Test(arguments: [
    ("P1 # bits\n2 2 10\n0 1", [[0, 0xFF_FFFF], [0xFF_FFFF, 0]]),
    ("P2\n2 1\n10\n0 10", [[0, 0xFF_FFFF]]),
    ("P3 1 2 255 255 0 0 0 0 255", [[0xFF_0000], [0x0000FF]]),
    ("P4 2 2 \u{40}\u{0}", [[0xFF_FFFF, 0], [0xFF_FFFF, 0xFF_FFFF]]),
    ("P5 2 1 127 \u{7F}\u{0}", [[0xFF_FFFF, 0]]),
    ("P5 1 1 65535 \u{40}\u{40}", [[0x40_4040]]),
    ("P5 2 1 255 \u{40}\u{0}", [[0x40_4040, 0]]),
    ("P6 1 1 255 \u{40}\u{0}\u{7F}", [[0x40_007F]]),
    ("P6 1 1 127 \u{7F}\u{0}\u{7F}", [[0xFF_00FF]]),
  ])
  func `netpbm, as text and as bytes`(_ text: String, _ wanted: [[UInt32]]) throws {
    let (rows, isPartial) = try drawn(Array(text.utf8), "pnm")
    #expect(rows == wanted && !isPartial)
  }

  /// Returns a TIFF of one strip.
  private func tiff(
    _ width: Int, _ photometric: Int, depth: Int, samples: Int, _ strip: [UInt8]
  ) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let depths = (0..<max(3, samples)).flatMap { _ in little(depth, 2) }
    let tags = [
      (256, 4, 1, width), (257, 4, 1, 1), (258, 3, samples, samples == 1 ? depth : 8),
      (259, 3, 1, 1), (262, 3, 1, photometric), (273, 4, 1, 8 + depths.count), (277, 3, 1, samples),
      (278, 4, 1, 1), (279, 4, 1, strip.count),
    ]
    var file = Array("II*\0".utf8) + little(8 + depths.count + strip.count, 4) + depths + strip
    file += little(tags.count, 2)
    for (tag, type, count, value) in tags {
      file += little(tag, 2) + little(type, 2) + little(count, 4) + little(value, 4)
    }
    return file + little(0, 4)
  }

  @Test(
    arguments: [
      // Red, white and blue, of 1, 2, 4 and 12 bits.
      (2, 1, 3, [0b1001_1100, 0b1000_0000]), (2, 2, 3, [0b1100_0011, 0b1111_0000, 0b1100_0000]),
      (2, 4, 3, [0xF0, 0x0F, 0xFF, 0x00, 0xF0]),
      (
        2, 12, 3,
        [0xFF, 0xF0, 0, 0, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0xFF, 0xF0]
      ),
      // The inks of these: magenta and yellow, none, cyan and magenta.
      (5, 2, 4, [0b0011_1100, 0, 0b1111_0000]),
      (5, 8, 4, [0, 255, 255, 0, 0, 0, 0, 0, 255, 255, 0, 0]),
    ] as [(Int, Int, Int, [UInt8])])
  func `TIFF of depths that libtiff doesn't convert`(
    _ photometric: Int, _ depth: Int, _ samples: Int, _ strip: [UInt8]
  ) throws {
    let file = tiff(3, photometric, depth: depth, samples: samples, strip)
    #expect(try tiffRow(file) == [0xFF_0000, 0xFF_FFFF, 0x0000FF])
  }

  @Test func `TIFF of a gray of 12 bits, and of its negative`() throws {
    let strip: [UInt8] = [0x00, 0x08, 0x08, 0xFF, 0xF0]
    #expect(try tiffRow(tiff(3, 1, depth: 12, samples: 1, strip)) == [0, 0x80_8080, 0xFF_FFFF])
    #expect(try tiffRow(tiff(3, 0, depth: 12, samples: 1, strip)) == [0xFF_FFFF, 0x7F_7F7F, 0])
  }

  /// Returns the pixels of a picture of one row.
  private func tiffRow(_ file: [UInt8]) throws -> [UInt32] {
    try file.withUnsafeBytes { bytes in
      let file = try TIFFFile(bytes)
      let directory = try #require(try file.directories().first)
      #expect(try !file.isCut(directory))
      let bitmap = try file.decode(directory).bitmap
      return (0..<bitmap.width).map { bitmap.row(0)[$0] & 0xFF_FFFF }
    }
  }

  /// Returns a bitmap with BITMAPINFOHEADER; a negative height means that the top row is stored first.
  private func bmp(
    _ width: Int, _ height: Int, bits: Int, packing: Int = 0, extra: [UInt8] = [], _ pixels: [UInt8]
  ) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let colors = bits <= 8 ? extra.count / 4 : 0
    return Array("BM".utf8) + little(0, 8) + little(54 + extra.count, 4) + little(40, 4)
      + little(width, 4) + little(height, 4) + little(1, 2) + little(bits, 2) + little(packing, 4)
      + little(0, 12) + little(colors, 4) + little(0, 4) + extra + pixels
  }

  @Test func `bitmaps of every depth, from below and from above`() throws {
    let table: [UInt8] = [0, 0, 255, 0, 255, 0, 0, 0]
    let (red, blue): (UInt32, UInt32) = (0xFF_0000, 0x0000FF)
    let files: [(String, [UInt8])] = [
      ("1", bmp(2, 1, bits: 1, extra: table, [0x40, 0, 0, 0])),
      ("4", bmp(2, 1, bits: 4, extra: table, [0x01, 0, 0, 0])),
      ("8", bmp(2, 1, bits: 8, extra: table, [0, 1, 0, 0])),
      ("16", bmp(2, 1, bits: 16, [0x00, 0x7C, 0x1F, 0x00])),
      ("24", bmp(2, 1, bits: 24, [0, 0, 255, 255, 0, 0, 0, 0])),
      ("32", bmp(2, 1, bits: 32, [0, 0, 255, 0, 255, 0, 0, 0])),
      (
        "masks",
        bmp(
          2, 1, bits: 32, packing: 3, extra: [255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0],
          [255, 0, 0, 0, 0, 0, 255, 0])
      ),
      (
        "an alpha of which all is 0",
        bmp(
          2, 1, bits: 32, packing: 6,
          extra: [255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255],
          [255, 0, 0, 0, 0, 0, 255, 0])
      ),
    ]
    for (name, file) in files {
      #expect(try drawn(file, "bmp").rows == [[red, blue]], "\(name)")
    }
    let rows: [UInt8] = [0, 0, 255, 0, 255, 0, 0, 0]
    #expect(try drawn(bmp(1, 2, bits: 24, rows), "bmp").rows == [[blue], [red]])
    #expect(try drawn(bmp(1, -2, bits: 24, rows), "bmp").rows == [[red], [blue]])
    // The top row is stored last.
    let (cut, isPartial) = try drawn(bmp(1, 2, bits: 24, Array(rows.prefix(4))), "bmp")
    #expect(cut == [[0xFF_FFFF], [red]] && isPartial)
    // The palette is not counted.
    var uncounted = bmp(2, 1, bits: 8, extra: table, [0, 1, 0, 0])
    uncounted[10] = 54
    #expect(try drawn(uncounted, "bmp").rows == [[red, blue]])
    // gdk-pixbuf decodes run lengths.
    let packed = bmp(1, 1, bits: 8, packing: 1, extra: table, [1, 0])
    let isRead = try packed.withUnsafeBytes { try BMPSource($0) != nil }
    #expect(!isRead)
  }

  /// Returns a GIF of two pixels, without the trailer byte; the first is transparent if `hides`.
  private func gif(hides: Bool = false) -> [UInt8] {
    Array("GIF89a".utf8) + [2, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 0, 0]
      + (hides ? [0x21, 0xF9, 4, 1, 0, 0, 0, 0] : [])
      + [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0x44, 0x0A, 0]
  }

  @Test func `a GIF needs no trailer`() throws {
    #expect(try drawn(gif(), "gif").rows == [[0, 0xFF_0000]])
    #expect(try drawn(gif(hides: true), "gif").rows == [[0xFF_FFFF, 0xFF_0000]])
    #expect(throws: Failure.self) { try drawn(Array(gif().dropLast(4)), "gif") }
  }

  @Test func `a PNG that is cut off is drawn as far as it goes`() throws {
    // Stripes that deflate can't compress much.
    let canvas = try Canvas(width: 64, height: 256)
    canvas.outline(.cut)
    let whole = try canvas.png(Resolution(72))
    let (rows, isPartial) = try drawn(whole, "png")
    #expect(rows.count == 256 && rows[8][0] == 0xA0_A0A0 && !isPartial)
    let (cut, isCut) = try drawn(Array(whole.prefix(whole.count - 40)), "png")
    #expect(isCut && cut.count == 256 && cut[0] == rows[0] && cut[255] != rows[255])
    #expect(throws: Failure.self) { try drawn(Array(whole.prefix(40)), "png") }
  }

  /// Returns a little-endian TIFF with three strips, each a row of one gray pixel, of which `there` are in the file.
  private func tiff(stripsThere there: Int) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let tags = [
      (256, 4, 1, 1), (257, 4, 1, 3), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1),
      (273, 4, 3, 122), (277, 3, 1, 1), (278, 4, 1, 1), (279, 4, 3, 134),
    ]
    var file = Array("II*\0".utf8) + little(8, 4) + little(tags.count, 2)
    for (tag, type, count, value) in tags {
      file += little(tag, 2) + little(type, 2) + little(count, 4) + little(value, 4)
    }
    file +=
      little(0, 4) + (0..<3).flatMap { little(146 + $0, 4) } + (0..<3).flatMap { _ in little(1, 4) }
    return file + Array(repeating: 0, count: there)
  }

  @Test func `strips of a TIFF that are missing are white, and it is said`() throws {
    for (there, wanted) in [(3, [0, 0, 0]), (2, [0, 0, 0xFF_FFFF])] as [(Int, [UInt32])] {
      try tiff(stripsThere: there).withUnsafeBytes { bytes in
        let file = try TIFFFile(bytes)
        let directory = try #require(try file.directories().first)
        #expect(try file.isCut(directory) == (there < 3))
        let picture = try file.decode(directory)
        #expect((0..<3).map { picture.bitmap.row($0)[0] & 0xFF_FFFF } == wanted)
        #expect(picture.isPartial == (there < 3))
      }
    }
    try tiff(stripsThere: 0).withUnsafeBytes { bytes in
      let file = try TIFFFile(bytes)
      let directory = try #require(try file.directories().first)
      #expect(throws: Failure.self) { try file.isCut(directory) }
    }
  }

  @Test func `it is said that the next page of a TIFF is missing`() throws {
    let whole = tiff(stripsThere: 3)
    // The offset of the next directory follows the tags.
    let place = 10 + 9 * 12
    for (next, isMissing) in [(0, false), (8, false), (whole.count + 64, true)] {
      var file = whole
      file[place] = UInt8(next)
      try file.withUnsafeBytes { bytes in
        let file = try TIFFFile(bytes)
        #expect(try file.directories().count == 1)
        #expect(file.lacksDirectories == isMissing)
      }
    }
  }

  @Test(arguments: [
    (8, 1, [0x80, 0x7F]), (16, 1, [0, 0x80, 0xFF, 0x7F]), (4, 1, [0x87]),
    (8, 5, [0x80, 0x80, 0x80, 0x7F, 0x80, 0x80, 0x80, 0x80]),
  ])
  func `signed numbers of a TIFF go from black to white`(
    _ bits: Int, _ photometric: Int, _ pixels: [UInt8]
  ) throws {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let tags = [
      (256, 2), (257, 1), (258, bits), (259, 1), (262, photometric), (273, 134),
      (277, photometric == 5 ? 4 : 1), (278, 1), (279, pixels.count), (339, 2),
    ]
    var file = Array("II*\0".utf8) + little(8, 4) + little(tags.count, 2)
    for (tag, value) in tags {
      file += little(tag, 2) + little(3, 2) + little(1, 4) + little(value, 4)
    }
    file += little(0, 4) + pixels
    try file.withUnsafeBytes { bytes in
      let file = try TIFFFile(bytes)
      let picture = try file.decode(try #require(try file.directories().first))
      #expect((0..<2).map { picture.bitmap.row(0)[$0] & 0xFF_FFFF } == [0, 0xFF_FFFF])
    }
  }

  /// Returns a TGA of a red and a blue pixel, with the color map's first index, and its bits for each color.
  private func tga(first: UInt8, bits: UInt8, _ colors: [UInt8]) -> [UInt8] {
    [0, 1, 1, first, 0, 2, 0, bits, 0, 0, 0, 0, 2, 0, 1, 0, 8, 0x20] + colors + [first, first + 1]
  }

  @Test func `color maps of TGA files`() throws {
    let files = [
      tga(first: 0, bits: 16, [0x00, 0x7C, 0x1F, 0x00]),
      tga(first: 0, bits: 15, [0x00, 0x7C, 0x1F, 0x00]),
      tga(first: 7, bits: 16, [0x00, 0x7C, 0x1F, 0x00]),
      tga(first: 7, bits: 24, [0, 0, 255, 255, 0, 0]),
      tga(first: 254, bits: 32, [0, 0, 255, 255, 255, 0, 0, 255]),
    ]
    for file in files {
      let plain = try #require(file.withUnsafeBytes(TGAColorMap.expanded))
      let picture = try plain.withUnsafeBytes { bytes in
        try DecodedPicture(Pixbuf(decoding: bytes, "image/x-tga"))
      }
      let row = (0..<2).map { picture.bitmap.row(0)[$0] & 0xFF_FFFF }
      #expect(row == [0xFF_0000, 0x0000FF], "\(file)")
    }
    let usual = tga(first: 0, bits: 24, [0, 0, 255, 255, 0, 0])
    let isLeft = usual.withUnsafeBytes { TGAColorMap.expanded($0) == nil }
    #expect(isLeft)
    let cut = tga(first: 0, bits: 16, []).dropLast(2)
    let isRefused = Array(cut).withUnsafeBytes { TGAColorMap.expanded($0) == nil }
    #expect(isRefused)
  }

  @Test func `a TGA without attribute bits has no alpha`() throws {
    func red(_ attributes: UInt8) throws -> UInt32 {
      let head: [UInt8] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 32, 0x20 | attributes]
      return try (head + [0, 0, 255, 0]).withUnsafeBytes { bytes in
        let picture = try DecodedPicture(Pixbuf(decoding: bytes, "image/x-tga"))
        return withExtendedLifetime(picture) { picture.bitmap.row(0)[0] & 0xFF_FFFF }
      }
    }
    #expect(try red(0) == 0xFF_0000)
    #expect(try red(8) == 0xFF_FFFF)
  }

  @Test func `the profile in a bitmap of version 5`() throws {
    let profile: [UInt8] = [1, 2, 3]
    var file = Array(repeating: UInt8(0), count: 138) + [0, 0, 255, 0] + profile
    file.replaceSubrange(0..<2, with: Array("BM".utf8))
    for (place, value) in [
      (10, 138), (14, 124), (18, 1), (22, 1), (26, 1), (28, 24), (126, 128), (130, 3),
    ] as [(Int, UInt8)] { file[place] = value }
    for (kind, wanted) in [("DEBM", profile), ("BGRs", [])] {
      file.replaceSubrange(70..<74, with: Array(kind.utf8))
      let found = try file.withUnsafeBytes { try #require(try BMPSource($0)).profile }
      #expect(found == wanted, "\(kind)")
    }
    file[130] = 4
    let found = try file.withUnsafeBytes { try #require(try BMPSource($0)).profile }
    #expect(found.isEmpty)
  }

  @Test func `EXIF's resolution, by its unit`() {
    func block(_ unit: UInt8) -> [UInt8] {
      var bytes = Array("II*\0".utf8) + [8, 0, 0, 0, 3, 0]
      for (tag, place) in [(0x1A, 50), (0x1B, 58)] as [(UInt8, UInt8)] {
        bytes += [tag, 1, 5, 0, 1, 0, 0, 0, place, 0, 0, 0]
      }
      bytes += [0x28, 1, 3, 0, 1, 0, 0, 0, unit, 0, 0, 0, 0, 0, 0, 0]
      return bytes + [200, 0, 0, 0, 2, 0, 0, 0, 50, 0, 0, 0, 1, 0, 0, 0]
    }
    #expect(block(2).withUnsafeBytes(EXIF.resolution) == Resolution(x: 100, y: 50))
    #expect(block(3).withUnsafeBytes(EXIF.resolution) == Resolution(x: 254, y: 127))
    #expect(block(2).prefix(60).withUnsafeBytes(EXIF.resolution) == nil)
  }
}
