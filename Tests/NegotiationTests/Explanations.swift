import Negotiation
import PrintModel
import PrintOptions

/// The words of a ticket about what was requested: every option is granted, or its replacement is explained, and nothing
/// that is said contradicts the ticket.
struct Explanations {
  var request: PrintRequest
  var ticket: Ticket
  var document: DocumentInfo

  /// Returns what is missing or wrong.
  func faults() -> [String] {
    let silent = PrintOption.allCases.filter { option in
      request.given.contains(option.rawValue) && !isGranted(option) && !isExplained(option)
    }
    return silent.map { "--\($0.rawValue) is neither granted nor explained" } + contradictions
      + untruths
  }

  /// A typed option needs a warning if it is replaced, and is never replaced with `--strict`; a setting needs a reason.
  private func isExplained(_ option: PrintOption) -> Bool {
    let name = option.rawValue
    if request.isTyped(name) {
      return !request.strict && ticket.warnings.contains { $0.contains("-\(name)") }
    }
    // A preset comes before settings, and names those that it replaces.
    return ticket.reasons.contains {
      $0.prefix { $0 != ":" }.split(separator: " ").contains { $0 == name }
        || $0.hasPrefix("preset: ") && $0.contains(name)
    }
  }

  private func isGranted(_ option: PrintOption) -> Bool {
    if ticket.isRaw { return true }
    let ticket = ticket
    return switch option {
    case .copies: ticket.copies == request.copies
    case .color: (request.color == .gray) == (ticket.color == .gray)
    case .quality: ticket.quality == request.quality
    case .resolution: ticket.resolution == request.resolution
    case .sides: isGranted(sides: request.sides)
    case .scaling:
      ticket.scaling == request.scaling || request.scaling == .auto || ticket.poster != nil
    case .paper: request.paper.contains(where: isGranted(paper:))
    case .tray: isIn(tray: request.tray, ticket.paper) || hasOnlyFirstPage
    case .firstPageTray:
      request.force || isIn(tray: request.firstPageTray, ticket.firstPaper ?? ticket.paper)
    case .mediaType: letters(ticket.paper.type) == letters(request.mediaType)
    case .borderless: ticket.paper.isBorderless == request.borderless
    case .format: request.format.mediaType.map { $0 == ticket.format } ?? true
    case .numberUp: ticket.numberUp == (ticket.isBooklet ? 2 : request.numberUp)
    case .poster: ticket.poster == request.poster
    case .rotate: ticket.rotation == request.rotation
    case .orientation: ticket.orientation == request.orientation
    case .position: ticket.isAtTop == (request.position == .top)
    case .pageBorder: ticket.pageBorder == request.pageBorder
    case .margins: ticket.margins == request.margins
    case .header: ticket.header == request.header
    case .footer: ticket.footer == request.footer
    case .booklet: ticket.isBooklet == request.isBooklet
    case .outputOrder: ticket.isReversed == request.isReversed
    case .darkness, .speed, .labelMode, .tearOffset, .topOffset, .mediaTracking, .outputBin,
      .account, .accountType, .accountUser:
      request.attributes[option.rawValue].map { isSent($0) } ?? true
    case .title: ticket.title == request.title
    case .user: ticket.user == request.user
    // Words of pages and files; cuts and presets have tests of their own.
    default: true
    }
  }

  private func isGranted(sides: PrintRequest.SidesOption?) -> Bool {
    switch sides {
    case .one: ticket.sides == .oneSided
    // One page has one side.
    case .long: ticket.sides == .longEdge || ticket.sidesOfPages <= 1
    case .short: ticket.sides == .shortEdge || ticket.sidesOfPages <= 1
    case .auto, nil: true
    }
  }

  /// True where the tray of the first page is that of the only one.
  private var hasOnlyFirstPage: Bool {
    request.firstPageTray != nil && ticket.pages.count == 1
      && isIn(tray: request.firstPageTray, ticket.paper)
  }

  private func isGranted(paper: MediaSelector) -> Bool {
    // A cut of another length is asked for by --cut-length.
    paper.matches(ticket.paper) || paper.isSamePhoto(as: ticket.paper)
      || ticket.paper.isRoll && request.cutLength != .auto
  }

  private func isIn(tray: String?, _ paper: Paper) -> Bool {
    tray == "auto" || letters(paper.source)?.hasSuffix(letters(tray) ?? "") == true
  }

  private func letters(_ word: String?) -> String? {
    word.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
  }

  private func isSent(_ wish: Attribute) -> Bool {
    let members = ticket.attributes.first { $0.name == "media-col" }?.values.first?.members ?? []
    let sent = (ticket.attributes + members).first { $0.name == wish.name }
    return sent.map {
      wish.name == "print-darkness" || $0.values.map(\.words) == wish.values.map(\.words)
    }
      ?? false
  }

  /// Reasons that say something else than the ticket, or two things.
  private var contradictions: [String] {
    let sides = [
      "one-sided": Sides.oneSided, "two-sided, long": .longEdge, "two-sided, short": .shortEdge,
    ]
    let facts: [(subject: String, isTrue: (String) -> Bool)] = [
      ("quality", { $0.contains(ticket.quality.keyword) }),
      ("resolution", { $0.contains(ticket.resolution.description) }),
      ("copies", { $0.hasPrefix("\(ticket.copies),") || $0.hasPrefix("left out") }),
      ("rotate", { $0.hasPrefix("\(ticket.rotation.rawValue)") }),
      (
        "sides",
        { words in
          sides.allSatisfy {
            !words.prefix { $0 != ";" }.hasPrefix($0.key) || $0.value == ticket.sides
          }
        }
      ),
    ]
    return facts.flatMap { subject, isTrue -> [String] in
      let said = ticket.reasons.filter { $0.hasPrefix("\(subject): ") }
        .map { String($0.dropFirst(subject.count + 2)) }
      return said.filter { !isTrue($0) }.map { "it says \(subject): \($0)" }
        + (said.count > 1 ? ["\(subject) is said twice: \(said)"] : [])
    }
  }

  /// Reasons that say that something was requested, or set, which was not.
  private var untruths: [String] {
    ticket.reasons.filter { reason in
      guard let option = PrintOption(rawValue: String(reason.prefix { $0 != ":" })) else {
        return false
      }
      let name = option.rawValue
      // What is typed for it is no wish, and is said all the same.
      let isAuto =
        reason == "\(name): auto, as requested" || option == .color && request.color == .auto
      return reason.hasSuffix(", as requested") && !request.isTyped(name) && !isAuto
        || reason.hasSuffix(", from config.toml") && request.fromSettings[name] == nil
    }.map { "it says \($0)" }
  }
}
