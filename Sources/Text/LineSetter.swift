internal import CCairo
internal import LateLibraries
package import PrintModel

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
