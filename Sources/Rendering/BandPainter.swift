internal import Documents
internal import Drawing
internal import Layout
package import PrintModel

/// Paints sides in bands from top to bottom, on a canvas that is reused.
///
/// A side is recorded as a display list and played into bands of 1 MB, which fit the processor's cache: measured at 600
/// dpi, bands of 0.5 and 2 MB are about as fast, 4 MB is a tenth slower, and 0.25 MB slower still. A side whose list
/// would be too long is drawn as a whole if there is memory for it, and otherwise again for each of a few large bands.
/// cairo traces a path again for each band that it crosses, so sides with many long paths are played into larger bands:
/// 8 MB, which takes two thirds of the time for a map of 100,000 lines.
final class BandPainter {
  private let document: Document
  private let setup: SheetSetup
  /// The last canvas, which often fits the next band.
  private var canvas: Canvas?

  /// Size in bytes of a band that is played, and of one that is drawn from the document.
  private static let played = 1 << 20
  private static let playedPaths = 8 << 20
  /// Number of paths traced in bands from which on larger ones are faster.
  private static let fewestPaths = 5_000
  /// Splash takes eight bytes more for each pixel in color, and two in gray.
  private var drawnAnew: Int {
    let isShort = !document.drawsInGray || document.hasLargePictures
    let share = document.drawsBySplash && isShort ? 24 : 48
    return max(BandPainter.played, BandPainter.memory / 256 * share)
  }

  /// Size in bytes of a band of a very dense side, which takes long to read: at 600 dpi most sheets are one band (A4 is
  /// 139 MB).
  ///
  /// The rest of the memory is for reading the document.
  private static var drawnWhole: Int { memory / 16 * 9 }

  /// Bytes of memory that the process may have, at most the usual 256 MB.
  private static var memory: Int { min(MemoryShortage.limit ?? .max, 256 << 20) }

  init(_ document: Document, _ setup: SheetSetup) {
    self.document = document
    self.setup = setup
  }

  /// A band of a side: rows of a canvas, or white rows if there is none.
  typealias Band = (canvas: Canvas?, rows: Int)

  /// Passes the side's bands to `body`.
  ///
  /// A side without pages has none.
  ///
  /// - `start`: the first row that is drawn.
  func paint(
    _ side: SheetSide, from start: Int = 0, _ body: (Band) -> Void
  ) throws(Failure) {
    guard !side.placements.isEmpty else { return }
    document.drawsBySplash = setup.memorySaving == .splash || setup.memorySaving == .half
    document.drawsOnWhite = side.placements.count == 1
    document.drawsInGray =
      document.drawsBySplash
      && (setup.isGray || side.placements.allSatisfy { document.isGray(page: $0.page) })
    if setup.memorySaving == .half { return try paintAtHalf(side, body) }
    let list = setup.memorySaving == .none ? try list(of: side) : nil
    let height = setup.lengthInPixels(side)
    let canvas = try canvas(for: side, list)
    if let list { return try playOrDraw(list, of: side, canvas, height, body) }
    for top in stride(from: start, to: height, by: canvas.height) {
      try canvas.draw(
        document, side.placements, by: setup.toPixels(side).then(.translation(0, Double(-top))))
      body((canvas, min(canvas.height, height - top)))
    }
  }

  /// Plays a list; what cairo can't play, and everything below it, is drawn by Splash.
  private func playOrDraw(
    _ list: DisplayList, of side: SheetSide, _ canvas: Canvas, _ height: Int, _ body: (Band) -> Void
  ) throws(Failure) {
    var given = 0
    do throws(Failure) {
      try play(list, of: side, canvas, height) { band in
        given += band.rows
        body(band)
      }
    } catch {
      guard error.code == .document, document.leaveToSplash(side.placements.map(\.page)) else {
        throw error
      }
      try paint(side, from: given, body)
    }
  }

