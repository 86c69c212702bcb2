internal import CCairo
internal import CLibraryPatches

/// Keeps the points of paths within the pixels that cairo can count.
///
/// cairo stores places in pixels with 24 bits before the point. macOS writes clips hundreds of millions of points wide:
/// at 600 dpi, neither their corners nor the way from one to the other fits, and lines in them disappeared.
enum FarPoints {
  /// The farthest place from a surface's corner, in pixels: half of what cairo can count, as lists are played with an
  /// offset.
  private static let farthest = 4_194_304.0
  /// User space coordinates below this are not transformed for a comparison: their unit would have to be 512 pixels.
  private static let near = 8_192.0

  /// The point, or the nearest one that cairo can count.
  ///
  /// Each coordinate is limited by itself, which keeps a rectangle's sides where they are; a slanting line to a place
  /// that far away is only drawn near its true place.
  @inline(__always)
  fileprivate static func limited(
    _ context: OpaquePointer?, _ x: Double, _ y: Double
  ) -> (x: Double, y: Double) {
    abs(x) < near && abs(y) < near ? (x, y) : nearest(context, x, y)
  }

  private static func nearest(
    _ context: OpaquePointer?, _ x: Double, _ y: Double
  ) -> (x: Double, y: Double) {
    guard HairlineStrokes.isEnforced, let context else { return (x, y) }
    var (column, row) = DeviceBox.place(x, y, on: context)
    guard abs(column) > farthest || abs(row) > farthest else { return (x, y) }
    column = min(max(column, -farthest), farthest)
    row = min(max(row, -farthest), farthest)
    cairo_device_to_user(context, &column, &row)
    return (column, row)
  }
}

/// Replaces cairo's function (see `FarPoints`).
@_cdecl("cairo_move_to")
public func moveToPixel(_ context: OpaquePointer?, _ x: Double, _ y: Double) {
  let point = FarPoints.limited(context, x, y)
  own_cairo_move_to()?(context, point.x, point.y)
}

/// Replaces cairo's function (see `FarPoints`).
@_cdecl("cairo_line_to")
public func lineToPixel(_ context: OpaquePointer?, _ x: Double, _ y: Double) {
  let point = FarPoints.limited(context, x, y)
  own_cairo_line_to()?(context, point.x, point.y)
}

/// Replaces cairo's function (see `FarPoints`).
@_cdecl("cairo_curve_to")
public func curveToPixel(
  _ context: OpaquePointer?, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x3: Double,
  _ y3: Double
) {
  let first = FarPoints.limited(context, x1, y1)
  let second = FarPoints.limited(context, x2, y2)
  let end = FarPoints.limited(context, x3, y3)
  own_cairo_curve_to()?(context, first.x, first.y, second.x, second.y, end.x, end.y)
}
