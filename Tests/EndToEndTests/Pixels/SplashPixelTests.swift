import TestSupport
import Testing

/// Pages that cairo draws wrong, so that Poppler's other renderer draws them.
@Suite(.inTurn) struct SplashPixelTests {
  /// A glyph with its own color, red.
  private static let emoji = [
    "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] "
      + "/CharProcs << /a 6 0 R >> /Encoding << /Type /Encoding /Differences [97 /a] >> "
      + "/FirstChar 97 /LastChar 97 /Widths [1000] /Resources << >> >>",
    stream("", "1000 0 d0 1 0 0 rg 0 0 1000 1000 re f"),
  ]
  private static let letters = "BT /F 100 Tf 100 500 Td (a) Tj ET"

  private static func stream(_ members: String, _ data: String) -> String {
    "<< /Length \(data.utf8.count) \(members) >>\nstream\n\(data)\nendstream"
  }

  /// Returns the color at (150, 550) of an A4 page, from the bottom left, or at another height.
  ///
  /// - `below`: the contents of a page that is drawn below it.
  private func color(
    _ page: RawPDF, _ options: [String] = [], at height: Double = 550, below: String? = nil
  ) async throws -> [UInt8] {
    let person = try await Person.anybody()
    var options = options
    if let below {
      options += ["--underlay", try person.document(RawPDF(below).bytes, "below.pdf")]
    }
    let output = person.path("out.pwg")
    let drawn = try await person.airprint(
      [
        "render", try person.document(page.bytes), "-o", output, "--paper", "595x842pt", "--color",
        "color", "--resolution", "100",
      ] + options)
    try #require(drawn.code == 0, "\(drawn.report)")
    return try #require(try Sheet.read(output).first).dot(150, 842 - height)
  }

  /// Glyphs begin with d0 if they may have colors of their own, and with d1 if they have the color of the text.
  @Test(
    arguments: [
      ("1000 0 d0 1 0 0 rg 0 0 1000 1000 re f", "", [255, 0, 0]),
      ("1000 0 d0 1 0 0 RG 1000 w 0 500 m 1000 500 l S", "", [255, 0, 0]),
      (
        "1000 0 d0 1000 0 0 1000 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /RGB /F /AHx ID FF0000> EI", "",
        [255, 0, 0]
      ),
      ("1000 0 d0 0 g 0 0 1000 1000 re f", "0 0 1 rg", [0, 0, 0]),
      ("1000 0 d0 0 0 1000 1000 re f", "0 0 1 rg", [0, 0, 255]),
      (
        "1000 0 d0 1000 0 0 1000 0 0 cm BI /W 1 /H 1 /IM true ID ? EI", "", [0, 0, 0]
      ),
      ("1000 0 0 0 1000 1000 d1 1 0 0 rg 0 0 1000 1000 re f", "0 0 1 rg", [0, 0, 255]),
    ] as [(String, String, [UInt8])])
  func `colored glyphs keep their colors`(
    _ glyph: String, _ before: String, _ wanted: [UInt8]
  ) async throws {
    let page = RawPDF(
      "\(before) \(Self.letters)", resources: "/Font << /F 5 0 R >>",
      objects: [Self.emoji[0], Self.stream("", glyph)])
    #expect(try await color(page) == wanted)
  }

  /// cairo draws a glyph only once.
  @Test func `colored glyphs keep their colors on all pages`() async throws {
    let pages = RawPDF(Self.letters, resources: "/Font << /F 5 0 R >>", objects: Self.emoji).with {
      $0.add(2, "<< /Type /Pages /Count 3 /Kids [3 0 R 3 0 R 3 0 R] >>")
    }
    let person = try await Person.anybody()
    let sides = try await person.rendered(
      pages.bytes, "--paper", "595x842pt", "--color", "color", "--resolution", "72")
    #expect(sides.map { $0.dot(150, 292) } == [[UInt8]](repeating: [255, 0, 0], count: 3))
  }

