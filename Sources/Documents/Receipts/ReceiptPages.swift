internal import CPango  // cairo, which all modules of its kin have
internal import CPoppler
internal import PrintModel

/// A receipt in airprint's own text format: parsed once, laid out for each paper.
final class ReceiptPages: ReflowingPages {
  private let receipt: Receipt
  private let symbols: [Int: Symbol]
  private let names: [String: Int]
  private let pictures: [Document]
  private var box: PageBox
  private var pages: [ReceiptPage] = []

  let title: String? = nil
  let image: DocumentInfo.Image? = nil
  let warnings: [String]

  /// Reads a receipt; `attachments` are those of its pictures that exist.
  ///
  /// Throws exit 65 with the line's number.
  init(
    _ descriptor: Int32, _ attachments: [(OpeningOptions.Attachment, descriptor: Int32)]
  ) throws(Failure) {
    try GraphicsLibraries.text.load()
    receipt = try ReceiptParser.parse(descriptor)
    var symbols: [Int: Symbol] = [:]
    for line in receipt.parts.joined() {
      if case .code(let code, _) = line.content {
        symbols[line.number] = try Symbol(code, line: line.number)
      }
    }
    self.symbols = symbols
    var names: [String: Int] = [:]
    var pictures: [Document] = []
    var warnings = receipt.hints.map { $0 + "." }
    for (attachment, descriptor) in attachments {
      do throws(Failure) {
        let picture = try Document(
          OpeningOptions(mediaType: attachment.mediaType), descriptor: descriptor)
        // Decode it now: a damaged picture must not be found while the printer waits.
        try Canvas(width: 1, height: 1).draw(picture, page: 0, by: .scale(0.001, 0.001))
        names[attachment.name] = pictures.count
        pictures.append(picture)
      } catch {
        warnings.append("Skipping picture \(attachment.name): \(error.message)")
      }
    }
    self.warnings = warnings
    self.names = names
    self.pictures = pictures
    box = PageBox(
      size: PageSize(width: 595, height: 842),
      content: Rectangle(x: 54, y: 54, width: 487, height: 734), isRoll: false)
    try layOut(for: box)
  }

  var count: Int { pages.count }

  func isBlack(_ index: Int) -> Bool { pictures.isEmpty && !receipt.hasEmoji }

  func size(of index: Int) -> PageSize {
    PageSize(width: box.size.width, height: box.isRoll ? pages[index].height : box.size.height)
  }

  func layOut(for box: PageBox) throws(Failure) {
    self.box = box
    var sizes: [String: (index: Int, size: PageSize)] = [:]
    for (name, index) in names {
      sizes[name] = (index, try ReceiptPages.size(of: pictures[index]))
    }
    var layout = ReceiptLayout(box, try ReceiptSetter(), symbols: symbols, pictures: sizes)
    pages = try layout.pages(of: receipt)
  }

  /// The size of a picture: its pixels are a receipt printer's dots, 203 per inch, as tills expect; anything else has a
  /// size of its own.
  private static func size(of picture: Document) throws(Failure) -> PageSize {
    let info = try picture.info(contentHeights: false)
    if let image = info.image {
      return PageSize(
        width: Double(image.width) * 72 / 203, height: Double(image.height) * 72 / 203)
    }
    return info.pages.first?.size ?? PageSize(width: 1, height: 1)
  }

  func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    let setter = try ReceiptSetter(drawingOn: context)
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
    _ picture: Document, in area: Rectangle, _ context: OpaquePointer
  ) throws(Failure) {
    let info = try picture.info(contentHeights: false)
    guard let size = info.pages.first?.size else { return }
    cairo_save(context)
    defer { cairo_restore(context) }
    cairo_translate(context, area.x, area.y)
    cairo_scale(context, area.width / size.width, area.height / size.height)
    cairo_rectangle(context, 0, 0, size.width, size.height)
    cairo_clip(context)
    try picture.draw(page: 0, on: context)
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
    cairo_set_source_rgb(context, 0, 0, 0)
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
