internal import CCairo
internal import CLibraryPatches
internal import Glibc
package import PrintModel

/// Draws at least one pixel of lines and bars, however thin.
///
/// A zero-width line is one pixel wide (ISO 32000-1 §8.4.3.2), and a printer's driver paints every pixel that a shape
/// touches (§10.6.5).
///
/// cairo paints a pixel if its center is covered, or as faintly as it is covered: a hairline at 600 dpi is broken into
/// dots, or disappears. The program's functions stroke and fill for any library that draws: Poppler, librsvg, Pango.
package enum HairlineStrokes {
  private struct Rules {
    /// True for threads that draw pixels; vector output has none.
    var isEnforced = false
    /// True if paths without area are not filled.
    var leavesFlatFills = false
  }

  private static let rules = PerThread(Rules())

  /// True when this thread draws pixels.
  package static var isEnforced: Bool { rules.value.isEnforced }

  /// True if paths without area are not filled, on this thread.
  static var leavesFlatFills: Bool { rules.value.leavesFlatFills }

  /// Runs `body`, which draws pixels on this thread.
  package static func enforce<Result>(_ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    try rules.with(Rules(isEnforced: true), body)
  }

  /// Runs `body`, which draws by SVG's rules on this thread: filling a line, as SVG does by default, leaves no mark
  /// (SVG 2 §13.4), while in a PDF it does (ISO 32000-1 §8.5.3.3.1).
  package static func leavingFlatFills<Result>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try rules.with(Rules(isEnforced: isEnforced, leavesFlatFills: isEnforced), body)
  }

  /// Strokes a path, which stays, with a pen at least one pixel wide.
  fileprivate static func stroke(_ context: OpaquePointer?) {
    let outlinePen = OutlinedText.takeOutline(on: context)
    guard InkedRows.note(.strokedPath, context) else { return }
    if isEnforced, let outlinePen, let context,
      OutlinedText.strokeOutline(
        on: context, by: outlinePen, { own_cairo_stroke_preserve()?(context) })
    {
      return
    }
    guard isEnforced, let context, let pen = HairlinePen(context) else {
      own_cairo_stroke_preserve()?(context)
      return
    }
    pen.draw(on: context) { own_cairo_stroke_preserve()?(context) }
  }

  /// Fills a path, with at least one pixel for its thin parts.
  ///
  /// It stays if it `isPreserved`, and may stay otherwise.
  ///
  /// Pictures are drawn with hard edges: where two strips of a picture meet, soft edges would be a light seam. Nothing at
  /// their edges is left out, such as the border of a table.
  fileprivate static func fill(_ context: OpaquePointer?, isPreserved: Bool) {
    _ = OutlinedText.takeOutline(on: context)
    guard InkedRows.note(.filledPath, context) else { return }
    guard isEnforced, let context, let path = cairo_copy_path(context) else {
      own_cairo_fill_preserve()?(context)
      return
    }
    defer { cairo_path_destroy(path) }
    let coarse = InkedRows.isForOneContext ? CoarseGradient.pattern(for: context) : nil
    if let coarse {
      cairo_save(context)
      cairo_set_source(context, coarse)
      cairo_pattern_destroy(coarse)
    }
    defer { if coarse != nil { cairo_restore(context) } }
    let antialiasing = cairo_get_antialias(context)
    defer { cairo_set_antialias(context, antialiasing) }
    var thin = HairlineFills(context)
    var moved: (picture: OpaquePointer, former: cairo_matrix_t)?
    if let picture = cairo_get_source(context),
      cairo_pattern_get_type(picture) == CAIRO_PATTERN_TYPE_SURFACE
    {
      cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
      moved = thin.rectangle(path).flatMap {
        DeviceBox.matrix(fitting: picture, in: $0, on: context)
      }.map { set($0, of: picture) }
    }
    defer { if let moved { _ = set(moved.former, of: moved.picture) } }
    thin.look(at: path)
    if thin.hasBars {
      cairo_new_path(context)
      cairo_append_path(context, path)
    }
    let dropouts = thin.dropouts(of: path)
    own_cairo_fill_preserve()?(context)
    guard !thin.slivers.isEmpty || !dropouts.isEmpty else { return }
    if !thin.slivers.isEmpty { stroke(thin.slivers, of: path, on: context) }
    if !dropouts.isEmpty { fill(dropouts, on: context) }
    if isPreserved { cairo_append_path(context, path) }
  }

  /// Fills pixels; the context has no path afterwards.
  private static func fill(_ boxes: [DeviceBox], on context: OpaquePointer) {
    var matrix = cairo_matrix_t(of: context)
    cairo_save(context)
    cairo_set_fill_rule(context, CAIRO_FILL_RULE_WINDING)
    cairo_new_path(context)
    cairo_identity_matrix(context)
    for box in boxes {
      let (x, y) = (box.columns.0, box.rows.0)
      cairo_rectangle(context, x, y, box.columns.1 - x, box.rows.1 - y)
    }
    cairo_set_matrix(context, &matrix)
    own_cairo_fill_preserve()?(context)
    cairo_restore(context)
    cairo_new_path(context)
  }

  /// Strokes with a pen of one pixel; the context has no path afterwards.
  private static func stroke(
    _ slivers: [HairlineFills.Shape], of path: UnsafeMutablePointer<cairo_path_t>,
    on context: OpaquePointer
  ) {
    cairo_save(context)
    cairo_new_path(context)
    for sliver in slivers { sliver.trace(path, on: context) }
    cairo_set_dash(context, nil, 0, 0)
    // A line without length is a dot.
    cairo_set_line_cap(context, CAIRO_LINE_CAP_SQUARE)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_MITER)
    cairo_set_line_width(context, 0)
    HairlinePen(context)?.draw(on: context) { own_cairo_stroke_preserve()?(context) }
    cairo_restore(context)
    cairo_new_path(context)
  }

  /// Clips to all pixels that a rectangle touches (ISO 32000-1 §10.6.5), as other readers do.
  ///
  /// A table's outer lines are half outside its clip, and a line at the clip's edge would be lost with the pixel that
  /// contains its center. There is also no seam between adjacent clips.
  fileprivate static func clip(_ context: OpaquePointer?) {
    _ = OutlinedText.takeOutline(on: context)
    guard isEnforced, let context else {
      own_cairo_clip()?(context)
      return
    }
    let antialiasing = cairo_get_antialias(context)
    defer { cairo_set_antialias(context, antialiasing) }
    if let path = cairo_copy_path(context) {
      defer { cairo_path_destroy(path) }
      if let box = HairlineFills(context).rectangle(path) {
        cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
        if box.isVisible { box.touched.setPath(of: context) }
      }
    }
    own_cairo_clip()?(context)
  }

  /// Paints through a picture, which is made at least one pixel thick.
  ///
  /// It is on all pixels that it touches, like its clip, and so is a picture that is painted.
  static func mask(_ context: OpaquePointer?, _ pattern: OpaquePointer?) {
    guard isEnforced, let context, let pattern else {
      own_cairo_mask()?(context, pattern)
      return
    }
    let moved = [pattern, cairo_get_source(context)].compactMap(\.self).filter {
      cairo_pattern_get_type($0) == CAIRO_PATTERN_TYPE_SURFACE
    }.compactMap { picture in
      DeviceBox.matrix(widening: picture, on: context).map { set($0, of: picture) }
    }
    own_cairo_mask()?(context, pattern)
    // Both may be the same picture.
    for (picture, former) in moved.reversed() { _ = set(former, of: picture) }
  }

  /// Sets a picture's matrix; returns the picture and its former one.
  private static func set(
    _ matrix: cairo_matrix_t, of picture: OpaquePointer
  ) -> (picture: OpaquePointer, former: cairo_matrix_t) {
    let former = cairo_matrix_t(ofPattern: picture)
    var matrix = matrix
    cairo_pattern_set_matrix(picture, &matrix)
    return (picture, former)
  }
}

