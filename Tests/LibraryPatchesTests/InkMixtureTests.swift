import CCairo
import DocumentBytes
import Drawing
import Glibc
import LateLibraries
import PDF
import PrintModel
import Testing

@testable import LibraryPatches

/// CMYK pictures have the same colors as in Poppler.
@Suite struct InkMixtureTests {
  /// Returns the color of four inks, 0 to 1, interpolated between the colors of full inks: `0xRRGGBB`.
  ///
  /// Each full mixture is darker than the one before, and none is a whole number.
  private static func mixed(_ inks: [Double]) -> [Double] {
    (0..<3).map { channel in
      (0..<16).map { corner in
        let share = (0..<4).map { corner & 8 >> $0 != 0 ? inks[$0] : 1 - inks[$0] }
        let full = Double((corner * (channel + 3)) % 16) / 16.7
        return share.reduce(1, *) * (1 - full)
      }.reduce(0, +)
    }
  }

  private static func colors(_ inks: [UInt8], by mix: ([Double]) -> [Double]) -> [UInt32] {
    stride(from: 0, to: inks.count, by: 4).map { place in
      mix(inks[place..<place + 4].map { Double($0) / 255 })
        .reduce(0) { $0 << 8 | UInt32(max(0, min(255, $1 * 255))) }
    }
  }

  private static let someInks: [UInt8] = {
    var number: UInt32 = 7
    return (0..<16_000).map { _ in
      number = number &* 1_103_515_245 &+ 12_345
      return UInt8(number >> 24)
    }
  }()

  @Test func `the mixture of every ink with every other`() throws {
    let mixture = try #require(InkMixture { Self.colors($0, by: Self.mixed) })
    let inks = Self.someInks
    var ours = [UInt32](repeating: 0, count: inks.count / 4)
    mixture.convert(inks, &ours, count: ours.count)
    let expected = Self.colors(inks, by: Self.mixed)
    var worst = 0
    for (ours, expected) in zip(ours, expected) {
      for shift in [0, 8, 16] as [UInt32] {
        worst = max(worst, abs(Int(ours >> shift & 255) - Int(expected >> shift & 255)))
      }
    }
    #expect(worst <= 1)
    // It is not a uniform picture.
    #expect(Set(expected).count > 1_000)
  }

  /// Checks full and nearly full inks, for which Poppler's colors are 0 or slightly more.
  @Test func `the darkest mixtures stay dark`() throws {
    try GraphicsLibraries.pdf.load()
    guard let poppler = CMYKLines.poppler else { return }
    func theirs(_ inks: [UInt8]) -> [UInt32] {
      var colors = [UInt32](repeating: 0, count: inks.count / 4)
      poppler(nil, inks, &colors, Int32(colors.count))
      return colors
    }
    let mixture = try #require(InkMixture(theirs))
    let amounts: [UInt8] = [0, 1, 127, 200, 240, 250, 254, 255]
    let inks = (0..<4_096).flatMap { number in (0..<4).map { amounts[number >> (3 * $0) & 7] } }
    var ours = [UInt32](repeating: 0, count: inks.count / 4)
    mixture.convert(inks, &ours, count: ours.count)
    var worst = 0
    for (ours, expected) in zip(ours, theirs(inks)) {
      for shift in [0, 8, 16] as [UInt32] {
        worst = max(worst, abs(Int(ours >> shift & 255) - Int(expected >> shift & 255)))
      }
    }
    #expect(worst <= 1)
  }

  /// Poppler then converts the colors itself.
  @Test(
    arguments: [
      // Paper that is not white.
      { (inks: [Double]) in mixed(inks).map { $0 * 0.9 } },
      // Curves.
      { (inks: [Double]) in mixed(inks.map { $0 * $0 }) },
      // Linear in each single ink, but not in mixtures.
      { (inks: [Double]) in
        mixed(inks).map {
          $0 * (inks[0] > 0.1 && inks[0] < 0.9 && inks[1] > 0.5 && inks[1] < 0.9 ? 0.8 : 1)
        }
      },
    ] as [@Sendable ([Double]) -> [Double]])
  func `colors that mix otherwise`(_ mix: @Sendable ([Double]) -> [Double]) {
    #expect(InkMixture { Self.colors($0, by: mix) } == nil)
  }

  /// Returns a PDF of one page with a square picture of this size, with 8 by 8 fields of different inks.
  private static func pdf(side: Int) -> [UInt8] {
    var pixels: [UInt8] = []
    for y in 0..<side {
      for x in 0..<side {
        let field = y * 8 / side * 8 + x * 8 / side
        pixels += [field * 4, field % 8 * 36, 255 - field * 3, field % 5 * 40].map { UInt8($0) }
      }
    }
    let drawing = "q 64 0 0 64 0 0 cm /P Do Q"
    var file = Array("%PDF-1.4\n".utf8)
    file += "1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n".utf8
    file += "2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n".utf8
    file +=
      """
      3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 64 64]/Contents 4 0 R/Resources<</XObject<</P 5 0 R>>>>>> endobj
      4 0 obj <</Length \(drawing.utf8.count)>> stream
      \(drawing)
      endstream endobj
      5 0 obj <</Type/XObject/Subtype/Image/Width \(side)/Height \(side)/ColorSpace/DeviceCMYK/BitsPerComponent 8\
      /Length \(pixels.count)>> stream

      """.utf8
    file += pixels
    file += "\nendstream endobj\ntrailer <</Root 1 0 R>>\n".utf8
    return file
  }

  /// Returns the colors in the middle of the fields.
  private func fields(side: Int) throws -> [UInt32] {
    var name = Array("/tmp/picture-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    unlink(name)
    defer { close(descriptor) }
    let bytes = Self.pdf(side: side)
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    let pages = try PDFPages(MappedFile(descriptor), password: nil)
    let canvas = try Canvas(width: 64, height: 64)
    let context = try #require(cairo_create(canvas.surface))
    try HairlineStrokes.enforce { () throws(Failure) in try pages.draw(0, on: context) }
    cairo_destroy(context)
    return canvas.withPixels { pixels in
      (0..<64).map { field in
        let place = (field / 8 * 8 + 4) * canvas.stride + (field % 8 * 8 + 4) * 4
        return pixels.loadUnaligned(fromByteOffset: place, as: UInt32.self) & 0xFF_FFFF
      }
    }
  }

  /// Checks this with the Poppler versions whose function ours replaces.
  @Test func `Poppler mixes inks as is expected`() throws {
    try GraphicsLibraries.pdf.load()
    guard let poppler = CMYKLines.poppler else { return }
    let mixture = InkMixture { inks in
      var colors = [UInt32](repeating: 0, count: inks.count / 4)
      poppler(nil, inks, &colors, Int32(colors.count))
      return colors
    }
    #expect(mixture != nil)
  }

  /// Poppler converts a picture of few pixels, our function one of many.
  @Test func `a picture of many pixels is as one of few`() throws {
    let few = try fields(side: 64)
    #expect(Set(few).count == 64)
    for (ours, expected) in zip(try fields(side: 512), few) {
      for shift in [0, 8, 16] as [UInt32] {
        #expect(abs(Int(ours >> shift & 255) - Int(expected >> shift & 255)) <= 1)
      }
    }
  }
}
