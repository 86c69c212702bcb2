/// Pixels of shapes thinner than a pixel: with hard edges, cairo omits them if they lie between pixel centers.
///
/// Rows and columns of pixel centers are searched for short pieces of the shape, like TrueType's dropout control (Apple
/// TrueType Reference Manual, Instructing Fonts). This also finds thin spaces between two outlines: rings, frames, the
/// teeth of a comb.
struct DropoutControl {
  /// Rectangles in pixels.
  private(set) var boxes: [DeviceBox] = []

  /// Spacing of the lines that are searched first: a shape that is thin for a shorter distance is a tip.
  private static let step = 8
  /// Maximum number of crossings and boxes of a path, 12 and 32 bytes each.
  private static let mostCrossings = 1 << 20
  private static let mostBoxes = 1 << 16
  /// Distance in pixels below which two pieces count as one.
  private static let seam: Float = 1.0 / 128

  private enum Lines { case rows, columns }

  /// A crossing of an outline with a line of pixel centers.
  private struct Crossing {
    var place: Float
    /// Pixels along the line for each pixel across it.
    var slant: Float
    var winding: Int32
  }

  private let outline: Outline
  private let extent: DeviceBox
  private let clip: DeviceBox
  private let isEvenOdd: Bool
  private let isOpaque: Bool

  /// Searches an outline within `clip`.
  ///
  /// - `isOpaque`: drawing a pixel twice does not make it darker.
  init(in outline: Outline, clip: DeviceBox, isEvenOdd: Bool, isOpaque: Bool) {
    self.isOpaque = isOpaque
    self.outline = outline
    self.clip = clip
    self.isEvenOdd = isEvenOdd
    extent = DeviceBox(outline.points)
    // No page is this large; NaN fails this check, too.
    let isNear = outline.points.allSatisfy { abs($0.x) < 1e6 && abs($0.y) < 1e6 }
    guard isNear, hasThinPart else { return }
    for lines in [Lines.rows, .columns] { addBoxes(lines) }
  }

  private var hasThinPart: Bool {
    [Lines.rows, .columns].contains { lines in
      var isFound = false
      search(lines, every: DropoutControl.step) { _, _ in
        isFound = true
        return false
      }
      return isFound
    }
  }

  private mutating func addBoxes(_ lines: Lines) {
    /// Index of the last box at each pixel along the lines.
    var latest: [Int: Int] = [:]
    let side: WritableKeyPath<DeviceBox, (Double, Double)> = lines == .rows ? \.rows : \.columns
    var boxes = self.boxes
    search(lines, every: 1) { line, piece in
      // cairo draws a pixel whose center is inside, unless its lines for a curve are off by a tenth of a pixel: pixels
      // that can be drawn twice are.
      let center = (piece.lowerBound - 0.5).rounded(.up) + 0.5
      guard isOpaque || center >= piece.upperBound else { return true }
      let middle = (piece.lowerBound + piece.upperBound) / 2
      let pixel = (center < piece.upperBound ? center : middle).rounded(.down)
      let (along, across) = (
        (Double(pixel), Double(pixel) + 1), (Double(line), Double(line) + 1)
      )
      let place = Int(pixel)
      if let index = latest[place], boxes[index][keyPath: side].1 == across.0 {
        boxes[index][keyPath: side].1 = across.1
        return true
      }
      latest[place] = boxes.count
      boxes.append(
        lines == .rows
          ? DeviceBox(columns: along, rows: across) : DeviceBox(columns: across, rows: along))
      return boxes.count < DropoutControl.mostBoxes
    }
    self.boxes = boxes
  }

