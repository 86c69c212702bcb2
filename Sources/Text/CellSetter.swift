internal import CCairo
internal import CGLib
internal import CPango
internal import LateLibraries
package import PrintModel

/// Text in a column of a receipt.
///
/// All lengths are points.
package struct TextCell {
  package var text: String
  package var style = CellStyle()
  package var alignment = CellAlignment.natural
  package var x: Double
  package var width: Double

  package init(
    text: String, style: CellStyle = CellStyle(), alignment: CellAlignment = .natural, x: Double,
    width: Double
  ) {
    self.text = text
    self.style = style
    self.alignment = alignment
    self.x = x
    self.width = width
  }
}

package struct CellStyle: Hashable {
  package var isBold = false
  /// Magnification of the usual letters, across and along the paper: 1 or 2.
  package var across = 1
  package var along = 1

  package init(isBold: Bool = false, across: Int = 1, along: Int = 1) {
    self.isBold = isBold
    self.across = across
    self.along = along
  }
}

package enum CellAlignment: Equatable {
  /// Text on the side where its script begins; codes and pictures in the middle.
  case natural
  case left, center, right
}

/// Measures and draws the cells of a receipt with Pango, with the same layout for both.
package final class CellSetter {
  private let layout: OpaquePointer
  private let usual: OpaquePointer
  private let bold: OpaquePointer
  /// Adds the width of a blank after every letter.
  private let spaced: OpaquePointer
  private let unspaced: OpaquePointer
  /// That width, in Pango's units.
  private var advance: Int32 = 0

  /// 7 points give 48 columns on an 80 mm roll and 32 on a 58 mm one, as on receipt printers.
  ///
  /// The typeface is specified, so that receipts look the same on all machines that have it.
  private static let font = "DejaVu Sans Mono,Monospace 7"

  /// The extent of a line above and below its baseline.
  package struct Line {
    package var ascent: Double
    package var descent: Double
    package var height: Double { ascent + descent }
  }

  /// Sets up Pango for measuring, or for drawing on `context`.
  package init(drawingOn context: OpaquePointer? = nil) throws(Failure) {
    layout = try unhintedLayout(for: context)
    usual = pango_font_description_from_string(CellSetter.font)
    bold = pango_font_description_from_string(CellSetter.font)
    pango_font_description_set_weight(bold, PANGO_WEIGHT_BOLD)
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    pango_layout_set_font_description(layout, usual)
    setTabs(in: layout)
    spaced = pango_attr_list_new()
    advance = measuredWidth(of: "0", in: layout)
    pango_attr_list_insert(spaced, pango_attr_letter_spacing_new(advance))
    // A long number that is broken gets no hyphen that it does not have.
    unspaced = pango_attr_list_new()
    for list in [spaced, unspaced] {
      pango_attr_list_insert(list, pango_attr_insert_hyphens_new(0))
    }
  }

  deinit {
    pango_attr_list_unref(spaced)
    pango_attr_list_unref(unspaced)
    pango_font_description_free(usual)
    pango_font_description_free(bold)
    g_object_unref(UnsafeMutableRawPointer(layout))
  }

  /// The width of a text without wrapping.
  package func width(of text: String, _ style: CellStyle) -> Double {
    set(text, style, width: nil)
    var width: Int32 = 0
    pango_layout_get_size(layout, &width, nil)
    // When wrapped, the last letter also has its space.
    return Double(width + (style.isSpaced ? advance : 0)) / Double(PANGO_SCALE) * style.stretch
  }

  /// True when a text begins with a right-to-left script; nil if it has no letters.
  package func isRightToLeft(_ text: String) -> Bool? {
    if isSetFromTheRight(text) { return true }
    // Pango sets a text without letters from the left; behind it, a letter of Hebrew decides.
    return isSetFromTheRight(text + "\u{05D0}") ? nil : false
  }

  private func isSetFromTheRight(_ text: String) -> Bool {
    set(text, CellStyle(), width: nil)
    guard let line = pango_layout_get_line_readonly(layout, 0) else { return false }
    return pango_layout_line_get_resolved_direction(line) == PANGO_DIRECTION_RTL
  }

  /// All lines of a cell.
  package func lines(of cell: TextCell) -> [Line] {
    set(cell.text, cell.style, width: cell.width)
    let scale = Double(cell.style.along) / Double(PANGO_SCALE)
    return (0..<pango_layout_get_line_count(layout)).map { index in
      let logical = logicalExtents(of: pango_layout_get_line_readonly(layout, index))
      return Line(
        ascent: Double(-logical.y) * scale, descent: Double(logical.height + logical.y) * scale)
    }
  }

  /// Draws the lines of a cell from `first` on, one on each baseline.
  package func draw(
    _ cell: TextCell, from first: Int, on baselines: [Double], _ context: OpaquePointer
  ) {
    set(cell.text, cell.style, width: cell.width)
    cairo_set_source_rgb(context, 0, 0, 0)
    for (offset, baseline) in baselines.enumerated() {
      guard let line = pango_layout_get_line_readonly(layout, Int32(first + offset)) else { return }
      let width = Double(logicalExtents(of: line).width) / Double(PANGO_SCALE) * cell.style.stretch
      let isRightToLeft = pango_layout_line_get_resolved_direction(line) == PANGO_DIRECTION_RTL
      let room = cell.width - width
      let indent =
        switch cell.alignment {
        case .natural: isRightToLeft ? room : 0
        case .left: 0.0
        case .center: room / 2
        case .right: room
        }
      cairo_save(context)
      cairo_translate(context, cell.x + indent, baseline)
      cairo_scale(context, cell.style.stretch, Double(cell.style.along))
      cairo_move_to(context, 0, 0)
      pango_cairo_show_layout_line(context, line)
      cairo_restore(context)
    }
  }

  private func set(_ text: String, _ style: CellStyle, width: Double?) {
    let units = width.map { Int32(clamping: Int($0 / style.stretch * Double(PANGO_SCALE))) }
    pango_layout_set_font_description(layout, style.isBold ? bold : usual)
    pango_layout_set_width(layout, units ?? -1)
    // An empty line is as high as any other.
    pango_layout_set_text(layout, text.isEmpty ? " " : text, -1)
    pango_layout_set_attributes(
      layout, style.isSpaced ? spaced : text.hasSoftHyphens ? nil : unspaced)
  }
}

