import Capability
import Negotiation
import PrintModel
import Testing
import Layout

/// Rules for every plan, for all documents on all printers.
@Suite struct RecordingTests {
  /// A plan, and the values that it was made from.
  private struct Plan {
    var ticket: Ticket
    var request: PrintRequest
    var document: DocumentInfo
    var printer: Capabilities
    var label: Comment
  }

  @Test(arguments: try Recordings.names()) func `plans that an expert accepts`(
    _ name: String
  ) throws {
    let printer = try Recordings.printer(name)
    for (job, document) in Recordings.jobs {
      for type in [nil] + JobType.allCases.map(Optional.some) {
        for region in type == nil ? [Region.a4, .letter] : [.a4] {
          var request = PrintRequest()
          request.type = type
          let label = Comment(rawValue: "\(job), type \(type?.rawValue ?? "none")")
          do {
            let ticket = try negotiate(request, document: document, with: printer, region: region)
            let plan = Plan(
              ticket: ticket, request: request, document: document, printer: printer, label: label)
            checkPaper(plan)
            checkDocuments(plan)
            checkScaling(plan)
            checkSending(plan)
          } catch {
            #expect([.usage, .refused, .notNow].contains(error.code), "\(label): \(error)")
            #expect(type != nil || error.code == .refused, "\(label): \(error)")
            #expect(error.message.hasSuffix("."), "\(label): \(error.message)")
          }
        }
      }
    }
  }

  @Test(arguments: try Recordings.names())
  func `a tray and a medium of a printer that does not say what is loaded`(_ name: String) throws {
    let printer = try Recordings.printer(name)
    guard !printer.reportsReady, let (_, document) = Recordings.jobs.first else { return }
    for tray in printer.sources {
      var request = PrintRequest()
      request.tray = tray
      let paper = try negotiate(request, document: document, with: printer, region: .a4).paper
      #expect(paper.source == tray || tray == "auto", "\(tray): \(paper)")
    }
    for type in printer.mediaTypes {
      var request = PrintRequest()
      request.mediaType = type
      let paper = try negotiate(request, document: document, with: printer, region: .a4).paper
      #expect(paper.type == type, "\(type): \(paper)")
    }
  }

