// Negotiation: turns the request, the printer's capabilities, the document and the region's usual paper into a Ticket
// with a reason for every choice. It is synchronous and has no side effects: the same four values result in the same
// ticket.

package import PrintModel
internal import PrintOptions

/// Decides how a job is printed, or why it can't be.
///
/// `region` decides if neither the request, the document nor the printer does. Exit 64 for an option that is invalid
/// here, 65 for pages without a usable size, 75 for paper that is not loaded, 76 for a printer that accepts nothing
/// that airprint can send.
package func negotiate(
  _ request: PrintRequest, document: DocumentInfo, with capabilities: Capabilities, region: Region
) throws(Failure) -> Ticket {
  if document.copies > 1, !request.given.contains(PrintOption.copies.rawValue) {
    var wished = request
    wished.copies = document.copies
    wished.give(PrintOption.copies.rawValue, from: "the document")
    // A wish is no reason to refuse anything.
    if let ticket = try? negotiate(
      wished, document: document, with: capabilities, region: region)
    {
      return ticket
    }
  }
  let ticket = try agree(request, document, capabilities, region)
  if request.preset == nil,
    let trigger = capabilities.triggers.first(where: { trigger in
      capabilities.presets.contains { $0.name == trigger.preset }
        && trigger.isMet(by: ticket.attributes)
    })
  {
    var triggered = request
    triggered.preset = trigger.preset
    triggered.give(PrintOption.preset.rawValue, from: "the printer, for such a job", isWish: false)
    if let ticket = try? agree(triggered, document, capabilities, region) { return ticket }
  }
  return ticket
}

private func agree(
  _ request: PrintRequest, _ document: DocumentInfo, _ capabilities: Capabilities, _ region: Region
) throws(Failure) -> Ticket {
  var request = request
  let preset = try PresetChoice(for: &request, of: capabilities)
  // What is typed comes before a setting.
  let leavesBooklet =
    request.isBooklet && !request.isTyped("booklet") && request.isTyped("number-up")
  if request.isTyped("booklet"), request.isTyped("number-up"), request.isBooklet,
    request.numberUp != 2 || request.grid != nil
  {
    throw .usage("--booklet and --number-up: a booklet has two pages on each side.")
  }
  if leavesBooklet { request.isBooklet = false }
  if request.isBooklet {
    (request.numberUp, request.grid) = (2, nil)
    // Its sheets are turned over their short edge.
    let isOne = request.sides == .one && request.fromSettings["sides"] == nil
    if request.sides != .long, !isOne { request.sides = .short }
  }
  var negotiator = Negotiator(
    request: request, document: document, capabilities: capabilities, region: region,
    preset: preset)
  if leavesBooklet { negotiator.because("booklet: left out, because of number-up") }
  var agreement = Agreement(negotiator)
  return try agreement.ticket()
}

/// The state of one negotiation: the four inputs, and the reasons collected so far.
struct Negotiator {
  var request: PrintRequest
  let document: DocumentInfo
  var capabilities: Capabilities
  let region: Region
  let preset: PresetChoice
  /// What the printer does not combine with the rest of the job, and is therefore replaced.
  var replacements = Replacements()
  /// True if the printer does not serve the document's type: the user did not request this type's cropping.
  var isSwapped = false
  private(set) var reasons: [String] = []
  private(set) var ledger = Ledger()

  /// Returns the end of a reason: the file of the option if it is a setting rather than typed for this job, or why it
  /// is neither.
  func askedFor(_ option: PrintOption) -> String {
    if let replacement = replacements.options[option] { return ", \(replacement.reason)" }
    return request.fromSettings[option.rawValue].map { ", from \($0)" } ?? ", as requested"
  }

  /// The end of a refusal: the setting that asked for what is refused; nothing if the user did.
  func origin(of option: PrintOption, _ noun: String) -> String {
    request.fromSettings[option.rawValue].map { " The \(noun) is from \($0)." } ?? ""
  }

  mutating func because(_ reason: String) { reasons.append(reason) }

