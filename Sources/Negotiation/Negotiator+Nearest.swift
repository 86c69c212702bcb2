internal import PrintModel

// The one of several media that is the best for a page.

extension Negotiator {
  /// The best of `pool` for a page, by suitability of the medium, then fit, then the finer points.
  ///
  /// Of the media for a document only those come into question that keep nearly as much of its page as the best
  /// does: a plain card is no place for an A4 page while A4 photo paper is loaded.
  ///
  /// - `page`: the size that is looked for; nil for a picture that only has a shape.
  func nearest(
    _ rules: TypeRules, pool: [Paper], page: MediaSize?, firstPage: PageSize
  ) -> Paper {
    let borderless = request.borderless ?? rules.prefersBorderless
    let pool = withoutTwins(pool, borderless: borderless, rules)
    let usual = usualSheet
    let bestShape = nearestShape(of: firstPage, in: pool, rules)
    let least = page.map { Negotiator.mostShrunk * mostKept(of: $0, in: pool, rules) } ?? 0
    func key(_ index: Int) -> [Double] {
      let paper = pool[index]
      let rank = rank(paper, rules)
      let page = page.map { lying($0, on: paper, rules) }
      let fit = page.map { PageFit($0, on: paper) }
      let suits = page.map { suitability(paper, for: $0, rules) } ?? rank
      let isShrunk =
        rules.type == .document && suits < 2
        && page.map { PageFit.kept(of: $0, on: paper) < least } == true
      // Without paper for photos a picture goes on the usual sheets, whatever their shape.
      let isForWant = page == nil && rank > 0
      let isTooLarge = isForWant && paper.size.area > 1.1 * MediaSize.largestUsual
      let isUnusual = isForWant && rules.type == .photo && !PageFit(usual, on: paper).isSameSize
      return [
        Double(rules.type == .document && suits < 2 ? 0 : suits),
        isShrunk ? 1 : 0,
        Double(suits),
        isTooLarge ? 1 : 0,
        isUnusual ? 1 : 0,
        isForWantOfPlain(paper, fit, rules) ? 1 : 0,
        fit.map { Double($0.rawValue) }
          ?? max(bestShape, PageFit.shapeDistance(firstPage.media, paper.size)),
        Double(rank),
        paper.isReady || isRegional(paper) ? 0 : 1,
        fit.map {
          waste($0, of: paper, for: page, least: rules.type == .document ? least : .infinity)
        } ?? 0,
        paper.source.map { capabilities.emptySources.contains($0) } == true ? 1 : 0,
        paper.isBorderless == borderless ? 0 : 1,
        paper.isReady ? 0 : 1,
        rules.type == .document ? Double(oddity(paper)) : 0,
        capabilities.defaultPaper?.type.map { $0 == paper.type ? 0 : 1 } ?? 0,
        isDefault(paper) ? 0 : 1,
        page == nil ? distance(paper, rules) : 0,
        [.nearSheet, .larger].contains(fit) && !isRegional(paper) ? 1 : 0,
        Double(TrayOrder.order(paper.source)),
        Double(index),
      ]
    }
    let best = pool.indices.min { key($0).lexicographicallyPrecedes(key($1)) }
    return pool[best ?? 0]
  }

  /// Distance of shapes up to which one medium is as good as another for a picture: 3 % beyond the nearest of the best
  /// suited, so that A3 is not taken for a photo beside 5x7 whose shape is 1 % off.
  private func nearestShape(of page: PageSize, in pool: [Paper], _ rules: TypeRules) -> Double {
    let best = pool.map { rank($0, rules) }.min()
    let suited = pool.filter { rank($0, rules) == best }
    return (suited.map { PageFit.shapeDistance(page.media, $0.size) }.min() ?? 0) + 0.03
  }

  /// True for photo paper that a drawing of large format can do without, and for what is too small for it: the
  /// narrower roll may be the dear one.
  private func isForWantOfPlain(_ paper: Paper, _ fit: PageFit?, _ rules: TypeRules) -> Bool {
    let isDrawing = document.image == nil || request.type == nil && document.guessedType != .photo
    guard rules.type == .largeFormat, isDrawing, let fit else { return false }
    return paper.isPhotographic || fit == .narrowRoll || fit == .smaller
  }

  /// A page as it lies on a medium: along a roll that is narrower than it, where it fits better so.
  func lying(_ page: MediaSize, on paper: Paper, _ rules: TypeRules) -> MediaSize {
    guard paper.isRoll, !document.reflows,
      RollScale.isTurned(page, on: paper, for: rules.type, request.orientation)
    else { return page }
    return page.rotated
  }

  /// Suitability of a medium for the type: `TypeRules.rank`.
  ///
  /// All that a printer of one kind takes is made for that kind; a driver's queue of labels does
  /// not say so entry by entry.
  func rank(_ paper: Paper, _ rules: TypeRules) -> Int {
    let rank =
      capabilities.types == [rules.type] && rules.type != .document && !paper.isDisc
      ? 0 : rules.rank(paper)
    return isPoster(paper, rules) ? max(1, rank) : rank
  }

  /// True when a picture would be a poster that nobody asked for: on a plotter's roll.
  func isPoster(_ paper: Paper, _ rules: TypeRules) -> Bool {
    (rules.type == .photo || document.image != nil) && request.type == nil && paper.isRoll
      && paper.isLarge
  }