  /// Checks that rolls are rolls, trays are shared, requested types are loaded, and the default is preferred to a
  /// guess.
  private func checkPaper(_ plan: Plan) {
    let (paper, printer, label) = (plan.ticket.paper, plan.printer, plan.label)
    let column = AttributeSet(paper.column)
    let isDieCut =
      ["gap", "mark", "web"].contains(column.string("media-tracking"))
      && !paper.name.hasPrefix("roll_max_")
    #expect(!paper.isRoll || !isDieCut, "\(label): die-cut labels as a roll")
    if paper.isRoll {
      #expect(paper.cuts?.contains(paper.size.length) == true, label)
      let width = plan.document.pages[0].size.media.width
      let narrower = printer.ready.filter {
        $0.isRoll && $0.type == paper.type && width <= $0.size.width + MediaSize.near
          && $0.size.width < paper.size.width
      }
      if plan.document.image == nil, !plan.document.reflows {
        #expect(narrower.isEmpty, "\(label): a wider roll than needed")
      }
    } else {
      let loaded = printer.ready.filter { $0.size == paper.size && $0.isReady }
      #expect(!paper.isReady || !loaded.isEmpty, "\(label): of a size that is not loaded")
    }
    let trays = printer.ready.filter {
      $0.isReady && $0.size == paper.size && $0.type == paper.type && $0.margins == paper.margins
        && $0.source != "auto" && $0.stock == paper.stock
    }.compactMap(\.source)
    if paper.isReady, !paper.isRoll, Set(trays).count > 1, printer.sources.contains("auto") {
      #expect(paper.source == "auto", "\(label): one tray of \(trays)")
      #expect(column.string("media-source") == "auto", label)
    }
    if plan.request.type == .envelope, paper.isReady { #expect(paper.isEnvelope, label) }
    if plan.request.type == .postcard {
      let isCard = !paper.isLabel && paper.isPostcard || paper.isPhotoSized || paper.isRoll
      #expect(isCard, "\(label): on \(paper.title)")
      #expect(paper.isReady || !paper.name.hasPrefix("jpn_oufuku"), "\(label): on a reply card")
    }
    if plan.request.type == .largeFormat, paper.isReady { #expect(paper.isLarge, label) }
    let knowsPhotos =
      printer.mediaTypes.contains(where: Paper.isPhotographic) || printer.sources.contains("photo")
      || printer.possible.contains(where: \.isPhotographic)
    if plan.ticket.type == .photo, !paper.isReady, !knowsPhotos, let usual = printer.defaultPaper {
      #expect(paper.size == usual.size, "\(label): a guess instead of the default")
    }
    // 4x6 and 10x15 replace each other before a larger size is guessed.
    let photos = [Region.a4.photo, Region.letter.photo]
    func isPhoto(_ size: MediaSize) -> Bool {
      photos.contains { size.matches($0, within: MediaSize.near) }
    }
    if plan.ticket.type == .photo, !paper.isReady, knowsPhotos, plan.document.image != nil,
      printer.possible.contains(where: { isPhoto($0.size) }), !isLoadedForPhotos(printer)
    {
      #expect(isPhoto(paper.size), "\(label): \(paper.title) is guessed")
    }
  }

  /// Returns true if the default medium is for photos, which takes precedence over a guess.
  private func isLoadedForPhotos(_ printer: Capabilities) -> Bool {
    printer.defaultPaper.map { $0.isPhotographic || $0.isPhotoSized } ?? false
  }

  /// Checks margins, plain paper, and that A4 and Letter replace each other.
  private func checkDocuments(_ plan: Plan) {
    if plan.request.type == nil, plan.document.guessedType == .document, plan.document.image == nil,
      plan.ticket.type == .photo, plan.ticket.paper.isReady
    {
      #expect(plan.ticket.warnings.contains { $0.contains("photo paper") }, plan.label)
    }
    guard plan.ticket.type == .document, plan.ticket.paper.isReady else { return }
    let (paper, ready, label) = (plan.ticket.paper, plan.printer.ready, plan.label)
    if paper.isBorderless {
      #expect(
        !ready.contains { !$0.isBorderless && $0.isTwin(of: paper) },
        "\(label): borderless although the tray has margins")
    }
    let page = plan.document.pages[0].size.media
    let plain = ready.filter {
      !$0.isPhotographic && !$0.isEnvelope && !$0.isLabel && !$0.isRoll && !$0.isSpecial
        // A card is no substitute for a page.
        && (plan.document.reflows || plan.document.image != nil
          || min($0.size.width / page.width, $0.size.length / page.length) > 0.9)
    }
    let isMadeForIt =
      paper.isPhotoSized
      && [plan.document.pages[0].size.media, plan.document.pages[0].size.rotated.media]
        .contains { paper.size.matches($0, within: MediaSize.close) }
    if !plain.isEmpty, !isMadeForIt {
      #expect(!paper.isPhotographic, "\(label): on photo paper")
      #expect(!paper.isSpecial && !paper.isEnvelope, "\(label): on special stock")
    }
    if paper.isSpecial { #expect(!plan.ticket.warnings.isEmpty, "\(label): no word") }
    if paper.isPhotographic, !isMadeForIt {
      #expect(plan.ticket.warnings.contains { $0.contains("photo paper") }, label)
    }
    if !plan.document.reflows, plan.document.image == nil, plan.request.type != .photo {
      checkNearest(paper, plain, page: plan.document.pages[0].size.media, label)
    }
    let isOffice = plan.document.pages[0].size.media.isOfficeSheet
    if isOffice, plain.contains(where: \.size.isOfficeSheet) {
      #expect(paper.size.isOfficeSheet, "\(label): on \(paper.title)")
    }
  }

  /// Checks that an A4 page does not go on A3 if F4 or Legal is loaded: no sheet that holds the page is much smaller
  /// than the chosen one.
  private func checkNearest(_ paper: Paper, _ plain: [Paper], page: MediaSize, _ label: Comment) {
    func area(_ size: MediaSize) -> Double { Double(size.width.count) * Double(size.length.count) }
    let holding = plain.filter {
      let (size, slack) = ($0.size, MediaSize.close)
      return size.width + slack >= page.width && size.length + slack >= page.length
        || size.width + slack >= page.length && size.length + slack >= page.width
    }
    let least = holding.map { area($0.size) }.min() ?? .infinity
    #expect(
      paper.isRoll || paper.size.isOfficeSheet || area(paper.size) <= max(least * 1.01, area(page)),
      "\(label): on \(paper.title) beside \(holding.map(\.title))")
  }

  /// Checks that every loss is reported.
  private func checkScaling(_ plan: Plan) {
    let (ticket, label) = (plan.ticket, plan.label)
    guard !plan.document.reflows else { return }
    let layout = SheetLayout(ticket)
    let sizes = ticket.pages.map { plan.document.pages[$0].size }
    let lost = sizes.map { layout.lost(of: $0) }.max() ?? 0
    let scale = sizes.map { layout.scale(of: $0) }.min() ?? 1
    #expect(ticket.scaling != .fill || plan.document.image != nil, "\(label): a page is cropped")
    #expect(ticket.scaling != .fill || lost <= 0.17, "\(label): \(lost) is cropped")
    // Rounding a size can differ by half a millimeter; a label may have ink up to its edge.
    let most = [.label, .receipt].contains(ticket.type) ? 0.02 : 0.06
    #expect(ticket.scaling == .fill || lost < most, "\(label): \(lost) is beyond the edge")
    checkPlaces(plan, layout)
    let isShrunk = scale < 0.59 && plan.document.image == nil
    if lost >= 0.01 && ticket.scaling == .fill || isShrunk {
      #expect(!ticket.warnings.isEmpty, "\(label): lost \(lost), scale \(scale), no word")
      var strict = plan.request
      strict.strict = true
      #expect(throws: Failure.self, label) {
        try negotiate(
          strict, document: plan.document, with: plan.printer, region: .a4)
      }
    }
    if abs(scale - 1) < 0.001 {
      #expect(!ticket.reasons.contains { $0.contains("scaled") }, "\(label): \(ticket.reasons)")
    }
  }

