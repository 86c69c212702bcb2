internal import PrintModel
internal import PrintOptions

extension Negotiator {
  typealias FormatChoice = (format: String, isPassedThrough: Bool)

  /// Chooses the format to send.
  ///
  /// A picture that the printer reads, or a PDF if the printer prefers that, is sent unchanged. Everything else is
  /// drawn as raster, the reliable format, and as PDF, PostScript or JPEG only for printers that do not support raster.
  mutating func chooseFormat(_ draft: Ticket) throws(Failure) -> FormatChoice {
    if isRaw { return try rawFormat() }
    try refuseRawQueue()
    if let asked = request.format.mediaType { return try askedFormat(asked, draft) }
    if let choice = documentsOwnFormat(draft) { return choice }
    if let raster = rasterFormat(draft) { return raster }
    return try lastResort(draft)
  }

  /// Returns the document's own format if the printer reads it, PDF if the printer prefers it; nil if neither works.
  private mutating func documentsOwnFormat(_ draft: Ticket) -> FormatChoice? {
    if isOffered(DocumentFormat.jpeg, draft), wouldGoThrough(as: DocumentFormat.jpeg, draft),
      decoration == nil
    {
      because("format: \(DocumentFormat.jpeg), the printer reads the picture as it is")
      if !document.canBeDrawn {
        warn(
          "\(printer) is sent the picture unchanged, and may choose its size and colors: airprint can't draw it, "
            + "because libraries are missing (airprint doctor shows which).")
      }
      return (DocumentFormat.jpeg, true)
    }
    let pdf = isOffered(DocumentFormat.pdf, draft)
    let prefersPDF =
      capabilities.isQueue || capabilities.preferredFormat == DocumentFormat.pdf
    if pdf, prefersPDF, wouldGoThrough(as: DocumentFormat.pdf, draft) {
      let rewritten = decoration.map { "; rewritten, because \($0) is drawn on its pages" } ?? ""
      because("format: \(DocumentFormat.pdf), the printer prefers it\(rewritten)")
      return (DocumentFormat.pdf, decoration == nil)
    }
    // Keep vectors as vectors if the printer itself prefers that.
    if pdf, capabilities.preferredFormat == DocumentFormat.pdf, document.image == nil,
      !DocumentFormat.isRaster(document.mediaType), !draft.paper.isRoll
    {
      because("format: \(DocumentFormat.pdf), drawn here, the printer prefers it")
      return (DocumentFormat.pdf, false)
    }
    if DocumentFormat.isRaster(document.mediaType) {
      guard let why = obstacle(to: document.mediaType, draft) else {
        because("format: \(document.mediaType), the printer supports this raster")
        return (document.mediaType, true)
      }
      because("format: \(document.mediaType) is drawn again, \(why)")
    }
    return nil
  }

  /// Returns raster, drawn here, of a kind that the printer describes; nil if it supports none.
  private mutating func rasterFormat(_ draft: Ticket) -> FormatChoice? {
    var drawn = ", drawn here"
    if let decoration, isOffered(DocumentFormat.jpeg, draft),
      wouldGoThrough(as: DocumentFormat.jpeg, draft)
    {
      drawn += ": for \(decoration) the picture can't be sent unchanged"
    }
    // URF has no bits, and on some printers no color, which their PWG Raster has.
    let wantsPWG =
      printsDots(draft.type)
      || draft.color == .color && capabilities.urf?.color == false
        && capabilities.pwg?.color == true
    let rasters =
      wantsPWG
      ? [DocumentFormat.pwg, DocumentFormat.urf] : [DocumentFormat.urf, DocumentFormat.pwg]
    for raster in rasters where isOffered(raster, draft) {
      if raster == DocumentFormat.pwg, capabilities.pwg?.isAssumed == true { continue }
      because("format: \(raster)\(drawn)")
      return (raster, false)
    }
    return nil
  }

