import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `--overlay` and `--underlay`: their position on pages of all kinds, their pages, and their appearance.
@Suite(.inTurn) struct StampPixelTests {
  private static let page = PageShape(300, 400)
  private static let mark = PageShape(100, 50)

  /// Draws a document on paper of its own size, one pixel per point.
  private func drawn(
    _ document: [UInt8], _ shape: PageShape, _ person: Person, _ options: [String],
    name: String = "page.pdf"
  ) async throws -> [Sheet] {
    let output = person.path("\(UUID().uuidString).pwg")
    let file = try person.document(document, "\(UUID().uuidString.prefix(8))-\(name)")
    let outcome = try await person.airprint(
      [
        "render", file, "-o", output, "--paper", "\(Int(shape.width))x\(Int(shape.height))pt",
        "--resolution", "72", "--color", "color",
      ] + options)
    try #require(outcome.code == 0, "\(outcome.report)")
    return try Sheet.read(output)
  }

  private func blank(_ count: Int = 1, _ attributes: String = "") -> [UInt8] {
    let page = PDF.Page(
      width: Self.page.width, height: Self.page.height, marks: [], attributes: attributes)
    return PDF(pages: Array(repeating: page, count: count)).bytes
  }

  /// Returns a page filled with one color.
  private func all(_ color: String, _ width: Double, _ height: Double) -> [UInt8] {
    let mark = PDF.Mark(x: 0, y: 0, width: width, height: height, color: color)
    return PDF(pages: [PDF.Page(width: width, height: height, marks: [mark])]).bytes
  }