  /// Plays a list in bands; rows on which nothing is drawn are white without being examined.
  ///
  /// Bands without plain marks are held back until one has some, so that a side on which cairo drew nothing is detected
  /// before any of its bytes are sent; Splash then draws whatever it finds on it.
  private func play(
    _ list: DisplayList, of side: SheetSide, _ canvas: Canvas, _ height: Int, _ body: (Band) -> Void
  ) throws(Failure) {
    /// Bands held back, and whether they are completely white; nil once none is held back any more.
    var kept: [(rows: Range<Int>, isWhite: Bool)]? = []
    func giveKept() throws(Failure) {
      for band in kept ?? [] {
        if !band.isWhite {
          try canvas.play(list, from: band.rows.lowerBound, rows: band.rows.count)
        }
        body((band.isWhite ? nil : canvas, band.rows.count))
      }
      kept = nil
    }
    var top = 0
    while top < height {
      let drawn = list.nextInkedRows(from: top) ?? height..<height
      if drawn.lowerBound > top {
        let white = top..<drawn.lowerBound
        if kept == nil { body((nil, white.count)) } else { kept?.append((white, isWhite: true)) }
        top = drawn.lowerBound
        continue
      }
      let band = top..<min(drawn.upperBound, top + canvas.height)
      top = band.upperBound
      try canvas.play(list, from: band.lowerBound, rows: band.count)
      if let earlier = kept {
        let marks = canvas.marks(rows: band.count)
        if marks != .plain {
          kept?.append((band, isWhite: marks == .none))
          continue
        }
        let isOverwritten = earlier.contains { !$0.isWhite }
        try giveKept()
        if isOverwritten { try canvas.play(list, from: band.lowerBound, rows: band.count) }
      }
      body((canvas, band.count))
    }
    guard kept != nil else { return }
    if document.findsMarks(on: side.placements.map(\.page)) { return try paint(side, body) }
    try giveKept()
  }

  /// Paints a side drawn at half the resolution.
  private func paintAtHalf(
    _ side: SheetSide, _ body: (Band) -> Void
  ) throws(Failure) {
    let height = setup.lengthInPixels(side)
    let (width, allRows) = ((setup.widthInPixels + 1) / 2, (height + 1) / 2)
    let half = try Canvas(
      width: width, height: max(1, min(allRows, drawnAnew / (width * 4))))
    let canvas = try canvas(of: BandPainter.played, height)
    for top in stride(from: 0, to: allRows, by: half.height) {
      let toPixels = setup.toPixels(side).then(.scale(0.5, 0.5))
        .then(.translation(0, Double(-top)))
      try half.draw(document, side.placements, by: toPixels)
      let rows = min(half.height, allRows - top)
      // With an odd canvas height, the last row is drawn again with the next piece.
      let step = max(1, canvas.height / 2)
      for piece in stride(from: 0, to: rows, by: step) {
        canvas.enlarge(half, from: piece)
        let left = height - 2 * (top + piece)
        body((canvas, min(2 * min(step, rows - piece), left, canvas.height)))
      }
    }
  }

  /// The side's display list; nil when it would be too long, or contains a page that cairo can't draw.
  private func list(of side: SheetSide) throws(Failure) -> DisplayList? {
    for placement in side.placements where document.isDrawnAsPixels(page: placement.page) {
      return nil
    }
    let toPixels = setup.toPixels(side)
    let list = try DisplayList(
      width: setup.widthInPixels, height: setup.lengthInPixels(side), isAntialiased: isAntialiased,
      isLimited: document.mayBeTooRichForList)
    for placement in side.placements {
      do throws(Failure) {
        try list.draw(document, placement, by: toPixels)
      } catch {
        // Drawing it directly takes less memory, or fails again.
        guard document.mayBeTooRichForList else { throw error }
        return nil
      }
      if list.isTooLong { return nil }
    }
    // The document was repaired, or Splash draws the page: then nil.
    return document.takeRedraw() ? try self.list(of: side) : list
  }

  private func canvas(for side: SheetSide, _ list: DisplayList?) throws(Failure) -> Canvas {
    let height = setup.lengthInPixels(side)
    if let list {
      let rows = BandPainter.played / (4 * setup.widthInPixels)
      let hasManyPaths = list.tracedPaths(inBandsOf: rows) >= BandPainter.fewestPaths
      return try canvas(of: hasManyPaths ? BandPainter.playedPaths : BandPainter.played, height)
    }
    let isPixels = side.placements.contains { document.isDrawnAsPixels(page: $0.page) }
    // Splash keeps its pixels for the next band, if that is not another page's.
    if setup.memorySaving == .none, isPixels, document.drawsOnWhite,
      side.placements[0].lines.isEmpty
    {
      return try canvas(of: BandPainter.played, height)
    }
    if setup.memorySaving == .none, !isPixels, BandPainter.drawnWhole > drawnAnew,
      let whole = try? canvas(of: BandPainter.drawnWhole, height)
    {
      return whole
    }
    return try canvas(of: drawnAnew, height)
  }

  /// A canvas of at most this many bytes, no higher than the side.
  private func canvas(of bytes: Int, _ height: Int) throws(Failure) -> Canvas {
    let width = setup.widthInPixels
    let rows = max(1, min(height, bytes / (width * 4)))
    if let canvas, canvas.height == rows { return canvas }
    canvas = nil
    let made = try Canvas(width: width, height: rows)
    made.isAntialiased = isAntialiased
    canvas = made
    return made
  }

