package import PrintModel

extension PageBox {
  /// Where the content of a document that reflows may be on the ticket's paper: three quarters of an
  /// inch from every edge of a sheet, and never in the printer's own margins; the printable area on
  /// rolls, labels and envelopes.
  package init(_ ticket: Ticket) {
    let paper = ticket.paper
    let isTight = paper.isRoll || [.label, .envelope, .receipt].contains(ticket.type)
    let usual: Hundredths = isTight ? 0 : 1_905
    var margins = paper.margins
    margins.top = max(margins.top, usual)
    margins.bottom = max(margins.bottom, usual)
    margins.left = max(margins.left, usual)
    margins.right = max(margins.right, usual)
    var size = paper.size
    let isTurned =
      !paper.isRoll && ticket.orientation == .landscape && size.width < size.length
      || !paper.isRoll && ticket.orientation == .portrait && size.width > size.length
    if isTurned {
      // As the reader holds it: imposition turns it back.
      size = size.rotated
      margins =
        ticket.turnsClockwise
        ? Margins(
          top: margins.right, bottom: margins.left, left: margins.top, right: margins.bottom)
        : Margins(
          top: margins.left, bottom: margins.right, left: margins.bottom, right: margins.top)
    }
    let length = paper.isRoll ? paper.cuts?.upperBound ?? size.length : size.length
    self.init(
      size: PageSize(width: size.width.points, height: length.points),
      content: Rectangle(
        x: margins.left.points, y: margins.top.points,
        width: max(1, (size.width - margins.left - margins.right).points),
        height: max(1, (length - margins.top - margins.bottom).points)),
      isRoll: paper.isRoll, resolution: ticket.resolution)
  }
}
