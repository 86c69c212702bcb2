// Rolls: a page begins at the top, and the roll is cut where the page ends.

package import PrintModel

extension SheetLayout {
  /// True for a page made for the roll: it keeps its own margins, unless others are requested.
  private func isMade(_ page: PageSize) -> Bool {
    ticket.exactScale != nil
      || RollScale.isMade(lying(page), for: ticket.paper)
        && (ticket.reflows || ticket.margins == nil)
  }

  /// A page's size on the roll: its width across the roll, its height along it.
  package func lying(_ page: PageSize) -> PageSize {
    rotation(of: page).isAcross ? page.rotated : page
  }

  /// The roll with the page's first line at its top: turned, if the page's last line comes out first.
  func rollFrame(of page: PageSize) -> SheetArea {
    frame(rotation(of: page) == .half ? .half : .none)
  }

  /// True when a page's width lies along the roll: see `RollScale.isTurned`.
  ///
  /// Text is always laid out for the roll's width.
  func isTurnedOnRoll(_ page: PageSize) -> Bool {
    !ticket.reflows
      && RollScale.isTurned(
        page.media, on: ticket.paper, for: ticket.type, ticket.orientation)
  }

  /// The scale of a page on a roll.
  ///
  /// `none` and pages made for the roll stay at 100 %, except that a page made for it that is slightly too wide shrinks
  /// so that nothing is lost; `fit` and `fill` scale to the printable width; other values only shrink to it.
  func scaleOnRoll(_ page: PageSize) -> Double {
    if ticket.scaling == .none { return 1 }
    let width = lying(page).width
    if isMade(page) {
      let roll = upright.sheet.width
      return width > roll + MediaSize.near.points ? roll / width : 1
    }
    let across = area(of: rollFrame(of: page)).width / width
    let most = [.fit, .fill].contains(ticket.scaling) ? across : min(1, across)
    return min(most, ticket.largestScale ?? most)
  }

  /// Height of the header's line and its space; 0 when the page itself contains the header.
  private var headerDepth: Double {
    ticket.header == nil || ticket.reflows ? 0 : SheetLayout.depth(ticket.runningSize)
  }

  private var footerDepth: Double {
    ticket.footer == nil ? 0 : SheetLayout.depth(ticket.runningSize)
  }

  /// Height at which a page begins: a page made for the roll has its own top margin, any other starts below the
  /// printer's.
  private func top(of page: PageSize) -> Double {
    let top = area(of: rollFrame(of: page)).y
    return headerDepth > 0 ? top + headerDepth : isMade(page) ? 0 : top
  }

  private func contentHeight(of page: DocumentInfo.Page, keepsLength: Bool? = nil) -> Double {
    let length = lying(page.size).height
    // Where the content of a turned page ends is not known.
    let isWhole = keepsLength ?? ticket.keepsPageLength || rotation(of: page.size).isAcross
    return min(isWhole ? length : page.contentHeight ?? length, length) * scale(of: page.size)
  }

  /// Space left above the cut: the printer's margin, or a wider requested one.
  ///
  /// A page made for this roll and cut to its own length already contains its margin.
  private func bottom(of page: PageSize) -> Hundredths {
    if ticket.keepsPageLength, isMade(page), !ticket.isFramed { return 0 }
    let own = ticket.paper.margins
    return max(rotation(of: page) == .half ? own.top : own.bottom, ticket.margins?.bottom ?? 0)
  }

  /// The length that a page's content needs on a roll, with header, footer and both margins, before the printer's
  /// limits (UIKit's cutLengthForPaper).
  package func contentLength(of page: DocumentInfo.Page) -> Hundredths {
    let length = self.length(of: page, contentHeight(of: page))
    // A label of 29 mm is rarely exactly 29 mm in points.
    let whole = (length + 50) / 100 * 100
    return ticket.keepsPageLength && length.distance(to: whole) <= 20 ? whole : length
  }

  /// The length up to a page's last mark, even if the page itself is longer, with everything as in `contentLength`.
  package func markedLength(of page: DocumentInfo.Page) -> Hundredths {
    length(of: page, contentHeight(of: page, keepsLength: false))
  }

  private func length(of page: DocumentInfo.Page, _ height: Double) -> Hundredths {
    Hundredths(points: height) + Hundredths(points: top(of: page.size))
      + Hundredths(points: footerDepth) + bottom(of: page.size)
  }

  /// The place of a page on a roll; the footer follows the content, or is just above the cut when the roll is not cut
  /// at the content.
  func spotOnRoll(_ page: DocumentInfo.Page, length: Hundredths) -> Placement {
    let area = area(of: rollFrame(of: page.size))
    let scale = scale(of: page.size)
    let frame = isMade(page.size) ? upright.sheet : area
    let top = top(of: page.size)
    let last = (length - bottom(of: page.size)).points - footerDepth
    let end = ticket.cutsAtContent ? min(top + contentHeight(of: page), last) : last
    var room = ContentArea(
      sheet: upright.sheet, whole: upright.sheet, area: upright.sheet, isFramed: ticket.isFramed,
      typeSize: ticket.runningSize)
    let lines = ticket.reflows ? reflowing.area : area
    if ticket.header != nil {
      room.header = Rectangle(
        x: lines.x, y: lines.y, width: lines.width, height: SheetLayout.depth(room.typeSize))
    }
    if ticket.footer != nil {
      room.footer = Rectangle(x: lines.x, y: end, width: lines.width, height: footerDepth)
      room.area.height = max(0.01, end)
    }
    room.area.y = headerDepth > 0 ? top : 0
    room.area.height -= room.area.y
    let rotation = rotation(of: page.size)
    let lying = lying(page.size)
    let (width, height) = (lying.width * scale, lying.height * scale)
    // Upside down, the page with all around it is turned at the cut.
    let turn =
      rotation == .half
      ? rotation.onto(width: upright.sheet.width, height: length.points) : .identity
    return Placement(
      transform: Transform.scale(scale, scale)
        .then(rotation.isAcross ? rotation.onto(width: width, height: height) : .identity)
        .then(.translation(frame.x + (frame.width - width) / 2, top)).then(turn),
      room: room, turn: turn)
  }
}
