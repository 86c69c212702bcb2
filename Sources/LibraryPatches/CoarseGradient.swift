internal import CCairo
internal import CLibraryPatches

/// Draws gradients as pictures of a quarter of the resolution, which are enlarged while drawing.
///
/// cairo computes every pixel of a gradient, which takes 20 to 45 ns; a pixel of a picture takes 4 ns. If colors change
/// little from pixel to pixel, and edges are hard because single pixels are invisible (600 dpi and more), both look the
/// same.
enum CoarseGradient {
  private static let scale = 0.25
  /// Minimum number of pixels of a shape that is worth this, and maximum number of the picture's.
  private static let fewest = 10_000.0
  private static let most = 2_000_000.0
  /// Maximum change of a color from one pixel to the next, of 1.
  private static let steepest = 4.0 / 255

  /// The pattern to fill the path of `context` with; nil: use its own source.
  ///
  /// The caller destroys it.
  static func pattern(for context: OpaquePointer) -> OpaquePointer? {
    guard cairo_get_antialias(context) == CAIRO_ANTIALIAS_NONE,
      let source = cairo_get_source(context),
      cairo_pattern_get_extend(source) == CAIRO_EXTEND_PAD, isGentle(source, in: context),
      let area = area(of: context)
    else { return nil }
    var toPicture = cairo_matrix_t(of: context).then(
      cairo_matrix_t(
        xx: scale, yx: 0, xy: 0, yy: scale, x0: -area.x * scale, y0: -area.y * scale))
    // One extra pixel on each side, from which the outermost pixels are interpolated.
    toPicture.x0 += 1
    toPicture.y0 += 1
    let picture = cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, Int32(area.width * scale) + 3, Int32(area.height * scale) + 3)
    let own = cairo_create(picture)
    defer {
      cairo_destroy(own)
      cairo_surface_destroy(picture)
    }
    cairo_set_matrix(own, &toPicture)
    cairo_set_operator(own, CAIRO_OPERATOR_SOURCE)
    cairo_set_source(own, source)
    cairo_paint(own)
    guard cairo_status(own) == CAIRO_STATUS_SUCCESS else { return nil }
    let pattern = cairo_pattern_create_for_surface(picture)
    cairo_pattern_set_matrix(pattern, &toPicture)
    cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
    cairo_pattern_set_filter(pattern, CAIRO_FILTER_BILINEAR)
    return pattern
  }

  /// The pixels that the path of `context` may cover; nil: too few, or too many.
  private static func area(
    of context: OpaquePointer
  ) -> (x: Double, y: Double, width: Double, height: Double)? {
    let (path, clip) = (DeviceBox(pathOf: context), DeviceBox(clipOf: context))
    let (x, y) = (max(path.columns.0, clip.columns.0), max(path.rows.0, clip.rows.0))
    let width = min(path.columns.1, clip.columns.1) - x
    let height = min(path.rows.1, clip.rows.1) - y
    guard width > 0, height > 0, width * height >= fewest, width * height * scale * scale <= most,
      abs(x) < 1e6,
      abs(y) < 1e6
    else { return nil }
    return (x.rounded(.down), y.rounded(.down), width.rounded(.up) + 1, height.rounded(.up) + 1)
  }

  /// True for a gradient whose colors change little from one pixel to the next.
  private static func isGentle(_ source: OpaquePointer, in context: OpaquePointer) -> Bool {
    guard let gradient = Gradient(source), let length = length(of: gradient),
      let toUser = cairo_matrix_t(ofPattern: source).inverse
    else { return false }
    let matrix = toUser.then(cairo_matrix_t(of: context))
    let across = (matrix.xx * matrix.xx + matrix.yx * matrix.yx).squareRoot()
    let down = (matrix.xy * matrix.xy + matrix.yy * matrix.yy).squareRoot()
    // Only rotated and scaled: it must not be steeper in one direction than in another.
    guard abs(across - down) < across / 100 else { return false }
    let pixels = length * across
    let stops = gradient.stops
    return pixels.isFinite && !stops.isEmpty
      && zip(stops, stops.dropFirst()).allSatisfy { last, next in
        let difference = next.color - last.color
        let change = max(difference.max(), -difference.min())
        return change <= steepest * (next.offset - last.offset) * pixels
      }
  }

  /// The shortest distance from the first color to the last; nil for a focus outside the circles.
  private static func length(of gradient: Gradient) -> Double? {
    guard gradient.isRadial else { return gradient.length }
    let difference = abs(gradient.r1 - gradient.r0)
    return difference > gradient.length ? difference - gradient.length : nil
  }
}

/// Gives gradients units as large as a pixel.
///
/// macOS writes gradients of Office in units of 1/12700 point. cairo hands the matrix from pixels to a gradient's units
/// to pixman, whose numbers have 15 bits before the point, and draws nothing if the gradient is more units than that from
/// the page's corner (1.16).
enum FineGradients {
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
  drawings_paint(pattern)
  guard let context, let pattern, let made = FineGradients.enlarged(pattern, on: context) else {
    own_cairo_set_source()?(context, pattern)
    return
  }
  own_cairo_set_source()?(context, made)
  cairo_pattern_destroy(made)
}
