import CCairo
import LateLibraries
import Testing

@testable import Drawing
@testable import LibraryPatches

@Suite struct ShownPicturesTests {
  private func pixel(_ surface: OpaquePointer, _ x: Int, _ y: Int) throws -> UInt32 {
    cairo_surface_flush(surface)
    let data = UnsafeRawPointer(try #require(cairo_image_surface_get_data(surface)))
    return data.load(
      fromByteOffset: y * Int(cairo_image_surface_get_stride(surface)) + 4 * x, as: UInt32.self)
  }

  private func fill(
    _ surface: OpaquePointer, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
    white: Bool
  ) {
    let context = cairo_create(surface)
    if !white { cairo_set_operator(context, CAIRO_OPERATOR_CLEAR) }
    cairo_set_source_rgb(context, 1, 1, 1)
    cairo_rectangle(context, x, y, width, height)
    cairo_fill(context)
    cairo_destroy(context)
  }

  /// Checks that a list shows a large picture that was freed, and that a new canvas shows nothing of an old one.
  @Test func listKeepsPicture() throws {
    try GraphicsLibraries.drawing.load()
    let (width, height) = (640, 480)
    var extents = cairo_rectangle_t(x: 0, y: 0, width: Double(width), height: Double(height))
    let list = try #require(cairo_recording_surface_create(CAIRO_CONTENT_COLOR, &extents))
    defer { cairo_surface_destroy(list) }
    let rows = InkedRows(on: list, height: height, limit: .max)
    try withExtendedLifetime(rows) {
      let context = try #require(cairo_create(list))
      cairo_set_source_rgb(context, 1, 1, 1)
      cairo_paint(context)
      let picture = try #require(cairo_image_surface_create(CAIRO_FORMAT_RGB24, 300, 300))
      try rows.listen(toOneContext: true) {
        fill(picture, 0, 0, 150, 300, white: true)
        cairo_set_source_surface(context, picture, 50, 50)
        cairo_paint(context)
        #expect(cairo_surface_get_reference_count(picture) > 1)
        cairo_surface_destroy(picture)
      }
      cairo_destroy(context)
      let canvas = try Canvas(width: width, height: height)
      for _ in 0..<2 {
        fill(canvas.surface, 0, 0, Double(width), Double(height), white: false)
        try canvas.play(list, from: 0, rows: height)
        #expect(try pixel(canvas.surface, 10, 10) & 0xFF_FFFF == 0xFF_FFFF)
        #expect(try pixel(canvas.surface, 60, 60) & 0xFF_FFFF == 0xFF_FFFF)
        #expect(try pixel(canvas.surface, 300, 300) & 0xFF_FFFF == 0)
        #expect(try pixel(canvas.surface, 400, 400) & 0xFF_FFFF == 0xFF_FFFF)
      }
    }
  }
}
