// Layout: computes where pages lie on a sheet; nothing is drawn here.

package import PrintModel

/// The layout of pages on a ticket's sheet: turned, scaled, placed, several on a side.
///
/// Negotiation explains with it and rendering draws with it, so that they can't differ. All lengths are in points, with
/// the origin at the top left.
package struct SheetLayout {
  let ticket: Ticket
  /// The sheet and its printable area, oriented as it is fed.
  let upright: SheetArea

  struct SheetArea {
    var sheet: Rectangle
    var printable: Rectangle
  }

  /// The place of a page, and the area around it.
  struct Placement {
    /// Maps the page to the sheet.
    var transform: Transform
    var room: ContentArea
    /// Maps the room to the sheet as it is fed.
    var turn = Transform.identity
  }

  package init(_ ticket: Ticket) {
    self.ticket = ticket
    var paper = ticket.paper
    if ticket.sides.isDuplex {
      // The back is turned: one side's top margin is the other's bottom margin.
      let larger = max(paper.margins.top, paper.margins.bottom)
      paper.margins.top = larger
      paper.margins.bottom = larger
    }
    upright = SheetArea(sheet: paper.paperRect, printable: paper.printableRect)
  }

  /// Places a page on its side of a sheet, with its header and footer.
  ///
  /// `cell` counts the pages of a side, or the sheets of a poster, from 0, in reading order; `length` is where a roll is cut after this page.
  package func place(
    _ index: Int, of document: DocumentInfo, cell: Int = 0, length: Hundredths? = nil
  ) -> PagePlacement {
    let page = document.pages[index]
    if let poster = ticket.poster { return place(index, of: page.size, on: cell, of: poster) }
    let spot =
      if ticket.paper.isRoll {
        spotOnRoll(page, length: length ?? ticket.paper.size.length)
      } else if ticket.numberUp > 1 {
        spotInGrid(page.size, cell: cell)
      } else {
        spotOnSheet(page.size)
      }
    var placement = PagePlacement(page: index, transform: onPixels(spot.transform))
    frame(&placement, in: spot, of: document.pages.count)
    placement.border = border(around: page.size, placement, length: length)
    return placement
  }

  /// The frame along a page's own edge, limited to the printable area and to what is drawn of the page; nil without
  /// `--page-border`.
  private func border(
    around page: PageSize, _ placement: PagePlacement, length: Hundredths?
  ) -> BorderedFrame? {
    guard ticket.pageBorder != .none else { return nil }
    var reach = upright.printable
    // A roll may be cut earlier.
    if let length { reach.height -= (ticket.paper.size.length - length).points }
    if let clip = placement.clip { reach = reach.intersection(clip) }
    let outline = placement.transform.apply(
      Rectangle(x: 0, y: 0, width: page.width, height: page.height))
    return BorderedFrame(area: outline.intersection(reach), style: ticket.pageBorder)
  }

  private func spotOnSheet(_ page: PageSize) -> Placement {
    let rotation = rotation(of: page)
    let room = room(rotation)
    // A turned page is laid out on the turned sheet, then both are turned back.
    let turn = back(rotation)
    return Placement(transform: scaled(page, in: room).then(turn), room: room, turn: turn)
  }

  /// Aligns a page that is printed pixel for pixel with the pixel grid: a quarter of a pixel off, every bar of a
  /// barcode would smear over two pixels.
  private func onPixels(_ placed: Transform) -> Transform {
    guard ticket.exactScale != nil else { return placed }
    func whole(_ points: Double, _ dpi: Int) -> Double {
      (points * Double(dpi) / 72).rounded(.down) * 72 / Double(dpi)
    }
    var moved = placed
    moved.x0 = whole(placed.x0, ticket.resolution.x)
    moved.y0 = whole(placed.y0, ticket.resolution.y)
    return moved
  }

  /// The scale of a printed page: 1 is 100 %.
  package func scale(of page: PageSize) -> Double {
    if let exact = ticket.exactScale { return exact }
    return ticket.paper.isRoll
      ? scaleOnRoll(page) : fit(page, in: room(rotation(of: page))).scale
  }

  /// Share of a page's area that is cut off, 0 to 1.
  package func lost(of page: PageSize) -> Double {
    let scale = scale(of: page)
    if ticket.paper.isRoll {
      return 1 - min(1, upright.sheet.width / (lying(page).width * scale))
    }
    let room = room(rotation(of: page))
    let sheet = ticket.scaling == .fill ? room.whole : room.sheet
    let kept =
      min(1, sheet.width / (page.width * scale)) * min(1, sheet.height / (page.height * scale))
    return 1 - kept
  }

  /// The edge of a page at which most of its marks lie where this side can't print, and how far beyond, in points on the
  /// paper; nil if they are printed up to a hair.
  package func lostMarks(of index: Int, in document: DocumentInfo) -> (
    edge: Loss.Edge, depth: Double
  )? {
    document.pages[index].marks.flatMap { overhang($0, of: index, in: document) }
  }

  /// True if one of these pages reaches into the printer's margins, whether or not it has marks there.
  package func reachesMargins(_ pages: [Int], of document: DocumentInfo) -> Bool {
    pages.contains { index in
      let size = document.pages[index].size
      let whole = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
      return overhang(whole, of: index, in: document) != nil
    }
  }

  /// How far an area of a page lies beyond what is printed.
  ///
  /// On a roll, what lies beyond the cut does not count.
  private func overhang(
    _ area: Rectangle, of index: Int, in document: DocumentInfo
  ) -> (edge: Loss.Edge, depth: Double)? {
    guard ticket.numberUp == 1, ticket.poster == nil else { return nil }
    let placed = place(index, of: document).transform
    var printable = upright.printable
    if ticket.paper.isRoll {
      printable.height = 1e9
      if rotation(of: document.pages[index].size) == .half {
        printable.y = upright.sheet.height - ticket.paper.margins.bottom.points - printable.height
      }
    }
    let room = placed.inverse.apply(printable)
    let scale = abs(placed.xx * placed.yy - placed.xy * placed.yx).squareRoot()
    let sides: [(edge: Loss.Edge, depth: Double)] = [
      (.top, room.y - area.y), (.left, room.x - area.x),
      (.bottom, area.y + area.height - room.y - room.height),
      (.right, area.x + area.width - room.x - room.width),
    ].map { ($0, $1 * scale) }
    // Half a millimeter.
    return sides.max { $0.depth < $1.depth }.flatMap { $0.depth > 1.5 ? $0 : nil }
  }

  /// True when a page is turned: a landscape page on a portrait sheet, or a page whose width lies along a roll.
  package func isTurned(_ page: PageSize) -> Bool {
    if ticket.paper.isRoll { return isTurnedOnRoll(page) }
    let isSheetLandscape = upright.sheet.width > upright.sheet.height
    switch ticket.orientation {
    case .auto:
      if let poster = ticket.poster { return isTurned(page, on: poster) }
      return page.width != page.height && upright.sheet.width != upright.sheet.height
        && page.isLandscape != isSheetLandscape
    case .portrait: return isSheetLandscape
    case .landscape: return !isSheetLandscape
    }
  }
}

