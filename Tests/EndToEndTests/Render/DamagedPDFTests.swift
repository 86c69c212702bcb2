import TestSupport
import Testing

/// PDFs with a damaged part: the rest is printed, and the damage is reported.
@Suite(.inTurn) struct DamagedPDFTests {
  /// A document with good pages 1 and 3, and a page 2 without a size.
  private static var gap: [UInt8] {
    RawPDF().with { file in
      file.add(2, "<< /Type /Pages /Count 3 /Kids [3 0 R 5 0 R 6 0 R] >>")
      file.add(5, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 .5 .5] /Contents 4 0 R >>")
      file.add(6, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R >>")
    }.bytes
  }

  @Test(arguments: [([], 2), (["-P", "1"], 1), (["-P", "3"], 1), (["-P", "1,3"], 2)])
  func `a bad page is left out, and said where it is asked for`(
    _ options: [String], _ sides: Int
  ) async throws {
    let person = try await Person.anybody()
    let output = person.path("out.pwg")
    let file = try person.document(Self.gap, "gap.pdf")
    let drawn = try await person.airprint(
      ["render", file, "-o", output, "--resolution", "72", "--paper", "A4"] + options)
    #expect(drawn.code == 0, "\(drawn.report)")
    #expect(try Sheet.read(output).count == sides)
    #expect(drawn.stderr.contains("Page 2") == options.isEmpty, "\(drawn.stderr)")
  }

  @Test(arguments: [
    (["--strict"], "With --strict: Page 2"), (["-P", "2"], "Page 2 of the PDF has"),
  ])
  func `65: --strict, and no page that is good`(
    _ options: [String], _ words: String
  ) async throws {
    let person = try await Person.anybody()
    let file = try person.document(Self.gap, "gap.pdf")
    let drawn = try await person.airprint(
      ["render", file, "-o", person.path("out.pwg"), "--resolution", "72"] + options)
    #expect(drawn.code == 65, "\(drawn.report)")
    #expect(drawn.stderr.contains(words), "\(drawn.stderr)")
  }

  /// A document whose page 2 exceeds its processor time, which is only noticed when it is drawn.
  private static let slow = RawPDF().with { file in
    file.add(2, "<< /Type /Pages /Count 3 /Kids [3 0 R 5 0 R 6 0 R] >>")
    file.add(5, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 7 0 R >>")
    file.add(6, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>")
    file.stream(
      7, "/Filter /FlateDecode", Bomb.zlib(Array("9 9 m 500 800 l S ".utf8), length: 200 << 20))
  }.bytes

  @Test(arguments: [
    (["-P", "1-3"], 0), (["-P", "1-3", "-n", "2"], 0), (["-P", "2"], 65),
    (["-P", "2", "-n", "3"], 65),
    (["--strict"], 65),
  ])
  func `a page that turns out bad while it is drawn is left blank, and said`(
    _ options: [String], _ code: Int
  ) async throws {
    let person = try await Person.anybody()
    try person.configure("page-time = 1\n")
    let output = person.path("out.pwg")
    let drawn = try await person.airprint(
      ["render", try person.document(Self.slow, "slow.pdf"), "-o", output] + options
        + ["--resolution", "72", "--paper", "A4"])
    #expect(drawn.code.map(Int.init) == code, "\(drawn.report)")
    // By the clock it is 10 s, which may pass first on a busy machine.
    #expect(drawn.stderr.contains("more than 1"), "\(drawn.stderr)")
    guard code == 0 else { return }
    // Reported once, for any number of copies.
    let notes = drawn.stderr.split(separator: "\n").filter { $0.contains("left blank") }
    #expect(notes.count == 1 && notes[0].contains("Page 2 is left blank: "), "\(drawn.stderr)")
    let blanks = try Sheet.read(output).map { $0.ink == nil }
    let copies = options.contains("-n") ? 2 : 1
    #expect(blanks == Array(repeating: [false, true, false], count: copies).flatMap(\.self))
  }

  /// Page 2 is a picture in JPEG 2000 of 63 megapixels, all gray, which is decoded as a whole.
  private static let large = RawPDF().with { file in
    file.add(2, "<< /Type /Pages /Count 2 /Kids [3 0 R 5 0 R] >>")
    file.add(
      5,
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 6 0 R "
        + "/Resources << /XObject << /X 7 0 R >> >> >>")
    file.stream(6, "", Array("595 0 0 842 0 0 cm /X Do".utf8))
    file.stream(
      7,
      "/Type /XObject /Subtype /Image /Width 7000 /Height 9000 /ColorSpace /DeviceRGB "
        + "/Filter [/ASCIIHexDecode /JPXDecode]",
      Array(
        ("ff4fff51002f000000001b5800002328000000000000000000001b58000023280000000000000000"
          + "0003070101070101070101ff52000c00000001000004040001ff5c00044040ff6400250001437265"
          + "61746564206279204f70656e4a5045472076657273696f6e20322e352e34ff90000a000000000011"
          + "0001ff93808080ffd9").utf8))
  }.bytes

  @Test func `a page that is left blank is not said to have been drawn at half the resolution`()
    async throws
  {
    let person = try await Person.anybody()
    try person.configure("page-memory = 64\n")
    let drawn = try await person.airprint(
      "render", try person.document(Self.large, "large.pdf"), "-o", person.path("out.pwg"),
      "--resolution", "300", "--paper", "A4")
    #expect(drawn.code == 0, "\(drawn.report)")
    #expect(drawn.stderr.contains("Page 2 is left blank: "), "\(drawn.stderr)")
    #expect(!drawn.stderr.contains("half"), "\(drawn.stderr)")
  }

  @Test func `check says what print would leave out`() async throws {
    let person = try await Person.anybody()
    let checked = try await person.airprint(
      "check", "--json", try person.document(Self.gap, "gap.pdf"))
    #expect(checked.code == 0, "\(checked.report)")
    let report = try #require(try checked.json.array?.first)
    #expect(report.pages == .number(3))
    let warnings = try #require(report.warnings?.strings)
    #expect(warnings.count == 1 && warnings[0].contains("Page 2"), "\(warnings)")
    #expect(checked.stderr.contains("Page 2"), "\(checked.stderr)")
  }

  /// The damage, and the number of pages that can still be read.
  private static let mendable: [(name: String, bytes: [UInt8], pages: Int)] = [
    ("pages that are not there", tree("/Count 900 /Kids [3 0 R]"), 1),
    ("more pages than a number holds", tree("/Count 99999999999 /Kids [3 0 R]"), 1),
    ("fewer than no pages", tree("/Count -5 /Kids [3 0 R]"), 1),
    (
      "fewer pages than there are",
      RawPDF().with { file in
        file.add(2, "<< /Type /Pages /Count 1 /Kids [3 0 R 5 0 R] >>")
        file.add(5, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R >>")
      }.bytes, 2
    ),
    ("no first line", Array(RawPDF().bytes.drop { $0 != 0x0A }.dropFirst()), 1),
    (
      "a table of references that is wrong",
      Array(
        String(decoding: RawPDF().bytes, as: UTF8.self).replacing("\n00000", with: "\n00099").utf8),
      1
    ),
    ("no trailer", withoutTrailer, 1),
    (
      "a stream of references that leads nowhere",
      withoutTrailer
        + Array(
          ("9 0 obj\n<< /Type /XRef /Size 10 /W [1 2 1] /Root 1 0 R /Length 0 >>\nstream\n\nendstream\n"
            + "endobj\nstartxref\n5\n%%EOF\n").utf8), 1
    ),
  ]

  /// A PDF that ends behind its last object.
  private static let withoutTrailer: [UInt8] = {
    let text = String(decoding: RawPDF().bytes, as: UTF8.self)
    return Array(text[..<(text.firstRange(of: "\nxref\n")?.lowerBound ?? text.endIndex)].utf8)
  }()

  @Test func `65: a PDF that is cut off before the content of a page`() async throws {
    let file = RawPDF().with {
      $0.add(2, "<< /Type /Pages /Count 2 /Kids [3 0 R 5 0 R] >>")
      $0.add(5, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 6 0 R >>")
      $0.stream(6, "", Array("0 0 100 100 re f".utf8))
    }.bytes
    let text = String(decoding: file, as: UTF8.self)
    let cut = try #require(text.firstRange(of: "6 0 obj")).lowerBound
    let person = try await Person.anybody()
    let drawn = try await person.airprint(
      "render", try person.document(Array(text[..<cut].utf8), "cut.pdf"), "-o",
      person.path("out.pwg"))
    #expect(drawn.code == 65, "\(drawn.report)")
  }

  @Test(arguments: [([], 0), (["--strict"], 65)])
  func `a PDF whose references are made anew is reported`(
    _ options: [String], _ code: Int
  ) async throws {
    let person = try await Person.anybody()
    let file = try person.document(Self.withoutTrailer, "damaged.pdf")
    let drawn = try await person.airprint(
      ["render", file, "-o", person.path("out.pwg"), "--resolution", "72"] + options)
    #expect(drawn.code.map(Int.init) == code, "\(drawn.report)")
    #expect(drawn.stderr.contains("The PDF is damaged or cut off;"), "\(drawn.stderr)")
  }

  private static func tree(_ members: String) -> [UInt8] {
    RawPDF().with { $0.add(2, "<< /Type /Pages \(members) >>") }.bytes
  }

  @Test(arguments: mendable.map(\.name))
  func `what others mend is printed`(_ name: String) async throws {
    let person = try await Person.anybody()
    let kind = try #require(Self.mendable.first { $0.name == name })
    let output = person.path("out.pwg")
    let drawn = try await person.airprint(
      "render", try person.document(kind.bytes, "damaged.pdf"), "-o", output, "--resolution", "72",
      "--paper", "595x842pt")
    #expect(drawn.code == 0, "\(drawn.report)")
    let sides = try Sheet.read(output)
    #expect(sides.count == kind.pages)
    // The square that RawPDF draws.
    #expect(sides.first?.ink.map { $0.right - $0.left > 95 } == true)
  }

  /// FreeType can't read the embedded font; other programs substitute another.
  @Test func `text in a font that cairo can't make is drawn`() async throws {
    let font = [
      "<< /Type /Font /Subtype /TrueType /BaseFont /X /FirstChar 72 /LastChar 72 /Widths [700] "
        + "/FontDescriptor 6 0 R >>",
      "<< /Type /FontDescriptor /FontName /X /Flags 4 /FontFile2 7 0 R >>",
    ]
    let page = RawPDF(
      "0 0 20 20 re f BT /F 200 Tf 100 500 Td (H) Tj ET", resources: "/Font << /F 5 0 R >>",
      objects: font
    ).with { $0.stream(7, "/Length1 8", [0, 1, 0, 0, 0, 1, 0, 0]) }
    let person = try await Person.anybody()
    let sides = try await person.rendered(
      page.bytes, "--paper", "595x842pt", "--resolution", "72", "--scaling", "none")
    let ink = try #require(sides.first?.ink)
    #expect(ink.top < 300, "\(ink)")
  }

  /// Poppler draws nothing with a font whose file is cut off; other programs take another font.
  @Test func `text in a font that is cut off is drawn`() async throws {
    let font = [
      "<< /Type /Font /Subtype /TrueType /BaseFont /Courier /FirstChar 72 /LastChar 72 /Widths [600] "
        + "/FontDescriptor 6 0 R >>",
      "<< /Type /FontDescriptor /FontName /Courier /Flags 32 /FontFile2 7 0 R >>",
    ]
    // The first bytes of a block that goes on for 9,000 (RFC 1951 §3.2.4).
    let cut: [UInt8] = [
      0x78, 0x01, 0x01, 0x28, 0x23, 0xD7, 0xDC, 0, 1, 0, 0, 0, 9, 0, 128, 0, 3, 0, 16,
    ]
    let page = RawPDF(
      "BT /F 200 Tf 100 500 Td (H) Tj ET", resources: "/Font << /F 5 0 R >>", objects: font
    ).with { $0.stream(7, "/Filter /FlateDecode /Length1 9000", cut) }
    let person = try await Person.anybody()
    let sides = try await person.rendered(
      page.bytes, "--paper", "595x842pt", "--resolution", "72", "--scaling", "none")
    #expect(try #require(sides.first?.ink).top < 300)
  }

  @Test(arguments: ["", "/Font << /G 9 0 R >>", "/Font 9 0 R"])
  func `text in a font that the page lacks is drawn`(_ resources: String) async throws {
    let page = RawPDF("BT /F 200 Tf 100 500 Td (H) Tj ET", resources: resources)
    let person = try await Person.anybody()
    let sides = try await person.rendered(
      page.bytes, "--paper", "595x842pt", "--resolution", "72", "--scaling", "none")
    #expect(try #require(sides.first?.ink).top < 300)
  }

  @Test func `each page may lack a font of its own`() async throws {
    let pages = 0..<6
    let document = RawPDF().with { pdf in
      for page in pages {
        pdf.add(
          10 + page,
          "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents \(20 + page) 0 R >>")
        pdf.stream(20 + page, "", Array("BT /F\(page) 200 Tf 100 500 Td (H) Tj ET".utf8))
      }
      let kids = pages.map { "\(10 + $0) 0 R" }.joined(separator: " ")
      pdf.add(2, "<< /Type /Pages /Count 6 /Kids [\(kids)] >>")
    }
    let person = try await Person.anybody()
    let sides = try await person.rendered(
      document.bytes, "--paper", "595x842pt", "--resolution", "72", "--scaling", "none")
    #expect(sides.map { $0.ink != nil } == [Bool](repeating: true, count: 6))
  }

  /// Poppler draws nothing of such a page.
  @Test func `contents that are no streams are left out`() async throws {
    let page = RawPDF().with {
      $0.add(
        3,
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents [null 4 0 R 9 0 R (4)] >>")
    }
    let person = try await Person.anybody()
    let sides = try await person.rendered(
      page.bytes, "--paper", "595x842pt", "--resolution", "72", "--scaling", "none")
    #expect(try #require(sides.first?.ink).top > 700)
  }
}