  /// Suitability of a medium for a page of the type: its rank, but 0 where the page was made for it.
  ///
  /// A banner is for pages that are as long.
  func suitability(_ paper: Paper, for page: MediaSize, _ rules: TypeRules) -> Int {
    if isMade(paper, for: page, rules) { return 0 }
    let isBanner =
      rules.type == .document && !paper.isRoll && paper.size.isBanner && !page.isBanner
    return max(rank(paper, rules), isBanner ? 2 : 0)
  }

  /// True when a document's page was made for the envelope, the label or the card that is loaded: it has its size.
  ///
  /// Stock of sizes that documents have is left to those who ask for it, and so is photo paper: a page of 4x6 inches is
  /// a shipping label more often than a photo. Cards to be mailed are taken, glossy or not. Text has no page.
  private func isMade(_ paper: Paper, for page: MediaSize, _ rules: TypeRules) -> Bool {
    rules.type == .document && !document.reflows && !paper.isRoll && !paper.isDisc
      && (paper.isEnvelope && !page.isOfficeSheet
        || paper.isPhotoSized && (!paper.isPhotographic || paper.isMailCard || wantsNearest))
      && PageFit(page, on: paper).isSameSize
  }

  /// True for `--paper best`: the nearest size is asked for, whatever the paper.
  private var wantsNearest: Bool {
    request.paper.contains { if case .best = $0 { true } else { false } }
  }

  /// A medium is as good as another for a page that is no more than a tenth smaller on it.
  private static let mostShrunk = 0.9

  /// The share of its size that a page keeps on the medium of `pool` that keeps most of it.
  ///
  /// Photo paper counts where other paper would make less than A4 of an A3 page.
  private func mostKept(of page: MediaSize, in pool: [Paper], _ rules: TypeRules) -> Double {
    let suited = pool.filter { suitability($0, for: page, rules) < 2 }
    func most(_ papers: [Paper]) -> Double? { papers.map { PageFit.kept(of: page, on: $0) }.max() }
    let kept = most(suited.filter { !$0.isPhotographic || suitability($0, for: page, rules) == 0 })
    if let kept, kept >= 0.7 { return kept }
    return most(suited) ?? 1
  }

  /// Of larger sheets the smallest is best, of rolls the narrowest that holds the page, of those that are too small
  /// the one that shrinks it least.
  ///
  /// A4 and Letter count as one size, and so do sheets that shrink a document nearly alike: narrower margins in the
  /// by-pass tray are no reason to print from there.
  ///
  /// - `least`: the share of its size that a page keeps on any of those.
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

  /// Borderless is printed slowly and over the edge, so that documents get the entry with margins
  /// where the same tray offers both, and photos the one without.
  ///
  /// Margins that are asked for are found in any tray that has the size, but for a document not on photo paper.
  private func withoutTwins(_ pool: [Paper], borderless: Bool, _ rules: TypeRules) -> [Paper] {
    pool.filter { paper in
      paper.isBorderless == borderless
        || !pool.contains {
          $0.isBorderless == borderless
            && ($0.isTwin(of: paper)
              || request.borderless != nil && !paper.isRoll && !$0.isRoll
                && $0.size.matches(paper.size, within: MediaSize.near)
                && (rules.type != .document || rank($0, rules) <= rank(paper, rules)))
        }
    }
  }

  /// Between papers of the same shape: how far a paper is from the region's.
  private func distance(_ paper: Paper, _ rules: TypeRules) -> Double {
    let usual = rules.prefersBorderless ? region.photo : region.sheet
    let size = paper.size
    return (size.width.distance(to: usual.width) + size.length.distance(to: usual.length)).points
  }

  /// Of the size that people use where this runs, turned or not.
  private func isRegional(_ paper: Paper) -> Bool {
    [region.sheet, region.photo].contains { paper.size.matches($0, within: MediaSize.near) }
  }

  /// Distance of a stock from plain paper: 0 for plain paper and for what is not told, 1 for paper of a sort, as recycled,
  /// 2 for paper with holes and for words that are no plain paper's, 3 for heavy stock.
  ///
  /// The printer's default is as plain as any but for its holes.
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
  /// Half a meter and more, and more than twice as long as wide.
  fileprivate var isBanner: Bool {
    let (short, long) = (min(width, length), max(width, length))
    return long > 50_000 && long.count > 2 * short.count
  }
  fileprivate var area: Double { Double(width.count) * Double(length.count) }
  /// A4's.
  fileprivate static let largestUsual = 21_000.0 * 29_700
}

/// Trays by how usual they are: what is fed from the main ones before what somebody lays in by hand.
enum TrayOrder {
  static func order(_ source: String?) -> Int {
    guard let source = source?.lowercased() else { return 1 }
    let isByHand = ["manual", "by-pass", "bypass", "hand"].contains { source.contains($0) }
    if isByHand { return 1_000 }
    if ["side", "rear", "alternate", "front"].contains(where: source.contains) { return 900 }
    if source == "auto" { return 800 }
    if source.hasPrefix("main") || source == "top" { return 0 }
    // tray-2 before tray-3.
    let number = source.split(separator: "-").last.flatMap { Int($0) }
    return number.map { min(max($0, 1), 99) } ?? 100
  }
}
