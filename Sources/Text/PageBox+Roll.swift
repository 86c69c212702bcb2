package import PrintModel

extension PageBox {
  /// A4, for which what takes the paper's size is laid out until the paper is known.
  package static let unknown = PageBox(
    size: PageSize(width: 595, height: 842),
    content: Rectangle(x: 54, y: 54, width: 487, height: 734), isRoll: false)

  /// A roll whose margins nobody stated, as for a preview without a printer, with those that receipt printers have.
  ///
  /// 72 mm of 80 are printed, 48 of 58. Asked ones (`--margins 0`) stand as they are.
  ///
  /// - `ends`: the margin at the top and at the bottom.
  package func withRollMargins(ends: Hundredths = 0) -> PageBox {
    guard isRoll, !hasAskedMargins, content.width > size.width - 0.5 else { return self }
    // Drivers of receipt printers name a roll by its printable width.
    let printed = [4_800, 7_200].map { Hundredths($0).points }
    guard !printed.contains(where: { abs(size.width - $0) < 3 }) else { return self }
    let side = Hundredths(size.width < Hundredths(7_000).points ? 500 : 400).points
    let end = ends.points
    guard content.width > 4 * side, content.height > 4 * end else { return self }
    var box = self
    box.content.x += side
    box.content.width -= 2 * side
    box.content.y += end
    box.content.height -= 2 * end
    return box
  }
}
