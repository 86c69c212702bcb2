internal import ForeignText
package import PrintModel
internal import PrintOptions

extension Negotiator {
  /// Chooses the medium for the job: the requested one if it is loaded, else the best of the loaded ones.
  mutating func choosePaper(_ type: JobType, firstPage: PageSize) throws(Failure) -> Paper {
    let paper =
      try request.paper.isEmpty
      ? unaskedPaper(type, firstPage: firstPage) : askedPaper(type, firstPage: firstPage)
    return fromAnyTray(withoutBorders(paper, type))
  }

  private mutating func unaskedPaper(
    _ type: JobType, firstPage: PageSize
  ) throws(Failure) -> Paper {
    let pool = try narrowed(unaskedPool(type, firstPage))
    guard !pool.isEmpty else { return assumed(region.sheet) }
    let paper = asLabels(
      nearest(type, pool: pool, page: wanted(type, pool, firstPage), firstPage: firstPage), type)
    try checkLoaded(paper, type, firstPage)
    explain(paper, type, firstPage: firstPage, pool: pool)
    warnOfEmptyTray(paper)
    return paper
  }

  /// Checks that a type requested by name has its medium: an envelope is not printed on A4.
  ///
  /// A user who names a tray or a medium is assumed to know what it holds.
  private func checkLoaded(
    _ paper: Paper, _ type: JobType, _ firstPage: PageSize
  ) throws(Failure) {
    guard request.type == type, paper.isReady, !request.force, request.tray == nil,
      request.mediaType == nil
    else { return }
    let rank = suitability(paper, for: firstPage.media, type)
    guard rank >= 2 || type == .envelope && rank > 0 else { return }
    throw .mediaEmpty(
      "Nothing made for \(type.withArticle) is loaded in \(printer); loaded: \(loaded). "
        + "Load one, choose the paper with --paper, or use --force to print on \(place(paper)).")
  }

  /// The sheet as labels where they were asked for and nobody looks into the trays: a laser heats them in another way.
  private mutating func asLabels(_ paper: Paper, _ type: JobType) -> Paper {
    let types = MediumMember.type(of: capabilities)
    guard request.type == .label, type == .label, !paper.isReady, !paper.isRoll,
      !paper.isLabel, request.tray == nil, request.mediaType == nil,
      let labels = types.stated.first(where: { $0.lowercased().contains("label") })
    else { return paper }
    because("media-type: \(labels), for a label")
    // The tray is that of the usual sheet.
    return MediumMember.tray(of: capabilities).unset(on: types.set(labels, on: paper))
  }

  /// Warns about an empty tray whose settings are still reported.
  private mutating func warnOfEmptyTray(_ paper: Paper) {
    guard let tray = paper.source, capabilities.emptySources.contains(tray) else { return }
    if let warning = paper.emptyWarning(of: printer) { warn(warning) }
  }

  /// Checks the requested margins: they are a property of the paper, so an option for others is replaced.
  mutating func checkMargins(of paper: Paper) throws(Failure) {
    // If the printer states no margins, there may be none.
    guard let asked = request.borderless, asked != paper.isBorderless,
      !asked || paper.margins.areStated
    else {
      if let replacement = replacements.options[.borderless] {
        because("borderless: \(paper.isBorderless ? "yes" : "no"), \(replacement.reason)")
      }
      return
    }
    try replaced(
      .borderless, typed: asked ? "--borderless" : "--no-borderless",
      asked
        ? "\(printer) can't print \(paper.title) borderless"
        : "\(printer) prints \(paper.title) only borderless")
  }

  /// Replaces options that only apply to a sheet, or only to a roll.
  mutating func checkShape(of paper: Paper) throws(Failure) {
    if paper.isRoll, request.orientation == .landscape, document.reflows {
      try replaced(.orientation, "auto, lines of text run across a roll")
    }
    if !paper.isRoll, request.cutLength != .auto {
      try replaced(.cutLength, "\(paper.title) is not a roll and is not cut")
    }
  }