  /// PDF, PostScript or JPEG for a printer that takes no raster, else raster of a kind that it does not describe, or
  /// text as it is.
  ///
  /// Exit 76 if the printer supports nothing that airprint writes.
  private mutating func lastResort(_ draft: Ticket) throws(Failure) -> FormatChoice {
    let others = [
      (DocumentFormat.pdf, "the printer takes no raster that airprint writes"),
      (DocumentFormat.postscript, "the printer takes neither raster nor PDF that airprint writes"),
      (DocumentFormat.jpeg, "the printer takes nothing else that airprint writes"),
      (DocumentFormat.pwg, "the printer does not report which kind; trying sRGB"),
    ]
    let isOnePage = draft.sidesOfPages * request.copies == 1
    for (format, why) in others where isOffered(format, draft) {
      if format == DocumentFormat.jpeg, !isOnePage { continue }
      because("format: \(format), \(why)")
      return (format, format == DocumentFormat.pdf && goesThrough(as: format, draft))
    }
    if let text = try unchangedText(draft) { return text }
    if isOffered(DocumentFormat.jpeg, draft) {
      throw .refused(
        "\(printer) supports \(formats), and a JPEG holds one page: print one at a time with --pages 1 (-P 1), "
          + "without --copies.")
    }
    throw .refused(whyNone)
  }

  /// A text file for a printer that takes text; nil for any other document or printer.
  ///
  /// Exit 76 for what would have to be drawn.
  private mutating func unchangedText(_ draft: Ticket) throws(Failure) -> FormatChoice? {
    let text = DocumentFormat.text
    guard document.mediaType == text, isOffered(text, draft) else { return nil }
    guard goesThrough(as: text, draft) else {
      throw .refused(
        "\(printer) accepts \(formats), and text is sent there unchanged: leave out options that change its pages."
      )
    }
    because("format: \(text), the printer supports no other that airprint writes")
    let sentence = "\(printer) is sent the text unchanged, and chooses its font and margins."
    // A font or a color that is asked for is not granted.
    if request.strict, request.text != TextStyle() { throw .strict(sentence) }
    warn(sentence)
    return (text, true)
  }

  /// The reason why nothing can be sent, with the kinds of raster that the printer lists, if it supports raster.
  private var whyNone: String {
    let lists = [
      (DocumentFormat.urf, "urf-supported"),
      (DocumentFormat.pwg, "pwg-raster-document-type-supported"),
    ]
    let kinds = lists.filter { capabilities.formats.contains($0.0) }
      .flatMap { capabilities.attributes.strings($0.1).prefix(12) }
    let all = capabilities.formats.isEmpty ? "" : " (\(formats))"
    return kinds.isEmpty
      ? "airprint can't write any format that \(printer) supports\(all)."
      : "\(printer) supports \(formats), but its raster is of kinds that airprint does not write (\(kinds.inWords()))."
  }

  /// Returns the type of a file that isn't read here, as the printer spells it.
  ///
  /// Exit 65 for a language of printers that this one does not list, 64 for another type that it does not list, and with
  /// options that would have to be drawn.
  private mutating func rawFormat() throws(Failure) -> FormatChoice {
    if let decoration {
      throw .usage("The file is sent unchanged, so \(decoration) can't be drawn on it.")
    }
    let language = PrinterLanguage.of(type: document.mediaType)
    let isStated = document.isRaw && document.mediaType != DocumentFormat.octets
    let octets = capabilities.isQueue ? [DocumentFormat.cupsRaw] : []
    let types =
      isStated ? language?.types ?? [document.mediaType] : octets + [DocumentFormat.octets]
    guard let type = types.first(where: capabilities.formats.contains) else {
      throw unlisted(types, language)
    }
    because("format: \(type), the file unchanged")
    if !isStated { warn("\(printer) gets the file unchecked, and may not be able to read it.") }
    let listed = capabilities.attributes.strings("document-format-supported")
    return (listed.first { $0.lowercased() == type } ?? type, true)
  }

  /// The attribute with which the printer turns a file that is sent unchanged; empty if none is asked for, or it can't.
  var turned: [Attribute] {
    let name = "orientation-requested"
    let value = request.rotation.orientationRequested
    return request.rotation != .none
      && capabilities.attributes.numbers("\(name)-supported").contains(value)
      ? [Attribute(name, .enumeration(value))] : []
  }