  /// Checks that every page is on its sheet, and along a roll if it would be smaller across it.
  private func checkPlaces(_ plan: Plan, _ layout: SheetLayout) {
    let (ticket, label) = (plan.ticket, plan.label)
    let sheet = ticket.paper.paperRect
    for index in ticket.pages {
      let page = plan.document.pages[index].size
      let placed = layout.place(index, of: plan.document).transform.apply(
        Rectangle(x: 0, y: 0, width: page.width, height: page.height))
      if ticket.scaling != .fill {
        let slack = MediaSize.close.points
        #expect(placed.x > -slack && placed.y > -slack, "\(label): \(placed)")
        #expect(placed.x + placed.width < sheet.width + slack, "\(label): \(placed)")
        let isWithin = placed.y + placed.height < sheet.height + slack
        #expect(ticket.paper.isRoll || isWithin, "\(label): \(placed)")
      }
      if ticket.paper.isRoll, ![.receipt, .roll].contains(ticket.type), page.isLandscape {
        let isAcross = !layout.isTurned(page)
        let isWhole = layout.scale(of: page) > 0.97 || ticket.largestScale != nil
        #expect(!isAcross || isWhole, "\(label): across the roll")
      }
    }
  }

  /// Checks that only attributes that the printer lists are sent.
  private func checkSending(_ plan: Plan) {
    let (ticket, printer, label) = (plan.ticket, plan.printer, plan.label)
    #expect(printer.formats.contains(ticket.format), label)
    if ticket.format == DocumentFormat.urf {
      #expect(printer.urf?.resolutions.contains(ticket.resolution) == true, label)
    }
    let attributes = AttributeSet(ticket.attributes)
    #expect(attributes["media"] == nil || attributes["media-col"] == nil, label)
    let members = attributes.collections("media-col").first?.all.map(\.name) ?? []
    let isSized = members.contains("media-size") || members.contains("media-size-name")
    #expect(members.isEmpty || isSized, "\(label): media-col without a size")
    #expect(Set(members).count == members.count, "\(label): \(members)")
    if !printer.mediaColumnMembers.isEmpty {
      #expect(Set(members).isSubset(of: printer.mediaColumnMembers), "\(label): \(members)")
    }
  }
}

