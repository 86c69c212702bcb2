// Documents: a file of any type as pages. It does not depend on printers: it turns pages, points and pixels into pixels.

internal import CCairo
internal import DocumentBytes
internal import Drawing
internal import Glibc
internal import LateLibraries
internal import LibraryPatches
internal import PDF
internal import Pictures
package import PrintModel
internal import Receipts
internal import Stamps
internal import SVG
internal import Text

/// An open document: its pages, and how to draw them.
package final class Document {
  package let mediaType: String
  private let pages: any Pages
  /// Size of the file.
  private let byteCount: Int
  private let stamps: [OpenStamp]
  /// What is missing from the lines above and below the pages.
  var losses = LossNotes()

  /// Opens the regular file behind `descriptor`, with those behind `attachments`; all of them stay the caller's.
  ///
  /// Throws exit 65, with a message that begins with the problem.
  package init(
    _ opening: OpeningOptions, descriptor: Int32, attachments: [Int32] = []
  ) throws(Failure) {
    mediaType = opening.mediaType
    pages = try Document.pages(opening, MappedFile(descriptor), attachments)
    stamps = try Document.stamps(opening, attachments)
    byteCount = MappedFile.size(of: descriptor) + stamps.reduce(0) { $0 + $1.byteCount }
  }

  /// Opens a document with the library for its type.
  private static func pages(
    _ opening: OpeningOptions, _ file: MappedFile, _ attachments: [Int32] = []
  ) throws(Failure) -> any Pages {
    if let resolution = opening.pageResolution, opening.mediaType == DocumentFormat.png {
      return try PNGPages(file, resolution)
    }
    return switch opening.mediaType {
    case DocumentFormat.pdf:
      try PDFPages(file, password: opening.password, refusesFiles: opening.refusesFiles)
    case DocumentFormat.jpeg2000, DocumentFormat.appleIcon:
      try picture(opening, file)
    case DocumentFormat.text: try TextPages(file)
    case DocumentFormat.receipt:
      try receipt(file, Array(zip(opening.attachments, attachments)))
    case DocumentFormat.urf, DocumentFormat.pwg: try RasterPages(file)
    case DocumentFormat.svg:
      try SVGPages(file, folder: opening.folder, lossesOf: losses(ofInner:))
    case DocumentFormat.tiff: try TIFFPages(file)
    default: try PicturePages(file, opening.mediaType, keepsAlpha: opening.isStamp)
    }
  }

  /// Opens JPEG 2000, which Poppler decodes, as a file of its own or as an icon's largest picture; or any other icon.
  private static func picture(
    _ opening: OpeningOptions, _ file: MappedFile
  ) throws(Failure) -> any Pages {
    let bytes = AppleIcon.largestFile(file.bytes) ?? file.bytes
    guard DocumentFormat.picture(Array(bytes.prefix(16))) == DocumentFormat.jpeg2000 else {
      return try PicturePages(file, opening.mediaType, keepsAlpha: opening.isStamp)
    }
    let picture = try JPEG2000Picture(bytes)
    guard let pdf = MappedFile(copy: picture.pdf) else {
      throw MemoryShortage.failure(of: "The picture")
    }
    return try PDFPages(
      pdf, password: nil,
      image: DocumentInfo.Image(width: picture.size.width, height: picture.size.height))
  }

  /// What would be missing of a picture in a drawing: librsvg leaves out what it can't read, without a word.
  private static func losses(ofInner file: MappedFile) -> [Loss] {
    do throws(Failure) {
      let type = DocumentFormat.sniff(file.bytes) ?? DocumentFormat.octets
      let pages: any Pages =
        type == DocumentFormat.svg
        ? try SVGPages(file, folder: nil, isInner: true, lossesOf: losses(ofInner:))
        : try pages(OpeningOptions(mediaType: type), file)
      try pages.tryOut(pixels: 1, by: 0.001, 0.001)
      return pages.takeLosses()
    } catch {
      return [Loss(.damage, error.message)]
    }
  }

  /// Opens a receipt with its pictures; one that can't be drawn is skipped with a warning.
  private static func receipt(
    _ file: MappedFile, _ attachments: [(OpeningOptions.Attachment, descriptor: Int32)]
  ) throws(Failure) -> ReceiptPages {
    var pictures: [(name: String, pages: any Pages)] = []
    var losses: [Loss] = []
    for (attachment, descriptor) in attachments {
      do throws(Failure) {
        let picture = try Document(
          OpeningOptions(mediaType: attachment.mediaType), descriptor: descriptor)
        // Decode it now: a damaged picture must not be found while the printer waits.
        try Canvas(width: 1, height: 1).draw(picture, page: 0, by: .scale(0.001, 0.001))
        pictures.append((attachment.name, picture.pages))
      } catch {
        let words = "The picture \(attachment.name) is missing from the receipt: \(error.message)"
        losses.append(Loss(.damage, words))
      }
    }
    return try ReceiptPages(file, pictures, losses: losses)
  }

  /// Opens all stamps for a document's pages.
  ///
  /// A failure names the stamp, because the document is valid.
  private static func stamps(
    _ opening: OpeningOptions, _ attachments: [Int32]
  ) throws(Failure) -> [OpenStamp] {
    var stamps: [OpenStamp] = []
    for stamping in opening.stamps {
      do throws(Failure) {
        stamps.append(try stamp(stamping, opening.attachments, attachments))
      } catch {
        throw error.of(stamping.stamp.typed)
      }
    }
    return stamps
  }

  private static func stamp(
    _ stamping: OpeningOptions.Stamping, _ attachments: [OpeningOptions.Attachment],
    _ descriptors: [Int32]
  ) throws(Failure) -> OpenStamp {
    guard let index = stamping.attachment else {
      return try OpenStamp(stamping.stamp, nil, byteCount: 0)
    }
    guard attachments.indices.contains(index), descriptors.indices.contains(index) else {
      throw .fault("The file did not reach the worker.")
    }
    var own = OpeningOptions(mediaType: attachments[index].mediaType)
    own.isStamp = true
    return try OpenStamp(
      stamping.stamp, pages(own, MappedFile(descriptors[index])), isMade: attachments[index].isMade,
      byteCount: MappedFile.size(of: descriptors[index]))
  }

  /// The description of the document.
  ///
  /// Pages are drawn in a small size to find their marks: those of `measured` (if it is empty, all), at least as many as
  /// stated, and the others as long as that takes a tenth of a second. Throws exit 65 for a page that can't be read.
  package func info(
    measuring measured: [Int]? = nil, atLeast least: Int = 0
  ) throws(Failure) -> DocumentInfo {
    var info = DocumentInfo(
      mediaType: mediaType, title: pages.title, pages: [], image: pages.image,
      reflows: pages is any ReflowingPages)
    info.raster = (pages as? RasterPages)?.facts
    (pages as? PDFPages)?.tellPreferences(to: &info)
    let chosen = measured.map { Set($0.isEmpty ? Array(0..<pages.count) : $0) } ?? []
    let start = ContinuousClock.now
    var count = 0
    var isCounted = true
    // Reading a page may repair the document, which may then have different pages.
    var index = 0
    var firstProblem: Failure?
    while index < pages.count {
      do throws(Failure) {
        var page = try pages.page(index)
        if chosen.contains(index) {
          let limit: Duration =
            least == .max ? .seconds(3_600) : count < least ? .seconds(4) : .milliseconds(100)
          if start.duration(to: .now) < limit { try measure(&page, index) }
          count += 1
        }
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
    info.losses = takeLosses()
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

  /// True when a page must be drawn again: cairo could not draw it, and Splash will; or the document has been repaired.
  ///
  /// Each call resets this.
  package func takeRedraw() -> Bool {
    // Reset all of them, so that none affects the next page.
    let isOfStamps = stamps.count { $0.takeRedraw() } > 0
    return pages.takeRedraw() || isOfStamps
  }

  /// What was found missing since the last call: from the pages, and from all that is drawn on them.
  package func takeLosses() -> [Loss] {
    if DrawnBoxes.take() {
      losses.add(
        Loss(
          .character,
          "Some characters are printed as boxes: no font here has them. A package of fonts, such as fonts-noto, may."
        ))
    }
    return losses.take() + pages.takeLosses() + stamps.flatMap { $0.takeLosses() }
  }

  /// True when Splash finds marks on pages on which cairo drew none, without reporting an error: it leaves out fonts
  /// and pictures that it does not support.
  ///
  /// Splash draws these pages from then on.
  package func findsMarks(on pages: [Int]) -> Bool {
    guard let document = self.pages as? PDFPages else { return false }
    return pages.count { document.findsMarks(on: $0) } > 0
  }

  /// Why Splash draws a page, as far as it is known before it is drawn; nil if it does not.
  package func splashReason(of page: Int) -> SplashReason? {
    (pages as? PDFPages)?.splashReason(of: page)
  }

  /// Lets Splash draw pages from a list of which cairo could not play all; false if it draws them already.
  package func leaveToSplash(_ pages: [Int]) -> Bool {
    guard let document = self.pages as? PDFPages else { return false }
    return pages.count { document.leaveToSplash($0, .cairoError) } > 0
  }

  /// Lets Splash draw a page that cairo could not draw; false when that doesn't help.
  func redrawBySplash(page index: Int) -> Bool {
    (pages as? PDFPages)?.redrawBySplash(index, .cairoError) ?? false
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
      && !placement.lines.contains { ($0.left + $0.center + $0.right).hasEmoji }
  }

  /// True when pages are so large in the file, 512 KB on average, that they may have too many operations for a list.
  package var mayBeTooRichForList: Bool { byteCount / max(1, pages.count) >= 512 << 10 }

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

  /// Finds a page's marks, and the points from its top to the last one, rounded up to the next point.
  ///
  /// A long page, such as HTML for a roll, is first measured coarsely as a whole, then at 72 dpi where its last mark
  /// was found.
  private func measure(_ page: inout DocumentInfo.Page, _ index: Int) throws(Failure) {
    let size = page.size
    // Longer pages are measured more coarsely, so that their pictures stay small.
    let scale = min(1, 4_000 / max(size.width, size.height, 1))
    let canvas = try Canvas(
      width: max(1, Int(size.width * scale)),
      height: max(1, Int((size.height * scale).rounded(.up))))
    try canvas.draw(self, page: index, by: .scale(scale, scale))
    page.contentHeight = 0
    guard let last = canvas.lastMarkedRow else { return }
    page.marks = PageMarks(canvas).extent(scale: scale)
    let bottom = min(size.height, (Double(last + 1) / scale).rounded(.up))
    page.contentHeight = bottom
    guard scale < 1 else { return }
    let top = max(0, bottom - (2 / scale).rounded(.up))
    let strip = try Canvas(
      width: max(1, Int(min(4_000, size.width))), height: max(1, Int(bottom - top)))
    try strip.draw(
      self, page: index,
      by: Transform.scale(min(1, 4_000 / size.width), 1).then(.translation(0, -top)))
    if let last = strip.lastMarkedRow { page.contentHeight = min(bottom, top + Double(last + 1)) }
  }
}

/// Files compressed by gzip (RFC 1952), in which programs store text and PDF.
package enum PackedFile {
  package static func isPacked(_ descriptor: Int32) -> Bool {
    var head = [UInt8](repeating: 0, count: 3)
    return pread(descriptor, &head, 3, 0) == 3 && head == [0x1F, 0x8B, 0x08]
  }

  /// Passes on the contents of the file, piece by piece.
  ///
  /// Consecutive members are one file (§2.2); anything else after them is ignored, as by gzip. Throws exit 65 for a
  /// damaged file.
  package static func unpack(
    _ descriptor: Int32, to output: (UnsafeRawBufferPointer) -> Void
  ) throws(Failure) {
    try GraphicsLibraries.pictures.load()
    let file = try MappedFile(descriptor)
    defer { withExtendedLifetime(file) {} }
    var rest = file.bytes
    repeat {
      let member = inflate(rest, .gzip, pieces: 256 << 10) { piece in
        output(piece)
        return true
      }
      guard let count = member.count else {
        throw .document("The file is compressed with gzip, and damaged.")
      }
      rest = rest.dropping(count)
    } while rest.starts(with: [0x1F, 0x8B])
  }
}
