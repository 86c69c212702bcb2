// Rendering: turns an open document and a ticket into the bytes that go to the printer, in the order of the sheets,
// drawn by worker processes.

package import PrintModel
internal import Layout

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
