internal import CCairo
internal import Drawing
internal import LateLibraries
internal import LibraryPatches
internal import PrintModel
internal import Text

/// The text of a `text:` stamp: one page of the text's size.
final class TextStamp: Pages {
  private let text: String
  private let extent: Rectangle
  /// The letters' outlines, in points.
  ///
  /// FreeType makes neither masks nor outlines of letters of 2,000 pixels. Files contain them as letters; emoji have no
  /// outlines.
  private let outline: UnsafeMutablePointer<cairo_path_t>?

  let count = 1

  /// Size in points; the stamp is scaled to its rectangle.
  private static let font = "Sans Bold 72"

  init(_ text: String) throws(Failure) {
    try GraphicsLibraries.text.load()
    self.text = text
    let surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, nil)
    let context: OpaquePointer = cairo_create(surface)
    defer {
      cairo_destroy(context)
      cairo_surface_destroy(surface)
    }
    extent = try TextLayout(text, font: TextStamp.font, on: context).ink
    // cairo's coordinates are multiples of 1/256 pixel.
    cairo_scale(context, 8, 8)
    try TextLayout(text, font: TextStamp.font, on: context).addPath()
    outline = cairo_copy_path(context)
    guard extent.width > 0, extent.height > 0 else {
      throw Failure(.document, "The text has no visible letters.")
    }
  }

  deinit { cairo_path_destroy(outline) }

  func size(of index: Int) -> PageSize { PageSize(width: extent.width, height: extent.height) }

  func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    cairo_translate(context, -extent.x, -extent.y)
    cairo_set_source_rgb(context, 0, 0, 0)
    guard PixelMinimum.isEnforced, !text.hasEmoji else {
      return try TextLayout(text, font: TextStamp.font, on: context).draw()
    }
    cairo_append_path(context, outline)
    cairo_fill(context)
  }
}
