import CCairo
import DocumentBytes
import Glibc
import PrintModel
import Testing

@testable import SVG

/// What librsvg leaves out of a drawing.
@Suite struct SVGLossTests {
  private func pages(_ part: String) throws -> SVGPages {
    let text = "<svg xmlns='http://www.w3.org/2000/svg' width='99' height='99'>\(part)</svg>"
    let file = try #require(MappedFile(copy: Array(text.utf8)))
    return try SVGPages(file, folder: nil) { _ in [] }
  }

  private func losses(_ part: String) throws -> [String] {
    try pages(part).takeLosses().map(\.message)
  }

  /// A switch chooses what stands beside a foreignObject, and a text's place is its first letter's.
  @Test(arguments: [
    "<switch><foreignObject width='9' height='9'/><rect width='50' height='50'/></switch>",
    "<text dx='9 9' dy='50 1' font-size='60'>HH</text>",
    "<text dx='9 9' dy='37 37' font-size='30' text-decoration='underline'>..</text>",
  ])
  func `it is drawn`(_ part: String) throws {
    let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 75, 75)
    let context = try #require(cairo_create(surface))
    defer {
      cairo_destroy(context)
      cairo_surface_destroy(surface)
    }
    try pages(part).draw(0, on: context)
    cairo_surface_flush(surface)
    let row =
      try #require(cairo_image_surface_get_data(surface)) + 30
      * Int(cairo_image_surface_get_stride(surface))
    #expect((0..<20).contains { row[$0] > 0 })
  }

  @Test(arguments: [
    ("<Rect width='9' height='9'/>", "Rect elements"),
    ("<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:Rect width='9'/></s:svg>", "Rect elements"),
    ("<filter id='a'><feGlow in='SourceGraphic'/></filter>", "feGlow elements"),
    ("<meshgradient id='a'><meshrow/></meshgradient>", "meshgradient elements"),
    ("<rect width='9' height='9'><text y='9'>x</text></rect>", "elements in a rect"),
    ("<switch><new/><text y='9'>x</text></switch>", "new elements"),
    ("<switch><foreignObject><p>x</p></foreignObject></switch>", "foreignObject elements"),
  ])
  func `elements that are not drawn`(_ part: String, _ what: String) throws {
    #expect(
      try losses(part) == ["The drawing's \(what) can't be drawn, and are left out."])
  }

  @Test(arguments: [
    "<metadata><RDF><Work/></RDF></metadata><x:own xmlns:x='urn:x'><p>a</p></x:own><q xmlns='http://q'><p/></q>",
    "<style><![CDATA[ a > b {} ]]></style><script><![CDATA[ if (a <b) c() ]]></script><flowRoot/>",
    "<rect width='9' height='9'><title>A <b>bar</b></title><animate attributeName='x'/></rect>",
    "<text x='1 2'></text><text y='9'>a <tspan>b</tspan><a href='#c'>d</a></text><circle r='9'/>",
    "<switch><foreignObject width='1'/><g><text y='9'>x</text></g></switch>",
  ])
  func `elements that show nothing, or are drawn`(_ part: String) throws {
    #expect(try losses(part) == [])
  }

  /// What is missing of a drawing, once it is drawn.
  private func drawn(_ part: String) throws -> [String] {
    let pages = try pages(part)
    let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 75, 75)
    let context = try #require(cairo_create(surface))
    defer {
      cairo_destroy(context)
      cairo_surface_destroy(surface)
    }
    try pages.draw(0, on: context)
    return pages.takeLosses().map(\.message)
  }

  @Test(arguments: [
    ("<path d='M1 2X3 4'/><path d='MNaN,NaNL1 2'/>", "could not parse path"),
    ("<polyline points='1 2 undefined'/>", "polyline"),
    ("<rect width='9' height='foo'/>", "height: foo"),
    ("<rect width='9rem' height='9'/>", "width: 9rem"),
    ("<path d='M0 0h9v9z' fill='url(#no)'/><path d='M0 0h9v9z' fill='url(#no)'/>", "#no"),
    (
      "<filter id='a'><feOffset in='b'/></filter><rect width='9' height='9' filter='url(#a)'/>",
      "feOffset"
    ),
    (
      "<filter id='a'><feMorphology radius='-1'/></filter><rect width='9' height='9' filter='url(#a)'/>",
      "feMorphology"
    ),
    ("<linearGradient id='a' href='#a'/><rect width='9' height='9' fill='url(#a)'/>", "#a"),
    (
      "<image href='data:image/pjpeg;base64,\(String(repeating: "A", count: 2_000))' width='9' height='9'/>",
      "could not load image data:image/pjpeg;base64."
    ),
    ("<text y='9' style='word-spacing: 3px'>a b</text>", "word-spacing: 3px"),
    ("<text y='9' alignment-baseline='hanging'>a</text>", "alignment-baseline: hanging"),
    ("<style>path { d: path('M0 0h9') }</style>", "d: path("),
    ("<style>rect:is(a, b) { fill: red }</style>", "rect:is(a, b)"),
    (
      "<rect width='9' height='9' transform='scale(2)' style='transform-origin: 9px 9px'/>",
      "transform-origin: 9px 9px"
    ),
  ])
  func `what librsvg says that it leaves out`(_ part: String, _ what: String) throws {
    let losses = try drawn(part)
    #expect(losses.contains { $0.contains(what) }, "\(losses)")
    #expect(Set(losses).count == losses.count && losses.count <= 2, "\(losses)")
  }

  @Test(arguments: [
    "<style>@font-face { src: url(a) } @keyframes a {} rect:hover { fill: red } rect { animation: a 1s; --b: c }</style>",
    "<text y='9' style='word-spacing:normal;text-align:start;-inkscape-font-specification:Sans'>a b</text>",
    "<text y='9' alignment-baseline='baseline' word-spacing='0'>a b</text>",
    "<rect width='9' height='9' stroke-linecap='null' stroke='' fill='undefined' rx='-1'/>",
    "<rect width='9' height='9' fill='url(#a) red' style='transform-origin: center'/>",
    "<rect width='9' height='9'><animate attributeName='x' fill='freeze'/></rect>",
    "<filter id='a'><feOffset dx='1'/></filter><rect width='9' height='9' filter='url(#a)'/>",
  ])
  func `complaints that cost no mark`(_ part: String) throws { #expect(try drawn(part) == []) }

  /// Newer versions also write what they are drawing, on the file that is a worker's connection to its parent.
  @Test func `how far librsvg is`() {
    let log = SVGLog(SVGFiles(folder: nil), hasOrigins: false)
    let lines =
      "(rect id=a\n)\n(ignoring invalid presentation attribute x\n    value=\"foo\"\n    bad)\n(g\n"
    for piece in [lines.prefix(30), lines.dropFirst(30)] {
      let bytes = Array(piece.utf8)
      #expect(log.hear { write(STDOUT_FILENO, bytes, bytes.count) } == bytes.count)
    }
    #expect(
      log.takeLosses().map(\.message) == [
        "The drawing's style “x: foo” can't be drawn, and is left out."
      ])
  }

  @Test(arguments: [
    ("d", ""), ("d", "none"), ("d", " m.5.5-1e-3+2,3-4ZM1 2zl1 2"),
    ("d", "M0 0a1 1 0 01.5.5 1 1 0 1 0-2-2"),
    ("d", "M1 2 3 4h5 6v7H1e2"), ("points", "1,2 3-4"), ("points", ""),
  ])
  func `whole attributes`(_ name: String, _ value: String) throws {
    #expect(try drawn("<\(name == "d" ? "path" : "polyline") \(name)='\(value)'/>") == [])
  }
}
