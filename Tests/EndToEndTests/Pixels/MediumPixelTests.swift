import TestSupport
import Testing

/// Labels, photos and envelopes: adjustments of a page to its medium.
@Suite(.inTurn) struct MediumPixelTests {
  /// 62 by 29 mm at 203 dpi.
  static let label = (width: 495, height: 231)

  private func labelPrinter(_ person: Person) async throws -> VirtualPrinter {
    let column = Attributes.medium(6_200, 2_900, [150, 150, 150, 150], "main", "labels")
    return try await person.printer(
      "Labeller",
      Attributes.till + [
        "keyword printer-kind label",
        "keyword media-supported custom_label_62x29mm",
        "keyword media-ready custom_label_62x29mm",
        "collection media-size-supported "
          + "{ MEMBER integer x-dimension 6200 MEMBER integer y-dimension 2900 }",
        "keyword media-type-supported labels",
        "keyword media-source-supported main",
        "collection media-col-default \(column)",
        "collection media-col-ready \(column)",
      ])
  }

  /// Barcodes stay sharp (lprint#77): no pixel is scaled, softened or moved.
  @Test(arguments: ["urf", "pwg"])
  func `a picture of the label's pixels goes out pixel for pixel`(_ format: String) async throws {
    let person = try await Person.anybody()
    let printer = try await labelPrinter(person)
    let (width, height) = Self.label
    let upright = Picture(width: width, height: height, isNoise: true)
    let side = try #require(
      try await person.sides(
        at: printer, upright.png(), "--format", format, name: "label.png"
      ).first)
    try #require((side.width, side.height) == (width, height))
    // The comparison is outside the macro, which would compute the difference of two lists of a hundred thousand
    // numbers.
    let isKept = side.pixels == upright.gray
    #expect(isKept)
    // It is as high as the label is wide: it is turned, with its top on the label's left edge.
    let standing = Picture(width: height, height: width, isNoise: true)
    let turned = try #require(
      try await person.sides(
        at: printer, standing.png(), "--format", format, name: "label.png"
      ).first)
    let gray = standing.gray
    let expected = (0..<height).flatMap { y in
      (0..<width).map { x in gray[x * height + (height - 1 - y)] }
    }
    let isKeptTurned = turned.pixels == expected
    #expect(isKeptTurned)
    await printer.stop()
  }

  @Test func `a smaller label is not scaled, and lies in the middle`() async throws {
    let person = try await Person.anybody()
    let printer = try await labelPrinter(person)
    let page = PDF.Page(
      width: 100, height: 50, marks: [PDF.Mark(x: 0, y: 0, width: 100, height: 50)])
    let side = try #require(try await person.sides(at: printer, PDF(pages: [page]).bytes).first)
    let ink = try #require(side.ink)
    let place = Area(0, 0, points(6_200), points(2_900)).centred(100, 50)
    #expect(ink.isAt(place.left, place.top, 100, 50), "\(ink)")
    await printer.stop()
  }

  /// 4 by 6 inches without margins, and A4 with margins of 3 mm.
  @Test func `photos fill borderless paper, or fit`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let sheet = Area(0, 0, 288, 432)
    let (upright, wide) = (PageShape(300, 400), PageShape(400, 300))
    let expectations: [(PageShape, [String], Area, Lie)] = [
      // A page is not a picture: only pictures fill the sheet by default.
      (upright, ["--paper", "4x6"], sheet.fitted(upright), .upright),
      (upright, ["--paper", "4x6", "--scaling", "fill"], sheet.filled(upright), .upright),
      (upright, ["--paper", "4x6", "--scaling", "fit"], sheet.fitted(upright), .upright),
      (wide, ["--paper", "4x6"], sheet.fitted(upright), .topAtLeft),
      (wide, ["--paper", "4x6", "--scaling", "fit"], sheet.fitted(upright), .topAtLeft),
      (
        upright, ["--paper", "A4"],
        Area(points(300), points(300), points(20_400), points(29_100)).fitted(upright), .upright
      ),
    ]
    for (page, options, area, lie) in expectations {
      let job = try await person.nextJob(
        at: printer, page.landmarks(), ["--type", "photo"] + options)
      try #require(try printer.sheets(of: job).first).expect(1, of: page, at: area, lie)
    }
    await printer.stop()
  }
}