  /// True to smooth edges: from 600 dpi on, only for high quality, because their steps are invisible.
  private var isAntialiased: Bool {
    max(setup.resolution.x, setup.resolution.y) < 600 || setup.quality >= Quality.high.rawValue
  }
}

// Rendering: turns an open document and a ticket into the bytes that go to the printer, in the order of the sheets,
// drawn by worker processes.

/// One side of one sheet: its pages, and their places.
package struct SheetSide: Sendable, Codable, Equatable {
  /// Empty for a blank back.
  package var placements: [PagePlacement]
  package var isBack: Bool
  /// Length at which a roll is cut after this side; nil: the ticket's length.
  package var length: Hundredths?
  /// True for both sides of the document's first sheet.
  package var isFirst = false
}

/// The sides of all sheets in the order in which they are sent, including copies and the blank backs between them, with
/// the place of every page.
package func impose(_ document: DocumentInfo, by ticket: Ticket) -> [SheetSide] {
  let layout = SheetLayout(ticket)
  let first = sides(of: ticket).prefix(ticket.sides.isDuplex ? 2 : 1)
  let all = ticket.isReversed ? reversed(sides(of: ticket), by: ticket) : sides(of: ticket)
  let sets = ticket.isUncollated ? sheets(all, by: ticket) : [all]
  let copies = sets.flatMap { Array(repeating: $0, count: ticket.repeats) }
  var sides: [SheetSide] = []
  for (index, copy) in copies.enumerated() {
    for group in copy {
      let length = group.first.flatMap { $0 }.flatMap { ticket.cut(after: document.pages[$0]) }
      let placements = group.enumerated().compactMap { cell, page in
        page.map { layout.place($0, of: document, cell: cell, length: length) }
      }
      sides.append(
        SheetSide(
          placements: placements, isBack: ticket.sides.isDuplex && sides.count % 2 == 1,
          length: length, isFirst: first.contains(group)))
    }
    // Every copy starts on a front side.
    if ticket.sides.isDuplex, sides.count % 2 == 1, index < copies.count - 1 {
      sides.append(SheetSide(placements: [], isBack: true, length: nil))
    }
  }
  return sides
}

/// The pages of each side to print, in order.
private func sides(of ticket: Ticket) -> [[Int?]] {
  groups(of: ticket).enumerated().filter { ticket.sideSet.contains($0.offset) }.map(\.element)
}

/// The sides of each sheet.
private func sheets(_ sides: [[Int?]], by ticket: Ticket) -> [[[Int?]]] {
  let count = ticket.sides.isDuplex ? 2 : 1
  return stride(from: 0, to: sides.count, by: count).map {
    Array(sides[$0..<min($0 + count, sides.count)])
  }
}

/// The pages of each side, in order; nil for a place that stays empty, as all but one of a poster's do.
private func groups(of ticket: Ticket) -> [[Int?]] {
  let pages = ticket.pages
  if let poster = ticket.poster {
    return pages.flatMap { page in
      (0..<poster.sheets).map { Array(repeating: nil, count: $0) + [page] }
    }
  }
  guard ticket.isBooklet else {
    return stride(from: 0, to: pages.count, by: ticket.numberUp).map {
      Array(pages[$0..<min($0 + ticket.numberUp, pages.count)])
    }
  }
  // Folded, it is the front of a sheet that has no other page.
  if pages.count == 1 { return [[nil, pages[0]]] }
  // The outermost sheet has the last page beside the first, and on its back the second beside the last but one.
  let count = (pages.count + 3) / 4 * 4
  func page(_ place: Int) -> Int? { place < pages.count ? pages[place] : nil }
  return (0..<count / 2).map { side in
    let (low, high) = (page(side), page(count - 1 - side))
    return side % 2 == 0 ? [high, low] : [low, high]
  }
}

/// Reverses the order of the sheets; the sides of each sheet stay in order.
private func reversed(_ groups: [[Int?]], by ticket: Ticket) -> [[Int?]] {
  sheets(groups, by: ticket).reversed().flatMap { sides in
    ticket.sides.isDuplex && sides.count == 1 ? sides + [[]] : sides
  }
}

extension Ticket {
  /// Length at which the roll is cut after a page, if each page has its own length.
  fileprivate func cut(after page: DocumentInfo.Page) -> Hundredths? {
    guard cutsAtContent else { return nil }
    let length = RollScale.cut(SheetLayout(self).contentLength(of: page), on: paper)
    // The ticket announced this as the longest page.
    return min(length, paper.size.length)
  }
}
