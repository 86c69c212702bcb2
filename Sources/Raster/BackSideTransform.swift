package import PrintModel

/// Orientation of a page's pixels against the paper, left to right and top to bottom as they are
/// sent.
///
/// Front sides are always `.none`. A printer reports how it wants back sides (`SheetBack`): with URF, and
/// with PWG if the header has the same, the sender turns the pixels.
package enum BackSideTransform: Sendable, CaseIterable {
  case none
  /// Rotated by 180°.
  case rotated
  /// Top and bottom change places.
  case flipped
  /// Left and right change places.
  case mirrored

  /// PWG 5102.4 table 9: CrossFeedTransform, 1 or -1 (the lines run the other way).
  package var crossFeed: Int {
    switch self {
    case .none, .flipped: 1
    case .rotated, .mirrored: -1
    }
  }

  /// PWG 5102.4 table 9: FeedTransform, 1 or -1 (the last line comes first).
  package var feed: Int {
    switch self {
    case .none, .mirrored: 1
    case .rotated, .flipped: -1
    }
  }

  /// The one with these transforms, `.none` for numbers that are neither 1 nor -1 (0: not stated).
  init(crossFeed: Int, feed: Int) {
    self =
      BackSideTransform.allCases.first { $0.crossFeed == crossFeed && $0.feed == feed } ?? .none
  }

  /// Transform by which a back side is turned (PWG 5102.4 table 9; URF's DM1 to DM4 mean the same
  /// four: cups#1200).
  package static func back(of sheet: SheetBack, sides: Sides) -> BackSideTransform {
    switch (sheet, sides) {
    case (_, .oneSided), (.normal, _): .none
    case (.flipped, .longEdge): .flipped
    case (.flipped, .shortEdge): .mirrored
    case (.rotated, .longEdge): .rotated
    case (.rotated, .shortEdge): .none
    case (.manualTumble, .longEdge): .none
    case (.manualTumble, .shortEdge): .rotated
    }
  }
}
