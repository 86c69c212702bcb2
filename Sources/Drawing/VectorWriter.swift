internal import CCairo
internal import LateLibraries
package import PrintModel

/// Writes a PDF or PostScript file page by page, for printers that need one of these for other documents, and for
/// previews.
package final class VectorWriter {
  package enum Format: Sendable {
    case pdf
    /// PostScript of level 2 or 3, 7 bits per byte. It is only written by `finish`, and kept in memory until then.
    case postScript
  }

  private let format: Format
  private let surface: OpaquePointer
  private let sink: Sink

  /// The file that cairo writes to; it outlives the surface.
  private final class Sink {
    let write: (UnsafeRawBufferPointer) -> Void

    init(_ write: @escaping (UnsafeRawBufferPointer) -> Void) { self.write = write }
  }

  /// A page to draw on.
  package struct Page {
    package let context: OpaquePointer

    /// Maps all that is drawn from now on.
    package func transform(by transform: Transform) {
      applyTransform(transform, to: context)
    }

    /// Fills the page, which is of `size` (points), with a bitmap.
    package func draw(_ canvas: Canvas, filling size: PageSize) {
      cairo_save(context)
      defer { cairo_restore(context) }
      cairo_scale(
        context, size.width / Double(canvas.width), size.height / Double(canvas.height))
      cairo_set_source_surface(context, canvas.surface, 0, 0)
      cairo_paint(context)
    }

    /// Draws `body` in gray, on white.
    ///
    /// The colors remain in the file, below a sheet without saturation (ISO 32000-1 §11.3.5.3), which would itself be
    /// gray without anything below it.
    package func inGray(
      _ size: PageSize, _ body: () throws(Failure) -> Void
    ) throws(Failure) {
      cairo_set_source_rgb(context, 1, 1, 1)
      cairo_paint(context)
      try body()
      cairo_save(context)
      cairo_set_operator(context, CAIRO_OPERATOR_HSL_SATURATION)
      cairo_set_source_rgb(context, 0.5, 0.5, 0.5)
      cairo_rectangle(context, 0, 0, size.width, size.height)
      cairo_fill(context)
      cairo_restore(context)
    }

    /// Tints everything outside `printable` on a page of `size` (points).
    package func tintMargins(outside printable: Rectangle, of size: PageSize) {
      cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
      cairo_rectangle(context, 0, 0, size.width, size.height)
      cairo_rectangle(context, printable.x, printable.y, printable.width, printable.height)
      cairo_set_source_rgba(context, 0.9, 0.1, 0.2, 0.15)
      cairo_fill(context)
    }
  }

  /// Begins a file; `write` gets its bytes as they are produced.
  ///
  /// Throws exit 70 when cairo can't be loaded.
  package init(
    _ format: Format = .pdf, _ write: @escaping (UnsafeRawBufferPointer) -> Void
  ) throws(Failure) {
    try GraphicsLibraries.drawing.load()
    self.format = format
    sink = Sink(write)
    let take: cairo_write_func_t = { sink, data, length in
      guard let sink, let data else { return CAIRO_STATUS_WRITE_ERROR }
      Unmanaged<Sink>.fromOpaque(sink).takeUnretainedValue()
        .write(UnsafeRawBufferPointer(start: data, count: Int(length)))
      return CAIRO_STATUS_SUCCESS
    }
    let target = Unmanaged.passUnretained(sink).toOpaque()
    surface =
      format == .pdf
      ? cairo_pdf_surface_create_for_stream(take, target, 1, 1)
      : cairo_ps_surface_create_for_stream(take, target, 1, 1)
  }

  deinit { cairo_surface_destroy(surface) }

  /// Adds a page of this size (points), drawn by `body`.
  ///
  /// Throws exit 65 if cairo can't draw it, and whatever `body` throws.
  package func page(
    _ size: PageSize, _ body: (Page) throws(Failure) -> Void
  ) throws(Failure) {
    switch format {
    case .pdf: cairo_pdf_surface_set_size(surface, size.width, size.height)
    case .postScript: cairo_ps_surface_set_size(surface, size.width, size.height)
    }
    let context: OpaquePointer = cairo_create(surface)
    defer { cairo_destroy(context) }
    try body(Page(context: context))
    cairo_show_page(context)
    try check(cairo_status(context))
  }

  /// Writes the rest of the file.
  ///
  /// Throws exit 65 if cairo can't.
  package func finish() throws(Failure) {
    cairo_surface_finish(surface)
    try check(cairo_surface_status(surface))
  }

  private func check(_ status: cairo_status_t) throws(Failure) {
    guard status == CAIRO_STATUS_SUCCESS else {
      // PostScript is kept in memory.
      if format == .postScript, [CAIRO_STATUS_NO_MEMORY, CAIRO_STATUS_WRITE_ERROR].contains(status)
      {
        throw MemoryShortage.failure(of: "The document")
      }
      let why = cairo_status_to_string(status).map { String(cString: $0) } ?? "unknown"
      throw .document("The document can't be drawn: \(why).")
    }
  }
}
