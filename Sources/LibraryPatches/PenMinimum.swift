internal import CCairo
internal import Glibc

/// A pen for lines at least one pixel wide, in place of a thinner one.
///
/// A pen is round in user space, and an ellipse on paper if the axes have different scales (ISO 32000-1 §8.4.3.2): then
/// only its narrow side is widened.
struct PenMinimum {
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
    guard longest > least * PenMinimum.alike,
      longest > least * 4 || cairo_get_dash_count(context) == 0
    else {
      width = PenMinimum.pixel / least
      return
    }
    // Dashes along the longer side keep their length.
    width = own * longest < 1 ? PenMinimum.pixel / longest : own
    let added = PenMinimum.pixel / width - least
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
