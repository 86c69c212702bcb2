import TestSupport
import Testing

/// Properties of PDF pages other than their content: rotation, crop box, user unit, and annotations.
@Suite(.inTurn) struct PDFPixelTests {
  private static let shape = PageShape(300, 400)

  /// Draws the only page of a PDF on paper of this size, at 72 dpi.
  private func drawn(
    _ document: [UInt8], _ shape: PageShape, _ person: Person
  ) async throws -> Sheet {
    let paper = "\(Int(shape.width))x\(Int(shape.height))pt"
    let sides = try await person.rendered(document, "--paper", paper, "--resolution", "72")
    return try #require(sides.first)
  }

  @Test(arguments: [0, 90, 180, 270, 360, -90, 450])
  func `a page is turned clockwise as it says`(_ degrees: Int) async throws {
    let person = try await Person.anybody()
    let shape = Self.shape
    var page = shape.page(1)
    page.attributes = "/Rotate \(degrees)"
    let quarter = (degrees % 360 + 360) % 360 / 90
    let seen = quarter % 2 == 0 ? shape : shape.turned
    let side = try await drawn(PDF(pages: [page]).bytes, seen, person)
    let whole = Area(0, 0, seen.width, seen.height)
    #expect(side.whole.isWithin(1, of: whole), "\(side.whole)")
    switch quarter {
    case 1: side.expect(1, of: shape, at: whole, .topAtRight)
    case 3: side.expect(1, of: shape, at: whole, .topAtLeft)
    case 2:
      side.expect(
        1, of: shape, at: whole,
        seen: { $0.mirrored(in: seen.width).flipped(in: seen.height) })
    default: side.expect(1, of: shape, at: whole)
    }
  }

  @Test(arguments: [0, 90])
  func `a cropped page is what is left of it, wherever its origin is`(_ degrees: Int) async throws {
    let person = try await Person.anybody()
    let shape = Self.shape
    // The media box is larger by 40 points on the left, 70 on the right, 60 at the top, 20 at the bottom.
    var page = PDF.Page(
      width: shape.width + 110, height: shape.height + 80,
      marks: [PDF.Mark(x: 0, y: 0, width: 410, height: 480, color: "0.9 g")])
    page.marks += shape.page(1).marks.map { mark in
      var mark = mark
      mark.x += 40
      mark.y += 60
      return mark
    }
    page.attributes = "/CropBox [40 20 340 420] /Rotate \(degrees)"
    let seen = degrees == 0 ? shape : shape.turned
    let side = try await drawn(PDF(pages: [page]).bytes, seen, person)
    side.expect(
      1, of: shape, at: Area(0, 0, seen.width, seen.height), degrees == 0 ? .upright : .topAtRight)
  }

  /// The key is either readable in the file, or hidden in an object stream.
  @Test(arguments: [false, true])
  func `a unit of two points makes a page twice as large`(_ isPacked: Bool) async throws {
    let person = try await Person.anybody()
    let shape = Self.shape
    var page = shape.page(1)
    page.attributes = "/UserUnit 2"
    var file = try person.document(PDF(pages: [page]).bytes, "unit-\(isPacked).pdf")
    if isPacked {
      let packed = person.path("packed.pdf")
      let outcome = try await person.bench.run([
        "qpdf", "--object-streams=generate", file, packed,
      ])
      try #require(outcome.code == 0, "\(outcome.report)")
      #expect(!String(decoding: try bytes(of: packed), as: UTF8.self).contains("UserUnit"))
      file = packed
    }
    let double = PageShape(600, 800)
    let side = try await drawn(try bytes(of: file), double, person)
    side.expect(1, of: shape, at: Area(0, 0, 600, 800))
    let checked = try await person.airprint("check", "--json", file)
    #expect(try checked.json.array?.first?.pageSizes?.array?.first?.width == .number(600))
  }