// MARK: - Scaling

extension SheetLayout {
  /// The scale by print-scaling's five values (PWG 5100.13), on a sheet oriented like the page, and whether the page
  /// goes into the printable area or onto the whole sheet.
  private func fit(_ page: PageSize, in room: ContentArea) -> (scale: Double, isInside: Bool) {
    if let exact = ticket.exactScale { return (exact, false) }
    let fit = min(room.area.width / page.width, room.area.height / page.height)
    let fill = max(room.whole.width / page.width, room.whole.height / page.height)
    switch ticket.scaling {
    case .none: return (1, false)
    case .fit: return (fit, true)
    case .fill: return (fill, false)
    case .autoFit: return fit < 1 ? (fit, true) : (1, false)
    case .auto:
      return isNoLarger(page, than: room.whole) ? (1, false) : (fit, true)
    }
  }

  func scaled(_ page: PageSize, in room: ContentArea) -> Transform {
    let fit = fit(page, in: room)
    let isInside = fit.isInside || ticket.isAtTop
    let whole = ticket.scaling == .none && isDrawnOver(page, in: room) ? room.sheet : room.whole
    let placed = placed(page, fit.scale, in: isInside ? room.area : whole)
    return isInside || ticket.exactScale != nil || ![.auto, .autoFit].contains(ticket.scaling)
      ? placed : kept(page, placed, in: room.area)
  }

