internal import PrintModel
internal import PrintOptions
internal import Layout

extension Negotiator {
  /// Chooses margins, header and footer.
  ///
  /// If they leave no room for a page, that is an error if they were typed; settings are ignored with a reason.
  mutating func chooseFrame(_ ticket: inout Ticket) throws(Failure) {
    ticket.reflows = document.reflows
    ticket.margins = request.margins
    ticket.header = request.header
    ticket.footer = request.footer
    ticket.pageBorder = request.pageBorder
    if request.pageBorder != .none { because("page-border: \(request.pageBorder.rawValue)") }
    guard ticket.isFramed || ticket.grid != nil else { return }
    let first = document.pages[ticket.pages[0]].size
    if SheetLayout(ticket).hasNoRoom(for: first) {
      let frame = frameOptions + (ticket.grid == nil ? [] : [PrintOption.numberUp.rawValue])
      let reason = "\(frame.inWords()): no room is left for a page on \(ticket.paper.title)"
      guard ticket.grid == nil, frame.allSatisfy({ request.fromSettings[$0] != nil }) else {
        throw .usage(
          "\(frame.map { "--\($0)" }.inWords()): no room for a page is left on "
            + "\(ticket.paper.title).")
      }
      because("\(reason); the setting is ignored")
      (ticket.margins, ticket.header, ticket.footer) = (nil, nil, nil)
      return
    }
    explainMargins(ticket)
    let lines = frameOptions.filter { $0 != PrintOption.margins.rawValue }
    guard !lines.isEmpty else { return }
    let place = ticket.reflows ? "within the margins" : "pages are drawn in what is left"
    because("\(lines.inWords()): on every page, \(place)")
    if SheetLayout(ticket).isDrawnOver(first), !ticket.reflows {
      warn(
        "At 100 % the page is larger than what is left for it: \(lines.inWords()) "
          + "\(lines.count == 1 ? "is" : "are") drawn over it. --scaling fit shrinks it.")
    }
  }

  /// Those of margins, header and footer that were requested.
  private var frameOptions: [String] {
    let options: [(PrintOption, Bool)] = [
      (.margins, request.margins != nil), (.header, request.header != nil),
      (.footer, request.footer != nil),
    ]
    return options.filter(\.1).map(\.0.rawValue)
  }

  private mutating func explainMargins(_ ticket: Ticket) {
    guard let margins = ticket.margins else { return }
    let own = ticket.paper.margins
    let sides = [
      ("top", margins.top, own.top), ("right", margins.right, own.right),
      ("bottom", margins.bottom, own.bottom), ("left", margins.left, own.left),
    ]
    let isEven = sides.allSatisfy { $0.1 == margins.top }
    let words =
      isEven
      ? "\(margins.top.inMillimeters) from every edge"
      : sides.map { "\($0.0) \($0.1.inMillimeters)" }.inWords()
    // On a turned page, the printer's sides are different ones.
    let wider = sides.filter { $0.2 > $0.1 }.map { "\($0.0) \($0.2.inMillimeters)" }
    let limit = wider.isEmpty ? "" : "; the printer's own margins are \(wider.inWords())"
    because("margins: \(words)\(limit)")
  }

  /// The options that draw on pages or move them, so that the file can't be sent unchanged; nil if there are none.
  var decoration: String? {
    let stamps = [PrintOption.overlay, .underlay].filter { option in
      request.stamps.contains { $0.option == option }
    }
    let border = request.pageBorder == .none ? [] : [PrintOption.pageBorder.rawValue]
    let options = frameOptions + border + stamps.map(\.rawValue)
    return options.isEmpty ? nil : options.inWords()
  }

  /// Explains the stamps drawn on each of the printed pages, and warns about parts of them that will not be visible.
  mutating func explainStamps(on pages: [Int]) throws(Failure) {
    let count = document.pages.count
    for stamp in request.stamps {
      because("\(stamp.optionName): \(stamp.name) on \(stamp.pages.words)")
      let first = pages.first { stamp.pages.position(of: $0, in: count) != nil }
      if first == nil {
        let place = pages.count < count ? "none of those printed" : "the document has no such page"
        try lose(Loss(.stamp, "\(stamp.typed): it is on \(stamp.pages.words), \(place)."))
      }
      if let size = first.map({ document.pages[$0].size }), stamp.misses(size) {
        // A document may state any size.
        let (width, height) = (min(size.width, 1e9).rounded(), min(size.height, 1e9).rounded())
        let shape = "\(Int(width)) x \(Int(height)) points"
        try lose(
          Loss(.stamp, "\(stamp.typed): its rectangle is outside of the page, which has \(shape)."))
      }
      if stamp.isBelow, document.image != nil || DocumentFormat.isRaster(document.mediaType) {
        try lose(
          Loss(
            .stamp,
            "\(stamp.typed): a picture has no transparent background, it hides what is below it."))
      }
    }
  }
}

extension Stamp {
  /// Returns true if nothing of it is visible on a page of this size.
  fileprivate func misses(_ page: PageSize) -> Bool {
    let area = area(on: page)
    return area.x >= page.width || area.y >= page.height || area.x + area.width <= 0
      || area.y + area.height <= 0
  }
}
