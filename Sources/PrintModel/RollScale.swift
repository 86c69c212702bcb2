/// How a page meets a roll, and where the roll is cut for it.
package enum RollScale {
  /// A page made for this roll: as wide as the roll itself, margins and all, within 1.76 mm.
  package static func isMade(_ page: PageSize, for paper: Paper) -> Bool {
    abs(page.media.width - paper.size.width) <= MediaSize.close
  }

  /// `none` and pages made for the roll stay at 100 %; `fit` and `fill` go to the printable width; the
  /// rest only shrinks to it. Pages are not turned: a receipt's lines run across the roll.
  package static func scale(of page: PageSize, on paper: Paper, scaling: Scaling) -> Double {
    if scaling == .none || isMade(page, for: paper) { return 1 }
    let across = paper.printableRect.width / page.width
    return scaling == .fit || scaling == .fill ? across : min(1, across)
  }

  /// The length that a page's content needs on a roll, both margins included, before the printer's
  /// limits (UIKit's cutLengthForPaper).
  package static func contentLength(
    of page: DocumentInfo.Page, on paper: Paper, scale: Double
  ) -> Hundredths {
    let content = min(page.contentHeight ?? page.size.height, page.size.height)
    // A page made for this roll brings its own top margin; any other starts below the printer's.
    let top = isMade(page.size, for: paper) ? 0 : paper.margins.top
    return Hundredths(points: content * scale) + top + paper.margins.bottom
  }

  /// A length that the printer can cut: up to the next millimetre, which is as fine as cutters go,
  /// within its range.
  package static func cut(_ length: Hundredths, on paper: Paper) -> Hundredths {
    let cuts = paper.cuts ?? paper.size.length...paper.size.length
    return min(max((length + 99) / 100 * 100, cuts.lowerBound), cuts.upperBound)
  }
}
