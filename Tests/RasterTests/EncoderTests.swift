internal import CCups
import PrintModel
@testable import Raster
import TestSupport
import Testing

@Suite struct EncoderTests {
  @Test(arguments: RasterFormat.allCases)
  func `libcups decodes pages of every width to the pixels they were made from`(
    format: RasterFormat
  ) throws {
    var dice = Dice(1)
    for width in 1...300 {
      let sample = Sample(width: width, height: 12, dice: &dice)
      for pixels in format.written {
        let bytes = try sample.encoded(sample.page(pixels), format)
        let page = try #require(try Libcups.read(bytes).first)
        #expect(page.header.cupsWidth == width)
        guard page.pixels == sample.expected(pixels) else {
          Issue.record("\(format) of \(pixels), \(width) pixels wide, decodes to something else")
          return
        }
      }
    }
  }

  @Test(arguments: RasterFormat.allCases)
  func `wide pages too`(format: RasterFormat) throws {
    var dice = Dice(2)
    for width in [511, 512, 2480, 4961] {
      let sample = Sample(width: width, height: 20, dice: &dice)
      for pixels in format.written {
        let bytes = try sample.encoded(sample.page(pixels), format)
        #expect(try Libcups.read(bytes).first?.pixels == sample.expected(pixels))
      }
    }
  }

  @Test(arguments: RasterFormat.allCases)
  func `the bytes do not depend on the bands that rows come in`(format: RasterFormat) throws {
    var dice = Dice(3)
    // The last lines repeat beyond the limit of a code, and across all bands.
    var sample = Sample(width: 65, height: 60, dice: &dice)
    sample.pixels += Array(repeating: sample.pixels.suffix(65), count: 600).joined()
    sample.height += 600
    for pixels in format.written {
      let page = sample.page(pixels)
      let whole = try sample.encoded(page, format)
      for band in [1, 2, 7, 255, 256, 257] {
        #expect(try sample.encoded(page, format, band: band) == whole, "bands of \(band)")
      }
      #expect(try Libcups.read(whole).first?.pixels == sample.expected(pixels))
    }
  }

  @Test(arguments: [1, 2, 127, 128, 129, 255, 256, 257, 1000])
  func `equal lines are stored once for 256 of them`(height: Int) throws {
    let sample = Sample(width: 3, height: height) { x, _ in [0, 0x40_4040, 0x80_8080][x] }
    let bytes = try sample.encoded(sample.page(.gray8), .urf)
    var expected: [UInt8] = []
    var left = height
    while left > 0 {
      expected += [UInt8(min(left, 256) - 1), 254, 0, 0x40, 0x80]
      left -= 256
    }
    #expect(Array(bytes.dropFirst(44)) == expected)
  }

  @Test func `golden lines of gray`() throws {
    #expect(try codes(gray: [7]) == [0, 7])
    #expect(try codes(gray: [7, 7]) == [0xFF, 7, 7])
    #expect(try codes(gray: [7, 7, 7]) == [2, 7])
    #expect(try codes(gray: [1, 2, 3]) == [0xFE, 1, 2, 3])
    // A pair inside a literal stays there; after a run, it becomes a run.
    #expect(try codes(gray: [1, 2, 2, 3]) == [0xFD, 1, 2, 2, 3])
    #expect(try codes(gray: [1, 1, 1, 2, 2, 3, 3, 3]) == [2, 1, 1, 2, 2, 3])
    #expect(try codes(gray: [1, 2, 2, 2, 3]) == [0, 1, 2, 2, 0, 3])
    #expect(try codes(gray: [UInt8](repeating: 9, count: 128)) == [127, 9])
    #expect(try codes(gray: [UInt8](repeating: 9, count: 129)) == [127, 9, 0, 9])
    let counted = (0..<129).map { UInt8($0) }
    #expect(try codes(gray: counted) == [129] + counted.prefix(128) + [0, 128])
  }

