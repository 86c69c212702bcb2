internal import PrintModel
internal import Layout
internal import PrintOptions

extension Negotiator {
  /// Returns the roll at the length that the job needs: to the end of the content of its longest page, within what the
  /// printer can cut.
  mutating func cut(_ ticket: Ticket) throws(Failure) -> Paper {
    var paper = ticket.paper
    let wanted: Hundredths
    switch request.cutLength {
    case .max: wanted = paper.cuts?.upperBound ?? paper.size.length
    case .length(let length): wanted = length
    case .auto: wanted = longestContent(ticket)
    }
    paper.size.length = RollScale.cut(wanted, on: ticket.paper)
    because("cut: \(paper.size.length.inMillimeters) of the \(paper.title)")
    if case .length = request.cutLength, let cuts = paper.cuts, !cuts.contains(wanted) {
      try replaced(
        .cutLength,
        "\(printer) can't cut at \(wanted.inMillimeters) (\(cuts.lowerBound.inMillimeters) to "
          + "\(cuts.upperBound.inMillimeters)); using \(paper.size.length.inMillimeters)")
    } else if wanted > paper.size.length {
      let length = paper.size.length.inMillimeters
      let isTheirs = paper.cuts.map { $0.lowerBound < $0.upperBound } ?? true
      warn(
        "The content is \(wanted.inMillimeters) long; "
          + (isTheirs
            ? "\(printer) cuts at most \(length)"
            : "the paper is cut at \(length)\(askedFor(.paper))")
          + ", and the rest is lost.")
    }
    return paper
  }

  /// Returns the scale that a picture has on the usual sheet, for one that would become a poster that nobody requested.
  mutating func largestScale(_ rules: TypeRules, _ paper: Paper) -> Double? {
    guard isPoster(paper, rules), request.scaling == nil, let page = document.pages.first else {
      return nil
    }
    let sheet = Paper(name: "", size: usualSheet, margins: .zero, isReady: false)
    let filling = rules.type == .photo ? "--type photo" : "--scaling fit"
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

  private mutating func longestContent(_ ticket: Ticket) -> Hundredths {
    let layout = SheetLayout(ticket)
    let lengths = ticket.pages.map { layout.contentLength(of: document.pages[$0]) }
    return lengths.max() ?? ticket.paper.size.length
  }

  /// Returns finishings that cut, if the printer supports them (PWG 5100.1: 60 after every page, 61 document, 62 copy,
  /// 63 job).
  func trimming(_ ticket: Ticket) -> [Attribute] {
    guard ticket.paper.isRoll else { return [] }
    let isOnePage = ticket.pages.count * ticket.copies == 1
    let wanted = isOnePage ? [60, 63, 61, 62] : [60]
    guard let trim = wanted.first(where: capabilities.finishings.contains) else { return [] }
    return [Attribute("finishings", .enumeration(trim))]
  }
}
