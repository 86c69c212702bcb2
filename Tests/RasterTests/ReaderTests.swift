internal import CCups
import PrintModel
@testable import Raster
import TestSupport
import Testing

@Suite struct ReaderTests {
  @Test(arguments: RasterFormat.allCases)
  func `what libcups writes is read to the same pixels`(format: RasterFormat) throws {
    var dice = Dice(11)
    let types =
      format == .urf
      ? ["sgray_8", "srgb_8", "adobe-rgb_8", "sgray_16", "srgb_16", "rgb_8", "cmyk_8"]
      : [
        "sgray_1", "sgray_8", "sgray_16", "black_1", "black_8", "black_16", "srgb_8", "srgb_16",
        "adobe-rgb_8", "adobe-rgb_16", "rgb_8", "rgb_16", "cmyk_8", "cmyk_16",
      ]
    for type in types {
      for width in [1, 7, 8, 9, 64, 130, 301] {
        let header = try Libcups.header(type: type, width: width, height: 300, dpi: 150)
        let raw = lines(of: Int(header.cupsBytesPerLine), count: 300, dice: &dice)
        var reader = try RasterReader(
          Libcups.write(header, pages: 2, pixels: raw + raw, format: format))
        for number in 1...2 {
          let page = try #require(try reader.nextPage())
          #expect(reader.pageNumber == number)
          #expect(page.width == width && page.height == 300 && page.resolution.x == 150)
          #expect(page.pixels.bitsPerColor == header.cupsBitsPerColor)
          let shown = shown(raw, type: type, width: width)
          #expect(try reader.pixels() == shown, "\(type), \(width) pixels wide")
        }
        #expect(try reader.nextPage() == nil)
      }
    }
  }

  @Test(arguments: RasterFormat.allCases)
  func `what we write is read to the same pixels`(format: RasterFormat) throws {
    var dice = Dice(12)
    for pixels in format.written where ![.black1, .cmyk32].contains(pixels) {
      let sample = Sample(width: 333, height: 99, dice: &dice)
      var reader = try RasterReader(sample.encoded(sample.page(pixels), format))
      _ = try reader.nextPage()
      #expect(try reader.pixels() == sample.expected(pixels))
    }
  }

  @Test func `four inks are shown as the color that they were made of`() throws {
    let colors: [UInt32] = [
      0, 0xFF_FFFF, 0xFF_0000, 0x00_FF00, 0x12_3456, 0xC0_8040, 0x01_0203, 0x80_8080,
    ]
    let sample = Sample(width: 8, height: 1) { x, _ in colors[x] }
    for (inGray, expected) in [(false, sample.expected(.srgb24)), (true, [])] {
      var reader = try RasterReader(
        sample.encoded(sample.page(.cmyk32), .pwg, inGray: inGray))
      _ = try reader.nextPage()
      let read = try reader.pixels()
      let wanted = inGray ? sample.grays.flatMap { [$0, $0, $0] } : expected
      #expect(zip(read, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(read) \(wanted)")
      #expect(read.count == wanted.count)
    }
  }

  @Test func `a header that is read back is the page that was written`() throws {
    let sample = Sample(width: 40, height: 3) { x, _ in x < 8 ? 0 : 0xFF_FFFF }
    for pixels in RasterFormat.pwg.written {
      var page = sample.fullPage(pixels)
      var reader = try RasterReader(sample.encoded(page, .pwg))
      #expect(try reader.scan() == [page])
      page.resolution = Resolution(600)
      guard ![.black1, .cmyk32].contains(pixels) else { continue }
      reader = try RasterReader(sample.encoded(page, .urf))
      let read = try #require(try reader.nextPage())
      #expect(read.sides == page.sides && read.quality == page.quality)
      #expect(read.mediaType == page.mediaType && read.mediaPosition == page.mediaPosition)
      #expect(read.resolution == page.resolution && read.pixels == page.pixels)
    }
  }

  @Test func `only URF announces its pages`() throws {
    let pages: (RasterFormat, Int) throws -> Int? = { format, count in
      try RasterReader(format.fileHead(pages: count)).announcedPages
    }
    #expect(try pages(.urf, 17) == 17)
    #expect(try pages(.urf, 0) == nil)
    #expect(try pages(.pwg, 17) == nil)
  }

  @Test func `Apple's code for a white rest is understood`() throws {
    let page = RasterPage(width: 5, height: 4, resolution: Resolution(300), pixels: .srgb24)
    let head = RasterFormat.urf.fileHead(pages: 1) + RasterFormat.urf.pageHeader(page)
    let bytes: [UInt8] = head + [1, 0x80, 1, 0xFF, 1, 2, 3, 4, 5, 6, 0x80]
    var reader = try RasterReader(bytes)
    _ = try reader.nextPage()
    let white = [UInt8](repeating: 0xFF, count: 15)
    let started = [1, 2, 3, 4, 5, 6] + [UInt8](repeating: 0xFF, count: 9)
    #expect(try reader.pixels() == white + white + started + started)
    #expect(try Libcups.read(bytes).first?.pixels == white + white + started + started)
    // Where ink is stored, white is 0.
    var black = page
    black.pixels = PixelFormat(space: .black, bitsPerColor: 8, colors: 1)
    reader = try RasterReader(
      RasterFormat.pwg.fileHead(pages: 1) + RasterFormat.pwg.pageHeader(black) + [3, 0x80])
    _ = try reader.nextPage()
    #expect(try reader.pixels() == [UInt8](repeating: 0xFF, count: 20))
  }