  /// Returns true for a photo, which has a shape but no size: it fills its medium.
  func isShapeOnly(_ type: JobType) -> Bool {
    document.image != nil && type.prefersBorderless
  }

  /// Returns the size for which a medium is chosen; nil for a photo, which only has a shape.
  private func wanted(_ type: JobType, _ pool: [Paper], _ firstPage: PageSize) -> MediaSize? {
    if isShapeOnly(type) {
      // If the loaded media are unknown, the size that is usual in the region is the best guess.
      return pool.contains { $0.isReady } ? nil : usualPhoto(in: pool, type)
    }
    let page = firstPage.media
    if type == .photo, !pool.contains(where: \.isReady),
      !pool.contains(where: { PageFit(page, on: $0).isSameSize })
    {
      return usualPhoto(in: pool, type)
    }
    guard type == .document, !pool.contains(where: { PageFit(page, on: $0).isSameSize })
    else {
      return page
    }
    let usual = Paper(name: "", size: usualSheet, margins: .zero, isReady: false)
    guard PageFit(page, on: usual) == .smaller else { return page }
    // The pixels of a picture are no reason for a sheet larger than usual, and neither is the size of a slide.
    return document.image != nil || page.isOfScreen ? usualSheet : page
  }

  /// Returns the region's photo size; 4x6 and 10x15 replace each other, and if a printer supports neither, the nearest
  /// size.
  private func usualPhoto(in pool: [Paper], _ type: JobType) -> MediaSize {
    let sizes = pool.filter { rank($0, type) == 0 && !$0.isRoll }.map(\.size)
    let usual = [region.photo, Region.letter.photo, Region.a4.photo]
    for size in usual {
      if let listed = sizes.first(where: { $0.matches(size) }) { return listed }
    }
    func distance(_ size: MediaSize) -> Hundredths {
      size.width.distance(to: region.photo.width) + size.length.distance(to: region.photo.length)
    }
    return sizes.min { distance($0) < distance($1) } ?? region.photo
  }

  /// Keeps the trays and media types that were requested.
  private func narrowed(_ pool: [Paper]) throws(Failure) -> [Paper] {
    // What is for the first page is not for the others.
    let others = request.tray == nil ? pool.filter { $0.source != request.firstPageTray } : pool
    let pool = request.firstPageTray == nil || others.isEmpty ? pool : others
    let inTray = try narrowed(pool, to: request.tray, by: .tray(of: capabilities))
    return try narrowed(inTray, to: request.mediaType, by: .type(of: capabilities))
  }

  private func narrowed(
    _ pool: [Paper], to typed: String?, by choice: MediumMember
  ) throws(Failure) -> [Paper] {
    guard let typed else { return pool }
    let origin = origin(of: choice.option, choice.noun)
    let wish = choice.keyword(typed)
    let chosen = pool.filter { $0[keyPath: choice.member] == wish }
    if !chosen.isEmpty { return chosen }
    // Any tray: the printer feeds from one that has the paper.
    if choice.isTray, wish == "auto", choice.stated.contains(wish) { return pool }
    guard choice.stated.contains(wish) else {
      throw .notSupported("\(printer) \(choice.lack(of: typed)).\(origin)")
    }
    // An entry without a tray can be fed from any tray.
    let open = pool.filter { $0[keyPath: choice.member] == nil }.map { choice.set(wish, on: $0) }
    if capabilities.reportsReady, !open.isEmpty { return open }
    guard !capabilities.reportsReady || request.force else {
      throw .mediaEmpty(
        "--\(choice.option.rawValue) \(typed): nothing that matches is loaded in \(printer); loaded: "
          + "\(loaded).\(origin)"
      )
    }
    // Nobody knows what the tray will hold: request the same sheets from there, as the printer lists them if it does.
    let listed = capabilities.possible.filter { paper in
      paper[keyPath: choice.member] == wish
        && pool.contains { $0.isRoll == paper.isRoll && $0.size == paper.size }
    }
    return listed.isEmpty ? pool.map { choice.set(wish, on: $0, isReady: false) } : listed
  }

