internal import CPango  // cairo, which all modules of its kin have
internal import CPoppler
package import PrintModel

/// Operations that cairo is to draw on a side, kept as a list and played into one band of rows
/// after another.
///
/// A page is interpreted once, however many bands it is drawn in, so a band can be small enough for the
/// processor's cache: clearing and comparing 139 MB, an A4 side at 600 dpi, took more time than drawing
/// it. Measured against whole pages in bands of 48 MB: 1.4 to 1.8 times as fast on tracemonkey, pdkids,
/// freeculture-20 and geotopo, in half of the memory.
package final class DisplayList {
  let surface: OpaquePointer
  private let isAntialiased: Bool

  /// An empty list for a side of so many pixels.
  package init(width: Int, height: Int, isAntialiased: Bool) throws(Failure) {
    try GraphicsLibraries.drawing.load()
    var extents = cairo_rectangle_t(x: 0, y: 0, width: Double(width), height: Double(height))
    guard let surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, &extents),
      let context = cairo_create(surface)
    else { throw Failure(.fault, "cairo has no memory for a list.") }
    self.surface = surface
    self.isAntialiased = isAntialiased
    // Without transparency cairo starts in black.
    cairo_set_source_rgb(context, 1, 1, 1)
    cairo_paint(context)
    cairo_destroy(context)
  }

  deinit { cairo_surface_destroy(surface) }

  /// Adds a page with its header and footer.
  ///
  /// `transform` maps the sheet's points to the side's pixels.
  package func draw(
    _ document: Document, _ placement: PagePlacement, by transform: Transform
  ) throws(Failure) {
    try PixelMinimum.enforce { () throws(Failure) in
      try document.draw(placement, on: surface, by: transform, isAntialiased: isAntialiased)
    }
  }
}

extension Canvas {
  /// Draws the rows of a list from `top` on, over all that there was.
  package func play(_ list: DisplayList, from top: Int) throws(Failure) {
    guard let context = cairo_create(surface) else {
      throw Failure(.fault, "cairo has no memory for a context.")
    }
    defer { cairo_destroy(context) }
    // With this operator the list is played on the canvas itself, without a copy between.
    cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
    cairo_set_source_surface(context, list.surface, 0, Double(-top))
    cairo_paint(context)
    guard cairo_status(context) == CAIRO_STATUS_SUCCESS else {
      throw Failure(.fault, "cairo can't play what was drawn.")
    }
  }
}

extension Document {
  /// True when a list of this page would be longer than is good: 300,000 lines of a map take 300
  /// MB, and are faster drawn directly.
  ///
  /// Pages of less than 512 KB in the file are not looked into; the others are drawn once on nothing.
  package func isTooRichForList(page: Int) throws(Failure) -> Bool {
    if isDrawnAsPixels(page: page) { return true }
    guard bytesPerPage >= 512 << 10 else { return false }
    try GraphicsLibraries.drawing.load()
    let counter = OperationCounter(limit: 40_000)
    guard let counter else { throw Failure(.fault, "cairo has no memory for a picture.") }
    do {
      try draw(
        PagePlacement(page: page, transform: .scale(0.001, 0.001)), on: counter.surface,
        by: .identity, isAntialiased: false)
    } catch {
      // Cairo complains of the picture that was closed; or of the page, and then it will again.
      return true
    }
    return counter.isOverLimit
  }
}

/// A picture of one pixel that counts what is drawn on it, and is closed when that is too much: cairo
/// does nothing any more then.
private final class OperationCounter {
  let surface: OpaquePointer
  private let pixel: OpaquePointer
  private let limit: Int
  private var count = 0

  var isOverLimit: Bool { count > limit }

  init?(limit: Int) {
    guard let pixel = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1),
      let surface = cairo_surface_create_observer(pixel, CAIRO_SURFACE_OBSERVER_NORMAL)
    else { return nil }
    self.pixel = pixel
    self.surface = surface
    self.limit = limit
    let callback: cairo_surface_observer_callback_t = { _, _, counter in
      guard let counter else { return }
      Unmanaged<OperationCounter>.fromOpaque(counter).takeUnretainedValue().tick()
    }
    let data = Unmanaged.passUnretained(self).toOpaque()
    cairo_surface_observer_add_fill_callback(surface, callback, data)
    cairo_surface_observer_add_stroke_callback(surface, callback, data)
    cairo_surface_observer_add_glyphs_callback(surface, callback, data)
    cairo_surface_observer_add_mask_callback(surface, callback, data)
    cairo_surface_observer_add_paint_callback(surface, callback, data)
  }

  deinit {
    cairo_surface_destroy(surface)
    cairo_surface_destroy(pixel)
  }

  private func tick() {
    count += 1
    if count == limit + 1 { cairo_surface_finish(pixel) }
  }
}
