internal import PrintModel
internal import Layout
internal import PrintOptions

extension Negotiator {
  /// Chooses `--number-up`, which does not apply on a roll or to a file that is sent unchanged.
  mutating func chooseNumberUp(_ ticket: Ticket) throws(Failure) -> Int {
    guard request.numberUp > 1 else { return 1 }
    if ticket.paper.isRoll {
      try replaced(.numberUp, "has no effect on a roll")
      return 1
    }
    let grid = request.grid.map { "\($0.columns)x\($0.rows), " } ?? ""
    because("number-up: \(grid)\(request.numberUp) pages on each side")
    return request.numberUp
  }

  /// Chooses `--poster`, which applies neither on a roll nor with what is drawn on each sheet: with these it is an error
  /// if both are typed, and a setting gives way.
  mutating func choosePoster(on paper: Paper, pages: Int) throws(Failure) -> Poster? {
    guard let poster = request.poster, !isRaw else { return nil }
    if paper.isRoll {
      try leaveOut(.poster, "a roll has no sheets to glue together")
      return nil
    }
    let others: [(option: PrintOption, isAsked: Bool)] = [
      (.booklet, request.isBooklet), (.numberUp, request.numberUp > 1 && !request.isBooklet),
      (.header, request.header != nil), (.footer, request.footer != nil),
      (.pageBorder, request.pageBorder != .none),
    ]
    for (option, isAsked) in others where isAsked {
      let name = option.rawValue
      guard request.isTyped(PrintOption.poster.rawValue) else {
        because("poster: left out, because of \(name)")
        return nil
      }
      if request.isTyped(name) {
        throw .usage("--poster and --\(name): a sheet of a poster has only a part of a page.")
      }
      because("\(name): left out on a poster")
    }
    (request.isBooklet, request.numberUp, request.pageBorder) = (false, 1, .none)
    request.grid = nil
    (request.header, request.footer) = (nil, nil)
    because(
      "poster: \(poster.columns)x\(poster.rows) sheets of \(paper.title) for each page, \(poster.sheets * pages) in "
        + "all, which overlap by \(Poster.overlap.inMillimeters)")
    return poster
  }

  /// Chooses the turn of everything on the sheet: `--rotate`, but for text on a roll, whose lines run across.
  mutating func chooseRotation(on paper: Paper) throws(Failure) -> Rotation {
    let rotation = request.rotation
    if rotation.isAcross, paper.isRoll, document.reflows {
      try replaced(.rotate, "0, lines of text run across a roll")
      return .none
    }
    if rotation != .none { because("rotate: \(rotation.rawValue)° clockwise\(askedFor(.rotate))") }
    return rotation
  }

  /// Returns the scale at which a label whose pixels are exactly the printer's is printed pixel for pixel, so that
  /// barcodes stay sharp (lprint#77).
  ///
  /// The scale applies to the page's points.
  mutating func pixelForPixel(_ ticket: Ticket) -> Double? {
    guard ticket.type == .label, request.scaling == nil, ticket.poster == nil, !ticket.isFramed,
      let image = document.image,
      let page = document.pages.first
    else { return nil }
    let width = ticket.paper.size.width.pixels(dpi: ticket.resolution.x)
    let length = ticket.paper.size.length.pixels(dpi: ticket.resolution.y)
    let isAcross = SheetLayout(ticket).rotation(of: page.size).isAcross
    let lying = isAcross ? (image.height, image.width) : (image.width, image.height)
    guard lying.0 == width, ticket.paper.isRoll || lying.1 == length, ticket.resolution.isSquare
    else { return nil }
    because("scaling: pixel for pixel, the picture has the label's pixels")
    return Double(image.width) * 72 / Double(ticket.resolution.x) / page.size.width
  }

