internal import CCairo
internal import CGLib
internal import CPango
internal import LateLibraries
internal import PrintModel

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
