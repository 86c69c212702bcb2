internal import CPango
internal import CPixbuf
internal import CPoppler
internal import PrintModel

/// Draws headers and footers: one line of three parts, set by Pango.
///
/// Nothing of it leaves its frame.
struct LineSetter {
  private let line: RunningLine
  private let context: OpaquePointer

  /// The share of a frame's height that the line has; the rest is the space between it and the page.
  private static let lineShare = 0.8
  /// Between two parts that have to be shortened, in ems.
  private static let gap = 1.0

  private enum Place { case left, centre, right }

  /// `context`'s user space are the points of the line's frame.
  static func draw(_ line: RunningLine, on context: OpaquePointer) throws(Failure) {
    try GraphicsLibraries.text.load()
    cairo_save(context)
    defer { cairo_restore(context) }
    cairo_rectangle(context, line.frame.x, line.frame.y, line.frame.width, line.frame.height)
    cairo_clip(context)
    cairo_set_source_rgb(context, 0, 0, 0)
    try LineSetter(line: line, context: context).draw()
  }

  private func draw() throws(Failure) {
    var parts: [(place: Place, layout: TextLayout)] = []
    for (place, text) in [
      (Place.left, line.left), (.centre, line.centre), (.right, line.right),
    ] where !text.isEmpty {
      parts.append((place, try TextLayout(text, font: "Sans \(line.size)", on: context)))
    }
    if !fits(parts) {
      // Each gets the same share, and ends in an ellipsis where that is too little.
      let gaps = LineSetter.gap * line.size * Double(parts.count - 1)
      let share = (line.frame.width - gaps) / Double(parts.count)
      for part in parts { part.layout.shorten(to: max(1, share)) }
    }
    for part in parts { draw(part.layout, at: part.place) }
  }

  /// True when the parts stand side by side as long as they are, the center in the middle.
  private func fits(_ parts: [(place: Place, layout: TextLayout)]) -> Bool {
    func width(_ place: Place) -> Double {
      parts.first { $0.place == place }?.layout.size.width ?? 0
    }
    let gap = LineSetter.gap * line.size
    let (left, centre, right) = (width(.left), width(.centre), width(.right))
    if centre == 0 { return left + right + (left > 0 && right > 0 ? gap : 0) <= line.frame.width }
    let side = max(left, right)
    return centre + (side > 0 ? 2 * (side + gap) : 0) <= line.frame.width
  }

  private func draw(_ layout: TextLayout, at place: Place) {
    let frame = line.frame
    let (width, height) = (layout.size.width, layout.size.height)
    let room = frame.height * LineSetter.lineShare
    // A script with high lines is set smaller rather than cut.
    let scale = min(1, room / height)
    let x =
      switch place {
      case .left: frame.x
      case .centre: frame.x + (frame.width - width * scale) / 2
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
