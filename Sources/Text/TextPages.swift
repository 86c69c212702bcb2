internal import CCairo
internal import CGLib
internal import CPango
package import DocumentBytes
internal import Drawing
internal import LateLibraries
package import PrintModel

/// Plain text, laid out by Pango: any script, in either direction, with the system's fonts.
///
/// It is laid out again for each paper, whose size its pages have.
package final class TextPages: ReflowingPages {
  private let file: MappedFile
  private let text: PlainText
  private var box: PageBox
  private var pages: [TextPage] = []
  private var numbers: LineNumbers?
  private var losses = LossNotes()

  package init(_ file: MappedFile) throws(Failure) {
    try GraphicsLibraries.text.load()
    self.file = file
    guard file.bytes.count <= PlainText.longest else {
      let most = PlainText.longest >> 20
      throw .document(
        "The text is longer than \(most) MB, which is the most that airprint lays out: print it in parts, as "
          + "split -C \(most)M makes them.")
    }
    text = PlainText(file.bytes)
    for loss in text.losses { losses.add(loss) }
    box = .unknown
    try layOut(for: box)
  }

  package var count: Int { pages.count }

  package func size(of index: Int) -> PageSize {
    box.isRoll
      ? PageSize(width: box.size.width, height: pages[index].height) : box.size
  }

  package func layOut(for stated: PageBox) throws(Failure) {
    box = stated.arrangement == .lines ? stated.withRollMargins() : stated
    numbers = try lineNumbers()
    let setter = try TextSetter(width: column.width, isRoll: box.isRoll, style: box.text)
    if let family = box.text.family, let other = try TextSetter.replacement(of: box.text) {
      losses.add(
        Loss(
          .font, "--font \(family): there is no such font here; the text is set in \(other)."))
    }
    if box.arrangement != .lines, let blockPages = try blockPages() {
      pages = blockPages
      return
    }
    var builder = PageBuilder(box)
    var number = 0
    for page in text.pages {
      for line in page {
        if !line.isContinued { number += 1 }
        let isNumbered = numbers != nil && !line.isContinued
        builder.add(line, heights: setter.heights(of: line), number: isNumbered ? number : nil)
        guard builder.count <= TextPages.most else { throw tooLong }
      }
      guard builder.count <= TextPages.most else { throw tooLong }
      if !(box.isRoll && box.isOnePiece) { builder.endPage() }
    }
    pages = builder.finished()
  }

  private func lineNumbers(
    drawingOn context: OpaquePointer? = nil
  ) throws(Failure) -> LineNumbers? {
    guard box.text.numbersLines, box.arrangement == .lines else { return nil }
    return try LineNumbers(
      upTo: text.lineCount, style: box.text, isRoll: box.isRoll, drawingOn: context)
  }

  /// The column of the text, beside that of the numbers, in points.
  private var column: (x: Double, width: Double) {
    let numbers = numbers?.width ?? 0
    return (box.content.x + numbers, max(1, box.content.width - numbers))
  }

  /// An envelope or a label for each nonempty page of the text; nil for text that does not fit on one and so flows over
  /// as many as it fills.
  private func blockPages() throws(Failure) -> [TextPage]? {
    let setter = BlockSetter(box: box)
    var pages: [TextPage] = []
    for lines in text.pages {
      guard pages.count < TextPages.most, lines.count <= TextPages.most else { throw tooLong }
      guard let blocks = try setter.blocks(lines.map(\.text)) else { return nil }
      if !blocks.isEmpty { pages.append(TextPage(height: box.size.height, blocks: blocks)) }
    }
    return pages.isEmpty ? [TextPage(height: box.size.height)] : pages
  }

  /// Maximum number of pages: a megabyte of empty lines would make more pages than anybody has paper for.
  private static let most = 10_000

  private var tooLong: Failure {
    Failure.document(
      "The text fills more than \(TextPages.most) pages of this paper: print it in parts.")
  }

  package func takeLosses() -> [Loss] { losses.take() }

  package func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    for block in pages[index].blocks {
      let setter = try TextSetter(
        width: block.width, isRoll: false, style: block.style, drawingOn: context)
      for entry in block.entries { setter.draw(entry, at: block.x, on: context) }
    }
    guard !pages[index].entries.isEmpty else { return }
    let setter = try TextSetter(
      width: column.width, isRoll: box.isRoll, style: box.text, drawingOn: context)
    let digits = try lineNumbers(drawingOn: context)
    for entry in pages[index].entries {
      if let number = entry.number {
        digits?.draw(number, before: column.x, baseline: entry.top + setter.ascent(of: entry))
      }
      setter.draw(entry, at: column.x, on: context)
    }
  }
}

