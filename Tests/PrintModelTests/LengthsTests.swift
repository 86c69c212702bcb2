import PrintModel
import Testing

@Suite struct LengthsTests {
  @Test func `points and hundredths of a millimeter`() {
    #expect(Hundredths(2_540).points == 72)
    #expect(Hundredths(points: 72) == 2_540)
    // A PDF's A4 is slightly off; the tolerance is 1.76 mm.
    let a4 = PageSize(width: 595, height: 842).media
    #expect(a4 == MediaSize(width: 20_990, length: 29_704))
    #expect(a4.matches(MediaSize(width: 21_000, length: 29_700), within: MediaSize.near))
  }

  @Test(arguments: [
    ("10x15cm", "4x6in", true), ("13x18cm", "5x7in", true), ("9x13cm", "3.5x5in", true),
    ("20x25cm", "8x10in", false), ("10x15cm", "100x148mm", false), ("A4", "Letter", false),
    ("A6", "4x6in", false), ("100x148mm", "4x6in", false), ("10x15cm", "10x15cm", false),
  ])
  func `photo paper has a name in centimeters and one in inches`(
    _ one: String, _ other: String, _ isSame: Bool
  ) throws {
    let sizes = try [one, other].map {
      try #require(StandardMedia.named($0)?.size ?? MediaName.dimensions($0))
    }
    #expect(sizes[0].isSamePhoto(as: sizes[1]) == isSame)
    #expect(sizes[1].isSamePhoto(as: sizes[0]) == isSame)
  }

  /// A document can state any page size.
  @Test(arguments: [
    Double.infinity, -.infinity, .nan, 1e300, -1e300, .greatestFiniteMagnitude,
  ])
  func `a length that no number holds is no crash`(_ points: Double) {
    let length = Hundredths(points: points)
    #expect(length.distance(to: 0) <= 1_000_000_000)
    #expect(points.isNaN ? length == 0 : (length < 0) == (points < 0) && length != 0)
  }

  /// Sizes are truncated, as by PWG 5102.4's writers: with one pixel more, a printer aborted the job (pappl#59).
  @Test(arguments: [
    (21_000, 300, 2480), (29_700, 300, 3507), (10_160, 300, 1200), (15_240, 300, 1800),
    (21_590, 600, 5100), (7_200, 203, 575), (0, 600, 0),
  ])
  func `pixels are cut off`(_ length: Int, _ dpi: Int, _ pixels: Int) {
    #expect(Hundredths(length).pixels(dpi: dpi) == pixels)
  }

  @Test(arguments: [
    (21_000, "210 mm"), (21_590, "215.9 mm"), (6_250, "62.5 mm"), (6_204, "62 mm"),
    (6_205, "62.1 mm"), (99, "1 mm"), (0, "0 mm"),
  ])
  func `millimeters in a sentence`(_ length: Int, _ words: String) {
    #expect(Hundredths(length).inMillimeters == words)
  }

  @Test func `sizes are compared side by side, this way round`() {
    let size = MediaSize(width: 10_000, length: 15_000)
    #expect(size.matches(MediaSize(width: 10_050, length: 14_950), within: 50))
    #expect(!size.matches(MediaSize(width: 10_051, length: 15_000), within: 50))
    #expect(!size.matches(size.rotated, within: 50))
    #expect(size.rotated.rotated == size)
  }

  @Test func `what can be printed on lies inside the margins`() {
    let paper = Paper(
      name: "x", size: MediaSize(width: 25_400, length: 50_800),
      margins: Margins(top: 2_540, bottom: 5_080, left: 1_270, right: 3_810), isReady: true)
    #expect(paper.paperRect == Rectangle(x: 0, y: 0, width: 720, height: 1440))
    #expect(paper.printableRect == Rectangle(x: 36, y: 72, width: 576, height: 1224))
    #expect(!paper.isBorderless)
  }
}
