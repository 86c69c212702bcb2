internal import PrintModel

// The choice of paper if none was requested, and the attributes sent for it.

extension Negotiator {
  /// Returns the media to choose from: the loaded ones.
  ///
  /// If the printer does not report them, its default serves the types that it suits, and its supported media serve the
  /// others. Exit 75 for envelopes and postcards of unknown size.
  func unaskedPool(_ type: JobType, _ firstPage: PageSize) throws(Failure) -> [Paper] {
    if capabilities.reportsReady { return capabilities.ready }
    let usual = [capabilities.defaultPaper].compactMap { $0 }
    let regional = capabilities.possible.filter { $0.size.matches(region.sheet) }
    // Labels, envelopes and cards come in many sizes: one for which the page was made is not a guess.
    if [.label, .envelope, .postcard].contains(type), !document.reflows, document.image == nil {
      let made = capabilities.possible.filter {
        rank($0, type) == 0 && PageFit(firstPage.media, on: $0).isSameSize
          && !$0.size.isOfficeSheet
      }
      if !made.isEmpty { return made }
    }
    if usual.contains(where: { rank($0, type) == 0 }) { return usual }
    let suited = capabilities.possible.filter { rank($0, type) == 0 }
    if type == .envelope { return try listed([region.envelope], among: suited, type) }
    if type == .postcard {
      let cards = [region.postcard, Region.a4.postcard, Region.letter.postcard]
      return try listed(cards, among: suited, type)
    }
    // A document's size is no reason to load a sheet of that size: the usual one is there.
    if type == .document {
      let sheets = regional.filter { rank($0, type) == 0 }
      if !sheets.isEmpty { return sheets }
    }
    // Photo sheets are not loaded in a printer that does not support photo paper.
    let isGuessed = type != .photo || offersPhotoPaper
    return [isGuessed ? suited : [], usual, regional, capabilities.possible]
      .first { !$0.isEmpty } ?? []
  }

  private var offersPhotoPaper: Bool {
    capabilities.mediaTypes.contains(where: Paper.isPhotographic)
      || capabilities.sources.contains("photo")
      || capabilities.possible.contains(where: \.isPhotographic)
  }

  /// Returns the media of the first of these sizes that the printer supports.
  private func listed(
    _ sizes: [MediaSize], among suited: [Paper], _ type: JobType
  ) throws(Failure) -> [Paper] {
    for size in sizes {
      let papers = suited.filter { $0.size.matches(size) }
      if !papers.isEmpty { return papers }
    }
    let titles = suited.map(\.title).unique
    let known =
      titles.isEmpty
      ? "It lists no \(type.rawValue)s." : "It takes \(Array(titles.prefix(8)).inWords())."
    throw .notNow(
      "\(printer) does not report which \(type.rawValue) is loaded. \(known) Name the size with --paper."
    )
  }

  /// Returns the same sheet without margins if wanted.
  ///
  /// That is one listed by the printer, even if its entry for the tray has margins (SELPHY); else it is tried on
  /// request if the printer states margins of 0 on all sides and lists no sheet without them (HP's older inkjets, CUPS'
  /// issue 492).
  mutating func withoutBorders(_ paper: Paper, _ type: JobType) -> Paper {
    let isPhoto = type.prefersBorderless && rank(paper, type) == 0 && paper.isPhotoSized
    let isWanted = request.borderless ?? isPhoto
    guard isWanted, !paper.isBorderless, !paper.isRoll else { return paper }
    let isListed = capabilities.possible.contains {
      $0.isBorderless && !$0.isRoll && $0.size.matches(paper.size)
        && ($0.type == nil || paper.type == nil || $0.type == paper.type)
        && ($0.source == nil || paper.source == nil || $0.source == paper.source)
    }
    if isListed {
      because("borderless: \(printer) lists \(paper.title) without margins")
    } else if request.borderless == true, !paper.margins.areStated {
      because("borderless: \(printer) reports no margins; none are kept on \(paper.title)")
      var paper = paper
      paper.margins = .zero
      return paper
    } else if request.borderless == true, takesNoMargins {
      because("borderless: \(printer) states margins of 0; trying them on \(paper.title)")
    } else {
      return paper
    }
    var paper = paper
    paper.margins = .zero
    let rest = paper.column.filter { !Margins.members.contains($0.name) }
    paper.column = rest + Margins.members.map { Attribute($0, .integer(0)) }
    return paper
  }

  /// True if the printer states margins of 0 on all sides, but lists no sheet with them.
  private var takesNoMargins: Bool {
    !(capabilities.ready + capabilities.possible).contains(where: \.isBorderless)
      && Margins.members.allSatisfy {
        capabilities.attributes.numbers("\($0)-supported").contains(0)
          && capabilities.takesMember($0)
      }
  }

  /// If the same sheet is in several trays, lets the printer feed it from any of them: a named tray stops the job when
  /// it is empty.
  ///
  /// Sheets are the same if all reported properties are: yellow paper does not replace white paper.
  mutating func fromAnyTray(_ paper: Paper) -> Paper {
    guard request.tray ?? "auto" == "auto", request.firstPageTray == nil, paper.isReady,
      !paper.isRoll, let source = paper.source,
      source != "auto", capabilities.sources.contains("auto"),
      capabilities.takesMember("media-source")
    else { return paper }
    let stock = paper.stock
    let same = capabilities.ready.filter {
      $0.isReady && $0.size.matches(paper.size) && $0.type == paper.type
        && $0.margins == paper.margins && $0.source != nil && $0.source != "auto"
        && $0.stock == stock
    }
    let trays = Set(same.compactMap(\.source))
    guard trays.count > 1 || request.tray == "auto" else { return paper }
    because("tray: auto, \(paper.title) is in \(trays.sorted().inWords())")
    return MediumMember.tray(of: capabilities).set("auto", on: paper)
  }
}
