import CCairo
import DocumentBytes
import PrintModel
import Testing

@testable import SVG

/// What librsvg leaves out of a drawing without a word.
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

  @Test(arguments: [("d", "M1 2X3 4"), ("d", "MNaN,NaNL1 2"), ("points", "1 2 undefined")])
  func `broken attributes`(_ name: String, _ value: String) throws {
    let losses = try losses("<path \(name)='\(value)'/>")
    #expect(
      losses.count == 1 && losses.first?.hasSuffix("is broken: a part of it is missing.") == true)
  }

  /// What librsvg takes for another value, or for none: by attribute, by style, and in a style sheet.
  @Test(arguments: [
    ("<text dominant-baseline='middle'>x</text>", "values of dominant-baseline"),
    ("<text style='word-spacing: 9px !important'>x</text>", "values of word-spacing"),
    (
      "<style>text { font-variation-settings: 'wght' 9 }</style>",
      "values of font-variation-settings"
    ),
    (
      "<style>@keyframes a { } /* } */ .a { vector-effect: fixed }</style>",
      "values of vector-effect"
    ),
    ("<text textLength='90'>x</text>", "values of textLength"),
    ("<text rotate='9'>x</text>", "values of rotate"),
    ("<rect style='transform: scale(2); transform-origin: left'/>", "values of transform-origin"),
    ("<pattern patternTransform='scale(2)' transform-origin='9 9'/>", "values of transform-origin"),
    ("<circle r='9' marker-mid='url(#a)'/><marker id='a'/>", "values of marker-mid"),
    ("<filter><feGaussianBlur stdDeviation=''/></filter>", "values of stdDeviation"),
    ("<filter><feGaussianBlur stdDeviation='-1'/></filter>", "values of stdDeviation"),
    ("<filter><feOffset dx='9%'/></filter>", "values of dx"),
    ("<filter><feColorMatrix values='1 2 3'/></filter>", "values of values"),
    ("<filter><feColorMatrix type='other'/></filter>", "values of type"),
    ("<filter><feOffset in='a'/><feOffset result='a'/></filter>", "values of in"),
    ("<filter primitiveUnits='objectBoundingBox'/>", "values of primitiveUnits"),
    ("<filter id='a'/><filter href='#a'/>", "values of href"),
    ("<rect fill='oklch (0.5 0.1 9)'/>", "values of fill"),
    ("<rect style='filter: grayscale(1) invert(1)'/>", "values of filter"),
    ("<rect style='clip-path: circle(9px)'/>", "values of clip-path"),
    ("<path style='d: path(\"M0 0h9\")'/>", "values of d"),
    ("<stop offset='5mm'/>", "values of offset"),
    ("<rect id='a'/><linearGradient href='#a'/>", "values of href"),
    ("<pattern id='a' href='#b'/><pattern id='b' href='#a'/>", "values of href"),
    ("<svg id='a' width='9'/><use href='#a' height='5'/>", "values of href"),
    ("<svg style='background-color: red'/>", "values of background-color"),
    ("<image width='9' href='data:'/>", "images with one length"),
    ("<g text-decoration='underline'><text>x</text></g>", "lines along parts of a text"),
    ("<text>a <tspan>😀</tspan></text>", "emojis"),
  ])
  func `values that are not drawn`(_ part: String, _ what: String) throws {
    let wanted = "The drawing's \(what) can't be drawn, and are left out."
    #expect(try losses(part).filter { !$0.hasPrefix("A picture") } == [wanted])
  }

  @Test(arguments: [
    "<text dominant-baseline='auto' style='word-spacing: normal; transform-origin: 9 9'>x</text>",
    "<style>@media screen { a { vector-effect: fixed } } /* b { stroke: var(--a) } */ .c { fill: RGB(1, 2, 3) }</style>",
    "<style>.a { text-decoration: underline; animation: b 1s; -x-stroke: none() }</style><text>x</text>",
    "<style>@font-face { src: url(a.woff#b), local(c) }</style><rect data-a='f(x)' class='g(x)'/>",
    "<filter id='a'><feGaussianBlur stdDeviation='.5,1e-1' result='b'/><feOffset in='b' dx='-1'/></filter>",
    "<filter><feColorMatrix values='1-0.5 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0'/></filter>",
    "<stop offset='50%'/><radialGradient r='50%' fr='0'/><animate values='a;b' attributeName='in' dx='x'/>",
    "<linearGradient id='a' href='#b'/><linearGradient id='b' href='#c'/><radialGradient id='c'/>",
    "<text><tspan text-decoration='underline'>x</tspan>1 © ☎</text><image/><use/>",
    "<g text-decoration='underline'><text text-decoration='underline'>x</text></g>",
    "<font><font-face/><missing-glyph d='x'/></font><?a b='<c>'?><!-- <b/> --><rect fill='url()'/>",
    "<symbol id='a'/><use href='#a' width='9' height='9'/><rect width='9' height='9' style=':;a:;b' transform='scale (2)'/>",
  ])
  func `values that are drawn, or have no effect`(_ part: String) throws {
    #expect(try losses(part) == [])
  }

  /// Colors mix with those below, in the drawing: a light one on the paper would not be seen.
  @Test func `the paper is no color`() throws {
    let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 9, 9)
    let context = try #require(cairo_create(surface))
    defer {
      cairo_destroy(context)
      cairo_surface_destroy(surface)
    }
    cairo_set_source_rgb(context, 1, 1, 1)
    cairo_paint(context)
    try pages("<rect width='99' height='99' style='mix-blend-mode: screen'/>").draw(0, on: context)
    cairo_surface_flush(surface)
    #expect(try #require(cairo_image_surface_get_data(surface))[0] == 0)
  }

  @Test(arguments: [
    ("d", ""), ("d", "none"), ("d", " m.5.5-1e-3+2,3-4ZM1 2zl1 2"),
    ("d", "M0 0a1 1 0 01.5.5 1 1 0 1 0-2-2"),
    ("d", "M1 2 3 4h5 6v7H1e2"), ("points", "1,2 3-4"), ("points", ""),
  ])
  func `whole attributes`(_ name: String, _ value: String) throws {
    #expect(try losses("<path \(name)='\(value)'/>") == [])
  }
}
