// The area that margins, header and footer leave for a page.

package import PrintModel

extension SheetLayout {
  /// The area that a page may fill.
  struct ContentArea {
    /// The whole sheet.
    var sheet: Rectangle
    /// Area that `fill` covers, and in which a page at 100 % is centered.
    var whole: Rectangle
    /// Area that a page is shrunk into.
    var area: Rectangle
    var header: Rectangle?
    var footer: Rectangle?
    /// True if margins, a header or a footer were requested.
    var isFramed = false
    /// Type size of header and footer, in points.
    var typeSize = 0.0
  }

  /// The content area of a sheet for pages of this turn.
  ///
  /// Pages that were laid out for the sheet already contain their margins, header and footer.
  func room(_ rotation: Rotation) -> ContentArea {
    if let poster = ticket.poster { return room(of: poster, rotation) }
    let frame = frame(rotation)
    guard !ticket.reflows, ticket.isFramed else {
      return ContentArea(sheet: frame.sheet, whole: frame.sheet, area: frame.printable)
    }
    let area = area(of: frame)
    return room(in: area, lines: lines(in: area, of: frame), of: frame, scale: 1)
  }

  /// Area for header and footer: without user margins, lines keep away from the paper's edge.
  private func lines(in area: Rectangle, of frame: SheetArea) -> Rectangle {
    ticket.margins == nil && !ticket.isTight
      ? area.intersection(frame.sheet.inset(by: .line)) : area
  }

  /// The content area in one of several cells on a side.
  ///
  /// Header and footer shrink with the cell, but not so far that they become unreadable.
  func room(in cell: Rectangle, of frame: SheetArea) -> ContentArea {
    guard !ticket.reflows, ticket.isFramed else {
      return ContentArea(sheet: frame.sheet, whole: cell, area: cell)
    }
    let scale = min(cell.width / frame.sheet.width, cell.height / frame.sheet.height)
    return room(
      in: cell, lines: lines(in: cell, of: frame), of: frame, scale: max(2.0 / 3, scale))
  }

  private func room(
    in area: Rectangle, lines: Rectangle, of frame: SheetArea, scale: Double
  ) -> ContentArea {
    let size = ticket.runningSize * scale
    var room = ContentArea(
      sheet: frame.sheet, whole: area, area: area, isFramed: true, typeSize: size)
    var (top, bottom) = (area.y, area.y + area.height)
    let (header, footer) = SheetLayout.lines(in: lines, size)
    if ticket.header != nil {
      room.header = header
      top = header.y + header.height
    }
    if ticket.footer != nil {
      room.footer = footer
      bottom = footer.y
    }
    room.area.y = top
    room.area.height = max(0.01, bottom - top)
    room.whole = room.area
    return room
  }

  /// The places of a header and a footer of this type size in an area.
  private static func lines(
    in area: Rectangle, _ size: Double
  ) -> (header: Rectangle, footer: Rectangle) {
    let depth = depth(size)
    let header = Rectangle(x: area.x, y: area.y, width: area.width, height: depth)
    var footer = header
    footer.y = area.y + area.height - depth
    return (header, footer)
  }

  /// Height that a header or footer takes from the page: a line and the space between it and the page.
  static func depth(_ size: Double) -> Double { 2 * size }

  /// The printable area within the requested margins.
  ///
  /// Text has its margins in its own pages, so that they shrink with the pages when several are on a side.
  func area(of frame: SheetArea) -> Rectangle {
    guard !ticket.reflows, let margins = ticket.margins else { return frame.printable }
    return frame.printable.intersection(frame.sheet.inset(by: margins))
  }

  /// True when margins, header and footer leave no useful space: less than 10 mm (in a grid, 10 points), and less than
  /// half of the printable area's width or height.
  package func hasNoRoom(for page: PageSize) -> Bool {
    let isInGrid = ticket.grid != nil
    let frame = ticket.reflows && !isInGrid ? reflowing.frame : frame(rotation(of: page))
    func isTooShort(_ length: Double, of whole: Double) -> Bool {
      length < min(isInGrid ? 10 : 28, whole / 2)
    }
    let room = room(for: page)
    return isTooShort(room.width, of: frame.printable.width)
      || !ticket.paper.isRoll && isTooShort(room.height, of: frame.printable.height)
  }

