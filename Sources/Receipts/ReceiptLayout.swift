internal import PrintModel
internal import Text

/// A page of a receipt: its marks and their places.
///
/// All lengths are points, origin top left.
struct ReceiptPage {
  enum Mark {
    /// Lines of a cell from `first` on, one for each baseline.
    case text(TextCell, first: Int, baselines: [Double])
    case line(Rectangle)
    /// A dashed line where the paper would be cut if it were a roll.
    case dashes(Rectangle)
    /// A code's rows, from the top left of its first module; `module` is the size of each.
    case symbol(Symbol, x: Double, y: Double, module: PageSize)
    case picture(Int, Rectangle)
  }

  var marks: [Mark] = []
  /// On a roll, down to the end of the content.
  var height: Double
}

/// Lays out a receipt for a paper: as wide as a roll's printable area, or in a narrow column in the middle of a sheet.
struct ReceiptLayout {
  let box: PageBox
  let setter: CellSetter
  /// The size of each picture at 100 %; nil for a missing one.
  let pictures: [String: (index: Int, size: PageSize)]
  let symbols: [Int: Symbol]

  /// 72 mm: the printable width of an 80 mm roll.
  private static let columnOnSheet = 204.1

  private var x = 0.0
  private var width = 0.0
  private var y: Double
  private var page: ReceiptPage
  private var pages: [ReceiptPage] = []

  /// Space below the content of a roll, in addition to the printer's own margin.
  private let foot: Double

  /// `symbols` are the codes, by the number of their lines.
  init(
    _ stated: PageBox, _ setter: CellSetter, symbols: [Int: Symbol],
    pictures: [String: (index: Int, size: PageSize)]
  ) {
    let box = stated.withRollMargins(ends: Hundredths(300))
    self.box = box
    foot = box.content.y - stated.content.y
    self.setter = setter
    self.symbols = symbols
    self.pictures = pictures
    let content = box.content
    width = box.isRoll ? content.width : min(content.width, ReceiptLayout.columnOnSheet)
    x = content.x + (content.width - width) / 2
    y = content.y
    page = ReceiptPage(height: box.size.height)
  }

  /// The pages.
  ///
  /// Throws if a code is wider than the paper.
  mutating func pages(of receipt: Receipt) throws(Failure) -> [ReceiptPage] {
    let usual = direction(of: receipt.parts.joined().map(\.content))
    for (index, part) in receipt.parts.enumerated() {
      if index > 0 { cut() }
      var rest = part[...]
      while let line = rest.first {
        if case .columns(let columns, let style) = line.content {
          let table = rest.prefix {
            $0.content.isColumns(columns.count, style.across)
              && $0.isRightToLeft == line.isRightToLeft
          }.map(\.content)
          rest = rest.dropFirst(table.count)
          add(
            table: table, isMirrored: line.isRightToLeft ?? direction(of: table) ?? usual ?? false)
        } else {
          rest = rest.dropFirst()
          try add(line)
        }
      }
    }
    endPage()
    return pages
  }

  private mutating func add(_ line: Receipt.Line) throws(Failure) {
    switch line.content {
    case .text(let text, let style, let alignment):
      let stated = line.isRightToLeft.map { $0 ? CellAlignment.right : .left }
      let side = alignment == .natural ? stated ?? .natural : alignment
      add([TextCell(text: text, style: style, alignment: side, x: x, width: width)])
    case .columns: break
    case .rule(let isDouble): addRule(isDouble)
    case .code(let code, let alignment): try add(code, alignment, line.number)
    case .picture(let name, let wanted, let alignment): addPicture(name, wanted, alignment)
    }
  }
}

// MARK: - Direction

extension ReceiptLayout {
  /// True if the first line with letters begins in a right-to-left script, so that all rows of a table have their items
  /// on the same side, in whatever script each is; nil if there are none.
  private func direction(of lines: some Sequence<Receipt.Content>) -> Bool? {
    lines.lazy.map(\.texts).filter { !$0.isEmpty }
      .compactMap { [setter] in setter.isRightToLeft($0.joined(separator: " ")) }.first
  }
}

// MARK: - Pages

extension ReceiptLayout {
  private var top: Double { box.content.y }
  private var bottom: Double { box.content.y + box.content.height + 0.01 }

