internal import CCairo
internal import CGLib
internal import CPoppler
package import DocumentBytes
internal import Drawing
internal import Glibc
internal import LateLibraries
internal import LibraryPatches
internal import PDFRepair
package import PrintModel

/// A PDF, read by Poppler: pages as printed, with their printable annotations and form fields.
package final class PDFPages: Pages {
  private let file: MappedFile
  private var document: OpaquePointer
  package private(set) var count: Int
  package private(set) var isLocked: Bool
  /// The file as repaired by QPDF, from which `document` then reads.
  private var repaired: RepairedPDF?
  private var triedToRepair = false
  private var triedToRepairContents = false
  /// Names of fonts that pages lack, and that the repaired document has.
  private var repairedFonts: Set<String> = []
  /// The document is written once for each page with new ones.
  private static let mostRepairedFonts = 16
  private lazy var hasJBIG2 = JBIG2Pictures.mayBe(in: file.bytes)
  private let password: String?
  /// Set for a picture that Poppler decodes.
  package let image: DocumentInfo.Image?
  /// See `Document`.
  package let hasLargePictures: Bool
  /// Points per unit of each page; empty where all are 1.
  private var units: [Double] = []
  /// nil if the file contains nothing to look for.
  private var objects: PDFObjects?
  /// Why Splash must draw pages, by their objects.
  private var choices: [Int: SplashReason?] = [:]
  /// See `Document`.
  package var drawsBySplash = false
  /// See `Document`.
  package var drawsInGray = false
  /// See `Document`.
  package var drawsOnWhite = false
  /// The page that Splash drew last.
  private var splash: (index: Int, page: SplashPage)?
  /// Pages that cairo can't draw, and whether one was found since the last `takeRedraw`.
  private var cairoFailures: [Int: SplashReason] = [:]
  private var mustRedraw = false
  /// Pages without marks from cairo that Splash was already tried on.
  private var checkedForMarks: Set<Int> = []
  private var losses = LossNotes()
  /// What pages lack since the last `takeLosses`, as they were drawn last.
  private var lacks: [Int: [Loss]] = [:]
  /// Pages whose annotations have been set to print, and whose fields have been looked at.
  private var (prepared, lookedAt): (Set<Int>, Set<Int>) = ([], [])

  /// Opens a PDF with its user or owner password; one that opens without a password accepts any.
  ///
  /// `refusesFiles`: throws exit 65 for a PDF with attached files, because they would go to a printer that reads PDF.
  package init(
    _ file: MappedFile, password: String?, refusesFiles: Bool = false,
    image: DocumentInfo.Image? = nil
  ) throws(Failure) {
    try GraphicsLibraries.pdf.load()
    SilentRenderingFailures.listen()
    PopplerLog.listen()
    hasLargePictures = LargePictures.prepare(file, in: MemoryShortage.limit)
    self.file = file
    self.image = image
    if let document = try PDFPages.open(file, nil, &repaired) {
      self.document = document
      isLocked = repaired != nil
    } else {
      guard let password else { throw ProtectedPDF.failure(file.bytes, hasPassword: false) }
      guard let document = try PDFPages.open(file, password, &repaired) else {
        throw ProtectedPDF.failure(file.bytes, hasPassword: true)
      }
      self.document = document
      isLocked = true
    }
    count = Int(poppler_document_get_n_pages(document))
    self.password = isLocked && repaired == nil ? password : nil
    noteDamage()
    if let start = DocumentFormat.pdfStart(Array(file.bytes.prefix(1 << 11))), !start.isAll {
      losses.add(
        Loss(
          .content,
          "The file is more than the PDF that starts at byte \(start.offset + 1): only that is printed."
        ))
    }
    if count <= 0 { try repair(keeping: 0) }
    guard count > 0 else { throw .document("The PDF has no pages.") }
    try lookIntoObjects()
    if refusesFiles, try hasFiles {
      throw .document(
        "The document attaches files to its pages (rel=\"attachment\"), and these would be sent along. Remove "
          + "the attachments first.")
    }
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(document)) }

  /// nil: a password is missing or wrong.
  ///
  /// `repaired`: QPDF's output for a file that Poppler can't read.
  private static func open(
    _ file: MappedFile, _ password: String?, _ repaired: inout RepairedPDF?
  ) throws(Failure) -> OpaquePointer? {
    do throws(Failure) {
      return try open(file.bytes, password)
    } catch {
      guard let made = try RepairedPDF.made(from: file.bytes, password: password),
        let document = try? open(made.bytes, nil), poppler_document_get_n_pages(document) > 0
      else { throw error }
      repaired = made
      return document
    }
  }

  /// Opens from a stream if there is a password: Poppler's other functions try a wrong password, or one beyond ASCII, a
  /// second time on objects that they have already closed or freed (22.12).
  ///
  /// Otherwise opens from memory, because Poppler repairs less in a stream.
  private static func open(
    _ bytes: UnsafeRawBufferPointer, _ password: String?
  ) throws(Failure) -> OpaquePointer? {
    var problem: UnsafeMutablePointer<GError>?
    let opened: OpaquePointer?
    if password == nil {
      let data = g_bytes_new_static(bytes.baseAddress, gsize(bytes.count))
      defer { g_bytes_unref(data) }
      opened = poppler_document_new_from_bytes(data, nil, &problem)
    } else {
      let stream = g_memory_input_stream_new_from_data(bytes.baseAddress, bytes.count, nil)
      defer { if let stream { g_object_unref(UnsafeMutableRawPointer(stream)) } }
      opened = poppler_document_new_from_stream(
        stream, goffset(bytes.count), password, nil, &problem)
    }
    defer { if let problem { g_error_free(problem) } }
    if let opened { return opened }
    guard let problem else { throw .document("The PDF can't be read.") }
    if problem.pointee.code == Int32(POPPLER_ERROR_ENCRYPTED.rawValue) { return nil }
    let words =
      problem.pointee.message.flatMap { ProblemWords.sentence(String(cString: $0)) }
      ?? "it can't be read"
    throw .document(
      words == "PDF document is damaged" ? "The PDF is damaged." : "The PDF is malformed: \(words)."
    )
  }

  /// Has QPDF rewrite the document, with the pages and references that it finds, and continues with the result.
  ///
  /// - `pages`: number of first pages that were already read.
  private func repair(keeping pages: Int) throws(Failure) {
    guard !triedToRepair, repaired == nil else { return }
    triedToRepair = true
    guard let made = try RepairedPDF.made(from: file.bytes, password: password) else { return }
    _ = try goOn(with: made, keeping: pages)
  }

  /// Does the same for pages that Poppler ends too early, or leaves pictures out of; false: this is not possible, or
  /// was already done.
  private func repairContents(of index: Int, fonts: [String] = []) throws(Failure) -> Bool {
    let known = repairedFonts.count
    repairedFonts.formUnion(fonts)
    // Each page may have unknown fonts of its own.
    let hasNewFonts = repairedFonts.count > known && known < PDFPages.mostRepairedFonts
    guard !triedToRepairContents || hasNewFonts else { return false }
    triedToRepairContents = true
    guard
      let made = try RepairedPDF(
        source.bytes, password: source.password, forPage: index, fonts: fonts)
    else { return false }
    return try goOn(with: made, keeping: count)
  }

  private func goOn(with made: RepairedPDF, keeping pages: Int) throws(Failure) -> Bool {
    guard let document = try? PDFPages.open(made.bytes, nil) else { return false }
    let count = Int(poppler_document_get_n_pages(document))
    guard count > 0, count >= pages else {
      g_object_unref(UnsafeMutableRawPointer(document))
      return false
    }
    g_object_unref(UnsafeMutableRawPointer(self.document))
    self.document = document
    self.count = count
    isLocked = true
    repaired = made
    noteDamage()
    prepared = []
    splash = nil
    try lookIntoObjects()
    return true
  }

  private func noteDamage() {
    for index in repaired?.lacking ?? [] { losses.add(PopplerLog.damage(on: index)) }
    guard repaired?.isRebuilt == true else { return }
    losses.add(
      Loss(.damage, "The PDF is damaged or cut off; pages or parts of them may be missing."))
  }

  private func lookIntoObjects() throws(Failure) {
    (objects, choices) = (nil, [:])
    if PDFFeature.mayBe(in: source.bytes, pages: count),
      let found = try PDFObjects(source.bytes, password: source.password)
    {
      let more = found.pageCount - count
      objects = more == 0 ? found : nil
      if repaired == nil, more > 0 || more == 0 && found.hasBadFields {
        try repair(keeping: count)
        if repaired != nil { return }
      }
      if more > 0 { losses.add(Loss(.page, "Pages at the end are left out: \(more).")) }
    }
    units = objects?.units(count: count) ?? []
    for loss in objects?.losses ?? [] { losses.add(loss) }
  }

  /// Sets what the document asks of whoever prints it.
  package func tellPreferences(to info: inout DocumentInfo) {
    info.keepsScale = poppler_document_get_print_scaling(document) == POPPLER_PRINT_SCALING_NONE
    info.sides =
      switch poppler_document_get_print_duplex(document) {
      case POPPLER_PRINT_DUPLEX_SIMPLEX: .oneSided
      case POPPLER_PRINT_DUPLEX_DUPLEX_FLIP_SHORT_EDGE: .shortEdge
      case POPPLER_PRINT_DUPLEX_DUPLEX_FLIP_LONG_EDGE: .longEdge
      default: nil
      }
    let copies = Int(poppler_document_get_print_n_copies(document))
    info.copies = (2...5).contains(copies) ? copies : 1
  }

  package var title: String? {
    guard let text = poppler_document_get_title(document) else { return nil }
    defer { g_free(text) }
    let title = String(cString: text)
    return title.isEmpty ? nil : title
  }

  package func size(of index: Int) throws(Failure) -> PageSize { try page(index).size }

  package func page(_ index: Int) throws(Failure) -> DocumentInfo.Page {
    // Poppler counts pages that don't exist, and misses some that do.
    if poppler_document_get_page(document, Int32(clamping: index)).map({
      g_object_unref(UnsafeMutableRawPointer($0))
    }) == nil {
      try repair(keeping: index)
    }
    return try withPage(index) { page throws(Failure) in
      var (width, height) = (0.0, 0.0)
      poppler_page_get_size(page, &width, &height)
      let sides = [width, height].map { $0 * unit(of: index) }
      guard sides.allSatisfy({ $0 >= 1 && $0.isFinite }) else {
        throw .document("Page \(index + 1) of the PDF has no size.")
      }
      // Rounds to a thousandth of a point: Poppler's sums leave 595.2760000000001.
      let rounded = sides.map { ($0 * 1000).rounded() / 1000 }
      return DocumentInfo.Page(
        size: PageSize(width: rounded[0], height: rounded[1]), label: PDFPages.label(of: page))
    }
  }

  private func unit(of index: Int) -> Double { units.isEmpty ? 1 : units[index] }

  private static func label(of page: OpaquePointer) -> String? {
    guard let text = poppler_page_get_label(page) else { return nil }
    defer { g_free(text) }
    // A longer text is not a label, and every page has one.
    return String(String(cString: text).prefix(100))
  }

  /// Why Splash draws a page, as far as it is known before it is drawn; nil if cairo draws it.
  package func splashReason(of index: Int) -> SplashReason? {
    if drawsBySplash { return .memory }
    if let reason = cairoFailures[index] { return reason }
    if let known = choices[index] { return known }
    let reason = objects?.withPage(index) { RendererChoice.reason(on: $0) }
    choices[index] = .some(reason)
    return reason
  }

  package func isDrawnAsPixels(_ index: Int) -> Bool { splashReason(of: index) != nil }

  /// See `Document`.
  package func redrawBySplash(_ index: Int, _ reason: SplashReason) -> Bool {
    guard HairlineStrokes.isEnforced else { return false }
    // One failure of cairo may be found twice: by its complaint, and by its status.
    if leaveToSplash(index, reason) { mustRedraw = true }
    return mustRedraw
  }

  /// See `Document`.
  package func leaveToSplash(_ index: Int, _ reason: SplashReason) -> Bool {
    guard cairoFailures[index] == nil else { return false }
    cairoFailures[index] = reason
    lacks[index] = nil
    return true
  }

  /// See `Document`.
  ///
  /// Checks each page once, at a low resolution; not pages that are meant to be blank, nor a large file, in which a
  /// second reader takes long to find the page.
  package func findsMarks(on index: Int) -> Bool {
    guard !isDrawnAsPixels(index), checkedForMarks.insert(index).inserted,
      file.bytes.count <= RepairedPDF.longest, (try? loadObjects())?.mayDraw(index) == true,
      let size = try? size(of: index), let page = try? splashPage(index), page.hasMarks(size)
    else { return false }
    return leaveToSplash(index, .blank)
  }

  /// See `Document`.
  package func isGray(_ index: Int) -> Bool {
    guard let size = try? size(of: index), let page = try? splashPage(index) else { return false }
    return !page.hasColors(size)
  }

  /// See `Document`.
  package func takeRedraw() -> Bool {
    defer { mustRedraw = false }
    return mustRedraw
  }

  /// See `Pages`.
  ///
  /// A page with errors is drawn again once QPDF has repaired the document: what the first drawing lacks does not count.
  package func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    try lookForFields(index)
    let isPixels = HairlineStrokes.isEnforced
    if !isPixels { try repairForVectors(index) }
    _ = PopplerLog.take()
    if isPixels, isDrawnAsPixels(index), let page = try splashPage(index) {
      try render(page, index, on: context)
    } else {
      splash?.page.forgetPixels()
      try render(index, on: context)
    }
    // What Splash leaves out, too, it says itself.
    if mustRedraw { return }
    let heard = try takeLog(index)
    guard image == nil, heard.hasErrors, try repairContents(of: index, fonts: heard.unknownFonts)
    else { return }
    lacks[index] = nil
    // In vector output, the first attempt stays below the second one.
    if isPixels { return mustRedraw = true }
    try render(index, on: context)
    _ = try takeLog(index)
  }

  private func render(
    _ page: SplashPage, _ index: Int, on context: OpaquePointer
  ) throws(Failure) {
    let (size, unit) = (try size(of: index), unit(of: index))
    cairo_scale(context, unit, unit)
    let isDrawn = page.draw(
      on: context, PageSize(width: size.width / unit, height: size.height / unit),
      piecewise: !drawsBySplash, isOnWhite: drawsOnWhite, inGray: drawsBySplash && drawsInGray)
    guard isDrawn else { throw MemoryShortage.failure(page: index) }
  }

  /// Draws the page into a discarded surface, so that pictures are repaired before they are written to a file, where each
  /// is written only once, by its number.
  private func repairForVectors(_ index: Int) throws(Failure) {
    guard !triedToRepairContents, hasJBIG2 else { return }
    let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 8, 8)
    let context = cairo_create(surface)
    defer {
      cairo_destroy(context)
      cairo_surface_destroy(surface)
    }
    guard let context, case let size = try size(of: index) else { return }
    cairo_scale(context, 8 / size.width, 8 / size.height)
    _ = PopplerLog.take()
    try render(index, on: context)
    if PopplerLog.take().hasErrors { _ = try repairContents(of: index) }
  }

  /// Takes what Poppler reports of the page just drawn, and notes what is missing from it.
  ///
  /// Throws exit 65 for a file that is a picture, and of which nothing can be decoded.
  private func takeLog(_ index: Int) throws(Failure) -> PopplerLog {
    let heard = PopplerLog.take()
    if image != nil, heard.hasBadJPEG2000 { throw DamagedPicture.failure(nil) }
    lacks[index, default: []] += heard.losses(on: index, ofPicture: image != nil)
    return heard
  }

  /// Notes fields of a page of whose values nothing is seen.
  private func lookForFields(_ index: Int) throws(Failure) {
    guard image == nil, lookedAt.insert(index).inserted,
      let fields = objects?.filledFields(on: index), !fields.isEmpty
    else { return }
    let missing = try withPage(index) { DrawnAnnotations.count(withoutInk: fields, on: $0) }
    _ = SilentRenderingFailures.take()
    guard missing > 0 else { return }
    losses.add(
      Loss(
        .field, page: index + 1,
        missing == 1
          ? "A form field on page \(index + 1) is left out: the PDF has a value for it, but no usable appearance."
          : "\(missing) form fields on page \(index + 1) are left out: the PDF has values for them, but no usable "
            + "appearances."))
  }

  package func takeLosses() -> [Loss] {
    for (_, its) in lacks.sorted(by: { $0.key < $1.key }) { for loss in its { losses.add(loss) } }
    lacks = [:]
    return losses.take()
  }

  private func render(_ index: Int, on context: OpaquePointer) throws(Failure) {
    cairo_save(context)
    defer { cairo_restore(context) }
    try withPage(index) { page throws(Failure) in
      cairo_scale(context, unit(of: index), unit(of: index))
      errno = 0
      if HairlineStrokes.isEnforced {
        if prepared.insert(index).inserted { DrawnAnnotations.setPrinted(on: page) }
        // Poppler's rendering for printing is for vectors: it makes lines thinner in its own way, and leaves the edges
        // of pictures open, which show as seams where they meet.
        poppler_page_render(page, context)
        if let reason = SilentRenderingFailures.take() { _ = redrawBySplash(index, reason) }
      } else {
        poppler_page_render_for_printing(page, context)
        _ = SilentRenderingFailures.take()
      }
      // When memory runs out, Poppler leaves out a picture without an error (22.12). errno alone proves nothing, as
      // calls that succeed in the end may leave it set. So it only counts if there is a limit (qemu-user has none).
      if errno == ENOMEM, MemoryShortage.isPossible { throw MemoryShortage.failure(page: index) }
    }
  }

  /// A page for Splash; nil: Splash can't read it, and cairo draws what it can.
  private func splashPage(_ index: Int) throws(Failure) -> SplashPage? {
    if let splash, splash.index == index { return splash.page }
    splash = nil
    let page = try loadObjects()?.extract(index) { (bytes) throws(Failure) in
      try SplashPage(bytes)
    }
    guard let page else { return nil }
    splash = (index, page)
    return page
  }

  /// The document's objects; nil: QPDF can't read it.
  private func loadObjects() throws(Failure) -> PDFObjects? {
    if objects == nil {
      let found = try PDFObjects(source.bytes, password: source.password)
      objects = found?.pageCount == count ? found : nil
    }
    return objects
  }

  /// What `document` was opened from.
  private var source: (bytes: UnsafeRawBufferPointer, password: String?) {
    repaired.map { ($0.bytes, nil) } ?? (file.bytes, password)
  }

  /// True if files are attached to the document (ISO 32000-1 §7.11.4) or to a place on a page (§12.5.6.15).
  private var hasFiles: Bool {
    get throws(Failure) {
      if poppler_document_has_attachments(document) != 0 { return true }
      var isFound = false
      for index in 0..<count where !isFound {
        try withPage(index) { page in
          DrawnAnnotations.forEach(of: page) {
            isFound = isFound || poppler_annot_get_annot_type($0) == POPPLER_ANNOT_FILE_ATTACHMENT
          }
        }
      }
      return isFound
    }
  }

  private func withPage<Result>(
    _ index: Int, _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let page = poppler_document_get_page(document, Int32(clamping: index)) else {
      throw .document("Page \(index + 1) of the PDF can't be read.")
    }
    defer { g_object_unref(UnsafeMutableRawPointer(page)) }
    return try body(page)
  }
}
