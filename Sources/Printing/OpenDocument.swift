package import AirprintContext
internal import Conversion
internal import Documents
internal import LateLibraries
internal import Layout
internal import Negotiation
package import PrintModel
internal import Submission
package import System

/// A document that was opened; no printer is known.
///
/// It has pages (`PagedDocument`), unless a program makes them for the paper, or only a printer reads it. For each
/// printer, `layOut` makes a `LaidOutDocument` of it.
package struct OpenDocument {
  package let file: InputFile
  /// Its name in messages: that of the file of which it may be a copy.
  let name: String
  let handling: DocumentHandling
  private var content = Content.unread
  /// The files in its folder that it uses.
  private var pictures: ReceiptPictures?
  private var stamps: StampFiles?
  private let context: Context
  private let cancellation: Cancellation

  private enum Content {
    /// A printer gets the file.
    case unread
    /// These make its pages when the paper is known.
    case converted(by: ConverterChain), rendered(by: PageRenderer)
    case paged(PagedDocument)
  }

  /// Its pages, if it has any.
  var pages: PagedDocument? {
    if case .paged(let pages) = content { pages } else { nil }
  }

  /// Facts about it; its page is a guess as long as its pages are not made.
  package var info: DocumentInfo {
    var info =
      pages?.info
      ?? DocumentInfo(
        mediaType: file.mediaType,
        pages: [DocumentInfo.Page(size: PageSize(width: 595, height: 842))], reflows: true)
    if case .unread = content { info.isRaw = true }
    info.namesFiles =
      handling.renderer == nil
      && (file.chain != nil
        || [DocumentFormat.svg, DocumentFormat.receipt].contains(file.mediaType))
    return info
  }

  /// True if its pages, and how many they are, depend on the paper.
  var isMadeForPaper: Bool {
    switch content {
    case .converted, .rendered: true
    case .unread, .paged: false
    }
  }

  /// Opens a document; exit 66 or 65 if the file can't be read or printed.
  ///
  /// A converter that does not need to know the paper makes its pages now.
  package init(
    _ path: String, _ context: Context, handling: DocumentHandling = DocumentHandling(),
    cancellation: Cancellation
  ) throws(Failure) {
    let isData = handling.renderer != nil || handling.isRaw
    file = try InputFile(
      path, isData: isData, from: handling.renderer == nil ? handling.from : nil, context)
    name = handling.names[path] ?? file.path
    self.handling = handling
    self.context = context
    self.cancellation = cancellation
    if let program = handling.renderer {
      content = .rendered(by: program)
    } else if handling.isRaw || file.isForPrinter {
      content = .unread
    } else if let chain = file.chain {
      content = chain.namesPaper ? .converted(by: chain) : .paged(try convert(by: chain, for: nil))
    } else {
      let pictures = try ReceiptPictures(of: file, assets: handling.assets)
      self.pictures = pictures
      var pages = PageFile(file.descriptor, file.mediaType, of: file)
      pages.opening.password = handling.password
      if file.mediaType == DocumentFormat.svg {
        pages.opening.folder = handling.assets ?? file.folder
      }
      pages.add(pictures.attachments, pictures.descriptors, of: [pictures], pictures.losses)
      content = .paged(try open(pages))
    }
  }

  /// What a file that only a printer reads is, without a full stop.
  var whatItIs: String {
    let name = PrinterLanguage.of(type: file.mediaType)?.name ?? file.mediaType
    return "The file is \(name), which only a printer that reads it can print"
  }

  /// The document and the files that it names in its folder, for the journal's copies, which need it open.
  var sources: [Journal.SourceFile] {
    [file.source]
      + zip(pictures?.attachments ?? [], pictures?.descriptors ?? []).map {
        Journal.SourceFile(descriptor: $1, path: $0.name, isBeside: true)
      }
  }

  /// Negotiates a ticket with a printer, a second time if the paper reveals new facts about the document.
  ///
  /// Exit 65 if it can't be converted or drawn for that paper, and the codes of `negotiate`.
  package func layOut(
    for request: PrintRequest, on capabilities: Capabilities
  ) throws(Failure) -> LaidOutDocument {
    var document = self
    try document.addStamps(request.stamps)
    var laidOut = try document.laidOut(for: request, on: capabilities)
    if laidOut.ticket.type == .receipt, handling.from == nil, file.hasReceiptLines {
      try laidOut.ticket.ledger.add(
        [
          Loss(
            .line,
            "It is printed as plain text: a receipt's first line is #receipt, or use --from receipt."
          )
        ], strict: request.strict)
    }
    return laidOut
  }

  /// Returns the job's name: the given title, else the file's last component; the title of HTML; for standard input the
  /// PDF's title, else `stdin HOST TIME`.
  ///
  /// `info` may be that of the pages made for a paper, `setting` a title from settings.
  func jobName(_ info: DocumentInfo, setting: String? = nil) -> String {
    if let title = handling.title ?? setting { return JobName.clean(title) }
    if file.mediaType == DocumentFormat.html, let title = info.title { return JobName.clean(title) }
    if let program = handling.renderer, ["-", "/dev/null"].contains(file.path) {
      return JobName.clean(Context.lastComponent(program.command[0]))
    }
    if file.path != "-" { return JobName.clean(Context.lastComponent(file.path)) }
    return JobName.clean(info.title ?? "stdin \(hostName) \(WallClock.now)")
  }

  // MARK: - For a printer's paper

  private func laidOut(
    for request: PrintRequest, on capabilities: Capabilities
  ) throws(Failure) -> LaidOutDocument {
    func ticket(_ request: PrintRequest, _ info: DocumentInfo) throws(Failure) -> Ticket {
      try negotiate(request, document: info, with: capabilities, region: context.region)
    }
    var draft = filled(request, info)
    if isMadeForPaper { draft.pages = nil }
    var first = try ticket(draft, info)
    if mustGoUnchanged(first, to: capabilities) {
      var picture = info
      picture.canBeDrawn = false
      first = try ticket(draft, picture)
      if first.isPassedThrough { return LaidOutDocument(self, first) }
    }
    // A missing one is found whatever paper is loaded.
    if !info.isRaw,
      let other = handling.alternates.first(where: { !InputFile.exists($0.file) })
        ?? handling.alternates.first(where: { $0.isFor(first.paper) })
    {
      return try layOut(other, on: first.paper, for: request, at: capabilities)
    }
    guard let refined = try refined(for: first) else { return LaidOutDocument(self, first) }
    return LaidOutDocument(refined, try ticket(filled(request, refined.info), refined.info))
  }

  /// True for a JPEG that may be drawn only because the printer does not report how it scales or which kinds it reads,
  /// if nothing can be drawn here: a printer that reads JPEG may print it anyway.
  private func mustGoUnchanged(_ ticket: Ticket, to capabilities: Capabilities) -> Bool {
    info.mediaType == DocumentFormat.jpeg && !ticket.isPassedThrough
      && capabilities.formats.contains(DocumentFormat.jpeg)
      && (!capabilities.scalings.contains(ticket.scaling) || capabilities.jpeg.features.isEmpty)
      && !(GraphicsLibraries.jpeg.isInstalled && GraphicsLibraries.drawing.isInstalled)
  }

  /// Lays out the alternate on the paper chosen for the document.
  private func layOut(
    _ alternate: PrintRequest.Alternate, on paper: Paper, for request: PrintRequest,
    at capabilities: Capabilities
  ) throws(Failure) -> LaidOutDocument {
    var handling = handling
    handling.alternates = []
    handling.names[alternate.file] = name
    let other: OpenDocument
    do throws(Failure) {
      other = try OpenDocument(
        alternate.file, context, handling: handling, cancellation: cancellation)
    } catch {
      let failure = error.of(alternate.file)
      guard error.code == .unreadable else { throw failure }
      throw try context.settings.configuration().blaming(failure, for: alternate.file)
    }
    var request = request
    request.paper = [
      paper.isRoll
        ? .roll(width: paper.size.width, asked: paper.title)
        : .sheet(paper.size, asked: paper.title)
    ]
    request.tray = request.tray ?? paper.source
    var laidOut = try other.layOut(for: request, on: capabilities)
    laidOut.jobName = jobName(laidOut.info, setting: laidOut.ticket.title)
    laidOut.ticket.reasons.insert(
      "document: \(other.file.path) takes the place of \(file.path) on \(paper.title)", at: 0)
    return laidOut
  }

  /// The document with the pages for a ticket, where that can change the ticket: a program makes them, a roll is cut by
  /// the content, the paper determines the pages of a text, and marks may reach into the margins.
  ///
  /// nil if there are no new facts.
  private func refined(for ticket: Ticket) throws(Failure) -> OpenDocument? {
    var pages: PagedDocument
    switch content {
    case .unread: return nil
    case .converted(let chain):
      pages = try convert(by: chain, for: PageBox(ticket))
      if ticket.paper.isRoll { try pages.measure() }
    case .rendered(let program):
      let made = try program.run(on: file.descriptor, for: ticket, context, cancellation)
      var output = PageFile(made.descriptor, made.mediaType, of: made)
      output.opening.pageResolution = ticket.resolution
      pages = try open(output)
      pages.info.reflows = pages.info.isMade(for: PageBox(ticket))
      if ticket.paper.isRoll { pages.info.cutAtPages(on: ticket.paper) }
    case .paged(let known):
      pages = known
      if pages.info.reflows {
        try pages.layOut(for: ticket)
      } else if ticket.paper.isRoll {
        try pages.measure()
      } else if !pages.measureMarks(for: ticket, isWhole: handling.isStrict) {
        return nil
      }
    }
    var document = self
    document.content = .paged(pages)
    return document
  }

  private func convert(
    by chain: ConverterChain, for box: PageBox?
  ) throws(Failure) -> PagedDocument {
    let made = try chain.run(
      on: file.descriptor, suffix: file.suffix, base: handling.assets ?? file.folder, box: box,
      context, cancellation)
    var output = PageFile(made.descriptor, made.mediaType, of: made)
    output.opening.refusesFiles = true
    (output.losses, output.scale) = (made.losses, made.scale)
    var pages = try open(output)
    // Pages of another size were chosen by the document itself; then the paper is chosen by them.
    pages.info.reflows = box.map(pages.info.isMade(for:)) ?? false
    return pages
  }

  private func open(_ file: PageFile) throws(Failure) -> PagedDocument {
    try PagedDocument(file, with: stamps, context, cancellation)
  }

  /// Opens the document with the request's stamps: these depend on its type, which is known only when it was opened.
  private mutating func addStamps(_ wanted: [Stamp]) throws(Failure) {
    guard !wanted.isEmpty, !info.isRaw else { return }
    stamps = try StampFiles(wanted, for: info.pages[0].size, context, cancellation)
    guard case .paged(let pages) = content else { return }
    var stamped = try open(pages.file)
    stamped.info.reflows = pages.info.reflows
    content = .paged(stamped)
  }

  /// Fills in the header and footer of the request.
  ///
  /// `{title}` is the given title, the document's own, or the file's name.
  private func filled(_ request: PrintRequest, _ info: DocumentInfo) -> PrintRequest {
    var request = request
    if info.isRaw { request.leaveSettingsOut() }
    guard request.header != nil || request.footer != nil else { return request }
    let name = name == "-" ? "stdin" : JobName.clean(Context.lastComponent(name))
    let title = (handling.title ?? info.title).map(JobName.clean) ?? name
    request.header?.fill(title: title, file: name, date: WallClock.today, time: WallClock.now)
    request.footer?.fill(title: title, file: name, date: WallClock.today, time: WallClock.now)
    return request
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
  /// `--title`.
  var title: String?
  /// See `PrintArguments.names`.
  var names: [String: String] = [:]
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