  /// Begins a new page if `height` does not fit on this one.
  private mutating func makeRoom(_ height: Double) {
    if y + height > bottom, y > top { endPage() }
  }

  private mutating func endPage() {
    if box.isRoll { page.height = y + foot }
    pages.append(page)
    page = ReceiptPage(height: box.size.height)
    y = top
  }

  /// Ends a part: with the page on a roll, with a dashed line on a sheet.
  private mutating func cut() {
    let gap = 18.0
    guard !box.isRoll, y + gap < bottom, y > top else { return endPage() }
    page.marks.append(.dashes(Rectangle(x: x, y: y + gap / 2, width: width, height: 0.5)))
    y += gap
  }
}

// MARK: - Text

extension ReceiptLayout {
  /// Adds a row of cells side by side, with their lines on common baselines.
  private mutating func add(_ cells: [TextCell]) {
    let lines = cells.map(setter.lines)
    var starts = cells.map { _ in 0 }
    var baselines: [[Double]] = cells.map { _ in [] }
    func marks() -> [ReceiptPage.Mark] {
      cells.indices.filter { !baselines[$0].isEmpty && !cells[$0].text.isEmpty }.map {
        .text(cells[$0], first: starts[$0], baselines: baselines[$0])
      }
    }
    for index in 0..<(lines.map(\.count).max() ?? 0) {
      let row = lines.compactMap { $0.indices.contains(index) ? $0[index] : nil }
      let ascent = row.map(\.ascent).max() ?? 0
      let height = ascent + (row.map(\.descent).max() ?? 0)
      if y + height > bottom, y > top {
        page.marks += marks()
        endPage()
        starts = cells.map { _ in index }
        baselines = cells.map { _ in [] }
      }
      for cell in cells.indices where lines[cell].indices.contains(index) {
        baselines[cell].append(y + ascent)
      }
      y += height
    }
    page.marks += marks()
  }

  /// Shrinks columns to a total width of at most `most`: the widest wrap, so that short figures stay whole; nil if they
  /// would not, because a column would be narrower than `least`.
  private static func shrunk(
    _ widths: [Double], to most: Double, least: Double
  ) -> [Double]? {
    var widths = widths
    var rest = max(0, most)
    let rising = widths.indices.sorted { widths[$0] < widths[$1] }
    for (place, index) in rising.enumerated() {
      let share = rest / Double(rising.count - place)
      guard share >= min(widths[index], least) else { return nil }
      widths[index] = min(widths[index], share)
      rest -= widths[index]
    }
    return widths
  }

  /// Minimum width of an item: with fewer letters, items can't be told apart.
  private static let shortestItem = String(repeating: "0", count: 14)

  private typealias Row = (columns: [String], style: CellStyle)

  /// Adds consecutive lines of columns: columns at the right are as wide as their widest cell, and the rest wraps in
  /// the first column.
  ///
  /// - `isMirrored`: the columns run from right to left.
  private mutating func add(table: [Receipt.Content], isMirrored: Bool) {
    let rows = table.compactMap { content -> Row? in
      if case .columns(let columns, let style) = content { (columns, style) } else { nil }
    }
    guard let first = rows.first else { return }
    let gap = setter.width(of: "00", first.style)
    var widths = first.columns.indices.dropFirst().map { column in
      rows.map { setter.width(of: $0.columns[column], $0.style) }.max() ?? 0
    }
    // A quarter is left for the first column; if several others need more, the first is placed above them.
    let most = width * 3 / 4 - gap * Double(widths.count)
    if widths.count == 1 {
      widths[0] = min(widths[0], most)
    } else if widths.reduce(0, +) > most {
      let shrunk = ReceiptLayout.shrunk(
        widths, to: width - gap * Double(widths.count - 1) - 0.5,
        least: setter.width(of: "0.00", first.style))
      guard let shrunk else { return add(stacked: rows, isMirrored) }
      widths = shrunk
    }
    // Pango's units are rounded down, and text that just fits must not wrap.
    widths = widths.map { $0 + 0.05 }
    let room = max(0, width - widths.reduce(0, +) - gap * Double(widths.count))
    let isNarrow = room < setter.width(of: ReceiptLayout.shortestItem, first.style)
    for row in rows {
      var (row, widths) = (row, widths)
      let item = setter.width(of: row.columns[0], row.style)
      if item > room, row.columns.count == 2 {
        // The item may extend into the space for longer figures of other rows.
        let figure = setter.width(of: row.columns[1], row.style) + 0.05
        if item + gap + figure <= width { widths = [figure] }
      }
      // As on every till, a long item is placed above several figures, and so is one with a word that would be broken.
      let beside = width - widths.reduce(0, +) - gap * Double(widths.count)
      let longest = row.columns[0].split(separator: " ").max { $0.count < $1.count } ?? ""
      let hasRoom = setter.width(of: String(longest), row.style) <= beside
      if item > beside, isNarrow || row.columns.count > 2 || !hasRoom {
        let side: CellAlignment = isMirrored ? .right : .left
        add([
          TextCell(text: row.columns[0], style: row.style, alignment: side, x: x, width: width)
        ])
        row.columns[0] = ""
      }
      let cells = cells(of: row.columns, row.style, widths, gap)
      add(isMirrored ? cells.map(mirrored) : cells)
    }
  }

