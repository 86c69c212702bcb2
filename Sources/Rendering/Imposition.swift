// Rendering: an open document and a ticket, in; the bytes that go to the printer, out, in the order of
// the sheets, drawn by worker processes.

package import PrintModel
internal import Layout

/// One side of one sheet: which pages are on it, and where.
package struct SheetSide: Sendable, Codable, Equatable {
  /// Empty for a blank back.
  package var placements: [PagePlacement]
  package var isBack: Bool
  /// Length at which a roll is cut after this side; nil: at the ticket's length, like the others.
  package var length: Hundredths?
}

/// Place of every page: the sides of all sheets in the order in which they are sent, copies and the
/// blank backs between them included.
package func impose(_ document: DocumentInfo, by ticket: Ticket) -> [SheetSide] {
  let layout = SheetLayout(ticket)
  let groups = stride(from: 0, to: ticket.pages.count, by: ticket.numberUp).map {
    ticket.pages[$0..<min($0 + ticket.numberUp, ticket.pages.count)]
  }
  var sides: [SheetSide] = []
  for copy in 0..<ticket.repeats {
    for group in groups {
      let length = group.first.flatMap { ticket.cut(after: document.pages[$0]) }
      let placements = group.enumerated().map { cell, page in
        layout.place(page, of: document, cell: cell, length: length)
      }
      sides.append(
        SheetSide(
          placements: placements, isBack: ticket.sides.isDuplex && sides.count % 2 == 1,
          length: length))
    }
    // Every copy starts on a front.
    if ticket.sides.isDuplex, sides.count % 2 == 1, copy < ticket.repeats - 1 {
      sides.append(SheetSide(placements: [], isBack: true, length: nil))
    }
  }
  return sides
}

extension Ticket {
  /// Length at which the roll is cut after a page, when each page has its own length.
  fileprivate func cut(after page: DocumentInfo.Page) -> Hundredths? {
    guard cutsAtContent else { return nil }
    let length = RollScale.cut(SheetLayout(self).contentLength(of: page), on: paper)
    // The ticket promised the printer its longest page.
    return min(length, paper.size.length)
  }
}
