import Glibc
import TestSupport
import Testing

/// Lines and bars thinner than a pixel, and adjoining pictures.
@Suite(.inTurn) struct LinePixelTests {
  /// Returns lines of one width: horizontal and vertical strokes and bars, a quarter of the page each.
  private func lines(_ width: Double) -> [UInt8] {
    var content = "0 G 0 g \(width) w\n"
    for index in 0..<20 {
      let place = 4 + Double(index) * 4.0501
      content += "4 \(place) m 90 \(place) l S\n"
      content += "\(100 + place) 4 m \(100 + place) 90 l S\n"
      content += "4 \(100 + place) 86 \(width) re f\n"
      content += "\(100 + place) 104 \(width) 86 re f\n"
    }
    return page(content)
  }

  private func page(_ content: String) -> [UInt8] {
    PDF(pages: [
      PDF.Page(
        width: 200, height: 200,
        marks: [PDF.Mark(x: 199, y: 199, width: 1, height: 1, color: content)])
    ]).bytes
  }

  /// Returns the lengths of the dark runs from one point to another, along an axis.
  private func runs(
    _ side: Sheet, from start: (Double, Double), to end: (Double, Double)
  ) -> [Int] {
    let pixels = Int(max(end.0 - start.0, end.1 - start.1) * Double(side.resolution) / 72)
    var runs: [Int] = []
    var wasDark = false
    for pixel in 0..<pixels {
      let share = Double(pixel) / Double(pixels)
      let dot = side.dot(
        start.0 + (end.0 - start.0) * share, start.1 + (end.1 - start.1) * share)
      let isDark = dot[0] < 128
      if isDark, wasDark { runs[runs.count - 1] += 1 } else if isDark { runs.append(1) }
      wasDark = isDark
    }
    return runs
  }

