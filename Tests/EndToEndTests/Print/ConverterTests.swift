import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Documents that real converter programs turn into pages.
@Suite(.inTurn) struct ConverterTests {
  private static let page = """
    <!doctype html><html><head><title>Bill &amp; Co</title><style>
    body { background: #ddd } div { width: 72pt; height: 36pt; background: black }
    </style></head><body><div></div></body></html>
    """

  @Test func `a picture of HTML is as wide as it says, and never larger than the page`()
    async throws
  {
    let person = try await Person.anybody()
    let black =
      "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='W' height='H'%3E"
      + "%3Crect width='W' height='H'/%3E%3C/svg%3E"
    let pictures = [
      ("400", "200", "width=200"), ("4000", "1000", ""), ("400", "8000", ""),
    ].map { width, height, attribute in
      let source = black.replacing("'W'", with: "'\(width)'").replacing("'H'", with: "'\(height)'")
      return "<img style='display: block; break-after: page' src=\"\(source)\" \(attribute)>"
    }
    let html = "<!doctype html><html><body>\(pictures.joined())"
    let file = try person.document(Array(html.utf8), "picture.html")
    let sheets = try await person.sheets(file, "--paper", "A4")
    let areas = [(150.0, 75.0), (487.3, 121.8), (36.7, 733.9)]
    try #require(sheets.count == areas.count)
    for (sheet, area) in zip(sheets, areas) {
      let ink = try #require(sheet.ink)
      #expect(
        abs(ink.right - ink.left - area.0) < 2 && abs(ink.bottom - ink.top - area.1) < 2, "\(ink)")
    }
  }

  @Test func `on a roll it is one page, cut after its last mark`() async throws {
    let person = try await Person.anybody()
    let blocks = (0..<40).map { "<p style='height: 40pt'>Line \($0)</p>" }.joined()
    let html = Self.page.replacing("</body>", with: "\(blocks)</body>")
      .replacing("body {", with: "html, body { min-height: 100%; height: 100% } body {")
    let short = try person.document(Array(Self.page.utf8), "short.html")
    let long = try person.document(Array(html.utf8), "long.html")
    let one = try await person.sheets(short, "--type", "receipt", "--paper", "80mm")
    #expect(one.count == 1)
    // 36 points of black, rounded up to a whole millimeter.
    #expect(one[0].pageSize.height == 36, "\(one[0].pageSize)")
    #expect(one[0].ink?.isAt(0, 0, 72, 36) == true, "\(String(describing: one[0].ink))")
    let other = try await person.sheets(long, "--type", "receipt", "--paper", "80mm")
    #expect(other.count == 1)
    // 40 paragraphs of 40 points, with at least 10 points between them.
    #expect((1_990...2_400).contains(other[0].pageSize.height), "\(other[0].pageSize)")
  }

  @Test func `an @page of its own is kept`() async throws {
    let person = try await Person.anybody()
    let html = Self.page.replacing(
      "<style>", with: "<style>@page { size: 200pt 100pt; margin: 10pt }")
    let file = try person.document(Array(html.utf8), "own.html")
    let checked = try await person.airprint("check", "--json", file)
    #expect(checked.code == 0, "\(checked.report)")
    let report = try #require(try checked.json.array?.first)
    #expect(report.mediaType == .string("text/html"))
    #expect(report.title == .string("Bill & Co"))
    let size = report.pageSizes?.array?.first
    #expect(size?.width == .number(200) && size?.height == .number(100))
  }

  @Test(arguments: ["", "@page { size: 150mm 200mm; margin: 20mm }"])
  func `HTML that is wider than the page is made smaller, and said`(_ rule: String) async throws {
    let person = try await Person.anybody()
    let cells = (0..<12).map { "<td>column\($0)</td>" }.joined()
    let html = """
      <!doctype html><html><head><style>\(rule) td { border: 1px solid; min-width: 100px }
      td:last-child { background: black }</style></head><body>
      <p>https://www.example.org/\(String(repeating: "a", count: 300))</p><table><tr>\(cells)</tr></table>
      """
    let file = try person.document(Array(html.utf8), "table.html")
    let output = person.path("table.pwg")
    let run = try await person.airprint(
      "render", file, "-o", output, "--paper", "A4", "--color", "gray", "--resolution", "72")
    #expect(
      run.code == 0 && run.stderr.contains("is wider than the paper: it is scaled to"),
      "\(run.report)")
    #expect(!run.stderr.contains("cut off"), "\(run.report)")
    let ink = try #require(try Sheet.read(output).first?.ink)
    let margins = rule.isEmpty ? 54.0 : 142.0
    #expect(ink.left > margins - 4 && ink.right < 595 - margins + 4, "\(ink)")
    #expect(ink.right > 595 - margins - 12, "\(ink)")
    // A paragraph without a table breaks where it has to.
    let text = try person.document(
      Array(html.replacing("<table>", with: "<table hidden>").utf8), "text.html")
    let other = try await person.airprint("render", text, "-o", output, "--paper", "A4")
    #expect(other.code == 0 && !other.stderr.contains("wider"), "\(other.report)")
  }

  /// The manual's rule: what is scaled below 60 % is a loss.
  @Test(arguments: [
    ("--paper=A4", 700, "it is scaled to 9", 0), ("--paper=A4", 1_200, "it is scaled to 5", 64),
    ("--paper=58mm", 300, "it is scaled to 7", 0),
    ("--paper=58mm", 5_000, "The document is cut off at the right of the paper", 65),
  ])
  func `HTML that is wider than its paper is a loss only if it gets hard to read`(
    _ paper: String, _ width: Int, _ words: String, _ code: Int32
  ) async throws {
    let person = try await Person.anybody()
    let html = "<!doctype html><div style='width: \(width)px; border: 1px solid'>x"
    let file = try person.document(Array(html.utf8), "wide.html")
    let type = paper == "--paper=58mm" ? "receipt" : "document"
    let all = ["render", file, "-o", person.path("wide.pwg"), paper, "--type", type]
    let strict = try await person.airprint(all + ["--strict"])
    #expect(strict.code == code, "\(strict.report)")
    // What --strict lets through is told no otherwise without.
    let told = code == 0 ? strict : try await person.airprint(all)
    #expect(told.code == 0 && told.stderr.contains(words), "\(told.report)")
  }

  /// Values filled into forms are printed, and resources that are not loaded are reported.
  @Test func `the fields of HTML have their values`() async throws {
    let person = try await Person.anybody()
    let fields: [(full: String, empty: String)] = [
      ("<input value=MMMM>", "<input value=''>"),
      ("<input type=checkbox checked>", "<input type=checkbox>"),
      ("<input type=radio checked>", "<input type=radio>"),
      ("<textarea>MMMM</textarea>", "<textarea></textarea>"),
      ("<select><option>MMMM<option>i</select>", "<select><option>MMMM<option selected>i</select>"),
      ("<input type=submit value=MMMM>", "<input type=hidden value=MMMM>"),
    ]
    let pages = fields.flatMap { [$0.full, $0.empty] }.map { "<p>\($0)</p>" }
    let html =
      "<!doctype html><style>* { font-size: 30pt } p { break-after: page }</style>"
      + pages.joined()
    let sheets = try await person.sheets(
      try person.document(Array(html.utf8), "form.html"), "--paper", "A4")
    try #require(sheets.count == pages.count)
    for (number, field) in fields.enumerated() {
      let marks = sheets[2 * number..<2 * number + 2].map { $0.pixels.count { $0 < 128 } }
      // A checkmark is 33 pixels at this resolution.
      #expect(marks[0] > marks[1] + 20, "\(field.full): \(marks)")
    }
  }

  @Test func `frames of HTML are said to be left out`() async throws {
    let person = try await Person.anybody()
    let html = """
      <!doctype html><p>text</p><iframe src=map.html></iframe><iframe src=other.html></iframe>
      <iframe src=counter.html style="display: none"></iframe><iframe src=dot.html width=1></iframe>
      """
    let file = try person.document(Array(html.utf8), "frames.html")
    let output = person.path("frames.pwg")
    let drawn = try await person.airprint("render", file, "-o", output)
    #expect(
      drawn.code == 0 && drawn.stderr.contains("An iframe is left out: map.html, and 1 more"),
      "\(drawn.report)")
    #expect(!drawn.stderr.contains("counter") && !drawn.stderr.contains("dot"))
    let strict = try await person.airprint("render", file, "-o", output, "--strict")
    #expect(strict.code == 65, "\(strict.report)")
  }

  @Test(arguments: [
    ("<script>document.write('text')</script>", true),
    ("<div style='display: none'>text</div><div> </div><script></script>", true),
    ("<p>text</p><script></script>", false),
    ("<svg width=9 height=9></svg><script></script>", false),
    ("<p></p>", false), ("<hr><script></script>", false), ("<input><script></script>", false),
  ])
  func `HTML that is blank without its scripts is said to be`(_ body: String, _ isSaid: Bool)
    async throws
  {
    let person = try await Person.anybody()
    let file = try person.document(Array("<!doctype html><body>\(body)".utf8), "scripts.html")
    let output = person.path("scripts.pwg")
    let drawn = try await person.airprint("render", file, "-o", output)
    #expect(drawn.code == 0, "\(drawn.report)")
    #expect(drawn.stderr.contains("Scripts are left out") == isSaid, "\(drawn.report)")
  }

  /// Bytes of a document, words of it that are on its pages, and what is told of them.
  ///
  /// Text whose encoding is stated, or plain, is no guess; "title: a: b" is not YAML.
  private static let printed: [(name: String, bytes: [UInt8], words: String, loss: String?)] = [
    ("beside.html", beside("float: left"), "last", nil),
    ("beside.html", beside("position: absolute"), "last", nil),
    ("aside.html", made("<!doctype html><table align=right><tr><td>\(lines)"), "last", nil),
    ("page.html", made("<!doctype html><p>Grüße"), "Grüße", nil),
    ("page.html", made("<!doctype html><p>Gr", [0xFC, 0xDF, 0x65]), "Grüße", "encoding-guessed"),
    ("page.md", made("5 ", [0x80]), "€", "encoding-guessed"),
    ("page.md", [0xFF, 0xFE, 0x6C, 0, 0x61, 0, 0x73, 0, 0x74, 0], "last", nil),
    ("page.xhtml", made("\(xhtml)<title/></head><body>&nbsp;last</body></html>"), "last", nil),
    ("page.html", made("\(xhtml)<script/></head><body>last</body></html>"), "last", nil),
    ("page.md", made("---\nbody: x\n---\nlast"), "last", nil),
    ("page.md", made("---\nhighlighting-css: 'body{display:none}'\n---\nlast"), "last", nil),
    ("page.md", made("---\ntitle: last: last\n---\n\nText"), "last", nil),
    ("page.md", made("---\n* name: last\n* other\n---\n\nText"), "last", nil),
    ("page.md", made("---\ntitle: last\n---\n\nText"), "last", nil),
  ]
  private static func made(_ text: String, _ more: [UInt8] = []) -> [UInt8] {
    Array(text.utf8) + more
  }
  private static func beside(_ style: String) -> [UInt8] {
    made("<!doctype html><p>text<div style='\(style)'>\(lines)</div>")
  }
  private static let lines = String(repeating: "<p>line", count: 99) + "<p>last"
  private static let xhtml = "<html xmlns='http://www.w3.org/1999/xhtml'><head>"

  @Test(arguments: printed)
  func `the text of a converted document is on its pages`(
    _ name: String, _ bytes: [UInt8], _ words: String, _ loss: String?
  ) async throws {
    let person = try await Person.anybody()
    let file = try person.document(bytes, name)
    let output = person.path("out.pdf")
    let rendered = try await person.airprint("render", "--json", file, "-o", output)
    #expect(rendered.code == 0, "\(rendered.report)")
    let losses = try rendered.json.losses?.array ?? []
    #expect(losses.map { $0.reason?.string } == [loss].filter { $0 != nil }, "\(rendered.report)")
    let text = try await person.bench.run(["pdftotext", output, "-"]).stdout
    #expect(text.contains(words), "\(text)")
  }

  /// A4 is 595 points wide, with margins of 54.
  @Test(arguments: [
    ("1. \u{5E9}\u{5DC}\u{5D5}\u{5DD}", true), ("\u{645}\u{631}\u{62D}\u{628}\u{627} abc", true),
    ("abc", false),
    ("\u{1F600} \u{201C}\u{5E9}\u{5DC}\u{5D5}\u{5DD}\u{201D}", true), ("\u{1F600} abc", false),
    ("---\ndir: rtl\n---\n\nabc", true), ("---\ndir: ltr\n---\n\n\u{5E9}", false),
    ("abc \u{5E9}\u{5DC}\u{5D5}\u{5DD}", false),
    ("```\n\u{5E9}\n```", false),
  ])
  func `Markdown in Hebrew or Arabic is at the right`(_ text: String, _ isAtTheRight: Bool)
    async throws
  {
    let person = try await Person.anybody()
    let file = try person.document(Array("\(text)\n".utf8), "page.md")
    let ink = try #require(try await person.sheets(file, "--paper", "A4").first?.ink)
    #expect(isAtTheRight ? ink.left > 300 && ink.right > 500 : ink.left < 70, "\(ink)")
  }

  @Test func `what an HTML page draws on is its folder's, or that of --assets`() async throws {
    let person = try await Person.anybody()
    let folder = person.path("assets")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Array("div { height: 100pt !important }".utf8).write(to: "\(folder)/tall.css")
    try Array("div { height: 50pt !important }".utf8).write(
      to: person.path("documents/tall.css"))
    let html = Self.page.replacing(
      "<style>", with: "<link rel=stylesheet href=tall.css><style>")
    let file = try person.document(Array(html.utf8), "linked.html")
    #expect(try await person.sheets(file, "--paper", "A4").first?.ink?.isAt(54, 54, 72, 50) == true)
    let other = try await person.sheets(file, "--assets", folder)
    #expect(other.first?.ink?.isAt(54, 54, 72, 100) == true)
    // From a pipe, the document has no folder: that is a warning, or with --strict a refusal.
    let output = person.path("piped.pwg")
    let piped = try await person.airprint(
      "render", "-", "-o", output, input: Array(html.utf8))
    #expect(piped.code == 0 && piped.stderr.contains("tall.css"), "\(piped.report)")
    let strict = try await person.airprint(
      "render", "-", "-o", output, "--strict", input: Array(html.utf8))
    #expect(strict.code == 65 && strict.stderr.contains("tall.css"), "\(strict.report)")
  }

  @Test(arguments: [
    ("<link rel=attachment href=secret.txt>", "page.html"),
    ("<a rel=attachment href=secret.txt>x</a>", "page.html"),
    ("\n<link rel=\"attachment\" href=\"secret.txt\">\n", "page.md"),
  ])
  func `a page takes no files along`(_ link: String, _ name: String) async throws {
    let person = try await Person.anybody()
    _ = try person.document(Array("TOP SECRET".utf8), "secret.txt")
    let page = name.hasSuffix(".md") ? "# Page\n\(link)" : "<title>x</title><p>Page \(link)"
    let file = try person.document(Array(page.utf8), name)
    let output = person.path("out.pdf")
    let refused = try await person.airprint("render", file, "-o", output, "--format", "pdf")
    #expect(refused.code == 65 && refused.stderr.contains("attaches files"), "\(refused.report)")
    #expect(!exists(output))
  }

  @Test func `a drawing shows no text of its folder`() async throws {
    let person = try await Person.anybody()
    let drawing = """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xi="http://www.w3.org/2001/XInclude" width="300" height="99">
      <text x="5" y="50" font-size="40"><xi:include href="secret.txt" parse="text"><xi:fallback/></xi:include></text>
      </svg>
      """
    let file = try person.document(Array(drawing.utf8), "drawing.svg")
    let output = person.path("drawing.pwg")
    #expect(try await person.airprint("render", file, "-o", output).code == 0)
    let empty = try bytes(of: output)
    _ = try person.document(Array("SECRET".utf8), "secret.txt")
    #expect(try await person.airprint("render", file, "-o", output).code == 0)
    #expect(try bytes(of: output) == empty)
  }

  @Test func `nothing is loaded from a network`() async throws {
    let person = try await Person.anybody()
    let door = try Door.silent()
    let address = door.uri.replacing("ipp://", with: "http://")
    let html = Self.page.replacing("</body>", with: "<img src='\(address)'></body>")
    let file = try person.document(Array(html.utf8), "far.html")
    let rendered = try await person.airprint("render", file, "-o", person.path("far.pwg"))
    #expect(rendered.code == 0, "\(rendered.report)")
    #expect(rendered.stderr.contains("no network"), "\(rendered.stderr)")
    #expect(door.callers == 0)
    door.shut()
  }

  @Test func `the job is named by the page's title, and prints on what is loaded`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(Array(Self.page.utf8), "bill.html")
    let plan = try await person.airprint("print", "--dry-run", "--json", "-d", printer.uri, file)
    let document = try #require(try plan.json.documents?.array?.first)
    #expect(document.mediaType == .string("text/html") && document.pages == .number(1))
    let printed = try await person.airprint("print", "-d", printer.uri, file)
    #expect(printed.code == 0, "\(printed.report)")
    let job = try #require(try printer.jobs().first)
    #expect(job["job-name"] == "Bill & Co")
    await printer.stop()
  }

  @Test func `Markdown, by pandoc and WeasyPrint`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(
      Array("<!-- Notes -->\n\n# Title\n\n- one\n- two\n".utf8), "note.md")
    let sheet = try #require(try await person.sheets(file, "--paper", "A4").first)
    let ink = try #require(sheet.ink)
    #expect(abs(ink.left - 54) < 3 && (54...66).contains(ink.top), "\(ink)")
    let roll = try await person.sheets(file, "--type", "receipt", "--paper", "58mm")
    #expect(roll.count == 1 && roll[0].pageSize.height < 150)
  }

  @Test func `tasks of Markdown have boxes`() async throws {
    let person = try await Person.anybody()
    let tasks = "- [ ] buy ink\n- [x] buy paper\n\n1. [ ] fold\n2. [X] *send*\n3. wait\n"
    let file = try person.document(Array(tasks.utf8), "tasks.md")
    let output = person.path("tasks.pdf")
    let rendered = try await person.airprint("render", file, "-o", output)
    #expect(rendered.code == 0, "\(rendered.report)")
    let words = try await person.bench.run(["pdftotext", output, "-"]).stdout
    #expect(words.contains("\u{2610} buy ink") && words.contains("\u{2611} buy paper"), "\(words)")
    #expect(words.contains("\u{2610} fold") && words.contains("\u{2611} send"), "\(words)")
    #expect(!words.contains("•") && words.contains("3. wait"), "\(words)")
  }

  @Test func `PostScript takes the paper's size unless it states its own`() async throws {
    let person = try await Person.anybody()
    let box = "100 100 moveto 50 0 rlineto 0 50 rlineto -50 0 rlineto closepath fill showpage\n"
    let plain = try person.document(Array("%!PS\n\(box)".utf8), "plain")
    let sheet = try #require(try await person.sheets(plain, "--paper", "A5").first)
    let ink = try #require(sheet.ink)
    #expect(ink.isAt(100, 595.28 - 150, 50, 50), "\(ink)")
    let sized = try person.document(
      Array("%!PS\n<< /PageSize [300 200] >> setpagedevice\n\(box)".utf8), "sized")
    let checked = try await person.airprint("check", "--json", sized)
    let size = try checked.json.array?.first?.pageSizes?.array?.first
    #expect(size?.width == .number(300) && size?.height == .number(200), "\(checked.report)")
    let eps = try person.document(
      Array("%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 100 100 150 150\n\(box)".utf8), "box.eps")
    let cropped = try await person.airprint("check", "--json", eps)
    let boxSize = try cropped.json.array?.first?.pageSizes?.array?.first
    #expect(boxSize?.width == .number(50), "\(cropped.report)")
  }

  @Test func `PostScript that reads files is refused`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(
      Array("%!PS\n(/etc/passwd) (r) file pop showpage\n".utf8), "reader.ps")
    let checked = try await person.airprint("check", file)
    #expect(checked.code == 65, "\(checked.report)")
    #expect(checked.stderr.contains("gs"))
  }

  @Test func `EPUB, by pandoc`() async throws {
    let person = try await Person.anybody()
    let text = try person.document(Array("# One\n\nText.\n\n# Two\n\nMore.\n".utf8), "book.md")
    let file = person.path("documents/book.epub")
    let made = try await run(
      ["pandoc", text, "--metadata", "title=Book", "-o", file],
      environment: Scratch.shared.environment)
    try #require(made.code == 0, "\(made.report)")
    let checked = try await person.airprint("check", file)
    #expect(
      checked.stdout.contains("application/epub+zip, 3 pages of A4"), "\(checked.report)")
  }

  @Test(.enabled(if: access("/usr/bin/soffice", X_OK) == 0, "LibreOffice: make deps-all"))
  func `Office documents, several at once`() async throws {
    let person = try await Person.anybody()
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
        xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2"
        office:mimetype="application/vnd.oasis.opendocument.text">
      <office:body><office:text><text:p>Hello</text:p></office:text></office:body></office:document>
      """
    let file = try person.document(Array(text.utf8), "letter.fodt")
    async let first = person.airprint("check", file)
    async let second = person.airprint("check", file)
    for checked in try await [first, second] {
      #expect(checked.stdout.contains("flat-xml, 1 page"), "\(checked.report)")
    }
  }

  /// How a compound file begins, into which Office encrypts documents of its newer formats.
  private static let compound: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]

  @Test(
    .enabled(if: access("/usr/bin/soffice", X_OK) == 0, "LibreOffice: make deps-all"),
    arguments: [
      (compound, "letter.docx", "the document is protected by a password"),
      (compound, "letter.doc", "is damaged, or protected by a password"),
      ([0x50, 0x4B, 3, 4], "letter.odt", "is damaged, or protected by a password"),
    ])
  func `an Office document that LibreOffice can't open may be protected`(
    _ start: [UInt8], _ name: String, _ words: String
  ) async throws {
    let person = try await Person.anybody()
    let bytes = start + [UInt8](repeating: 0, count: 600)
    let checked = try await person.airprint("check", try person.document(bytes, name))
    #expect(checked.code == 65 && checked.report.contains(words), "\(checked.report)")
  }

  @Test(.enabled(if: access("/usr/bin/chromium", X_OK) == 0, "Chromium: make deps-all"))
  func `HTML by Chromium`() async throws {
    let person = try await Person.anybody()
    try person.takeChromium()
    let file = try person.document(Array(Self.page.utf8), "bill.html")
    let sheet = try #require(try await person.sheets(file, "--paper", "A4").first)
    #expect(sheet.ink?.isAt(54, 54, 72, 36) == true, "\(String(describing: sheet.ink))")
    let roll = try await person.sheets(file, "--type", "receipt", "--paper", "80mm")
    #expect(roll.count == 1 && roll[0].pageSize.height == 36, "\(roll.map(\.pageSize))")
  }

  @Test(
    .enabled(if: access("/usr/bin/chromium", X_OK) == 0, "Chromium: make deps-all"),
    arguments: [
      "<!-- <head> --><html><body><iframe src=secret.txt style=\"border: 0\"></iframe></body></html>",
      "<html><head-x></head-x><body><iframe src=secret.txt style=\"border: 0\"></iframe>",
      "<html><head><meta http-equiv=\"&#114;efresh\" content=\"0;url=secret.txt\"></head></html>",
    ])
  func `Chromium shows no text of the folder`(_ page: String) async throws {
    let person = try await Person.anybody()
    try person.takeChromium()
    _ = try person.document(Array("WWWW WWWW WWWW".utf8), "secret.txt")
    let file = try person.document(Array(page.utf8), "page.html")
    let sheets = try await person.sheets(file, "--paper", "A4")
    #expect(sheets.count == 1 && sheets[0].ink == nil, "\(sheets.map(\.ink))")
  }
}

/// The repository.
private let repository = #filePath.split(separator: "/").dropLast(4)
  .reduce(into: "") { $0 += "/\($1)" }

extension Person {
  /// Makes the package's Chromium converter the first one, under another name.
  func takeChromium() throws {
    let own = try bytes(
      of: "\(repository)/Sources/AirprintContext/Settings/converters/html-chromium.toml")
    try converter(String(decoding: own, as: UTF8.self), "aa-chromium")
  }

  /// Writes a converter of the user's.
  func converter(_ text: String, _ name: String) throws {
    let place = "\(folder)/config/airprint/converters"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try Array(text.utf8).write(to: "\(place)/\(name).toml")
  }

  /// Returns the sides of a document as gray raster at 72 dpi.
  func sheets(_ file: String, _ options: String...) async throws -> [Sheet] {
    let output = path("sheets-\(UUID().uuidString.prefix(8)).pwg")
    let rendered = try await airprint(
      ["render", file, "-o", output, "--color", "gray", "--resolution", "72"] + options)
    try #require(rendered.code == 0, "\(rendered.report)")
    return try Sheet.read(output)
  }
}
