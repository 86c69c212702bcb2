import FoundationEssentials
import TestSupport
import Testing

/// What is missing from the paper is told in the same words by whatever plans, draws or prints the document.
@Suite(.inTurn) struct LossTests {
  /// A document that loses something, and the settings with which it does.
  struct Lossy: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var reasons: [String]
    var settings = ""

    init(_ name: String, _ bytes: [UInt8], _ reasons: String..., settings: String = "") {
      (self.name, self.bytes, self.reasons, self.settings) = (name, bytes, reasons, settings)
    }

    init(_ name: String, _ text: String, _ reasons: String..., settings: String = "") {
      (self.name, self.bytes, self.reasons, self.settings) = (
        name, Array(text.utf8), reasons, settings
      )
    }

    var testDescription: String { "\(name): \(reasons), \(settings)" }
  }

  private static func pdf(_ catalog: String, annotations: String = "") -> [UInt8] {
    var page = PDF.Page(width: 300, height: 100, marks: [PDF.corner])
    page.attributes = "/Annots [\(annotations)]"
    var document = PDF(pages: [page])
    document.catalog = catalog
    document.objects = ["<< /Type /OCG /Name (a) /Usage << /Print << /PrintState /OFF >> >> >>"]
    return document.bytes
  }

  /// Pages of a pixel, each at its offset.
  private static func tiff(_ offsets: [UInt16]) -> [UInt8] {
    var file = Array("II".utf8) + [42, 0, 8, 0, 0, 0]
    func add(_ numbers: UInt16...) {
      for number in numbers { file += [UInt8(number & 255), UInt8(number >> 8)] }
    }
    for (index, offset) in offsets.enumerated() {
      add(8)
      let tags: [UInt16] = [256, 257, 258, 259, 262, 273, 278, 279]
      let values: [UInt16] = [1, 1, 8, 1, 1, offset, 1, 1]
      for (tag, value) in zip(tags, values) { add(tag, 3, 1, 0, value, 0) }
      add(index + 1 < offsets.count ? UInt16(8 + 102 * (index + 1)) : 0, 0)
    }
    return file
  }

  private static let field =
    "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (me) /F 4 /Rect [50 20 250 60] >>"
  private static func form(value: String, _ style: String, _ more: String = "") -> [UInt8] {
    RawPDF(
      page: "/Annots [5 0 R] /Rotate 90",
      catalog: "/AcroForm << /Fields [5 0 R] /DR << /Font << /Helv 6 0 R >> >> >>",
      objects: [
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V \(value) /F 4 /Rect [50 200 250 240] "
          + "/DA (\(style)) \(more) >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      ]
    ).bytes
  }
  private static let highlight =
    "<< /Type /Annot /Subtype /Highlight /F 4 /Rect [50 20 250 60] /AP << /N 4 0 R >> >>"
  private static let caret =
    "<< /Type /Annot /Subtype /Caret /F 4 /Rect [50 20 250 60] /AP << /N null >> >>"
  private static let words =
    "<< /Type /Annot /Subtype /FreeText /F 4 /Rect [50 20 250 60] /Contents (words) "
    + "/DA (/Helv 12 Tf 0 g) /AP << >> >>"
  private static let gap = RawPDF().with { file in
    file.add(2, "<< /Type /Pages /Count 2 /Kids [3 0 R 5 0 R] >>")
    file.add(5, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 .5 .5] /Contents 4 0 R >>")
  }.bytes
  private static func contents(_ object: String) -> [UInt8] {
    RawPDF().with {
      $0.add(3, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents \(object) >>")
    }.bytes
  }
  /// A picture of 16 x 16 pixels of which so many bytes are there.
  private static func picture(_ count: Int) -> [UInt8] {
    RawPDF("90 0 0 90 9 9 cm /X Do", resources: "/XObject << /X 5 0 R >>").with {
      $0.stream(
        5, "/Subtype /Image /Width 16 /Height 16 /BitsPerComponent 8 /ColorSpace /DeviceGray",
        Array(repeating: 65, count: count))
    }.bytes
  }
  private static func inline(_ count: Int, _ end: String) -> [UInt8] {
    let bytes = String(repeating: "A", count: count)
    return RawPDF("q BI /W 16 /H 16 /BPC 8 /CS /G ID \(bytes)\n\(end) Q 0 0 9 9 re f").bytes
  }
  /// A text in a font of Helvetica's letters, or of drawings, of which it has one.
  private static func letters(_ text: String, isDrawn: Bool) -> [UInt8] {
    let encoding = "/Encoding << /Differences [32 /space 65 /A /uniE123] >> /FirstChar 32"
    let drawings =
      "/Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /A 6 0 R >> "
      + "/LastChar 66 /Widths [\(String(repeating: "1 ", count: 35))] /Resources << >>"
    let font = isDrawn ? drawings : "/Subtype /Type1 /BaseFont /Helvetica"
    return RawPDF(
      "BT /F 20 Tf 9 9 Td (\(text)) Tj ET", resources: "/Font << /F 5 0 R >>",
      objects: ["<< /Type /Font \(encoding) \(font) >>"]
    ).with { $0.stream(6, "", Array("1 0 0 0 1 1 d1 0 0 1 1 re f".utf8)) }.bytes
  }
  private static let helvetica = "/Subtype /Type1 /BaseFont /Helvetica"
  private static func words(in font: String, _ before: String = "") -> [UInt8] {
    RawPDF(
      "BT /F 20 Tf 9 9 Td \(before) <00410042004300440045> Tj ET",
      resources: "/Font << /F 5 0 R >>",
      objects: ["<< /Type /Font \(font) >>"]
    ).with {
      let map =
        "1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
        + "1 beginbfrange <0041> <0048> <0042> endbfrange"
      $0.stream(6, "", Array(map.utf8))
    }.bytes
  }
  /// A font whose codes are numbers of its glyphs.
  private static func numbered(_ meaning: String) -> String {
    "/Subtype /Type0 /BaseFont /Helvetica /Encoding /Identity-H \(meaning) /DescendantFonts [<< "
      + "/Type /Font /Subtype /CIDFontType2 /BaseFont /Helvetica "
      + "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>]"
  }
  /// A font that the file lacks, behind many others, Japanese, that are not seen.
  private static let fonts: [UInt8] = {
    let others = (0..<79).map {
      "<< /Type /Font /Subtype /Type0 /BaseFont /Other\($0) /Encoding /Identity-H /DescendantFonts [<< "
        + "/Type /Font /Subtype /CIDFontType0 /BaseFont /Other\($0) "
        + "/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 0 >> >>] >>"
    }
    let hidden = others.indices.map { "/F\($0) 20 Tf (AA) Tj" }.joined(separator: "\n")
    let names = (0...others.count).map { "/F\($0) \(5 + $0) 0 R" }.joined(separator: " ")
    return RawPDF(
      "BT 9 9 Td 3 Tr \(hidden) 0 Tr /F\(others.count) 20 Tf (A) Tj ET",
      resources: "/Font << \(names) >>",
      objects: others + [
        "<< /Type /Font /Subtype /TrueType /BaseFont /Unheard /Encoding /WinAnsiEncoding >>"
      ]
    ).bytes
  }()
  /// A page that Splash draws.
  private static func knockout(_ content: String, _ page: String = "") -> [UInt8] {
    RawPDF(
      content, page: "/Group << /S /Transparency /K true >> \(page)",
      catalog: "/AcroForm << /Fields [] >>"
    ).bytes
  }
  private static func svg(_ part: String) -> String {
    "<svg xmlns='http://www.w3.org/2000/svg' width='99' height='99'>"
      + "<rect width='9' height='9'/>\(part)</svg>"
  }
  private static let symbol = "<symbol id='a'><rect width='9' height='9'/></symbol>"
  private static let drawing = svg("<image href='none.png' width='9' height='9'/>")
  private static let cut =
    Array("P6 200 200 255\n".utf8) + [UInt8](repeating: 0, count: 80_000)

  private static let dot =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
  /// Half a picture of 16 x 16 pixels.
  private static let half =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAABF0lEQVR4nGNgYOcTlVHWMrSwd"
    + "/MNiU7KZOAVkVbSNDC3c/UJjkrMyC9jkFLU0DezdfEOikxI"
  private static let pixel =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
  // Not written in Swift's strings.
  private static let noncharacter =
    String(decoding: [0x61, 0xEF, 0xB7, 0x90] as [UInt8], as: UTF8.self)
  private static func html(_ part: String) -> String { "<!doctype html><p>text</p>\(part)" }
  private static let lines = String(repeating: "<br>line", count: 99)
  private static func image(_ style: String) -> String {
    "<img src='\(pixel)' style='position: absolute; width: 300px; height: 300px; \(style)'>"
  }
  private static func place(_ style: String) -> String {
    "<div style='position: absolute; \(style)'>wwww</div>"
  }

  static let all = [
    Lossy("wrong.txt", Array("Grüße über\n".utf8) + [0xFF], "damaged"),
    Lossy("half.txt", [0xFF, 0xFE, 0x41, 0, 0, 0xD8, 0x42, 0, 0x0A, 0], "damaged"),
    Lossy("latin.txt", Array("Gr".utf8) + [0xFC, 0xDF, 0x65], "encoding-guessed"),
    Lossy(
      "font.txt", "Text", "font-missing", settings: "[types.document]\nfont = \"No Such Font\"\n"),
    Lossy("cut.ppm", cut, "damaged"),
    Lossy("gap.pdf", gap, "page-left-out"),
    Lossy("contents.pdf", contents("4 0 R")),
    Lossy("contents.pdf", contents("[4 0 R null]"), "damaged"),
    Lossy("picture.pdf", picture(256)),
    Lossy("picture.pdf", picture(128), "damaged"),
    Lossy("row.pdf", picture(250), "damaged"),
    Lossy("letters.pdf", letters("A A", isDrawn: false)),
    Lossy("letters.pdf", letters("AB", isDrawn: false), "character-missing"),
    Lossy("drawings.pdf", letters("A A", isDrawn: true)),
    Lossy("drawings.pdf", letters("AB", isDrawn: true), "character-missing"),
    // Fonts that the file lacks: one that stands for another, one that doesn't, and numbers of glyphs in one.
    Lossy("arial.pdf", words(in: "/Subtype /TrueType /BaseFont /Arial /Encoding /WinAnsiEncoding")),
    Lossy(
      "calibri.pdf", words(in: "/Subtype /TrueType /BaseFont /Calibri /Encoding /WinAnsiEncoding"),
      "font-missing"),
    Lossy(
      "hidden.pdf",
      words(in: "/Subtype /TrueType /BaseFont /Calibri /Encoding /WinAnsiEncoding", "3 Tr")),
    Lossy("numbers.pdf", words(in: numbered("/ToUnicode /Identity-H")), "font-missing"),
    Lossy("numbers.pdf", words(in: numbered("/ToUnicode 6 0 R"))),
    Lossy("fonts.pdf", fonts, "font-missing"),
    // Splash draws these.
    Lossy(
      "knockout.pdf",
      knockout("", "/Annots [\(field.replacing("/Rect", with: "/DA (0 Tf 0 g) /Rect"))]"),
      "field-left-out"),
    Lossy("knockout.pdf", knockout("1 0 re f 0 0 9 9 re f"), "damaged"),
    Lossy("knockout.pdf", knockout("0 0 9 9 re f")),
    // A path among text is drawn before it.
    Lossy("path.pdf", words(in: helvetica, "(A) Tj 9 9 m 200 9 l S")),
    Lossy("clip.pdf", words(in: helvetica, "(A) Tj 9 9 200 9 re W n"), "damaged"),
    Lossy("clip.pdf", words(in: helvetica, "(A) Tj 9 9 200 9 re W n 9 9 Td")),
    Lossy("inline.pdf", inline(256, "EI")),
    Lossy("inline.pdf", inline(256, ""), "damaged"),
    Lossy("inline.pdf", inline(200, "EI"), "damaged"),
    Lossy(
      "cover.pdf",
      pdf(
        "/Collection << >> /Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a) >>] >> >>"
      ), "only-cover"),
    Lossy("two.tiff", tiff([0, 0])),
    Lossy("two.tiff", tiff([0, 9_999]), "page-left-out"),
    Lossy("field.pdf", pdf("/AcroForm << /Fields [] >>", annotations: field), "field-left-out"),
    Lossy("form.pdf", form(value: "(me)", "0 Tf 0 g"), "field-left-out"),
    Lossy("form.pdf", form(value: "(me)", "/Helv 0 Tf 0 g", "/MK << /BG [.5] /BC [0] >>")),
    Lossy(
      "form.pdf", form(value: "(me)", "0 Tf 0 g", "/MK << /BG [.5] /BC [0] >>"), "field-left-out"),
    Lossy("form.pdf", form(value: "( )", "0 Tf 0 g")),
    Lossy("mark.pdf", pdf("", annotations: highlight), "annotation-left-out"),
    Lossy("caret.pdf", pdf("", annotations: caret), "annotation-left-out"),
    // Poppler makes the appearance, once the one that can't be used is removed.
    Lossy("words.pdf", pdf("", annotations: words)),
    Lossy("mail.pdf", Array("Dear all,\nsee below.\n".utf8) + pdf(""), "not-supported"),
    Lossy("answer.pdf", Array("Content-Type: application/pdf\r\n\r\n".utf8) + pdf("")),
    Lossy(
      "layer.pdf",
      pdf(
        "/OCProperties << /OCGs [6 0 R] /D << "
          + "/AS [<< /Event /Print /Category [/Print] /OCGs [6 0 R] >>] >> >>"), "layer-differs"),
    Lossy("boxes.txt", "\u{10F123}", "character-missing"),
    Lossy("code.txt", noncharacter, "damaged"),
    Lossy("code.receipt", "\(noncharacter)\nTotal | 1.00", "damaged"),
    Lossy("drawing.svg", drawing, "file-missing"),
    Lossy(
      "words.svg", svg("<foreignObject width='9' height='9'><p>x</p></foreignObject>"),
      "not-supported"),
    Lossy(
      "curve.svg", svg("<text><textPath href='#a'>words</textPath></text>"), "not-supported"),
    Lossy(
      "choice.svg",
      svg("<switch><foreignObject><p>x</p></foreignObject><text y='9'>x</text></switch>")),
    Lossy(
      "sheet.svg", svg("<style>@import url(none.css); a { fill: red }</style>"), "file-missing"),
    Lossy("sheet.svg", svg("<style>@import \"none.css\";</style>"), "file-missing"),
    Lossy("color.svg", svg("<rect fill='url(none.svg#a)'/>"), "file-missing"),
    Lossy("empty.svg", svg("<switch/><foreignObject><p>x</p></foreignObject>"), "not-supported"),
    Lossy(
      "alone.svg", svg("<switch><g><foreignObject><p>x</p></foreignObject></g></switch>"),
      "not-supported"),
    Lossy(
      "name.svg", svg("<image data-href='x' href='none.png' width='9' height='9'/>"),
      "file-missing"),
    Lossy(
      "variable.svg", svg("<path d='M0 0h9' style='--a: red; stroke: var(--a)'/>"), "not-supported"),
    Lossy("style.svg", svg("<style>@media print { rect { fill: red } }</style>"), "not-supported"),
    Lossy(
      "style.svg", svg("<style>@media (prefers-color-scheme: dark) { rect { fill: red } }</style>")),
    Lossy(
      "cursor.svg",
      svg(
        "<rect style='fill: url(#a) red; cursor: url(none.cur)'/><text y='9'>@import \"a\"</text>")),
    Lossy(
      "font.svg",
      svg("<style>@font-face { src: url('a.eot?#x') format('x'), url('a.svg#x') }</style>")),
    Lossy("comment.svg", svg("<!-- <image href='none.png'/> -->")),
    Lossy(
      "broken.svg",
      svg("<image href='data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==' width='9' height='9'/>"),
      "damaged"),
    Lossy(
      "text.svg",
      svg("<image href='data:image/png;base64,PGh0bWw+' width='9' height='9'/>"), "damaged"),
    Lossy(
      "twice.svg",
      svg(
        "<image href='data:image/svg+xml;base64,"
          + Data(svg("<image href='data:image/gif;base64,R0lGODlh' width='9' height='9'/>").utf8)
          .base64EncodedString() + "' width='9' height='9'/>"), "damaged"),
    Lossy(
      "inner.svg",
      svg("<image href='data:image/svg+xml;utf8,\(inner)' width='9' height='9'/>"),
      "file-missing"),
    // What is referred to has to be there, unless a color is stated for want of it.
    Lossy("use.svg", svg("<use href='#none'/>"), "damaged"),
    Lossy("use.svg", svg("<use href='other.svg#none'/>"), "damaged"),
    Lossy("use.svg", svg("<use href='other.svg#a'/>")),
    Lossy("fill.svg", svg("<path d='M0 0h9v9z' fill='url(#none)'/>"), "damaged"),
    Lossy(
      "fill.svg", svg("<path d='M0 0h9v9z' style='stroke: url(&quot;#none&quot;)'/>"), "damaged"),
    Lossy("fill.svg", svg("<path d='M0 0h9v9z' fill='url(#none) #123'/>")),
    Lossy("marker.svg", svg("<style>.a { marker-end: url('#none') }</style>"), "damaged"),
    Lossy(
      "gradient.svg",
      svg(
        "<linearGradient id='a' href='#none'/><rect fill='url(#a)' mask='url(#b)'/><mask id=\"b\"/>"
      ),
      "damaged"),
    Lossy("effect.svg", svg("<filter><feImage href='#a'/></filter>"), "not-supported"),
    Lossy(
      "sprites.svg", "<svg xmlns='http://www.w3.org/2000/svg'>\(symbol)</svg>", "not-supported"),
    Lossy("sprites.svg", svg(symbol + "<use href='#a'/>")),
    Lossy("spread.svg", svg("<text x='9 19,29' y='9'>a<tspan>bc</tspan></text>"), "not-supported"),
    Lossy("spread.svg", svg("<text x='9 19,29' y='9'>a c</text>")),
    Lossy("turned.svg", svg("<text y='9' rotate='0 9'>abc</text>"), "not-supported"),
    Lossy("spread.svg", svg("<text x=' 9 ' y='9' rotate='0 0'>abc</text>")),
    Lossy(
      "turned.svg", svg("<rect transform='rotate(9)' transform-origin='9 9'/>"), "not-supported"),
    Lossy(
      "turned.svg", svg("<style>rect { transform-origin: center; animation: spin 1s }</style>")),
    Lossy("color.svg", svg("<path d='M0 0h9' stroke='oklch(0.5 0.1 9)'/>"), "not-supported"),
    Lossy("color.svg", svg("<text y='9'>oklch(0.5 0.1 9)</text>")),
    Lossy("cut.html", html(place("top: 0; left: -90px")), "converter-left-out"),
    Lossy("till.receipt", "image: none.png\nTotal | 1.00", "file-missing"),
    Lossy("till.receipt", "qrcode: x\nTotal | 1.00", "printed-as-text"),
    // The pictures of a receipt, and what is drawn on the pages, are documents themselves.
    Lossy("till.receipt", "image: cut.ppm\nTotal | 1.00", "damaged"),
    Lossy("plain.pdf", PDF().bytes, "damaged", settings: overlay("cut.ppm")),
    Lossy("plain.pdf", PDF().bytes, "file-missing", settings: overlay("drawing.svg")),
    // Half of a stamp, a ground that bleeds, and a stamp whose blank side is beyond the edge.
    Lossy("plain.pdf", page, "stamp-left-out", settings: overlay("seal.ppm", "280,40,40,40")),
    Lossy("plain.pdf", page, settings: overlay("seal.ppm", "-9,-9,318,118")),
    Lossy("plain.pdf", page, settings: overlay("seal.ppm", "-9,20,318,40")),
    Lossy("plain.pdf", page, "too-small", settings: words("40,40,40,40")),
    Lossy("plain.pdf", page, settings: words("9,40,280,40")),
    Lossy("plain.pdf", PDF().bytes, "text-cut-off", settings: overlay("long.txt")),
    Lossy(
      "plain.pdf", PDF().bytes, "text-cut-off",
      settings: "[types.document]\nheader = \"\(String(repeating: "header ", count: 60))\"\n"),
    Lossy("plain.pdf", PDF().bytes),
  ]

  private static let converted: [Lossy] = [
    // Losses of different reasons.
    Lossy(
      "several.html",
      html(
        "<p>&#xE001;</p><img src='\(half)'><img srcset='none.png 1x, x.png 2x'>"
          + "<svg><foreignObject><p>x</p></foreignObject></svg>"),
      "character-missing", "converter-left-out", "damaged", "not-supported"),
    Lossy("broken.md", "![x](\(half))", "damaged"),
    Lossy(
      "math.html",
      html(
        "<style>@font-face { font-family: X; src: url(none.ttf) }</style>"
          + "<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"),
      "converter-left-out", "not-supported"),
    Lossy(
      "app.html", "<body><noscript>Enable scripts.</noscript><div id=a></div><script>a()</script>",
      "converter-left-out"),
    Lossy("low.html", html(image("left: 9px; top: 900px")), "converter-left-out"),
    Lossy(
      "left.html", html("<body dir=rtl>" + image("left: -99px; top: 99px")), "converter-left-out"),
    Lossy(
      "cover.html",
      html("<style>@page { margin: 0 }</style>" + image("left: 0; width: 100%; top: 900px"))),
    Lossy("later.html", html("<img data-original='none.png?x'>"), "converter-left-out"),
    Lossy("later.html", html("<img alt='A chart'><img id=zoom>"), "converter-left-out"),
    Lossy("tags.md", "Run it <file> <b>now</b>"),
    Lossy("below.html", html(place("top: 5000px")), "converter-left-out"),
    // What does not continue on the next page, and what only seems to be missing.
    Lossy("head.html", html("<table><thead><tr><th>\(lines)<tbody><tr><td>x"), "text-cut-off"),
    Lossy(
      "pages.html",
      html(
        "<style>.cap::first-letter { float: left; font-size: 3em }</style>"
          + "<p style='float: left; height: 9px; overflow: hidden'>\(lines)</p>"
          + "<table><thead><tr><th>x<tbody><tr><td>\(lines)</table><p class=cap>text\(lines)</p>"
          + "<a style='position: absolute; top: -100%'>Skip</a>")),
    Lossy("lines.html", html("<pre>\(String(repeating: "a long line ", count: 99))</pre>")),
    Lossy("wrong.html", Array(html("<meta charset=utf-8>Grüße").utf8) + [0xFF], "damaged"),
    Lossy("nothing.html", Array(html(nothing.joined()).utf8) + [0xFC, 0xDF, 0x65]),
  ]

  /// Parts of a page in a stated encoding, of which none is a loss.
  private static let nothing = [
    "<meta charset=latin1>", "<p>a&#x200D;b&#xFE0F;&shy;</p>",
    "<svg><switch><foreignObject><p>x</p></foreignObject><text>x</text></switch></svg>",
    "<math><mi>a</mi></math>", "<noscript>Enable scripts.</noscript><script>a()</script>",
    "<img src='\(dot)' data-zoom='none.png'><img id=zoom>", place("left: -9999px"), "<p>Gr",
  ]

  private static func overlay(_ file: String, _ rectangle: String = "40,40,40,40") -> String {
    "[types.document]\noverlay = \"seal\"\n[stamps.seal]\nfile = \"../../documents/\(file)\"\n"
      + "rect = \"\(rectangle)\"\n"
  }
  private static func words(_ rectangle: String) -> String {
    "[types.document]\noverlay = \"seal\"\n[stamps.seal]\n"
      + "text = \"a text of some length\"\nrect = \"\(rectangle)\"\n"
  }
  private static let inner = drawing.replacing("<", with: "%3C").replacing(">", with: "%3E")
    .replacing("'", with: "%27")
  private static let page = pdf("")
  private static let seal = Array("P5 8 8 255\n".utf8) + [UInt8](repeating: 0, count: 64)

  @Test func `losses are told in the order of their pages, up to twenty of a reason`() async throws
  {
    let pages = RawPDF().with { file in
      let places = (0..<25).map { "\(100 + $0) 0 R" }.joined(separator: " ")
      file.add(2, "<< /Type /Pages /Count 25 /Kids [\(places)] >>")
      for page in 0..<25 {
        file.add(
          100 + page, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R >>")
      }
      file.stream(4, "", Array("1 0 re f 0 0 9 9 re f".utf8))
    }
    let person = try await Person.anybody()
    let drawn = try await person.airprint(
      "render", try person.document(pages.bytes), "-o", person.path("out.pwg"), "--json")
    let losses = try #require(try drawn.json.losses?.array)
    #expect(losses.map { $0.page } == (1...21).map { .number(Double($0)) }, "\(drawn.report)")
    let more = losses.map { $0.message?.string?.contains("and there is more like this") }
    #expect(more == [Bool](repeating: false, count: 20) + [true], "\(drawn.report)")
  }

  @Test(arguments: all)
  func `every command tells a loss`(_ lossy: Lossy) async throws {
    let person = try await Person.anybody()
    let printer = try await person.press()
    if !lossy.settings.isEmpty { try person.configure(lossy.settings) }
    for (name, bytes) in [
      ("cut.ppm", Self.cut), ("seal.ppm", Self.seal), ("drawing.svg", Array(Self.drawing.utf8)),
      ("other.svg", Array(Self.svg(Self.symbol).utf8)),
      ("long.txt", Array(String(repeating: "long ", count: 400).utf8)),
    ] { _ = try person.document(bytes, name) }
    let file = try person.document(lossy.bytes, lossy.name)
    let wanted = lossy.reasons
    let there = ["-d", printer.uri, "--json", file]
    var words: [String] = []
    let commands = [
      ["check", "--json", file], ["print"] + there, ["check"] + there,
      ["print", "--dry-run"] + there, ["render", "-o", person.path("out.pwg")] + there,
    ]
    // All of them read one ledger: the first document of a kind shows it.
    let isFirst = Self.all.first { $0.reasons == lossy.reasons }?.name == lossy.name
    for command in commands.prefix(isFirst ? 5 : 2) {
      let told = try await person.airprint(command)
      #expect(told.code == 0, "\(told.report)")
      let json = try told.json
      let losses = ((json.array?.first ?? json)["losses"]?.array ?? [])
      #expect(losses.map { $0.reason?.string } == wanted, "\(told.report)")
      words = losses.compactMap { $0.message?.string }
    }
    guard isFirst else { return await printer.stop() }
    let seen = try await person.airprint(
      "preview", "-d", printer.uri, "-o", person.path("out.png"), file)
    #expect(words.allSatisfy(seen.stderr.contains), "\(seen.report)")
    // Nothing of it is sent with --strict.
    let jobs = try printer.jobs().count
    let strict = try await person.airprint("print", "--strict", "-d", printer.uri, file)
    let refused: Int32 = wanted == ["stamp-left-out"] || wanted == ["too-small"] ? 64 : 65
    #expect(strict.code == (wanted.isEmpty ? 0 : refused), "\(strict.report)")
    #expect(try printer.jobs().count == jobs + (wanted.isEmpty ? 1 : 0))
    await printer.stop()
  }

  @Test(arguments: converted)
  func `a converter tells a loss`(_ lossy: Lossy) async throws {
    let person = try await Person.anybody()
    let file = try person.document(lossy.bytes, lossy.name)
    let told = try await person.airprint("check", "--json", file)
    let json = try told.json
    let losses = (json.array?.first ?? json)["losses"]?.array ?? []
    #expect(losses.compactMap { $0.reason?.string }.sorted() == lossy.reasons, "\(told.report)")
  }
}
