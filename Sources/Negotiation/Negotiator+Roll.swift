internal import PrintModel
internal import Layout
internal import PrintOptions

extension Negotiator {
  /// Returns the roll at the length that the job needs: to the end of the content of its longest page, within what the
  /// printer can cut.
  mutating func cut(_ ticket: Ticket) throws(Failure) -> Paper {
    var paper = ticket.paper
    let layout = SheetLayout(ticket)
    let wanted =
      request.cutLength == .max
      ? paper.cuts?.upperBound
      : ticket.pages.map { layout.contentLength(of: document.pages[$0]) }.max()
    paper.size.length = RollScale.cut(wanted ?? paper.size.length, on: paper)
    because("cut: \(paper.size.length.inMillimeters) of the \(paper.title)")
    try checkCut(of: paper, layout, ticket.pages)
    return paper
  }

  /// Returns the roll with `--cut-length` as its only cut, by which text is laid out in pieces, as for `--paper
  /// 80x60mm`; any other paper unchanged.
  mutating func cutAsAsked(_ paper: Paper) throws(Failure) -> Paper {
    guard paper.isRoll, case .length(let asked) = request.cutLength else { return paper }
    var cut = paper
    cut.size.length = RollScale.cut(asked, on: paper)
    cut.cuts = cut.size.length...cut.size.length
    if let cuts = paper.cuts, !cuts.contains(asked) {
      try replaced(
        .cutLength,
        "\(printer) can't cut at \(asked.inMillimeters) (\(cuts.lowerBound.inMillimeters) to "
          + "\(cuts.upperBound.inMillimeters)); using \(cut.size.length.inMillimeters)")
    }
    return cut
  }

  /// Reports the longest content that was measured if it ends beyond the cut.
  private mutating func checkCut(
    of paper: Paper, _ layout: SheetLayout, _ pages: [Int]
  ) throws(Failure) {
    let lengths = pages.filter { document.pages[$0].contentHeight != nil }
      .map { (page: $0 + 1, length: layout.markedLength(of: document.pages[$0])) }
    let cut = paper.size.length
    // Less than half a millimeter is rounding.
    guard let longest = lengths.max(by: { $0.length < $1.length }), longest.length > cut + 50
    else { return }
    let isTheirs = paper.cuts.map { $0.lowerBound < $0.upperBound } ?? true
    let isCutLength = request.cutLength != .auto && paper.cuts == cut...cut
    let limit =
      isTheirs
      ? "\(printer) cuts at most \(cut.inMillimeters)"
      : "the paper is cut at \(cut.inMillimeters)\(askedFor(isCutLength ? .cutLength : .paper))"
    try lose(
      Loss(
        .beyondCut, page: longest.page, edge: .bottom, beyond: longest.length - cut,
        "The content is \(longest.length.inMillimeters) long; \(limit), and the rest is lost."
          + (isCutLength ? " --cut-length auto keeps all of it." : "")))
  }

  /// Returns the scale that a picture has on the usual sheet, for one that would become a poster that nobody requested.
  mutating func largestScale(_ type: JobType, _ paper: Paper) -> Double? {
    guard isPoster(paper, type), request.scaling == nil, let page = document.pages.first else {
      return nil
    }
    let sheet = Paper(name: "", size: usualSheet, margins: .zero, isReady: false)
    let filling = type == .photo ? "--type photo" : "--scaling fit"
    because("scaling: as large as on \(MediaName.title(of: sheet.size)); \(filling) fills the roll")
    return PageFit.scale(page.size.media, on: sheet)
  }

  /// Returns true if a cut can follow the size of the document's pages, as for labels and posters; receipts end with
  /// their content.
  func statesLength(_ type: JobType) -> Bool {
    guard !document.reflows, ![.receipt, .roll].contains(type), !isReceiptPage else {
      return false
    }
    return document.image != nil || document.mediaType == DocumentFormat.pdf
      || document.mediaType == DocumentFormat.svg
  }

  /// True for a page that a till's program made for its own roll, unless the user calls it a label: most of it is
  /// blank.
  private var isReceiptPage: Bool {
    guard request.type == nil, document.image == nil, let page = document.pages.first else {
      return false
    }
    let sheet = Paper(name: "", size: page.size.media, margins: .zero, isReady: false)
    // 62 mm is the label roll of Brother's printers, whose pages have their stated length.
    return sheet.isReceiptSheet && !(6_000...6_400).contains(sheet.size.width)
  }

  /// Returns finishings that cut, if the printer supports them (PWG 5100.1: 60 after every page, 61 document, 62 copy,
  /// 63 job, 11 when the printer chooses).
  func trimming(_ ticket: Ticket) -> [Attribute] {
    guard ticket.paper.isRoll else { return [] }
    let isOnePage = ticket.pages.count * ticket.copies == 1
    let wanted = isOnePage ? [60, 63, 61, 62, 11] : [60]
    guard let trim = wanted.first(where: capabilities.finishings.contains) else { return [] }
    return [Attribute("finishings", .enumeration(trim))]
  }
}
