// Pixels: pages with landmarks are printed, rendered and previewed, and the tests look for them on the output sheets.
// Their expected positions are calculated here from the standards, not by airprint's layout code.

import Testing

/// A mark that shows a page's position, orientation or number.
enum Landmark: Int, CaseIterable {
  /// Squares in the page's corners, which touch both edges.
  case topLeft, topRight, bottomLeft, bottomRight
  /// A bar a third down the page, ten points wide per page number.
  case number

  fileprivate static let side = 24.0
  fileprivate static let unit = 10.0
  fileprivate static let thickness = 8.0

  fileprivate var color: String {
    switch self {
    case .topLeft: "1 0 0 rg"
    case .topRight: "0 1 0 rg"
    case .bottomLeft: "0 0 1 rg"
    case .bottomRight: "0 0 0 rg"
    case .number: "1 0 1 rg"
    }
  }

  /// The landmark with a pixel's color, by which of red, green and blue are mostly present.
  fileprivate init?(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    switch (red >= 128, green >= 128, blue >= 128) {
    case (true, false, false): self = .topLeft
    case (false, true, false): self = .topRight
    case (false, false, true): self = .bottomLeft
    case (false, false, false): self = .bottomRight
    case (true, false, true): self = .number
    default: return nil
    }
  }

  /// Returns its area on a page of this size, in points from the top left.
  fileprivate func area(on page: PageShape, number: Int) -> Area {
    let (side, width, height) = (Landmark.side, page.width, page.height)
    return switch self {
    case .topLeft: Area(0, 0, side, side)
    case .topRight: Area(width - side, 0, side, side)
    case .bottomLeft: Area(0, height - side, side, side)
    case .bottomRight: Area(width - side, height - side, side, side)
    case .number: Area(30, height / 3, Landmark.unit * Double(number), Landmark.thickness)
    }
  }
}

/// A page's width and height, in points.
struct PageShape: Sendable {
  var width: Double
  var height: Double

  init(_ width: Double, _ height: Double) {
    self.width = width
    self.height = height
  }

  static let a5 = PageShape(419.528, 595.276)

  var turned: PageShape { PageShape(height, width) }

  /// Returns a PDF with this many pages of this shape, each with its landmarks.
  func landmarks(pages: Int = 1) -> [UInt8] {
    PDF(pages: (1...pages).map(page)).bytes
  }

  func page(_ number: Int) -> PDF.Page {
    PDF.Page(
      width: width, height: height,
      marks: Landmark.allCases.map { landmark in
        let area = landmark.area(on: self, number: number)
        return PDF.Mark(
          x: area.left, y: area.top, width: area.width, height: area.height,
          color: landmark.color)
      })
  }
}

/// The edge of a sheet that a page's top is on.
enum Lie: Sendable {
  case upright
  /// Turned counter-clockwise: orientation-requested 4, landscape.
  case topAtLeft
  /// Turned clockwise: orientation-requested 5, reverse-landscape.
  case topAtRight
  /// Upside down: orientation-requested 6, reverse-portrait.
  case topAtBottom

  /// Converts an area of a page to the sheet, where the page covers `whole`.
  fileprivate func place(_ area: Area, scale: Double, in whole: Area) -> Area {
    let (x, y) = (area.left * scale, area.top * scale)
    let (width, height) = (area.width * scale, area.height * scale)
    return switch self {
    case .upright: Area(whole.left + x, whole.top + y, width, height)
    case .topAtLeft: Area(whole.left + y, whole.bottom - x - width, height, width)
    case .topAtRight: Area(whole.right - y - height, whole.top + x, height, width)
    case .topAtBottom: Area(whole.right - x - width, whole.bottom - y - height, width, height)
    }
  }
}

/// A rectangle on a sheet, in points from its top left.
struct Area: Equatable, Sendable, CustomStringConvertible {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  init(_ left: Double, _ top: Double, _ width: Double, _ height: Double) {
    (self.left, self.top, self.right, self.bottom) = (left, top, left + width, top + height)
  }

  var width: Double { right - left }
  var height: Double { bottom - top }

  /// Returns a rectangle of this size, centered in this one.
  func centred(_ width: Double, _ height: Double) -> Area {
    Area(
      left + (self.width - width) / 2, top + (self.height - height) / 2, width, height)
  }