  /// Adds a table for which the paper is too narrow: each column on a line of its own.
  private mutating func add(stacked rows: [Row], _ isMirrored: Bool) {
    for row in rows {
      for (index, text) in row.columns.enumerated() where !text.isEmpty {
        let side: CellAlignment = (index == 0) == isMirrored ? .right : .left
        add([TextCell(text: text, style: row.style, alignment: side, x: x, width: width)])
      }
    }
  }

  /// Places the columns of a line from the right: the first has the rest of the width.
  private func cells(
    of columns: [String], _ style: CellStyle, _ widths: [Double], _ gap: Double
  ) -> [TextCell] {
    var right = x + width
    var cells: [TextCell] = []
    for (text, width) in zip(columns.dropFirst(), widths).reversed() {
      right -= width
      cells.append(TextCell(text: text, style: style, alignment: .right, x: right, width: width))
      right -= gap
    }
    let room = max(1, right - x)
    return cells + [
      TextCell(text: columns[0], style: style, alignment: .left, x: x, width: room)
    ]
  }

  /// Mirrors a cell, in a table that runs from right to left.
  private func mirrored(_ cell: TextCell) -> TextCell {
    var cell = cell
    cell.x = x + width - (cell.x - x) - cell.width
    cell.alignment = cell.alignment == .left ? .right : .left
    return cell
  }

  private mutating func addRule(_ isDouble: Bool) {
    let height = setter.lines(of: TextCell(text: "", x: 0, width: width)).first?.height ?? 8
    makeRoom(height)
    for offset in isDouble ? [-1.1, 1.1] : [0] {
      page.marks.append(
        .line(Rectangle(x: x, y: y + height / 2 + offset - 0.35, width: width, height: 0.7)))
    }
    y += height
  }
}

extension Receipt.Content {
  /// True for columns of this number and letter width.
  fileprivate func isColumns(_ count: Int, _ across: Int) -> Bool {
    if case .columns(let columns, let style) = self {
      return columns.count == count && style.across == across
    }
    return false
  }
}

// MARK: - Codes and pictures

extension ReceiptLayout {
  private mutating func add(
    _ code: Receipt.Code, _ alignment: CellAlignment, _ line: Int
  ) throws(Failure) {
    guard let symbol = symbols[line] else { return }
    let wanted: Double
    switch code {
    case .qr(_, _, let width):
      wanted = width.map { $0.points / Double(symbol.width) } ?? usualModule(of: symbol)
    // GS1's nominal X-dimension of EAN-13 is 0.33 mm.
    case .bars: wanted = Hundredths(33).points
    }
    let module = try module(wanted, symbol, line)
    let quiet = Double(symbol.quiet) * module.width
    let taken = Double(symbol.width) * module.width
    let x = quiet + start(of: taken + 2 * quiet, alignment)
    switch code {
    case .qr:
      let height = module.height * Double(symbol.rows.count + 2 * symbol.quiet)
      makeRoom(height)
      page.marks.append(
        .symbol(symbol, x: x, y: y + module.height * Double(symbol.quiet), module: module))
      y += height
    case .bars(_, let kind, let height, let hasText):
      if hasText, let number = ArticleNumber(kind, text: symbol.text) {
        return add(number, symbol, x: x, module: module, height: height)
      }
      let bars = PageSize(width: module.width, height: onDots(height.points, \.y))
      let below = TextCell(
        text: symbol.text, alignment: .center, x: x - quiet, width: taken + 2 * quiet)
      let text = hasText ? setter.lines(of: below).map(\.height).reduce(0, +) : 0
      let padding = 3.0
      makeRoom(bars.height + text + 2 * padding)
      y += padding
      page.marks.append(.symbol(symbol, x: x, y: y, module: bars))
      y += bars.height + 1
      if hasText { add([below]) }
      y += padding - 1
    }
  }

