package import AirprintContext
internal import Glibc
internal import Negotiation
package import Printers
package import PrintModel
internal import Rendering
package import System

/// Options of `render` and `preview`.
package struct RenderArguments: Sendable {
  package var print: PrintArguments
  /// nil: no printer is contacted.
  package var target: PrinterReference?
  /// True if the last answer of the printer that `print` would use is used, where none is contacted: `preview`.
  package var isForLikelyPrinter = false
  /// `--sheet-back`, if there is no printer.
  package var sheetBack = SheetBack.normal
  /// Path of a file, or `-` for standard output.
  package var output: String

  package init(_ print: PrintArguments, target: PrinterReference?, output: String) {
    self.print = print
    self.target = target
    self.output = output
  }
}

/// Writes the bytes that a printer would receive.
///
/// Returns the ticket for which they were made. Exits like `print` before it sends, and 73 if the file can't be
/// written.
package func renderFile(
  _ arguments: RenderArguments, _ context: Context, cancellation: Cancellation
) async throws(Failure) -> Ticket {
  try await onThread { () throws(Failure) in
    var (document, _) = try arguments.plan(context, cancellation, asNamed: true)
    let file = try OutputFile(arguments.output)
    let stream = try document.drawn()
    while let piece = try stream.next() { try file.write(piece) }
    try document.ticket.ledger.add(stream.takeLosses(), strict: arguments.print.handling.strict)
    try file.finish()
    return document.ticket
  }
}

/// Writes pictures of the sheets as they would be printed, with unprintable margins tinted, and turned so that their
/// pages are upright.
///
/// The files are OUT.png, or OUT-1.png, OUT-2.png… for several sides; JPEG if that is the suffix; OUT.pdf contains all
/// sides. Returns the files' names, and the ticket that they show. Exits like `renderFile`.
package func previewFile(
  _ arguments: RenderArguments, _ context: Context, cancellation: Cancellation
) async throws(Failure) -> (names: [String], ticket: Ticket) {
  try await onThread { () throws(Failure) in
    var (document, _) = try arguments.plan(context, cancellation)
    let renderer = try document.renderer.get()
    if arguments.output.lowercased().hasSuffix(".pdf") {
      let file = try OutputFile(arguments.output)
      let stream = try renderer.previewPDF(for: document.ticket, document: document.info)
      while let piece = try stream.next() { try file.write(piece) }
      try document.ticket.ledger.add(stream.takeLosses(), strict: arguments.print.handling.strict)
      try file.finish()
      return ([arguments.output], document.ticket)
    }
    // Enough to see every margin and read small print on a screen.
    document.ticket.resolution = Resolution(150)
    let sides = impose(document.info, by: document.ticket).count
    guard sides == 1 || arguments.output != "-" else {
      throw .usage(
        "-o -: there are \(sides) sides, each a picture of its own. Choose one with --pages 1, or name a "
          + "file (-o NAME.pdf holds all).")
    }
    var names: [String] = []
    let format: Renderer.PreviewFormat = arguments.namedFormat == .jpeg ? .jpeg : .png
    let losses = try renderer.previews(
      for: document.ticket, document: document.info, as: format
    ) { (picture) throws(Failure) in
      let name = sides == 1 ? arguments.output : arguments.output.numbered(names.count + 1)
      let file = try OutputFile(name)
      try file.write(picture)
      try file.finish()
      names.append(name)
    }
    try document.ticket.ledger.add(losses, strict: arguments.print.handling.strict)
    return (names, document.ticket)
  }
}