  @Test func `lines come one by one, with how often they repeat`() throws {
    let sample = Sample(width: 4, height: 300) { _, y in y == 7 ? 0 : 0xFF_FFFF }
    var reader = try RasterReader(sample.encoded(sample.page(.gray8), .urf))
    #expect(try reader.nextLine() == nil)
    _ = try reader.nextPage()
    var rows: [Int] = []
    var first: [UInt8] = []
    while let count = try reader.nextLine() {
      rows.append(count)
      first.append(reader.line[0])
    }
    #expect(rows == [7, 1, 256, 36])
    #expect(first == [0xFF, 0, 0xFF, 0xFF])
    #expect(try reader.nextPage() == nil)
  }

  @Test func `a scan lists pages of any kind without their pixels`() throws {
    var dice = Dice(13)
    let sample = Sample(width: 70, height: 40, dice: &dice)
    var bytes = RasterFormat.pwg.fileHead(pages: 3)
    var pages: [RasterPage] = []
    for pixels in RasterFormat.pwg.written {
      var page = sample.page(pixels)
      page.sizeName = "custom_\(pages.count)"
      pages.append(page)
      bytes += try sample.encoded(page, .pwg).dropFirst(4)
    }
    // Scanning does not need a color space that can be displayed.
    var device = try Libcups.header(type: "device3_8", width: 9, height: 30, dpi: 300)
    device.cupsInteger.0 = 1
    let raw = lines(of: 27, count: 30, dice: &dice)
    bytes += try Libcups.write(device, pages: 1, pixels: raw, format: .pwg).dropFirst(4)
    var reader = try RasterReader(bytes)
    let found = try reader.scan()
    #expect(Array(found.prefix(pages.count)) == pages)
    #expect(found.last?.pixels.space == ColorSpace(rawValue: 50))
    reader = try RasterReader(bytes)
    for _ in 0...pages.count { _ = try reader.nextPage() }
    #expect(throws: Failure.self) { try reader.nextLine() }
    reader = try RasterReader(bytes)
    #expect(throws: Failure(.document, "The data has more than 3 pages.")) {
      try reader.scan(limit: 3)
    }
  }

  @Test(arguments: [1, 2, 3, 1000])
  func `bytes may be pulled in pieces`(piece: Int) throws {
    var dice = Dice(14)
    let sample = Sample(width: 130, height: 50, dice: &dice)
    let bytes = try sample.encoded(sample.page(.srgb24), .urf)
    var position = 0
    var reader = try RasterReader { (memory) throws(Failure) in
      let count = min(piece, memory.count, bytes.count - position)
      memory.copyBytes(from: bytes[position..<position + count])
      position += count
      return count
    }
    _ = try reader.nextPage()
    #expect(try reader.pixels() == sample.expected(.srgb24))
    #expect(try reader.nextPage() == nil)
  }

  @Test func `an error of the source comes through`() throws {
    let broken = Failure(.document, "The disk is on fire.")
    #expect(throws: broken) { _ = try RasterReader { (_) throws(Failure) in throw broken } }
  }

  @Test func `a page is not read into more memory than was allowed`() throws {
    let sample = Sample(width: 100, height: 100) { _, _ in 0 }
    var reader = try RasterReader(sample.encoded(sample.page(.srgb24), .urf))
    _ = try reader.nextPage()
    #expect(throws: Failure.self) { try reader.pixels(limit: 29_999) }
    #expect(try reader.pixels(limit: 30_000).count == 30_000)
  }

  /// Returns random lines with few values, in runs, some repeated.
  private func lines(of length: Int, count: Int, dice: inout Dice) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < length * count {
      var line: [UInt8] = []
      while line.count < length {
        let value = [0, 0xFF, UInt8.random(in: 0...255, using: &dice)].randomElement(using: &dice)
        line += repeatElement(value ?? 0, count: Int.random(in: 1...20, using: &dice))
      }
      for _ in 0..<Int.random(in: 1...5, using: &dice) { bytes += line.prefix(length) }
    }
    return Array(bytes.prefix(length * count))
  }

  /// Converts libcups' input to gray or red, green and blue (16-bit samples in this machine's byte order).
  private func shown(_ raw: [UInt8], type: String, width: Int) -> [UInt8] {
    var samples = raw
    if type.hasSuffix("_16") {
      samples = stride(from: 1, to: raw.count, by: 2).map { raw[$0] }
    } else if type.hasSuffix("_1") {
      let length = (width + 7) / 8
      samples = (0..<raw.count / length).flatMap { y -> [UInt8] in
        (0..<width).map { x -> UInt8 in
          let bit = raw[y * length + x / 8] >> UInt8(7 - x % 8) & 1
          return bit == 1 ? 0xFF : 0
        }
      }
    }
    if type.hasPrefix("black") { return samples.map { 255 - $0 } }
    guard type.hasPrefix("cmyk") else { return samples }
    var colors: [UInt8] = []
    for ink in stride(from: 0, to: samples.count, by: 4) {
      let light = 255 - Int(samples[ink + 3])
      for color in samples[ink..<ink + 3] { colors.append(UInt8((255 - Int(color)) * light / 255)) }
    }
    return colors
  }
}