  /// Takes the reason for a choice back, without its name, to be given together with a later one.
  mutating func withdraw(_ choice: String) -> Substring? {
    guard let place = reasons.firstIndex(where: { $0.hasPrefix("\(choice): ") }) else { return nil }
    return reasons.remove(at: place).dropFirst(choice.count + 2)
  }

  /// True if nothing of the document is read here.
  var isRaw: Bool { request.isRaw || document.isRaw }

  /// Adds a warning for the user before the paper comes out: a sentence.
  mutating func warn(_ sentence: String) { ledger.add(.note(sentence)) }

  /// Reports a loss, or refuses it with `--strict`.
  mutating func lose(_ loss: Loss) throws(Failure) {
    try ledger.add([loss], strict: request.strict)
  }

  /// Replaces an option that is not available and reports that, or refuses it with `--strict`: another printer may have
  /// it.
  ///
  /// A setting applies to all printers, so its replacement needs no warning.
  ///
  /// - `typed`: what the user types for it, if that is not the option's name.
  mutating func replaced(
    _ option: PrintOption, typed: String? = nil, _ reason: String
  ) throws(Failure) {
    let typed = typed ?? "--\(option.rawValue)"
    if request.strict {
      // No substitute is used in this case.
      let why = reason.split(separator: "; ")[0]
      throw .notSupported("\(typed) with --strict: \(why).")
    }
    because("\(option.rawValue): \(reason)")
    if request.fromSettings[option.rawValue] == nil { warn("\(typed): \(reason).") }
  }

  /// The printer's name in a sentence.
  var printer: String { capabilities.title }

  /// Makes all other choices for a sheet.
  mutating func ticket(on sheet: Ticket) throws(Failure) -> Ticket {
    var ticket = try draft(on: sheet)
    let (type, paper) = (ticket.type, ticket.paper)
    ticket.isRaw = isRaw
    ticket.isBitonal = isBitonal(ticket)
    ticket.isCMYK =
      ticket.format == DocumentFormat.pwg && ticket.rasterColor == .color
      && !ticket.isPassedThrough && capabilities.pwg?.isCMYK == true
    if ticket.isCMYK { because("color: cyan, magenta, yellow and black, mixed here") }
    if ticket.isBitonal { because("color: one bit a pixel, tones as dots") }
    ticket.text = try chooseText(type)
    ticket.isAddress =
      document.mediaType == DocumentFormat.text
      && ([.envelope, .label].contains(type) || request.grid != nil && !ticket.text.numbersLines)
      && !paper.isRoll
    ticket.numberUp = try chooseNumberUp(ticket)
    if ticket.numberUp > 1 { ticket.grid = request.grid }
    try chooseOrder(&ticket)
    try chooseFrame(&ticket)
    try explainStamps(on: ticket.pages)
    ticket.isAtTop = (request.position ?? .center) == .top
    ticket.isUncollated = request.isUncollated
    ticket.repeats = try chooseRepeats(ticket)
    ticket.exactScale = pixelForPixel(ticket)
    ticket.largestScale = largestScale(type, paper)
    if paper.isRoll {
      ticket.cutsAtContent = request.cutLength == .auto
      ticket.keepsPageLength = ticket.cutsAtContent && statesLength(type)
      ticket.paper = try cut(ticket)
    }
    try explainScaling(ticket)
    ticket.attributes = try attributes(for: ticket)
    (ticket.title, ticket.user) = (request.title, request.user)
    explainRequest(ticket)
    ticket.reasons = reasons
    ticket.ledger = ledger
    return ticket
  }

  /// Lists what was requested and needs no choice.
  private mutating func explainRequest(_ ticket: Ticket) {
    if request.pages != nil {
      because("pages: \(ticket.pages.count) of \(document.pages.count)\(askedFor(.pages))")
    }
    if request.orientation != .auto {
      because("orientation: \(request.orientation.rawValue)\(askedFor(.orientation))")
    }
    if let title = request.title { because("job-name: \"\(title)\"\(askedFor(.title))") }
    if let user = request.user { because("user: \(user)\(askedFor(.user))") }
  }