  @Test func `what is missing from a stamp is said of the stamp`() async throws {
    let person = try await Person.anybody()
    let broken = RawPDF("/X Do", resources: "/XObject << /X 5 0 R >>").with {
      $0.stream(
        5,
        "/Type /XObject /Subtype /Image /Width 9 /Height 9 /BitsPerComponent 8 /ColorSpace /DeviceGray "
          + "/Filter /FlateDecode", Array("no zlib".utf8))
    }
    let stamp = try person.document(broken.bytes, "broken.pdf")
    let file = try person.document(blank(), "sound.pdf")
    let drawn = try await person.airprint(
      "render", file, "-o", person.path("out.pwg"), "--overlay", stamp)
    #expect(
      drawn.code == 0 && drawn.stderr.contains("--overlay \(stamp): Page 1 has damaged data"),
      "\(drawn.report)")
  }

  @Test(arguments: [
    ("note.txt", "one\n", nil),
    ("note.txt", String(repeating: "line\n", count: 40), "its text is longer than its rectangle"),
    ("note.html", "<p>one<img src=none.png>", "note.html: Failed to load"),
    ("note.html", "<pre>" + String(repeating: "line\n", count: 40), "longer than its rectangle"),
  ])
  func `what is missing from a stamp is told, and refused with --strict`(
    _ name: String, _ text: String, _ words: String?
  ) async throws {
    let person = try await Person.anybody()
    let stamp = try person.document(Array(text.utf8), name)
    let file = try person.document(blank(), "page.pdf")
    let render = [
      "render", file, "-o", person.path("out.pwg"), "--overlay", "\(stamp)@rect=20,20,100,100",
    ]
    let told = try await person.airprint(render)
    #expect(told.code == 0 && told.stderr.contains(words ?? "Wrote"), "\(told.report)")
    let strict = try await person.airprint(render + ["--strict"])
    #expect(strict.code == (words == nil ? 0 : 65), "\(strict.report)")
  }

  @Test(arguments: [
    "", "/Rotate 90", "/Rotate 180", "/Rotate 270", "/CropBox [0 100 300 400]",
    "/CropBox [50 100 300 400] /Rotate 90", "/UserUnit 2",
  ])
  func `a rectangle counts from the bottom left of the page as it is shown`(
    _ attributes: String
  ) async throws {
    let person = try await Person.anybody()
    let stamp = try person.document(Self.mark.landmarks(), "stamp.pdf")
    var shape =
      attributes.contains("Crop")
      ? PageShape(attributes.contains("50") ? 250 : 300, 300) : Self.page
    if attributes.contains("90") || attributes.contains("270") { shape = shape.turned }
    if attributes.contains("Unit") { shape = PageShape(600, 800) }
    let side = try #require(
      try await drawn(
        blank(1, attributes), shape, person, ["--overlay", "\(stamp)@rect=20,30,100,50"]
      ).first)
    side.expect(1, of: Self.mark, at: Area(20, shape.height - 80, 100, 50))
  }

  @Test(arguments: [
    // It keeps its shape, in the middle of the rectangle.
    ("rect=20,30,200,50", Area(70, 320, 100, 50), Lie.upright),
    ("rect=20,30,200,200", Area(20, 220, 200, 100), .upright),
    // Without a rectangle, it covers the whole page.
    ("opacity=1", Area(0, 125, 300, 150), .upright),
    // Turned counter-clockwise, at the largest size that then fits.
    ("rect=20,30,50,100,rotate=90", Area(20, 270, 50, 100), .topAtLeft),
    ("rect=20,30,50,100,rotate=-90", Area(20, 270, 50, 100), .topAtRight),
  ])
  func `a stamp fills its rectangle and keeps its shape`(
    _ options: String, _ area: Area, _ lie: Lie
  ) async throws {
    let person = try await Person.anybody()
    let stamp = try person.document(Self.mark.landmarks(), "stamp.pdf")
    let side = try #require(
      try await drawn(blank(), Self.page, person, ["--overlay", "\(stamp)@\(options)"]).first)
    side.expect(1, of: Self.mark, at: area, lie, pixels: 2)
  }

  @Test func `opacity mixes, below is below, and above is above`() async throws {
    let person = try await Person.anybody()
    let red = try person.document(all("1 0 0 rg", 100, 100), "red.pdf")
    let page = PDF.Page(
      width: 300, height: 400,
      marks: [PDF.Mark(x: 100, y: 100, width: 100, height: 100, color: "0 0 1 rg")])
    func dots(_ options: String...) async throws -> (inside: [UInt8], beside: [UInt8]) {
      let side = try #require(
        try await drawn(PDF(pages: [page]).bytes, Self.page, person, options).first)
      return (side.dot(120, 120), side.dot(80, 80))
    }
    // From 50 to 150 points: half of it on the blue square.
    let rect = "rect=50,250,100,100"
    var seen = try await dots("--overlay", "\(red)@\(rect)")
    #expect(seen.inside == [255, 0, 0] && seen.beside == [255, 0, 0], "\(seen)")
    seen = try await dots("--underlay", "\(red)@\(rect)")
    #expect(seen.inside == [0, 0, 255] && seen.beside == [255, 0, 0], "\(seen)")
    seen = try await dots("--overlay", "\(red)@\(rect),opacity=0.5")
    #expect(seen.inside.near([128, 0, 128]) && seen.beside.near([255, 128, 128]), "\(seen)")
    // Drawn in the given order.
    let green = try person.document(all("0 1 0 rg", 100, 100), "green.pdf")
    seen = try await dots("--overlay", "\(red)@\(rect)", "--overlay", "\(green)@\(rect)")
    #expect(seen.beside == [0, 255, 0], "\(seen)")
  }

  @Test func `an underlay shows through text, and nothing leaves the page`() async throws {
    let person = try await Person.anybody()
    let red = try person.document(all("1 0 0 rg", 100, 100), "red.pdf")
    let text = Array("\u{2588}\u{2588}\u{2588}\n".utf8)
    let side = try #require(
      try await drawn(
        text, Self.page, person,
        ["--underlay", "\(red)@rect=-50,-50,450,500", "--margins", "50pt"], name: "t.txt"
      ).first)
    #expect(side.dot(55, 55) == [0, 0, 0] && side.dot(150, 200) == [255, 0, 0])
    // With two pages on a sheet, each stamp is clipped to its own page.
    let two = try #require(
      try await drawn(
        blank(2), PageShape(600, 400), person,
        ["--number-up", "2", "--overlay", "\(red)@page=1,rect=200,0,400,400"]
      ).first)
    #expect(two.dot(280, 200) == [255, 0, 0] && two.dot(320, 200) == [255, 255, 255])
  }

  @Test(arguments: [
    ("", 1, [1, 1, 1, 1, 1]), ("@page=odd", 1, [1, 0, 1, 0, 1]),
    ("@page=last", 1, [0, 0, 0, 0, 1]),
    ("", 3, [1, 2, 3, 0, 0]), ("@page=even", 3, [0, 1, 0, 2, 0]),
    ("@page=2,4-", 3, [0, 1, 0, 2, 3]),
  ])
  func `a stamp of several pages flows on to the next page named`(
    _ options: String, _ count: Int, _ numbers: [Int]
  ) async throws {
    let person = try await Person.anybody()
    let stamp = try person.document(Self.mark.landmarks(pages: count), "stamp.pdf")
    let sides = try await drawn(
      blank(5), Self.page, person, ["--overlay", "\(stamp)\(options)"])
    #expect(sides.map { $0.number(scale: 3) ?? 0 } == numbers)
    // Pages keep their numbers if only some are printed.
    let some = try await drawn(
      blank(5), Self.page, person, ["--overlay", "\(stamp)\(options)", "--pages", "4,5"])
    #expect(some.map { $0.number(scale: 3) ?? 0 } == Array(numbers[3...]))
  }

  @Test func `pictures, text, words, and text that flows`() async throws {
    let person = try await Person.anybody()
    let picture = try person.document(
      try Picture(width: 20, height: 10, black: (20, 10)).png(), "black.png")
    let jpeg = try person.document(
      try Picture(width: 20, height: 10, black: (20, 10)).jpeg(), "black.jpg")
    for file in [picture, jpeg] {
      let side = try #require(
        try await drawn(blank(), Self.page, person, ["--overlay", "\(file)@rect=10,10,200,100"])
          .first)
      #expect(try #require(side.ink).isAt(10, 290, 200, 100), "\(side.ink!)")
    }
    let words = try #require(
      try await drawn(blank(), Self.page, person, ["--overlay", "text:PAID,rect=10,10,200,100"])
        .first)
    let ink = try #require(words.ink)
    // As wide as the rectangle, and centered in it.
    #expect(abs(ink.left - 10) < 2 && abs(ink.right - 210) < 2, "\(ink)")
    #expect(abs((ink.top + ink.bottom) / 2 - 340) < 2 && ink.bottom - ink.top > 30, "\(ink)")
    let lines = (1...12).map { "line \($0)\n" }.joined()
    let text = try person.document(Array(lines.utf8), "notes.txt")
    let sides = try await drawn(
      blank(3), Self.page, person, ["--overlay", "\(text)@rect=20,20,100,100"])
    let bands = sides.map { $0.bands(across: false).count }
    #expect(bands[0] > 5 && bands[1] > 0 && bands[0] + bands[1] == 12 && bands[2] == 0, "\(bands)")
    #expect(try #require(sides[0].ink).isInside(Area(20, 280, 100, 100)))
  }

  /// FreeType creates no mask for letters of 2,000 pixels.
  @Test(arguments: ["text:A", "text:OK", "text:COPY,rotate=55", "text:NO\u{1F44D}"])
  func `short words are drawn as high as the page, at a laser's resolution`(
    _ stamp: String
  ) async throws {
    let person = try await Person.anybody()
    let stamped = try await person.airprint(
      "render", try person.document(blank()), "-o", person.path("out.pwg"),
      "--overlay", "\(stamp),opacity=1", "--resolution", "1200", "--paper", "A6",
      "--color", "gray")
    #expect(stamped.code == 0, "\(stamped.report)")
    let ink = try #require(try Sheet.read(person.path("out.pwg")).first?.ink)
    #expect(ink.right - ink.left > 100, "\(ink)")
  }

  @Test func `words on the whole page let it be read, and others are opaque`() async throws {
    let person = try await Person.anybody()
    for (stamp, darkest) in [("text:I", UInt8(178)), ("text:I,rect=10,10,200,100", 0)] {
      let side = try #require(
        try await drawn(blank(), Self.page, person, ["--overlay", stamp]).first)
      let found = try #require(side.pixels.min())
      #expect(abs(Int(found) - Int(darkest)) <= 2, "\(stamp): \(found)")
    }
  }

  @Test func `a PDF keeps its text and fonts, with nothing turned to pixels`() async throws {
    let person = try await Person.anybody()
    let text = try person.document(Array("Hello world, unchanged.\n".utf8), "t.txt")
    let (plain, stamped) = (person.path("plain.pdf"), person.path("stamped.pdf"))
    var outcome = try await person.airprint("render", text, "-o", plain, "--paper", "A4")
    try #require(outcome.code == 0, "\(outcome.report)")
    outcome = try await person.airprint(
      "render", plain, "-o", stamped, "--overlay", "text:PAID,opacity=0.3",
      "--header", "Head")
    try #require(outcome.code == 0, "\(outcome.report)")
    let words = try await person.bench.run(["pdftotext", stamped, "-"]).stdout
    #expect(words.contains("Hello world, unchanged."), "\(words)")
    #expect(words.contains("Head") && words.contains("PAID"), "\(words)")
    let fonts = try await person.bench.run(["pdffonts", stamped]).stdout
    #expect(fonts.split(separator: "\n").count >= 4, "\(fonts)")
    let pictures = try await person.bench.run(["pdfimages", "-list", stamped]).stdout
    #expect(pictures.split(separator: "\n").count == 2, "\(pictures)")
  }

  @Test func `stamps of the settings, for a type and by their names`() async throws {
    let person = try await Person.anybody()
    try person.configure(
      """
      [stamps.seal]
      file = "seal.pdf"
      rect = [20, 30, 100, 50]
      [types.document]
      overlay = "seal"
      """)
    try Self.mark.landmarks().write(to: person.path("config/airprint/seal.pdf"))
    var side = try #require(try await drawn(blank(), Self.page, person, []).first)
    side.expect(1, of: Self.mark, at: Area(20, 320, 100, 50))
    side = try #require(
      try await drawn(blank(), Self.page, person, ["--overlay", "none"]).first)
    #expect(side.ink == nil)
    side = try #require(
      try await drawn(
        blank(), Self.page, person,
        ["--overlay", "none", "--overlay", "seal@rect=120,30,100,50"]
      ).first)
    side.expect(1, of: Self.mark, at: Area(120, 320, 100, 50))
  }

  @Test func `names with @ and commas, and what is wrong is named`() async throws {
    let person = try await Person.anybody()
    let odd = try person.document(Self.mark.landmarks(), "a,b@page=1,c.pdf")
    let side = try #require(
      try await drawn(blank(), Self.page, person, ["--overlay", "\(odd)@rect=20,30,100,50"]).first)
    side.expect(1, of: Self.mark, at: Area(20, 320, 100, 50))
    let broken = try person.document(Array("%PDF-1.4 and no more".utf8), "broken.pdf")
    let cut = try person.document(
      Array(try Picture(width: 20, height: 20).png().prefix(20)), "cut.png")
    let document = try person.document(blank())
    let cases: [(String, Int32, String)] = [
      ("missing.png", 66, "--overlay missing.png"), ("x.png@page=0", 64, "page takes first"),
      (broken, 65, "broken.pdf"), (cut, 65, "cut.png"), ("text: ", 65, "no visible letters"),
    ]
    for (stamp, code, words) in cases {
      let outcome = try await person.airprint(
        "render", document, "-o", person.path("x.pwg"), "--overlay", stamp)
      #expect(outcome.code == code, "\(outcome.report)")
      #expect(outcome.stderr.contains(words), "\(outcome.report)")
    }
  }

  @Test func `a PDF that is written is stamped`() async throws {
    let person = try await Person.anybody()
    let plan = try await person.airprint(
      "render", try person.document(blank()), "-o", person.path("x.pdf"), "--overlay", "text:PAID",
      "--json")
    try #require(plan.code == 0, "\(plan.report)")
    let words = try await person.bench.run(["pdftotext", person.path("x.pdf"), "-"]).stdout
    #expect(words.contains("PAID"), "\(words)")
  }
}

extension [UInt8] {
  /// Returns true if each value is within 3 of the other's.
  func near(_ other: [UInt8]) -> Bool {
    zip(self, other).allSatisfy { abs(Int($0) - Int($1)) <= 3 }
  }
}