  /// cairo draws the first glyph in place of one that isn't there.
  @Test func `a space without a glyph is white`() async throws {
    let font = [
      Self.emoji[0].replacing("[97 /a]", with: "[32 /space 97 /a]")
        .replacing("/FirstChar 97", with: "/FirstChar 32")
        .replacing("[1000]", with: "[\(String(repeating: "1000 ", count: 66))]"),
      Self.stream("", "1000 0 0 0 1000 1000 d1 0 0 1000 1000 re f"),
    ]
    for (text, wanted) in [(" a", [255, 255, 255]), ("a ", [0, 0, 0])] as [(String, [UInt8])] {
      let page = RawPDF(
        Self.letters.replacing("(a)", with: "(\(text))"), resources: "/Font << /F 5 0 R >>",
        objects: font)
      #expect(try await color(page) == wanted)
    }
  }

  /// Poppler sorts the drawings of a large font when it first looks one up, and cairo finds them by their places.
  @Test func `the glyphs of a large font are not mixed up`() async throws {
    let names = (0..<40).map { "/z\(99 - $0) 7 0 R" }.joined(separator: " ")
    let page = RawPDF(
      Self.letters, resources: "/Font << /F 5 0 R >>",
      objects: [
        Self.emoji[0].replacing("<< /a 6 0 R >>", with: "8 0 R"),
        Self.stream("", "1000 0 0 0 1000 1000 d1 0 0 1000 1000 re f"),
        Self.stream("", "1000 0 0 0 1000 1000 d1 0 0 99 99 re f"), "<< \(names) /a 6 0 R >>",
      ])
    #expect(try await color(page) == [0, 0, 0])
  }

  /// A glyph is a picture as large as the font's box for cairo, which refuses this one when it plays the page's list.
  @Test func `a glyph that is too large for cairo`() async throws {
    let font = [
      "<< /Type /Font /Subtype /Type3 /FontBBox [-9 -9 4000 4000] /FontMatrix [1 0 0 1 0 0] "
        + "/CharProcs << /a 6 0 R >> /Encoding << /Type /Encoding /Differences [97 /a] >> "
        + "/FirstChar 97 /LastChar 97 /Widths [1] /Resources << >> >>",
      Self.stream("", "1 0 -9 -9 4000 4000 d1 0 0 1 1 re f"),
    ]
    let page = RawPDF(Self.letters, resources: "/Font << /F 5 0 R >>", objects: font)
    #expect(try await color(page) == [0, 0, 0])
    let person = try await Person.anybody()
    let preview = try await person.airprint(
      "preview", "--no-printer", try person.document(page.bytes), "-o", person.path("out.png"))
    #expect(preview.code == 0, "\(preview.report)")
  }

  /// cairo has no picture with a side of more than 32,767 pixels, and Poppler left it out without a word: here a gray
  /// one, a stencil and a soft mask, a byte a pixel or a bit.
  @Test(arguments: [
    ("/ColorSpace /DeviceGray /BitsPerComponent 8", 320_000, ""),
    ("/ImageMask true /BitsPerComponent 1", 40_000, ""),
    ("/ColorSpace /DeviceGray /BitsPerComponent 8", 320_000, "/Decode [1 0]"),
  ])
  func `a picture that is too long for cairo`(
    members: String, count: Int, mask: String
  ) async throws {
    func picture(_ width: Int, _ members: String, _ count: Int) -> String {
      Self.stream(
        "/Type /XObject /Subtype /Image /Width \(width) /Height 8 \(members)",
        String(repeating: "\0", count: count))
    }
    let long = picture(40_000, members + mask, count)
    let page = RawPDF(
      "0 0 9 9 re f q 400 0 0 100 100 500 cm /I Do Q", resources: "/XObject << /I 5 0 R >>",
      objects: mask.isEmpty
        ? [long] : [picture(8, members + " /SMask 6 0 R", 64), long])
    // Splash rounds coverage: 1 of 255.
    #expect(try await color(page).allSatisfy { $0 < 4 })
    #expect(try await color(page, at: 300) == [255, 255, 255])
  }