extension CellStyle {
  /// True for wide letters, which are spaced: only stretched horizontally, they would look broken.
  fileprivate var isSpaced: Bool { across > 1 && along == 1 }

  /// Horizontal magnification of the letters themselves.
  fileprivate var stretch: Double { isSpaced ? 1 : Double(across) }
}

/// Draws headers and footers: one line of three parts, laid out by Pango.
///
/// Everything is clipped to the line's frame.
package struct LineSetter {
  private let line: RunningLine
  private let context: OpaquePointer

  /// The line's share of a frame's height; the rest is the space between the line and the page.
  private static let lineShare = 0.8
  /// Space between two parts that must be shortened, in ems.
  private static let gap = 1.0

  private enum Place { case left, center, right }

  /// Draws a line; `context`'s user space is that of the line's frame, in points.
  ///
  /// Returns false if a part of it is too long, and ends with an ellipsis.
  package static func draw(_ line: RunningLine, on context: OpaquePointer) throws(Failure) -> Bool {
    try GraphicsLibraries.text.load()
    cairo_save(context)
    defer { cairo_restore(context) }
    cairo_rectangle(context, line.frame.x, line.frame.y, line.frame.width, line.frame.height)
    cairo_clip(context)
    cairo_set_source_rgb(context, 0, 0, 0)
    return try LineSetter(line: line, context: context).draw()
  }

  private func draw() throws(Failure) -> Bool {
    var parts: [(place: Place, layout: TextLayout)] = []
    for (place, text) in [
      (Place.left, line.left), (.center, line.center), (.right, line.right),
    ] where !text.isEmpty {
      parts.append((place, try TextLayout(text, font: "Sans \(line.size)", on: context)))
    }
    if !fits(parts) {
      // Each part gets the same share, and is shortened with an ellipsis if it needs more.
      let gaps = LineSetter.gap * line.size * Double(parts.count - 1)
      let share = (line.frame.width - gaps) / Double(parts.count)
      for part in parts { part.layout.shorten(to: max(1, share)) }
    }
    for part in parts { draw(part.layout, at: part.place) }
    return !parts.contains(where: \.layout.isShortened)
  }

  /// True when the parts fit side by side without shortening, with the center part in the middle.
  private func fits(_ parts: [(place: Place, layout: TextLayout)]) -> Bool {
    func width(_ place: Place) -> Double {
      parts.first { $0.place == place }?.layout.size.width ?? 0
    }
    let gap = LineSetter.gap * line.size
    let (left, center, right) = (width(.left), width(.center), width(.right))
    if center == 0 { return left + right + (left > 0 && right > 0 ? gap : 0) <= line.frame.width }
    let side = max(left, right)
    return center + (side > 0 ? 2 * (side + gap) : 0) <= line.frame.width
  }

  private func draw(_ layout: TextLayout, at place: Place) {
    let frame = line.frame
    let (width, height) = (layout.size.width, layout.size.height)
    let room = frame.height * LineSetter.lineShare
    // Tall scripts are scaled down rather than cut off.
    let scale = min(1, room / height)
    let x =
      switch place {
      case .left: frame.x
      case .center: frame.x + (frame.width - width * scale) / 2
      case .right: frame.x + frame.width - width * scale
      }
    let y = line.isAtBottom ? frame.y + frame.height - height * scale : frame.y
    cairo_save(context)
    cairo_translate(context, x, y)
    cairo_scale(context, scale, scale)
    layout.draw()
    cairo_restore(context)
  }
}
