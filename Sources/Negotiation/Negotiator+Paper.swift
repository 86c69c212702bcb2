internal import PrintModel

extension Negotiator {
  /// The medium that the job gets: what was asked for if it is loaded, else the best of what is.
  mutating func choosePaper(_ rules: TypeRules, firstPage: PageSize) throws(Failure) -> Paper {
    guard request.paper.isEmpty else { return try askedPaper(rules, firstPage: firstPage) }
    let pool = try narrowed(unaskedPool(rules))
    guard !pool.isEmpty else { return assumed(region.sheet) }
    let paper = nearest(
      rules, pool: pool, page: wanted(rules, pool, firstPage), firstPage: firstPage)
    explain(paper, rules, firstPage: firstPage, pool: pool)
    return paper
  }

  /// Margins are the paper's: a wish for others is replaced.
  mutating func checkMargins(of paper: Paper) throws(Failure) {
    guard let wish = request.borderless, wish != paper.isBorderless else { return }
    try replaced(
      .borderless, typed: wish ? "--borderless" : "--no-borderless",
      "\(paper.title) at \(printer) has "
        + (wish ? "margins all the same" : "no entry with margins"))
  }

  /// Wishes that make sense on a sheet alone, or on a roll alone.
  mutating func checkShape(of paper: Paper) throws(Failure) {
    if paper.isRoll, request.orientation != .auto {
      try replaced(.orientation, "auto, pages are not turned on a roll")
    }
    if !paper.isRoll, request.cutLength != .auto {
      try replaced(.cutLength, "none, \(paper.title) is no roll and is not cut")
    }
  }

  /// A photo has a shape but no size of its own: it fills what it gets.
  private func isShapeOnly(_ rules: TypeRules) -> Bool {
    document.image != nil && rules.prefersBorderless
  }

  /// The size that a medium is looked for by; nil for a photo, which goes by its shape.
  private func wanted(_ rules: TypeRules, _ pool: [Paper], _ firstPage: PageSize) -> MediaSize? {
    if isShapeOnly(rules) {
      // Nobody knows what is loaded: the size that people use where this runs is the best guess.
      return pool.contains { $0.isReady } ? nil : region.photo
    }
    // A picture's pixels are no reason to take the largest sheet there is.
    let isPicture = document.image != nil && rules.type == .document
    let isTooLarge = pool.allSatisfy { Fit(firstPage.media, on: $0) == .smaller }
    return isPicture && isTooLarge ? usualSheet : firstPage.media
  }

  /// What can be chosen from when no paper was asked for: what is loaded. Where the printer does not
  /// say, its default serves the types that it suits, and what it takes serves the others.
  private func unaskedPool(_ rules: TypeRules) -> [Paper] {
    if capabilities.reportsReady { return capabilities.ready }
    let usual = [capabilities.defaultPaper].compactMap { $0 }
    if usual.contains(where: { rules.rank($0) == 0 }) { return usual }
    let suited = capabilities.possible.filter { rules.rank($0) == 0 }
    let regional = capabilities.possible.filter {
      $0.size.matches(region.sheet, within: MediaSize.near)
    }
    return [suited, usual, regional, capabilities.possible].first { !$0.isEmpty } ?? []
  }

  /// Leaves the trays and media types that were asked for.
  private func narrowed(_ pool: [Paper]) throws(Failure) -> [Paper] {
    let inTray = try narrowed(
      pool, by: request.tray, \.source, option: "--tray", stated: capabilities.sources)
    return try narrowed(
      inTray, by: request.mediaType, \.type, option: "--media-type",
      stated: capabilities.mediaTypes)
  }

