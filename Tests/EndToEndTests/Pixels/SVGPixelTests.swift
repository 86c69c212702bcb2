import FoundationEssentials
import TestSupport
import Testing

/// Drawings in SVG.
@Suite(.inTurn) struct SVGPixelTests {
  private func drawing(_ attributes: String, _ content: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0"?>
      <!-- a drawing -->
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \(attributes)>
      \(content)</svg>
      """.utf8)
  }

  /// A pixel is 1/96 inch.
  @Test(arguments: [
    ("width='96' height='48'", 72.0, 36.0), ("width='40mm' height='1in'", 113.386, 72),
    ("viewBox='0 0 200 100'", 150, 75), ("width='2in' viewBox='0 0 200 100'", 144, 72),
    ("width='100%' height='100%' viewBox='0 0 96 96'", 72, 72), ("", 75, 37.5),
  ])
  func `its size is its width and height, else its viewBox, else what is drawn`(
    _ attributes: String, _ width: Double, _ height: Double
  ) async throws {
    let person = try await Person.anybody()
    let file = try person.document(
      drawing(attributes, "<rect width='100' height='50'/>"), "drawing.svg")
    let checked = try await person.airprint("check", "--json", file)
    let report = try #require(try checked.json.array?.first)
    #expect(report.mediaType == .string("image/svg+xml") && report.type == .string("document"))
    let size = try #require(report.pageSizes?.array?.first)
    #expect(abs((size.width?.number ?? 0) - width) < 0.01, "\(checked.stdout)")
    #expect(abs((size.height?.number ?? 0) - height) < 0.01, "\(checked.stdout)")
  }

  @Test(arguments: [
    "width='200' height='100'", "width='200' height='100' viewBox='0 0 200 100'",
    "viewBox='0 0 200 100'",
  ])
  func `what the root is clipped to is as large as the drawing`(_ attributes: String) async throws {
    let person = try await Person.anybody()
    let svg = drawing(
      attributes + " clip-path='url(#a)'",
      "<clipPath id='a'><rect x='20' y='40' width='80' height='40'/></clipPath>"
        + "<rect width='200' height='100'/>")
    let side = try #require(
      try await person.rendered(
        svg, "--paper", "150x75pt", "--resolution", "72", "--scaling", "none", name: "a.svg"
      ).first)
    let ink = try #require(side.ink)
    #expect(ink.isAt(15, 30, 60, 30), "\(ink)")
  }

  @Test func `a shadow and what it is of are drawn`() async throws {
    let person = try await Person.anybody()
    let svg = drawing(
      "width='100pt' height='100pt' viewBox='0 0 100 100'",
      "<filter id='a' x='-1' y='-1' width='3' height='3'>"
        + "<feDropShadow dx='30' dy='30' stdDeviation='0' flood-color='rgb(0, 0, 255)'/></filter>"
        + "<rect width='20' height='20' fill='red' filter='url(#a)'/>")
    let side = try #require(
      try await person.rendered(
        svg, "--paper", "100x100pt", "--resolution", "72", "--scaling", "none", name: "a.svg"
      ).first)
    #expect(side.dot(10, 10) == [255, 0, 0] && side.dot(35, 35) == [0, 0, 255])
    #expect(side.dot(25, 25) == [255, 255, 255])
  }

  @Test(arguments: [
    "y='40' x='0 60'", "y='40' dx='0,60'", "x='0' y='40 99 40'", "x='0 60'\ny='40'",
  ])
  func `letters are drawn where each has its place`(_ places: String) async throws {
    let person = try await Person.anybody()
    let svg = drawing(
      "width='100pt' height='100pt' viewBox='0 0 100 100'",
      "<text font-size='20' \(places)>II</text>")
    let sides = try await person.rendered(
      svg, "--paper", "100x100pt", "--resolution", "72", "--scaling", "none", name: "a.svg")
    let ink = try #require(sides.first?.ink)
    #expect(max(ink.right - ink.left, ink.bottom - ink.top) > 50, "\(ink)")
  }

  @Test func `it is drawn in vectors, and what is transparent is the paper`() async throws {
    let person = try await Person.anybody()
    let svg = drawing(
      "width='100pt' height='100pt' viewBox='0 0 10 10'",
      "<rect x='2' y='2' width='4' height='4' fill='red'/>")
    let side = try #require(
      try await person.rendered(
        svg, "--paper", "100x100pt", "--resolution", "72", name: "a.svg"
      ).first)
    #expect(side.dot(40, 40) == [255, 0, 0] && side.dot(10, 10) == [255, 255, 255])
    #expect(try #require(side.ink).isAt(20, 20, 40, 40))
    let pdf = person.path("drawing.pdf")
    let file = try person.document(svg, "drawing.svg")
    let made = try await person.airprint("render", file, "-o", pdf, "--paper", "100x100pt")
    #expect(made.code == 0, "\(made.report)")
    let images = try await person.bench.run(["pdfimages", "-list", pdf])
    #expect(images.stdout.split(separator: "\n").count == 2, "\(images.stdout)")
  }

  @Test func `packed, and on a roll as long as its content`() async throws {
    let person = try await Person.anybody()
    let svg = drawing(
      "width='72mm' height='300mm'", "<rect x='10' y='10' width='50' height='96' fill='black'/>")
    let plain = try person.document(svg, "tall.svg")
    let packed = try await person.shell("gzip -k '\(plain)' && mv '\(plain).gz' '\(plain)z'")
    try #require(packed.code == 0, "\(packed.report)")
    let side = try #require(
      try await person.rendered(
        try bytes(of: plain + "z"), "--paper", "roll_test_72x0mm", "--type", "receipt",
        "--resolution", "203", name: "tall.svgz"
      ).first)
    // 106 pixels of 1/96 inch are 79.5 points.
    #expect(side.whole.height < 100, "\(side.whole)")
    #expect(abs(try #require(side.ink).bottom - 79.5) < 2)
  }

  @Test func `pictures beside it are drawn; what is missing is said, and refused with --strict`()
    async throws
  {
    let person = try await Person.anybody()
    _ = try person.document(PictureFile(color: [255, 0, 0]).png(), "red dot.png")
    let present = try person.document(
      drawing(
        "width='100pt' height='100pt'",
        "<image width='133' height='133' xlink:href='red%20dot.png' preserveAspectRatio='none'/>"),
      "present.svg")
    let output = person.path("out.pwg")
    let drawn = try await person.airprint(
      "render", present, "-o", output, "--paper", "100x100pt", "--resolution", "72", "--strict")
    #expect(drawn.code == 0, "\(drawn.report)")
    #expect(try #require(try Sheet.read(output).first).dot(50, 50) == [255, 0, 0])
    let missing = [
      ("none.png", "no such file"), ("http://192.0.2.1/a.png", "network"),
      ("../config/x.png", "no such file"), ("file:///etc/passwd", "not in"),
    ]
    func file(_ links: [String]) throws -> String {
      try person.document(
        drawing(
          "width='50' height='50'",
          links.map { "<image href='\($0)' width='9' height='9'/>" }.joined()), "missing.svg")
    }
    let warned = try await person.airprint("render", file(missing.map(\.0)), "-o", output)
    #expect(warned.code == 0, "\(warned.report)")
    let warnings = warned.stderr.split(separator: "\n")
    for (link, why) in missing {
      #expect(
        warnings.contains { $0.contains(link) && $0.contains(why) }, "\(link): \(warned.stderr)")
    }
    // One of a kind is enough.
    for (link, _) in missing.prefix(2) {
      let strict = try await person.airprint("render", file([link]), "-o", output, "--strict")
      #expect(strict.code == 65, "\(strict.report)")
    }
    // From another folder, like HTML files.
    let moved = person.path("moved.svg")
    try bytes(of: present).write(to: moved)
    let linked = person.path("linked")
    try FileManager.default.createSymbolicLink(atPath: linked, withDestinationPath: "documents")
    for folder in ["\(person.folder)/documents", linked] {
      let assets = try await person.airprint(
        "render", moved, "-o", output, "--assets", folder, "--strict")
      #expect(assets.code == 0, "\(assets.report)")
    }
  }

  /// librsvg's layers need an upright context; a wide drawing is turned on tall paper.
  @Test(arguments: [
    "opacity='0.5'", "mask='url(#m)'", "filter='url(#f)'", "style='mix-blend-mode: multiply'",
  ])
  func `layers of a drawing that is turned`(_ layer: String) async throws {
    let person = try await Person.anybody()
    let svg = drawing(
      "width='200pt' height='100pt' viewBox='0 0 20 10'",
      """
      <defs><mask id='m'><rect width='20' height='10' fill='white' fill-opacity='0.5'/></mask>
      <filter id='f' x='0' y='0' width='1' height='1'><feOffset dx='0' dy='0'/></filter></defs>
      <rect x='2' y='2' width='4' height='4' fill='red' \(layer)/>
      """)
    let side = try #require(
      try await person.rendered(
        svg, "--paper", "100x200pt", "--resolution", "72", "--color", "color", name: "wide.svg"
      ).first)
    let ink = try #require(side.ink)
    #expect(abs(ink.right - ink.left - 40) <= 1 && abs(ink.bottom - ink.top - 40) <= 1, "\(ink)")
    // Its top is on the paper's left or right.
    let isLeft = ink.left < 50
    #expect(abs(isLeft ? ink.left - 20 : ink.right - 80) <= 1, "\(ink)")
    let dot = side.dot((ink.left + ink.right) / 2, (ink.top + ink.bottom) / 2)
    let isHalf = layer.hasPrefix("opacity") || layer.hasPrefix("mask")
    #expect(dot[0] > 250 && (isHalf ? abs(Int(dot[1]) - 128) < 4 : dot[1] == 0), "\(layer): \(dot)")
  }

  /// These would all be filled in black, but have no area (SVG 2 §13.4).
  private static let lines = [
    "<line x1='10' y1='50' x2='90' y2='50'/>", "<line x1='10' y1='20' x2='90' y2='77'/>",
    "<path d='M10 50 L90 50'/>", "<path d='M10 10 L50 33 L90 56'/>", "<path d='M50 10 V90 V20 Z'/>",
    "<polyline points='10,10 40,40 90,90'/>",
    "<line x1='10' y1='50' x2='90' y2='50' stroke-width='0'/>",
    "<path d='M10 10 C20 20 30 30 90 90'/>",
    "<path d='M-50 -50 H-5 V-5 H-50 Z M10 50 L90 50 M20 20 L80 30'/>",
  ]

  /// Each has a place of its own, which its ink would tell.
  @Test(arguments: ["96", "600"]) func `a line is not filled`(_ resolution: String) async throws {
    let person = try await Person.anybody()
    let shapes = Self.lines.enumerated().map {
      "<svg y='\(100 * $0.offset)' width='100' height='100'>\($0.element)</svg>"
    }
    let height = 100 * shapes.count
    let sides = try await person.rendered(
      drawing(
        "width='100pt' height='\(height)pt' viewBox='0 0 100 \(height)'", shapes.joined()),
      "--paper", "100x\(height)pt", "--resolution", resolution, name: "line.svg")
    let ink = try #require(sides.first).ink
    #expect(ink == nil, "\(ink.map { Self.lines[Int($0.top) / 100] } ?? "")")
  }

  /// Strokes and thin shapes are at least one pixel wide, at 600 dpi.
  @Test func `gaps of dashes are white, and hairlines are drawn`() async throws {
    let person = try await Person.anybody()
    let shapes = [
      "<line x1='0' y1='20' x2='100' y2='20' stroke='black' stroke-width='2' stroke-dasharray='20'/>",
      "<line x1='10' y1='40.03' x2='90' y2='40.03' stroke='black' stroke-width='0.01'/>",
      "<rect x='10' y='60.03' width='80' height='0.02'/>",
    ]
    let side = try #require(
      try await person.rendered(
        drawing("width='100pt' height='100pt' viewBox='0 0 100 100'", shapes.joined()), "--paper",
        "100x100pt", "--resolution", "600", name: "lines.svg"
      ).first)
    #expect(side.dot(10, 20)[0] == 0 && side.dot(50, 20)[0] == 0)
    #expect(side.dot(30, 20)[0] == 255 && side.dot(70, 20)[0] == 255)
    for place in [40.03, 60.03] {
      let rows = stride(from: place - 1, through: place + 1, by: 0.06)
      #expect(rows.contains { side.dot(50, $0)[0] == 0 }, "\(place)")
    }
  }

  @Test func `a translucent stamp may be turned by any angle, and lie on a back that is`()
    async throws
  {
    let person = try await Person.anybody()
    let stamp = try person.document(
      drawing(
        "width='40pt' height='40pt'",
        "<rect width='100%' height='100%' fill='red' opacity='0.5'/>"), "seal.svg")
    let pages = PDF(
      pages: Array(repeating: PDF.Page(width: 100, height: 100, marks: []), count: 2)
    ).bytes
    for options in [["45"], ["90"], ["200"], ["0", "--sides", "long", "--sheet-back", "rotated"]] {
      let output = person.path("stamped.pwg")
      let file = try person.document(pages, "blank.pdf")
      let drawn = try await person.airprint(
        [
          "render", file, "-o", output, "--paper", "100x100pt", "--resolution", "72", "--color",
          "color", "--overlay", "\(stamp)@rect=30,30,40,40,rotate=\(options[0])",
        ] + options.dropFirst())
      try #require(drawn.code == 0, "\(options): \(drawn.report)")
      for side in try Sheet.read(output) {
        #expect(side.dot(50, 50).near([255, 128, 128]), "\(options): \(side.dot(50, 50))")
      }
    }
  }

  @Test(arguments: [
    "<svg", "<svg xmlns='http://www.w3.org/2000/svg'><g></svg>", "<svg>\u{1}</svg>",
  ])
  func `what is wrong with a drawing is one sentence`(_ text: String) async throws {
    let person = try await Person.anybody()
    let refused = try await person.airprint(
      "check", try person.document(Array(text.utf8), "bad.svg"))
    let message = refused.stderr.split(separator: "\n")
    #expect(refused.code == 65 && message.count == 1, "\(refused.report)")
    #expect(
      refused.stderr.contains("The drawing can't be read: line 1: ")
        && !refused.stderr.contains(".."),
      "\(refused.report)")
  }

  @Test func `bombs end`() async throws {
    let person = try await Person.anybody()
    try person.configure("page-time = 1\n")
    let laughs = (1...9).map { level in
      "<!ENTITY a\(level) \"\(String(repeating: "&a\(level - 1);", count: 10))\">"
    }
    let entities =
      "<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY a0 \"ha\">\(laughs.joined())]>"
      + "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><text>&a9;</text></svg>"
    let uses = (1...12).map { level in
      let use = "<use href='#g\(level - 1)'/>"
      return "<g id='g\(level)'>\(String(repeating: use, count: 10))</g>"
    }
    let recursive = drawing(
      "width='9' height='9'", "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>")
    let nested = drawing(
      "width='9' height='9'",
      "<defs><rect id='g0' width='1' height='1'/>\(uses.joined())</defs><use href='#g12'/>")
    for (name, bytes) in [
      ("entities", Array(entities.utf8)), ("recursive", recursive), ("nested", nested),
    ] {
      let file = try person.document(bytes, "\(name).svg")
      let drawn = try await person.airprint("render", file, "-o", person.path("x.pwg"))
      #expect(drawn.code == 0 || drawn.code == 65, "\(name): \(drawn.report)")
    }
    let bomb = person.path("bomb.svgz")
    let made = try await person.shell(
      "{ echo '<svg xmlns=\"http://www.w3.org/2000/svg\">'; head -c 200000000 /dev/zero | tr '\\0' ' '; } "
        + "| gzip > '\(bomb)'")
    try #require(made.code == 0, "\(made.report)")
    let refused = try await person.airprint("check", bomb)
    #expect(refused.code == 65 && refused.stderr.contains("64 MB"), "\(refused.report)")
  }
}