  /// Finds pieces of the shape shorter than a pixel, on every `step`th line of pixel centers, until `found` returns
  /// false.
  private func search(
    _ lines: Lines, every step: Int, _ found: (Int, Range<Float>) -> Bool
  ) {
    let (ends, bounds) = lines == .rows ? (extent.rows, clip.rows) : (extent.columns, clip.columns)
    let (low, high) = (max(ends.0, bounds.0), min(ends.1, bounds.1))
    guard low < high else { return }
    let share = 1 / Double(step)
    let first = Int(((low - 0.5) * share).rounded(.up))
    /// Index of the first searched line whose centers are at `place` or after it.
    func line(_ place: Double) -> Int {
      let distance = (min(max(place, low), high) - 0.5) * share - Double(first)
      let whole = Int(distance)
      return distance > Double(whole) ? whole + 1 : whole
    }
    let count = line(high)
    guard count > 0 else { return }
    // First the number of crossings on each line, then the index of its first crossing.
    var next = [Int32](repeating: 0, count: count + 1)
    var total = 0
    forEachEdge(lines, line) { _, _, start, end in
      total += end - start
      guard total <= DropoutControl.mostCrossings else { return false }
      for index in start..<end { next[index] += 1 }
      return true
    }
    guard total > 0, total <= DropoutControl.mostCrossings else { return }
    var sum: Int32 = 0
    for index in 0...count {
      let number = next[index]
      next[index] = sum
      sum += number
    }
    var crossings = [Crossing](
      repeating: Crossing(place: 0, slant: 0, winding: 0), count: total)
    forEachEdge(lines, line) { from, to, start, end in
      let (top, bottom) = from.y < to.y ? (from, to) : (to, from)
      let slant = (bottom.x - top.x) / (bottom.y - top.y)
      for index in start..<end {
        let across = Double((index + first) * step) + 0.5
        crossings[Int(next[index])] = Crossing(
          place: Float(top.x + (across - top.y) * slant), slant: Float(abs(slant)),
          winding: from.y < to.y ? 1 : -1)
        next[index] += 1
      }
      return true
    }
    crossings.withUnsafeMutableBufferPointer { crossings in
      var start = 0
      for index in 0..<count {
        let end = Int(next[index])
        defer { start = end }
        guard end - start > 1 else { continue }
        var line = UnsafeMutableBufferPointer(rebasing: crossings[start..<end])
        line.sort { $0.place < $1.place }
        guard findPieces(on: line, { found((index + first) * step, $0) }) else { return }
      }
    }
  }

  /// Calls `body` with the ends of each edge that crosses a line, and the range of lines that it crosses, until it
  /// returns false.
  ///
  /// In these ends, x is along the lines and y across them.
  private func forEachEdge(
    _ lines: Lines, _ line: (Double) -> Int,
    _ body: (Outline.Point, Outline.Point, Int, Int) -> Bool
  ) {
    func turned(_ point: Outline.Point) -> Outline.Point {
      lines == .rows ? point : (x: point.y, y: point.x)
    }
    outline.points.withUnsafeBufferPointer { points in
      for (index, start) in outline.starts.enumerated() {
        let end = index + 1 < outline.starts.count ? outline.starts[index + 1] : points.count
        guard end - start > 1 else { continue }
        var last = turned(points[end - 1])
        var lastLine = line(last.y)
        for point in points[start..<end] {
          let point = turned(point)
          let next = line(point.y)
          if next != lastLine {
            guard body(last, point, min(lastLine, next), max(lastLine, next)) else { return }
          }
          (last, lastLine) = (point, next)
        }
      }
    }
  }

  /// Finds the pieces on a line; false if `found` returned false.
  private func findPieces(
    on line: UnsafeMutableBufferPointer<Crossing>, _ found: (Range<Float>) -> Bool
  ) -> Bool {
    var winding: Int32 = 0
    var start: Crossing?
    var former: (start: Crossing, end: Crossing)?
    /// Reports a piece if it is thin because its edges run close to each other across the line.
    func end(_ piece: (start: Crossing, end: Crossing)) -> Bool {
      let length = piece.end.place - piece.start.place
      guard length > 0, length < 1, piece.start.slant + piece.end.slant <= 2 else { return true }
      return found(piece.start.place..<piece.end.place)
    }
    for crossing in line {
      let wasInside = start != nil
      winding += crossing.winding
      let isInside = isEvenOdd ? winding & 1 != 0 : winding != 0
      guard isInside != wasInside else { continue }
      guard let begun = start else {
        start = crossing
        if let piece = former, crossing.place - piece.end.place < DropoutControl.seam {
          start = piece.start
          former = nil
        }
        continue
      }
      if let piece = former, !end(piece) { return false }
      former = (begun, crossing)
      start = nil
    }
    return former.map(end) ?? true
  }
}