  /// The area for a page, or for the first cell if there are several.
  private func room(for page: PageSize) -> Rectangle {
    if ticket.reflows { return box.content }
    if ticket.paper.isRoll { return area(of: rollFrame(of: page)) }
    if ticket.numberUp > 1 { return spotInGrid(page, cell: 0).room.area }
    return room(rotation(of: page)).area
  }
}

// MARK: - Documents that reflow

extension SheetLayout {
  /// The content area of a reflowing document on the ticket's paper.
  ///
  /// On a sheet it lies within `--margins` (default: three quarters of an inch from every edge), and never in the
  /// printer's own margins. On rolls, labels and envelopes it is the printable area.
  ///
  /// Header and footer are taken from it; on a roll the footer comes after it.
  package var box: PageBox {
    let (frame, area) = reflowing
    let depth = SheetLayout.depth(ticket.runningSize)
    let top = ticket.header == nil ? 0 : depth
    let bottom = ticket.footer == nil || ticket.paper.isRoll ? 0 : depth
    return PageBox(
      size: PageSize(width: frame.sheet.width, height: frame.sheet.height),
      content: Rectangle(
        x: area.x, y: area.y + top, width: max(1, area.width),
        height: max(1, area.height - top - bottom)),
      isRoll: ticket.paper.isRoll, isOnePiece: [.receipt, .roll].contains(ticket.type),
      hasAskedMargins: ticket.margins != nil && ticket.grid == nil,
      resolution: ticket.resolution, text: ticket.text,
      arrangement: arrangement)
  }

  /// The area of `box` that the printer can reach, in points.
  package var readersPrintable: Rectangle { reflowing.frame.printable }

  /// The arrangement of plain text on the page.
  private var arrangement: PageBox.Arrangement {
    guard ticket.isAddress else { return .lines }
    if ticket.type == .label || ticket.grid != nil { return .label }
    return ticket.paper.name.hasPrefix("na_") ? .envelopeOfNorthAmerica : .envelope
  }

  /// Length of the longest lines of text on a plotter's roll, in points: those of A3 in landscape, within its margins.
  private static let longestLine = 400 / 25.4 * 72.0

  /// True if the pages of a document that reflows are turned: they are upright even on A4 or Letter that is fed long edge
  /// first.
  var isTurnedToReflow: Bool {
    let (width, height) = (upright.sheet.width, upright.sheet.height)
    return (ticket.orientation == .landscape || ticket.orientation == .auto && ticket.isAddress)
      && width < height
      || (ticket.orientation == .portrait
        || ticket.orientation == .auto && ticket.type == .document
          && ticket.paper.size.isOfficeSheet)
        && width > height
  }

  /// The sheet as the reader holds it, and the area that margins leave.
  var reflowing: (frame: SheetArea, area: Rectangle) {
    if ticket.isAddress, let grid = ticket.grid {
      // A label each, with 2 mm for a sheet that is fed askew.
      var cell = cells(of: grid).first
      (cell.x, cell.y) = (0, 0)
      let space = Margins(top: 200, bottom: 200, left: 200, right: 200)
      return (SheetArea(sheet: cell, printable: cell), cell.inset(by: space))
    }
    // As the reader holds it: imposition turns it back.
    let isTurned = isTurnedToReflow && !ticket.paper.isRoll
    // Several pages on a side are turned as one.
    let rotation = ticket.numberUp > 1 ? .none : ticket.rotation
    var frame = frame((isTurned ? landscape : .none) + rotation)
    if ticket.paper.isRoll, let longest = ticket.paper.cuts?.upperBound {
      frame.printable.height += longest.points - frame.sheet.height
      frame.sheet.height = longest.points
    }
    let margins = ticket.margins ?? (ticket.isTight ? .zero : .text)
    var area = frame.printable.intersection(frame.sheet.inset(by: margins))
    // Lines of a meter are unreadable: on a plotter's roll they are as long as on the widest usual sheet.
    if ticket.paper.isRoll, ticket.paper.isLarge, ticket.margins == nil {
      area.width = min(area.width, SheetLayout.longestLine)
    }
    return (frame, area)
  }
}

extension PageBox {
  package init(_ ticket: Ticket) { self = SheetLayout(ticket).box }
}

