internal import CCairo
internal import CLibraryPatches

/// A rectangle aligned with the pixels, in pixels.
struct DeviceBox {
  var columns: (Double, Double)
  var rows: (Double, Double)

  /// Pixels: anything thinner is treated as empty, which hides its contents.
  private static let nothing = 1.0 / 128
}

extension DeviceBox {
  /// The smallest box around two corners, or around all of these points.
  init(_ corners: [(x: Double, y: Double)]) {
    columns = (corners.lazy.map(\.x).min() ?? 0, corners.lazy.map(\.x).max() ?? 0)
    rows = (corners.lazy.map(\.y).min() ?? 0, corners.lazy.map(\.y).max() ?? 0)
  }

  /// The box around the context's path and `pen` units of user space on each side of it.
  init(pathOf context: OpaquePointer, pen: Double = 0) {
    var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
    cairo_path_extents(context, &left, &top, &right, &bottom)
    self.init((left - pen, right + pen), (top - pen, bottom + pen), on: context)
  }

  /// The box around the context's clip.
  init(clipOf context: OpaquePointer) {
    var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
    cairo_clip_extents(context, &left, &top, &right, &bottom)
    self.init((left, right), (top, bottom), on: context)
  }

  /// The box around a rectangle in user space; no number if one of its corners is none.
  init(_ across: (Double, Double), _ down: (Double, Double), on context: OpaquePointer) {
    let corners = [
      (across.0, down.0), (across.1, down.0), (across.1, down.1), (across.0, down.1),
    ].map { DeviceBox.place($0.0, $0.1, on: context) }
    self.init(corners)
    // NaN compares as smaller than no number.
    guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else {
      (columns, rows) = ((.nan, .nan), (.nan, .nan))
      return
    }
  }

  static func place(_ x: Double, _ y: Double, on context: OpaquePointer) -> (x: Double, y: Double) {
    var (x, y) = (x, y)
    cairo_user_to_device(context, &x, &y)
    return (x, y)
  }

  /// True if it is not empty on either axis.
  var isVisible: Bool {
    let (width, height) = (columns.1 - columns.0, rows.1 - rows.0)
    return min(width, height) >= DeviceBox.nothing && max(width, height).isFinite
  }

  /// True if it is thinner than a pixel on an axis.
  private var isThin: Bool {
    isVisible && min(columns.1 - columns.0, rows.1 - rows.0) < 1
  }

  /// The box of all pixels that it touches.
  var touched: DeviceBox {
    DeviceBox(columns: DeviceBox.touched(columns), rows: DeviceBox.touched(rows))
  }

  /// The same, but only on axes on which it is thinner than a pixel.
  private var widened: DeviceBox {
    func widened(_ span: (Double, Double)) -> (Double, Double) {
      span.1 - span.0 < 1 ? DeviceBox.touched(span) : span
    }
    return DeviceBox(columns: widened(columns), rows: widened(rows))
  }

  private static func touched(_ span: (Double, Double)) -> (Double, Double) {
    // Through rounding, an edge may touch the next pixel by a hair.
    let first = (span.0 + nothing).rounded(.down)
    return (first, max(first + 1, (span.1 - nothing).rounded(.up)))
  }

  /// Makes the box the context's path.
  func setPath(of context: OpaquePointer) {
    var matrix = cairo_matrix_t(of: context)
    cairo_identity_matrix(context)
    cairo_new_path(context)
    cairo_rectangle(context, columns.0, rows.0, columns.1 - columns.0, rows.1 - rows.0)
    cairo_set_matrix(context, &matrix)
  }

  /// The box of all pixels whose centers it covers; nil: there are none.
  fileprivate var covered: DeviceBox? {
    func covered(_ span: (Double, Double)) -> (Double, Double) {
      ((span.0 - 0.5).rounded(.up), (span.1 - 0.5).rounded(.up))
    }
    let box = DeviceBox(columns: covered(columns), rows: covered(rows))
    return box.columns.0 < box.columns.1 && box.rows.0 < box.rows.1 ? box : nil
  }

  private func isNear(_ other: DeviceBox) -> Bool {
    zip(
      [columns.0, columns.1, rows.0, rows.1],
      [other.columns.0, other.columns.1, other.rows.0, other.rows.1]
    ).allSatisfy { abs($0 - $1) < DeviceBox.nothing }
  }

  /// The pattern matrix with which a picture is at least a pixel thick, and one that goes on beyond its edges is on all
  /// pixels that it touches; nil if it is so already, or is not aligned with the pixels.
  static func matrix(
    widening pattern: OpaquePointer, on context: OpaquePointer
  ) -> cairo_matrix_t? {
    let goesOn = cairo_pattern_get_extend(pattern) == CAIRO_EXTEND_PAD
    return matrix(of: pattern, on: context) { box in
      box.isThin ? box.widened : goesOn && box.isVisible ? box.touched : nil
    }
  }