  /// True when a page at 100 % is larger than what margins, header and footer leave.
  private func isDrawnOver(_ page: PageSize, in room: ContentArea) -> Bool {
    room.isFramed && !isNoLarger(page, than: room.whole)
  }

  /// True when `--scaling none` draws margins, header and footer over the page.
  package func isDrawnOver(_ page: PageSize) -> Bool {
    guard !ticket.paper.isRoll, ticket.numberUp == 1, ticket.scaling == .none else { return false }
    return isDrawnOver(page, in: room(rotation(of: page)))
  }

  /// Moves a page into the printable area where it fits, if margins are wider on one side than on the other: centering
  /// on the sheet is not worth a lost line.
  private func kept(_ page: PageSize, _ placed: Transform, in area: Rectangle) -> Transform {
    func kept(_ start: Double, _ length: Double, _ first: Double, _ room: Double) -> Double {
      length <= room ? min(max(start, first), first + room - length) : start
    }
    var moved = placed
    moved.x0 = kept(placed.x0, page.width * placed.xx, area.x, area.width)
    moved.y0 = kept(placed.y0, page.height * placed.yy, area.y, area.height)
    return moved
  }

  /// True for a page no more than 1.76 mm larger than the sheet, which stays at 100 %.
  ///
  /// A label or a receipt may be inked to its edge, so only rounding of its size is tolerated.
  private func isNoLarger(_ page: PageSize, than sheet: Rectangle) -> Bool {
    let isFull = [.label, .receipt].contains(ticket.type)
    let tolerance = (isFull ? MediaSize.near : MediaSize.close).points
    return page.width <= sheet.width + tolerance && page.height <= sheet.height + tolerance
  }

  /// Centers a page in a frame, or places it at the frame's top.
  private func placed(_ page: PageSize, _ scale: Double, in frame: Rectangle) -> Transform {
    let room = frame.height - page.height * scale
    return Transform.scale(scale, scale).then(
      .translation(
        frame.x + (frame.width - page.width * scale) / 2,
        frame.y + (ticket.isAtTop ? 0 : room / 2)))
  }
}

// MARK: - Several pages on a side

extension SheetLayout {
  private typealias Grid = (columns: Int, rows: Int, rotation: Rotation)

  /// The cells of a side, in points on the sheet turned like this.
  struct Cells {
    var columns: Int
    var rotation: Rotation
    var first: Rectangle
    /// Distance from a cell to the next one, across and down.
    var step: (x: Double, y: Double)

    func area(_ cell: Int) -> Rectangle {
      var area = first
      area.x += Double(cell % columns) * step.x
      area.y += Double(cell / columns) * step.y
      return area
    }
  }

  /// The cells that `--number-up` divides the sheet into.
  private func cells(for page: PageSize) -> Cells {
    if let grid = ticket.grid { return cells(of: grid) }
    let grid = grid(for: page)
    let area = area(of: frame(grid.rotation))
    let gap = 6.0
    let width = area.width / Double(grid.columns)
    let height = area.height / Double(grid.rows)
    return Cells(
      columns: grid.columns, rotation: grid.rotation,
      first: Rectangle(
        x: area.x + gap / 2, y: area.y + gap / 2, width: width - gap, height: height - gap),
      step: (width, height))
  }

