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

  @Test(arguments: [
    ("d", ""), ("d", "none"), ("d", " m.5.5-1e-3+2,3-4ZM1 2zl1 2"),
    ("d", "M0 0a1 1 0 01.5.5 1 1 0 1 0-2-2"),
    ("d", "M1 2 3 4h5 6v7H1e2"), ("points", "1,2 3-4"), ("points", ""),
  ])
  func `whole attributes`(_ name: String, _ value: String) throws {
    #expect(try losses("<path \(name)='\(value)'/>") == [])
  }
}