  @Test func `annotations and form fields are printed when they say so`() async throws {
    let person = try await Person.anybody()
    // Print is 4, Hidden 2, NoView 32 (ISO 32000-1 table 165).
    let marks: [(kind: String, flags: Int, isPrinted: Bool)] = [
      ("/Square", 4, true), ("/Square", 0, false), ("/Square", 6, false), ("/Square", 36, true),
      ("/Stamp", 4, true), ("/Screen", 4, true), ("/Screen", 0, false), ("/FreeText", 4, true),
      ("/Widget /FT /Btn /Ff 65536", 4, true),
      ("/Widget /FT /Btn /Ff 65536", 0, false),
    ]
    var document = PDF(pages: [PDF.Page(width: 400, height: 100, marks: [])])
    let first = document.firstObject
    for (index, mark) in marks.enumerated() {
      let look = "0 g 0 0 30 30 re f"
      document.objects.append(
        "<< /Type /XObject /Subtype /Form /BBox [0 0 30 30] /Length \(look.count) >>\nstream\n"
          + "\(look)\nendstream")
      document.objects.append(
        "<< /Type /Annot /Subtype \(mark.kind) /T (\(index)) /F \(mark.flags) "
          + "/Rect [\(40 * index) 0 \(40 * index + 30) 30] /AP << /N \(first + 2 * index) 0 R >> >>"
      )
    }
    let references = marks.indices.map { "\(first + 2 * $0 + 1) 0 R" }
    document.pages[0].attributes = "/Annots [\(references.joined(separator: " "))]"
    document.catalog = "/AcroForm << /Fields [\(references.suffix(2).joined(separator: " "))] >>"
    let side = try await drawn(document.bytes, PageShape(400, 100), person)
    for (index, mark) in marks.enumerated() {
      let isBlack = side.dot(Double(40 * index) + 15, 85)[0] < 128
      #expect(isBlack == mark.isPrinted, "\(mark)")
    }
  }

