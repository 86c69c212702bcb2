internal import PrintModel
internal import Layout
internal import PrintOptions

extension Negotiator {
  /// Chooses `--number-up`, which does not apply on a roll or to a file that is sent unchanged.
  mutating func chooseNumberUp(_ ticket: Ticket) throws(Failure) -> Int {
    guard request.numberUp > 1 else { return 1 }
    if ticket.paper.isRoll {
      guard !request.isBooklet else {
        throw Failure(.usage, "--booklet: a roll has no sheets to fold.")
      }
      try replaced(.numberUp, "has no effect on a roll")
      return 1
    }
    because("number-up: \(request.numberUp) pages on each side")
    return request.numberUp
  }

  /// Returns the scale at which a label whose pixels are exactly the printer's is printed pixel for pixel, so that
  /// barcodes stay sharp (lprint#77).
  ///
  /// The scale applies to the page's points.
  mutating func pixelForPixel(_ ticket: Ticket) -> Double? {
    guard ticket.type == .label, request.scaling == nil, !ticket.isFramed,
      let image = document.image,
      let page = document.pages.first
    else { return nil }
    let width = ticket.paper.size.width.pixels(dpi: ticket.resolution.x)
    let length = ticket.paper.size.length.pixels(dpi: ticket.resolution.y)
    let isExact =
      ticket.paper.isRoll
      ? (SheetLayout(ticket).isTurned(page.size) ? image.height : image.width) == width
      : [image.width, image.height] == [width, length]
        || [image.height, image.width] == [width, length]
    guard isExact, ticket.resolution.isSquare else { return nil }
    because("scaling: pixel for pixel, the picture has the label's pixels")
    return Double(image.width) * 72 / Double(ticket.resolution.x) / page.size.width
  }

  /// Chooses how pages are scaled to the paper: as requested, as usual for the type, and `auto` for a type that
  /// replaced another.
  ///
  /// A picture fills its sheet only if that cuts off no more than a sixth of it.
  mutating func chooseScaling(
    _ chosen: ChosenType, paper: Paper, sides: Sides, pages: [Int]
  ) -> Scaling {
    let isPicture = document.image != nil
    let rules = TypeRules(chosen.type)
    // The medium assumed for a printer that lists no paper has no known margins.
    let isKnown = paper.isReady || !paper.column.isEmpty || !capabilities.possible.isEmpty
    let usual =
      chosen.isSwapped ? Scaling.auto : rules.scaling(on: paper, isPicture: isPicture && isKnown)
    guard request.scaling != .fill, isPicture, !paper.isRoll, request.numberUp == 1 else {
      return request.scaling ?? usual
    }
    var scaling = request.scaling ?? usual
    // PWG 5100.13's `auto`: a photo that is larger than a borderless sheet covers it.
    if request.scaling == .auto, paper.isBorderless, [.photo, .postcard].contains(chosen.type),
      scale(paper, sides, .auto, pages) < 1
    {
      scaling = .fill
    }
    guard scaling == .fill else { return scaling }
    let lost = layout(paper, sides, .fill).lost(of: document.pages[pages[0]].size)
    guard lost > Negotiator.mostLost else { return .fill }
    because("scaling: filling \(paper.title) would cut off \(lost.percent) % of the picture")
    return .fit
  }

  /// Largest share cut off, a sixth plus rounding: 16:9 on 2:3 is filled, a square is not.
  private static let mostLost = 0.167

  private func scale(
    _ paper: Paper, _ sides: Sides, _ scaling: Scaling, _ pages: [Int]
  ) -> Double {
    layout(paper, sides, scaling).scale(of: document.pages[pages[0]].size)
  }

  /// Returns the layout of pages with this scaling.
  private func layout(_ paper: Paper, _ sides: Sides, _ scaling: Scaling) -> SheetLayout {
    var ticket = Ticket(
      type: .photo, paper: paper, format: "", isPassedThrough: false, resolution: Resolution(300),
      color: .color, rasterColor: .color, colorKeyword: "", quality: .normal, sides: sides,
      sheetBack: .normal, scaling: scaling, copies: 1, repeats: 1, pages: [0],
      orientation: request.orientation,
      turnsClockwise: capabilities.landscapeOrientation == 5)
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
    if let smallest = sizes.min(by: { layout.scale(of: $0) < layout.scale(of: $1) }) {
      try warnOfShrinking(ticket, smallest, layout.scale(of: smallest))
    }
    warnOfCoarsePixels(ticket, page, scale: scale)
    warnOfEdges(ticket, layout, scale)
  }

  /// Warns about a label's page that is as large as the label if the printer doesn't print to its edges.
  ///
  /// Documents have margins, and so have sheets of labels, which must not be scaled; a single label may have ink up to
  /// its edge.
  private mutating func warnOfEdges(_ ticket: Ticket, _ layout: SheetLayout, _ scale: Double) {
    guard ticket.type == .label, !document.reflows, scale > 0.995, ticket.scaling != .fill,
      request.scaling == nil, !ticket.paper.size.isOfficeSheet,
      let first = ticket.pages.first
    else { return }
    let page = document.pages[first].size
    let placed = layout.place(first, of: document).transform.apply(
      Rectangle(x: 0, y: 0, width: page.width, height: page.height))
    let area = ticket.paper.printableRect
    var beyond = [area.x - placed.x, placed.x + placed.width - area.x - area.width]
    if !ticket.paper.isRoll {
      beyond += [area.y - placed.y, placed.y + placed.height - area.y - area.height]
    }
    let widest = Hundredths(points: max(0, beyond.max() ?? 0))
    // A margin from rounding, in which labels have no ink.
    guard widest > MediaSize.close else { return }
    warn(
      "\(printer) does not print the outer \(widest.inMillimeters) of \(ticket.paper.title): what "
        + "lies there is lost. --scaling fit shrinks the page.")
  }

  private var pageInWords: String { document.image == nil ? "page" : "picture" }

  /// Warns about the share of a page that is cut off.
  private mutating func warnOfLoss(_ ticket: Ticket, _ lost: Double) throws(Failure) {
    // `auto` keeps only pages at 100 % that are less than 1.76 mm larger than their sheet.
    guard lost >= 0.01, [.none, .fill].contains(ticket.scaling) else { return }
    let paper = ticket.paper.title
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
    let isTooSmall = document.image == nil && scale < 0.595
    if paper.isRoll, scale < 0.995 {
      let across = SheetLayout(ticket).isTurned(page) ? page.media.length : page.media.width
      // A photo has no size of its own; a logo or a label may have been made for a wider roll.
      if document.guessedType == .photo { return }
      let made = document.image.map { image in
        let dpi = Int((Double(image.width) * 72 / max(1, page.width)).rounded())
        return "picture is \(across.inMillimeters) wide at \(dpi) dpi"
      }
      let sentence =
        "The \(made ?? "page is \(across.inMillimeters) wide"), wider than the \(paper.title) "
        + "prints: it is scaled to \(scale.percent) %."
      if isTooSmall { try lose(Loss(.tooSmall, sentence)) } else { warn(sentence) }
    } else if isTooSmall {
      try lose(
        Loss(
          .tooSmall, "The page is larger than \(paper.title): it is scaled to \(scale.percent) %."))
    } else if ticket.type == .label, document.image == nil, scale < 0.995 {
      warn("The page is larger than \(paper.title): it is scaled to \(scale.percent) %.")
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