/// Printers may answer anything: the result is a plan or a message, never a crash.
@Suite struct BadAnswerTests {
  enum Damage: CaseIterable {
    case noValues, doubled, zeros, negative, huge, wrongTags, emptyCollections, halved
  }

  @Test(arguments: try Recordings.names(), Damage.allCases)
  func `a damaged answer gives a plan or a sentence`(_ name: String, _ damage: Damage) throws {
    let attributes = try Recordings.attributes(name)
    let printer = Capabilities(reading: AttributeSet(BadAnswerTests.damaged(attributes, damage)))
    for document in [Sample.a4.info, Sample.photo.info, Sample.receipt80.info, Sample.text.info] {
      for type in [nil, JobType.photo, .label, .envelope, .receipt] {
        var request = PrintRequest()
        request.type = type
        do {
          let ticket = try negotiate(request, document: document, with: printer, region: .a4)
          #expect(ticket.paper.size.width > 0 && ticket.paper.size.length > 0)
          #expect(ticket.paper.printableRect.width > 0 && ticket.paper.printableRect.height > 0)
        } catch {
          #expect([.usage, .refused, .notNow].contains(error.code), "\(error)")
          #expect(error.message.hasSuffix("."), "\(error.message)")
        }
      }
    }
  }

  private static func damaged(_ attributes: [Attribute], _ damage: Damage) -> [Attribute] {
    switch damage {
    case .halved: attributes.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    case .doubled:
      (attributes + attributes).map { Attribute($0.name, $0.values + $0.values) }
    case .noValues:
      // The formats stay, or nothing could be sent.
      attributes.map { $0.name.hasPrefix("document-format") ? $0 : Attribute($0.name, .none) }
    default:
      attributes.map { attribute in
        attribute.name.hasPrefix("document-format")
          ? attribute
          : Attribute(attribute.name, attribute.values.map { damaged($0, damage) })
      }
    }
  }

  private static func damaged(
    _ value: Attribute.Value, _ damage: Damage
  ) -> Attribute.Value {
    switch (value, damage) {
    case (.collection, .emptyCollections): .collection([])
    case (.collection(let members), _): .collection(damaged(members, damage))
    case (.integer, .zeros), (.enumeration, .zeros): .integer(0)
    case (.range, .zeros): .range(0...0)
    case (.resolution, .zeros): .resolution(Resolution(x: 0, y: 0))
    case (.integer(let number), .negative): .integer(-number)
    case (.range(let span), .negative): .range(-max(1, span.upperBound)...0)
    case (.integer, .huge): .integer(Int(Int32.max))
    case (.range, .huge): .range(Int(Int32.min)...Int(Int32.max))
    case (.integer(let number), .wrongTags): .keyword("\(number)")
    case (.string, .wrongTags): .integer(7)
    case (.range, .wrongTags): .boolean(true)
    case (.resolution, .wrongTags): .keyword("")
    default: value
    }
  }
}