/// Draws the first sheets of a job for a terminal that shows pictures: PNG files, or sixels.
///
/// Returns the number of sides, the ticket that they show, and the printer's name. Exits like `renderFile`.
///
/// - `room`: pixels that a sheet may use on the screen; a roll may be longer.
/// - `each`: receives the pictures in order.
package func previewOnTerminal(
  _ arguments: RenderArguments, asSixels: Bool, room: (width: Int, height: Int), upTo limit: Int,
  _ context: Context, cancellation: Cancellation,
  _ each: @Sendable @escaping ([UInt8]) throws(Failure) -> Void
) async throws(Failure) -> (sides: Int, ticket: Ticket, printer: String?) {
  try await onThread { () throws(Failure) in
    let (document, printer) = try arguments.plan(context, cancellation)
    var ticket = document.ticket
    let sides = impose(document.info, by: ticket)
    let paper = ticket.paper.size
    let sheet = PageSize(width: paper.width.points, height: paper.length.points)
    let size = sides.first?.asRead(on: sheet, ticket.rotation).size ?? sheet
    let byWidth = Double(room.width) / (size.width / 72)
    let byHeight = ticket.paper.isRoll ? 150 : Double(room.height) / (size.height / 72)
    ticket.resolution = Resolution(Int(max(20, min(150, byWidth, byHeight))))
    let losses = try document.renderer.get().previews(
      for: ticket, document: document.info, as: asSixels ? .sixel : .png, upTo: limit, each)
    try ticket.ledger.add(losses, strict: arguments.print.handling.strict)
    return (sides.count, ticket, printer)
  }
}

/// Chooses the paper that a job would get, without a document: for programs that lay out their own pages.
///
/// Exit 69 if the printer does not answer, 64 and 75 like `negotiate`.
package func choosePaper(
  _ arguments: PrintArguments, at target: PrinterReference, _ context: Context
) async throws(Failure) -> Ticket {
  try await onThread { () throws(Failure) in
    let connection = try PrinterConnection.reach(target, context)
    let usual = connection.capabilities.defaultPaper?.size ?? context.region.sheet
    let isPhoto = arguments.type == .photo || arguments.type == .postcard
    let size = isPhoto ? context.region.photo : usual
    let page = PageSize(width: size.width.points, height: size.length.points)
    // A picture with the shape of the paper; it has enough pixels for any resolution.
    let image = DocumentInfo.Image(width: size.width.count, height: size.length.count)
    let document = DocumentInfo(
      mediaType: DocumentFormat.pdf, pages: [DocumentInfo.Page(size: page)],
      image: isPhoto ? image : nil)
    var request = try arguments.request(
      type: arguments.type ?? .document, on: target, try context.settings.configuration())
    // The length of the content is unknown: use the longest cut, unless one is requested.
    if request.cutLength == .auto { request.cutLength = .max }
    return try negotiate(
      request, document: document, with: connection.namedCapabilities, region: context.region)
  }
}

extension RenderArguments {
  /// Opens the document and lays it out, for the named printer or for none.
  ///
  /// - `asNamed`: the output's suffix selects a format, as `--format` does.
  fileprivate func plan(
    _ context: Context, _ cancellation: Cancellation, asNamed: Bool = false
  ) throws(Failure) -> (LaidOutDocument, printer: String?) {
    try refuseOwnOutput()
    let configuration = try context.settings.configuration()
    var (document, printer) = try documentAndPrinter(context, cancellation)
    let likely =
      target == nil
      ? try printer.flatMap { (printer) throws(Failure) in
        try Capabilities(lastOf: printer, context)
      } : nil
    if likely == nil { printer = target }
    let type = print.type ?? document.info.guessedType
    var request = try print.request(type: type, on: printer, configuration)
    let capabilities: Capabilities
    if let target {
      capabilities = try PrinterConnection.reach(
        target, context, cancellation: cancellation
      ).namedCapabilities
      if asNamed, request.format == .auto { request.format = namedFormat ?? .auto }
    } else if let likely {
      capabilities = likely
    } else {
      if DocumentFormat.isRaster(document.info.mediaType), request.paper.isEmpty {
        // A raster is already a picture of a whole sheet.
        request.paper = [.sheet(document.info.pages[0].size.media, asked: "the raster's own")]
      }
      capabilities = .virtual(
        paper: request.paper, type: type, resolution: request.resolution ?? Resolution(300),
        sheetBack: sheetBack, context.region)
      if request.format == .auto { request.format = namedFormat ?? .pwg }
    }
    do throws(Failure) {
      return (try document.layOut(for: request, on: capabilities), printer?.name)
    } catch {
      guard likely != nil, [.mediaEmpty, .notSupported].contains(error.reason),
        !request.paper.isEmpty
      else { throw error }
      throw error.adding("--no-printer shows the pages on this paper without a printer.")
    }
  }

  /// Exit 64 for an output that would replace the document.
  private func refuseOwnOutput() throws(Failure) {
    let file = print.files[0]
    guard let new = FileStatus(output), new.kind == S_IFREG,
      let old = file == "-" ? FileStatus(descriptor: 0) : FileStatus(file),
      (old.st_dev, old.st_ino) == (new.st_dev, new.st_ino)
    else { return }
    throw .usage("-o \(output): this is the document itself; name another file.")
  }

