// Posters: one page over several sheets, each with a part of it.

internal import PrintModel

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
