internal import CPoppler
package import PrintModel

/// An open document: its pages, and how to draw them.
package final class Document {
  package let mediaType: String
  private let pages: any Pages
  /// Size of the file.
  private let byteCount: Int
  private let stamps: [OpenStamp]

  /// Opens the regular file behind `descriptor`, with those behind `attachments`; all stay the caller's.
  ///
  /// The failure is exit 65, in words that begin with what is wrong.
  package init(
    _ opening: OpeningOptions, descriptor: Int32, attachments: [Int32] = []
  ) throws(Failure) {
    mediaType = opening.mediaType
    pages = try Document.pages(opening, descriptor, attachments)
    stamps = try OpenStamp.open(opening, attachments)
    byteCount = MappedFile.size(of: descriptor) + stamps.reduce(0) { $0 + $1.byteCount }
  }

  /// The library that reads a document of this kind.
  static func pages(
    _ opening: OpeningOptions, _ descriptor: Int32, _ attachments: [Int32]
  ) throws(Failure) -> any Pages {
    if let resolution = opening.pageResolution, opening.mediaType == DocumentFormat.png {
      return try PNGPages(descriptor, resolution)
    }
    return switch opening.mediaType {
    case DocumentFormat.pdf:
      try PDFPages(
        MappedFile(descriptor), password: opening.password, refusesFiles: opening.refusesFiles)
    case DocumentFormat.jpeg2000, DocumentFormat.appleIcon:
      try picture(opening, descriptor)
    case DocumentFormat.text: try TextPages(descriptor)
    case DocumentFormat.receipt:
      try ReceiptPages(descriptor, Array(zip(opening.attachments, attachments)))
    case DocumentFormat.urf, DocumentFormat.pwg: try RasterPages(descriptor)
    case DocumentFormat.svg: try SVGPages(descriptor, folder: opening.folder)
    case DocumentFormat.tiff: try TIFFPages(descriptor)
    default: try PicturePages(descriptor, opening.mediaType, keepsAlpha: opening.isStamp)
    }
  }

  /// A picture that Poppler decodes, in a file of its own or as the largest of an icon's; any other icon.
  private static func picture(
    _ opening: OpeningOptions, _ descriptor: Int32
  ) throws(Failure) -> any Pages {
    let file = try MappedFile(descriptor)
    let bytes = AppleIcon.largestFile(file.bytes) ?? file.bytes
    guard DocumentFormat.picture(Array(bytes.prefix(16))) == DocumentFormat.jpeg2000 else {
      return try PicturePages(descriptor, opening.mediaType, keepsAlpha: opening.isStamp)
    }
    let picture = try JPEG2000Picture(bytes)
    return try PDFPages(
      MappedFile(copy: picture.pdf), password: nil,
      image: DocumentInfo.Image(width: picture.facts.width, height: picture.facts.height))
  }

  /// The document's facts.
  ///
  /// `contentHeights` draws every page small to see where its last mark is; that is only worth it for rolls. Exit
  /// 65 for a page that can't be read.
  package func info(contentHeights: Bool) throws(Failure) -> DocumentInfo {
    var info = DocumentInfo(
      mediaType: mediaType, title: pages.title, pages: [], image: pages.image,
      reflows: pages is any ReflowingPages)
    info.raster = (pages as? RasterPages)?.facts
    var isCounted = true
    // Reading a page may repair the document, which may then have different pages.
    var index = 0
    var firstProblem: Failure?
    while index < pages.count {
      do throws(Failure) {
        var page = try pages.page(index)
        if contentHeights { page.contentHeight = try contentHeight(of: index, page.size) }
        isCounted = isCounted && page.label ?? "\(index + 1)" == "\(index + 1)"
        info.pages.append(page)
      } catch {
        // It was counted, and is not there.
        guard index < pages.count else { break }
        // One bad page costs no other; of a thousand bad ones, the rest isn't worth printing.
        guard error.code == .document, !MemoryShortage.isCause(of: error),
          info.pages.count(where: { $0.problem != nil }) < Document.mostGaps
        else { throw error }
        firstProblem = firstProblem ?? error
        var page = DocumentInfo.Page(size: info.pages.last?.size ?? PageSize(width: 0, height: 0))
        page.problem = error.message
        info.pages.append(page)
      }
      index += 1
    }
    if let firstProblem { try fillGaps(of: &info, firstProblem) }
    // A printer's own reader may do anything with a bad page.
    info.isLocked = pages.isLocked || firstProblem != nil
    info.warnings = pages.warnings
    if isCounted { for index in info.pages.indices { info.pages[index].label = nil } }
    return info
  }

  /// Pages that may be bad in a document that is printed.
  private static let mostGaps = 1_000

  /// Gives bad pages that are the first ones the size of the first good one.
  ///
  /// The failure is that there is none.
  private func fillGaps(of info: inout DocumentInfo, _ problem: Failure) throws(Failure) {
    guard let good = info.pages.firstIndex(where: { $0.problem == nil }) else { throw problem }
    for index in 0..<good { info.pages[index].size = info.pages[good].size }
  }

  /// True when a page that was drawn has to be drawn again: cairo could not draw it, and Splash will.
  ///
  /// To be asked once.
  package func takeRedraw() -> Bool {
    // Each is asked, that none says so of the next page.
    let isOfStamps = stamps.count { $0.takeRedraw() } > 0
    return (pages as? PDFPages)?.takeRedraw() == true || isOfStamps
  }

  /// Sentences about content found missing from the pages drawn since the last call.
  package func takeOmissions() -> [String] {
    let own = (pages as? PDFPages)?.takeOmissions() ?? []
    return own + stamps.flatMap { $0.takeOmissions() }
  }

  /// True when Splash finds marks on pages on which cairo has drawn none, and says nothing of: fonts and pictures
  /// that it can't take.
  ///
  /// Splash draws these pages from then on.
  package func findsMarks(on pages: [Int]) -> Bool {
    guard let document = self.pages as? PDFPages else { return false }
    return pages.count { document.findsMarks(on: $0) } > 0
  }

  /// Has Splash draw a page that cairo could not draw; false when that is no way out.
  func redrawBySplash(page index: Int) -> Bool {
    (pages as? PDFPages)?.redrawBySplash(index) ?? false
  }

  /// Lays a document that reflows out for a paper; any other stays as it is.
  package func layOut(for box: PageBox) throws(Failure) {
    if let reflowing = pages as? any ReflowingPages { try reflowing.layOut(for: box) }
  }

  /// Every page of a PDF is drawn by Splash, which takes less memory for pictures than cairo, and more time.
  package var drawsBySplash: Bool {
    get { (pages as? PDFPages)?.drawsBySplash ?? false }
    set { (pages as? PDFPages)?.drawsBySplash = newValue }
  }

  /// True when a page is drawn as pixels, which a list would hold twice.
  package func isDrawnAsPixels(page index: Int) -> Bool { pages.isDrawnAsPixels(index) }

  /// True when all that is drawn goes through the context that is given: SVG and pictures have others, too.
  var isDrawnByOneContext: Bool {
    stamps.isEmpty && (pages is PDFPages || pages is any ReflowingPages)
  }

  /// True when a page has no colors, which need not be made gray then.
  package func isBlack(_ placement: PagePlacement) -> Bool {
    stamps.isEmpty && pages.isBlack(placement.page)
      && !placement.lines.contains { ($0.left + $0.centre + $0.right).hasEmoji }
  }

  /// Bytes that a page takes of the file on average.
  var bytesPerPage: Int { byteCount / max(1, pages.count) }

  /// Draws a page through `transform`, which maps the page's points (origin top left) to the canvas'
  /// pixels.
  func draw(page index: Int, on context: OpaquePointer) throws(Failure) {
    guard !stamps.isEmpty else { return try pages.draw(index, on: context) }
    let size = try pages.size(of: index)
    for stamp in stamps where stamp.isBelow {
      try stamp.draw(on: index, of: pages.count, size, context)
    }
    cairo_save(context)
    try pages.draw(index, on: context)
    cairo_restore(context)
    for stamp in stamps where !stamp.isBelow {
      try stamp.draw(on: index, of: pages.count, size, context)
    }
  }

  /// Points from the top of a page to its last mark, rounded up to the next point.
  ///
  /// A long page, such as HTML's for a roll, is looked at coarsely as a whole, then at 72 dpi where
  /// the last mark was seen.
  private func contentHeight(of index: Int, _ size: PageSize) throws(Failure) -> Double {
    // A page longer than this is measured coarser, so that its picture stays small.
    let scale = min(1, 4_000 / max(size.width, size.height, 1))
    let canvas = try Canvas(
      width: max(1, Int(size.width * scale)),
      height: max(1, Int((size.height * scale).rounded(.up))))
    try canvas.draw(self, page: index, by: .scale(scale, scale))
    guard let last = canvas.lastMarkedRow else { return 0 }
    let bottom = min(size.height, (Double(last + 1) / scale).rounded(.up))
    guard scale < 1 else { return bottom }
    let top = max(0, bottom - (2 / scale).rounded(.up))
    let strip = try Canvas(
      width: max(1, Int(min(4_000, size.width))), height: max(1, Int(bottom - top)))
    try strip.draw(
      self, page: index,
      by: Transform.scale(min(1, 4_000 / size.width), 1).then(.translation(0, -top)))
    return strip.lastMarkedRow.map { min(bottom, top + Double($0 + 1)) } ?? bottom
  }
}