  /// Why a medium may not be there.
  private var absence: String {
    capabilities.reportsReady ? "it is not loaded" : "the printer does not report what is loaded"
  }

  var loaded: String {
    capabilities.ready.map(place).unique.inWords()
  }

  /// Chooses the paper for `--paper`: the first entry that is loaded; if trays are not reported or with `--force`, the
  /// first that the printer supports.
  private mutating func askedPaper(
    _ type: JobType, firstPage: PageSize
  ) throws(Failure) -> Paper {
    let pool = try narrowed(capabilities.ready.filter(\.isReady)).filter(\.isReady)
    if let paper = first(of: request.paper, in: pool, type, firstPage: firstPage) {
      because("paper: \(place(paper)) is loaded and was requested")
      warnOfEmptyTray(paper)
      return paper
    }
    let asked = request.paper.map(\.asked).inWords(joinedBy: "or")
    let origin = origin(of: .paper, "paper")
    if capabilities.reportsReady && !request.force {
      let possible = capabilities.ready + capabilities.possible
      let isPossible =
        !statesSizes || first(of: request.paper, in: possible, type, firstPage: firstPage) != nil
        || request.paper.contains { paper in
          capabilities.customSizes.contains { $0.contains(paper) }
        }
      let list = ShellWord.quoted((request.paper.map(\.asked) + ["best"]).joined(separator: ","))
      guard isPossible else {
        throw Failure(
          .notSupported,
          "\(printer) does not support \(request.paper.map(\.words).inWords(joinedBy: "or")) paper. "
            + "Loaded: \(loaded).\(origin)", hints: ["Take the nearest with --paper \(list)."])
      }
      let tray = request.tray.flatMap(Paper.inWords(tray:))
      throw Failure(
        .mediaEmpty,
        "\(asked) is not loaded in \(tray.map { "\($0) of \(printer)" } ?? printer); "
          + "loaded: \(loaded).\(origin)",
        hints: ["Load it, or take the nearest with --paper \(list)."])
    }
    let known =
      capabilities.ready + [capabilities.defaultPaper].compactMap(\.self) + capabilities.possible
    let wanted = known.filter { paper in request.paper.contains { $0.matches(paper) } }
    let possible = try narrowed(wanted.isEmpty ? known : wanted)
    var supported = first(of: request.paper, in: possible, type, firstPage: firstPage)
    if supported == nil, let customPaper { supported = try narrowed([customPaper]).first }
    if let paper = supported {
      because("paper: \(place(paper)) was requested; \(absence)")
      return paper
    }
    guard !statesSizes, possible.isEmpty, case .sheet(let size, _)? = request.paper.first else {
      throw .notSupported("--paper \(asked): \(printer) does not support this size.\(origin)")
    }
    return assumed(size)
  }

  /// True if `--cut-length` takes precedence over the length of `--paper`, unless only that was typed.
  private var choosesCut: Bool {
    request.cutLength != .auto
      && (request.fromSettings[PrintOption.cutLength.rawValue] == nil
        || request.fromSettings[PrintOption.paper.rawValue] != nil)
  }

  /// True if the printer states what sizes it supports, one by one or in ranges: it has no other.
  private var statesSizes: Bool {
    !capabilities.possible.isEmpty || !capabilities.customSizes.isEmpty
  }

  /// The first size of `--paper` that is among the printer's custom sizes.
  private var customPaper: Paper? {
    request.paper.lazy.compactMap(\.size)
      .compactMap { size in capabilities.customSizes.lazy.compactMap { $0.paper(of: size) }.first }
      .first
  }