  /// The pattern matrix with which the whole of a picture is on the pixels whose centers it covers; nil if it is not
  /// aligned with the pixels, or more or less of it than the whole is in the box.
  static func matrix(
    fitting pattern: OpaquePointer, in box: DeviceBox, on context: OpaquePointer
  ) -> cairo_matrix_t? {
    guard cairo_pattern_get_extend(pattern) == CAIRO_EXTEND_PAD else { return nil }
    return matrix(of: pattern, on: context) { $0.isNear(box) ? $0.covered : nil }
  }

  /// The pattern matrix with which a picture is in another box on the side; nil if there is none, or the picture is not
  /// aligned with the pixels.
  private static func matrix(
    of pattern: OpaquePointer, on context: OpaquePointer, movedTo other: (DeviceBox) -> DeviceBox?
  ) -> cairo_matrix_t? {
    guard let (_, width, height) = bitmap(of: pattern) else { return nil }
    let (user, toPicture) = (cairo_matrix_t(of: context), cairo_matrix_t(ofPattern: pattern))
    guard let back = user.inverse, let toSide = toPicture.inverse?.then(user) else { return nil }
    guard toSide.xy == 0 && toSide.yx == 0 || toSide.xx == 0 && toSide.yy == 0 else { return nil }
    let box = DeviceBox([toSide.apply(0, 0), toSide.apply(width, height)])
    guard let other = other(box) else { return nil }
    // From user space to the side, to the picture's own box on it, back to user space, to the picture.
    return user.then(other.matrix(to: box)).then(back).then(toPicture)
  }

  private func matrix(to other: DeviceBox) -> cairo_matrix_t {
    func scale(_ from: (Double, Double), _ to: (Double, Double)) -> (Double, Double) {
      let scale = (to.1 - to.0) / (from.1 - from.0)
      return (scale, to.0 - from.0 * scale)
    }
    let (across, down) = (scale(columns, other.columns), scale(rows, other.rows))
    return cairo_matrix_t(xx: across.0, yx: 0, xy: 0, yy: down.0, x0: across.1, y0: down.1)
  }
}

/// What libraries that draw text leave out without an error: characters that no font has, which Pango draws as boxes, and
/// those of a PDF that its font lacks.
package enum DrawnBoxes {
  private static let hasBoxes = PerThread(false)

  /// True if boxes were drawn in the place of characters since the last call.
  package static func take() -> Bool {
    defer { hasBoxes.value = false }
    return hasBoxes.value
  }

  /// True if visible characters of a PDF were without a glyph of their font since the last call.
  package static func takeLackOfGlyphs() -> Bool { glyphs_take(no_glyph) != 0 }

  fileprivate typealias LayoutFunction = @convention(c) (OpaquePointer?, OpaquePointer?) -> Void
  fileprivate static let ownLayout: LayoutFunction? = libraryFunction("pango_cairo_show_layout")
  fileprivate static let ownPath: LayoutFunction? = libraryFunction("pango_cairo_layout_path")
  fileprivate static let ownLine: LayoutFunction? = libraryFunction("pango_cairo_show_layout_line")
  private static let boxes: (@convention(c) (OpaquePointer?) -> Int32)? =
    libraryFunction("pango_layout_get_unknown_glyphs_count")

  fileprivate static func note(_ layout: OpaquePointer?) {
    if let layout, !hasBoxes.value, let boxes, boxes(layout) > 0 { hasBoxes.value = true }
  }
}

/// Replaces Pango's function (see `DrawnBoxes`).
@_cdecl("pango_cairo_show_layout")
public func showLayout(_ context: OpaquePointer?, _ layout: OpaquePointer?) {
  DrawnBoxes.note(layout)
  DrawnBoxes.ownLayout?(context, layout)
}

/// Replaces Pango's function (see `DrawnBoxes`).
@_cdecl("pango_cairo_layout_path")
public func addLayoutPath(_ context: OpaquePointer?, _ layout: OpaquePointer?) {
  DrawnBoxes.note(layout)
  DrawnBoxes.ownPath?(context, layout)
}

/// Replaces Pango's function (see `DrawnBoxes`); a line begins with its layout.
@_cdecl("pango_cairo_show_layout_line")
public func showLine(_ context: OpaquePointer?, _ line: OpaquePointer?) {
  DrawnBoxes.note(line.flatMap { UnsafeRawPointer($0).load(as: OpaquePointer?.self) })
  DrawnBoxes.ownLine?(context, line)
}