  /// A module of 0.5 mm, or a larger one that makes the code 20 mm wide, which a phone can read across a counter.
  private func usualModule(of symbol: Symbol) -> Double {
    let wanted = max(Hundredths(50).points, Hundredths(2_000).points / Double(symbol.width))
    guard let resolution = box.resolution else { return wanted }
    let dot = 72 / Double(resolution.x)
    return (wanted / dot - 0.001).rounded(.up) * dot
  }

  /// Adds the bars of an article number, with its digits between the guards.
  private mutating func add(
    _ number: ArticleNumber, _ symbol: Symbol, x: Double, module: PageSize, height: Hundredths
  ) {
    let bars = PageSize(width: module.width, height: onDots(height.points, \.y))
    let guards = PageSize(
      width: module.width, height: onDots(ArticleNumber.guardLength * module.width, \.y))
    let cells = number.groups.map { group in
      TextCell(
        text: group.text, alignment: .center,
        x: x + Double(group.place.lowerBound) * module.width,
        width: Double(group.place.count) * module.width)
    }
    let text = cells.flatMap(setter.lines).map(\.height).max() ?? 0
    let padding = 3.0
    makeRoom(bars.height + max(text, guards.height) + 2 * padding)
    y += padding
    page.marks.append(.symbol(symbol, x: x, y: y, module: bars))
    page.marks.append(
      .symbol(symbol.bars(in: number.guards), x: x, y: y + bars.height, module: guards))
    y += bars.height
    let below = y + guards.height
    add(cells)
    y = max(y, below) + padding
  }

  /// The size of a module: the requested one, or smaller if the paper is too narrow, but never too small for scanners;
  /// in whole dots if the printer's resolution is known.
  private func module(
    _ wanted: Double, _ symbol: Symbol, _ line: Int
  ) throws(Failure) -> PageSize {
    let count = Double(symbol.width + 2 * symbol.quiet)
    let finest = Hundredths(19).points
    guard let resolution = box.resolution else {
      let module = min(wanted, width / count)
      return PageSize(width: module, height: module)
    }
    let dot = 72 / Double(resolution.x)
    let room = (width / count / dot + 0.001).rounded(.down)
    let dots = min(max(1, (wanted / dot).rounded()), room)
    guard dots * dot >= min(finest, wanted) - dot / 2, dots >= 1 else {
      let needed = Hundredths(points: max(finest, dot) * count).inMillimeters
      throw .document(
        "Line \(line) of the receipt: the code needs \(needed) to be read by a scanner, and "
          + "the paper has \(Hundredths(points: width).inMillimeters).")
    }
    return PageSize(width: dots * dot, height: onDots(dots * dot, \.y))
  }

  /// The nearest length of whole dots, at least one.
  private func onDots(_ length: Double, _ axis: KeyPath<Resolution, Int>) -> Double {
    guard let resolution = box.resolution else { return length }
    let dot = 72 / Double(resolution[keyPath: axis])
    return max(1, (length / dot).rounded()) * dot
  }

  private mutating func addPicture(
    _ name: String, _ wanted: Hundredths?, _ alignment: CellAlignment
  ) {
    guard let (index, size) = pictures[name] else { return }
    let scale = min(
      (wanted?.points ?? size.width) / size.width, width / size.width,
      box.content.height / size.height)
    let area = PageSize(width: size.width * scale, height: size.height * scale)
    makeRoom(area.height)
    page.marks.append(
      .picture(
        index,
        Rectangle(
          x: start(of: area.width, alignment), y: y, width: area.width, height: area.height)))
    y += area.height
  }

  /// The left edge of a code or a picture.
  private func start(of taken: Double, _ alignment: CellAlignment) -> Double {
    switch alignment {
    case .natural, .center: x + (width - taken) / 2
    case .left: x
    case .right: x + width - taken
    }
  }
}
