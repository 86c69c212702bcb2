internal import CCups
import PrintModel
import Raster
import Testing

@Suite struct HeaderTests {
  @Test func `a URF file begins as Apple Raster does`() {
    #expect(
      RasterFormat.urf.fileHead(pages: 2) == Array("UNIRAST\0".utf8) + [0, 0, 0, 2])
    #expect(RasterFormat.urf.fileHead(pages: 0x01_0203_04).suffix(4) == [1, 2, 3, 4])
    #expect(RasterFormat.pwg.fileHead(pages: 2) == Array("RaS2".utf8))
  }

  @Test func `a URF page header is 32 known bytes`() {
    var page = RasterPage(width: 16, height: 6, resolution: Resolution(300), pixels: .srgb24)
    page.sides = .shortEdge
    page.quality = .high
    page.mediaType = "photographic-glossy"
    page.mediaPosition = 7
    #expect(
      RasterFormat.urf.pageHeader(page) == [
        0x18, 0x01, 0x02, 0x05, 0x0B, 0x07, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0x06, 0, 0,
        0x01, 0x2C, 0, 0, 0, 0, 0, 0, 0, 0,
      ])
    page.pixels = .gray8
    page.sides = .longEdge
    page.quality = nil
    page.mediaType = "photographic"
    page.mediaPosition = 0
    #expect(RasterFormat.urf.pageHeader(page).prefix(8) == [8, 0, 3, 0, 0, 0, 0, 0])
    page.sides = .oneSided
    #expect(RasterFormat.urf.pageHeader(page)[2] == 1)
  }

  @Test func `our URF page is libcups' page, byte for byte`() throws {
    var header = try Libcups.header(type: "srgb_8", width: 16, height: 6, dpi: 300)
    header.Duplex = CUPS_TRUE
    header.Tumble = CUPS_TRUE
    header.cupsInteger.8 = 5
    header.MediaPosition = 7
    withUnsafeMutableBytes(of: &header.MediaType) { $0.copyBytes(from: "disc\0".utf8) }
    let theirs = try Libcups.write(
      header, pages: 1, pixels: [UInt8](repeating: 0xFF, count: 16 * 6 * 3), format: .urf)
    let sample = Sample(width: 16, height: 6) { _, _ in 0xFF_FFFF }
    var page = sample.page(.srgb24)
    page.sides = .shortEdge
    page.quality = .high
    page.mediaType = "disc"
    page.mediaPosition = 7
    let ours = try sample.encoded(page, .urf)
    #expect(ours == theirs)
    #expect(ours.suffix(5) == [0x05, 0x0F, 0xFF, 0xFF, 0xFF])
  }

  @Test(arguments: Array(urfMediaTypes.enumerated()))
  func `media types have libcups' numbers`(number: Int, type: String) throws {
    var header = try Libcups.header(type: "sgray_8", width: 1, height: 1, dpi: 300)
    withUnsafeMutableBytes(of: &header.MediaType) { $0.copyBytes(from: (type + "\0").utf8) }
    let theirs = try Libcups.write(header, pages: 1, pixels: [0], format: .urf)
    var page = RasterPage(width: 1, height: 1, resolution: Resolution(300), pixels: .gray8)
    page.mediaType = type
    #expect(theirs[12 + 4] == number)
    #expect(RasterFormat.urf.pageHeader(page)[4] == number)
  }

  @Test func `libcups reads every PWG field as it was given`() throws {
    let sample = Sample(width: 40, height: 3) { x, _ in x < 8 ? 0 : 0xFF_FFFF }
    for pixels in RasterFormat.pwg.written {
      let page = sample.fullPage(pixels)
      let header = try #require(try Libcups.read(sample.encoded(page, .pwg)).first).header
      #expect(text(header.MediaClass) == "PwgRaster")
      #expect(text(header.MediaType) == page.mediaType)
      #expect(text(header.OutputType) == page.contentOptimize)
      #expect(text(header.cupsPageSizeName) == page.sizeName)
      #expect(header.CutMedia == CUPS_CUT_PAGE)
      #expect(header.Duplex == CUPS_TRUE && header.Tumble == CUPS_TRUE)
      #expect(header.HWResolution == (600, 300))
      #expect(header.MediaPosition == 3)
      #expect(header.NumCopies == 4)
      #expect(header.PageSize == (595, 841))
      #expect(header.cupsWidth == 40 && header.cupsHeight == 3)
      #expect(header.cupsBitsPerColor == pixels.bitsPerColor)
      #expect(header.cupsBitsPerPixel == pixels.bitsPerPixel)
      #expect(header.cupsBytesPerLine == (40 * pixels.bitsPerPixel + 7) / 8)
      #expect(header.cupsColorOrder == CUPS_ORDER_CHUNKED)
      #expect(header.cupsColorSpace.rawValue == pixels.space.rawValue)
      #expect(header.cupsNumColors == pixels.colors)
      let numbers = header.cupsInteger
      #expect((numbers.0, numbers.1, numbers.2) == (12, UInt32.max, 1))
      #expect((numbers.3, numbers.4, numbers.5, numbers.6) == (0, 0, 0, 0))
      #expect((numbers.7, numbers.8) == (0xFF_FFFF, 5))
    }
  }

  @Test func `our PWG header is libcups', byte for byte`() throws {
    let letter = try #require(StandardMedia.named("letter"))
    var header = try Libcups.header(
      media: letter.name, type: "sgray_8", resolution: Resolution(300), sides: .longEdge,
      back: .rotated)
    header.ImagingBoundingBox = (0, 0, 0, 0)  // CUPS' own, reserved in PWG 5102.4
    var page = RasterPage(
      sheet: letter.size, name: letter.name, resolution: Resolution(300), pixels: .gray8)
    page.sides = .longEdge
    page.turn = .back(of: .rotated, sides: .longEdge)
    page.totalPages = 1
    let blank = [UInt8](repeating: 0xFF, count: page.width * page.height)
    let theirs = try Libcups.write(header, pages: 1, pixels: blank, format: .pwg)[4..<1800]
    var ours = RasterFormat.pwg.pageHeader(page)
    #expect(zip(ours, theirs).enumerated().filter { $1.0 != $1.1 }.map(\.offset) == [])
    // Except for the quality, which libcups does not write.
    page.quality = .normal
    ours = RasterFormat.pwg.pageHeader(page)
    #expect(zip(ours, theirs).enumerated().filter { $1.0 != $1.1 }.map(\.offset) == [487])
  }

  @Test(arguments: StandardMedia.all.map(\.name), [150, 203, 300, 360, 600, 720, 1200])
  func `a sheet has the pixels that libcups gives it`(name: String, dpi: Int) throws {
    let size = try Libcups.size(of: name)
    let theirs = try Libcups.header(media: name, type: "srgb_8", resolution: Resolution(dpi))
    let ours = RasterPage(sheet: size, name: name, resolution: Resolution(dpi), pixels: .srgb24)
    #expect(ours.width == theirs.cupsWidth && ours.height == theirs.cupsHeight)
    #expect(ours.pageWidth == theirs.PageSize.0 && ours.pageLength == theirs.PageSize.1)
    #expect(ours.sizeName == text(theirs.cupsPageSizeName))
  }

  @Test func `a keyword that does not fit is left out, not cut`() throws {
    let sample = Sample(width: 1, height: 1) { _, _ in 0 }
    var page = sample.page(.gray8)
    page.mediaType = String(repeating: "a", count: 63)
    page.sizeName = String(repeating: "a", count: 64)
    page.contentOptimize = "größe"
    let header = try #require(try Libcups.read(sample.encoded(page, .pwg)).first).header
    #expect(text(header.MediaType) == page.mediaType)
    #expect(text(header.cupsPageSizeName) == "")
    #expect(text(header.OutputType) == "")
    page.contentOptimize = "a\0b"
    let other = try #require(try Libcups.read(sample.encoded(page, .pwg)).first).header
    #expect(text(other.OutputType) == "")
  }
}