  /// Refuses options that choose or arrange pages, for a file whose pages aren't known, and copies that the printer does
  /// not make.
  mutating func refuseUnread() throws(Failure) {
    if request.copies > 1, !makesCopies(ofSheets: false) {
      let most = capabilities.accepts("copies") ? capabilities.copies?.upperBound ?? 1 : 1
      try leaveOut(.copies, "\(printer) makes at most \(most) of a file that is sent unchanged")
      request.copies = 1
    }
    let asked: [(PrintOption, Bool)] = [
      (.pages, request.pages != nil), (.pageSet, request.pageSet != .all),
      (.outputOrder, request.isReversed), (.booklet, request.isBooklet),
      (.numberUp, request.numberUp > 1), (.poster, request.poster != nil),
      (.firstPageTray, request.firstPageTray != nil),
      (.rotate, request.rotation != .none && turned.isEmpty),
    ]
    let typed = asked.first { $0.1 && request.fromSettings[$0.0.rawValue] == nil }
    guard let option = typed?.0 else { return }
    throw .usage(
      "--\(option.rawValue): the file is sent unchanged, with all its pages as they are.")
  }

  /// The failure for a file that isn't read here, of types that the printer does not list.
  private func unlisted(_ types: [String], _ language: PrinterLanguage?) -> Failure {
    if let from = request.from, !request.isRaw {
      return .notSupported(
        "--from \(from): neither \(printer) nor airprint reads it. The printer supports \(formats); airprint check "
          + "--formats shows what airprint reads.")
    }
    guard let language, !request.isRaw else {
      return .notSupported("-o raw: \(printer) supports \(formats), and not \(types[0]).")
    }
    let takesAll = [DocumentFormat.octets, DocumentFormat.cupsRaw].contains(
      where: capabilities.formats.contains)
    let advice = [
      types[0].hasPrefix("application/x-") ? nil : "print it on a printer that lists \(types[0])",
      takesAll ? "if this one reads it all the same, send it with -o raw" : nil,
      "--from txt prints its source",
    ].compactMap(\.self)
    return .document(
      "The file is \(language.name), a language of printers, and \(printer) supports \(formats): "
        + advice.joined(separator: "; ") + ".")
  }

  /// Refuses a CUPS queue without a driver, which passes files on unchanged, and lists every format of its server.
  ///
  /// The formats that its device reads are unknown, unless that is an IPP printer.
  private func refuseRawQueue() throws(Failure) {
    guard capabilities.isQueue, capabilities.makeAndModel == "Local Raw Printer",
      let device = capabilities.attributes.string("device-uri")
    else { return }
    let scheme = String(device.prefix { $0 != ":" }).lowercased()
    guard !["ipp", "ipps", "http", "https", "dnssd"].contains(scheme) else { return }
    throw .refused(
      "\(printer) is a raw CUPS queue: it passes files on unchanged (\(scheme)), and does not report "
        + "what the printer reads. "
        + "Give the queue a driver, or send a file for this printer with -o raw.")
  }

  private mutating func askedFormat(_ asked: String, _ draft: Ticket) throws(Failure)
    -> FormatChoice
  {
    let option = "--format \(request.format.rawValue)"
    guard isOffered(asked, draft) else {
      throw .notSupported("\(option): \(printer) does not support it; it supports \(formats).")
    }
    if asked == DocumentFormat.jpeg, draft.sidesOfPages * request.copies > 1 {
      throw .usage("\(option): a JPEG holds one page; print one with --pages.")
    }
    let isRewritten = decoration != nil && wouldGoThrough(as: asked, draft)
    because(
      "format: \(asked)\(askedFor(.format))"
        + (isRewritten ? "; rewritten, because \(decoration ?? "") is drawn on its pages" : ""))
    if asked == document.mediaType, DocumentFormat.isRaster(asked) {
      guard let why = obstacle(to: asked, draft) else { return (asked, true) }
      because("format: the raster is drawn again, \(why)")
      return (asked, false)
    }
    return (asked, goesThrough(as: asked, draft))
  }

  private var formats: String {
    capabilities.formats.isEmpty ? "no format" : capabilities.formats.inWords()
  }

  /// Returns true if the printer supports a format, on both sides if that is requested: without a DM token there is no
  /// two-sided URF (apple/cups#4357).
  private func isOffered(_ format: String, _ draft: Ticket) -> Bool {
    guard capabilities.formats.contains(format),
      request.firstPageTray.map({ takes(format, firstFrom: $0) }) ?? true
    else { return false }
    return switch format {
    case DocumentFormat.urf:
      capabilities.urf.map { !draft.sides.isDuplex || $0.sheetBack != nil } ?? false
    case DocumentFormat.pwg: capabilities.pwg != nil
    default: true
    }
  }