/// The pages of one kind of document.
///
/// cairo contexts and what belongs to them stay inside this module.
protocol Pages {
  var count: Int { get }
  var title: String? { get }
  /// Set when the document is a picture.
  var image: DocumentInfo.Image? { get }
  /// True when it took a password to open them.
  var isLocked: Bool { get }
  /// Resources that could not be loaded, as sentences.
  var warnings: [String] { get }
  /// True when a page is drawn as pixels, for as many of them as there are.
  func isDrawnAsPixels(_ index: Int) -> Bool
  /// True when a page has no colors for sure.
  func isBlack(_ index: Int) -> Bool
  /// Points, as shown.
  func size(of index: Int) throws(Failure) -> PageSize
  /// The page's size, and its label where it has one.
  func page(_ index: Int) throws(Failure) -> DocumentInfo.Page
  /// Draws with the context's user space in points, origin top left of the page.
  func draw(_ index: Int, on context: OpaquePointer) throws(Failure)
}

extension Pages {
  var isLocked: Bool { false }
  func isDrawnAsPixels(_ index: Int) -> Bool { false }
  func isBlack(_ index: Int) -> Bool { false }

  func page(_ index: Int) throws(Failure) -> DocumentInfo.Page {
    DocumentInfo.Page(size: try size(of: index))
  }
  var warnings: [String] { [] }
}

/// Pages that have no size of their own: text takes the paper's.
protocol ReflowingPages: Pages {
  func layOut(for box: PageBox) throws(Failure)
}

extension String {
  /// It has characters that fonts may have in colors.
  var hasEmoji: Bool {
    unicodeScalars.contains { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" }
  }
}
