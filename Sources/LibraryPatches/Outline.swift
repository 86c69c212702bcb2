/// The outline of a path in pixels, made of straight lines only.
struct Outline {
  typealias Point = (x: Double, y: Double)

  private(set) var points: [Point] = []
  /// Indices of the points at which parts begin; each part is closed.
  private(set) var starts: [Int] = []

  /// Maximum distance in pixels between a curve and its lines, as in cairo.
  private static let tolerance = 0.1
  /// Maximum number of lines for a curve.
  private static let mostLines = 256.0

  mutating func beginPart() {
    if starts.last != points.count { starts.append(points.count) }
  }

  mutating func addLine(to point: Point) { points.append(point) }

  /// Adds a cubic Bézier curve from the last point.
  mutating func addCurve(_ first: Point, _ second: Point, to end: Point) {
    guard let start = points.last else { return points.append(end) }
    // The second differences bound the distance of a curve from its chords.
    func deviation(_ one: Point, _ middle: Point, _ other: Point) -> Double {
      let x: Double = one.x - 2 * middle.x + other.x
      let y: Double = one.y - 2 * middle.y + other.y
      return (x * x + y * y).squareRoot()
    }
    let bend = max(deviation(start, first, second), deviation(first, second, end))
    guard bend.isFinite else { return points.append(end) }
    let needed = (bend * 0.75 / Outline.tolerance).squareRoot().rounded(.up)
    let lines = max(1, Int(min(needed, Outline.mostLines)))
    for line in 1..<max(2, lines) where line < lines {
      let share = Double(line) / Double(lines)
      let rest = 1 - share
      let near = (rest * rest * rest, 3 * rest * rest * share)
      let far = (3 * rest * share * share, share * share * share)
      let x: Double = near.0 * start.x + near.1 * first.x + far.0 * second.x + far.1 * end.x
      let y: Double = near.0 * start.y + near.1 * first.y + far.0 * second.y + far.1 * end.y
      points.append((x, y))
    }
    points.append(end)
  }
}