  /// Chooses the type, the pages and the paper, in this order: what does not depend on how pages are drawn.
  mutating func sheet() throws(Failure) -> Ticket {
    try checkPages()
    if isRaw { try refuseUnread() }
    for correction in capabilities.corrections { because("printer: \(correction)") }
    if let reason = preset.reason { because("preset: \(reason)") }
    let type = try chooseType()
    let pages = try choosePages()
    if !isRaw { try chooseFirstTray(pages: pages.count) }
    var paper = try cutAsAsked(choosePaper(type, firstPage: firstPage(of: pages)))
    try checkMargins(of: paper)
    let firstPaper = try chooseFirstPaper(&paper)
    var sheet = Ticket(type: type, paper: paper, pages: pages)
    sheet.firstPaper = firstPaper
    return sheet
  }

  /// Makes the choices that depend on each other, in this order: color, quality, sides, scaling, format, resolution.
  private mutating func draft(on sheet: Ticket) throws(Failure) -> Ticket {
    let (type, pages, paper) = (sheet.type, sheet.pages, sheet.paper)
    var ticket = sheet
    ticket.copies = request.copies
    ticket.orientation = request.orientation
    ticket.turnsClockwise = capabilities.landscapeOrientation == 5
    ticket.rotation = try chooseRotation(on: paper)
    if paper.isRoll, request.isBooklet {
      try leaveOut(.booklet, "a roll has no sheets to fold")
      (request.isBooklet, request.numberUp) = (false, 1)
      if !request.given.contains("sides") { request.sides = nil }
    }
    request.poster = try choosePoster(on: paper, pages: pages.count)
    ticket.poster = request.poster
    (ticket.color, ticket.colorKeyword) = try chooseColor(type)
    ticket.quality = try chooseQuality(type)
    ticket.sides = try chooseSides(pages: pages.count, paper: paper)
    if ticket.sides.isDuplex { widenMargins(of: &ticket.paper) }
    ticket.scaling = chooseScaling(ticket)
    try checkShape(of: paper)
    (ticket.format, ticket.isPassedThrough) = try chooseFormat(ticket)
    ticket.resolution = try chooseResolution(ticket)
    if ticket.isPassedThrough, let raster = document.raster {
      ticket.resolution = raster.resolution
    }
    ticket.rasterColor = rasterColor(ticket)
    ticket.sheetBack = capabilities.raster(ticket.format)?.sheetBack ?? .normal
    return ticket
  }

  /// Checks the pages' sizes, which are untrusted: every number below depends on them.
  private func checkPages() throws(Failure) {
    guard !document.pages.isEmpty else { throw .document("The document has no pages.") }
    // From a hundredth of a point to 3.5 km.
    let sensible = 0.01...1e7
    for (index, page) in document.pages.enumerated() {
      guard sensible.contains(page.size.width), sensible.contains(page.size.height) else {
        throw .document("Page \(index + 1) of the document has no usable size.")
      }
    }
  }

  /// Returns the requested pages without those that can't be drawn; these, and what else is missing from the document,
  /// are losses.
  ///
  /// Exit 65 if no page is left.
  private mutating func choosePages() throws(Failure) -> [Int] {
    let asked = try askedPages()
    try ledger.add(document.losses(on: asked), strict: request.strict)
    let pages = asked.filter { document.pages[$0].problem == nil }
    if pages.isEmpty, let problem = document.pages[asked[0]].problem {
      throw .document(problem)
    }
    return pages
  }

