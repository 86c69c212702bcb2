/// An affine transform of the plane: `x' = xx·x + xy·y + x0`, `y' = yx·x + yy·y + y0`, as in cairo.
package struct Transform: Sendable, Equatable, Codable {
  package var xx: Double
  package var yx: Double
  package var xy: Double
  package var yy: Double
  package var x0: Double
  package var y0: Double

  package init(
    xx: Double = 1, yx: Double = 0, xy: Double = 0, yy: Double = 1, x0: Double = 0, y0: Double = 0
  ) {
    self.xx = xx
    self.yx = yx
    self.xy = xy
    self.yy = yy
    self.x0 = x0
    self.y0 = y0
  }

  package static let identity = Transform()

  package static func scale(_ x: Double, _ y: Double) -> Transform { Transform(xx: x, yy: y) }
  package static func translation(_ x: Double, _ y: Double) -> Transform { Transform(x0: x, y0: y) }

  /// Returns this transform followed by `next`.
  package func then(_ next: Transform) -> Transform {
    Transform(
      xx: next.xx * xx + next.xy * yx, yx: next.yx * xx + next.yy * yx,
      xy: next.xx * xy + next.xy * yy, yy: next.yx * xy + next.yy * yy,
      x0: next.xx * x0 + next.xy * y0 + next.x0, y0: next.yx * x0 + next.yy * y0 + next.y0)
  }

  /// The transform back; the identity if there is none.
  package var inverse: Transform {
    let area = xx * yy - xy * yx
    guard area != 0 else { return .identity }
    return Transform.translation(-x0, -y0).then(
      Transform(xx: yy / area, yx: -yx / area, xy: -xy / area, yy: xx / area))
  }

  package func apply(x: Double, y: Double) -> (x: Double, y: Double) {
    (xx * x + xy * y + x0, yx * x + yy * y + y0)
  }

  /// Returns the transformed rectangle; exact for quarter turns, else its bounding box.
  package func apply(_ area: Rectangle) -> Rectangle {
    let one = apply(x: area.x, y: area.y)
    let other = apply(x: area.x + area.width, y: area.y + area.height)
    return Rectangle(
      x: min(one.x, other.x), y: min(one.y, other.y), width: abs(one.x - other.x),
      height: abs(one.y - other.y))
  }
}
