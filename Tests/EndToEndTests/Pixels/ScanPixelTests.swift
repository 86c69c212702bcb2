import TestSupport
import Testing

/// Scanned pages as large as a page's memory limit, and with a border.
@Suite(.inTurn) struct ScanPixelTests {
  /// Returns an A4 page with a black picture of this many pixels, an inch or more from its edges.
  private static func scan(_ width: Int, _ height: Int) -> RawPDF {
    var page = RawPDF("395 0 0 642 100 100 cm /I Do", resources: "/XObject << /I 5 0 R >>")
    page.stream(
      5,
      "/Type /XObject /Subtype /Image /Width \(width) /Height \(height) /BitsPerComponent 8 "
        + "/ColorSpace /DeviceGray /Filter /FlateDecode",
      // It ends with whole pieces: in the row below the last one.
      Bomb.zlib([0, 0, 0], length: width * (height + 1)))
    return page
  }

  /// Two copies of an A4 picture at 600 dpi take 278 MB.
  @Test(arguments: [(2480, 3508, 64), (4960, 7016, 256), (4960, 7016, 96), (9920, 14032, 128)])
  func `it prints in the memory that there is`(
    _ width: Int, _ height: Int, _ memory: Int
  ) async throws {
    let person = try await Person.anybody()
    try person.configure("page-memory = \(memory)\n")
    let output = person.path("out.pwg")
    let drawn = try await person.airprint(
      "render", try person.document(Self.scan(width, height).bytes), "-o", output, "--paper",
      "595x842pt", "--resolution", "300", "--color", "gray")
    #expect(drawn.code == 0, "\(drawn.report)")
    let side = try #require(try Sheet.read(output).first)
    let ink = try #require(side.ink)
    #expect(ink.isAt(100, 100, 395, 642), "\(ink)")
    #expect(side.dot(300, 415)[0] == 0)
    // A reduced resolution is reported.
    let lines = drawn.stderr.split(separator: "\n").filter { !$0.hasPrefix("Wrote") }
    #expect(lines.allSatisfy { $0.contains("half of the resolution") }, "\(lines)")
  }

  /// Splash scales the whole picture for each band: 278 MB with four bytes per pixel, 70 MB in gray.
  @Test func `a gray A3 scan keeps its resolution on a color printer`() async throws {
    let (width, height) = (7016, 9921)
    var page = RawPDF(
      "842 0 0 1191 0 0 cm /I Do", resources: "/XObject << /I 5 0 R >>", box: "0 0 842 1191")
    page.stream(
      5,
      "/Type /XObject /Subtype /Image /Width \(width) /Height \(height) /BitsPerComponent 1 "
        + "/ColorSpace /DeviceGray /Filter /FlateDecode",
      Bomb.zlib([0, 0, 0], length: (width + 7) / 8 * height))
    let person = try await Person.anybody()
    let output = person.path("out.pwg")
    let drawn = try await person.airprint(
      "render", try person.document(page.bytes), "-o", output, "--paper", "842x1191pt",
      "--resolution", "600", "--color", "color", "--scaling", "none")
    #expect(drawn.code == 0, "\(drawn.report)")
    #expect(!drawn.stderr.contains("half of the resolution"), "\(drawn.report)")
    #expect(try #require(try Sheet.read(output).first).ink != nil)
  }

  /// OpenJPEG keeps four bytes for each sample of the whole picture: 420 MB in color, 140 MB in gray.
  @Test(arguments: [(3, "/DeviceRGB", true), (1, "/DeviceGray", false)])
  func `JPEG 2000 of A4 at 600 dpi prints, in color at half of its resolution`(
    _ components: Int, _ space: String, _ isHalved: Bool
  ) async throws {
    var page = RawPDF("395 0 0 642 100 100 cm /I Do", resources: "/XObject << /I 5 0 R >>")
    page.stream(
      5,
      "/Type /XObject /Subtype /Image /Width 4961 /Height 7016 /ColorSpace \(space) "
        + "/Filter /JPXDecode",
      PictureFile.grayJPEG2000(4961, 7016, components: components))
    let person = try await Person.anybody()
    let output = person.path("out.pwg")
    let drawn = try await person.airprint(
      "render", try person.document(page.bytes), "-o", output, "--paper", "595x842pt",
      "--resolution", "100", "--color", "color", "--scaling", "none")
    #expect(drawn.code == 0, "\(drawn.report)")
    let note = "A picture on page 1 is drawn at half of its resolution"
    #expect(drawn.stderr.contains(note) == isHalved, "\(drawn.report)")
    let side = try #require(try Sheet.read(output).first)
    for place in [(110.0, 110.0), (485, 732)] {
      let dot = side.dot(place.0, place.1)
      #expect(dot.allSatisfy { (126...130).contains($0) }, "\(dot) at \(place)")
    }
    #expect(
      side.dot(95, 95).allSatisfy { $0 == 255 } && side.dot(500, 747).allSatisfy { $0 == 255 })
  }

  /// A page with a picture that has a border of one pixel, as part of its gray or of its soft mask.
  private static func bordered(isMask: Bool) -> RawPDF {
    let (width, height) = (1_200, 1_600)
    var gray = [UInt8](repeating: 255, count: width * height)
    for x in 0..<width { (gray[x], gray[(height - 1) * width + x]) = (0, 0) }
    for y in 0..<height { (gray[y * width], gray[y * width + width - 1]) = (0, 0) }
    let picture =
      "/Type /XObject /Subtype /Image /Width \(width) /Height \(height) /BitsPerComponent 8 "
      + "/ColorSpace /DeviceGray"
    var page = RawPDF(
      "240 0 0 320 80.3 80.7 cm /I Do", resources: "/XObject << /I 5 0 R >>", box: "0 0 400 500")
    page.stream(
      5, isMask ? picture + " /SMask 6 0 R" : picture,
      isMask ? [UInt8](repeating: 0, count: gray.count) : gray)
    page.stream(6, picture, gray.map { ~$0 })
    return page
  }

  /// The edges of the picture are between pixels.
  @Test(arguments: [100, 150, 203], [false, true])
  func `a border of a picture is on all four sides, and as dark on each`(
    _ dpi: Int, _ isMask: Bool
  ) async throws {
    let person = try await Person.anybody()
    let side = try #require(
      try await person.rendered(
        Self.bordered(isMask: isMask).bytes, "--paper", "400x500pt", "--resolution", "\(dpi)",
        "--color", "gray", "--scaling", "none"
      ).first)
    func pixel(_ x: Int, _ y: Int) -> UInt8 {
      side.pixels[(y * side.width + x) * side.bytesPerPixel]
    }
    let (middle, center) = (side.height / 2, side.width / 2)
    let scale = Double(dpi) / 72
    // One of the picture's pixels is this share of the side's.
    let wanted = 255 * (1 - 240 * scale / 1_200)
    for edge in [80.3, 320.3] {
      let x = Int(edge * scale)
      let darkest = (x - 2...x + 2).map { pixel($0, middle) }.min() ?? 255
      #expect(abs(Double(darkest) - wanted) < 25, "\(darkest) instead of \(wanted) at \(edge)")
    }
    for edge in [99.3, 419.3] {
      let y = Int(edge * scale)
      let darkest = (y - 2...y + 2).map { pixel(center, $0) }.min() ?? 255
      #expect(abs(Double(darkest) - wanted) < 25, "\(darkest) instead of \(wanted) at \(edge)")
    }
  }
}
