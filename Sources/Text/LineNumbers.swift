internal import CCairo
internal import CGLib
internal import CPango
internal import PrintModel

/// The column of line numbers beside a text: digits of equal width, right-aligned, in gray, in the system's monospaced
/// font at the text's size.
final class LineNumbers {
  private let layout: OpaquePointer
  private let context: OpaquePointer?
  /// The width of a digit, in points.
  private var figure = 0.0
  private let digits: Int

  /// The space between the numbers and the text, in digits.
  private static let gap = 1.5
  private static let fewest = 2

  /// Creates a column wide enough for numbers up to `last`, for measuring, or for drawing on `context`.
  init(
    upTo last: Int, style: TextStyle, isRoll: Bool, drawingOn context: OpaquePointer?
  ) throws(Failure) {
    self.context = context
    digits = max(LineNumbers.fewest, "\(last)".count)
    layout = try unhintedLayout(for: context)
    var style = style
    style.family = nil
    let font = TextSetter.fontDescription(style, isRoll: isRoll)
    pango_layout_set_font_description(layout, font)
    pango_font_description_free(font)
    figure = points("0000000000") / 10
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

  /// In points, including the space between the numbers and the text.
  var width: Double { figure * (Double(digits) + LineNumbers.gap) }

  private func points(_ text: String) -> Double {
    Double(measuredWidth(of: text, in: layout)) / Double(PANGO_SCALE)
  }

  /// Draws a number beside its line.
  ///
  /// - `column`: the left edge of the text, in points.
  /// - `baseline`: the baseline of the line, in points from the page's top.
  func draw(_ number: Int, before column: Double, baseline: Double) {
    let room = LineNumbers.gap * figure
    let width = points("\(number)")
    guard let context, let line = pango_layout_get_line_readonly(layout, 0) else { return }
    cairo_set_source_rgb(context, 0.45, 0.45, 0.45)
    cairo_move_to(context, column - room - width, baseline)
    pango_cairo_show_layout_line(context, line)
  }
}
