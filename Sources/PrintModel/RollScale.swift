/// Scaling of pages to a roll, and the lengths of its cuts.
package enum RollScale {
  /// Returns true for a page made for this roll: as wide as the whole roll, including margins, within 1.76 mm.
  package static func isMade(_ page: PageSize, for paper: Paper) -> Bool {
    page.media.width.distance(to: paper.size.width) <= MediaSize.close
  }

  /// Returns true if a page's width lies along the roll, so that it looks turned when the roll is held upright.
  ///
  /// That is on request, or if a page is wider than the roll and fits better along it. A receipt's lines run across.
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

  /// Returns true if a page that lies along a roll ends before the longest cut.
  private static func isCutBehind(_ page: MediaSize, on paper: Paper) -> Bool {
    let scale = min(1, paper.size.width / max(1, page.length))
    return page.width.points * scale
      <= (paper.cuts?.upperBound ?? paper.size.length).points + MediaSize.close.points
  }

  /// Returns a length that the printer can cut: rounded up to a millimeter, the precision of cutters, and within its
  /// range.
  package static func cut(_ length: Hundredths, on paper: Paper) -> Hundredths {
    let cuts = paper.cuts ?? paper.size.length...paper.size.length
    return min(max((length + 99) / 100 * 100, cuts.lowerBound), cuts.upperBound)
  }
}
