internal import CCairo
internal import CGLib
internal import CPango
internal import LateLibraries
package import PrintModel

/// A short text laid out by Pango for one context: a header, a stamp.
///
/// It can be in any script, with the system's fonts.
package final class TextLayout {
  private let layout: OpaquePointer
  private let context: OpaquePointer

  /// - `font`: a Pango font description, with the size in points of the user space (`Sans Bold 12`).
  package init(_ text: String, font: String, on context: OpaquePointer) throws(Failure) {
    self.context = context
    layout = try unhintedLayout(for: context)
    let description = pango_font_description_from_string(font)
    pango_layout_set_font_description(layout, description)
    pango_font_description_free(description)
    pango_layout_set_text(layout, text, -1)
    pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

  /// The size in points, including line spacing.
  var size: PageSize {
    var logical = PangoRectangle()
    pango_layout_get_extents(layout, nil, &logical)
    let scale = Double(PANGO_SCALE)
    return PageSize(width: Double(logical.width) / scale, height: Double(logical.height) / scale)
  }

  /// Extent of the letters, in points from the text's origin.
  package var ink: Rectangle {
    var ink = PangoRectangle()
    pango_layout_get_extents(layout, &ink, nil)
    let scale = Double(PANGO_SCALE)
    return Rectangle(
      x: Double(ink.x) / scale, y: Double(ink.y) / scale, width: Double(ink.width) / scale,
      height: Double(ink.height) / scale)
  }

  /// Limits the text to one line of this width, with an ellipsis if necessary.
  func shorten(to width: Double) {
    guard size.width > width else { return }
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    pango_layout_set_single_paragraph_mode(layout, 1)
    pango_layout_set_width(layout, Int32(clamping: Int(width * Double(PANGO_SCALE))))
  }

  /// True if an ellipsis replaces a part of the text.
  var isShortened: Bool { pango_layout_is_ellipsized(layout) != 0 }

  /// Draws the text with its top left corner at the origin of the user space, in the context's color.
  package func draw() {
    cairo_move_to(context, 0, 0)
    pango_cairo_show_layout(context, layout)
  }

  /// Adds the letters' outlines to the context's path at the same place; emoji have none.
  package func addPath() {
    cairo_move_to(context, 0, 0)
    pango_cairo_layout_path(context, layout)
  }
}

/// A PangoLayout with points as units and without hinting: a line has the same length, and breaks at the same place, at
/// any resolution.
///
/// The caller unrefs it.
///
/// - `context`: the context to draw on; without one, it only measures.
func unhintedLayout(for context: OpaquePointer? = nil) throws(Failure) -> OpaquePointer {
  try GraphicsLibraries.text.load()
  guard let context else {
    let surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, nil)
    let scratch: OpaquePointer = cairo_create(surface)
    defer {
      cairo_destroy(scratch)
      cairo_surface_destroy(surface)
    }
    return try unhintedLayout(for: scratch)
  }
  let pango = pango_cairo_create_context(context)
  defer { g_object_unref(UnsafeMutableRawPointer(pango)) }
  pango_cairo_context_set_resolution(pango, 72)
  // The context's own options, for soft or hard edges.
  let options = cairo_font_options_create()
  cairo_get_font_options(context, options)
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
  pango_cairo_context_set_font_options(pango, options)
  cairo_font_options_destroy(options)
  pango_context_set_round_glyph_positions(pango, 0)
  return pango_layout_new(pango)
}

/// The width in Pango's units of a text, which becomes the layout's.
func measuredWidth(of text: String, in layout: OpaquePointer) -> Int32 {
  var width: Int32 = 0
  pango_layout_set_text(layout, text, -1)
  pango_layout_get_size(layout, &width, nil)
  return width
}

/// A line's logical extents in Pango's units.
func logicalExtents(of line: UnsafeMutablePointer<PangoLayoutLine>?) -> PangoRectangle {
  var logical = PangoRectangle()
  pango_layout_line_get_extents(line, nil, &logical)
  return logical
}

/// Sets tab stops at every eighth column of the layout's font, which must be monospaced.
func setTabs(in layout: OpaquePointer) {
  guard let tabs = pango_tab_array_new(1, 0) else { return }
  pango_tab_array_set_tab(tabs, 0, PANGO_TAB_LEFT, measuredWidth(of: "00000000", in: layout))
  pango_layout_set_tabs(layout, tabs)
  pango_tab_array_free(tabs)
}

extension String {
  /// True for text that states where it may be hyphenated; Pango shows these hyphens only where it may add others.
  var hasSoftHyphens: Bool { unicodeScalars.contains("\u{AD}") }
}