  /// macOS writes such a clip, and lines that are not quite vertical.
  @Test func `a clip larger than cairo can count hides nothing`() async throws {
    let person = try await Person.anybody()
    let clip = "-257698032 -257697240 515396064 515396064 re W n"
    let content = page("\(clip) 0 G 1 w 100 20 m 100.0001 180 l S 0 g 40 100 20 20 re f")
    let side = try #require(
      try await person.rendered(content, "--paper", "200x200pt", "--resolution", "600").first)
    #expect(runs(side, from: (80, 100), to: (120, 100)) == [8])
    #expect(side.dot(50, 90)[0] == 0)
  }

  @Test(arguments: [
    (600, "normal", 0.0), (600, "normal", 0.01), (600, "normal", 0.08), (600, "high", 0.01),
    (300, "normal", 0.01), (300, "normal", 0.2),
  ])
  func `no line is lost, however thin`(
    _ resolution: Int, _ quality: String, _ width: Double
  ) async throws {
    let person = try await Person.anybody()
    let side = try #require(
      try await person.rendered(
        lines(width), "--paper", "200x200pt", "--resolution", "\(resolution)", "--quality", quality,
        "--color", "gray"
      ).first)
    let seen = [
      "strokes across": runs(side, from: (50, 102), to: (50, 198)),
      "strokes down": runs(side, from: (102, 150), to: (198, 150)),
      "bars across": runs(side, from: (50, 2), to: (50, 98)),
      "bars down": runs(side, from: (102, 50), to: (198, 50)),
    ]
    for (kind, runs) in seen {
      #expect(runs.count == 20 && runs.allSatisfy { $0 <= 2 }, "\(kind): \(runs)")
    }
  }

  @Test func `a tile's line has a width of 1 until another is set`() async throws {
    let person = try await Person.anybody()
    let cell = "0 50 m 100 50 l S"
    let tiles = RawPDF(
      "/Pattern cs /P scn 0 0 200 200 re f", resources: "/Pattern << /P 5 0 R >>",
      box: "0 0 200 200"
    ).with {
      $0.stream(
        5,
        "/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 100 100] /XStep 100 /YStep 100 "
          + "/Resources << >>", Array(cell.utf8))
    }
    let side = try #require(
      try await person.rendered(
        tiles.bytes, "--paper", "200x200pt", "--resolution", "600", "--color", "gray"
      ).first)
    let widths = runs(side, from: (50, 2), to: (50, 198))
    // Of 600 dpi: 8 1/3 pixels.
    #expect(widths.count == 2 && widths.allSatisfy { (7...10).contains($0) }, "\(widths)")
  }

  @Test func `a thin sliver that lies across the pixels is whole`() async throws {
    let person = try await Person.anybody()
    let side = try #require(
      try await person.rendered(
        page("0 g 10 20 m 190 150 l 190 150.02 l 10 20.02 l h f"), "--paper", "200x200pt",
        "--resolution", "600", "--color", "gray"
      ).first)
    for x in stride(from: 20.0, to: 180, by: 1.3) {
      let y = 180 - (x - 10) * 130 / 180
      #expect(runs(side, from: (x, y - 2), to: (x, y + 2)).count == 1, "\(x)")
    }
  }

  /// Returns a circle or a quarter of one around (100, 100), made of Bézier curves.
  private static func arc(_ radius: Double, quarters: Int, isBack: Bool, joins: Bool) -> String {
    let pull = 0.5522847498
    let around: [(Double, Double)] = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    func place(_ from: (Double, Double), _ bent: Double, _ toward: (Double, Double)) -> String {
      let (x, y) = (from.0 + bent * toward.0, from.1 + bent * toward.1)
      return "\(100 + x * radius) \(100 + y * radius) "
    }
    let turns = (0..<quarters).map { (around[$0], around[($0 + 1) % 4]) }
    let steps = isBack ? turns.reversed().map { ($0.1, $0.0) } : turns
    return place(steps[0].0, 0, (0, 0)) + (joins ? "l " : "m ")
      + steps.map {
        place($0.0, pull, $0.1) + place($0.1, pull, $0.0) + place($0.1, 0, (0, 0)) + "c "
      }.joined()
  }

  /// Outlines of an arc and of rings, as drawing programs export strokes converted to shapes.
  @Test(arguments: [
    ("a quarter", 0.02), ("a quarter", 0.1), ("a ring", 0.03), ("a ring", 0.1),
    ("a ring of two turns", 0.03),
  ])
  func `a curved line that is the space between outlines is whole, and nothing else is drawn`(
    _ kind: String, _ width: Double
  ) async throws {
    let quarters = kind == "a quarter" ? 1 : 4
    let outer = Self.arc(80, quarters: quarters, isBack: false, joins: false)
    let inner = Self.arc(
      80 - width, quarters: quarters, isBack: kind != "a ring", joins: quarters == 1)
    let fill = kind == "a ring" ? "f*" : "f"
    // A thick part in the same path.
    let square = quarters == 1 ? "" : "95 95 10 10 re "
    let person = try await Person.anybody()
    let side = try #require(
      try await person.rendered(
        page("0 g \(outer)\(quarters == 1 ? "" : "h ")\(inner)h \(square)\(fill)"),
        "--paper", "200x200pt", "--resolution", "600", "--color", "gray", "--scaling", "none"
      ).first)
    var lost: [Int] = []
    for angle in 1..<90 * quarters {
      let (x, y) = (cos(Double(angle) * .pi / 180), sin(Double(angle) * .pi / 180))
      // A ray may pass between two pixels that only share a corner.
      let isSeen = stride(from: 79.7, through: 80.2, by: 0.03).contains { radius in
        let place = (100 + x * radius, 100 - y * radius)
        return [-0.06, 0, 0.06].contains { side.dot(place.0 + $0, place.1)[0] < 128 }
      }
      if !isSeen { lost.append(angle) }
    }
    #expect(lost.isEmpty)
    let dark = side.pixels.count { $0 < 128 }
    // The pixels of the line, at most two wide, and of the square.
    let length: Int = quarters * 1_048
    let rest: Int = quarters == 1 ? 0 : 84 * 84
    #expect(dark <= 2 * length + rest + 100, "\(dark) of a line of \(length)")
  }

  /// Frames of two rectangles, and the teeth of a comb: all sides, aligned with the pixels and at an angle.
  @Test(arguments: [0, 20])
  func `lines between outlines of straight lines are whole`(_ turn: Int) async throws {
    let angle = Double(turn) * .pi / 180
    var content = "0 g q \(cos(angle)) \(sin(angle)) \(-sin(angle)) \(cos(angle)) 100 100 cm "
    for index in 0..<10 {
      let half = 20 + Double(index) * 4.0501
      content += "\(-half) \(-half) \(2 * half) \(2 * half) re "
      content += "\(0.04 - half) \(0.04 - half) \(2 * half - 0.08) \(2 * half - 0.08) re f* "
    }
    content += "-18 -18 m 18 -18 l 18 -16 l "
    for index in (0..<8).reversed() {
      let x = -15 + Double(index) * 4.0501
      content += "\(x + 0.03) -16 l \(x + 0.03) 18 l \(x) 18 l \(x) -16 l "
    }
    let person = try await Person.anybody()
    let side = try #require(
      try await person.rendered(
        page(content + "-18 -16 l h f Q"), "--paper", "200x200pt", "--resolution", "600",
        "--color", "gray", "--scaling", "none"
      ).first)
    func expectLine(_ kind: String, _ from: (Double, Double), _ to: (Double, Double)) {
      let steps = 60
      let seen = (1..<steps).filter { step in
        let share = Double(step) / Double(steps)
        let (x, y) = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
        let place = (
          100 + x * cos(angle) - y * sin(angle), 100 - x * sin(angle) - y * cos(angle)
        )
        return [(0.0, 0.0), (0.12, 0), (-0.12, 0), (0, 0.12), (0, -0.12)].contains {
          side.dot(place.0 + $0.0, place.1 + $0.1)[0] < 128
        }
      }
      #expect(seen.count == steps - 1, "\(kind): \(seen.count)")
    }
    for index in 0..<10 {
      let half = 20 + Double(index) * 4.0501 - 0.02
      expectLine("left", (-half, -half), (-half, half))
      expectLine("right", (half, -half), (half, half))
      expectLine("bottom", (-half, -half), (half, -half))
      expectLine("top", (-half, half), (half, half))
      if index < 8 {
        let x = -15 + Double(index) * 4.0501 + 0.015
        expectLine("tooth", (x, -16), (x, 17.8))
      }
    }
    // The pixels of the lines, at most two wide, and of the comb's back: 10 frames, 8 teeth of 34 points.
    let length: Double = 8 * (200 + 45 * 4.0501) + 8 * 34
    let most = Int(2 * length * 600 / 72) + 300 * 17
    #expect(side.pixels.count { $0 < 128 } <= most)
  }

  private static let gradient =
    "/ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 200 0] /Extend [true true] "
    + "/Function << /FunctionType 2 /N 1 /C0 [0] /C1 [0.2] /Domain [0 1] >>"

  /// macOS writes gradients of Office in units of 1/12700 point: the page has 2,540,000 of them.
  @Test(
    arguments: [
      ("/ShadingType 2 /Coords [0 -4762.5 0 6032.5]", 69),
      ("/ShadingType 2 /Coords [0 6032.5 0 -4762.5]", 58),
      ("/ShadingType 2 /Coords [0 -4762.5 0 6032.5] /Extend [true true]", 69),
      ("/ShadingType 3 /Coords [0 0 0 0 0 6032] /Extend [true true]", 102),
    ], ["100", "600"])
  func `a gradient in tiny units is drawn`(
    _ shape: (coordinates: String, middle: Int), _ resolution: String
  ) async throws {
    let document = RawPDF(
      "q 10 119.5 180 .9 re W n .00007874016 0 0 -.00007874016 10 120 cm /S sh Q",
      resources: "/Shading << /S << \(shape.coordinates) /ColorSpace /DeviceGray "
        + "/Function << /FunctionType 2 /N 1 /C0 [0.1] /C1 [0.4] /Domain [0 1] >> >> >>",
      box: "0 0 200 200")
    let person = try await Person.anybody()
    let side = try #require(
      try await person.rendered(
        document.bytes, "--paper", "200x200pt", "--resolution", resolution, "--color", "gray",
        "--scaling", "none"
      ).first)
    let seen = [12.0, 100, 188].map { Int(side.dot($0, 200 - 119.95)[0]) }
    // At 100 dpi, it is a pixel and a quarter high.
    let most = resolution == "600" ? 6 : 60
    #expect(seen.allSatisfy { abs($0 - shape.middle) <= most }, "\(seen)")
    #expect(side.dot(100, 75)[0] == 255 && side.dot(5, 200 - 119.95)[0] == 255)
  }

  /// Thin clips, thin stencils, thin bars of a gradient, and strokes of a pen that is long in one direction and thin
  /// in the other.
  @Test(arguments: [(600, 0), (300, 0), (300, 90), (100, 0)])
  func `thin is not nothing, whatever it is made of`(_ resolution: Int, _ turn: Int) async throws {
    var content = "0 g 0 G /Pattern cs\n"
    for index in 0..<10 {
      let y = 10 + Double(index) * 5.13
      content += "q 10 \(y) 30 .03 re W n 0 g 0 0 200 200 re f Q\n"
      content += "q 50 \(y) 30 .03 re W n /S sh Q\n"
      content += "q 30 0 0 .04 90 \(y) cm 0 g BI /W 8 /H 1 /IM true /BPC 1 /F /AHx ID 00> EI Q\n"
      content += "/P scn 130 \(y) 30 .03 re f\n"
      content += "q 1 0 0 .001 0 0 cm 5 w 10 \((y + 90) * 1000) m 40 \((y + 90) * 1000) l S Q\n"
      // A clip without any height hides its contents.
      content += "q 50 \(y + 90) 30 0 re W n 0 g 0 0 200 200 re f Q\n"
    }
    let document = RawPDF(
      content,
      resources: "/Shading << /S << \(Self.gradient) >> >> "
        + "/Pattern << /P << /PatternType 2 /Shading << \(Self.gradient) >> >> >>",
      page: "/Rotate \(turn)", box: "0 0 200 200")
    let person = try await Person.anybody()
    let side = try #require(
      try await person.rendered(
        document.bytes, "--paper", "200x200pt", "--resolution", "\(resolution)", "--color", "gray",
        "--scaling", "none"
      ).first)
    for (kind, x, y, count) in [
      ("clip", 25.0, 5.0, 10), ("clip of a gradient", 65, 5, 10), ("stencil", 105, 5, 10),
      ("bar of a gradient", 145, 5, 10), ("pen", 25, 95, 10), ("clip of nothing", 65, 95, 0),
    ] {
      let seen =
        turn == 0
        ? runs(side, from: (x, 200 - y - 60), to: (x, 200 - y))
        : runs(side, from: (y, x), to: (y + 60, x))
      #expect(seen.count == count && seen.allSatisfy { $0 <= 2 }, "\(kind): \(seen)")
    }
  }

  /// Office programs clip a table to the middle of its outer lines.
  @Test(arguments: [600])
  func `a line is whole where half of it is clipped away`(_ resolution: Int) async throws {
    let boxes = (0..<14).map { index in
      let (near, far) = (10 + Double(index) * 13.17, 15 + Double(index) * 13.19)
      return
        "q 20 \(near) 60 \(far - near) re W n 0 \(near) m 99 \(near) l 0 \(far) m 99 \(far) l S Q "
        + "q \(near) 120 \(far - near) 60 re W n \(near) 99 m \(near) 199 l \(far) 99 m \(far) 199 l S Q"
    }
    let person = try await Person.anybody()
    let side = try #require(
      try await person.rendered(
        page("0 G .05 w " + boxes.joined(separator: "\n")), "--paper", "200x200pt", "--resolution",
        "\(resolution)", "--color", "gray", "--scaling", "none"
      ).first)
    for seen in [
      runs(side, from: (50, 3), to: (50, 197)), runs(side, from: (3, 50), to: (197, 50)),
    ] {
      #expect(seen.count == 28 && seen.allSatisfy { $0 <= 2 }, "\(seen)")
    }
  }

  /// HTML's borders meet at a slant: each is a thick line that is clipped to a polygon, whose first four corners may be
  /// a rectangle's.
  @Test func `a polygon clips to its own outline`() async throws {
    let person = try await Person.anybody()
    let side = try #require(
      try await person.rendered(
        page(
          "0 G 60 w 20 160 m 20 161 l 180 161 l 180 160 l 120 100 l 80 100 l W n 0 130 m 200 130 l S"
        ),
        "--paper", "200x200pt", "--resolution", "150", "--color", "gray", "--scaling", "none"
      ).first)
    #expect(side.dot(100, 70) == [0] && side.dot(30, 45) == [0])
    // Left and right of the slant.
    #expect(side.dot(30, 90) == [255] && side.dot(170, 90) == [255])
  }

  /// macOS writes pictures as strips with interpolation, and clips to each strip.
  @Test(arguments: [(300, false), (600, false), (300, true), (600, true)])
  func `there is no seam between strips of a picture`(
    _ resolution: Int, isClipped: Bool
  ) async throws {
    let person = try await Person.anybody()
    let gray = String(repeating: "3C", count: 64)
    let strips = (0..<20).map { index in
      let y = 20 + Double(index) * 7.31
      return "q " + (isClipped ? "20 \(y) 160 7.31 re W n " : "")
        + "160 0 0 7.31 20 \(y) cm BI /W 8 /H 8 /BPC 8 /CS /G /I true /F /AHx ID \(gray)> EI Q"
    }
    let side = try #require(
      try await person.rendered(
        page(strips.joined(separator: "\n")), "--paper", "200x200pt", "--resolution",
        "\(resolution)", "--color", "gray"
      ).first)
    for y in stride(from: 36.0, to: 178, by: 0.12) {
      #expect(abs(Int(side.dot(100, y)[0]) - 60) <= 2, "\(y): \(side.dot(100, y))")
    }
  }

  /// Returns how much ink 8-point letters take, drawn once after each of these operators.
  private func ink(_ resolution: Int, after operators: [String]) async throws -> [Int] {
    let person = try await Person.anybody()
    var sums: [Int] = []
    for content in operators {
      let pdf = RawPDF(
        "BT \(content) /F 8 Tf 20 100 Td (An image in CMYK) Tj ET",
        resources: "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>",
        box: "0 0 200 200")
      let side = try #require(
        try await person.rendered(
          pdf.bytes, "--paper", "200x200pt", "--resolution", "\(resolution)", "--color", "gray",
          "--scaling", "none"
        ).first)
      sums.append(
        stride(from: 90.0, to: 110, by: 0.25).reduce(0) { sum, y in
          sum
            + stride(from: 15.0, to: 120, by: 0.25).reduce(0) { $0 + 255 - Int(side.dot($1, y)[0]) }
        })
    }
    return sums
  }

  /// Filled and stroked (ISO 32000-1 §9.3.6): as good as nothing is left of small letters under a white pixel.
  @Test(arguments: [(100, "1 G 0 w"), (600, "1 G 0 w"), (100, "0 G .05 w")])
  func `filled letters with a thin outline are as dark as those without`(
    _ resolution: Int, _ outline: String
  ) async throws {
    let sums = try await ink(resolution, after: ["0 g", "0 g \(outline) 2 Tr"])
    #expect(sums[0] > 0 && abs(sums[1] - sums[0]) * 3 < sums[0], "\(sums)")
  }

  @Test func `letters that are only a thin outline are not fat`() async throws {
    let sums = try await ink(100, after: ["0 g", "0 G .1 w 1 Tr"])
    #expect(sums[1] > 0 && sums[1] * 5 < sums[0] * 6, "\(sums)")
  }

  /// Letters that are only filled and clip (text modes 4 and 6) leave an outline that is never stroked.
  @Test(arguments: [4, 6])
  func `a line behind letters that clip is whole`(_ mode: Int) async throws {
    let person = try await Person.anybody()
    let pdf = RawPDF(
      "q BT /F 80 Tf \(mode) Tr 20 100 Td (H) Tj ET Q 0 G 0.2 w 10 50 m 190 50 l S",
      resources: "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>",
      box: "0 0 200 200")
    let side = try #require(
      try await person.rendered(
        pdf.bytes, "--paper", "200x200pt", "--resolution", "150", "--color", "gray", "--scaling",
        "none"
      ).first)
    for x in stride(from: 20.0, to: 180, by: 5) {
      #expect(runs(side, from: (x, 145), to: (x, 155)).count == 1, "\(x)")
    }
  }
}