  /// Returns true if the file is sent to the printer unchanged.
  private func goesThrough(as format: String, _ draft: Ticket) -> Bool {
    decoration == nil && wouldGoThrough(as: format, draft)
  }

  /// Returns true if the document already has this format and needs no changes that the printer does not make itself,
  /// assuming that nothing is drawn on its pages.
  private func wouldGoThrough(as format: String, _ draft: Ticket) -> Bool {
    guard document.mediaType == format, !DocumentFormat.isRaster(format),
      !draft.paper.isRoll || format == DocumentFormat.text,
      !document.isLocked, !isReordered, !isArranged,
      request.scaling.map(capabilities.scalings.contains) ?? true
    else { return false }
    let whole = draft.pages.count == document.pages.count
    let grayIsTheirs =
      draft.color == .color || !capabilities.isColor
      || capabilities.colorModes.contains(draft.colorKeyword)
    let copiesAreTheirs =
      request.copies == 1 || makesCopies(ofSheets: draft.pages.count > 1)
    // Which pages overrides counts is left open.
    let ranges = capabilities.takesPageRanges && request.firstPageTray == nil
    return (whole || format == DocumentFormat.pdf && ranges) && grayIsTheirs
      && copiesAreTheirs && (format != DocumentFormat.jpeg || readsPicture(scaled: draft.scaling))
  }

  /// Returns the reason why another program's raster can't be sent to the printer unchanged; nil if it can.
  ///
  /// Its pages are final, so it must be exactly what airprint would send.
  private func obstacle(to format: String, _ draft: Ticket) -> String? {
    guard isOffered(format, draft) else { return "the printer does not take it" }
    guard let raster = document.raster else {
      return "its pages differ, or are neither 8-bit gray nor 24-bit color"
    }
    let kinds = capabilities.raster(format)
    let isTaken = raster.isGray ? kinds?.gray : kinds.map { $0.color && !$0.isCMYK }
    let paper = draft.paper.size
    let isThePaper = document.pages.allSatisfy {
      abs($0.size.width - paper.width.points) <= MediaSize.close.points
        && abs($0.size.height - paper.length.points) <= MediaSize.close.points
    }
    return if kinds?.resolutions.contains(raster.resolution) != true {
      "the printer does not print \(raster.resolution)"
    } else if isTaken != true {
      "the printer takes no \(raster.isGray ? "gray" : "color") raster"
    } else if draft.color == .gray && !raster.isGray {
      "it is in color, and gray was requested"
    } else if draft.paper.isRoll || !isThePaper {
      "its pages are not of the paper's size"
    } else if raster.sides != draft.sides {
      "it is made for other sides (\(raster.sides.rawValue))"
    } else if raster.sides.isDuplex && (kinds?.sheetBack != .normal || raster.turnsBacks) {
      "its back sides may not be turned as the printer wants them"
    } else if request.copies > 1 || draft.pages.count < document.pages.count || isReordered {
      "copies and pages are chosen here"
    } else if isArranged || request.firstPageTray != nil
      || ![Scaling.auto, .none].contains(request.scaling ?? .auto)
      || decoration != nil
    {
      "its pages have to be changed"
    } else {
      nil
    }
  }

  /// Returns true if the printer supports this JPEG: it may not support all (`jpeg-features-supported`, PWG 5100.13).
  ///
  /// What it does not report is tried if the picture can't be drawn.
  private func readsPicture(scaled scaling: Scaling) -> Bool {
    guard let image = document.image, let jpeg = image.jpeg else { return false }
    let support = capabilities.jpeg
    let isTried = !document.canBeDrawn && support.features.isEmpty
    func reads(_ feature: String) -> Bool { isTried || support.features.contains(feature) }
    return (jpeg.isBaseline || reads("progressive"))
      && (jpeg.components != 4 || reads("cmyk"))
      && (!jpeg.hasProfile || reads("icc"))
      && jpeg.orientation == 1
      && jpeg.octets <= support.maximumOctets ?? Int.max
      && support.widths?.contains(image.width) ?? true
      && support.heights?.contains(image.height) ?? true
      && (capabilities.scalings.contains(scaling)
        || !document.canBeDrawn && request.scaling == nil)
  }
}
