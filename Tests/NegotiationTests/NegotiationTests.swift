import Negotiation
import PrintModel
import Testing

@Suite struct NegotiationTests {
  @Test(arguments: Case.sheets) func `sheets`(_ line: Case) throws { try line.check() }
  @Test(arguments: Case.asked) func `paper that is asked for`(_ line: Case) throws {
    try line.check()
  }
  @Test(arguments: Case.badAnswers) func `printers that say little`(_ line: Case) throws {
    try line.check()
  }
  @Test(arguments: Case.special) func `envelopes, postcards, discs, posters`(_ line: Case) throws {
    try line.check()
  }
  @Test(arguments: Case.loads) func `what lies in the trays`(_ line: Case) throws {
    try line.check()
  }
  @Test(arguments: Case.stock) func `stock that is no plain paper, and sheets of odd sizes`(
    _ line: Case
  ) throws {
    try line.check()
  }
  @Test(arguments: Case.keptApart) func `plotters, slides, coated stock, cards, small sheets`(
    _ line: Case
  ) throws {
    try line.check()
  }
  @Test(arguments: Case.unseen) func `other units, no margins, tape, labels beside receipts`(
    _ line: Case
  ) throws {
    try line.check()
  }
  @Test(arguments: Case.rasters) func `printers that say little of their raster`(
    _ line: Case
  ) throws {
    try line.check()
  }
  @Test(arguments: Case.rolls) func `rolls`(_ line: Case) throws { try line.check() }
  @Test(arguments: Case.labels) func `labels`(_ line: Case) throws { try line.check() }
  @Test(arguments: Case.photos) func `photos`(_ line: Case) throws { try line.check() }
  @Test(arguments: Case.formats) func `formats`(_ line: Case) throws { try line.check() }
  @Test(arguments: Case.frames) func `margins, header and footer`(_ line: Case) throws {
    try line.check()
  }
  @Test(arguments: Case.inks) func `color, quality, resolution`(_ line: Case) throws {
    try line.check()
  }
  @Test(arguments: Case.sidesAndPages) func `sides, copies, pages, scaling, options`(
    _ line: Case
  ) throws {
    try line.check()
  }

  @Test func `there are printers of every kind`() throws {
    #expect(try Samples.names().count >= 12)
    let types = try Samples.names().map { try Samples.printer($0).types }
    #expect(types.reduce(into: Set<JobType>()) { $0.formUnion($1) } == Set(JobType.allCases))
  }

  /// Every combination gives a valid plan, or an error message.
  @Test(arguments: try Samples.names(), JobType.allCases)
  func `every type on every printer gives a plan or a refusal`(
    _ name: String, _ type: JobType
  ) throws {
    let printer = try Samples.printer(name)
    let documents: [Sample] = [
      .a4, .threePages, .text, .photo, .receipt80, .label4x6, .a0, .number10,
    ]
    for document in documents {
      var request = PrintRequest()
      request.type = type
      do {
        let ticket = try negotiate(request, document: document.info, with: printer, region: .a4)
        #expect(ticket.type == type)
        #expect(ticket.paper.size.width > 0 && ticket.paper.size.length > 0)
        #expect(ticket.paper.printableRect.width > 0 && ticket.paper.printableRect.height > 0)
        #expect(
          !ticket.paper.isRoll || ticket.paper.cuts?.contains(ticket.paper.size.length) == true)
        #expect(ticket.reasons.contains { $0.hasPrefix("paper: ") })
        #expect(ticket.reasons.contains { $0.hasPrefix("format: ") })
        #expect(printer.formats.contains(ticket.format))
      } catch {
        #expect([.usage, .refused, .notNow].contains(error.code), "\(error)")
        #expect(
          error.code == .notNow || !printer.types.contains(type)
            || !printer.formats.contains { DocumentFormat.sendable.contains($0) },
          "\(name) says that it prints \(type.rawValue), but: \(error)")
        #expect(error.message.hasSuffix("."))
      }
    }
  }

  /// The same three values give the same ticket, and --force alone changes no ticket.
  @Test(arguments: try Samples.names())
  func `negotiation is a function`(_ name: String) throws {
    let printer = try Samples.printer(name)
    func ticket(_ request: PrintRequest) -> Ticket? {
      try? negotiate(request, document: Sample.a4.info, with: printer, region: .a4)
    }
    var request = PrintRequest()
    let first = ticket(request)
    #expect(ticket(request) == first)
    request.force = true
    #expect(ticket(request) == first)
  }

  @Test(arguments: [
    (["LANG": "en_US.UTF-8"], Region.letter), (["LANG": "de_DE.UTF-8"], .a4),
    (["LANG": "de_DE.UTF-8", "LC_PAPER": "es_MX.UTF-8"], .letter),
    (["LANG": "en_US.UTF-8", "LC_PAPER": "en_GB.UTF-8"], .a4),
    (["LC_ALL": "fr_CA", "LC_PAPER": "fr_FR"], .letter), (["LC_ALL": "C.UTF-8"], .a4),
    (["LC_PAPER": "", "LANG": "es_CL@euro"], .letter), ([:], .a4), (["LANG": "POSIX"], .a4),
  ])
  func `the region follows LC_PAPER, then the locale`(
    _ environment: [String: String], _ region: Region
  ) {
    #expect(Region(environment: environment) == region)
  }

  @Test func `Japan has A4 and its own photo size`() {
    let region = Region(environment: ["LC_PAPER": "ja_JP.UTF-8"])
    #expect(region.sheet == Region.a4.sheet)
    #expect(region.photo == MediaSize(width: 8_890, length: 12_700))
  }
}

@Suite struct StrangePageTests {
  /// Documents can come from anywhere: pages with no size or an absurd one must not cause a crash.
  @Test(arguments: [0, -1, 1e-9, 1, 14_400, 1e9, 1e300, .infinity, .nan], try Samples.names())
  func `no page is too strange`(_ side: Double, _ name: String) throws {
    let printer = try Samples.printer(name)
    for size in [
      PageSize(width: side, height: side), PageSize(width: side, height: 842),
      PageSize(width: 595, height: side),
    ] {
      let info = DocumentInfo(
        mediaType: DocumentFormat.pdf,
        pages: [DocumentInfo.Page(size: size, contentHeight: side)])
      for scaling in Scaling.allCases {
        var request = PrintRequest()
        request.scaling = scaling
        do {
          let ticket = try negotiate(request, document: info, with: printer, region: .a4)
          #expect(ticket.paper.size.length > 0 && side >= 0.01 && side <= 1e7)
        } catch {
          #expect([.document, .refused].contains(error.code), "\(error)")
        }
      }
    }
  }
}
