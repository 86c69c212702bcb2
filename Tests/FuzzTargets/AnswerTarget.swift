import Capability
import FoundationEssentials
import IPP
import Negotiation
import PrintModel

extension FuzzTarget {
  /// A printer's response, from its bytes to the ticket for a job.
  static let answer = FuzzTarget("answer") { bytes in
    guard let response = Response(recorded: bytes) else { return }
    _ = response.words
    var capabilities = Capabilities(reading: response.printer)
    check(capabilities)
    _ = PrinterStatus(reading: response.printer)
    for job in response.jobs { _ = JobStatus(reading: job) }
    _ = try? JSONEncoder().encode(AttributeObject(response.printer.all))
    let papers = capabilities.ready + capabilities.possible
    if let data = try? JSONEncoder().encode(papers.prefix(20).map(\.self)) {
      promise(!data.isEmpty, "papers are JSON")
    }
    // The cost of a media database with thousands of entries is tested elsewhere.
    capabilities.possible = Array(capabilities.possible.prefix(50))
    for (request, document) in wishes {
      let region = Region(environment: [:])
      guard
        let ticket = try? negotiate(request, document: document, with: capabilities, region: region)
      else { continue }
      promise(ticket.resolution.x > 0 && ticket.resolution.y > 0, "dots per inch \(ticket)")
      promise(ticket.copies >= 1 && ticket.repeats >= 1, "copies \(ticket)")
      promise(ticket.pages.allSatisfy(document.pages.indices.contains), "pages \(ticket)")
    }
  }

  private static func check(_ capabilities: Capabilities) {
    let papers =
      capabilities.ready + capabilities.possible + [capabilities.defaultPaper].compactMap { $0 }
    for paper in papers {
      promise((1_000...5_000_000).contains(paper.size.width), "width of \(paper)")
      promise((1_000...5_000_000).contains(paper.size.length), "length of \(paper)")
      promise(paper.printableRect.width > 0 && paper.printableRect.height > 0, "room on \(paper)")
      promise(paper.cuts.map { $0.upperBound <= 5_000_000 } != false, "cuts of \(paper)")
    }
    let resolutions =
      capabilities.resolutions + (capabilities.pwg?.resolutions ?? [])
      + (capabilities.urf?.resolutions ?? [])
    for resolution in resolutions {
      promise((50...4_800).contains(resolution.x) && (50...4_800).contains(resolution.y), "dpi")
    }
    promise(capabilities.ready.count <= 2_000 && capabilities.possible.count <= 2_000, "count")
  }

  /// The requests and documents to negotiate.
  private static let wishes: [(PrintRequest, DocumentInfo)] = {
    let sheet = DocumentInfo(
      mediaType: DocumentFormat.pdf,
      pages: Array(repeating: .init(size: PageSize(width: 595, height: 842)), count: 3))
    let receipt = DocumentInfo(
      mediaType: DocumentFormat.pdf,
      pages: [.init(size: PageSize(width: 204, height: 800), contentHeight: 300)])
    let photo = DocumentInfo(
      mediaType: DocumentFormat.jpeg, pages: [.init(size: PageSize(width: 3_000, height: 2_000))],
      image: .init(
        width: 3_000, height: 2_000,
        jpeg: .init(
          isBaseline: true, components: 3, hasProfile: false, orientation: 1, octets: 1_000_000)))
    var onRoll = PrintRequest()
    onRoll.type = .receipt
    var best = PrintRequest()
    best.paper = [.best]
    best.copies = 7
    best.sides = .long
    best.borderless = true
    best.quality = .high
    var forced = PrintRequest()
    forced.force = true
    forced.numberUp = 4
    forced.cutLength = .max
    return [
      (PrintRequest(), sheet), (best, sheet), (forced, sheet), (onRoll, receipt),
      (PrintRequest(), photo), (best, photo),
    ]
  }()
}
