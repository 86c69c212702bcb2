// Pixels: pages with landmarks are printed, rendered and previewed, and looked for on the sheets that
// come out. Where they must be is worked out here from the standards' words, not by airprint's layout.

import Glibc
import Testing

/// What tells where a page lies, which way up, and which one it is.
enum Landmark: Int, CaseIterable {
  /// Squares in the page's corners, which touch both edges.
  case topLeft, topRight, bottomLeft, bottomRight
  /// A bar a third down the page, ten points wide for each page before it and for itself.
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

  /// The landmark of a pixel's color, by which of red, green and blue are mostly there.
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

  /// On a page of this size, in points from its top left.
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

  /// A PDF of so many pages of this shape, each with its landmarks.
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

/// Which edge of a sheet the top of a page lies along.
enum Lie: Sendable {
  case upright
  /// Turned counter-clockwise: orientation-requested 4, landscape.
  case topAtLeft
  /// Turned clockwise: orientation-requested 5, reverse-landscape.
  case topAtRight

  /// From a page of which `whole` is the place on the sheet to the sheet.
  fileprivate func place(_ area: Area, scale: Double, in whole: Area) -> Area {
    let (x, y) = (area.left * scale, area.top * scale)
    let (width, height) = (area.width * scale, area.height * scale)
    return switch self {
    case .upright: Area(whole.left + x, whole.top + y, width, height)
    case .topAtLeft: Area(whole.left + y, whole.bottom - x - width, height, width)
    case .topAtRight: Area(whole.right - y - height, whole.top + x, height, width)
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

  /// A rectangle in the middle of this one.
  func centred(_ width: Double, _ height: Double) -> Area {
    Area(
      left + (self.width - width) / 2, top + (self.height - height) / 2, width, height)
  }

  /// nil when less than a point of it is left.
  func clipped(to other: Area) -> Area? {
    var area = self
    area.left = max(left, other.left)
    area.top = max(top, other.top)
    area.right = min(right, other.right)
    area.bottom = min(bottom, other.bottom)
    return area.width >= 1 && area.height >= 1 ? area : nil
  }

  /// Seen in a mirror beside it, and in a mirror above it.
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
  /// Its size in points, as its pixels have it.
  var whole: Area {
    Area(0, 0, Double(width) * pixel, Double(height) * pixel)
  }

  /// How many points a pixel is.
  var pixel: Double { 72 / Double(resolution) }

  /// The rectangles around all pixels of each landmark's color.
  ///
  /// - `window`: only what is in here is looked at.
  func landmarks(in window: Area? = nil) -> [Landmark: Area] {
    let window = window ?? whole
    let columns = clamped(window.left, window.right, to: width)
    let rows = clamped(window.top, window.bottom, to: height)
    var boxes = [(left: Int, top: Int, right: Int, bottom: Int)?](
      repeating: nil, count: Landmark.allCases.count)
    let line = width * bytesPerPixel
    let white = [UInt8](repeating: 255, count: line)
    guard bytesPerPixel == 3 else { return [:] }
    pixels.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      for y in rows {
        let row = base + y * line
        guard memcmp(row, white, line) != 0 else { continue }
        for x in columns {
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

  /// Checks that a page with landmarks lies where it is to lie, each landmark to so many pixels.
  ///
  /// - `area`: where the whole page lies; what is beyond the sheet's edge can't be seen.
  /// - `window`: the part of the sheet that belongs to the page.
  /// - `view`: from the sheet as it is sent to the sheet as its reader sees it.
  func expect(
    _ number: Int, of page: PageShape, at area: Area, _ lie: Lie = .upright,
    in window: Area? = nil, seen view: (Area) -> Area = { $0 }, pixels tolerance: Double = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let scale = (lie == .upright ? area.width : area.height) / page.width
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

  /// The number of the page whose number bar is in `window`, at some scale.
  func number(scale: Double = 1, in window: Area? = nil) -> Int? {
    landmarks(in: window)[.number].map {
      Int((max($0.width, $0.height) / (Landmark.unit * scale)).rounded())
    }
  }
}