  /// The cells of requested columns and rows: equal parts of the whole sheet within `--margins`, of each the part that
  /// the printer reaches in all of them.
  func cells(of grid: PageGrid) -> Cells {
    let isLandscape = upright.sheet.width > upright.sheet.height
    let isTurned = isLandscape != (ticket.orientation == .landscape)
    let rotation = (isTurned ? landscape : .none) + ticket.rotation
    let frame = frame(rotation)
    let margins = ticket.reflows && !ticket.isAddress ? nil : ticket.margins
    let area = margins.map { frame.sheet.inset(by: $0) } ?? frame.sheet
    let reached = area.intersection(frame.printable)
    let gap = (x: grid.across.points, y: grid.down.points)
    let step = (
      x: (area.width + gap.x) / Double(grid.columns), y: (area.height + gap.y) / Double(grid.rows)
    )
    return Cells(
      columns: grid.columns, rotation: rotation,
      first: Rectangle(
        x: reached.x, y: reached.y,
        width: max(0.01, step.x - gap.x - (area.width - reached.width)),
        height: max(0.01, step.y - gap.y - (area.height - reached.height))),
      step: step)
  }

  /// The grid that leaves pages largest, on the sheet upright or turned.
  private func grid(for page: PageSize) -> Grid {
    let shapes: [(Int, Int)] =
      switch ticket.numberUp {
      case 2: [(1, 2), (2, 1)]
      case 4: [(2, 2)]
      case 6: [(2, 3), (3, 2)]
      case 9: [(3, 3)]
      case 16: [(4, 4)]
      default: [(1, 1)]
      }
    func largest(_ rotations: [Rotation]) -> Grid {
      let choices = shapes.flatMap { shape in rotations.map { Grid(shape.0, shape.1, $0) } }
      // The first of equals: fewer columns first, upright before turned.
      return choices.max { size($0) < size($1) - 0.000_1 } ?? (1, 1, .none)
    }
    func size(_ choice: Grid) -> Double {
      let area = area(of: frame(choice.rotation))
      return min(
        area.width / Double(choice.columns) / page.width,
        area.height / Double(choice.rows) / page.height)
    }
    let usual = largest([.none, landscape])
    return ticket.rotation == .none ? usual : largest([usual.rotation + ticket.rotation])
  }

  func spotInGrid(_ page: PageSize, cell: Int) -> Placement {
    let cells = cells(for: page)
    let room = room(in: cells.area(cell), of: frame(cells.rotation))
    let placed = placed(
      page, min(room.area.width / page.width, room.area.height / page.height), in: room.area)
    let turn = back(cells.rotation)
    return Placement(transform: placed.then(turn), room: room, turn: turn)
  }
}

// MARK: - Turning

extension SheetLayout {
  /// The turn of a landscape page on a portrait sheet: counterclockwise (orientation-requested 4), its top lies along the
  /// sheet's left edge; clockwise (5), along its right edge.
  var landscape: Rotation { ticket.turnsClockwise ? .clockwise : .counterclockwise }

  /// The turn of a page on the sheet as it is fed: by its orientation, and by `--rotate`.
  package func rotation(of page: PageSize) -> Rotation {
    let isTurned =
      ticket.reflows && !ticket.paper.isRoll ? isTurnedToReflow : isTurned(page)
    return (isTurned ? landscape : .none) + ticket.rotation
  }

  /// The sheet as it looks with a page of this turn upright.
  func frame(_ rotation: Rotation) -> SheetArea {
    let toReader = back(rotation).inverse
    return SheetArea(
      sheet: toReader.apply(upright.sheet), printable: toReader.apply(upright.printable))
  }

  /// The transform from the turned sheet to the sheet as it is fed.
  func back(_ rotation: Rotation) -> Transform {
    rotation.onto(width: upright.sheet.width, height: upright.sheet.height)
  }
}