  /// Opens the document for the printer that is contacted, or whose last answer is used.
  private func documentAndPrinter(
    _ context: Context, _ cancellation: Cancellation
  ) throws(Failure) -> (OpenDocument, PrinterReference?) {
    func open(for printer: PrinterReference?) throws(Failure) -> OpenDocument {
      let handling = try print.documentHandling(on: printer, context)
      do throws(Failure) {
        return try OpenDocument(
          print.files[0], context, handling: handling, cancellation: cancellation)
      } catch {
        let file = Context.named(print.names[print.files[0]] ?? print.files[0])
        throw error.of(Context.title(of: file))
      }
    }
    guard isForLikelyPrinter else { return (try open(for: target), target) }
    let usual = try print.likelyPrinter(for: nil, context)
    let document = try open(for: usual)
    guard print.choosesPrinter, let type = document.info.sureType,
      let own = try print.likelyPrinter(for: type, context), own.name != usual?.name
    else { return (document, usual) }
    return (try open(for: own), own)
  }

  /// The format of the output's suffix.
  fileprivate var namedFormat: PrintRequest.FormatOption? {
    let suffix = output.lowercased().split(separator: ".").last.map(String.init) ?? ""
    return [
      "pdf": .pdf, "urf": .urf, "pwg": .pwg, "jpg": .jpeg, "jpeg": .jpeg, "ps": .ps,
    ][suffix]
  }
}

extension String {
  /// Returns `page-3.png` for `page.png`.
  fileprivate func numbered(_ number: Int) -> String {
    guard let dot = lastIndex(of: "."), dot != startIndex else { return "\(self)-\(number)" }
    return "\(self[..<dot])-\(number)\(self[dot...])"
  }
}

extension Capabilities {
  /// Capabilities for `render` and `preview` without a printer: any paper without hardware margins, every format, one
  /// resolution, both sides.
  static func virtual(
    paper selectors: [MediaSelector], type: JobType, resolution: Resolution, sheetBack: SheetBack,
    _ region: Region
  ) -> Capabilities {
    var capabilities = Capabilities()
    capabilities.info = "rendering without a printer"
    capabilities.formats = [
      DocumentFormat.urf, DocumentFormat.pwg, DocumentFormat.pdf, DocumentFormat.jpeg,
      DocumentFormat.postscript,
    ]
    capabilities.pwg = RasterSupport(
      gray: true, color: true, resolutions: [resolution], sheetBack: sheetBack)
    capabilities.urf = capabilities.pwg
    if !resolution.isSquare { capabilities.urf?.resolutions = [] }
    capabilities.isColor = true
    capabilities.sides = Sides.allCases
    capabilities.resolutions = [resolution]
    capabilities.scalings = Scaling.allCases
    capabilities.copies = 1...9_999
    capabilities.possible =
      (selectors.isEmpty ? [usual(for: type, region)] : selectors).compactMap(Paper.init(for:))
    return capabilities
  }

  /// Returns the usual paper for the type.
  private static func usual(for type: JobType, _ region: Region) -> MediaSelector {
    switch type {
    case .receipt: .roll(width: 8_000, asked: "80mm")
    case .photo: .sheet(region.photo, asked: "")
    case .postcard: .sheet(region.postcard, asked: "")
    case .envelope: .sheet(region.envelope, asked: "")
    default: .sheet(region.sheet, asked: "")
    }
  }
}

extension Paper {
  /// Makes the requested paper, as if a printer had it.
  fileprivate init?(for selector: MediaSelector) {
    switch selector {
    case .best: return nil
    case .sheet(let size, _):
      self.init(name: MediaName.name(for: size), size: size, margins: .zero, isReady: false)
    case .roll(let width, _):
      // One inch to five meters: longer than any receipt.
      let cuts: ClosedRange<Hundredths> = 254...500_000
      let size = MediaSize(width: width, length: cuts.upperBound)
      self.init(
        name: "roll_current_\(width.inMillimeters.filter { $0 != " " }.dropLast(2))x0mm",
        size: size, margins: .zero, isRoll: true, cuts: cuts, isReady: false)
    }
  }
}
