internal import PrintModel
internal import PrintOptions

extension Negotiator {
  /// Returns the end of a reason for an option that may not have been given.
  private func usualOrAsked(_ option: PrintOption, _ isUsual: Bool, _ type: JobType) -> String {
    isUsual ? ", as usual for \(type.plurals)" : askedFor(option)
  }

  /// Chooses gray or color, and the print-color-mode for it.
  mutating func chooseColor(_ type: JobType) throws(Failure) -> (ColorMode, keyword: String) {
    let asked = request.color ?? type.color
    let why = usualOrAsked(.color, request.color == nil, type)
    if asked == .gray {
      because("color: gray\(why)")
      return (.gray, grayKeyword(type))
    }
    if !capabilities.isColor {
      if request.color == .color {
        try replaced(.color, "\(printer) can't print in color; printing in gray")
      } else {
        because("color: gray, the printer has no color")
      }
      return (.gray, grayKeyword(type))
    }
    let known = capabilities.colorModes + capabilities.outputModes
    let keyword = asked == .auto && known.contains("auto") ? "auto" : "color"
    because("color: \(keyword)\(why)")
    return (.color, keyword)
  }

  /// Returns monochrome; for a gray photo, the mode that mixes gray from all inks if there is one.
  private func grayKeyword(_ type: JobType) -> String {
    let photo = "process-monochrome"
    return [.photo, .postcard].contains(type) && capabilities.colorModes.contains(photo)
      ? photo : "monochrome"
  }

  mutating func chooseQuality(_ type: JobType) throws(Failure) -> Quality {
    let asked = request.quality ?? type.quality
    let known = capabilities.qualities
    guard !known.isEmpty, !known.contains(asked) else {
      because(
        "quality: \(asked.keyword)\(usualOrAsked(.quality, request.quality == nil, type))")
      return asked
    }
    // The nearest; of two equally near ones, the better.
    let nearest =
      known.min {
        (abs($0.rawValue - asked.rawValue), -$0.rawValue)
          < (abs($1.rawValue - asked.rawValue), -$1.rawValue)
      } ?? .normal
    let reason = "\(printer) doesn't support \(asked.keyword); using \(nearest.keyword)"
    if request.quality == nil {
      because("quality: \(reason)")
    } else {
      try replaced(.quality, reason)
    }
    return nearest
  }

  /// Chooses one or two sides.
  ///
  /// `auto`, if there is more than one page, is what the document asks for and the printer can do, else the printer's
  /// default.
  mutating func chooseSides(pages: Int, paper: Paper) throws(Failure) -> Sides {
    let wanted = document.sides.flatMap { capabilities.sides.contains($0) ? $0 : nil }
    let usual =
      pages == 1
      ? ", there is one page" : wanted == nil ? ", the printer's default" : ", from the document"
    let asked: Sides =
      switch request.sides ?? .auto {
      case .one: .oneSided
      case .long: request.isBooklet ? .shortEdge : .longEdge
      case .short: .shortEdge
      case .auto: pages > 1 ? wanted ?? capabilities.defaultSides ?? .oneSided : .oneSided
      }
    let isTyped = request.isTyped("sides") && asked.isDuplex
    if let nature = try oneSidedNature(isTyped) {
      return isTyped ? try oneSided(instead: nature) : oneSided(", \(nature)")
    }
    guard asked.isDuplex, pages > 1 else {
      return oneSided(request.sides == .one ? askedFor(.sides) : usual)
    }
    let lack: String? =
      if !capabilities.sides.contains(asked) {
        "\(printer) does not print \(asked.rawValue)"
      } else if paper.isRoll || paper.isLabel || paper.isDisc || paper.isEnvelope {
        "\(paper.title) can't be printed on both sides"
      } else if !sendsBothSides {
        "\(printer) does not report how it turns the back sides of \(DocumentFormat.urf)"
      } else {
        // It has only one side for ink, unless the user requests both.
        paper.isPhotographic && !isSidesAsked ? "\(paper.title) is photo paper" : nil
      }
    if let lack { return try oneSided(instead: lack) }
    try explain(asked, usual)
    return asked
  }

  /// Returns why sheets have one side by what is on them, whatever a setting, the document or the printer's default
  /// says; nil if they have not, or can have two, which were typed.
  ///
  /// Exit 64 for two that were typed for what can't have them.
  private func oneSidedNature(_ isTyped: Bool) throws(Failure) -> String? {
    if request.poster != nil || document.image != nil {
      let reason = "a \(request.poster == nil ? "picture" : "poster") has one side"
      guard !isTyped else { throw .usage("--sides: \(reason).") }
      return reason
    }
    // The sides of a booklet's sheets, and of others, are printed one by one.
    if request.pageSet != .all, request.isBooklet || !isTyped { return "as with --odd and --even" }
    return request.grid == nil || isTyped ? nil : "as for labels"
  }

  /// Says why there are two sides.
  private mutating func explain(_ asked: Sides, _ usual: String) throws(Failure) {
    guard !request.isBooklet || request.sides != .long else {
      return try replaced(.sides, "\(asked.words), over which a booklet is turned")
    }
    let isForBooklet = request.isBooklet && !request.given.contains("sides")
    let why = isForBooklet ? ", for a booklet" : isSidesAsked ? askedFor(.sides) : usual
    because("sides: \(asked.words)\(why)")
  }

  /// Keeps the top and bottom of two-sided sheets free where the printer may hold them.
  func widenMargins(of paper: inout Paper) {
    guard !paper.isBorderless else { return }
    paper.margins.top = max(paper.margins.top, capabilities.duplexMargin)
    paper.margins.bottom = max(paper.margins.bottom, capabilities.duplexMargin)
  }