  /// Chooses how pages are scaled to the paper: as requested, as the document asks, as usual for the type, and `auto` for
  /// a type that replaced another.
  ///
  /// A picture fills its sheet only if that cuts off no more than a sixth of it.
  mutating func chooseScaling(_ draft: Ticket) -> Scaling {
    let paper = draft.paper
    if draft.poster != nil {
      return request.scaling.flatMap { [.none, .fill].contains($0) ? $0 : nil } ?? .fit
    }
    if document.keepsScale, request.scaling == nil {
      because("scaling: as the document asks")
      // A roll's edge would cut off most of a wider page.
      return paper.isRoll ? .autoFit : .none
    }
    let isPicture = document.image != nil
    let type = draft.type
    // The medium assumed for a printer that lists no paper has no known margins.
    let isKnown = paper.isReady || !paper.column.isEmpty || !capabilities.possible.isEmpty
    let usual =
      isSwapped ? Scaling.auto : type.scaling(on: paper, isPicture: isPicture && isKnown)
    guard request.scaling != .fill, isPicture, !paper.isRoll, request.numberUp == 1 else {
      return withinMargins(request.scaling ?? usual, draft)
    }
    var scaling = request.scaling ?? usual
    // PWG 5100.13's `auto`: a photo that is larger than a borderless sheet covers it.
    if request.scaling == .auto, paper.isBorderless, [.photo, .postcard].contains(type),
      layout(draft, .auto).scale(of: document.pages[draft.pages[0]].size) < 1
    {
      scaling = .fill
    }
    guard scaling == .fill else { return scaling }
    let lost = layout(draft, .fill).lost(of: document.pages[draft.pages[0]].size)
    guard lost > Negotiator.mostLost else { return .fill }
    because("scaling: filling \(paper.title) would cut off \(lost.percent) % of the picture")
    return .fit
  }

  /// Largest share cut off, a sixth plus rounding: 16:9 on 2:3 is filled, a square is not.
  private static let mostLost = 0.167

  /// Returns the layout of a draft's pages with this scaling.
  private func layout(_ draft: Ticket, _ scaling: Scaling) -> SheetLayout {
    var ticket = draft
    // Tolerance and margins are those of a photo, whatever the type.
    ticket.type = .photo
    ticket.scaling = scaling
    ticket.margins = request.margins
    ticket.header = request.header
    ticket.footer = request.footer
    return SheetLayout(ticket)
  }

  /// Explains the scaling: the pages' size, the part that is cut off, and if pixels will be visible.
  mutating func explainScaling(_ ticket: Ticket) throws(Failure) {
    guard let first = ticket.pages.first, ticket.exactScale == nil, ticket.numberUp == 1 else {
      return
    }
    let page = document.pages[first].size
    let layout = SheetLayout(ticket)
    let scale = layout.scale(of: page)
    var reason = "scaling: \(ticket.scaling.rawValue), \(scale.percent) %"
    if ticket.scaling == .fill, !ticket.paper.isRoll {
      let lost = layout.lost(of: page).percent
      reason += lost > 0 ? ", \(lost) % of the \(pageInWords) is cut off" : ", nothing is cut off"
    }
    if layout.isTurned(page), request.orientation == .auto {
      reason += ticket.paper.isRoll ? ", turned along the roll" : ", turned to the sheet"
    }
    if let choice = withdraw("scaling") { reason += "; \(choice)" }
    because(reason)
    // A document that reflows is made for its paper; before that, its pages are a guess.
    let sizes = document.reflows ? [] : ticket.pages.map { document.pages[$0].size }
    try warnOfLoss(ticket, sizes.map { layout.lost(of: $0) }.max() ?? 0)
    let smallest = sizes.min { layout.scale(of: $0) < layout.scale(of: $1) }
    if document.scale < 0.995 {
      let whole = document.scale * min(smallest.map(layout.scale(of:)) ?? 1, 1)
      try tell(
        "The document is wider than the paper: it is scaled to \(whole.percent) %.", of: whole)
    } else if let smallest {
      try warnOfShrinking(ticket, smallest, layout.scale(of: smallest))
    }
    warnOfCoarsePixels(ticket, page, scale: scale)
    try checkMargins(ticket, layout)
  }

  /// Reports marks where the printer can't print on this paper and these sides.
  private mutating func checkMargins(_ ticket: Ticket, _ layout: SheetLayout) throws(Failure) {
    guard let lost = lostMarks(on: ticket.pages, layout) else { return }
    let depth = Hundredths(points: lost.depth)
    try lose(
      Loss(
        .margin, page: lost.page + 1, edge: lost.edge, beyond: depth,
        "\(printer) can't print as far to the edge of \(ticket.paper.title) as page \(lost.page + 1) does: "
          + "\(depth.inMillimeters) at the \(lost.edge.rawValue) is lost. --scaling fit shrinks the page."
      ))
  }

