import TestSupport
import Testing

/// The position of a page on its sheet: the five values of print-scaling, and the orientation.
@Suite(.inTurn) struct PlacePixelTests {
  /// One smaller than the sheet, and one larger.
  static let small = PageShape(200, 320)
  static let large = PageShape(450, 620)

  @Test func `five scalings of a smaller and of a larger page`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.press()
    let expectations: [(String, PageShape, Area)] = [
      ("auto", Self.small, A5.whole.centred(200, 320)),
      ("auto-fit", Self.small, A5.whole.centred(200, 320)),
      ("none", Self.small, A5.whole.centred(200, 320)),
      ("fit", Self.small, A5.printable.fitted(Self.small)),
      ("fill", Self.small, A5.whole.filled(Self.small)),
      ("auto", Self.large, A5.printable.fitted(Self.large)),
      ("auto-fit", Self.large, A5.printable.fitted(Self.large)),
      ("none", Self.large, A5.whole.centred(450, 620)),
      ("fit", Self.large, A5.printable.fitted(Self.large)),
      ("fill", Self.large, A5.whole.filled(Self.large)),
    ]
    for (scaling, page, area) in expectations {
      let job = try await person.nextJob(
        at: printer, page.landmarks(), ["--scaling", scaling])
      let side = try #require(try printer.sheets(of: job).first)
      side.expect(1, of: page, at: area)
      // The page is already placed, so the printer must not place it again.
      #expect(job["print-scaling"] == "none")
    }
    await printer.stop()
  }

  @Test(arguments: [
    // A page of the sheet's size is only kept clear of the margins if it may be scaled.
    (PageShape.a5, "auto-fit", A5.printable.fitted(.a5)),
    (PageShape.a5, "auto", A5.whole),
    // Centered on the sheet, this page would lose its lower edge, although the printable area has room for it.
    (PageShape(380, 540), "auto-fit", Area(19.76, 21.26, 380, 540)),
    (PageShape(380, 540), "auto", Area(19.76, 21.26, 380, 540)),
    (PageShape(380, 540), "none", A5.whole.centred(380, 540)),
  ])
  func `nothing is lost in the margins that need not be`(
    _ page: PageShape, _ scaling: String, _ area: Area
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.press()
    let side = try #require(
      try await person.sides(at: printer, page.landmarks(), "--scaling", scaling).first)
    side.expect(1, of: page, at: area)
    await printer.stop()
  }

  private static let number = PDF.Mark(x: 200, y: 567, width: 20, height: 7)
  private static let ground = PDF.Mark(
    x: 0, y: 0, width: 419.528, height: 595.276, color: "0.7 0.8 1 rg")

  @Test(
    arguments: [
      // A page number 7.5 mm from the edge, of which the printer leaves 12 mm white: also on a colored ground.
      ([number], [], "auto-fit", nil),
      ([ground, number], [], "auto-fit", nil),
      ([number], ["--scaling", "none"], "none", "bottom"),
      ([PDF.Mark(x: 6, y: 200, width: 1, height: 90)], ["--scaling", "none"], "none", "left"),
      ([number], ["--scaling", "fill"], "fill", "bottom"),
      // What runs off the page, what nobody sees, and dust.
      ([PDF.Mark(x: 100, y: 570, width: 200, height: 30)], [], "auto", nil),
      ([ground], [], "auto", nil),
      ([PDF.Mark(x: 200, y: 567, width: 20, height: 7, color: "1 g")], [], "auto", nil),
      ([PDF.Mark(x: 200, y: 567, width: 1, height: 1)], [], "auto", nil),
      ([PDF.Mark(x: 30, y: 30, width: 300, height: 525)], [], "auto", nil),
    ] as [([PDF.Mark], [String], String, String?)])
  func `marks in the printer's margins`(
    _ marks: [PDF.Mark], _ options: [String], _ scaling: String, _ edge: String?
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.press()
    let page = PDF.Page(width: 419.528, height: 595.276, marks: marks)
    let file = try person.document(PDF(pages: [page]).bytes, "number.pdf")
    let print = ["print", "-d", printer.uri, "--dry-run", file] + options
    let plan = try await person.airprint(print + ["--json"])
    #expect(plan.code == 0, "\(plan.report)")
    #expect(try plan.json.scaling == .string(scaling), "\(plan.report)")
    let losses = try #require(try plan.json.losses?.array)
    #expect(losses.map { $0.reason?.string } == (edge == nil ? [] : ["unprintable-margin"]))
    #expect(losses.first?.edge?.string == edge)
    let strict = try await person.airprint(print + ["--strict"])
    #expect(strict.code == (edge == nil ? 0 : 64), "\(strict.report)")
    await printer.stop()
  }

  /// Of a long document, the first five pages that are printed, and all with --strict.
  @Test func `marks in the margins of a later page`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.press()
    let pages = (1...9).map { page in
      PDF.Page(width: 419.528, height: 595.276, marks: page == 8 ? [Self.number] : [])
    }
    let file = try person.document(PDF(pages: pages).bytes, "later.pdf")
    let print = ["print", "-d", printer.uri, "--dry-run", file]
    let alone = try await person.airprint(print + ["--json", "-P", "8-9"])
    #expect(alone.code == 0, "\(alone.report)")
    #expect(try alone.json.scaling == .string("auto-fit"), "\(alone.report)")
    let strict = try await person.airprint(print + ["--strict", "--scaling", "none"])
    #expect(strict.code == 64 && strict.stderr.contains("page 8"), "\(strict.report)")
    await printer.stop()
  }

  @Test func `a header that ends with an ellipsis is told, and refused with --strict`() async throws
  {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes, "page.pdf")
    let header = String(repeating: "header ", count: 60)
    let render = ["render", file, "-o", person.path("page.urf"), "--header", header]
    let told = try await person.airprint(render)
    #expect(told.code == 0 && told.stderr.contains("The header is too long"), "\(told.report)")
    #expect(try await person.airprint(render + ["--strict"]).code == 65)
    #expect(try await person.airprint(Array(render.dropLast()) + ["short", "--strict"]).code == 0)
  }

  @Test func `on two sides the larger of the top and bottom margins counts`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.press()
    let sides = try await person.sides(
      at: printer, PageShape.a5.landmarks(pages: 2), "--scaling", "auto-fit", "--sides", "long")
    try #require(sides.count == 2)
    for (index, side) in sides.enumerated() {
      side.expect(index + 1, of: .a5, at: A5.printableTwice.fitted(.a5))
    }
    await printer.stop()
  }

  @Test func `--position top begins where the printer can print`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.press()
    let side = try #require(
      try await person.sides(at: printer, Self.small.landmarks(), "--position", "top").first)
    let (left, top) = (A5.printable.left + (A5.printable.width - 200) / 2, A5.printable.top)
    side.expect(1, of: Self.small, at: Area(left, top, 200, 320))
    await printer.stop()
  }

  /// Turned from where they would be, in what the printer's own four margins leave.
  @Test(arguments: [
    (Self.small, "180", Lie.topAtBottom), (Self.small, "90", .topAtRight),
    (Self.small, "270", .topAtLeft), (Self.small.turned, "180", .topAtRight),
    (Self.small.turned, "90", .upright),
  ])
  func `--rotate turns a page on its sheet`(
    _ page: PageShape, _ degrees: String, _ lie: Lie
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.press()
    let options = ["--scaling", "fit", "--rotate", degrees]
    let isAcross = [.topAtRight, .topAtLeft].contains(lie)
    let area = A5.printable.fitted(isAcross ? page.turned : page)
    for format in ["urf", "pwg"] {
      let job = try await person.nextJob(
        at: printer, page.landmarks(), options + ["--format", format])
      let side = try #require(try printer.sheets(of: job).first)
      side.expect(1, of: page, at: area, lie)
      #expect(job["orientation-requested"] == nil)
    }
    // A preview shows the paper as its reader holds it without.
    let preview = try #require(
      try await person.previewed(page.landmarks(), ["-d", printer.uri] + options).first)
    #expect((preview.width > preview.height) == (page.width > page.height))
    await printer.stop()
  }

  /// The preferred one of orientation-requested's two landscapes: 4 is counter-clockwise, 5 clockwise.
  @Test(arguments: [(4, Lie.topAtLeft), (5, .topAtRight)])
  func `a portrait and a landscape page, each way round`(
    _ preferred: Int, _ lie: Lie
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.press(with: [
      "enum landscape-orientation-requested-preferred \(preferred)"
    ])
    let (portrait, landscape) = (PageShape(300, 380), PageShape(380, 300))
    let expectations: [(String, PageShape, Area, Lie)] = [
      ("auto", portrait, A5.whole.centred(300, 380), .upright),
      ("portrait", portrait, A5.whole.centred(300, 380), .upright),
      ("landscape", portrait, A5.whole.centred(380, 300), lie),
      ("auto", landscape, A5.whole.centred(300, 380), lie),
      ("portrait", landscape, A5.whole.centred(380, 300), .upright),
      ("landscape", landscape, A5.whole.centred(300, 380), lie),
    ]
    for (orientation, page, area, lie) in expectations {
      let side = try #require(
        try await person.sides(
          at: printer, page.landmarks(), "--orientation", orientation
        ).first)
      side.expect(1, of: page, at: area, lie)
    }
    // On a turned page, the four margins stay those of the sheet.
    let fitted = try #require(
      try await person.sides(at: printer, landscape.landmarks(), "--scaling", "fit").first)
    fitted.expect(1, of: landscape, at: A5.printable.fitted(portrait), lie)
    await printer.stop()
  }
}

extension Area {
  /// Returns the largest area in the middle of this one that holds the whole page.
  func fitted(_ page: PageShape) -> Area {
    let scale = min(width / page.width, height / page.height)
    return centred(page.width * scale, page.height * scale)
  }

  /// Returns the smallest area in the middle of this one that leaves nothing bare.
  func filled(_ page: PageShape) -> Area {
    let scale = max(width / page.width, height / page.height)
    return centred(page.width * scale, page.height * scale)
  }
}
