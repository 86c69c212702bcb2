internal import CPango
internal import CPixbuf
internal import CPoppler
internal import PrintModel

/// The words of a `text:` stamp: one page, as large as they are.
final class TextStamp: Pages {
  private let text: String
  private let extent: Rectangle

  let count = 1
  let title: String? = nil
  let image: DocumentInfo.Image? = nil

  /// Points; the stamp is scaled to its rectangle.
  private static let font = "Sans Bold 72"

  init(_ text: String) throws(Failure) {
    try GraphicsLibraries.text.load()
    self.text = text
    guard let surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, nil),
      let context = cairo_create(surface)
    else { throw Failure(.fault, "cairo has no memory for a text.") }
    defer {
      cairo_destroy(context)
      cairo_surface_destroy(surface)
    }
    extent = try TextLayout(text, font: TextStamp.font, on: context).ink
    guard extent.width > 0, extent.height > 0 else {
      throw Failure(.document, "The text has no visible letters.")
    }
  }

  func size(of index: Int) -> PageSize { PageSize(width: extent.width, height: extent.height) }

  func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    cairo_translate(context, -extent.x, -extent.y)
    cairo_set_source_rgb(context, 0, 0, 0)
    try TextLayout(text, font: TextStamp.font, on: context).draw()
  }
}