/// Replaces cairo's function (see `HairlineStrokes`).
@_cdecl("cairo_stroke")
public func strokePixels(_ context: OpaquePointer?) {
  HairlineStrokes.stroke(context)
  cairo_new_path(context)
}

/// Replaces cairo's function (see `HairlineStrokes`).
@_cdecl("cairo_stroke_preserve")
public func strokePixelsPreservingPath(_ context: OpaquePointer?) {
  HairlineStrokes.stroke(context)
}

/// Replaces cairo's function (see `HairlineStrokes`).
@_cdecl("cairo_fill")
public func fillPixels(_ context: OpaquePointer?) {
  HairlineStrokes.fill(context, isPreserved: false)
  cairo_new_path(context)
}

/// Replaces cairo's function (see `HairlineStrokes`).
@_cdecl("cairo_fill_preserve")
public func fillPixelsPreservingPath(_ context: OpaquePointer?) {
  HairlineStrokes.fill(context, isPreserved: true)
}

/// Replaces cairo's function (see `HairlineStrokes`).
@_cdecl("cairo_clip")
public func clipPixels(_ context: OpaquePointer?) {
  HairlineStrokes.clip(context)
}

/// A pen for lines at least one pixel wide, in place of a thinner one.
///
/// A pen is round in user space, and an ellipse on paper if the axes have different scales (ISO 32000-1 §8.4.3.2): then
/// only its narrow side is widened.
struct HairlinePen {
  /// Width in pixels: cairo counts in 1/256 of a pixel, and rounding down might miss a center.
  private static let pixel = 1 + 1.0 / 64
  /// Ratio of a pen's sides up to which it counts as round: turning a page, or the paper, causes no more.
  private static let alike = 1.02