  /// Returns the best medium for the first selector that matches one in `pool`.
  private func first(
    of selectors: [MediaSelector], in pool: [Paper], _ type: JobType, firstPage: PageSize
  ) -> Paper? {
    for selector in selectors {
      var matching = pool.filter(selector.matches)
      if matching.isEmpty, !request.force { matching = pool.filter(selector.isSamePhoto) }
      guard !matching.isEmpty else { continue }
      let page = selector.size ?? wanted(type, matching, firstPage)
      var paper = nearest(type, pool: matching, page: page, firstPage: firstPage)
      if paper.isRoll, let size = selector.size, !choosesCut {
        // 62x100mm on a 62 mm roll: the cut is requested, too.
        paper.size.length = size.length
        paper.cuts = size.length...size.length
      }
      return paper
    }
    return nil
  }

  /// Returns a medium with only the size, for a printer that lists no media.
  private mutating func assumed(_ size: MediaSize) -> Paper {
    because("paper: the printer lists no paper; \(MediaName.title(of: size)) is assumed")
    var margins = Margins.zero
    margins.areStated = false
    return Paper(name: MediaName.name(for: size), size: size, margins: margins, isReady: false)
  }

  func place(_ paper: Paper) -> String {
    paper.source.map { "\(paper.title) (\($0))" } ?? paper.title
  }

  private mutating func explain(
    _ paper: Paper, _ type: JobType, firstPage: PageSize, pool: [Paper]
  ) {
    func chosen(_ why: String) -> String {
      paper.isReady
        ? "paper: \(place(paper)) is loaded, \(why)"
        : "paper: \(place(paper)), \(why); \(absence)"
    }
    let tray = request.tray.map(MediumMember.tray(of: capabilities).keyword)
    if let tray, tray == paper.source {
      because(
        "paper: \(place(paper)) "
          + (paper.isReady
            ? "is loaded in the tray that was requested"
            : "is asked for from this tray; \(absence)"))
    } else if isShapeOnly(type) {
      let guess = "a usual size for \(type == .photo ? "photos" : "\(type.rawValue)s")"
      let why = paper.isReady ? "the nearest to the picture's shape" : guess
      because(chosen(why))
    } else if document.reflows, !paper.isRoll {
      let isUsual =
        PageFit(firstPage.media, on: paper).isSameSize && JobType.document.rank(paper) == 0
      let why = isUsual ? "the usual sheet" : "the best for text"
      because(chosen(why))
    } else {
      let fit = PageFit(lying(firstPage.media, on: paper, type), on: paper)
      // Lines are as wide as the roll.
      let made = document.image == nil ? "the document's page" : "the picture"
      let words = document.reflows && paper.isRoll ? "the loaded roll" : fit.words(of: made)
      because(chosen(words))
    }
    let others = Set(pool.filter(\.isReady).map(\.title)).subtracting([paper.title])
    warnOfMedium(paper, type, firstPage: firstPage)
    if !others.isEmpty { because("paper: also loaded: \(others.sorted().inWords())") }
  }
}

extension Negotiator {
  /// Warns if the job gets a medium that is not made for it.
  private mutating func warnOfMedium(_ paper: Paper, _ type: JobType, firstPage: PageSize) {
    guard paper.isReady else { return }
    hintAtPhotoPaper(paper, type, firstPage)
    let rank = suitability(paper, for: firstPage.media, type)
    // A printer that prints only photos prints the document as one.
    let isPrintedAsPhoto =
      request.type == nil && type == .photo && document.image == nil
    if isPrintedAsPhoto, paper.isPhoto {
      warnOfStock(paper, "photo paper")
    } else if type == .document, rank == 1 {
      let card = paper.isMailCard ? "a postcard" : nil
      warnOfStock(paper, paper.isPhotographic ? "photo paper" : paper.specialStock ?? card)
    } else if rank >= 2 || type == .envelope && rank > 0,
      // Who names a tray or a medium for a document knows what it holds.
      type != .document || request.tray == nil && request.mediaType == nil
    {
      // Labels on A4 sheets are no paper for a letter, which `A4` does not show.
      let stock = Paper.isPlain(paper.type) ? "" : paper.type.map { ", \($0)," } ?? ""
      warn(
        "Nothing made for \(type.withArticle) is loaded in \(printer); "
          + "\(place(paper))\(stock) is used.")
    } else if type == .photo, request.type == .photo, rank == 1 {
      warn("No photo paper is loaded in \(printer); \(place(paper)) is used.")
    }
  }