// MARK: - Header and footer

extension SheetLayout {
  /// Adds header and footer to a placed page, and clips the page so that it doesn't cover them.
  func frame(_ placement: inout PagePlacement, in spot: Placement, of pages: Int) {
    guard ticket.header != nil || ticket.footer != nil || ticket.margins != nil else { return }
    var (header, footer) = (spot.room.header, spot.room.footer)
    var (turn, size) = (spot.turn, spot.room.typeSize)
    if ticket.reflows, !ticket.paper.isRoll {
      // It was laid out for the sheet.
      (header, footer) = SheetLayout.lines(in: reflowing.area, ticket.runningSize)
      (turn, size) = (placement.transform, ticket.runningSize)
    }
    for (text, frame, isAtBottom) in [
      (ticket.header, header, false), (ticket.footer, footer, true),
    ] {
      guard let text, let frame else { continue }
      let (left, center, right) = text.texts(page: placement.page + 1, of: pages)
      placement.lines.append(
        RunningLine(
          left: left, center: center, right: right, frame: frame, transform: turn, size: size,
          isAtBottom: isAtBottom))
    }
    if spot.room.isFramed, ticket.scaling != .none || ticket.paper.isRoll {
      placement.clip = spot.turn.apply(spot.room.area)
    }
  }
}

// Posters: one page over several sheets, each with a part of it.

extension SheetLayout {
  /// The distance from a sheet's part of the poster to the next one's, across and down: the area that is printed, without
  /// what the next sheet repeats.
  private func steps(in area: Rectangle) -> (x: Double, y: Double) {
    // On a small sheet, a quarter is enough.
    let overlap = min(Poster.overlap.points, area.width / 4, area.height / 4)
    return (area.width - overlap, area.height - overlap)
  }

  /// The area of a whole poster on sheets that are turned like this: one large sheet without margins.
  func room(of poster: Poster, _ rotation: Rotation) -> ContentArea {
    let area = area(of: frame(rotation))
    let steps = steps(in: area)
    let whole = Rectangle(
      x: 0, y: 0, width: area.width + Double(poster.columns - 1) * steps.x,
      height: area.height + Double(poster.rows - 1) * steps.y)
    return ContentArea(sheet: whole, whole: whole, area: whole)
  }

  /// True if a page becomes larger on turned sheets.
  func isTurned(_ page: PageSize, on poster: Poster) -> Bool {
    func scale(_ rotation: Rotation) -> Double {
      let area = room(of: poster, rotation).area
      return min(area.width / page.width, area.height / page.height)
    }
    return scale(landscape) > scale(.none) + 0.000_1
  }

  /// Places one sheet's part of a page, with the marks for its neighbors.
  ///
  /// - `sheet`: counted from 0, in reading order.
  func place(
    _ index: Int, of page: PageSize, on sheet: Int, of poster: Poster
  ) -> PagePlacement {
    let rotation = rotation(of: page)
    let area = area(of: frame(rotation))
    let steps = steps(in: area)
    let (column, row) = (sheet % poster.columns, sheet / poster.columns)
    let turn = back(rotation)
    let whole = scaled(page, in: room(of: poster, rotation))
    var placement = PagePlacement(
      page: index,
      transform: whole.then(
        .translation(area.x - Double(column) * steps.x, area.y - Double(row) * steps.y)
      ).then(turn))
    placement.clip = turn.apply(area)
    // Where this sheet is cut, on the left and at the top, and where its neighbors' cuts are glued.
    let across = [column > 0 ? area.x : nil, column < poster.columns - 1 ? area.x + steps.x : nil]
    let down = [row > 0 ? area.y : nil, row < poster.rows - 1 ? area.y + steps.y : nil]
    let (length, width) = (Poster.overlap.points / 2, 0.5)
    placement.marks =
      across.compactMap(\.self).flatMap { x in
        [area.y, area.y + area.height - length].map {
          Rectangle(x: x, y: $0, width: width, height: length)
        }
      }
      + down.compactMap(\.self).flatMap { y in
        [area.x, area.x + area.width - length].map {
          Rectangle(x: $0, y: y, width: length, height: width)
        }
      }
    placement.marks = placement.marks.map(turn.apply)
    return placement
  }
}
