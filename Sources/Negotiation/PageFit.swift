internal import PrintModel

/// Fit of a page of a certain size on a medium; smaller values are better.
enum PageFit: Int, Comparable {
  case exact
  /// Within 1.76 mm: the A4 of a PDF is rarely exact to the hundredth.
  case close
  case rotatedExact
  case rotatedClose
  /// A4 for Letter or Letter for A4: offices commonly print one on the other, slightly shrunk.
  case officeSheet
  /// A sheet slightly larger than the page, as F4 and Legal are for A4: margins may shrink the page a little.
  case nearSheet
  /// A roll that holds the page with little waste at the side.
  case roll
  /// A larger sheet: the page stays at 100 %.
  case larger
  /// A roll much wider than the page.
  case wideRoll
  /// A roll narrower than the page: the page is shrunk to it.
  case narrowRoll
  /// A smaller sheet: the page is shrunk.
  case smaller

  static func < (left: PageFit, right: PageFit) -> Bool { left.rawValue < right.rawValue }

  var isSameSize: Bool { self <= .rotatedClose }

  init(_ page: MediaSize, on paper: Paper) {
    let sheet = paper.size
    if paper.isRoll {
      let across = page.width <= sheet.width + MediaSize.near
      let wasted = (sheet.width - page.width) / sheet.width
      self = !across ? .narrowRoll : wasted < 0.1 ? .roll : .wideRoll
    } else if sheet.matches(page) {
      self = .exact
    } else if sheet.matches(page, within: MediaSize.close) {
      self = .close
    } else if sheet.matches(page.rotated) {
      self = .rotatedExact
    } else if sheet.matches(page.rotated, within: MediaSize.close) {
      self = .rotatedClose
    } else if page.isOfficeSheet && sheet.isOfficeSheet {
      self = .officeSheet
    } else if PageFit.isNear(page, sheet) {
      self = .nearSheet
    } else {
      // A page has its own margins: the printer's are no reason for a larger sheet.
      self = PageFit.holds(page, paper) ? .larger : .smaller
    }
  }

  /// Returns true if a sheet holds a page, ignoring margins, and is at most a third larger; for A4 and Letter, which
  /// are printed on each other, also if it is a twentieth too small.
  private static func isNear(_ page: MediaSize, _ sheet: MediaSize) -> Bool {
    let least = page.isOfficeSheet ? 0.95 : 1 - slack(page)
    return scale(page, onAll: sheet) >= least && sheet.area <= page.area * 4 / 3
  }

  /// Returns true if a page fits on a sheet, ignoring margins.
  static func holds(_ page: MediaSize, _ paper: Paper) -> Bool {
    scale(page, onAll: paper.size) >= 1 - slack(page)
  }

  private static func slack(_ page: MediaSize) -> Double {
    Double(MediaSize.close.count) / Double(max(1, min(page.width, page.length).count))
  }

  private static func scale(_ page: MediaSize, onAll sheet: MediaSize) -> Double {
    scale(page, on: Paper(name: "", size: sheet, margins: .zero, isReady: false))
  }

  /// Returns the scale at which a page fits into a sheet's printable area, the better way round; above 1 there is room
  /// to spare.
  static func scale(_ page: MediaSize, on paper: Paper) -> Double {
    let width = paper.size.width - paper.margins.left - paper.margins.right
    if paper.isRoll { return width / max(1, page.width) }
    let length = paper.size.length - paper.margins.top - paper.margins.bottom
    let upright = min(width / max(1, page.width), length / max(1, page.length))
    let turned = min(width / max(1, page.length), length / max(1, page.width))
    return max(upright, turned)
  }

  /// Returns the share of its size that a page keeps on a medium, ignoring margins; at most 1.
  static func kept(of page: MediaSize, on paper: Paper) -> Double {
    guard PageFit(page, on: paper) == .smaller else { return 1 }
    var sheet = paper
    sheet.margins = .zero
    return min(1, scale(page, on: sheet))
  }

  /// Returns the difference between the shapes, the better way round: 0 for the same aspect ratio.
  static func shapeDistance(_ page: MediaSize, _ sheet: MediaSize) -> Double {
    func shape(_ size: MediaSize) -> Double {
      max(size.width, size.length) / max(1, min(size.width, size.length))
    }
    let ratio = shape(page) / shape(sheet)
    return max(ratio, 1 / ratio) - 1
  }
}
