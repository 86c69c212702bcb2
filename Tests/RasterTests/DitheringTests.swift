import PrintModel
import Testing

@testable import Raster

/// Bilevel tones, as libcups reads them.
@Suite struct DitheringTests {
  /// Returns the share of ink on a page of one gray, without its edges.
  private func ink(_ gray: UInt8, dithered: Bool) throws -> Double {
    let (width, height) = (250, 200)
    let rows = [UInt8](repeating: gray, count: width * height)
    let bits = try encoded(rows, width: width, height: height, dithered: dithered)
    let dots = bits.reduce(0) { $0 + $1.nonzeroBitCount }
    return Double(dots) / Double(width * height)
  }

  private func encoded(
    _ rows: [UInt8], width: Int, height: Int, dithered: Bool
  ) throws -> [UInt8] {
    let page = RasterPage(
      width: width, height: height, resolution: Resolution(203), pixels: .black1)
    var bytes = RasterFormat.pwg.fileHead(pages: 1)
    var encoder = try PageEncoder(page, format: .pwg, dithered: dithered)
    encode(rows, width: width, rows: height, with: &encoder)
    encoder.drain { piece in piece.withUnsafeBytes { bytes += Array($0) } }
    return try #require(try Libcups.read(bytes).first).pixels
  }

  /// Encodes rows of gray, a byte each.
  private func encode(
    _ grays: [UInt8], width: Int, rows: Int, with encoder: inout PageEncoder
  ) {
    let pixels = grays.map { UInt32($0) * 0x01_0101 }
    pixels.withUnsafeBytes { encoder.encode($0.bytes, stride: 4 * width, rows: rows) }
  }

  @Test(arguments: [40, 80, 128, 170, 220] as [UInt8])
  func `a gray is as many dots as it is dark`(_ gray: UInt8) throws {
    let share = try ink(gray, dithered: true)
    #expect(abs(share - (1 - Double(gray) / 255)) < 0.02, "\(share)")
    // Without dithering it is all or nothing.
    #expect([0, 1].contains(try ink(gray, dithered: false)))
  }

  /// The dither pattern depends on the rows above, including white ones that are left out.
  @Test(arguments: [1, 2, 7])
  func `white rows that are not drawn leave the dots below as they are`(_ white: Int) throws {
    let (width, height) = (64, 30)
    let page = RasterPage(
      width: width, height: height, resolution: Resolution(203), pixels: .black1)
    let gray = (0..<10 * width).map { UInt8(90 + $0 % width) }
    let paper = [UInt8](repeating: 255, count: white * width)
    func bytes(_ encodeWhite: (inout PageEncoder) -> Void) throws -> [UInt8] {
      var encoder = try PageEncoder(page, format: .pwg, dithered: true)
      encode(gray, width: width, rows: 10, with: &encoder)
      encodeWhite(&encoder)
      encode(gray, width: width, rows: 10, with: &encoder)
      encoder.encodeBlank(rows: encoder.remaining)
      var bytes: [UInt8] = []
      encoder.drain { piece in piece.withUnsafeBytes { bytes += Array($0) } }
      return bytes
    }
    let drawn = try bytes { encode(paper, width: width, rows: white, with: &$0) }
    let leftOut = try bytes { $0.encodeBlank(rows: white) }
    #expect(drawn == leftOut)
  }

  @Test func `black and white stay black and white`() throws {
    #expect(try ink(0, dithered: true) == 1)
    #expect(try ink(255, dithered: true) == 0)
  }

  /// A black bar next to gray keeps its edges: it has no missing dots, and no extra ones next to it.
  @Test func `letters keep hard edges beside a picture`() throws {
    let (width, height) = (64, 64)
    var rows = [UInt8](repeating: 255, count: width * height)
    for y in 0..<height {
      for x in 0..<16 { rows[y * width + x] = 128 }
      for x in 24..<40 { rows[y * width + x] = 0 }
    }
    let bits = try encoded(rows, width: width, height: height, dithered: true)
    for y in 0..<height {
      let line = Array(bits[y * 8..<y * 8 + 8])
      #expect(Array(line[2...]) == [0, 0xFF, 0xFF, 0, 0, 0], "line \(y)")
    }
  }
}