  @Test func `what lies below a page shines through it`() async throws {
    let page = RawPDF(Self.letters, resources: "/Font << /F 5 0 R >>", objects: Self.emoji)
    let yellow = "1 1 0 rg 0 0 595 842 re f"
    #expect(try await color(page, below: yellow) == [255, 0, 0])
    #expect(try await color(page, at: 300, below: yellow) == [255, 255, 0])
    #expect(try await color(page, at: 300) == [255, 255, 255])
  }

  /// Splash takes its memory for each part of a page, so it may run out of it when the top is drawn.
  @Test func `a side is drawn again when memory runs out at its foot`() async throws {
    let depth = 6
    let groups = (0..<depth).map { level in
      Self.stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 595 300] /Group << /S /Transparency /I true "
          + (level + 1 < depth ? ">> " : "/K true >> ")
          + "/Resources << /ExtGState << /O << /ca 0.9 >> >> "
          + (level + 1 < depth ? "/XObject << /X \(8 + level) 0 R >> " : "") + ">>",
        "/O gs 0 0 1 rg 50 100 50 50 re f" + (level + 1 < depth ? " /X Do" : ""))
    }
    let page = RawPDF(
      Self.letters + " /X Do", resources: "/Font << /F 5 0 R >> /XObject << /X 7 0 R >>",
      objects: Self.emoji + groups)
    let person = try await Person.anybody()
    let output = person.path("out.pwg")
    // How much it takes differs with its version.
    for memory in stride(from: 88, through: 40, by: -8) {
      try person.configure("page-memory = \(memory)\n")
      let drawn = try await person.airprint(
        "render", try person.document(page.bytes), "-o", output, "--paper", "595x842pt", "--color",
        "color", "--resolution", "300")
      #expect(drawn.code == 0, "\(drawn.report)")
      let side = try #require(try Sheet.read(output).first)
      #expect(side.dot(150, 842 - 550) == [255, 0, 0])
      #expect(side.dot(75, 842 - 125)[0] < 10)
      if drawn.stderr.contains("half of the resolution") { return }
    }
    Issue.record("Memory does not run out.")
  }

  @Test func `a group that is not isolated blends with what lies below it`() async throws {
    let group = Self.stream(
      "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Group << /S /Transparency >> "
        + "/Resources << /ExtGState << /M << /BM /Multiply >> >> >>",
      "/M gs 0 1 1 rg 100 500 100 100 re f")
    let page = RawPDF(
      "1 1 0 rg 0 0 595 842 re f /X Do", resources: "/XObject << /X 5 0 R >>", objects: [group])
    #expect(try await color(page) == [0, 255, 0])
    // Like that of a highlighter, with the page's resources.
    let bare = Self.stream(
      "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Group << /S /Transparency >>",
      "/M gs 0 1 1 rg 100 500 100 100 re f")
    let highlighted = RawPDF(
      "1 1 0 rg 0 0 595 842 re f /X Do",
      resources: "/XObject << /X 5 0 R >> /ExtGState << /M << /BM /Multiply >> >>", objects: [bare])
    #expect(try await color(highlighted) == [0, 255, 0])
  }

  /// Screen on white stays white, but the paper is not part of the page's backdrop.
  @Test(arguments: ["/Screen", "[/Unheard /Screen]", "/Luminosity", "/ColorDodge"])
  func `what blends lies on bare paper`(_ mode: String) async throws {
    let page = RawPDF(
      "/E gs 1 0 0 rg 100 500 100 100 re f", resources: "/ExtGState << /E << /BM \(mode) >> >>")
    #expect(try await color(page) == [255, 0, 0])
  }

  /// Splash draws different colors here; mutool and gs agree with cairo.
  @Test func `what burns is drawn by cairo where no paper shines through`() async throws {
    let page = RawPDF(
      "0.8 0.9 1 rg 0 0 595 842 re f /E gs 1 0.5 0 rg 100 500 100 100 re f",
      resources: "/ExtGState << /E << /BM /ColorBurn >> >>")
    // 1 - (1 - backdrop) / source, and 1 over 1 for any source (ISO 32000-2 §11.3.5.2)
    let (seen, expected) = (try await color(page), [204, 204, 255])
    #expect(zip(seen, expected).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(seen)")
  }

  @Test(arguments: [(".5", 128), ("1", 0)])
  func `a picture with a stencil is as translucent as its state`(
    _ opacity: String, _ expected: Int
  ) async throws {
    let members =
      "/Type /XObject /Subtype /Image /Width 1 /Height 1 /Filter /ASCIIHexDecode /BitsPerComponent"
    let page = RawPDF(
      "/E gs q 100 0 0 100 100 500 cm /X Do Q",
      resources: "/ExtGState << /E << /ca \(opacity) >> >> /XObject << /X 5 0 R >>",
      objects: [
        Self.stream("\(members) 8 /ColorSpace /DeviceGray /Mask 6 0 R", "00>"),
        Self.stream("\(members) 1 /ImageMask true", "00>"),
      ])
    let seen = try await color(page)
    #expect(seen.allSatisfy { abs(Int($0) - expected) <= 2 }, "\(seen)")
  }

  @Test func `ink of no name leaves no mark`() async throws {
    let page = RawPDF(
      "/N cs 1 scn 100 500 100 100 re f",
      resources: "/ColorSpace << /N [/Separation /None /DeviceCMYK << /FunctionType 2 /N 1 "
        + "/Domain [0 1] /C0 [0 0 0 0] /C1 [1 0 0 0] >>] >>")
    #expect(try await color(page) == [255, 255, 255])
  }

  @Test func `a shading by a function is drawn`() async throws {
    let page = RawPDF(
      "/S sh", resources: "/Shading << /S 5 0 R >>",
      objects: [
        "<< /ShadingType 1 /ColorSpace /DeviceRGB /Domain [0 1 0 1] /Matrix [200 0 0 200 50 450] "
          + "/Function 6 0 R >>",
        Self.stream(
          "/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]", "{ pop pop 0 0 1 }"),
      ])
    #expect(try await color(page) == [0, 0, 255])
  }

  /// Waves have the same color at all corners, in the middle, and at the corners and in the middle of each quarter.
  @Test(arguments: ["100", "600"])
  func `a shading by a function has its colors between its corners`(_ dpi: String) async throws {
    let page = RawPDF(
      "/Pattern cs /P scn 100 500 400 200 re f",
      resources: "/Pattern << /P << /PatternType 2 /Shading 5 0 R >> >>",
      objects: [
        "<< /ShadingType 1 /ColorSpace /DeviceGray /Domain [0 1 0 1] /Matrix [400 0 0 200 100 500] "
          + "/Function 6 0 R >>",
        Self.stream(
          "/FunctionType 4 /Domain [0 1 0 1] /Range [0 1]", "{ pop 720 mul sin abs 1 exch sub }"),
      ])
    #expect(try await color(page, ["--resolution", dpi])[0] < 16)
  }

  @Test(arguments: [
    ("/F 4", true), ("/F 0", false), ("/F 6", false), ("/F 36", true), ("", false),
  ])
  func `its annotations are those for paper`(_ flags: String, isPrinted: Bool) async throws {
    let page = RawPDF(
      "BT /F 100 Tf 300 500 Td (a) Tj ET", resources: "/Font << /F 5 0 R >>",
      page: "/Annots [7 0 R]",
      objects: Self.emoji + [
        "<< /Type /Annot /Subtype /Stamp \(flags) /Rect [100 500 200 600] /AP << /N 8 0 R >> >>",
        Self.stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", "0 1 0 rg 0 0 9 9 re f"),
      ])
    let expected: [UInt8] = isPrinted ? [0, 255, 0] : [255, 255, 255]
    #expect(try await color(page) == expected)
  }

  /// A picture of 40,000 by 1 pixels, which cairo silently leaves out.
  ///
  /// A page that is mended before, here by a font for its space, is looked at again.
  @Test(arguments: ["", "BT /F 9 Tf ( ) Tj ET "])
  func `a page on which cairo leaves nothing is drawn`(_ text: String) async throws {
    let page = RawPDF(
      text + "400 0 0 200 50 500 cm /X Do", resources: "/XObject << /X 5 0 R >>"
    ).with {
      $0.stream(
        5,
        "/Type /XObject /Subtype /Image /Width 40000 /Height 1 /BitsPerComponent 8 "
          + "/ColorSpace /DeviceRGB", [UInt8](repeating: 0, count: 120_000))
    }
    #expect(try await color(page) == [0, 0, 0])
    // The same in one band, and on a page without any content.
    #expect(try await color(page, ["--resolution", "30"]) == [0, 0, 0])
    #expect(try await color(RawPDF("")) == [255, 255, 255])
  }

  /// Blank rows at the top are sent if there is a mark below them, or none on the whole side.
  @Test(arguments: ["urf", "pwg"])
  func `rows without marks are sent in their place`(_ format: String) async throws {
    let contents = [
      "", "0 0 0 rg 0 0 595 42 re f", "1 1 .9 rg 0 742 595 50 re f 0 g 0 0 595 42 re f", "q Q",
    ]
    let document = RawPDF().with { file in
      let kids = contents.indices.map { "\(10 + 2 * $0) 0 R" }.joined(separator: " ")
      file.add(2, "<< /Type /Pages /Count \(contents.count) /Kids [\(kids)] >>")
      for (index, content) in contents.enumerated() {
        let number = 10 + 2 * index
        file.add(
          number,
          "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents \(number + 1) 0 R >>")
        file.stream(number + 1, "", Array(content.utf8))
      }
    }
    let person = try await Person.anybody()
    let output = person.path("out.\(format)")
    let drawn = try await person.airprint(
      "render", try person.document(document.bytes), "-o", output, "--paper", "595x842pt",
      "--scaling", "none", "--color", "color", "--resolution", "144")
    try #require(drawn.code == 0, "\(drawn.report)")
    let sheets = try Sheet.read(output)
    #expect(sheets.map(\.height) == [1683, 1683, 1683, 1683])
    let places = [0.0, 48, 52, 98, 102, 400, 798, 802, 841]
    let black = sheets.map { sheet in places.filter { sheet.dot(300, $0) == [0, 0, 0] } }
    #expect(black == [[], [802, 841], [802, 841], []])
    let pale = sheets.map { sheet in
      places.filter { ![[0, 0, 0], [255, 255, 255]].contains(sheet.dot(300, $0)) }
    }
    #expect(pale == [[], [], [52, 98], []])
  }

  @Test func `what blends on a page that is a group does not blend with the paper`() async throws {
    let page = RawPDF(
      "/M gs 0 1 1 rg 100 500 100 100 re f", resources: "/ExtGState << /M << /BM /Difference >> >>",
      page: "/Group << /S /Transparency /CS /DeviceRGB >>")
    #expect(try await color(page) == [0, 255, 255])
  }

  @Test func `it is as large, and where, as on any page`() async throws {
    let page = RawPDF(Self.letters, resources: "/Font << /F 5 0 R >>", objects: Self.emoji)
    let person = try await Person.anybody()
    for options in [
      ["--resolution", "72"], ["--resolution", "600", "--orientation", "landscape"],
    ] {
      let output = person.path("out.pwg")
      let drawn = try await person.airprint(
        [
          "render", try person.document(page.bytes), "-o", output, "--paper", "595x842pt",
          "--scaling", "none", "--color", "gray",
        ] + options)
      try #require(drawn.code == 0, "\(drawn.report)")
      let ink = try #require(try Sheet.read(output).first?.ink)
      #expect(abs(ink.right - ink.left - 100) < 2 && abs(ink.bottom - ink.top - 100) < 2, "\(ink)")
      if options.count == 2 {
        #expect(abs(ink.left - 100) < 2 && abs(ink.top - 242) < 2, "\(ink)")
      }
    }
  }
}