  private let width: Double
  /// nil: the context's own matrix.
  private var matrix: cairo_matrix_t?

  /// nil for a pen that is wide enough.
  init?(_ context: OpaquePointer) {
    var matrix = cairo_matrix_t(of: context)
    // Decomposes the matrix into two rotations and two scales (singular values): the largest scale of the pen, and the
    // one at right angles to it.
    let across = matrix.xx * matrix.xx + matrix.yx * matrix.yx
    let down = matrix.xy * matrix.xy + matrix.yy * matrix.yy
    let both = matrix.xx * matrix.xy + matrix.yx * matrix.yy
    let determinant = matrix.xx * matrix.yy - matrix.xy * matrix.yx
    let longest = ((across + down) / 2 + hypot((across - down) / 2, both)).squareRoot()
    let least = abs(determinant) / longest
    guard longest.isFinite, longest > 0, least > 0 else { return nil }
    let own = cairo_get_line_width(context)
    guard own * least < 1 else { return nil }
    guard longest > least * HairlinePen.alike,
      longest > least * 4 || cairo_get_dash_count(context) == 0
    else {
      width = HairlinePen.pixel / least
      return
    }
    // Dashes along the longer side keep their length.
    width = own * longest < 1 ? HairlinePen.pixel / longest : own
    let added = HairlinePen.pixel / width - least
    let angle = atan2(both, (across - down) / 2) / 2
    let (x, y) = (cos(angle), sin(angle))
    // The longer side's direction on paper; the other side is at right angles to it, in both spaces.
    let end = (
      x: (matrix.xx * x + matrix.xy * y) / longest, y: (matrix.yx * x + matrix.yy * y) / longest
    )
    let side = determinant < 0 ? -added : added
    // (-y, x) becomes longer along (-end.y, end.x).
    matrix.xx += side * end.y * y
    matrix.xy -= side * end.y * x
    matrix.yx -= side * end.x * y
    matrix.yy += side * end.x * x
    self.matrix = matrix
  }

  /// Calls `stroke` to draw the context's path with this pen, and restores the context's own.
  func draw(on context: OpaquePointer, _ stroke: () -> Void) {
    let own = cairo_get_line_width(context)
    var former = cairo_matrix_t(of: context)
    cairo_set_line_width(context, width)
    if var matrix { cairo_set_matrix(context, &matrix) }
    stroke()
    if matrix != nil { cairo_set_matrix(context, &former) }
    cairo_set_line_width(context, own)
  }
}
