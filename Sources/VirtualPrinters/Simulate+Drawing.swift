internal import AirprintContext
internal import Capability
internal import FoundationEssentials
internal import IPP
internal import Printers
internal import Printing
internal import PrintModel
internal import Rendering
internal import Simulation
internal import System

/// Draws a document sent to a simulated printer as the printer would: with the job's options, on the loaded paper.
///
/// Worker processes draw it, like everything from untrusted clients.
func draw(_ order: DrawingOrder, _ context: Context, _ cancellation: Cancellation) throws(Failure) {
  let document = try OpenDocument(order.document, context, cancellation: cancellation)
  let laidOut = try document.layOut(for: try order.request, on: order.capabilities)
  let stream = try laidOut.drawn()
  while let piece = try stream.next() {
    guard writeAll(piece[...], to: order.output) else {
      throw .cannotWrite("The drawn pages can't be written: \(SystemError()).")
    }
  }
}

extension DrawingOrder {
  /// Capabilities of a printer that has only this paper, and takes raster with upright back sides.
  fileprivate var capabilities: Capabilities {
    var capabilities = Capabilities()
    capabilities.formats = [DocumentFormat.pwg]
    capabilities.pwg = RasterSupport(
      gray: true, color: isColor, resolutions: [resolution], sheetBack: .normal)
    capabilities.isColor = isColor
    capabilities.sides = sides == .oneSided ? [.oneSided] : Sides.allCases
    capabilities.resolutions = [resolution]
    capabilities.scalings = Scaling.allCases
    capabilities.copies = 1...1
    var paper = paper
    paper.isReady = true
    capabilities.ready = [paper]
    capabilities.reportsReady = true
    capabilities.possible = [paper]
    capabilities.types = Set(JobType.allCases)
    capabilities.typesAreStated = true
    return capabilities
  }

  fileprivate var request: PrintRequest {
    get throws(Failure) {
      var request = PrintRequest()
      request.force = true
      request.type = paper.isRoll ? .roll : .document
      request.paper =
        paper.isRoll
        ? [.roll(width: paper.size.width, asked: paper.title)]
        : [.sheet(paper.size, asked: paper.title)]
      request.borderless = paper.isBorderless
      request.copies = max(1, min(attributes.number("copies") ?? 1, 999))
      // The job says how many, whatever its document asks for.
      request.give("copies", from: nil)
      request.isUncollated = attributes.isUncollated
      request.sides = sides == .oneSided ? .one : sides == .longEdge ? .long : .short
      request.color = isColor ? .auto : .gray
      // The print-scaling-default; without one, a poster is enlarged to the roll.
      request.scaling = attributes.string("print-scaling").flatMap(Scaling.init(rawValue:)) ?? .auto
      request.orientation =
        switch attributes.number("orientation-requested") {
        case 3: .portrait
        case 4, 5: .landscape
        default: .auto
        }
      request.rotation = attributes.number("orientation-requested") == 6 ? .half : .none
      let ranges = attributes.spans("page-ranges")
      if !ranges.isEmpty {
        request.pages = try PageRanges(
          ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ","))
      }
      if paper.isRoll, let length = cutLength { request.cutLength = .length(length) }
      return request
    }
  }

  /// The length at which the job has the roll cut.
  private var cutLength: Hundredths? {
    let column = attributes.collections("media-col").first
    let size = column?.collections("media-size").first
    guard let length = size?.number("y-dimension"), length > 0 else { return nil }
    return Hundredths(length)
  }
}

/// Decodes raster sent to a simulated printer, in a worker process as well.
extension RasterDecoder: SheetRaster {}

/// A printer's attributes, to be reported by a simulated one: from a printer on the network, or from a file with a
/// printer's recorded answer (application/ipp as received, or ippeveprinter's attributes).
func attributes(like text: String, _ context: Context) async throws(Failure) -> AttributeSet {
  if let data = FileManager.default.contents(atPath: text) {
    if let response = Response(recorded: Array(data)), !response.printer.all.isEmpty {
      return response.printer
    }
    return AttributeSet(
      try AttributeFile.attributes(of: String(decoding: data, as: UTF8.self), text))
  }
  guard let target = try await findPrinter(text, for: nil, context) else {
    throw .unavailable("There is no printer, and no file, called \(text).")
  }
  return try await onThread { () throws(Failure) in
    let connection = try PrinterConnection.reach(target, context)
    let response = try connection.ask(
      .getPrinterAttributes(
        ["all", "media-col-database"], of: connection.ipp.uri, user: context.user))
    let stated = connection.capabilities.attributes
    return AttributeSet(
      response.printer.all + stated.all.filter { response.printer[$0.name] == nil })
  }
}

