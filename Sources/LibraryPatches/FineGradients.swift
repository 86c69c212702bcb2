internal import CCairo

/// Gives gradients units as large as a pixel.
///
/// macOS writes gradients of Office in units of 1/12700 point. cairo hands the matrix from pixels to a gradient's units
/// to pixman, whose numbers have 15 bits before the point, and draws nothing if the gradient is more units than that from
/// the page's corner (1.16).
enum FineGradients {
  fileprivate static let own: (@convention(c) (OpaquePointer?, OpaquePointer?) -> Void)? =
    libraryFunction("cairo_set_source")

  /// Units in a pixel from which a large sheet may have too many.
  private static let most = 1.5

  /// The same gradient in units of a pixel of `context`; nil: its units are large enough, or it is no gradient.
  ///
  /// The caller destroys it.
  fileprivate static func enlarged(
    _ pattern: OpaquePointer, on context: OpaquePointer
  ) -> OpaquePointer? {
    let type = cairo_pattern_get_type(pattern)
    guard type == CAIRO_PATTERN_TYPE_LINEAR || type == CAIRO_PATTERN_TYPE_RADIAL else { return nil }
    let toUnits = cairo_matrix_t(ofPattern: pattern)
    let units = toUnits.area / cairo_matrix_t(of: context).area
    guard units.isFinite, units > most * most else { return nil }
    let scale = 1 / units.squareRoot()
    let (made, x, y) = gradient(pattern, scale)
    guard let made else { return nil }
    var matrix = toUnits.then(
      cairo_matrix_t(xx: scale, yx: 0, xy: 0, yy: scale, x0: -x * scale, y0: -y * scale))
    cairo_pattern_set_matrix(made, &matrix)
    cairo_pattern_set_extend(made, cairo_pattern_get_extend(pattern))
    addStops(of: pattern, to: made)
    return made
  }

  /// A gradient without colors, in units of 1 / `scale`, and the former place of its start, which is at 0, 0.
  private static func gradient(
    _ pattern: OpaquePointer, _ scale: Double
  ) -> (OpaquePointer?, x: Double, y: Double) {
    var (x0, y0, r0, x1, y1, r1) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    guard cairo_pattern_get_type(pattern) == CAIRO_PATTERN_TYPE_RADIAL else {
      cairo_pattern_get_linear_points(pattern, &x0, &y0, &x1, &y1)
      return (
        cairo_pattern_create_linear(0, 0, (x1 - x0) * scale, (y1 - y0) * scale), x0, y0
      )
    }
    cairo_pattern_get_radial_circles(pattern, &x0, &y0, &r0, &x1, &y1, &r1)
    return (
      cairo_pattern_create_radial(
        0, 0, r0 * scale, (x1 - x0) * scale, (y1 - y0) * scale, r1 * scale), x0, y0
    )
  }

  private static func addStops(of pattern: OpaquePointer, to made: OpaquePointer) {
    var count: Int32 = 0
    cairo_pattern_get_color_stop_count(pattern, &count)
    for index in 0..<count {
      var (offset, red, green, blue, alpha) = (0.0, 0.0, 0.0, 0.0, 0.0)
      cairo_pattern_get_color_stop_rgba(pattern, index, &offset, &red, &green, &blue, &alpha)
      cairo_pattern_add_color_stop_rgba(made, offset, red, green, blue, alpha)
    }
  }
}

/// Replaces cairo's function (see `FineGradients`).
@_cdecl("cairo_set_source")
public func setSourceInPixels(_ context: OpaquePointer?, _ pattern: OpaquePointer?) {
  guard let context, let pattern, let made = FineGradients.enlarged(pattern, on: context) else {
    FineGradients.own?(context, pattern)
    return
  }
  FineGradients.own?(context, made)
  cairo_pattern_destroy(made)
}
