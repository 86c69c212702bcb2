internal import PrintModel
internal import PrintOptions

// `--first-page-tray`: the first sheet from another tray than the others.

extension Negotiator {
  /// Makes `request.firstPageTray` the printer's keyword, or nil if nothing remains to be done for it.
  ///
  /// A single page is printed from that tray. Exit 64 for a tray that the printer does not have, and if no format can say
  /// that the first page is from there.
  mutating func chooseFirstTray(pages: Int) throws(Failure) {
    guard let typed = request.firstPageTray else { return }
    let trays = MediumMember.tray(of: capabilities)
    let tray = trays.keyword(typed)
    request.firstPageTray = nil
    guard trays.stated.contains(tray) else {
      return try leaveOut(.firstPageTray, "\(printer) \(trays.lack(of: typed))")
    }
    guard pages > 1 || request.poster != nil else {
      request.tray = tray
      return because("tray: \(tray), which is for the first page, the only one")
    }
    let formats = request.format.mediaType.map { [$0] } ?? capabilities.formats
    guard formats.contains(where: { takes($0, firstFrom: tray) }) else {
      return try leaveOut(
        .firstPageTray,
        "\(printer) can't be told to take the first page from another tray; print it by itself, with --pages 1 "
          + "--tray \(tray), and then --pages 2-")
    }
    request.firstPageTray = tray
  }

  /// Returns true for a format in which the first sheet can come from this tray: a PDF by `overrides` (PWG 5100.6), raster
  /// by its page headers, of which the printer lists that tray (URF's IS token; others may print nothing: apple/cups#5693).
  func takes(_ format: String, firstFrom tray: String) -> Bool {
    if format == DocumentFormat.pdf {
      let members = capabilities.attributes.strings("overrides-supported")
      return !request.isReversed && members.contains("pages") && members.contains("media-col")
    }
    let listed = capabilities.attributes.strings("urf-supported").first { $0.hasPrefix("IS") }
    let numbers = listed?.dropFirst(2).split(separator: "-").compactMap { Int($0) } ?? []
    return DocumentFormat.isRaster(format)
      && MediaPosition.number(of: tray).map(numbers.contains) == true
  }

  /// Returns the medium of the first sheet; nil if all are alike.
  ///
  /// Exit 75 if another size is loaded there: pages are laid out for one.
  mutating func chooseFirstPaper(_ paper: inout Paper) throws(Failure) -> Paper? {
    guard let tray = request.firstPageTray, tray != paper.source else { return nil }
    let loaded = capabilities.ready.filter { $0.source == tray }
    let first =
      loaded.first { $0.isRoll == paper.isRoll && $0.size.matches(paper.size) }
      ?? (loaded.contains(where: \.isReady)
        ? nil : MediumMember.tray(of: capabilities).set(tray, on: paper))
    guard let first else {
      request.firstPageTray = nil
      try leaveOut(
        .firstPageTray, reason: .mediaEmpty,
        "\(tray) of \(printer) holds \(loaded.map(\.title).unique.inWords()), and the other pages are on "
          + "\(paper.title); load \(paper.titleToLoad) there")
      return nil
    }
    // All pages are laid out for what both trays' margins leave.
    for side in [\Margins.top, \.bottom, \.left, \.right] {
      paper.margins[keyPath: side] = max(paper.margins[keyPath: side], first.margins[keyPath: side])
    }
    because("first-page-tray: \(place(first))\(askedFor(.firstPageTray))")
    return first
  }

  /// The attribute by which a printer that gets no page headers takes the first sheet from another tray.
  func firstPageOverride(_ ticket: Ticket) -> [Attribute] {
    guard let first = ticket.firstPaper, !DocumentFormat.isRaster(ticket.format) else { return [] }
    let pages = Attribute("pages", .range(1...(ticket.sides.isDuplex ? 2 : 1)))
    return [Attribute("overrides", .collection([pages] + media(for: first)))]
  }

  /// Refuses an option that this printer can't grant; a setting is left out, with a reason.
  mutating func leaveOut(
    _ option: PrintOption, reason: FailureReason = .notSupported, _ problem: String
  ) throws(Failure) {
    guard let file = request.fromSettings[option.rawValue] else {
      throw Failure(reason, "--\(option.rawValue): \(problem).")
    }
    because("\(option.rawValue): left out, \(problem) (from \(file))")
  }
}