extension Profile {
  /// Creates a profile of the printer with these attributes, as far as it can be simulated: papers, trays, resolutions,
  /// and the orientation of back sides; other attributes stay as they were.
  ///
  /// A printer that reports no resolution gets 300 dpi, and one that reports no paper gets the region's.
  init(like recorded: AttributeSet, in region: Region) {
    let capabilities = Capabilities(reading: recorded)
    let model = capabilities.makeAndModel ?? capabilities.info ?? "Printer"
    let stated =
      capabilities.pwg?.resolutions ?? capabilities.urf?.resolutions
      ?? capabilities.resolutions
    self.init(named: "like")
    printerName = "Sim \(capabilities.name ?? capabilities.info ?? model)".clipped
    makeAndModel = model
    kinds = capabilities.types.isEmpty ? [.document] : capabilities.types.sorted()
    resolutions = (stated.isEmpty ? [Resolution(300)] : stated).sorted { $0.x < $1.x }
    trays = Profile.trays(of: capabilities)
    if trays.isEmpty { trays = [Profile.usualTray(in: region)] }
    let status = PrinterStatus(reading: recorded)
    // A level of 0 stops a simulated printer, but not every real one.
    let isOut = status.reasons.contains {
      $0.contains("toner-empty") || $0.contains("supply-empty")
    }
    supplies = status.supplies.map {
      SimulatedSupply(
        $0.name.lowercased(), $0.type, level: min(100, max(isOut ? 0 : 1, $0.level ?? 80)))
    }
    pagesPerMinute = max(1, recorded.number("pages-per-minute") ?? 10)
    isColor = capabilities.isColor
    if capabilities.isDuplex {
      sheetBack = capabilities.urf?.sheetBack ?? capabilities.pwg?.sheetBack ?? .normal
    }
    let known = formats.filter(capabilities.formats.contains)
    if !known.isEmpty { formats = known }
    self.recorded = recorded
  }

  /// A tray with the region's sheet, for a printer that reports no paper.
  private static func usualTray(in region: Region) -> Tray {
    let margins = Margins(top: 423, bottom: 423, left: 423, right: 423)
    let sheet = Paper(
      name: MediaName.name(for: region.sheet), size: region.sheet, margins: margins,
      source: "main", type: "stationery", isReady: true)
    return Tray(source: "main", papers: [sheet], loaded: sheet)
  }

  /// Papers that the printer lists by name alone (media-ready), each in a tray of its own, in the order of its trays.
  private static func placed(_ papers: [Paper], in sources: [String]) -> [Paper] {
    let taken = Set(papers.compactMap(\.source) + ["auto"])
    var free = sources.filter { !taken.contains($0) }[...]
    return papers.enumerated().map { index, paper in
      var paper = paper
      if paper.source == nil { paper.source = free.popFirst() ?? "tray-\(index + 1)" }
      return paper
    }
  }

  private static func trays(of capabilities: Capabilities) -> [Tray] {
    let loaded = placed(capabilities.ready, in: capabilities.sources)
    let known = (loaded + capabilities.possible).filter { $0.size.length > 0 }
    // The default comes first: it is the paper for jobs that don't specify one, unless some other is loaded.
    let usual = capabilities.defaultPaper?.size
    let possible = known.filter { $0.size == usual } + known.filter { $0.size != usual }
    var trays: [Tray] = []
    let sources = loaded.compactMap(\.source) + capabilities.sources.filter { $0 != "auto" }
    var seen: Set<String> = []
    for source in sources where seen.insert(source).inserted {
      let ready = loaded.first { $0.source == source }
      var papers = possible.filter { $0.source == source }
      papers += possible.filter { $0.source == nil }
      if !papers.isEmpty { trays.append(Tray(source: source, papers: papers, loaded: ready)) }
    }
    if trays.isEmpty, !possible.isEmpty {
      trays = [
        Tray(source: "main", papers: possible, loaded: loaded.first ?? capabilities.defaultPaper)
      ]
    }
    // Which tray takes custom sizes is not stated; manual feeds are listed last.
    if let custom = capabilities.customSizes.last, !trays.isEmpty, !known.contains(where: \.isRoll)
    {
      trays[trays.count - 1].custom = (custom.widths, custom.lengths)
    }
    return trays
  }
}

extension String {
  /// The text shortened to the longest DNS-SD instance name: 63 bytes.
  fileprivate var clipped: String {
    var text = self
    while text.utf8.count > 63 { text.removeLast() }
    return text
  }
}
