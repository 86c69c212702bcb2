internal import PrintModel

extension Negotiator {
  /// The roll with its length cut: where the content ends, within what the printer can cut.
  ///
  /// UIKit asks the app for the same (cutLengthForPaper): a length that includes both margins.
  mutating func cut(_ ticket: Ticket) -> Paper {
    var paper = ticket.paper
    let cuts = paper.cuts ?? paper.size.length...paper.size.length
    let wanted: Hundredths
    switch request.cutLength {
    case .max: wanted = cuts.upperBound
    case .length(let length): wanted = length
    case .auto: wanted = contentLength(ticket)
    }
    // Up to the next millimetre: cutters have no finer step.
    paper.size.length = min(max((wanted + 99) / 100 * 100, cuts.lowerBound), cuts.upperBound)
    because("cut: \(paper.size.length.inMillimetres) of the \(paper.title)")
    if wanted > cuts.upperBound {
      because("cut: the content is longer (\(wanted.inMillimetres)); the rest is lost or shrunk")
    }
    return paper
  }

  /// The longest of the printed pages on this roll, with both margins.
  private mutating func contentLength(_ ticket: Ticket) -> Hundredths {
    let paper = ticket.paper
    let lengths = ticket.pages.map { index -> Hundredths in
      let page = document.pages[index]
      let scale = RollScale.scale(of: page.size, on: paper, scaling: ticket.scaling)
      let content = min(page.contentHeight ?? page.size.height, page.size.height)
      let length = Hundredths(points: content * scale)
      // A page made for this roll brings its own top margin; any other starts below the printer's.
      let isWholeSheet = RollScale.isMade(page.size, for: paper)
      return length + (isWholeSheet ? 0 : paper.margins.top) + paper.margins.bottom
    }
    if let page = ticket.pages.first.map({ document.pages[$0].size }) {
      let percent = (RollScale.scale(of: page, on: paper, scaling: ticket.scaling) * 100).rounded()
      because("scaling: \(Int(percent)) % on the \(paper.title)")
    }
    return lengths.max() ?? paper.size.length
  }
}
