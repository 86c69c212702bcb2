package import AirprintContext
internal import Conversion
internal import Documents
internal import LateLibraries
internal import Layout
internal import Negotiation
package import PrintModel
package import Rendering
internal import Settings
package import System

/// An opened and inspected document, and the worker that draws it.
///
/// Confined to the thread that made it.
///
/// It only advances: unmade, opened, replaced. While it is open, more becomes known about it:
/// first the request's overlays and underlays, with which it is opened again (`stamps`); then the ticket's paper, and
/// what depends on that (`refine`): pages that are made for it (`MadePages`), lines of text, the height of a roll's
/// content. `ticket` then negotiates again.
package final class OpenDocument {
  package let file: InputFile
  /// Facts about the document, or about the alternate that replaced it.
  package var info: DocumentInfo { replacement?.info ?? own }
  private var own: DocumentInfo
  let handling: DocumentHandling
  private let context: Context
  private let cancellation: Cancellation
  /// The worker that has it and has reported its pages; nil before they are made, and after it was replaced.
  private var worker: DrawingWorker?
  /// The paper's alternate, which now stands for the document.
  private var replacement: OpenDocument?
  private var made: MadePages?
  private var stamps: StampFiles?
  private var pictures: ReceiptPictures?
  /// True if pages were drawn, perhaps not all: another submission has to draw them from the beginning.
  var isUsed = false

  /// The worker that draws the document, or the pages made from it.
  private struct DrawingWorker {
    let renderer: Renderer
    /// The file that was opened, for opening it again with other stamps.
    let base: (descriptor: Int32, opening: OpeningOptions, attachments: [Int32])
    /// True if the height of its content is known, for a roll.
    var isMeasured = false
    /// True if the marks of the pages to print are known, for the printer's margins.
    var hasMarks = false
  }

  /// Pages that a program made for a paper, and the environment that it received.
  private enum MadePages {
    case converted(ConvertedDocument, for: PageBox?)
    case rendered(ConvertedDocument, [String: String])
  }

  /// True as long as a converter or a renderer that will make its pages does not know the paper for that.
  private var isUnmade: Bool { worker == nil && replacement == nil }

  /// Opens a document; exit 66 or 65 if the file can't be read or printed.
  ///
  /// No printer is contacted.
  ///
  /// A document whose pages are made for its paper is converted when that is known: see `ticket`.
  package init(
    _ path: String, _ context: Context, handling: DocumentHandling = DocumentHandling(),
    cancellation: Cancellation
  ) throws(Failure) {
    let isData = handling.renderer != nil || handling.isRaw
    file = try InputFile(
      path, isData: isData, from: handling.renderer == nil ? handling.from : nil, context)
    self.handling = handling
    self.context = context
    self.cancellation = cancellation
    own = .unmade(file.mediaType)
    own.isRaw = handling.renderer == nil && (handling.isRaw || file.isForPrinter)
    if handling.renderer != nil || own.isRaw { return }
    if let chain = file.chain {
      if !chain.namesPaper { try convert(by: chain, for: nil) }
    } else {
      let pictures = try ReceiptPictures(of: file, assets: handling.assets)
      self.pictures = pictures
      var opening = OpeningOptions(mediaType: file.mediaType)
      opening.password = handling.password
      if file.mediaType == DocumentFormat.svg { opening.folder = handling.assets ?? file.folder }
      opening.attachments = pictures.attachments
      try open(file.descriptor, opening, pictures.descriptors)
    }
  }

  /// Opens the file once more: a renderer that was stopped in the middle can't be used again.
  ///
  /// - `copy`: the journal's copy of standard input.
  func reopened(keptAs copy: String?) throws(Failure) -> OpenDocument {
    try OpenDocument(
      file.path == "-" ? copy ?? "-" : file.path, context, handling: handling,
      cancellation: cancellation)
  }

  /// The file whose pages are printed.
  package var printed: InputFile { replacement?.file ?? file }

  /// The renderer that draws it.
  ///
  /// Valid once the document has its pages. Exit 64 if it is printed raw, 65 if only a printer can read it, 70 before
  /// it has pages.
  package var renderer: Renderer {
    get throws(Failure) {
      if let replacement { return try replacement.renderer }
      if handling.isRaw {
        throw Failure(
          .usage, "-o raw: the file is sent to the printer unchanged; nothing is drawn.")
      }
      if own.isRaw { throw Failure(.document, "\(whatItIs): nothing of it can be drawn here.") }
      guard let worker else { throw Failure(.fault, "\(file.path) was not converted yet.") }
      return worker.renderer
    }
  }

  /// What a file that only a printer reads is, without a full stop.
  var whatItIs: String {
    let name = PrinterLanguage.of(type: file.mediaType)?.name ?? file.mediaType
    return "The file is \(name), which only a printer that reads it can print"
  }

  /// Returns the bytes to send for the ticket.
  func stream(for ticket: Ticket) throws(Failure) -> any DocumentStream {
    info.isRaw
      ? FileStream(file.descriptor) : try renderer.stream(for: ticket, document: info)
  }

  /// The files in its folder that it uses.
  var companions: [(name: String, descriptor: Int32)] {
    guard let pictures else { return [] }
    return zip(pictures.attachments, pictures.descriptors).map { ($0.name, $1) }
  }

  /// Negotiates a ticket with the printer, a second time if the paper reveals new facts about the document.
  ///
  /// `arguments` contains the title and the name for header and footer.
  func ticket(
    for request: PrintRequest, on capabilities: Capabilities, _ region: Region,
    _ arguments: PrintArguments? = nil
  ) throws(Failure) -> Ticket {
    if !own.isRaw { try draw(request.stamps) }
    var first = filled(request, arguments)
    // The number of pages is not known yet.
    if isUnmade, !own.isRaw { first.pages = nil }
    var ticket = try negotiate(first, document: info, with: capabilities, region: region)
    if mustGoUnchanged(ticket, to: capabilities) {
      var picture = info
      picture.canBeDrawn = false
      ticket = try negotiate(first, document: picture, with: capabilities, region: region)
      if ticket.isPassedThrough { return ticket }
    }
    let isRefined = try refine(for: ticket)
    let again = filled(request, arguments)
    if replacement != nil { return try onSamePaper(ticket, again, capabilities, region) }
    guard isRefined else { return ticket }
    return try negotiate(again, document: info, with: capabilities, region: region)
  }

  /// True for a JPEG that may be drawn only because the printer does not report how it scales or which kinds it reads,
  /// if nothing can be drawn here: a printer that reads JPEG may print it anyway.
  private func mustGoUnchanged(_ ticket: Ticket, to capabilities: Capabilities) -> Bool {
    info.mediaType == DocumentFormat.jpeg && !ticket.isPassedThrough
      && capabilities.formats.contains(DocumentFormat.jpeg)
      && (!capabilities.scalings.contains(ticket.scaling) || capabilities.jpeg.features.isEmpty)
      && !(GraphicsLibraries.jpeg.isInstalled && GraphicsLibraries.drawing.isInstalled)
  }

  /// Negotiates the ticket for the alternate, on the paper chosen for the document.
  private func onSamePaper(
    _ first: Ticket, _ request: PrintRequest, _ capabilities: Capabilities, _ region: Region
  ) throws(Failure) -> Ticket {
    let paper = first.paper
    var request = request
    request.paper = [
      paper.isRoll
        ? .roll(width: paper.size.width, asked: paper.title)
        : .sheet(paper.size, asked: paper.title)
    ]
    request.tray = request.tray ?? paper.source
    var ticket = try negotiate(request, document: info, with: capabilities, region: region)
    ticket.reasons.insert(
      "document: \(printed.path) takes the place of \(file.path) on \(paper.title)", at: 0)
    return ticket
  }

  /// Returns the document's facts without a printer; pages that are made for their paper are made for the region's
  /// sheet.
  func info(onSheetOf region: Region) throws(Failure) -> DocumentInfo {
    if !isUnmade, !info.reflows { return info }
    let anything = Capabilities.virtual(
      paper: [], type: .document, resolution: Resolution(300), sheetBack: .normal, region)
    _ = try ticket(for: PrintRequest(), on: anything, region)
    return info
  }

  /// Draws the first pages of a PDF, as `print` does, but at a low resolution: only then it is known if Poppler can draw
  /// them.
  ///
  /// Returns what is missing from them. Exit 65 if none can be drawn.
  func drawFirst(onSheetOf region: Region) throws(Failure) -> [Loss] {
    guard info.mediaType == DocumentFormat.pdf else { return [] }
    let coarse = Capabilities.virtual(
      paper: [], type: .document, resolution: Resolution(72), sheetBack: .normal, region)
    let ticket = try ticket(for: PrintRequest(), on: coarse, region)
    return try renderer.drawFirst(for: ticket, document: info)
  }

  /// Returns lines about the pages of a ticket that Poppler's other renderer draws, with the reasons.
  func rendererReasons(for ticket: Ticket) throws(Failure) -> [String] {
    try info.mediaType == DocumentFormat.pdf ? renderer.splashPages(of: ticket) : []
  }

  /// Inspects the document again for its ticket, where that can change the ticket: a roll is cut by the content, and
  /// the paper determines the pages of a text.
  ///
  /// Returns true if there are new facts. Exit 65 if the document can't be converted or drawn for that paper.
  package func refine(for ticket: Ticket) throws(Failure) -> Bool {
    if own.isRaw { return false }
    if try isReplaced(on: ticket.paper) {
      return try replacement?.refine(for: ticket) ?? false
    }
    if let program = handling.renderer { return try render(by: program, for: ticket) }
    if let chain = file.chain, chain.namesPaper {
      let box = PageBox(ticket)
      if case .converted(_, for: box) = made { return false }
      try convert(by: chain, for: box)
      if box.isRoll { try measure() }
      return true
    }
    if own.reflows {
      own = try renderer.layOut(for: ticket)
      own.warnings += companionWarnings
      return true
    }
    guard ticket.paper.isRoll else { return measureMarks(for: ticket) }
    guard worker?.isMeasured != true else { return false }
    try measure()
    return true
  }

  /// Finds the marks of the pages to print if these reach into the printer's margins.
  ///
  /// Returns true if there are any.
  private func measureMarks(for ticket: Ticket) -> Bool {
    guard let worker, !worker.isMeasured, !worker.hasMarks, own.image == nil, own.raster == nil,
      SheetLayout(ticket).reachesMargins(ticket.pages, of: own)
    else { return false }
    self.worker?.hasMarks = true
    let measured =
      worker.renderer.measure(ticket.pages, isWhole: handling.isStrict)?.pages ?? []
    for (index, page) in zip(own.pages.indices, measured) { own.pages[index].marks = page.marks }
    return measured.contains { $0.marks != nil }
  }

  /// Returns true if an alternate replaces the document on this paper.
  private func isReplaced(on paper: Paper) throws(Failure) -> Bool {
    guard replacement == nil,
      let alternate = handling.alternates.first(where: { $0.isFor(paper) })
    else { return replacement != nil }
    var handling = handling
    handling.alternates = []
    do throws(Failure) {
      replacement = try OpenDocument(
        alternate.file, context, handling: handling, cancellation: cancellation)
      worker = nil
    } catch {
      throw error.of(alternate.file)
    }
    return true
  }

  /// Has the pages made for the ticket's paper.
  ///
  /// On a roll, their height determines the cut.
  private func render(by program: PageRenderer, for ticket: Ticket) throws(Failure) -> Bool {
    let environment = ticket.environment
    if case .rendered(_, environment) = self.made { return false }
    let made = try program.run(on: file.descriptor, for: ticket, context, cancellation)
    self.made = .rendered(made, environment)
    var opening = OpeningOptions(mediaType: made.mediaType)
    opening.pageResolution = ticket.resolution
    try open(made.descriptor, opening)
    own.reflows = own.isMade(for: PageBox(ticket))
    guard ticket.paper.isRoll else { return true }
    for index in own.pages.indices {
      // The height of a page as wide as the roll includes the printer's margin below the content.
      let size = own.pages[index].size
      let isMade = RollScale.isMade(size, for: ticket.paper)
      own.pages[index].contentHeight =
        size.height - (isMade ? ticket.paper.margins.bottom.points : 0)
    }
    return true
  }

  /// What is missing from the files that are drawn with it.
  private var companionWarnings: [String] {
    (pictures?.warnings ?? []) + (stamps?.warnings ?? [])
  }

  private func open(
    _ descriptor: Int32, _ opening: OpeningOptions, _ attachments: [Int32] = []
  ) throws(Failure) {
    let base = (descriptor, opening, attachments)
    var opening = opening
    opening.stamps = stamps?.stampings(after: attachments.count) ?? []
    opening.attachments += stamps?.attachments ?? []
    let renderer = try Renderer(
      document: descriptor, opening, attachments: attachments + (stamps?.descriptors ?? []),
      executable: context.executable, limits: WorkerLimits(try context.settings.configuration()),
      cancellation: cancellation)
    own = try renderer.inspect()
    own.warnings += companionWarnings
    worker = DrawingWorker(renderer: renderer, base: base)
  }

  /// Draws these stamps on its pages from now on.
  ///
  /// The document is opened again for them: they are part of the request, which depends on the type of the document.
  private func draw(_ wanted: [Stamp]) throws(Failure) {
    guard wanted != stamps?.wanted ?? [] else { return }
    stamps = try StampFiles(wanted, for: info.pages[0].size, context, cancellation)
    if case .converted(let document, _) = made { made = .converted(document, for: nil) }
    guard let base = worker?.base else { return }
    let (reflows, warnings) = (own.reflows, own.warnings)
    try open(base.descriptor, base.opening, base.attachments)
    own.reflows = reflows
    own.warnings = warnings + (stamps?.warnings ?? [])
  }

  private func measure() throws(Failure) {
    let (reflows, warnings) = (own.reflows, own.warnings)
    own = try renderer.measure()
    own.reflows = reflows
    own.warnings = warnings
    worker?.isMeasured = true
  }

  private func convert(by chain: ConverterChain, for box: PageBox?) throws(Failure) {
    let made = try chain.run(
      on: file.descriptor, suffix: file.suffix, base: handling.assets ?? file.folder, box: box,
      context, cancellation)
    if handling.isStrict, let first = made.warnings.first { throw Loss(.content, first).asFailure }
    self.made = .converted(made, for: box)
    var opening = OpeningOptions(mediaType: made.mediaType)
    opening.refusesFiles = true
    try open(made.descriptor, opening)
    // Pages of another size were chosen by the document itself; then the paper is chosen by them.
    own.reflows = box.map(own.isMade(for:)) ?? false
    own.warnings += made.warnings
  }

  /// Fills in the header and footer of the request.
  ///
  /// `{title}` is the given title, the document's own, or the file's name.
  private func filled(_ request: PrintRequest, _ arguments: PrintArguments?) -> PrintRequest {
    var request = request
    if own.isRaw { request.leaveSettingsOut() }
    guard request.header != nil || request.footer != nil else { return request }
    let path = arguments?.names[file.path] ?? file.path
    let name = path == "-" ? "stdin" : JobName.clean(Context.lastComponent(path))
    let title = arguments?.title.map(JobName.clean) ?? info.title.map(JobName.clean) ?? name
    request.header?.fill(title: title, file: name, date: WallClock.today, time: WallClock.now)
    request.footer?.fill(title: title, file: name, date: WallClock.today, time: WallClock.now)
    return request
  }

  /// Returns the job's name: the given title, else the file's last component; the title of HTML; for standard input the
  /// PDF's title, else `stdin HOST TIME`.
  func jobName(titled title: String?) -> String {
    if let title { return JobName.clean(title) }
    if file.mediaType == DocumentFormat.html, let title = info.title { return JobName.clean(title) }
    if let program = handling.renderer, ["-", "/dev/null"].contains(file.path) {
      return JobName.clean(Context.lastComponent(program.command[0]))
    }
    if file.path != "-" { return JobName.clean(Context.lastComponent(file.path)) }
    return JobName.clean(info.title ?? "stdin \(hostName) \(WallClock.now)")
  }
}

