internal import CCairo
package import DocumentBytes
package import Drawing
internal import LateLibraries
package import PrintModel
internal import Text

/// A receipt in airprint's own text format: parsed once, laid out for each paper.
package final class ReceiptPages: ReflowingPages {
  private let receipt: Receipt
  private let symbols: [Int: Symbol]
  private let names: [String: Int]
  private let pictures: [any Pages]
  private var box: PageBox
  private var pages: [ReceiptPage] = []
  private var losses: [Loss]

  /// Reads a receipt; `opened` are those of its pictures that exist, each opened and known to be drawable.
  ///
  /// Throws exit 65 with the line's number.
  ///
  /// - `losses`: of its other pictures.
  package init(
    _ file: MappedFile, _ opened: [(name: String, pages: any Pages)], losses: [Loss]
  ) throws(Failure) {
    try GraphicsLibraries.text.load()
    receipt = try ReceiptParser.parse(file.bytes)
    var symbols: [Int: Symbol] = [:]
    for line in receipt.parts.joined() {
      if case .code(let code, _) = line.content {
        symbols[line.number] = try Symbol(code, line: line.number)
      }
    }
    self.symbols = symbols
    var names: [String: Int] = [:]
    for (index, picture) in opened.enumerated() { names[picture.name] = index }
    self.losses = receipt.hints.map { Loss(.line, "\($0).") } + losses
    if receipt.hasNoncharacters { self.losses.append(.noncharacters) }
    self.names = names
    pictures = opened.map(\.pages)
    box = .unknown
    try layOut(for: box)
  }

  package var count: Int { pages.count }

  package func takeLosses() -> [Loss] {
    defer { losses = [] }
    return losses
      + names.sorted { $0.value < $1.value }.flatMap { name, index in
        pictures[index].takeLosses().map { $0.of("Picture \(name)") }
      }
  }

  package func isBlack(_ index: Int) -> Bool { pictures.isEmpty && !receipt.hasEmoji }

  package func size(of index: Int) -> PageSize {
    PageSize(width: box.size.width, height: box.isRoll ? pages[index].height : box.size.height)
  }

  package func layOut(for box: PageBox) throws(Failure) {
    self.box = box
    var sizes: [String: (index: Int, size: PageSize)] = [:]
    for (name, index) in names {
      sizes[name] = (index, try ReceiptPages.size(of: pictures[index]))
    }
    var layout = ReceiptLayout(box, try CellSetter(), symbols: symbols, pictures: sizes)
    pages = try layout.pages(of: receipt)
  }

  /// The size of a picture: its pixels are a receipt printer's dots, 203 per inch, as tills expect; anything else has a
  /// size of its own.
  private static func size(of picture: any Pages) throws(Failure) -> PageSize {
    if let image = picture.image {
      return PageSize(
        width: Double(image.width) * 72 / 203, height: Double(image.height) * 72 / 203)
    }
    return picture.count > 0 ? try picture.size(of: 0) : PageSize(width: 1, height: 1)
  }

  package func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    let setter = try CellSetter(drawingOn: context)
    let brush = BarPainter(context)
    for mark in pages[index].marks {
      switch mark {
      case .text(let cell, let first, let baselines):
        setter.draw(cell, from: first, on: baselines, context)
      case .line(let area): brush.fill(area)
      case .dashes(let area): brush.dash(area)
      case .symbol(let symbol, let x, let y, let module):
        brush.draw(symbol, x: x, y: y, module)
      case .picture(let index, let area): try draw(pictures[index], in: area, context)
      }
    }
  }

  private func draw(
    _ picture: any Pages, in area: Rectangle, _ context: OpaquePointer
  ) throws(Failure) {
    guard picture.count > 0 else { return }
    let size = try picture.size(of: 0)
    cairo_save(context)
    defer { cairo_restore(context) }
    cairo_translate(context, area.x, area.y)
    cairo_scale(context, area.width / size.width, area.height / size.height)
    cairo_rectangle(context, 0, 0, size.width, size.height)
    cairo_clip(context)
    try picture.draw(0, on: context)
  }
}

/// Draws black rectangles whose edges are aligned with pixels, so that equal bars have equal widths and no gray edges.
///
/// In a PDF they are not moved.
private struct BarPainter {
  private let context: OpaquePointer
  private let isRaster: Bool

  init(_ context: OpaquePointer) {
    self.context = context
    let type = cairo_surface_get_type(cairo_get_target(context))
    isRaster = type == CAIRO_SURFACE_TYPE_IMAGE || type == CAIRO_SURFACE_TYPE_RECORDING
  }

  func fill(_ area: Rectangle) {
    cairo_set_source_rgb(context, 0, 0, 0)
    let (left, top) = snapped(area.x, area.y)
    var (right, bottom) = snapped(area.x + area.width, area.y + area.height)
    // A thin line stays visible on a printer of low resolution.
    if right == left { right += area.width }
    if bottom == top { bottom += area.height }
    cairo_rectangle(context, left, top, right - left, bottom - top)
    cairo_fill(context)
  }

  func dash(_ area: Rectangle) {
    for x in stride(from: area.x, to: area.x + area.width, by: 6) {
      fill(
        Rectangle(x: x, y: area.y, width: min(3, area.x + area.width - x), height: area.height))
    }
  }

  /// Draws a symbol whose modules are whole dots of the printer: if the first one is aligned with the pixels, all are.
  func draw(_ symbol: Symbol, x: Double, y: Double, _ module: PageSize) {
    cairo_set_source_rgb(context, 0, 0, 0)
    let (left, top) = snapped(x, y)
    for (row, runs) in symbol.rows.enumerated() {
      for run in runs {
        cairo_rectangle(
          context, left + Double(run.lowerBound) * module.width, top + Double(row) * module.height,
          Double(run.count) * module.width, module.height)
      }
    }
    cairo_fill(context)
  }

  /// The nearest corner of a pixel.
  private func snapped(_ x: Double, _ y: Double) -> (Double, Double) {
    guard isRaster else { return (x, y) }
    var (x, y) = (x, y)
    cairo_user_to_device(context, &x, &y)
    x.round()
    y.round()
    cairo_device_to_user(context, &x, &y)
    return (x, y)
  }
}
