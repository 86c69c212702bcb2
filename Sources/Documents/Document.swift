internal import CPoppler
package import PrintModel

/// An open document: its pages, and how to draw them.
package final class Document {
  package let mediaType: String
  private let pages: any Pages
  /// Size of the file.
  private let byteCount: Int
  private let stamps: [OpenStamp]

  /// Opens the regular file behind `descriptor`, with those behind `attachments`; all of them stay the caller's.
  ///
  /// Throws exit 65, with a message that begins with the problem.
  package init(
    _ opening: OpeningOptions, descriptor: Int32, attachments: [Int32] = []
  ) throws(Failure) {
    mediaType = opening.mediaType
    pages = try Document.pages(opening, descriptor, attachments)
    stamps = try OpenStamp.open(opening, attachments)
    byteCount = MappedFile.size(of: descriptor) + stamps.reduce(0) { $0 + $1.byteCount }
  }

  /// Opens a document with the library for its type.
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

  /// Opens JPEG 2000, which Poppler decodes, as a file of its own or as an icon's largest picture; or any other icon.
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

  /// The description of the document.
  ///
  /// `contentHeights` draws every page in a small size to find its last mark, which is only worth it for rolls. Throws
  /// exit 65 for a page that can't be read.
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
        // The page was counted, but does not exist.
        guard index < pages.count else { break }
        // A bad page does not affect the others; with a thousand bad ones, the rest isn't worth printing.
        guard error.reason == .document,
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
    // A printer's own reader might do anything with a bad page.
    info.isLocked = pages.isLocked || firstProblem != nil
    info.warnings = pages.warnings
    if isCounted { for index in info.pages.indices { info.pages[index].label = nil } }
    return info
  }

  /// Maximum number of bad pages in a document that is printed.
  private static let mostGaps = 1_000

  /// Gives bad pages at the beginning the size of the first good one.
  ///
  /// Throws `problem` if there is none.
  private func fillGaps(of info: inout DocumentInfo, _ problem: Failure) throws(Failure) {
    guard let good = info.pages.firstIndex(where: { $0.problem == nil }) else { throw problem }
    for index in 0..<good { info.pages[index].size = info.pages[good].size }
  }

  /// True when a page must be drawn again: cairo could not draw it, and Splash will; or the document has been mended.
  ///
  /// Each call resets this.
  package func takeRedraw() -> Bool {
    // Reset all of them, so that none affects the next page.
    let isOfStamps = stamps.count { $0.takeRedraw() } > 0
    return (pages as? PDFPages)?.takeRedraw() == true || isOfStamps
  }

  /// Sentences about content found missing from the pages drawn since the last call.
  package func takeOmissions() -> [String] {
    pages.takeOmissions() + stamps.flatMap { $0.takeOmissions() }
  }

  /// True when Splash finds marks on pages on which cairo drew none, without reporting an error: it leaves out fonts
  /// and pictures that it does not support.
  ///
  /// Splash draws these pages from then on.
  package func findsMarks(on pages: [Int]) -> Bool {
    guard let document = self.pages as? PDFPages else { return false }
    return pages.count { document.findsMarks(on: $0) } > 0
  }

  /// Lets Splash draw pages from a list of which cairo could not play all; false if it draws them already.
  package func leaveToSplash(_ pages: [Int]) -> Bool {
    guard let document = self.pages as? PDFPages else { return false }
    return pages.count { document.leaveToSplash($0) } > 0
  }

  /// Lets Splash draw a page that cairo could not draw; false when that doesn't help.
  func redrawBySplash(page index: Int) -> Bool {
    (pages as? PDFPages)?.redrawBySplash(index) ?? false
  }

  /// Lays out a reflowing document for a paper; does nothing for any other.
  package func layOut(for box: PageBox) throws(Failure) {
    if let reflowing = pages as? any ReflowingPages { try reflowing.layOut(for: box) }
  }

  /// True to draw every page of a PDF by Splash, which takes less memory for pictures than cairo, but more time.
  package var drawsBySplash: Bool {
    get { (pages as? PDFPages)?.drawsBySplash ?? false }
    set { (pages as? PDFPages)?.drawsBySplash = newValue }
  }

  /// True to draw pages in gray while `drawsBySplash` is true, which takes less memory again.
  package var drawsInGray: Bool {
    get { (pages as? PDFPages)?.drawsInGray ?? false }
    set { (pages as? PDFPages)?.drawsInGray = newValue }
  }

  /// True for a page of a PDF on which Splash finds no color.
  package func isGray(page index: Int) -> Bool { (pages as? PDFPages)?.isGray(index) ?? false }

  /// True for a PDF with a picture of which half of the memory is needed while it is drawn.
  package var hasLargePictures: Bool { (pages as? PDFPages)?.hasLargePictures ?? false }

  /// True while nothing is drawn below the pages, on any side.
  package var drawsOnWhite: Bool {
    get { (pages as? PDFPages)?.drawsOnWhite ?? false }
    set { (pages as? PDFPages)?.drawsOnWhite = newValue && stamps.isEmpty }
  }

  /// True when a page is drawn as pixels, which a list would only duplicate.
  package func isDrawnAsPixels(page index: Int) -> Bool { pages.isDrawnAsPixels(index) }

  /// True when everything is drawn through the given context; SVG and pictures also use others.
  var isDrawnByOneContext: Bool {
    stamps.isEmpty && (pages is PDFPages || pages is any ReflowingPages)
  }

  /// True when a page has no colors, and so need not be made gray.
  package func isBlack(_ placement: PagePlacement) -> Bool {
    stamps.isEmpty && pages.isBlack(placement.page)
      && !placement.lines.contains { ($0.left + $0.centre + $0.right).hasEmoji }
  }

  /// Average size of a page in the file, in bytes.
  var bytesPerPage: Int { byteCount / max(1, pages.count) }

  /// Draws a page and its stamps; the context's user space is the page's points (origin top left).
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
  /// A long page, such as HTML for a roll, is first measured coarsely as a whole, then at 72 dpi where its last mark
  /// was found.
  private func contentHeight(of index: Int, _ size: PageSize) throws(Failure) -> Double {
    // Longer pages are measured more coarsely, so that their pictures stay small.
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
/// cairo contexts and related objects stay inside this module.
protocol Pages {
  var count: Int { get }
  var title: String? { get }
  /// Set when the document is a picture.
  var image: DocumentInfo.Image? { get }
  /// True when a password was needed to open them.
  var isLocked: Bool { get }
  /// Resources that could not be loaded, as sentences.
  var warnings: [String] { get }
  /// True when a page is drawn as pixels, at the resolution of the canvas.
  func isDrawnAsPixels(_ index: Int) -> Bool
  /// True when a page certainly has no colors.
  func isBlack(_ index: Int) -> Bool
  /// Points, as shown.
  func size(of index: Int) throws(Failure) -> PageSize
  /// The page's size, and its label if it has one.
  func page(_ index: Int) throws(Failure) -> DocumentInfo.Page
  /// Draws a page; the context's user space is points, origin top left of the page.
  func draw(_ index: Int, on context: OpaquePointer) throws(Failure)
  /// Sentences about content found missing from the pages drawn since the last call.
  func takeOmissions() -> [String]
}

extension Pages {
  var isLocked: Bool { false }
  func isDrawnAsPixels(_ index: Int) -> Bool { false }
  func isBlack(_ index: Int) -> Bool { false }
  func takeOmissions() -> [String] { [] }

  func page(_ index: Int) throws(Failure) -> DocumentInfo.Page {
    DocumentInfo.Page(size: try size(of: index))
  }
  var warnings: [String] { [] }
}

/// Pages without a size of their own: text takes the paper's.
protocol ReflowingPages: Pages {
  func layOut(for box: PageBox) throws(Failure)
}

extension String {
  /// True if it has characters that fonts may draw in color.
  var hasEmoji: Bool {
    unicodeScalars.contains { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" }
  }
}
