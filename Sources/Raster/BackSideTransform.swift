package import PrintModel

/// Orientation of a page's pixels relative to the paper, left to right and top to bottom as they are sent.
///
/// Front sides are always `.none`. A printer reports the orientation of back sides that it requires (`SheetBack`): with
/// URF, and with PWG if the header states the same, the sender turns the pixels.
package enum BackSideTransform: Sendable, CaseIterable {
  case none
  /// Rotated by 180°.
  case rotated
  /// Top and bottom are swapped.
  case flipped
  /// Left and right are swapped.
  case mirrored

  /// CrossFeedTransform (PWG 5102.4 table 9), 1 or -1 (lines run from right to left).
  package var crossFeed: Int { self == .rotated || self == .mirrored ? -1 : 1 }

  /// FeedTransform (PWG 5102.4 table 9), 1 or -1 (the last line comes first).
  package var feed: Int { self == .rotated || self == .flipped ? -1 : 1 }

  /// Creates the transform with these numbers, or `.none` if they are neither 1 nor -1 (0: not stated).
  init(crossFeed: Int, feed: Int) {
    self =
      BackSideTransform.allCases.first { $0.crossFeed == crossFeed && $0.feed == feed } ?? .none
  }

  /// The transform of a back side (PWG 5102.4 table 9; URF's DM1 to DM4 mean the same four: cups#1200).
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