  private func narrowed(
    _ pool: [Paper], by wish: String?, _ member: any KeyPath<Paper, String?> & Sendable,
    option: String, stated: [String]
  ) throws(Failure) -> [Paper] {
    guard let wish else { return pool }
    let chosen = pool.filter { $0[keyPath: member] == wish }
    if !chosen.isEmpty { return chosen }
    guard stated.contains(wish) else {
      let known = stated.isEmpty ? "it names none" : "it has \(stated.inWords())"
      throw Failure(.usage, "\(option) \(wish): \(printer) has no such one; \(known).")
    }
    // An entry that names no tray of its own can be fed from any.
    let open = pool.filter { $0[keyPath: member] == nil }
    if !open.isEmpty || request.force { return open.isEmpty ? pool : open }
    throw Failure(
      .notNow, "\(option) \(wish): nothing of it is loaded at \(printer), but \(loaded).")
  }

  /// What is loaded, in words.
  private var loaded: String {
    let entries = capabilities.ready.map { paper in
      paper.source.map { "\(paper.title) (\($0))" } ?? paper.title
    }
    var seen: Set<String> = []
    return entries.filter { seen.insert($0).inserted }.inWords()
  }

  /// `--paper`: the first entry that is loaded; then, where nobody looks into the trays or `--force`
  /// says so, the first that the printer takes.
  private mutating func askedPaper(
    _ rules: TypeRules, firstPage: PageSize
  ) throws(Failure) -> Paper {
    let pool = try narrowed(capabilities.ready.filter(\.isReady))
    if let paper = first(of: request.paper, in: pool, rules, firstPage: firstPage) {
      because("paper: \(place(paper)) is loaded and was asked for")
      return paper
    }
    let asked = request.paper.map(\.asked).inWords(joinedBy: "or")
    if capabilities.reportsReady && !request.force {
      throw Failure(
        .notNow,
        "\(asked) is not loaded at \(printer); loaded: \(loaded). Load it, or take the nearest with "
          + "--paper \(request.paper.map(\.asked).joined(separator: ",")),best.")
    }
    let possible = try narrowed(
      capabilities.ready + [capabilities.defaultPaper].compactMap { $0 } + capabilities.possible)
    if let paper = first(of: request.paper, in: possible, rules, firstPage: firstPage) {
      because(
        "paper: \(place(paper)) was asked for; "
          + (capabilities.reportsReady
            ? "it is not loaded" : "the printer does not say what is loaded"))
      return paper
    }
    guard possible.isEmpty, case .sheet(let size, _)? = request.paper.first else {
      throw Failure(.usage, "--paper \(asked): \(printer) does not take it.")
    }
    return assumed(size)
  }

  /// The best medium for the first wish that `pool` has one for.
  private func first(
    of wishes: [PaperWish], in pool: [Paper], _ rules: TypeRules, firstPage: PageSize
  ) -> Paper? {
    for wish in wishes {
      let matching = pool.filter(wish.matches)
      guard !matching.isEmpty else { continue }
      let page = wish.size ?? wanted(rules, matching, firstPage)
      var paper = nearest(rules, pool: matching, page: page, firstPage: firstPage)
      if paper.isRoll, let size = wish.size {
        // 62x100mm on a 62 mm roll: the cut is asked for too.
        paper.size.length = size.length
        paper.cuts = size.length...size.length
      }
      return paper
    }
    return nil
  }

  /// A printer that names no media at all gets the size, and nothing else.
  private mutating func assumed(_ size: MediaSize) -> Paper {
    because("paper: the printer names no paper; \(MediaName.title(of: size)) is assumed")
    return Paper(name: MediaName.name(for: size), size: size, margins: .zero, isReady: false)
  }

