internal import Drawing
internal import PrintModel

/// Finds the marks of a page that are meant to be on the paper, in a small picture of it.
///
/// A mark is a connected group of pixels that differ from the page's ground, which is the usual color along its edge. A
/// group that reaches the edge runs off the page, as a photo or a colored ground does, and nobody misses its outermost
/// part; a group that is smaller than a millimeter is dust.
struct PageMarks {
  /// A group's extent in pixels, all inclusive.
  private struct Group {
    var (left, right, top, bottom): (Int, Int, Int, Int)
    /// The group that this one belongs to; its own number if it is the first.
    var head: Int

    mutating func join(_ other: Group) {
      left = min(left, other.left)
      right = max(right, other.right)
      top = min(top, other.top)
      bottom = max(bottom, other.bottom)
    }
  }

  private typealias Run = (start: Int, end: Int, group: Int)

  private var groups: [Group] = []
  private let (width, height): (Int, Int)

  /// Smallest difference of a color from the ground, of 255: that of pale gray, and of thin letters in a small picture.
  private static let leastContrast = 24

  /// - `canvas`: the page, no larger than a screen, white where it has no ink.
  init(_ canvas: Canvas) {
    (width, height) = (canvas.width, canvas.height)
    canvas.withPixels { bytes in
      let pixels = bytes.bindMemory(to: UInt32.self)
      let ground = self.ground(pixels)
      var above: [Run] = []
      for row in 0..<height {
        var runs: [Run] = []
        var next = 0
        let line = UnsafeBufferPointer(rebasing: pixels[row * width..<(row + 1) * width])
        var column = 0
        while let start = line[column...].firstIndex(where: { PageMarks.differs($0, ground) }) {
          let end = line[start...].firstIndex { !PageMarks.differs($0, ground) } ?? width
          runs.append((start, end, add(start..<end, row)))
          column = end
        }
        for run in runs {
          // Runs that end before this one can't touch the next, either.
          while next < above.count, above[next].end < run.start { next += 1 }
          var other = next
          while other < above.count, above[other].start <= run.end {
            join(above[other].group, run.group)
            other += 1
          }
        }
        above = runs
      }
    }
  }

  /// The area of all marks in points, if `scale` pixels are a point; nil without marks.
  func extent(scale: Double) -> Rectangle? {
    let least = max(2, Int((scale * 72 / 25.4).rounded()))
    let marks = groups.indices.filter { groups[$0].head == $0 }.map { groups[$0] }.filter { group in
      let size = max(group.right - group.left, group.bottom - group.top) + 1
      return size >= least && group.left > 0 && group.top > 0 && group.right < width - 1
        && group.bottom < height - 1
    }
    guard var all = marks.first else { return nil }
    for mark in marks { all.join(mark) }
    return Rectangle(
      x: Double(all.left) / scale, y: Double(all.top) / scale,
      width: Double(all.right - all.left + 1) / scale,
      height: Double(all.bottom - all.top + 1) / scale)
  }

  /// The most frequent color along the page's edge.
  private func ground(_ pixels: UnsafeBufferPointer<UInt32>) -> UInt32 {
    var counts: [UInt32: Int] = [:]
    for column in 0..<width {
      counts[pixels[column] & 0xFF_FFFF, default: 0] += 1
      counts[pixels[(height - 1) * width + column] & 0xFF_FFFF, default: 0] += 1
    }
    for row in 0..<height {
      counts[pixels[row * width] & 0xFF_FFFF, default: 0] += 1
      counts[pixels[(row + 1) * width - 1] & 0xFF_FFFF, default: 0] += 1
    }
    return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0xFF_FFFF
  }

  private static func differs(_ pixel: UInt32, _ ground: UInt32) -> Bool {
    if pixel & 0xFF_FFFF == ground { return false }
    func difference(_ shift: UInt32) -> Int {
      abs(Int(pixel >> shift & 0xFF) - Int(ground >> shift & 0xFF))
    }
    return max(difference(0), difference(8), difference(16)) >= leastContrast
  }

  private mutating func add(_ columns: Range<Int>, _ row: Int) -> Int {
    groups.append(
      Group(
        left: columns.lowerBound, right: columns.upperBound - 1, top: row, bottom: row,
        head: groups.count))
    return groups.count - 1
  }

  private mutating func head(of group: Int) -> Int {
    var head = group
    while groups[head].head != head {
      groups[head].head = groups[groups[head].head].head
      head = groups[head].head
    }
    return head
  }

  private mutating func join(_ one: Int, _ other: Int) {
    let (first, second) = (head(of: one), head(of: other))
    guard first != second else { return }
    groups[max(first, second)].head = min(first, second)
    groups[min(first, second)].join(groups[max(first, second)])
  }
}
