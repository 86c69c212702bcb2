package import AirprintContext
internal import Conversion
internal import Documents
internal import Layout
internal import Negotiation
package import PrintModel
package import Rendering
internal import Settings
package import System

/// A document that was opened and looked at, and the worker that draws it.
///
/// It belongs to the thread that made it.
///
/// Its stage (`Stage`) only advances: unmade, opened, replaced. Within the second, what is known of it grows: the
/// request's overlays and underlays, with which it is opened once more (`stamps`); then a ticket gives the paper, and
/// with it comes what depends on that (`refine`): pages that are made for it (`MadePages`), lines of text, the height of
/// a roll's content. `ticket` then negotiates once more.
package final class OpenDocument {
  package let file: InputFile
  /// Its facts, or those of the alternate that took its place.
  package var info: DocumentInfo { replacement?.info ?? own }
  private var own: DocumentInfo
  private let handling: DocumentHandling
  private let context: Context
  private let cancellation: Cancellation
  private var stage = Stage.unmade
  private var made: MadePages?
  private var stamps: StampFiles?
  private var pictures: ReceiptPictures?
  /// Pages were drawn, perhaps not to the end: another submission has to draw them from the beginning.
  var isUsed = false

  private enum Stage {
    /// A converter or a renderer is to make its pages, and has to know the paper for that. All others begin opened.
    case unmade
    /// A worker has it, and has reported its pages.
    case opened(DrawingWorker)
    /// The paper has an alternate, and everything is asked of that.
    case replaced(by: OpenDocument)
  }

  /// The worker that draws the document, or what was made of it.
  private struct DrawingWorker {
    let renderer: Renderer
    /// The file that it was opened from, to be opened again with other stamps.
    let base: (descriptor: Int32, opening: OpeningOptions, attachments: [Int32])
    /// The height of its content is known, for a roll.
    var isMeasured = false
  }

  /// Pages that a program made for a paper, and the environment it was given.
  private enum MadePages {
    case converted(ConvertedDocument, for: PageBox?)
    case rendered(ConvertedDocument, [String: String])
  }

  private var replacement: OpenDocument? {
    if case .replaced(let other) = stage { other } else { nil }
  }

  private var worker: DrawingWorker? { if case .opened(let worker) = stage { worker } else { nil } }

  /// Exit 66 or 65 when the file can't be read or printed; no printer is asked for anything.
  ///
  /// A document whose pages are made for its paper is converted when that is known: see `ticket`.
  package init(
    _ path: String, _ context: Context, handling: DocumentHandling = DocumentHandling(),
    cancellation: Cancellation
  ) throws(Failure) {
    file = try InputFile(
      path, isData: handling.renderer != nil || handling.isRaw, from: handling.from, context)
    self.handling = handling
    self.context = context
    self.cancellation = cancellation
    own = .unmade(file.mediaType)
    if handling.renderer != nil || handling.isRaw { return }
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
      own.warnings += pictures.warnings
    }
  }

  /// The file whose pages are printed.
  package var printed: InputFile { replacement?.file ?? file }

  /// The program that draws it.
  ///
  /// Asked when the document has its pages. Exit 64 for one that is printed raw, 70 before that.
  package var renderer: Renderer {
    get throws(Failure) {
      if let replacement { return try replacement.renderer }
      if handling.isRaw {
        throw Failure(
          .usage, "-o raw: the file is sent to the printer unchanged; nothing is drawn.")
      }
      guard let worker else { throw Failure(.fault, "\(file.path) was not converted yet.") }
      return worker.renderer
    }
  }

  /// The bytes that the ticket sends.
  func stream(for ticket: Ticket) throws(Failure) -> any DocumentStream {
    handling.isRaw
      ? FileStream(file.descriptor) : try renderer.stream(for: ticket, document: info)
  }

  /// The files in its folder that it draws on.
  var companions: [(name: String, descriptor: Int32)] {
    guard let pictures else { return [] }
    return zip(pictures.attachments, pictures.descriptors).map { ($0.name, $1) }
  }

  /// The ticket agreed with the printer; where the paper reveals something new about the document, it is
  /// agreed again with that.
  ///
  /// `arguments` has the title and the name for header and footer.
  func ticket(
    for request: PrintRequest, on capabilities: Capabilities, _ region: Region,
    _ arguments: PrintArguments? = nil
  ) throws(Failure) -> Ticket {
    if !handling.isRaw { try draw(request.stamps) }
    var first = filled(request, arguments)
    // Nobody knows yet how many pages there are.
    if case .unmade = stage { first.pages = nil }
    let ticket = try negotiate(first, document: info, with: capabilities, region: region)
    let isRefined = try refine(for: ticket)
    let again = filled(request, arguments)
    if replacement != nil { return try onSamePaper(ticket, again, capabilities, region) }
    guard isRefined else { return ticket }
    return try negotiate(again, document: info, with: capabilities, region: region)
  }

  /// The ticket for the alternate, on the paper that was agreed on for the document.
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

  /// The document's facts where no printer is asked: one whose pages are made for its paper gets
  /// them on the region's sheet.
  func info(onSheetOf region: Region) throws(Failure) -> DocumentInfo {
    guard case .unmade = stage else { return info }
    let anything = Capabilities.virtual(
      paper: [], type: .document, resolution: Resolution(300), sheetBack: .normal, region)
    _ = try ticket(for: PrintRequest(), on: anything, region)
    return info
  }

  /// Looks at the document once more with its ticket's eyes, where that can change the ticket: a roll is cut by the
  /// content, and text has the pages that its paper gives it.
  ///
  /// True when something new is known. Exit 65 where it can't be converted or drawn for that paper.
  package func refine(for ticket: Ticket) throws(Failure) -> Bool {
    if handling.isRaw { return false }
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
      own.warnings += pictures?.warnings ?? []
      return true
    }
    guard ticket.paper.isRoll, worker?.isMeasured != true else { return false }
    try measure()
    return true
  }

  /// True when an alternate has the document's place on this paper.
  private func isReplaced(on paper: Paper) throws(Failure) -> Bool {
    guard replacement == nil,
      let alternate = handling.alternates.first(where: { $0.isFor(paper) })
    else { return replacement != nil }
    var handling = handling
    handling.alternates = []
    do throws(Failure) {
      stage = .replaced(
        by: try OpenDocument(
          alternate.file, context, handling: handling, cancellation: cancellation))
    } catch {
      throw Failure(error.code, "\(alternate.file): \(error.message)")
    }
    return true
  }

  /// Has the pages made for the ticket's paper.
  ///
  /// On a roll their height is the cut.
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
      // The printer's margin below the content is in the height of a page as wide as the roll.
      let size = own.pages[index].size
      let isMade = RollScale.isMade(size, for: ticket.paper)
      own.pages[index].contentHeight =
        size.height - (isMade ? ticket.paper.margins.bottom.points : 0)
    }
    return true
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
    stage = .opened(DrawingWorker(renderer: renderer, base: base))
  }

  /// Draws these on its pages from now on.
  ///
  /// It is opened again for them: they come with the request, and that depends on what the document
  /// is.
  private func draw(_ wanted: [Stamp]) throws(Failure) {
    guard wanted != stamps?.wanted ?? [] else { return }
    stamps = try StampFiles(wanted, for: info.pages[0].size, context, cancellation)
    if case .converted(let document, _) = made { made = .converted(document, for: nil) }
    guard let base = worker?.base else { return }
    let (reflows, warnings) = (own.reflows, own.warnings)
    try open(base.descriptor, base.opening, base.attachments)
    own.reflows = reflows
    own.warnings = warnings
  }

  private func measure() throws(Failure) {
    let (reflows, warnings) = (own.reflows, own.warnings)
    own = try renderer.measure()
    own.reflows = reflows
    own.warnings = warnings
    guard var worker else { return }
    worker.isMeasured = true
    stage = .opened(worker)
  }

  private func convert(by chain: ConverterChain, for box: PageBox?) throws(Failure) {
    let made = try chain.run(
      on: file.descriptor, suffix: file.suffix, base: handling.assets ?? file.folder, box: box,
      context, cancellation)
    if handling.isStrict, let first = made.warnings.first {
      throw Failure(.document, "--strict: \(first)")
    }
    self.made = .converted(made, for: box)
    var opening = OpeningOptions(mediaType: made.mediaType)
    opening.refusesFiles = true
    try open(made.descriptor, opening)
    // Pages of another size are the document's own choice; then paper is chosen by them.
    own.reflows = box.map(own.isMade(for:)) ?? false
    own.warnings += made.warnings
  }

  /// The request with the document's own words in its header and footer.
  ///
  /// `{title}` is the title that was given, the document's own, or the file's name.
  private func filled(_ request: PrintRequest, _ arguments: PrintArguments?) -> PrintRequest {
    guard request.header != nil || request.footer != nil else { return request }
    var request = request
    let path = arguments?.names[file.path] ?? file.path
    let name = path == "-" ? "stdin" : JobName.clean(Context.lastComponent(path))
    let title = arguments?.title.map(JobName.clean) ?? info.title.map(JobName.clean) ?? name
    request.header?.fill(title: title, file: name, date: WallClock.today, time: WallClock.now)
    request.footer?.fill(title: title, file: name, date: WallClock.today, time: WallClock.now)
    return request
  }

  /// The job's name where none was given: the file's last component; for HTML its title; for standard
  /// input the PDF's title, else `stdin HOST TIME`.
  package func jobName(host: String, time: String) -> String {
    if file.mediaType == DocumentFormat.html, let title = info.title { return JobName.clean(title) }
    if let program = handling.renderer, ["-", "/dev/null"].contains(file.path) {
      return JobName.clean(Context.lastComponent(program.command[0]))
    }
    if file.path != "-" { return JobName.clean(Context.lastComponent(file.path)) }
    return JobName.clean(info.title ?? "stdin \(host) \(time)")
  }
}

