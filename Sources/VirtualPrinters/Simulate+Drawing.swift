internal import AirprintContext
internal import FoundationEssentials
internal import Glibc
internal import PrintModel
internal import Printing
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
      throw Failure(.cannotWrite, "The drawn pages can't be written: \(SystemError()).")
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