/// Options for opening a document, if they were typed.
package struct DocumentHandling: Sendable, Equatable {
  /// `--assets`: the folder of the document's pictures, if it is not the document's own.
  package var assets: String?
  /// `--from`: its type, regardless of its name and content.
  package var from: String?
  /// Password of a protected document.
  package var password: String?
  /// True if a stamp that can't be loaded is a failure.
  package var isStrict = false
  /// `--renderer`: the program for which the file is data.
  package var renderer: PageRenderer?
  /// `-o raw`: the file is not inspected.
  package var isRaw = false
  /// `--alternate`.
  package var alternates: [PrintRequest.Alternate] = []

  package init() {}

  init(_ request: PrintRequest) {
    assets = request.assets.map { absolutePath($0) ?? $0 }
    from = request.from
    isStrict = request.strict
    isRaw = request.isRaw
    alternates = request.alternates
  }
}

extension WorkerLimits {
  /// Takes `page-time` and `page-memory` from a configuration, if set.
  init(_ configuration: Configuration) {
    self.init()
    if let seconds = configuration.pageTime { processorTime = .seconds(seconds) }
    if let megabytes = configuration.pageMemory { memory = megabytes << 20 }
  }
}

extension DocumentInfo {
  /// Facts of a document whose pages will be made for its paper.
  fileprivate static func unmade(_ mediaType: String) -> DocumentInfo {
    DocumentInfo(
      mediaType: mediaType, pages: [Page(size: PageSize(width: 595, height: 842))], reflows: true)
  }

  /// Returns true if the pages have the requested size, within a point.
  fileprivate func isMade(for box: PageBox) -> Bool {
    pages.allSatisfy { page in
      abs(page.size.width - box.size.width) < 1
        && (box.isRoll || abs(page.size.height - box.size.height) < 1)
    }
  }
}
