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
