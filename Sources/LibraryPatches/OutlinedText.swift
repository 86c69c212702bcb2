internal import CCairo
internal import CLibraryPatches

/// The outlines of letters: a pen of a pixel, or of less, which Poppler makes a pixel, is half of one for small letters,
/// and a fifth for letters that were filled before (text rendering modes 1 and 2, ISO 32000-1 §9.3.6).
///
/// A whole pixel on both sides of a stem would make small letters fat. Filled ones are on the page already, and it would
/// leave little of them where it is white. Where edges are hard pixels are small enough, and a thinner line would be
/// lost.
enum OutlinedText {
  /// The letters that this thread filled last, by the first of them, and the context whose path is their outline.
  private struct Note {
    var first = cairo_glyph_t()
    var count: Int32 = 0
    var outlined: OpaquePointer?
    /// Width in pixels of a thin pen for this outline.
    var pen = 0.0
  }

  private static let note = PerThread(Note())

  static func fill(_ glyphs: UnsafePointer<cairo_glyph_t>?, _ count: Int32) {
    note.value.count = count
    if let glyphs, count > 0 { note.value.first = glyphs[0] }
  }

  fileprivate static func outline(
    _ glyphs: UnsafePointer<cairo_glyph_t>?, _ count: Int32, on context: OpaquePointer?
  ) {
    note.value.outlined = nil
    let known = note.value
    guard let context, let glyphs, count > 0 else { return }
    let isFilled =
      count == known.count && glyphs[0].index == known.first.index
      && glyphs[0].x == known.first.x && glyphs[0].y == known.first.y
    guard isFilled || em(on: context) < smallestEm else { return }
    note.value.outlined = context
    note.value.pen = isFilled ? 0.2 : 0.5
  }

  /// The size of letters in pixels from which on an outline may be a pixel wide: a stem is then more than three.
  private static let smallestEm = 24.0

  /// The size of the context's font in pixels.
  private static func em(on context: OpaquePointer) -> Double {
    var font = cairo_matrix_t()
    cairo_get_font_matrix(context, &font)
    return (font.area * cairo_matrix_t(of: context).area).squareRoot()
  }

  /// Takes the mark of an outline, which holds for the next path function only, and returns the width in pixels of a
  /// thin pen; nil when the context's path is not an outline.
  static func takeOutline(on context: OpaquePointer?) -> Double? {
    defer { note.value.outlined = nil }
    return context != nil && note.value.outlined == context ? note.value.pen : nil
  }

  /// Draws an outline with a pen of this width in pixels by calling `stroke`; false when its own pen is wide.
  static func strokeOutline(
    on context: OpaquePointer, by pen: Double, _ stroke: () -> Void
  ) -> Bool {
    let scale = cairo_matrix_t(of: context).area.squareRoot()
    let own = cairo_get_line_width(context)
    guard cairo_get_antialias(context) != CAIRO_ANTIALIAS_NONE, scale > 0, own * scale < 1.001
    else { return false }
    cairo_set_line_width(context, pen / scale)
    stroke()
    cairo_set_line_width(context, own)
    return true
  }
}

/// Replaces cairo's function (see `OutlinedText`).
@_cdecl("cairo_glyph_path")
public func noteOutline(_ context: OpaquePointer?, _ glyphs: UnsafeRawPointer?, _ count: Int32) {
  let glyphs = glyphs?.assumingMemoryBound(to: cairo_glyph_t.self)
  glyphs_show(context, glyphs, count)
  // Splash draws them.
  if HairlineStrokes.isEnforced, glyphs_shown(context) != 0 { return }
  OutlinedText.outline(glyphs, count, on: context)
  own_cairo_glyph_path()?(context, glyphs, count)
}
