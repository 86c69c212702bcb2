import TestSupport
import Testing

/// `preview` of every type: the sheet's size, the page on it, the tinted margin, the cut.
@Suite(.inTurn) struct PreviewPixelTests {
  /// A type with its options, the page, the sheet in 1/100 mm, and the expected place of the page.
  struct Case: Sendable, CustomTestStringConvertible {
    var type: String
    var options: [String] = []
    var page: PageShape
    var sheet: (width: Int, length: Int)
    var place: @Sendable (Area) -> Area

    var testDescription: String { "\(([type] + options).joined(separator: " ")), \(page)" }
  }

  static let cases = [
    Case(type: "document", page: .a5, sheet: (21_000, 29_700)) { $0.centred(419.528, 595.276) },
    // The sheet is turned so that its pages are upright.
    Case(type: "document", page: PageShape.a5.turned, sheet: (29_700, 21_000)) {
      $0.centred(595.276, 419.528)
    },
    Case(
      type: "document", options: ["--number-up", "2"], page: .a5, sheet: (29_700, 21_000)
    ) { Area(3, 3, $0.width / 2 - 6, $0.height - 6).fitted(.a5) },
    Case(
      type: "envelope", options: ["--paper", "dl"], page: PageShape(600, 300),
      sheet: (22_000, 11_000), place: { $0.centred(600, 300) }),
    Case(
      type: "label", options: ["--paper", "62x100mm", "--color", "color"],
      page: PageShape(170, 200),
      sheet: (6_200, 10_000)
    ) { $0.centred(170, 200) },
    Case(type: "photo", page: PageShape(300, 400), sheet: (10_000, 15_000)) {
      $0.fitted(PageShape(300, 400))
    },
    Case(
      type: "postcard", options: ["--paper", "hagaki"], page: PageShape(300, 400),
      sheet: (10_000, 14_800)
    ) { $0.fitted(PageShape(300, 400)) },
    Case(
      type: "receipt", options: ["--paper", "80mm", "--color", "color"], page: PageShape(200, 300),
      sheet: (8_000, 10_600)
    ) { Area(($0.width - 200) / 2, 0, 200, 300) },
    Case(
      type: "roll", options: ["--paper", "62mm"], page: PageShape(100, 150),
      sheet: (6_200, 9_300)
    ) { Area(0, 0, $0.width, $0.width * 1.5) },
    Case(
      type: "large-format", options: ["--paper", "420mm"], page: PageShape(800, 100),
      sheet: (42_000, 3_600)
    ) { Area(($0.width - 800) / 2, 0, 800, 100) },
    Case(
      type: "disc", options: ["--paper", "cd"], page: PageShape(300, 400), sheet: (11_800, 11_800)
    ) { $0.fitted(PageShape(300, 400)) },
  ]

  @Test(arguments: cases)
  func `a picture and a PDF show the page where it will be`(_ test: Case) async throws {
    let person = try await Person.anybody()
    let file = try person.document(test.page.landmarks())
    let options = ["--type", test.type] + test.options
    for output in [person.path("sheet.png"), person.path("sheet.pdf")] {
      let outcome = try await person.airprint(
        ["preview", file, "-o", output] + options, adding: ["LC_ALL": "de_DE.UTF-8"])
      try #require(outcome.code == 0, "\(outcome.report)")
      let sheets =
        output.hasSuffix("png")
        ? [try Sheet(picture: try bytes(of: output), resolution: 150)]
        : try await person.pdftoppm(output, resolution: 150)
      try #require(sheets.count == 1)
      let whole = Area(0, 0, points(test.sheet.width), points(test.sheet.length))
      #expect(sheets[0].whole.isWithin(1, of: whole), "\(sheets[0].whole), not \(whole)")
      // pdftoppm cuts the page at its own pixels, so one more may differ.
      sheets[0].expect(
        1, of: test.page, at: test.place(whole), pixels: output.hasSuffix("png") ? 1 : 2)
    }
  }

  @Test func `the margin is tinted, with what falls into it still to be seen`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.press()
    let file = try person.document(PageShape.a5.landmarks())
    for output in [person.path("margins.png"), person.path("margins.pdf")] {
      let outcome = try await person.airprint("preview", file, "-o", output, "-d", printer.uri)
      try #require(outcome.code == 0, "\(outcome.report)")
      let sheet =
        output.hasSuffix("png")
        ? try Sheet(picture: try bytes(of: output), resolution: 150)
        : try #require(try await person.pdftoppm(output, resolution: 150).first)
      sheet.expect(1, of: .a5, at: A5.whole)
      // Checks a line through each margin, away from the landmarks.
      let middle = (x: A5.whole.width / 2, y: A5.whole.height / 2)
      for (x, y, isTinted) in [
        (middle.x, 2.0, true), (middle.x, A5.printable.top - 1, true),
        (middle.x, A5.printable.top + 1, false), (middle.x, A5.printable.bottom - 1, false),
        (middle.x, A5.printable.bottom + 1, true), (2, middle.y, true),
        (A5.printable.left - 1, middle.y, true), (A5.printable.left + 1, middle.y, false),
        (A5.printable.right - 1, middle.y, false), (A5.printable.right + 1, middle.y, true),
      ] {
        let dot = sheet.dot(x, y)
        #expect((dot != [255, 255, 255]) == isTinted, "\(dot) at \(x), \(y) of \(output)")
        #expect(dot.allSatisfy { $0 > 180 }, "\(dot)")
      }
    }
    await printer.stop()
  }

  @Test func `a receipt's preview ends at its cut, and a back is upright`() async throws {
    let person = try await Person.anybody()
    let till = try await person.till()
    let pages = [170.0, 113.0].map {
      PDF.Page(
        width: 204.1, height: 700, marks: [PDF.Mark(x: 0, y: 0, width: 204.1, height: $0)])
    }
    let receipt = try await person.previewed(
      PDF(pages: pages).bytes, ["--type", "receipt", "-d", till.uri])
    try #require(receipt.count == 2)
    // 60 mm of content plus twice 4 mm; 40 mm of content.
    for (side, length) in zip(receipt, [6_800, 4_800]) {
      #expect(side.whole.isWithin(1, of: Area(0, 0, points(8_000), points(length))))
      // The margin of 4 mm above the cut is tinted, and the content extends down to it.
      #expect(side.dot(113, points(length) - 6) != [255, 255, 255])
      #expect(side.dot(113, points(length - 400) - 3) == [0, 0, 0])
    }
    await till.stop()
    let sides = try await person.previewed(
      PageShape.a5.landmarks(pages: 2),
      ["--paper", "A5", "--sides", "long", "--sheet-back", "rotated"])
    try #require(sides.count == 2)
    for (index, side) in sides.enumerated() { side.expect(index + 1, of: .a5, at: A5.whole) }
  }
}

extension Sheet {
  /// Returns red, green and blue at a position in points.
  func dot(_ x: Double, _ y: Double) -> [UInt8] {
    let start = (Int(y / pixel) * width + Int(x / pixel)) * bytesPerPixel
    return Array(pixels[start..<start + bytesPerPixel])
  }
}