  /// False for a printer that supports only URF and states no DM token (apple/cups#4357).
  private var sendsBothSides: Bool {
    guard let urf = capabilities.urf, urf.sheetBack == nil else { return true }
    return capabilities.pwg != nil
      || [DocumentFormat.pdf, DocumentFormat.postscript].contains(
        where: capabilities.formats.contains)
  }

  private var isSidesAsked: Bool { request.sides.map { $0 != .auto } ?? false }

  /// Falls back to one side if two were requested, or are the printer's default.
  private mutating func oneSided(instead reason: String) throws(Failure) -> Sides {
    guard isSidesAsked else { return oneSided(", \(reason)") }
    try replaced(.sides, "one-sided, \(reason)")
    return .oneSided
  }

  private mutating func oneSided(_ why: String) -> Sides {
    because("sides: one-sided\(why)")
    return .oneSided
  }

  /// Chooses the resolution of drawn pages among those of the format.
  mutating func chooseResolution(_ draft: Ticket) throws(Failure) -> Resolution {
    let (type, quality) = (draft.type, draft.quality)
    let listed =
      DocumentFormat.isRaster(draft.format)
      ? capabilities.raster(draft.format)?.resolutions ?? [] : capabilities.resolutions
    if let asked = request.resolution, listed.contains(asked) || listed.isEmpty {
      because("resolution: \(asked)\(askedFor(.resolution))")
      return asked
    }
    guard !listed.isEmpty else {
      because("resolution: 300dpi, the printer lists none")
      return Resolution(300)
    }
    // On a poster, a resolution much finer than the eye would only be slow.
    let limit = type == .largeFormat ? 360 : 720
    let usable = listed.filter { max($0.x, $0.y) <= limit }
    let pool = (usable.isEmpty ? [listed.min { $0.x < $1.x } ?? Resolution(300)] : usable)
      .sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    let target =
      request.resolution?.x
      ?? (quality == .draft
        ? 0 : quality == .high ? limit : [.document, .label].contains(type) ? 600 : 300)
    let chosen = pool.min { distance($0, target) < distance($1, target) } ?? Resolution(300)
    if let asked = request.resolution {
      let known = listed.map(\.description).inWords()
      try replaced(
        .resolution, "\(printer) doesn't support \(asked) (it supports \(known)); using \(chosen)")
      return chosen
    }
    let isExact = chosen.x == target || target < pool[0].x
    because(
      "resolution: \(chosen), "
        + (isExact ? "" : "the closest that the printer supports to \(target)dpi, ")
        + "as usual for \(quality.keyword) quality")
    return chosen
  }

  /// Returns the distance of a resolution from the target; one that is not square is a last resort.
  private func distance(_ resolution: Resolution, _ target: Int) -> Int {
    abs(resolution.x - target) + (resolution.isSquare ? 0 : 10_000)
  }

  /// Chooses how often the raster repeats its pages: once if the printer itself makes the copies of such a document,
  /// with `copies` in the job.
  mutating func chooseRepeats(_ ticket: Ticket) throws(Failure) -> Int {
    guard ticket.copies > 1 else { return 1 }
    if ticket.isPassedThrough {
      guard !ticket.isRaw || !ticket.isUncollated || uncollated != nil else {
        throw .notSupported(
          "-o collate=false: \(printer) makes no uncollated copies; print without -o raw.")
      }
      return 1
    }
    let source = request.fromSettings[PrintOption.copies.rawValue].map { ", from \($0)" } ?? ""
    if makesCopies(ticket) {
      because("copies: \(ticket.copies), made by the printer\(source)")
      return 1
    }
    because("copies: \(ticket.copies), repeated in what is sent\(source)")
    return ticket.copies
  }

  /// Returns true if the printer makes the copies: of PDF, PostScript and JPEG by copies-supported, of URF also by its
  /// CP token.
  ///
  /// Printers are known to fail with those of PWG Raster (pappl#117), and with pages of a roll nobody says where it
  /// is cut.
  private func makesCopies(_ ticket: Ticket) -> Bool {
    guard !ticket.paper.isRoll, makesCopies(ofSheets: ticket.sidesOfPages > ticket.numberUp) else {
      return false
    }
    return switch ticket.format {
    case DocumentFormat.pdf, DocumentFormat.postscript, DocumentFormat.jpeg: true
    case DocumentFormat.urf: capabilities.urf.map { $0.copies >= ticket.copies } ?? false
    default: false
    }
  }

  /// True when the printer makes as many copies as are asked for, and of several sheets one set after the other.
  ///
  /// One that lists only uncollated copies does not; `single-document` is in sets (RFC 8011 §5.2.4), and so are those
  /// of a printer that says nothing about it.
  func makesCopies(ofSheets hasSeveral: Bool) -> Bool {
    let handling = capabilities.attributes.strings("multiple-document-handling-supported")
    return capabilities.attributes["copies-supported"] != nil
      && capabilities.copies?.contains(request.copies) == true
      && (!hasSeveral
        || (request.isUncollated
          ? uncollated != nil
          : handling.isEmpty || Negotiator.inSets.contains(where: handling.contains)))
  }

  /// The attribute with which the printer makes all copies of a sheet before the next sheet; nil if it can't.
  var uncollated: Attribute? {
    let orders = [
      ("sheet-collate", "uncollated"),
      ("multiple-document-handling", "separate-documents-uncollated-copies"),
    ]
    return orders.first { capabilities.attributes.strings("\($0)-supported").contains($1) }
      .map { Attribute($0, .keyword($1)) }
  }

  /// Values of multiple-document-handling that give one set after the other, the best first (RFC 8011 §5.2.4).
  static let inSets = [
    "separate-documents-collated-copies", "single-document", "single-document-new-sheet",
  ]
}
