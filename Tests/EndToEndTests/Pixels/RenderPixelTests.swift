import TestSupport
import Testing

/// `render` without a printer, and `paper`: the basis for other programs.
@Suite(.inTurn) struct RenderPixelTests {
  @Test(arguments: ["urf", "pwg"], ["normal", "flipped", "rotated", "manual-tumble"])
  func `sides and sheet-back need no printer`(_ format: String, _ back: String) async throws {
    let person = try await Person.anybody()
    let feed = try #require(Feed.dm.first { $0.keyword == back })
    for binding in [Binding.longEdge, .shortEdge] {
      let sides = try await person.rendered(
        PageShape.a5.landmarks(pages: 2), "--paper", "A5", "--resolution", "75", "--sides",
        binding.option, "--sheet-back", back, as: format)
      try #require(sides.count == 2)
      sides[0].expect(1, of: .a5, at: A5.whole)
      sides[1].expect(
        2, of: .a5, at: A5.whole,
        seen: { binding.seen(feed.landing($0, binding, sides[1]), sides[1]) })
      #expect(sides.allSatisfy { $0.isDuplex && $0.isTumble == (binding == .shortEdge) })
    }
  }

  @Test(arguments: [
    ("A5", "75", 437, 620), ("letter", "50", 425, 550), ("4x6", "100", 400, 600),
    ("100x200mm", "127", 500, 1000), ("iso_a6_105x148mm", "100", 413, 582),
    // Columns have one resolution, rows the other.
    ("4x6", "100x200dpi", 400, 1200),
  ])
  func `paper and resolution make the pixels, in gray and in color`(
    _ paper: String, _ resolution: String, _ width: Int, _ height: Int
  ) async throws {
    let person = try await Person.anybody()
    let page = PDF.Page(
      width: 80, height: 100, marks: [PDF.Mark(x: 0, y: 0, width: 80, height: 100)])
    for (color, depth) in [("gray", 1), ("color", 3)] {
      let side = try #require(
        try await person.rendered(
          PDF(pages: [page]).bytes, "--paper", paper, "--resolution", resolution, "--color", color
        ).first)
      #expect((side.width, side.height, side.bytesPerPixel) == (width, height, depth))
      let ink = try #require(side.ink)
      // It is centered on the sheet, eighty points wide.
      #expect(abs((ink.left + ink.right) / 2 - side.whole.width / 2) <= side.pixel)
      #expect(abs((ink.top + ink.bottom) / 2 - side.whole.height / 2) <= side.pixel)
      #expect(abs(ink.right - ink.left - 80) <= 2 * side.pixel)
    }
  }

  @Test func `gray is how bright a color looks`() async throws {
    let person = try await Person.anybody()
    let marks = ["1 0 0 rg", "0 1 0 rg", "0 0 1 rg", "1 g"].enumerated().map {
      PDF.Mark(x: Double($0) * 50, y: 0, width: 50, height: 50, color: $1)
    }
    let document = PDF(pages: [PDF.Page(width: 200, height: 50, marks: marks)]).bytes
    for format in ["urf", "pwg"] {
      let side = try #require(
        try await person.rendered(
          document, "--paper", "200x50pt", "--color", "gray", "--resolution", "72",
          as: format
        ).first)
      let row = [25.0, 75, 125, 175].map { Int(side.dot($0, 25)[0]) }
      // Rec. 601: 0.299, 0.587, 0.114.
      for (got, wanted) in zip(row, [76, 150, 29, 255]) { #expect(abs(got - wanted) <= 2) }
    }
  }

  @Test func `a PDF that is made in gray has no color, and its white stays white`() async throws {
    let person = try await Person.anybody()
    let marks = [
      PDF.Mark(x: 0, y: 0, width: 50, height: 50, color: "1 0 0 rg"),
      PDF.Mark(x: 50, y: 0, width: 50, height: 50, color: "0 0 1 rg"),
    ]
    let file = try person.document(
      PDF(pages: [PDF.Page(width: 150, height: 50, marks: marks)]).bytes)
    let output = person.path("gray.pdf")
    let outcome = try await person.airprint(
      "render", file, "--paper", "150x50pt", "--color", "gray", "-o", output)
    try #require(outcome.code == 0, "\(outcome.report)")
    let side = try #require(try await person.pdftoppm(output, resolution: 72).first)
    for (x, wanted) in [(25.0, 76), (75, 28), (125, 255)] {
      for part in side.dot(x, 25) { #expect(abs(Int(part) - wanted) <= 2, "at \(x)") }
    }
  }

  @Test func `a PDF and a JPEG are laid out like the raster`() async throws {
    let person = try await Person.anybody()
    let page = PageShape(450, 620)
    let file = try person.document(page.landmarks())
    let options = ["--paper", "A5", "--resolution", "100", "--orientation", "portrait"]
    let place = A5.whole.fitted(page)
    for name in ["drawn.pdf", "drawn.jpg"] {
      let output = person.path(name)
      let outcome = try await person.airprint(["render", file, "-o", output] + options)
      try #require(outcome.code == 0, "\(outcome.report)")
      let side =
        name.hasSuffix("pdf")
        ? try #require(try await person.pdftoppm(output, resolution: 100).first)
        : try Sheet(picture: try bytes(of: output), resolution: 100)
      #expect(side.whole.isWithin(1, of: A5.whole))
      side.expect(1, of: page, at: place)
    }
  }

  @Test func `paper tells every length in points`() async throws {
    let person = try await Person.anybody()
    let press = try await person.press()
    let sheet = try await person.airprint("paper", press.uri, "--json").json
    await press.stop()
    let expectations: [(JSON?, Area)] = [
      (sheet.paperRect, A5.whole), (sheet.printableRect, A5.printable),
    ]
    for (rectangle, area) in expectations {
      let found = try #require(rectangle?.area)
      #expect(found.isWithin(0.001, of: area), "\(found)")
    }
    for (side, margin) in [
      ("top", A5.margins.top), ("bottom", A5.margins.bottom), ("left", A5.margins.left),
      ("right", A5.margins.right),
    ] { #expect(abs((sheet.margins?[side]?.number ?? 0) - points(margin)) < 0.001) }
    #expect(sheet.roll == .boolean(false) && sheet.cutLength == .null)
    let till = try await person.till()
    let roll = try await person.airprint(
      "paper", till.uri, "--type", "receipt", "--cut-length", "100mm", "--json"
    ).json
    await till.stop()
    let whole = try #require(roll.paperRect?.area)
    #expect(whole.isWithin(0.001, of: Area(0, 0, points(8_000), points(10_000))))
    let printable = try #require(roll.printableRect?.area)
    #expect(
      printable.isWithin(
        0.001, of: Area(points(400), points(400), points(7_200), points(9_200))))
    #expect(abs((roll.cutLength?.number ?? 0) - points(10_000)) < 0.001)
  }
}

extension JSON {
  /// The area of a JSON object `{x, y, width, height}`.
  fileprivate var area: Area? {
    guard let x = self.x?.number, let y = self.y?.number, let width = self.width?.number,
      let height = self.height?.number
    else { return nil }
    return Area(x, y, width, height)
  }
}