  /// Returns the intersection with another area; nil if it is less than a point wide or high.
  func clipped(to other: Area) -> Area? {
    var area = self
    area.left = max(left, other.left)
    area.top = max(top, other.top)
    area.right = min(right, other.right)
    area.bottom = min(bottom, other.bottom)
    return area.width >= 1 && area.height >= 1 ? area : nil
  }

  /// Return the area mirrored left to right, and top to bottom.
  func mirrored(in width: Double) -> Area { Area(width - right, top, self.width, height) }
  func flipped(in height: Double) -> Area { Area(left, height - bottom, width, self.height) }

  func isWithin(_ tolerance: Double, of other: Area) -> Bool {
    [left - other.left, top - other.top, right - other.right, bottom - other.bottom]
      .allSatisfy { abs($0) <= tolerance }
  }

  var description: String {
    let tenths = [left, top, width, height].map { "\(($0 * 10).rounded() / 10)" }
    return "(\(tenths.joined(separator: ", ")))"
  }
}

// MARK: - Looking

extension Sheet {
  /// The size in points, from its pixels.
  var whole: Area {
    Area(0, 0, Double(width) * pixel, Double(height) * pixel)
  }

  /// The size of a pixel in points.
  var pixel: Double { 72 / Double(resolution) }

  /// Returns the bounding rectangles of each landmark's color.
  ///
  /// - `window`: limits the search.
  func landmarks(in window: Area? = nil) -> [Landmark: Area] {
    let window = window ?? whole
    let columns = clamped(window.left, window.right, to: width)
    let rows = clamped(window.top, window.bottom, to: height)
    var boxes = [(left: Int, top: Int, right: Int, bottom: Int)?](
      repeating: nil, count: Landmark.allCases.count)
    guard bytesPerPixel == 3 else { return [:] }
    marked(rows: rows) { y, row in
      var x = columns.lowerBound - 1
      while x + 1 < columns.upperBound {
        x += 1
        let dot = row + 3 * x
        guard dot[0] & dot[1] & dot[2] != 255,
          let landmark = Landmark(dot[0], dot[1], dot[2])
        else { continue }
        let box = boxes[landmark.rawValue] ?? (x, y, x, y)
        boxes[landmark.rawValue] = (
          min(box.left, x), min(box.top, y), max(box.right, x), max(box.bottom, y)
        )
      }
    }
    var areas: [Landmark: Area] = [:]
    for landmark in Landmark.allCases {
      guard let box = boxes[landmark.rawValue] else { continue }
      areas[landmark] = Area(
        Double(box.left) * pixel, Double(box.top) * pixel,
        Double(box.right + 1 - box.left) * pixel, Double(box.bottom + 1 - box.top) * pixel)
    }
    return areas
  }

  private func clamped(_ start: Double, _ end: Double, to limit: Int) -> Range<Int> {
    let first = max(0, min(limit, Int((start / pixel).rounded(.down))))
    return first..<max(first, min(limit, Int((end / pixel).rounded(.up))))
  }

  /// Checks that a page with landmarks is in its place, each landmark within this many pixels.
  ///
  /// - `area`: the place of the whole page; parts beyond the sheet's edge can't be seen.
  /// - `window`: the part of the sheet that belongs to the page.
  /// - `view`: converts from the sheet as sent to the sheet as read.
  func expect(
    _ number: Int, of page: PageShape, at area: Area, _ lie: Lie = .upright,
    in window: Area? = nil, seen view: (Area) -> Area = { $0 }, pixels tolerance: Double = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isAcross = [.topAtLeft, .topAtRight].contains(lie)
    let scale = (isAcross ? area.height : area.width) / page.width
    let found = landmarks(in: window)
    for landmark in Landmark.allCases {
      let place = lie.place(landmark.area(on: page, number: number), scale: scale, in: area)
      let expected = place.clipped(to: whole)
      let seen = found[landmark].map(view)
      let isRight =
        if let expected, let seen { seen.isWithin(pixel * tolerance + 0.01, of: expected) } else {
          expected == nil && seen == nil
        }
      #expect(
        isRight,
        """
        \(landmark) of page \(number): \(seen.map(\.description) ?? "nowhere") instead of \
        \(expected.map(\.description) ?? "nowhere")
        """, sourceLocation: sourceLocation)
    }
  }

  /// Returns the number of the page whose number bar is in `window`, at some scale.
  func number(scale: Double = 1, in window: Area? = nil) -> Int? {
    landmarks(in: window)[.number].map {
      Int((max($0.width, $0.height) / (Landmark.unit * scale)).rounded())
    }
  }
}
