internal import PrintModel

// Chooses the best of several media for a page.

extension Negotiator {
  /// Returns the best of `pool` for a page, by suitability of the medium, then fit, then details.
  ///
  /// For a document, only media that keep nearly as much of its page as the best one are considered: an A4 page is not
  /// printed on a plain card while A4 photo paper is loaded.
  ///
  /// - `page`: the wanted size; nil for a picture that only has a shape.
  func nearest(
    _ type: JobType, pool: [Paper], page: MediaSize?, firstPage: PageSize
  ) -> Paper {
    let borderless = request.borderless ?? type.prefersBorderless
    let pool = withoutTwins(pool, borderless: borderless, type)
    let usual = usualSheet
    let bestShape = nearestShape(of: firstPage, in: pool, type)
    let least = page.map { Negotiator.mostShrunk * mostKept(of: $0, in: pool, type) } ?? 0
    func key(_ index: Int) -> [Double] {
      let paper = pool[index]
      let rank = rank(paper, type)
      let page = page.map { lying($0, on: paper, type) }
      let fit = page.map { PageFit($0, on: paper) }
      let suits = page.map { suitability(paper, for: $0, type) } ?? rank
      let isShrunk =
        type == .document && suits < 2
        && page.map { PageFit.kept(of: $0, on: paper) < least } == true
      // Without photo paper, a picture is printed on the usual sheets, whatever their shape.
      let isForWant = page == nil && rank > 0
      let isTooLarge = isForWant && paper.size.area > 1.1 * MediaSize.largestUsual
      let isUnusual = isForWant && type == .photo && !PageFit(usual, on: paper).isSameSize
      return [
        Double(type == .document && suits < 2 ? 0 : suits),
        isShrunk ? 1 : 0,
        Double(suits),
        isTooLarge ? 1 : 0,
        isUnusual ? 1 : 0,
        isForWantOfPlain(paper, fit, type) ? 1 : 0,
        fit.map { Double($0.rawValue) }
          ?? max(bestShape, PageFit.shapeDistance(firstPage.media, paper.size)),
        Double(rank),
        paper.isReady || isRegional(paper) ? 0 : 1,
        fit.map {
          waste($0, of: paper, for: page, least: type == .document ? least : .infinity)
        } ?? 0,
        paper.source.map { capabilities.emptySources.contains($0) } == true ? 1 : 0,
        paper.isBorderless == borderless ? 0 : 1,
        paper.isReady ? 0 : 1,
        type == .document ? Double(oddity(paper)) : 0,
        capabilities.defaultPaper?.type.map { $0 == paper.type ? 0 : 1 } ?? 0,
        isDefault(paper) ? 0 : 1,
        page == nil ? distance(paper, type) : 0,
        [.nearSheet, .larger].contains(fit) && !isRegional(paper) ? 1 : 0,
        Double(TrayOrder.order(paper.source)),
        Double(index),
      ]
    }
    let keyed = pool.indices.map { (paper: pool[$0], key: key($0)) }
    return (keyed.min { $0.key.lexicographicallyPrecedes($1.key) } ?? keyed[0]).paper
  }

  /// Returns the difference in shape up to which media are equally good for a picture: 3 % more than the nearest one
  /// among the best suited.
  ///
  /// So A3 is not chosen for a photo if there is 5x7 with a shape that is 1 % off.
  private func nearestShape(of page: PageSize, in pool: [Paper], _ type: JobType) -> Double {
    let best = pool.map { rank($0, type) }.min()
    let suited = pool.filter { rank($0, type) == best }
    return (suited.map { PageFit.shapeDistance(page.media, $0.size) }.min() ?? 0) + 0.03
  }

  /// Returns true for photo paper if a large-format drawing doesn't need it, and for media that are too small for it:
  /// the narrower roll may be the expensive one.
  private func isForWantOfPlain(_ paper: Paper, _ fit: PageFit?, _ type: JobType) -> Bool {
    let isDrawing = document.image == nil || request.type == nil && document.guessedType != .photo
    guard type == .largeFormat, isDrawing, let fit else { return false }
    return paper.isPhotographic || fit == .narrowRoll || fit == .smaller
  }

  /// Returns a page as it lies on a medium: along a roll that is narrower than the page, if it fits better that way.
  func lying(_ page: MediaSize, on paper: Paper, _ type: JobType) -> MediaSize {
    guard paper.isRoll, !document.reflows,
      RollScale.isTurned(page, on: paper, for: type, request.orientation)
        != request.rotation.isAcross
    else { return page }
    return page.rotated
  }

  /// Returns the suitability of a medium for the type: `JobType.rank`.
  ///
  /// If a printer has only one kind, all of its media are made for that kind; a driver's queue for labels does not
  /// state that in each entry.
  func rank(_ paper: Paper, _ type: JobType) -> Int {
    let rank =
      capabilities.types == [type] && type != .document && !paper.isDisc
      ? 0 : type.rank(paper)
    return isPoster(paper, type) ? max(1, rank) : rank
  }

  /// Returns true if a picture would become a poster that nobody requested: on a plotter's roll.
  func isPoster(_ paper: Paper, _ type: JobType) -> Bool {
    (type == .photo || document.image != nil) && request.type == nil && paper.isRoll
      && paper.isLarge
  }

  /// Returns the suitability of a medium for a page of the type: its rank, but 0 if the page was made for it.
  ///
  /// A banner is only for pages that are as long.
  func suitability(_ paper: Paper, for page: MediaSize, _ type: JobType) -> Int {
    if isMade(paper, for: page, type) { return 0 }
    let isBanner =
      type == .document && !paper.isRoll && paper.size.isBanner && !page.isBanner
    return max(rank(paper, type), isBanner ? 2 : 0)
  }

