/// Scaling of a page to a roll, and where the roll is cut for it.
package enum RollScale {
  /// A page made for this roll: as wide as the roll itself, margins and all, within 1.76 mm.
  package static func isMade(_ page: PageSize, for paper: Paper) -> Bool {
    page.media.width.distance(to: paper.size.width) <= MediaSize.close
  }

  /// True when a page's width lies along the roll, so that it looks turned to who holds the roll upright: where
  /// that is asked for, and where a page is wider than the roll and lies better along it.
  ///
  /// A receipt's lines run across.
  package static func isTurned(
    _ page: MediaSize, on paper: Paper, for type: JobType,
    _ orientation: PrintRequest.OrientationOption
  ) -> Bool {
    switch orientation {
    case .landscape: true
    case .portrait: false
    case .auto:
      ![.receipt, .roll].contains(type) && page.length < page.width
        && page.width > paper.size.width + MediaSize.close && isCutBehind(page, on: paper)
    }
  }

  /// True when a page that lies along a roll ends before the longest cut.
  private static func isCutBehind(_ page: MediaSize, on paper: Paper) -> Bool {
    let scale = min(1, paper.size.width / max(1, page.length))
    return page.width.points * scale
      <= (paper.cuts?.upperBound ?? paper.size.length).points + MediaSize.close.points
  }

  /// A length that the printer can cut: up to the next millimeter, which is as fine as cutters go,
  /// within its range.
  package static func cut(_ length: Hundredths, on paper: Paper) -> Hundredths {
    let cuts = paper.cuts ?? paper.size.length...paper.size.length
    return min(max((length + 99) / 100 * 100, cuts.lowerBound), cuts.upperBound)
  }
}