  /// Hints that the page has the size of loaded photo paper, which is not used automatically: the page may be a photo
  /// after all.
  private mutating func hintAtPhotoPaper(_ paper: Paper, _ type: JobType, _ page: PageSize) {
    guard type == .document, request.type == nil, !document.reflows, !paper.isPhotographic,
      !PageFit(page.media, on: paper).isSameSize
    else { return }
    let photo = capabilities.ready.first {
      $0.isReady && $0.isPhotographic && $0.isPhotoSized
        && PageFit(page.media, on: $0).isSameSize
    }
    guard let photo else { return }
    warn("\(place(photo)), photo paper, has the page's size: --type photo prints on it.")
  }

  /// Warns about a document on paper that is not plain, unless the user named a tray or a medium.
  private mutating func warnOfStock(_ paper: Paper, _ stock: String?) {
    guard let stock, request.tray == nil, request.mediaType == nil else { return }
    if paper.isPhoto, capabilities.ready.allSatisfy(\.isPhoto) {
      return warn("Only photo paper is loaded in \(printer); \(place(paper)) is used.")
    }
    let hasPlain = capabilities.ready.contains { JobType.document.rank($0) == 0 }
    warn(
      "No plain paper\(hasPlain ? " that holds the page" : "") is loaded in \(printer); "
        + "\(place(paper)), \(stock), is used.")
  }
}

extension PageFit {
  /// - `made`: what has the size, `the document's page`.
  fileprivate func words(of made: String) -> String {
    switch self {
    case .exact, .close: "the size of \(made)"
    case .rotatedExact, .rotatedClose: "the size of \(made), turned"
    case .nearSheet: "the nearest to the size of \(made)"
    case .officeSheet: "the usual size here"
    case .roll: "a roll as wide as \(made)"
    case .larger: "the nearest that holds \(made)"
    case .wideRoll: "a roll wider than \(made)"
    case .narrowRoll: "a roll narrower than \(made)"
    case .smaller: "the nearest size, smaller than \(made)"
    }
  }
}

extension MediaSize {
  /// True for a slide in landscape, whatever its exact size: 16:9, 16:10 or 4:3, and up to 70 cm wide (1920 points are
  /// 68); false for a size in which paper is made, either way round.
  fileprivate var isOfScreen: Bool {
    let shape: Double = width / max(1, length)
    let screens = [16.0 / 9, 16.0 / 10, 4.0 / 3]
    return width <= 70_000 && screens.contains { abs(shape / $0 - 1) < 0.005 }
      && !StandardMedia.all.contains { matchesEitherWay($0.size, within: MediaSize.close) }
  }
}

extension MediaSelector {
  /// `A4` as typed, `58 mm` for a roll.
  fileprivate var words: String {
    if case .roll(let width, _) = self { width.inMillimeters } else { asked }
  }

  var size: MediaSize? {
    if case .sheet(let size, _) = self { size } else { nil }
  }

  /// Returns true if a medium matches the request: a sheet within 0.5 mm either way round, a roll within 2 mm (an 80 mm
  /// roll is 79.5 to 80 mm wide).
  package func matches(_ paper: Paper) -> Bool {
    switch self {
    case .sheet(let size, _):
      !paper.isRoll && paper.size.matchesEitherWay(size)
        || paper.isRoll && paper.size.width == size.width
          && paper.cuts?.contains(size.length) == true
    case .roll(let width, _): paper.isRoll && paper.size.width.distance(to: width) <= 200
    case .best: true
    }
  }

  /// Returns true if a sheet is the photo paper that is called so elsewhere.
  package func isSamePhoto(as paper: Paper) -> Bool {
    guard let size, !paper.isRoll else { return false }
    return [size, size.rotated].contains { $0.isSamePhoto(as: paper.size) }
  }
}