/// Options for opening a document, as far as they were typed.
package struct DocumentHandling: Sendable {
  /// `--assets`: the folder that a document's pictures are in, when it is not its own.
  package var assets: String?
  /// `--from`: its type, whatever its name and its content look like.
  package var from: String?
  /// Opens a document that is protected.
  package var password: String?
  /// A stamp that can't be loaded is a failure.
  package var isStrict = false
  /// `--renderer`: the file is its data.
  package var renderer: PageRenderer?
  /// `-o raw`: it is not looked at.
  package var isRaw = false
  /// `--alternate`.
  package var alternates: [PrintRequest.Alternate] = []

  package init() {}

  init(_ request: PrintRequest) {
    assets = request.assets
    from = request.from
    isStrict = request.strict
    isRaw = request.isRaw
    alternates = request.alternates
  }
}

extension WorkerLimits {
  /// `page-time` and `page-memory` of a configuration, where it has them.
  init(_ configuration: Configuration) {
    self.init()
    if let seconds = configuration.pageTime { processorTime = .seconds(seconds) }
    if let megabytes = configuration.pageMemory { memory = megabytes << 20 }
  }
}

extension DocumentInfo {
  /// A document whose pages will be made for its paper.
  fileprivate static func unmade(_ mediaType: String) -> DocumentInfo {
    DocumentInfo(
      mediaType: mediaType, pages: [Page(size: PageSize(width: 595, height: 842))], reflows: true)
  }

  /// True when the pages have the size that was asked for, to a point.
  fileprivate func isMade(for box: PageBox) -> Bool {
    pages.allSatisfy { page in
      abs(page.size.width - box.size.width) < 1
        && (box.isRoll || abs(page.size.height - box.size.height) < 1)
    }
  }
}
