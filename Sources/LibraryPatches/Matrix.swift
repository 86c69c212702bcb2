internal import CCairo

extension cairo_matrix_t {
  /// From a context's user space to its pixels.
  init(of context: OpaquePointer) {
    self.init()
    cairo_get_matrix(context, &self)
  }

  /// From user space to a pattern's own.
  init(ofPattern pattern: OpaquePointer) {
    self.init()
    cairo_pattern_get_matrix(pattern, &self)
  }

  /// nil: it maps everything to a line.
  var inverse: cairo_matrix_t? {
    var matrix = self
    return cairo_matrix_invert(&matrix) == CAIRO_STATUS_SUCCESS ? matrix : nil
  }

  func then(_ other: cairo_matrix_t) -> cairo_matrix_t {
    var (first, second, both) = (self, other, cairo_matrix_t())
    cairo_matrix_multiply(&both, &first, &second)
    return both
  }

  /// The area of what was a square of 1.
  var area: Double { abs(xx * yy - xy * yx) }

  func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (x: xx * x + xy * y + x0, y: yx * x + yy * y + y0)
  }
}

/// The bitmap of a pattern, with its width and height in pixels; nil for a pattern of another kind.
func bitmap(
  of pattern: OpaquePointer
) -> (surface: OpaquePointer, width: Double, height: Double)? {
  var surface: OpaquePointer?
  guard cairo_pattern_get_surface(pattern, &surface) == CAIRO_STATUS_SUCCESS, let surface,
    cairo_surface_get_type(surface) == CAIRO_SURFACE_TYPE_IMAGE
  else { return nil }
  return (
    surface, Double(cairo_image_surface_get_width(surface)),
    Double(cairo_image_surface_get_height(surface))
  )
}

/// A linear or radial gradient, in its own units.
struct Gradient {
  private let pattern: OpaquePointer
  let isRadial: Bool
  /// Its two points, or the centers of its two circles, and their radii.
  private(set) var (x0, y0, r0, x1, y1, r1) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

  /// nil for a pattern of another kind.
  init?(_ pattern: OpaquePointer) {
    self.pattern = pattern
    let type = cairo_pattern_get_type(pattern)
    guard type == CAIRO_PATTERN_TYPE_LINEAR || type == CAIRO_PATTERN_TYPE_RADIAL else { return nil }
    isRadial = type == CAIRO_PATTERN_TYPE_RADIAL
    if isRadial {
      cairo_pattern_get_radial_circles(pattern, &x0, &y0, &r0, &x1, &y1, &r1)
    } else {
      cairo_pattern_get_linear_points(pattern, &x0, &y0, &x1, &y1)
    }
  }

  /// The distance between the two points or centers.
  var length: Double { ((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)).squareRoot() }

  /// Its colors: red, green, blue and alpha.
  var stops: [(offset: Double, color: SIMD4<Double>)] {
    var count: Int32 = 0
    cairo_pattern_get_color_stop_count(pattern, &count)
    return (0..<count).map { index in
      var (offset, red, green, blue, alpha) = (0.0, 0.0, 0.0, 0.0, 0.0)
      cairo_pattern_get_color_stop_rgba(pattern, index, &offset, &red, &green, &blue, &alpha)
      return (offset, SIMD4(red, green, blue, alpha))
    }
  }
}
