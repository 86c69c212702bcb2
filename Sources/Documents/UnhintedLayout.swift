internal import CPango
internal import CPixbuf
internal import CPoppler
internal import PrintModel

/// A PangoLayout in which a unit is a point and nothing is hinted: a line is as long, and breaks at
/// the same place, whatever the resolution that it is drawn at.
///
/// The caller unrefs it.
///
/// - `context`: where it will be drawn; without one it only measures.
func unhintedLayout(for context: OpaquePointer? = nil) throws(Failure) -> OpaquePointer {
  try GraphicsLibraries.text.load()
  guard let context else {
    let surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, nil)
    let scratch = cairo_create(surface)
    defer {
      cairo_destroy(scratch)
      cairo_surface_destroy(surface)
    }
    guard let scratch else { throw Failure(.fault, "cairo has no memory for a text.") }
    return try unhintedLayout(for: scratch)
  }
  guard let pango = pango_cairo_create_context(context) else {
    throw Failure(.fault, "Pango has no memory for a text.")
  }
  defer { g_object_unref(UnsafeMutableRawPointer(pango)) }
  pango_cairo_context_set_resolution(pango, 72)
  // The context's own: whether edges are soft.
  let options = cairo_font_options_create()
  cairo_get_font_options(context, options)
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
  pango_cairo_context_set_font_options(pango, options)
  cairo_font_options_destroy(options)
  pango_context_set_round_glyph_positions(pango, 0)
  return pango_layout_new(pango)
}

/// Lets a tab go to the next eighth column of the layout's font, which is to be of one width.
func setTabs(in layout: OpaquePointer) {
  pango_layout_set_text(layout, "00000000", -1)
  var width: Int32 = 0
  pango_layout_get_size(layout, &width, nil)
  guard let tabs = pango_tab_array_new(1, 0) else { return }
  pango_tab_array_set_tab(tabs, 0, PANGO_TAB_LEFT, width)
  pango_layout_set_tabs(layout, tabs)
  pango_tab_array_free(tabs)
}