  @Test func `the text of a form field is drawn where the file has no picture of it`() async throws
  {
    let person = try await Person.anybody()
    var document = PDF(pages: [PDF.Page(width: 300, height: 100, marks: [])])
    let first = document.firstObject
    document.objects = [
      "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (HHHHHHHH) /DA (/H 20 Tf 0 g) /F 4 "
        + "/Rect [50 20 250 60] >>",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    document.pages[0].attributes = "/Annots [\(first) 0 R]"
    document.catalog =
      "/AcroForm << /Fields [\(first) 0 R] /NeedAppearances true /DA (/H 20 Tf 0 g) "
      + "/DR << /Font << /H \(first + 1) 0 R >> >> >>"
    let side = try await drawn(document.bytes, PageShape(300, 100), person)
    let ink = try #require(side.ink)
    #expect(ink.left > 50 && ink.right < 250 && ink.top > 40 && ink.bottom < 80, "\(ink)")
    #expect(ink.right - ink.left > 80, "\(ink)")
  }

  /// Programs that fill in a form leave such appearances behind; a value that is drawn is only drawn once.
  @Test(arguments: [
    ("", true), ("/AP << >>", true), ("/AP << /N null >>", true), ("/AP << /N << >> >>", true),
    ("/AP << /N 9 0 R >>", true), ("/AP << /D 7 0 R >>", true), ("/AP << /N 7 0 R >>", true),
    ("/AP << /N 8 0 R >>", false),
  ])
  func `a field without a usable appearance shows its value`(
    _ members: String, _ isValue: Bool
  ) async throws {
    let person = try await Person.anybody()
    let page = RawPDF().with { file in
      file.add(
        1,
        "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] /DA (/H 20 Tf 0 g) "
          + "/DR << /Font << /H 6 0 R >> >> >> >>")
      file.add(3, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Annots [5 0 R] >>")
      file.add(
        5,
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (HHHHHHHH) /DA (/H 20 Tf 0 g) "
          + "/F 4 /Rect [50 20 250 60] \(members) >>")
      file.add(6, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
      let form = "/Type /XObject /Subtype /Form"
      file.add(7, "<< \(form) /Length 9 >>\nstream\n0 0 9 9 re f\nendstream")
      // A square of 9 points, as the appearance is as large as the field.
      file.add(
        8, "<< \(form) /BBox [0 0 200 40] /Length 12 >>\nstream\n0 0 4 9 re f\nendstream")
      file.add(9, "<< \(form) /BBox [0 0 200 40] /Length 11 >>\nstream\n/Tx BMC EMC\nendstream")
    }
    let ink = try #require(try await drawn(page.bytes, PageShape(300, 100), person).ink)
    #expect((ink.right - ink.left > 80) == isValue, "\(members): \(ink)")
    let told = try await person.airprint("check", try person.document(page.bytes))
    #expect(told.code == 0 && !told.stderr.contains("left out"), "\(told.report)")
  }

  /// Poppler asks for a font of symbols that is not there, and then makes its own.
  @Test func `a checked box has its symbol where the file has no picture of it`() async throws {
    let person = try await Person.anybody()
    let page = RawPDF().with { file in
      file.add(
        1,
        "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] /NeedAppearances true "
          + "/DR 6 0 R >> >>")
      file.add(
        3,
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Resources 6 0 R /Annots [5 0 R] >>")
      // n is a black square.
      file.add(
        5,
        "<< /Type /Annot /Subtype /Widget /FT /Btn /T (box) /F 4 /Rect [20 20 80 80] /V /On /AS /On "
          + "/MK << /CA (n) >> /DA (/ZaDi 0 Tf) /AP << /N << /On 4 0 R >> >> >>")
      file.add(6, "<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>")
    }
    let side = try await drawn(page.bytes, PageShape(100, 100), person)
    #expect(side.dot(50, 50)[0] < 64)
    let ink = try #require(side.ink)
    #expect(ink.right - ink.left > 25 && ink.bottom - ink.top > 25, "\(ink)")
  }

  /// Poppler draws none of the appearances that are an object of their own.
  @Test(arguments: ["On", "Off"], ["<< /On 6 0 R /Off 7 0 R >>", "8 0 R"])
  func `a button is drawn as its state looks`(_ state: String, _ looks: String) async throws {
    let person = try await Person.anybody()
    let page = RawPDF().with { file in
      file.add(1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] >> >>")
      file.add(3, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Annots [5 0 R] >>")
      file.add(
        5,
        "<< /Type /Annot /Subtype /Widget /FT /Btn /T (box) /F 4 /Rect [20 20 80 80] /AS /\(state) "
          + "/AP << /N \(looks) >> >>")
      for (number, left) in [(6, 0), (7, 30)] {
        let look = "\(left) 0 30 60 re f"
        file.add(
          number,
          "<< /Type /XObject /Subtype /Form /BBox [0 0 60 60] /Length \(look.count) >>\nstream\n"
            + "\(look)\nendstream")
      }
      file.add(8, "<< /On 6 0 R /Off 7 0 R >>")
    }
    let side = try await drawn(page.bytes, PageShape(100, 100), person)
    #expect((side.dot(35, 50)[0] < 64) == (state == "On"))
    #expect((side.dot(65, 50)[0] < 64) == (state == "Off"))
  }

  /// Poppler makes a field for each of the billion ways to the last one.
  @Test func `a page is drawn whose form lists its fields again and again`() async throws {
    let person = try await Person.anybody()
    let levels = 30
    let first = RawPDF.first
    let fields = (first..<first + levels).map {
      "<< /Kids [\($0 + 1) 0 R \($0 + 1) 0 R] \($0 == first ? "" : "/Parent \($0 - 1) 0 R") >>"
    }
    let page = RawPDF(
      "20 20 60 60 re f", page: "/Annots [\(first + levels) 0 R]",
      catalog: "/AcroForm << /Fields [\(first) 0 R] >>", box: "0 0 100 100",
      objects: fields + [
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (last) /Rect [0 0 1 1] "
          + "/Parent \(first + levels - 1) 0 R >>"
      ])
    let side = try await drawn(page.bytes, PageShape(100, 100), person)
    #expect(side.dot(50, 50)[0] < 64)
  }

  @Test func `fields that the form does not list, and layers for paper alone, are told of`()
    async throws
  {
    let person = try await Person.anybody()
    func warnings(_ objects: [String], _ catalog: String, _ page: String) async throws -> String {
      var document = PDF(pages: [PDF.Page(width: 300, height: 100, marks: [PDF.corner])])
      document.objects = objects
      document.catalog = catalog
      document.pages[0].attributes = page
      let file = try person.document(document.bytes, "told.pdf")
      let run = try await person.airprint("check", file)
      #expect(run.code == 0, "\(run.report)")
      return run.stderr
    }
    let first = PDF(pages: [PDF.Page(width: 300, height: 100, marks: [])]).firstObject
    let field = "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /F 4 /Rect [50 20 250 60]"
    let appearance =
      "<< /Subtype /Form /BBox [0 0 9 9] /Length 12 >>\nstream\n0 0 4 9 re f\nendstream"
    for (value, fields, isTold) in [
      ("/V (Ada)", "", true), ("/V (Ada)", "\(first) 0 R", true), ("/V ()", "", false),
      // Poppler draws it, with a font, though the form doesn't list it.
      ("/V (Ada) /DA (/Helv 12 Tf)", "", false), ("/V (Ada) /DA (0 g)", "\(first) 0 R", true),
      ("/V \(first + 1) 0 R /DA (/Helv 12 Tf)", "\(first) 0 R", true),
      ("/V (Ada) /AP << /N \(first + 1) 0 R >>", "", false),
      ("/V (Ada) /AP << /N \(first) 0 R >>", "", true),
    ] {
      let told = try await warnings(
        ["\(field) \(value) >>", appearance], "/AcroForm << /Fields [\(fields)] >>",
        "/Annots [\(first) 0 R]")
      #expect(told.contains("A form field on page 1 is left out") == isTold, "\(value): \(told)")
      #expect(!told.contains("screen only"))
    }
    for (flags, value, isTold) in [
      ("0", "(Ada)", true), ("0", "()", false), ("32", "(Ada)", false), ("2", "(Ada)", false),
    ] {
      let told = try await warnings(
        [field.replacing("/F 4", with: "/F \(flags)") + " /V \(value) >>"],
        "/AcroForm << /Fields [\(first) 0 R] >>", "/Annots [\(first) 0 R]")
      #expect(
        told.contains("A form field with a value, on page 1, is not printed") == isTold,
        "\(flags) \(value): \(told)")
    }
    for (state, off, isTold) in [
      ("/OFF", "", true), ("/ON", "", false), ("/ON", "\(first) 0 R", true),
      ("/OFF", "\(first) 0 R", false),
    ] {
      let told = try await warnings(
        ["<< /Type /OCG /Name (a) /Usage << /Print << /PrintState \(state) >> >> >>"],
        "/OCProperties << /OCGs [\(first) 0 R] /D << /OFF [\(off)] "
          + "/AS [<< /Event /Print /Category [/Print] /OCGs [\(first) 0 R] >>] >> >>", "")
      #expect(told.contains("A layer is printed as shown on the screen") == isTold, "\(told)")
    }
  }

  @Test(arguments: [
    ("/AcroForm << /Fields [] /XFA [(template) (x)] >>", "an XFA form"),
    ("/AcroForm << /Fields [4 0 R] /XFA [(template) (x)] >> /NeedsRendering true", "an XFA form"),
    ("/AcroForm << /Fields [4 0 R] /XFA [(template) (x)] >>", nil),
    (
      "/Collection << /Type /Collection >> /Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a) >>] >> >>",
      "a portfolio"
    ),
    ("/Collection << /Type /Collection >> /Names << /EmbeddedFiles << /Names [] >> >>", nil),
    ("", nil),
  ])
  func `a PDF of which only a cover is printed is told of`(
    _ catalog: String, _ words: String?
  ) async throws {
    let person = try await Person.anybody()
    var document = PDF(pages: [PDF.Page(width: 300, height: 100, marks: [PDF.corner])])
    document.catalog = catalog
    let file = try person.document(document.bytes, "cover.pdf")
    let run = try await person.airprint("check", "--json", file)
    let losses = try #require(try run.json.array?.first?.losses?.array)
    #expect(run.code == 0 && losses.count == (words == nil ? 0 : 1), "\(run.report)")
    if let words {
      #expect(losses.first?.message?.string?.contains(words) == true, "\(run.report)")
      #expect(losses.first?.reason == .string("only-cover"))
    }
  }

  /// Other programs draw an annotation's appearance even if the annotation lacks other keys.
  @Test(
    arguments: [
      ("/Subtype /Highlight", "QuadPoints"), ("/Subtype /Polygon", "Vertices"),
      ("/Subtype /FileAttachment", "FS"), ("/Subtype /Sound", "Sound"),
      ("/Subtype /Movie", "Movie"),
      ("/Subtype /Highlight /QuadPoints [50 60 250 60 50 20 250 20]", nil),
      ("/Subtype /Square", nil), ("/Subtype /Highlight /F 2", nil),
    ] as [(String, String?)])
  func `annotations that Poppler leaves out are told of`(
    _ members: String, _ lack: String?
  ) async throws {
    let person = try await Person.anybody()
    var document = PDF(pages: [PDF.Page(width: 300, height: 100, marks: [PDF.corner])])
    let first = document.firstObject
    let flags = members.contains("/F ") ? "" : "/F 4"
    document.objects = [
      "<< /Type /Annot \(members) \(flags) /Rect [50 20 250 60] /AP << /N \(first + 1) 0 R >> >>",
      "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 16 >>\nstream\n0 0 9 9 re f    \n"
        + "endstream",
    ]
    document.pages[0].attributes = "/Annots [\(first) 0 R]"
    let file = try person.document(document.bytes, "annotation.pdf")
    let checked = try await person.airprint("check", file)
    let isTold = checked.stderr.contains("An annotation on page 1 is left out")
    #expect(isTold == (lack != nil), "\(checked.report)")
    #expect(checked.stderr.contains("but no \(lack ?? "-")") == (lack != nil), "\(checked.report)")
    let strict = try await person.airprint(
      "render", "--strict", file, "-o", person.path("out.pwg"))
    #expect(strict.code == (lack == nil ? 0 : 65), "\(strict.report)")
  }

  @Test func `layers by an expression are told of`() async throws {
    let person = try await Person.anybody()
    for (members, isTold) in [("/VE [/Not 5 0 R]", true), ("/OCGs [5 0 R] /P /AllOn", false)] {
      let page = RawPDF(
        "/OC /A BDC 0 0 9 9 re f EMC",
        resources: "/Properties << /A << /Type /OCMD \(members) >> >>",
        catalog: "/OCProperties << /OCGs [5 0 R] /D << >> >>",
        objects: ["<< /Type /OCG /Name (one) >>"])
      let checked = try await person.airprint("check", try person.document(page.bytes))
      #expect(checked.code == 0, "\(checked.report)")
      #expect(checked.stderr.contains("Layers on page 1 may be") == isTold, "\(checked.report)")
    }
  }

  /// Pixels on a triangle's longest side are half black, even if the glyph is examined before it is drawn, or if it is
  /// larger than the box that it states.
  @Test(arguments: ["1000 1000", "100 100"])
  func `a glyph that the document draws itself has soft edges`(_ box: String) async throws {
    let person = try await Person.anybody()
    let page = Self.triangles("BT /F 20 Tf 100 600 Td (aa) Tj ET", box: box)
    let side = try await drawn(page, PageShape(595, 842), person)
    for left in [100.0, 140.0] {
      for step in 0..<20 {
        let (x, y) = (left + Double(step) + 0.5, 222.5 + Double(step))
        #expect((80...180).contains(side.dot(x, y)[0]), "\(x), \(y): \(side.dot(x, y))")
      }
      #expect(side.dot(left + 2.5, 238.5)[0] == 0 && side.dot(left + 15.5, 226.5)[0] == 255)
    }
  }

  /// ISO 32000-1 figure 9 allows none there: Poppler goes on with the text where it ends.
  @Test(arguments: [
    "300 300 m 340 300 l S", "300 300 40 40 re f", "0 g 300 300 m 340 300 l 320 340 l f",
  ])
  func `a path among text moves no text`(_ path: String) async throws {
    let person = try await Person.anybody()
    let page = Self.triangles("BT /F 20 Tf 100 600 Td (a) Tj \(path) (a) Tj ET")
    let side = try await drawn(page, PageShape(595, 842), person)
    for left in [100.0, 140.0] { #expect(side.dot(left + 2.5, 238.5)[0] == 0, "\(left)") }
    #expect(side.dot(320.5, 541.5)[0] < 128, "the path")
  }

  /// A page with a font whose only letter, `a`, is a triangle that fills half of an em, and two ems wide.
  private static func triangles(_ content: String, box: String = "1000 1000") -> [UInt8] {
    let glyph = "1000 0 0 0 \(box) d1 0 0 m 1000 0 l 0 1000 l f"
    return RawPDF(
      content, resources: "/Font << /F 5 0 R >>",
      objects: [
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] "
          + "/CharProcs << /a 6 0 R >> /Encoding << /Type /Encoding /Differences [97 /a] >> "
          + "/FirstChar 97 /LastChar 97 /Widths [2000] /Resources << >> >>",
        "<< /Length \(glyph.utf8.count) >>\nstream\n\(glyph)\nendstream",
      ]
    ).bytes
  }
}
