// IPP counts media in hundredths of a millimeter, documents and JSON in points (1/72 in). Media keep IPP's integers
// from the printer's answer to the job ticket, because printers compare them exactly (PAPPL matches media-size by
// integer equality). Points are used only at the edges.

/// A length in 1/100 mm, the unit of media-col (1/2540 in).
package struct Hundredths: Sendable, Hashable, Codable {
  /// The number of hundredths, as in IPP's integers.
  package var count: Int

  package init(_ count: Int) { self.count = count }

  /// Converts a length in points to the nearest hundredth of a millimeter.
  ///
  /// A document may state any number; lengths are limited to 10 km, and NaN is 0.
  package init(points: Double) {
    let longest = 1_000_000_000.0
    let length = (points * 2540 / 72).rounded()
    count = Int(length.isNaN ? 0 : min(max(length, -longest), longest))
  }

  /// The length in points.
  package var points: Double { Double(count) * 72 / 2540 }

  /// Returns device pixels at `dpi`, rounded down like PWG 5102.4's writers (A4 at 300 dpi is 2480 × 3507): with one
  /// pixel more, some printers abort the job (pappl#59).
  package func pixels(dpi: Int) -> Int { count * dpi / 2540 }

  /// The length in a sentence: `210 mm`, `62.5 mm`.
  package var inMillimeters: String {
    let tenths = Int((Double(count) / 10).rounded())
    let (sign, whole, rest) = (tenths < 0 ? "-" : "", abs(tenths) / 10, abs(tenths) % 10)
    return rest == 0 ? "\(sign)\(whole) mm" : "\(sign)\(whole).\(rest) mm"
  }

  /// Returns the absolute difference of two lengths.
  package func distance(to other: Hundredths) -> Hundredths { Hundredths(abs(count - other.count)) }
}

extension Hundredths: ExpressibleByIntegerLiteral {
  package init(integerLiteral count: Int) { self.init(count) }
}

extension Hundredths: Comparable {
  package static func < (left: Hundredths, right: Hundredths) -> Bool { left.count < right.count }
}

extension Hundredths: AdditiveArithmetic {
  package static func + (left: Hundredths, right: Hundredths) -> Hundredths {
    Hundredths(left.count + right.count)
  }
  package static func - (left: Hundredths, right: Hundredths) -> Hundredths {
    Hundredths(left.count - right.count)
  }
  package static func * (length: Hundredths, times: Int) -> Hundredths {
    Hundredths(length.count * times)
  }
  package static func / (length: Hundredths, parts: Int) -> Hundredths {
    Hundredths(length.count / parts)
  }
  /// The ratio of two lengths.
  package static func / (length: Hundredths, other: Hundredths) -> Double {
    Double(length.count) / Double(other.count)
  }
}

/// A width and a length in 1/100 mm.
///
/// Media are stated with the short side as width, as they are fed.
package struct MediaSize: Sendable, Hashable {
  package var width: Hundredths
  package var length: Hundredths

  package init(width: Hundredths, length: Hundredths) {
    self.width = width
    self.length = length
  }

  package var rotated: MediaSize { MediaSize(width: length, length: width) }

  /// Returns true if both sides agree within `tolerance`, in this orientation.
  package func matches(_ other: MediaSize, within tolerance: Hundredths = near) -> Bool {
    width.distance(to: other.width) <= tolerance && length.distance(to: other.length) <= tolerance
  }

  /// Returns true if it matches `other` in one of the two orientations.
  package func matchesEitherWay(_ other: MediaSize, within tolerance: Hundredths = near) -> Bool {
    matches(other, within: tolerance) || rotated.matches(other, within: tolerance)
  }

  /// In squares of 1/100 mm.
  package var area: Double { Double(width.count) * Double(length.count) }

  /// True if both are one photo paper: one is in whole centimeters, the other the nearest in half inches.
  ///
  /// It is sold as 10x15 cm in one part of the world and as 4x6 in another, likewise 13x18 and 5x7, 9x13 and 3.5x5.
  package func isSamePhoto(as other: MediaSize) -> Bool {
    let isNamedTwice =
      isMade(of: 1_000) && other.isMade(of: 1_270) || isMade(of: 1_270) && other.isMade(of: 1_000)
    return isNamedTwice && matches(other, within: 300)
  }

  private func isMade(of unit: Int) -> Bool {
    [width, length].allSatisfy { side in
      let rest = side.count % unit
      return min(rest, unit - rest) <= MediaSize.near.count
    }
  }

  /// 0.5 mm: the tolerance of libcups' pwgMediaForSize for equal sizes.
  package static let near: Hundredths = 50
  /// 1.76 mm (5 pt): the largest difference between a PDF's page and the sheet for which it was made (libcups'
  /// cups_is_close_media_db).
  package static let close: Hundredths = 176
}

/// The unprintable border of a sheet, in 1/100 mm.
package struct Margins: Sendable, Hashable {
  package var top: Hundredths
  package var bottom: Hundredths
  package var left: Hundredths
  package var right: Hundredths
  /// False if the printer does not state them: then 0 does not mean that it prints to the edge.
  package var areStated = true

  package init(
    top: Hundredths = 0, bottom: Hundredths = 0, left: Hundredths = 0, right: Hundredths = 0
  ) {
    self.top = top
    self.bottom = bottom
    self.left = left
    self.right = right
  }

  package static let zero = Margins()

  /// The members of media-col for its sides.
  package static let members = ["top", "bottom", "left", "right"].map { "media-\($0)-margin" }

  /// Makes margins from the length of each of `members`.
  package init(each length: (String) -> Hundredths) {
    let lengths = Margins.members.map(length)
    self.init(top: lengths[0], bottom: lengths[1], left: lengths[2], right: lengths[3])
  }

  /// True if all four are 0: printing reaches every edge.
  package var isBorderless: Bool { self == .zero }
}

/// A rectangle in points, with its origin at the top left unless stated otherwise.
package struct Rectangle: Sendable, Hashable, Codable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Returns the overlap; at least a hundredth of a point.
  package func intersection(_ other: Rectangle) -> Rectangle {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return Rectangle(
      x: left, y: top, width: max(0.01, min(x + width, other.x + other.width) - left),
      height: max(0.01, min(y + height, other.y + other.height) - top))
  }

  /// Returns the area within margins; at least a hundredth of a point.
  package func inset(by margins: Margins) -> Rectangle {
    Rectangle(
      x: x + margins.left.points, y: y + margins.top.points,
      width: max(0.01, width - (margins.left + margins.right).points),
      height: max(0.01, height - (margins.top + margins.bottom).points))
  }
}

/// Width and height in points, as documents state their pages.
package struct PageSize: Sendable, Hashable, Codable {
  package var width: Double
  package var height: Double

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  package var isLandscape: Bool { width > height }
  package var rotated: PageSize { PageSize(width: height, height: width) }
  package var media: MediaSize {
    MediaSize(width: Hundredths(points: width), length: Hundredths(points: height))
  }
}