  /// Returns true if a document's page was made for the loaded envelope, label or card: it has its size.
  ///
  /// Media of sizes that documents have must be requested, and so must photo paper: a page of 4x6 inches is more often
  /// a shipping label than a photo. Postcards are used, glossy or not. Text has no page.
  private func isMade(_ paper: Paper, for page: MediaSize, _ type: JobType) -> Bool {
    type == .document && !document.reflows && !paper.isRoll && !paper.isDisc
      && (paper.isEnvelope && !page.isOfficeSheet
        || paper.isPhotoSized
          && (!paper.isPhotographic || paper.isMailCard
            || request.paper.contains(.best)))
      && PageFit(page, on: paper).isSameSize
  }

  /// Least scale at which a medium is considered as good as another: a tenth smaller.
  private static let mostShrunk = 0.9

  /// Returns the share of its size that a page keeps on the best medium of `pool`.
  ///
  /// Photo paper only counts if other paper would reduce an A3 page to less than A4.
  private func mostKept(of page: MediaSize, in pool: [Paper], _ type: JobType) -> Double {
    let suited = pool.filter { suitability($0, for: page, type) < 2 }
    func most(_ papers: [Paper]) -> Double? { papers.map { PageFit.kept(of: page, on: $0) }.max() }
    let kept = most(suited.filter { !$0.isPhotographic || suitability($0, for: page, type) == 0 })
    if let kept, kept >= 0.7 { return kept }
    return most(suited) ?? 1
  }

  /// Returns the waste of a medium: of larger sheets the smallest is best, of rolls the narrowest that holds the page,
  /// of media that are too small the one that shrinks it least.
  ///
  /// A4 and Letter count as one size, and so do sheets that shrink a document nearly equally: narrower margins in the
  /// by-pass tray are no reason to print from there.
  ///
  /// - `least`: the least share of its size that a page keeps on any of those.
  private func waste(
    _ fit: PageFit, of paper: Paper, for page: MediaSize?, least: Double
  ) -> Double {
    switch fit {
    case .nearSheet where page.map { PageFit.holds($0, paper) } == false:
      Double.greatestFiniteMagnitude
    case .nearSheet, .larger:
      paper.size.isOfficeSheet ? MediaSize.largestUsual : paper.size.area
    case .roll, .wideRoll: Double(paper.size.width.count)
    case .smaller where page.map { PageFit.kept(of: $0, on: paper) >= least } == true: -1
    case .narrowRoll, .smaller: page.map { -PageFit.scale($0, on: paper) } ?? 0
    default: 0
    }
  }

  /// Removes entries whose twin has the preferred margins.
  ///
  /// Borderless printing is slow and goes over the edge, so documents get the entry with margins if the same tray
  /// offers both, and photos the one without. If margins are requested, they may come from any tray with the size, but
  /// for a document not with photo paper.
  private func withoutTwins(_ pool: [Paper], borderless: Bool, _ type: JobType) -> [Paper] {
    pool.filter { paper in
      paper.isBorderless == borderless
        || !pool.contains {
          $0.isBorderless == borderless
            && ($0.isTwin(of: paper)
              || request.borderless != nil && !paper.isRoll && !$0.isRoll
                && $0.size.matches(paper.size)
                && (type != .document || rank($0, type) <= rank(paper, type)))
        }
    }
  }

  /// Returns how far a paper is from the region's, for comparing papers of the same shape.
  private func distance(_ paper: Paper, _ type: JobType) -> Double {
    let usual = type.prefersBorderless ? region.photo : region.sheet
    let size = paper.size
    return (size.width.distance(to: usual.width) + size.length.distance(to: usual.length)).points
  }

  /// Returns true for the sizes that are usual in the region, turned or not.
  private func isRegional(_ paper: Paper) -> Bool {
    [region.sheet, region.photo].contains { paper.size.matches($0) }
  }

  /// Returns how far a medium is from plain paper.
  ///
  /// 0 for plain or unspecified paper, 1 for variants such as recycled, 2 for paper with holes and for words that do
  /// not mean plain paper, 3 for heavy stock. The printer's default counts as plain unless it has holes.
  private func oddity(_ paper: Paper) -> Int {
    guard let type = paper.type?.lowercased() else { return 0 }
    let isPunched = type.contains("punched")
    if ["stationery", "plain", "auto", "unknown", "other"].contains(type) { return 0 }
    if ["heavy", "thick"].contains(where: type.contains) { return 3 }
    if paper.type == capabilities.defaultPaper?.type, !isPunched { return 0 }
    return Paper.isPlain(type) && !isPunched ? 1 : 2
  }

  private func isDefault(_ paper: Paper) -> Bool {
    guard let usual = capabilities.defaultPaper else { return false }
    return paper.size == usual.size && (usual.source == nil || paper.source == usual.source)
  }
}

extension MediaSize {
  /// True if it is half a meter or longer, and more than twice as long as wide.
  fileprivate var isBanner: Bool {
    let (short, long) = (min(width, length), max(width, length))
    return long > 50_000 && long.count > 2 * short.count
  }
  /// The area of A4.
  fileprivate static let largestUsual = 21_000.0 * 29_700
}

/// Trays in order of use: main trays before those that are fed by hand.
enum TrayOrder {
  static func order(_ source: String?) -> Int {
    guard let source = source?.lowercased() else { return 1 }
    if source.contains(anyOf: "manual", "by-pass", "bypass", "hand") { return 1_000 }
    if source.contains(anyOf: "side", "rear", "alternate", "front") { return 900 }
    if source == "auto" { return 800 }
    if source.hasPrefix("main") || source == "top" { return 0 }
    // tray-2 before tray-3.
    let number = source.split(separator: "-").last.flatMap { Int($0) }
    return number.map { min(max($0, 1), 99) } ?? 100
  }
}