  /// The encoder scans lines in words of 64.
  @Test(arguments: [1, 2, 3, 60, 61, 62, 63, 64, 65, 66, 100], [2, 3, 4, 5, 63, 64, 65, 128])
  func `a run is a run wherever it stands`(start: Int, length: Int) throws {
    let before = (0..<start).map { UInt8($0) }
    let after = (0..<70).map { UInt8(101 + $0) }
    let line = before + [UInt8](repeating: 200, count: length) + after
    let stored: (_ units: [UInt8], _ bytes: [UInt8]) -> [UInt8] = { units, bytes in
      [units.count == 1 ? 0 : UInt8(257 - units.count)] + bytes
    }
    if length > 2 {
      let run: [UInt8] = [UInt8(length - 1), 200]
      #expect(try codes(gray: line) == stored(before, before) + run + stored(after, after))
    }
    let bytes: ([UInt8]) -> [UInt8] = { $0.flatMap { [0, $0, 0] } }
    let run = [UInt8(length - 1)] + bytes([200])
    #expect(
      try codes(colors: line.map { UInt32($0) << 8 })
        == stored(before, bytes(before)) + run + stored(after, bytes(after)))
    // At the end of the line.
    #expect(
      try codes(colors: line.dropLast(70).map { UInt32($0) << 8 }) == stored(before, bytes(before))
        + run)
  }

  @Test func `golden lines of color`() throws {
    #expect(try codes(colors: [0x01_0203]) == [0, 1, 2, 3])
    #expect(try codes(colors: [0x01_0203, 0x01_0203]) == [1, 1, 2, 3])
    #expect(try codes(colors: [0x01_0203, 0x04_0506]) == [0xFF, 1, 2, 3, 4, 5, 6])
    #expect(
      try codes(colors: [0, 0x01_0203, 0x01_0203, 0]) == [0, 0, 0, 0, 1, 1, 2, 3, 0, 0, 0, 0])
    // Two pixels that only differ in the unused byte.
    #expect(try codes(colors: [0xAA01_0203, 0x5501_0203]) == [1, 1, 2, 3])
  }

  /// Compares the sizes, because the codes differ.
  ///
  /// libcups encodes each pair of gray bytes as a run. We leave pairs inside literals, and sometimes at the start of
  /// one, where a run would be a byte shorter. Readers accept both.
  @Test func `our pages are as small as libcups'`() throws {
    var dice = Dice(4)
    for (pixels, type) in [
      (PixelFormat.gray8, "sgray_8"), (.srgb24, "srgb_8"), (.black1, "black_1"),
    ] {
      let sample = Sample(width: 1000, height: 200, dice: &dice)
      let ours = try sample.encoded(sample.page(pixels), .pwg)
      let theirs = try Libcups.write(
        Libcups.header(type: type, width: 1000, height: 200, dpi: 300), pages: 1,
        pixels: sample.expected(pixels), format: .pwg)
      #expect(ours.count <= theirs.count + theirs.count / 200)
    }
  }

  @Test func `gray in is the same gray out`() throws {
    let sample = Sample(width: 256, height: 1) { x, _ in UInt32(x) * 0x01_0101 }
    let page = try #require(try Libcups.read(sample.encoded(sample.page(.gray8), .urf)).first)
    #expect(page.pixels == (0...255).map { UInt8($0) })
  }

  @Test func `colors are as dark as PDF says`() throws {
    let sample = Sample(width: 4, height: 1) { x, _ in
      [0xFF_0000, 0x00_FF00, 0x00_00FF, 0xFF_FF00][x]
    }
    let page = try #require(try Libcups.read(sample.encoded(sample.page(.gray8), .urf)).first)
    #expect(page.pixels == [77, 150, 28, 227])
  }

  @Test func `a printer without gray gets red, green and blue alike`() throws {
    var dice = Dice(5)
    let sample = Sample(width: 77, height: 9, dice: &dice)
    let bytes = try sample.encoded(sample.page(.srgb24), .urf, inGray: true)
    let page = try #require(try Libcups.read(bytes).first)
    #expect(page.pixels == sample.grays.flatMap { [$0, $0, $0] })
  }

  @Test func `gray pixels are taken as they are`() throws {
    var dice = Dice(6)
    for width in [1, 7, 8, 9, 64, 65, 130] {
      let sample = Sample(width: width, height: 5, dice: &dice)
      let gray = Sample(width: width, height: 5) {
        UInt32(sample.grays[$1 * width + $0]) * 0x01_0101
      }
      for pixels in RasterFormat.pwg.written where pixels != .cmyk32 {
        let bytes = try gray.encoded(gray.page(pixels), .pwg)
        #expect(try Libcups.read(bytes).first?.pixels == gray.expected(pixels))
      }
      #expect(gray.expected(.gray8) == sample.grays)
    }
  }

  @Test(arguments: RasterFormat.allCases)
  func `white rows need no pixels`(format: RasterFormat) throws {
    for pixels in format.written {
      let sample = Sample(width: 2480, height: 700) { _, y in y == 5 ? 0 : 0xFF_FFFF }
      var encoder = try PageEncoder(sample.page(pixels), format: format)
      encoder.encodeBlank(rows: 5)
      sample.pixels[5 * 2480..<6 * 2480].withUnsafeBytes {
        encoder.encode($0.bytes, stride: 4 * 2480, rows: 1)
      }
      encoder.encodeBlank(rows: 694)
      let isComplete = encoder.isComplete
      #expect(isComplete)
      var bytes = format.fileHead(pages: 1)
      encoder.drain { part in part.withUnsafeBytes { bytes += $0 } }
      #expect(try bytes == sample.encoded(sample.page(pixels), format))
    }
  }

  @Test func `rows may be wider apart than they are wide`() throws {
    var dice = Dice(7)
    let sample = Sample(width: 19, height: 8, dice: &dice)
    var rows: [UInt32] = []
    for y in 0..<8 { rows += sample.pixels[y * 19..<(y + 1) * 19] + [1, UInt32(y)] }
    var encoder = try PageEncoder(sample.page(.srgb24), format: .urf)
    // The last row has no padding after it.
    rows.dropLast(2).withUnsafeBytes { encoder.encode($0.bytes, stride: 4 * 21, rows: 8) }
    var bytes = RasterFormat.urf.fileHead(pages: 1)
    encoder.drain { part in part.withUnsafeBytes { bytes += $0 } }
    #expect(try bytes == sample.encoded(sample.page(.srgb24), .urf))
  }

  @Test func `what a failed write has not taken is not lost`() throws {
    struct Full: Error {}
    let sample = Sample(width: 4, height: 2) { x, y in UInt32(x * y) }
    var encoder = try PageEncoder(sample.page(.gray8), format: .urf)
    sample.pixels.withUnsafeBytes { encoder.encode($0.bytes, stride: 16, rows: 2) }
    #expect(throws: Full.self) { try encoder.drain { (_) throws(Full) in throw Full() } }
    var bytes = RasterFormat.urf.fileHead(pages: 1)
    encoder.drain { part in part.withUnsafeBytes { bytes += $0 } }
    #expect(try bytes == sample.encoded(sample.page(.gray8), .urf))
  }

  @Test func `what a format can't hold is refused`() throws {
    var page = RasterPage(width: 8, height: 8, resolution: Resolution(300), pixels: .black1)
    #expect(refusal(page, .urf) == "URF has no 1-bit black pixels.")
    page.pixels = .gray8
    page.resolution = Resolution(x: 600, y: 300)
    #expect(
      refusal(page, .urf) == "URF states one resolution, so it can't be 600x300dpi.")
    #expect(refusal(page, .pwg) == nil)
    page.pixels = .cmyk32
    #expect(refusal(page, .urf) == "URF has no 8-bit CMYK pixels.")
    page.pixels = PixelFormat(space: .adobeRGB, bitsPerColor: 8, colors: 3)
    #expect(refusal(page, .pwg) == "xrgb32 pixels can't be written as 8-bit Adobe RGB.")
    page.pixels = .gray8
    page.width = 0
    #expect(refusal(page, .pwg)?.hasPrefix("The page states a size of 0 × 8") == true)
    page.width = 1 << 30
    #expect(refusal(page, .pwg)?.hasSuffix("more than any paper has.") == true)
  }

  private func refusal(_ page: RasterPage, _ format: RasterFormat) -> String? {
    do throws(Failure) {
      _ = try PageEncoder(page, format: format)
      return nil
    } catch {
      return error.message
    }
  }

  /// Returns the codes of one line, without its repeat count.
  private func codes(gray: [UInt8]) throws -> [UInt8] {
    let sample = Sample(width: gray.count, height: 1) { x, _ in UInt32(gray[x]) * 0x01_0101 }
    return try Array(sample.encoded(sample.page(.gray8), .pwg).dropFirst(4 + 1796 + 1))
  }

  private func codes(colors: [UInt32]) throws -> [UInt8] {
    let sample = Sample(width: colors.count, height: 1) { x, _ in colors[x] }
    return try Array(sample.encoded(sample.page(.srgb24), .pwg).dropFirst(4 + 1796 + 1))
  }
}
