internal import CCairo
internal import CGLib
internal import CPango
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
