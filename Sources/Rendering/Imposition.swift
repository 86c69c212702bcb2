// Rendering: an open document and a ticket, in; the bytes that go to the printer, out, in the order of
// the sheets, drawn by worker processes.

package import PrintModel

/// One side of one sheet: which pages are on it, and where.
package struct SheetSide: Sendable, Codable, Equatable {
  package struct Placement: Sendable, Codable, Equatable {
    /// The document's page, from 0.
    package var page: Int
    /// From the page's points to the sheet's, both from the top left.
    package var transform: Transform

    package init(page: Int, transform: Transform) {
      self.page = page
      self.transform = transform
    }
  }

  /// Empty for a blank back.
  package var placements: [Placement]
  package var isBack: Bool

  package init(placements: [Placement], isBack: Bool) {
    self.placements = placements
    self.isBack = isBack
  }
}

/// Where every page goes: the sides of all sheets in the order in which they are sent, copies and the
/// blank backs between them included.
package func impose(_ document: DocumentInfo, by ticket: Ticket) -> [SheetSide] {
  let layout = SheetLayout(ticket)
  var sides: [SheetSide] = []
  for copy in 0..<ticket.repeats {
    for page in ticket.pages {
      let placement = SheetSide.Placement(
        page: page, transform: layout.place(document.pages[page].size))
      sides.append(
        SheetSide(placements: [placement], isBack: ticket.sides.isDuplex && sides.count % 2 == 1))
    }
    // Every copy starts on a front.
    if ticket.sides.isDuplex, sides.count % 2 == 1, copy < ticket.repeats - 1 {
      sides.append(SheetSide(placements: [], isBack: true))
    }
  }
  return sides
}

/// How a page meets the ticket's sheet. All lengths are points, origin top left.
struct SheetLayout {
  private let ticket: Ticket
  private let sheet: Rectangle
  private let printable: Rectangle

  init(_ ticket: Ticket) {
    self.ticket = ticket
    var paper = ticket.paper
    if ticket.sides.isDuplex {
      // The back is turned: what is the top margin for one side is the bottom margin for the other.
      let larger = max(paper.margins.top, paper.margins.bottom)
      paper.margins.top = larger
      paper.margins.bottom = larger
    }
    sheet = paper.paperRect
    printable = paper.printableRect
  }

  /// From the page's points to the sheet's.
  func place(_ page: PageSize) -> Transform {
    if ticket.paper.isRoll { return placeOnRoll(page) }
    guard isTurned(page) else { return scaled(page, onto: sheet, within: printable) }
    // The page is laid out on the sheet as it looks turned, then both are turned back.
    let turn = ticket.turnsClockwise ? clockwise : counterclockwise
    return scaled(page, onto: turnedSheet, within: turnedPrintable).then(turn)
  }

  /// Whether the page's upright is the sheet's long way: a landscape page on a portrait sheet.
  private func isTurned(_ page: PageSize) -> Bool {
    let isSheetLandscape = sheet.width > sheet.height
    switch ticket.orientation {
    case .auto:
      return page.width != page.height && sheet.width != sheet.height
        && page.isLandscape != isSheetLandscape
    case .portrait: return isSheetLandscape
    case .landscape: return !isSheetLandscape
    }
  }

  private func placeOnRoll(_ page: PageSize) -> Transform {
    let scale = RollScale.scale(of: page, on: ticket.paper, scaling: ticket.scaling)
    let isMade = RollScale.isMade(page, for: ticket.paper)
    let frame = isMade ? sheet : printable
    let x = frame.x + (frame.width - page.width * scale) / 2
    return Transform.scale(scale, scale).then(.translation(x, frame.y))
  }
}

// MARK: - Scaling

extension SheetLayout {
  /// print-scaling's five values (PWG 5100.13), on a sheet that stands the page's way.
  private func scaled(
    _ page: PageSize, onto sheet: Rectangle, within printable: Rectangle
  ) -> Transform {
    let fit = min(printable.width / page.width, printable.height / page.height)
    let fill = max(sheet.width / page.width, sheet.height / page.height)
    switch ticket.scaling {
    case .none: return centred(page, 1, in: sheet)
    case .fit: return centred(page, fit, in: printable)
    case .fill: return centred(page, fill, in: sheet)
    case .autoFit: return fit < 1 ? centred(page, fit, in: printable) : centred(page, 1, in: sheet)
    case .auto:
      if isNoLarger(page, than: sheet) { return centred(page, 1, in: sheet) }
      // A photo that is larger than its sheet loses its edges rather than getting white ones.
      return ticket.paper.isBorderless && [.photo, .postcard].contains(ticket.type)
        ? centred(page, fill, in: sheet) : centred(page, fit, in: printable)
    }
  }

  /// Of the sheet's size within 1.76 mm, or smaller: it stays at 100 %.
  private func isNoLarger(_ page: PageSize, than sheet: Rectangle) -> Bool {
    let tolerance = MediaSize.close.points
    return page.width <= sheet.width + tolerance && page.height <= sheet.height + tolerance
  }

  private func centred(_ page: PageSize, _ scale: Double, in frame: Rectangle) -> Transform {
    Transform.scale(scale, scale).then(
      .translation(
        frame.x + (frame.width - page.width * scale) / 2,
        frame.y + (frame.height - page.height * scale) / 2))
  }
}

// MARK: - Turning

extension SheetLayout {
  private var turnedSheet: Rectangle {
    Rectangle(x: 0, y: 0, width: sheet.height, height: sheet.width)
  }

  /// The printable area as seen on the turned sheet.
  private var turnedPrintable: Rectangle {
    let right = sheet.width - printable.x - printable.width
    let bottom = sheet.height - printable.y - printable.height
    return ticket.turnsClockwise
      ? Rectangle(x: printable.y, y: right, width: printable.height, height: printable.width)
      : Rectangle(x: bottom, y: printable.x, width: printable.height, height: printable.width)
  }

  /// orientation-requested 4: the top of the page lies along the sheet's left edge.
  private var counterclockwise: Transform {
    Transform(xx: 0, yx: -1, xy: 1, yy: 0, y0: sheet.height)
  }

  /// orientation-requested 5: the top of the page lies along the sheet's right edge.
  private var clockwise: Transform { Transform(xx: 0, yx: 1, xy: -1, yy: 0, x0: sheet.width) }
}