/// Lines of one paragraph on a page.
struct TextEntry {
  var paragraph: TextLine
  /// Range of the paragraph's lines, and the top of the first one in points.
  var lines: Range<Int>
  var top: Double
  /// The number drawn before the first line.
  var number: Int?
}

private struct TextPage {
  var entries: [TextEntry] = []
  /// In points; on a roll, down to the end of the text.
  var height: Double
  var blocks: [TextBlock] = []
}

/// Distributes lines over pages.
private struct PageBuilder {
  private let box: PageBox
  private var pages: [TextPage] = []
  private var page: TextPage
  private var y: Double

  init(_ box: PageBox) {
    self.box = box
    y = box.content.y
    page = TextPage(height: box.size.height)
  }

  mutating func add(_ paragraph: TextLine, heights: [Double], number: Int? = nil) {
    var first = 0
    var top = y
    var number = number
    var index = 0
    while index < heights.count {
      if y + heights[index] > box.content.y + box.content.height + 0.01, y > box.content.y {
        // A page with only empty lines above is filled as far as possible, too.
        let earliest = page.entries.isEmpty ? first + 1 : first
        let end = breakPoint(of: first..<heights.count, before: index, notBefore: earliest)
        append(paragraph, first..<end, top, &number)
        endPage()
        (first, index, top) = (end, end, y)
      }
      y += heights[index]
      index += 1
    }
    append(paragraph, first..<heights.count, top, &number)
  }

  /// The first line of a paragraph on the next page, when this page has no room for line `index`.
  ///
  /// At least two lines stay together at the bottom of a page and at the top of the next (no orphans, no widows),
  /// unless that would be before line `earliest`: then the page is filled as far as possible.
  private func breakPoint(of lines: Range<Int>, before index: Int, notBefore earliest: Int) -> Int {
    let kept = min(index, lines.upperBound - 2)
    if kept >= lines.lowerBound + 2 { return kept }
    return lines.count > 1 && earliest == lines.lowerBound ? earliest : index
  }

  private mutating func append(
    _ paragraph: TextLine, _ lines: Range<Int>, _ top: Double, _ number: inout Int?
  ) {
    if !lines.isEmpty && !(paragraph.text.isEmpty && number == nil) {
      page.entries.append(TextEntry(paragraph: paragraph, lines: lines, top: top, number: number))
      number = nil
    }
  }

  mutating func endPage() {
    if box.isRoll { page.height = y }
    pages.append(page)
    page = TextPage(height: box.size.height)
    y = box.content.y
  }

  package var count: Int { pages.count }

  mutating func finished() -> [TextPage] {
    if y > box.content.y || pages.isEmpty { endPage() }
    return pages
  }
}

/// The column of line numbers beside a text: digits of equal width, right-aligned, in gray, in the system's monospaced
/// font at the text's size.
final class LineNumbers {
  private let layout: OpaquePointer
  private let context: OpaquePointer?
  /// The width of a digit, in points.
  private var figure = 0.0
  private let digits: Int

  /// The space between the numbers and the text, in digits.
  private static let gap = 1.5
  private static let fewest = 2

  /// Creates a column wide enough for numbers up to `last`, for measuring, or for drawing on `context`.
  init(
    upTo last: Int, style: TextStyle, isRoll: Bool, drawingOn context: OpaquePointer?
  ) throws(Failure) {
    self.context = context
    digits = max(LineNumbers.fewest, "\(last)".count)
    layout = try unhintedLayout(for: context)
    var style = style
    style.family = nil
    let font = TextSetter.fontDescription(style, isRoll: isRoll)
    pango_layout_set_font_description(layout, font)
    pango_font_description_free(font)
    figure = points("0000000000") / 10
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

  /// In points, including the space between the numbers and the text.
  var width: Double { figure * (Double(digits) + LineNumbers.gap) }

  private func points(_ text: String) -> Double {
    Double(measuredWidth(of: text, in: layout)) / Double(PANGO_SCALE)
  }

  /// Draws a number beside its line.
  ///
  /// - `column`: the left edge of the text, in points.
  /// - `baseline`: the baseline of the line, in points from the page's top.
  func draw(_ number: Int, before column: Double, baseline: Double) {
    let room = LineNumbers.gap * figure
    let width = points("\(number)")
    guard let context, let line = pango_layout_get_line_readonly(layout, 0) else { return }
    cairo_set_source_rgb(context, 0.45, 0.45, 0.45)
    cairo_move_to(context, column - room - width, baseline)
    pango_cairo_show_layout_line(context, line)
  }
}
