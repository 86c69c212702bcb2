internal import CPango
internal import CPixbuf
internal import CPoppler
internal import PrintModel

/// Pango, set up for one column of text: measures paragraphs and draws them, the same both times.
final class TextSetter {
  private let layout: OpaquePointer

  /// 10 points give 80 columns on A4 and Letter with their usual margins; 7 points give 48 columns on
  /// an 80 mm roll and 32 on a 58 mm one, as receipt printers have them.
  private static func fontDescription(isRoll: Bool) -> String {
    isRoll ? "Monospace 7" : "Monospace 10"
  }

  /// A column `width` points wide. To draw, it is made for the context that is drawn on.
  init(width: Double, isRoll: Bool, drawingOn context: OpaquePointer? = nil) throws(Failure) {
    guard let surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, nil),
      let scratch = cairo_create(surface)
    else { throw Failure(.fault, "cairo has no memory for a text.") }
    defer {
      cairo_destroy(scratch)
      cairo_surface_destroy(surface)
    }
    let target = context ?? scratch
    guard let pango = pango_cairo_create_context(target) else {
      throw Failure(.fault, "Pango has no memory for a text.")
    }
    defer { g_object_unref(UnsafeMutableRawPointer(pango)) }
    // 72 units an inch: a point is a point. Without hinting a line breaks at the same place whatever
    // the resolution that it is drawn at.
    pango_cairo_context_set_resolution(pango, 72)
    let options = cairo_font_options_create()
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    pango_cairo_context_set_font_options(pango, options)
    cairo_font_options_destroy(options)
    pango_context_set_round_glyph_positions(pango, 0)
    layout = pango_layout_new(pango)
    let font = pango_font_description_from_string(TextSetter.fontDescription(isRoll: isRoll))
    pango_layout_set_font_description(layout, font)
    pango_font_description_free(font)
    pango_layout_set_width(layout, Int32(clamping: Int(width * Double(PANGO_SCALE))))
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    setTabs()
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

  /// A tab goes to the next eighth column.
  private func setTabs() {
    pango_layout_set_text(layout, "00000000", -1)
    var width: Int32 = 0
    pango_layout_get_size(layout, &width, nil)
    guard let tabs = pango_tab_array_new(1, 0) else { return }
    pango_tab_array_set_tab(tabs, 0, PANGO_TAB_LEFT, width)
    pango_layout_set_tabs(layout, tabs)
    pango_tab_array_free(tabs)
  }

  /// The height of every line that a paragraph takes, in points.
  func heights(of paragraph: String) -> [Double] {
    set(paragraph)
    return (0..<pango_layout_get_line_count(layout)).map { index in
      var logical = PangoRectangle()
      pango_layout_line_get_extents(pango_layout_get_line_readonly(layout, index), nil, &logical)
      return Double(logical.height) / Double(PANGO_SCALE)
    }
  }

  /// Draws some lines of a paragraph, `x` points from the page's left.
  func draw(_ entry: TextEntry, at x: Double, on context: OpaquePointer) {
    set(entry.paragraph)
    cairo_set_source_rgb(context, 0, 0, 0)
    var y = entry.top
    for index in entry.lines {
      guard let line = pango_layout_get_line_readonly(layout, Int32(index)) else { return }
      var logical = PangoRectangle()
      pango_layout_line_get_extents(line, nil, &logical)
      let scale = Double(PANGO_SCALE)
      cairo_move_to(context, x + offset(of: line, logical) / scale, y - Double(logical.y) / scale)
      pango_cairo_show_layout_line(context, line)
      y += Double(logical.height) / scale
    }
  }

  /// Right-to-left paragraphs stand at the right.
  private func offset(
    of line: UnsafeMutablePointer<PangoLayoutLine>, _ logical: PangoRectangle
  ) -> Double {
    let isRightToLeft = pango_layout_line_get_resolved_direction(line) == PANGO_DIRECTION_RTL
    return isRightToLeft
      ? Double(pango_layout_get_width(layout) - logical.width) : -Double(logical.x)
  }

  private func set(_ paragraph: String) {
    // An empty line is as high as any other.
    pango_layout_set_text(layout, paragraph.isEmpty ? " " : paragraph, -1)
  }
}