  /// Returns the style of text, without line numbers where it is not read line by line.
  ///
  /// Exit 64 for an option that was typed, and that such a document has no use for; a setting is ignored.
  private mutating func chooseText(_ type: JobType) throws(Failure) -> TextStyle {
    let isText = document.mediaType == DocumentFormat.text && !isRaw
    let hasLines = isText && ![.receipt, .label, .envelope].contains(type)
    let text = "plain text" + (isText ? ", and not with --type \(type.rawValue)" : "")
    let suited: [(option: PrintOption, suits: Bool, what: String)] = [
      (.font, isText, text), (.align, isText, text), (.textColor, isText, text),
      (.numberLines, hasLines, text),
      (.assets, document.namesFiles, "documents that name other files, such as HTML"),
    ]
    for (option, suits, what) in suited where !suits && request.isTyped(option.rawValue) {
      throw .usage("--\(option.rawValue): applies only to \(what).")
    }
    var style = request.text
    style.numbersLines = style.numbersLines && hasLines
    if style.numbersLines { because("text: its lines are numbered") }
    return style
  }

  /// Returns the page by which the paper is chosen.
  ///
  /// Text has no page size, and uses the usual sheet.
  func firstPage(of pages: [Int]) -> PageSize {
    guard document.reflows else { return document.pages[pages[0]].size }
    let size = usualSheet
    return PageSize(width: size.width.points, height: size.length.points)
  }

  /// The sheet for documents without a size: the default paper if it is loaded as plain paper, else of the loaded plain
  /// sheets the region's, A4 or Letter, or the one nearest to the region's.
  ///
  /// If none is plain, A4 or Letter of the others, and the default.
  var usualSheet: MediaSize {
    let sheets = capabilities.ready.filter { !$0.isRoll && !$0.isDisc }
    let plainSheets = sheets.filter { JobType.document.rank($0) == 0 }
    let plain = plainSheets.map(\.size)
    let usual = capabilities.defaultPaper.flatMap { $0.isRoll ? nil : $0.size }
    if plain.isEmpty {
      let loaded = capabilities.reportsReady ? sheets.map(\.size) : []
      return loaded.first { $0.matches(region.sheet) }
        ?? loaded.first(where: \.isOfficeSheet) ?? usual
        ?? nearestToUsual(capabilities.reportsReady ? sheets : []) ?? region.sheet
    }
    if let usual, plain.contains(where: { $0.matches(usual) }) { return usual }
    return plain.first { $0.matches(region.sheet) } ?? plain.first(where: \.isOfficeSheet)
      ?? nearestToUsual(plainSheets) ?? region.sheet
  }

  /// Returns the size of the smallest sheet that holds the region's, else of the one that keeps most of it: no postcard
  /// or banner if there is a sheet.
  private func nearestToUsual(_ sheets: [Paper]) -> MediaSize? {
    func key(_ sheet: Paper) -> [Double] {
      // In hundredths: margins and rounding must not make a sheet smaller.
      let kept = (PageFit.kept(of: region.sheet, on: sheet) * 100).rounded()
      return [-kept, sheet.size.area, Double(TrayOrder.order(sheet.source))]
    }
    return sheets.min { key($0).lexicographicallyPrecedes(key($1)) }?.size
  }

  /// Returns true for dots if the printer accepts nothing else, or prints everything as dots: a thermal printer that
  /// states one bit prints pictures better with airprint's dots than with its own.
  private func isBitonal(_ ticket: Ticket) -> Bool {
    guard ticket.format == DocumentFormat.pwg, !ticket.isPassedThrough, let pwg = capabilities.pwg,
      pwg.bitonal
    else { return false }
    return !pwg.gray && !pwg.color || ticket.color == .gray && printsDots(ticket.type)
  }

  func printsDots(_ type: JobType) -> Bool {
    [.label, .receipt].contains(type) && capabilities.pwg?.bitonal == true && !capabilities.isColor
  }

  /// Returns gray if the format supports it on this printer and the page is gray, or if it supports nothing else.
  private func rasterColor(_ ticket: Ticket) -> ColorMode {
    if ticket.format == DocumentFormat.postscript {
      let isGrayTheirs = !capabilities.isColor || capabilities.colorModes.contains("monochrome")
      return isGrayTheirs ? .color : ticket.color
    }
    guard let kinds = capabilities.raster(ticket.format) else { return ticket.color }
    if ticket.color == .gray { return kinds.gray || !kinds.color ? .gray : .color }
    return kinds.color ? .color : .gray
  }
}
