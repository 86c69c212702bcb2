/// Quarter turns of a page on its sheet, clockwise in degrees: the values of `--rotate`.
///
/// They are those of orientation-requested (RFC 8011 §5.2.10): portrait (3), reverse-landscape (5), reverse-portrait (6)
/// and landscape (4).
package enum Rotation: Int, Sendable, CaseIterable {
  case none = 0
  case clockwise = 90
  case half = 180
  case counterclockwise = 270

  package static func + (one: Rotation, other: Rotation) -> Rotation {
    Rotation(rawValue: (one.rawValue + other.rawValue) % 360) ?? .none
  }

  package static prefix func - (one: Rotation) -> Rotation {
    Rotation(rawValue: (360 - one.rawValue) % 360) ?? .none
  }

  /// The value of orientation-requested.
  package var orientationRequested: Int {
    switch self {
    case .none: 3
    case .clockwise: 5
    case .half: 6
    case .counterclockwise: 4
    }
  }

  /// True if width and height change places.
  package var isAcross: Bool { self == .clockwise || self == .counterclockwise }

  /// The transform from a turned sheet to the sheet as it is fed.
  ///
  /// - `width`, `height`: of the sheet as it is fed.
  package func onto(width: Double, height: Double) -> Transform {
    switch self {
    case .none: .identity
    case .clockwise: Transform(xx: 0, yx: 1, xy: -1, yy: 0, x0: width)
    case .half: Transform(xx: -1, yy: -1, x0: width, y0: height)
    case .counterclockwise: Transform(xx: 0, yx: -1, xy: 1, yy: 0, y0: height)
    }
  }

  /// The turn of what this transform places, if it is one.
  package init(of transform: Transform) {
    self =
      if abs(transform.yx) > abs(transform.xx) {
        transform.yx > 0 ? .clockwise : .counterclockwise
      } else {
        transform.xx < 0 ? .half : .none
      }
  }
}
