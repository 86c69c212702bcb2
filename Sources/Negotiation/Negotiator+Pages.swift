internal import PrintModel

extension Negotiator {
  /// Returns the indices of the requested pages in ascending order.
  ///
  /// Exit 64 if none is left.
  func askedPages() throws(Failure) -> [Int] {
    let pages =
      try request.pages?.indices(of: document.pages.count, labels: document.pageLabels)
      ?? Array(document.pages.indices)
    return request.numberUp == 1 ? try pagesOfSet(pages) : pages
  }

  private func pagesOfSet(_ pages: [Int]) throws(Failure) -> [Int] {
    let chosen = pages.filter(request.pageSet.contains)
    guard !chosen.isEmpty else { throw noPages }
    return chosen
  }

  private var noPages: Failure {
    let set = request.pageSet.rawValue
    return .usage("--\(set): there are no \(set) pages to print.")
  }

  /// Chooses the sides to print, the reverse order, or the order of a booklet.
  ///
  /// Exit 64 if no side is left, and for a booklet whose back sides the printer would print on separate sheets.
  mutating func chooseOrder(_ ticket: inout Ticket) throws(Failure) {
    if request.pageSet != .all {
      if ticket.numberUp > 1 {
        ticket.sideSet = request.pageSet
        let isOneSide = ticket.pages.count <= (request.isBooklet ? 1 : ticket.numberUp)
        guard request.pageSet == .odd || !isOneSide else { throw noPages }
        because("pages: the \(request.pageSet.rawValue) sides")
      } else {
        ticket.pages = try pagesOfSet(ticket.pages)
        because("pages: the \(request.pageSet.rawValue) ones")
      }
    }
    if request.isReversed {
      ticket.isReversed = true
      because("output-order: the last sheet first")
    }
    guard request.isBooklet, ticket.numberUp == 2 else { return }
    guard ticket.sides.isDuplex || request.pageSet != .all || ticket.pages.count == 1 else {
      throw .notSupported(
        "--booklet: \(printer) prints one side of a sheet here. Print the fronts with --booklet --odd, put them back "
          + "in, and print the backs with --booklet --even.")
    }
    ticket.isBooklet = true
    let sheets = (ticket.pages.count + 3) / 4
    because("booklet: \(sheets.counted("sheet")) to fold in the middle")
  }

  /// True if pages lie on their sheets otherwise than a printer places those of a file.
  var isArranged: Bool {
    request.orientation != .auto || request.rotation != .none || request.numberUp > 1
      || request.poster != nil || request.position == .top
  }

  /// True if pages are printed in another order than the document's.
  var isReordered: Bool { request.isReversed || request.isBooklet }
}