  /// The page that loses most of its marks in the printer's margins.
  private func lostMarks(
    on pages: [Int], _ layout: SheetLayout
  ) -> (page: Int, edge: Loss.Edge, depth: Double)? {
    pages.compactMap { page in
      layout.lostMarks(of: page, in: document).map { (page, $0.edge, $0.depth) }
    }.max { $0.2 < $1.2 }
  }

  /// Returns `auto-fit` instead of `auto` if at 100 % marks would lie where the printer can't print.
  ///
  /// A label stays at 100 %, because a scanner reads it.
  private mutating func withinMargins(_ scaling: Scaling, _ draft: Ticket) -> Scaling {
    guard scaling == .auto, draft.type != .label, !draft.paper.isRoll,
      request.numberUp == 1, let lost = lostMarks(on: draft.pages, layout(draft, scaling))
    else { return scaling }
    because(
      "scaling: at 100 %, \(Hundredths(points: lost.depth).inMillimeters) at the \(lost.edge.rawValue) of page "
        + "\(lost.page + 1) would be in the printer's margin")
    return .autoFit
  }

  private var pageInWords: String { document.image == nil ? "page" : "picture" }

  /// Warns about the share of a page that is cut off.
  private mutating func warnOfLoss(_ ticket: Ticket, _ lost: Double) throws(Failure) {
    // `auto` keeps only pages at 100 % that are less than 1.76 mm larger than their sheet.
    guard lost >= 0.01, [.none, .fill].contains(ticket.scaling) else { return }
    let paper = ticket.poster == nil ? ticket.paper.title : "the poster"
    let page = pageInWords
    try lose(
      Loss(
        .beyondPaper,
        ticket.scaling == .fill
          ? "\(lost.percent) % of the \(page) is cut off on \(paper). --scaling fit keeps all of it."
          : "The \(page) is larger than \(paper): at 100 % it loses \(lost.percent) %. "
            + "--scaling fit shrinks it."))
  }

  /// Warns about a page that is printed smaller than it was made: on a roll and a label always, elsewhere if it gets
  /// hard to read.
  ///
  /// A picture has no intended size.
  private mutating func warnOfShrinking(
    _ ticket: Ticket, _ page: PageSize, _ scale: Double
  ) throws(Failure) {
    guard ticket.largestScale == nil else { return }
    let paper = ticket.paper
    if paper.isRoll, scale < 0.995 {
      let across = SheetLayout(ticket).lying(page).media.width
      // A photo has no size of its own; a logo or a label may have been made for a wider roll.
      if document.guessedType == .photo { return }
      let made = document.image.map { image in
        let dpi = Int((Double(image.width) * 72 / max(1, page.width)).rounded())
        return "picture is \(across.inMillimeters) wide at \(dpi) dpi"
      }
      let sentence =
        "The \(made ?? "page is \(across.inMillimeters) wide"), wider than the \(paper.title) "
        + "prints: it is scaled to \(scale.percent) %."
      try tell(sentence, of: scale)
    } else if document.image == nil, scale < (ticket.type == .label ? 0.995 : 0.595) {
      try tell(
        "The page is larger than \(paper.title): it is scaled to \(scale.percent) %.", of: scale)
    }
  }

  /// Reports a scale: as a loss if the page gets hard to read.
  private mutating func tell(_ sentence: String, of scale: Double) throws(Failure) {
    if document.image == nil, scale < 0.595 {
      try lose(Loss(.tooSmall, sentence))
    } else {
      warn(sentence)
    }
  }

  /// Warns about a picture with visible pixels.
  private mutating func warnOfCoarsePixels(_ ticket: Ticket, _ page: PageSize, scale: Double) {
    guard let image = document.image, page.width > 0, scale > 0 else { return }
    let dpi = Double(image.width) * 72 / (page.width * scale)
    let least = [.photo, .postcard].contains(ticket.type) ? 150.0 : 100.0
    guard dpi < least else { return }
    warn(
      "Low resolution: \(Int(dpi.rounded())) dpi on \(ticket.paper.title); "
        + "the print may look soft.")
  }
}

extension Double {
  /// The share as whole percent, at most a billion: a document may state any size.
  fileprivate var percent: Int { isNaN ? 0 : Int(min(max(self * 100, 0), 1e9).rounded()) }
}
