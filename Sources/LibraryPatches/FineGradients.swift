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
    guard let gradient = Gradient(pattern) else { return nil }
    let toUnits = cairo_matrix_t(ofPattern: pattern)
    let units = toUnits.area / cairo_matrix_t(of: context).area
    guard units.isFinite, units > most * most else { return nil }
    let scale = 1 / units.squareRoot()
    // It starts at 0, 0.
    let (x, y) = ((gradient.x1 - gradient.x0) * scale, (gradient.y1 - gradient.y0) * scale)
    let made =
      gradient.isRadial
      ? cairo_pattern_create_radial(0, 0, gradient.r0 * scale, x, y, gradient.r1 * scale)
      : cairo_pattern_create_linear(0, 0, x, y)
    var matrix = toUnits.then(
      cairo_matrix_t(
        xx: scale, yx: 0, xy: 0, yy: scale, x0: -gradient.x0 * scale, y0: -gradient.y0 * scale))
    cairo_pattern_set_matrix(made, &matrix)
    cairo_pattern_set_extend(made, cairo_pattern_get_extend(pattern))
    for (offset, color) in gradient.stops {
      cairo_pattern_add_color_stop_rgba(made, offset, color.x, color.y, color.z, color.w)
    }
    return made
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
