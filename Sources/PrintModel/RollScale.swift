/// How a page meets a roll, whose length is still to be cut.
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
}