  /// The best of `pool` for a page, by rank of the medium, then fit, then the finer points.
  private func nearest(
    _ rules: TypeRules, pool: [Paper], page: MediaSize?, firstPage: PageSize
  ) -> Paper {
    let borderless = request.borderless ?? rules.prefersBorderless
    func key(_ index: Int) -> [Double] {
      let paper = pool[index]
      let rank = rules.rank(paper)
      let fit = page.map { Fit($0, on: paper) }
      // A document made for an envelope or a photo sheet finds it; any other leaves them alone.
      let isMadeForIt = rules.type == .document && rank == 1 && fit?.isSameSize == true
      let setAside = isMadeForIt ? 0 : rank
      return [
        Double(setAside),
        fit.map { Double($0.rawValue) } ?? Fit.shapeDistance(firstPage.media, paper.size),
        Double(rank),
        paper.isReady || isRegional(paper) ? 0 : 1,
        fit == .larger ? Double(paper.size.width * paper.size.length) : 0,
        fit == .smaller ? -(page.map { Fit.scale($0, on: paper) } ?? 0) : 0,
        paper.isBorderless == borderless ? 0 : 1,
        paper.isReady ? 0 : 1,
        isDefault(paper) ? 0 : 1,
        page == nil ? distance(paper, rules) : 0,
        paper.source == "auto" ? 1 : 0,
        Double(index),
      ]
    }
    let best = pool.indices.min { key($0).lexicographicallyPrecedes(key($1)) }
    return pool[best ?? 0]
  }

  /// Between papers of the same shape: how far a paper is from the region's.
  private func distance(_ paper: Paper, _ rules: TypeRules) -> Double {
    let usual = rules.prefersBorderless ? region.photo : region.sheet
    let size = paper.size
    return Double(abs(size.width - usual.width) + abs(size.length - usual.length))
  }

  /// Of the size that people use where this runs, turned or not.
  private func isRegional(_ paper: Paper) -> Bool {
    [region.sheet, region.photo].contains { paper.size.matches($0, within: MediaSize.near) }
  }

  private func isDefault(_ paper: Paper) -> Bool {
    guard let usual = capabilities.defaultPaper else { return false }
    return paper.size == usual.size && (usual.source == nil || paper.source == usual.source)
  }

  /// `A4 (tray main)`.
  private func place(_ paper: Paper) -> String {
    paper.source.map { "\(paper.title) (\($0))" } ?? paper.title
  }

  private mutating func explain(
    _ paper: Paper, _ rules: TypeRules, firstPage: PageSize, pool: [Paper]
  ) {
    let state =
      paper.isReady ? "is loaded" : "is what the printer takes; it does not say what is loaded"
    if isShapeOnly(rules) {
      let why = paper.isReady ? "the nearest to the picture's shape" : "a usual size for photos"
      because("paper: \(place(paper)) \(state), \(why)")
    } else {
      let fit = Fit(firstPage.media, on: paper)
      because("paper: \(place(paper)) \(state), \(fit.words)")
    }
    let others = Set(pool.filter(\.isReady).map(\.title)).subtracting([paper.title])
    if paper.isReady, rules.rank(paper) >= 2 || rules.type == .envelope && rules.rank(paper) > 0 {
      warn(
        "Nothing made for \(rules.type.withArticle) is loaded at \(printer); \(place(paper)) is used."
      )
    }
    if !others.isEmpty { because("paper: also loaded: \(others.sorted().inWords())") }
  }
}

extension Fit {
  fileprivate var words: String {
    switch self {
    case .exact, .close: "the size of the document's page"
    case .rotatedExact, .rotatedClose: "the size of the document's page, turned"
    case .roll: "a roll as wide as the document's page"
    case .larger: "the nearest that holds the document's page"
    case .scaledRoll: "a roll that the page is scaled to"
    case .smaller: "the nearest, smaller than the document's page"
    }
  }
}

extension PaperWish {
  var size: MediaSize? {
    if case .sheet(let size, _) = self { size } else { nil }
  }

  /// Whether a medium is what was asked for: a sheet within 0.5 mm either way round, a roll within 2 mm
  /// (an 80 mm roll is 79.5 to 80 mm wide).
  func matches(_ paper: Paper) -> Bool {
    switch self {
    case .sheet(let size, _):
      !paper.isRoll
        && (paper.size.matches(size, within: MediaSize.near)
          || paper.size.matches(size.rotated, within: MediaSize.near))
        || paper.isRoll && paper.size.width == size.width
          && paper.cuts?.contains(size.length) == true
    case .roll(let width, _): paper.isRoll && abs(paper.size.width - width) <= 200
    case .best: true
    }
  }
}
