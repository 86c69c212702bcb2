internal import PrintModel
internal import PrintOptions

/// Values that replace those with which the printer does not print the rest of the job.
struct Replacements {
  /// Of attributes that decide how pages are drawn, with their reasons.
  var options: [PrintOption: (attributes: [Attribute], reason: String)] = [:]
  /// Of all others, as they are sent, each with its reason.
  var attributes: [String: (attribute: Attribute, reason: String)] = [:]
  /// Values of drawn options that were chosen once: if pages can't have one after all, the conflict is back.
  var tried: Set<Attribute> = []

  /// Options whose values are those of an attribute, and in the pages.
  static let drawn: Set<PrintOption> = [.sides, .color, .quality, .resolution, .borderless]
}

extension Negotiator {
  var solver: ConstraintSolver {
    ConstraintSolver(
      constraints: capabilities.constraints, resolvers: capabilities.resolvers,
      firmness: firmness,
      supported: { name in
        let listed = capabilities.attributes.values("\(name)-supported")
        let usual = capabilities.attributes.values("\(name)-default")
        return usual.filter(listed.contains) + listed.filter { !usual.contains($0) }
      },
      accepts: { attribute in
        guard let option = PrintOption(attribute: attribute.name),
          Replacements.drawn.contains(option)
        else { return true }
        guard !replacements.tried.contains(attribute) else { return false }
        var scratch = request
        return (try? option.apply([attribute], to: &scratch)) != nil
      })
  }

  /// The attributes of `-o` for which one of another name is sent.
  static let namesakes = [
    "job-hold-until-time": "job-hold-until", "finishings-col": "finishings",
  ]

  /// Options that decide about an attribute, besides the one that stands for it.
  private static let others: [String: PrintOption] = [
    "overrides": .firstPageTray, "orientation-requested": .rotate, "page-ranges": .pageSet,
  ]

  /// Returns the option that decides about an attribute, or about a member of media-col; of two, the one that is given.
  private func option(for name: String) -> PrintOption? {
    let options = [PrintOption(attribute: name), Self.others[name]].compactMap(\.self)
    return options.first { request.given.contains($0.rawValue) } ?? options.first
  }

  /// Returns what is typed for an attribute, without its value.
  fileprivate func typed(_ name: String) -> String {
    if let option = option(for: name) { return "--\(option.rawValue)" }
    let name = Self.namesakes[name] ?? name
    return request.options.last { $0.name == name }?.typed ?? "-o \(name)"
  }

  /// Returns who chose the value of an attribute, or of a member of media-col.
  func firmness(of name: String) -> ConstraintSolver.Firmness {
    let option = option(for: name)
    if let option, replacements.options[option] != nil { return .guess }
    let isMedium = name.hasPrefix("media-") && option != .borderless
    let isGiven =
      request.options.contains {
        $0.name == Self.namesakes[name] ?? name || $0.name.hasPrefix("\(name).")
      }
      || request.isUncollated && name == uncollated?.name
      || option.map { request.given.contains($0.rawValue) || $0 == .sides && request.isBooklet }
        == true
    guard isGiven else {
      return isMedium ? .medium : preset.rest.contains { $0.name == name } ? .setting : .guess
    }
    if request.fromSettings[(option ?? .option).rawValue] != nil {
      return isMedium ? .medium : .setting
    }
    // Of several papers, any will do.
    return option == .paper && request.paper.count > 1 ? .medium : .typed
  }

  /// Returns the negotiation with the replacements of these steps; exit 64 with `--strict` for a setting.
  func replacing(_ steps: [ConstraintSolver.Step]) throws(Failure) -> Negotiator {
    var other = self
    for step in steps {
      let conflict = Conflict(step.causes, of: self)
      for attribute in step.attributes {
        let option = PrintOption(attribute: attribute.name)
        if request.strict, firmness(of: attribute.name) == .setting {
          throw .notSupported("\(typed(attribute.name)) with --strict: \(conflict.words).")
        }
        if let option, Replacements.drawn.contains(option) {
          other.replacements.options[option] = (step.attributes, conflict.words)
          other.replacements.tried.insert(attribute)
        } else {
          other.replacements.attributes[attribute.name] = (attribute, conflict.words)
        }
      }
    }
    // The solver chose among values that can be applied.
    for (option, value) in other.replacements.options {
      try? option.apply(value.attributes, to: &other.request)
    }
    return other
  }

  /// Returns the job with the replacements of attributes that it has.
  mutating func replaced(_ job: [Attribute]) -> [Attribute] {
    var job = job
    for (name, (attribute, reason)) in replacements.attributes.sorted(by: { $0.key < $1.key })
    where job.leaves.contains(where: { $0.name == name }) {
      job = job.replacing(attribute)
      _ = withdraw(name)
      because("\(name): \(attribute.values.map { $0.words(of: name) }.inWords()), \(reason)")
    }
    return job
  }
}

/// The way to a ticket for which the printer lists no conflict (job-constraints-supported, PWG 5100.13-2023).
///
/// What was typed stays, also on other loaded paper that holds the page; settings and then guesses give way.
struct Agreement {
  private var negotiator: Negotiator
  /// The same with the sheet that it has chosen, once for all ways to draw pages on it.
  private var placed: (sheet: Ticket, negotiator: Negotiator)?
  /// The ticket on the first choice of paper, and why it is not printed.
  private var original: (ticket: Ticket, conflict: Conflict)?
  private var warnings: [String] = []
  private var reasons: [String] = []

  init(_ negotiator: Negotiator) { self.negotiator = negotiator }

  /// Returns the ticket.
  ///
  /// Exit 64 for typed options that exclude each other; with `--force`, they are sent.
  mutating func ticket() throws(Failure) -> Ticket {
    var ticket = try attempt()
    // Every round replaces something, or leaves out paper or an entry: printers list up to three.
    rounds: for _ in 0..<20 {
      switch negotiator.solver.solve(ticket.attributes) {
      case .steps(let steps) where steps.isEmpty: break rounds
      case .steps(let steps):
        negotiator = try negotiator.replacing(steps)
        let isOfPaper = steps.contains { $0.attributes.contains(where: \.name.isMargin) }
        if isOfPaper { placed = nil }
        if let (sheet, other) = placed { placed = (sheet, try other.replacing(steps)) }
      case .conflict(let constraint):
        guard try settle(constraint, ticket) else { continue }
      }
      ticket = try attempt()
    }
    for warning in warnings { ticket.ledger.add(.note(warning)) }
    ticket.reasons += reasons
    if let original { ticket.reasons.insert(original.conflict.otherPaper, at: 0) }
    let firm = ticket.attributes.map { ($0.name, negotiator.firmness(of: $0.name)) }
    ticket.typed = Set(firm.filter { $0.1 == .typed }.map(\.0))
    ticket.asked = Set(firm.filter { $0.0 == "media" || $0.1 != .guess }.map(\.0))
    return ticket
  }

  private mutating func attempt() throws(Failure) -> Ticket {
    do {
      var attempt = placed?.negotiator ?? negotiator
      let sheet = if let placed { placed.sheet } else { try attempt.sheet() }
      placed = (sheet, attempt)
      let ticket = try attempt.ticket(on: sheet)
      guard let original, !attempt.isSubstitute(ticket.paper, for: original.ticket) else {
        return ticket
      }
    } catch  where original == nil {
      throw error
    } catch {}
    throw original?.conflict.refusal ?? Failure(.fault, "No paper was chosen.")
  }

  /// Leaves out the paper that a typed option excludes, or with `--force` the entry; true if the ticket is another then.
  private mutating func settle(
    _ constraint: JobConstraint, _ ticket: Ticket
  ) throws(Failure) -> Bool {
    let conflict = Conflict(constraint.causes(in: ticket.attributes), of: negotiator)
    if conflict.typed.isEmpty || negotiator.request.force {
      // Without anything typed, the entry contradicts the printer's other answers.
      if conflict.typed.isEmpty {
        reasons.append(conflict.contradiction)
      } else {
        warnings.append(conflict.warning)
      }
      negotiator.capabilities.constraints.removeAll { $0 == constraint }
      return false
    }
    guard conflict.hasMedium else { throw conflict.refusal }
    original = original ?? (ticket, conflict)
    var capabilities = negotiator.capabilities
    let isBad = { [negotiator] (paper: Paper) in
      negotiator.conflicts(constraint, on: paper, ticket)
    }
    capabilities.ready.removeAll(where: isBad)
    capabilities.possible.removeAll(where: isBad)
    guard !capabilities.reportsReady || !capabilities.ready.isEmpty,
      (capabilities.ready, capabilities.possible)
        != (negotiator.capabilities.ready, negotiator.capabilities.possible)
    else { throw conflict.refusal }
    (negotiator.capabilities, placed) = (capabilities, nil)
    return true
  }
}

extension Negotiator {
  /// Returns true if a ticket's job would have this conflict on other paper.
  fileprivate func conflicts(
    _ constraint: JobConstraint, on paper: Paper, _ ticket: Ticket
  ) -> Bool {
    let job = ticket.attributes.filter { !["media", "media-col"].contains($0.name) }
    return constraint.conflicts(with: (job + media(for: paper)).leaves)
  }

  /// Returns true for paper that is made for the job as much as that of the ticket, and fits its page as well, or nearly
  /// so: A4 for Letter, not A3.
  fileprivate func isSubstitute(_ paper: Paper, for ticket: Ticket) -> Bool {
    let type = ticket.type
    let page = firstPage(of: ticket.pages).media
    return request.paper.count > 1
      || rank(paper, type) <= rank(ticket.paper, type)
        && PageFit(page, on: paper) <= max(PageFit(page, on: ticket.paper), .nearSheet)
  }
}

/// Values of a job that its printer does not combine.
private struct Conflict {
  /// The typed options among them, as they are typed.
  let typed: [String]
  /// True if the medium is one of them, and was not typed.
  let hasMedium: Bool
  /// `Office can't combine two-sided-long-edge with transparency`.
  let words: String

  init(_ causes: [Attribute], of negotiator: Negotiator) {
    let firm = causes.filter { negotiator.firmness(of: $0.name) == .typed }
    typed = firm.map { negotiator.typed($0.name) }.unique
    hasMedium = causes.contains { negotiator.firmness(of: $0.name) == .medium }
    let values = causes.map { cause in
      cause.values.prefix(3).map { $0.words(of: cause.name) }.inWords()
    }.unique
    words =
      "\(negotiator.printer) can't combine \(values.inWords(joinedBy: values.count == 2 ? "with" : "and"))"
  }

  var refusal: Failure {
    let advice =
      typed.count > 1
      ? "Change one of them" : hasMedium ? "Leave it out, load other paper" : "Leave it out"
    return .notSupported(
      "\(typed.inWords()): \(words). \(advice), or use --force to send it all the same.")
  }

  var warning: String { "\(typed.inWords()): \(words); sent all the same (--force)." }
  var contradiction: String { "constraint: \(words), it says, but lists nothing else" }
  var otherPaper: String { "paper: another than usual for the page, \(words)" }
}

extension Attribute.Value {
  /// A value of the attribute `name` in a sentence.
  func words(of name: String) -> String {
    switch (name, self) {
    case ("media-size", .collection): return mediaSize.map { MediaName.title(of: $0) } ?? name
    case (_, .integer(let number)) where name.isMargin:
      return number == 0 ? "no margins" : "margins"
    case ("finishings", .enumeration(let number)): return Finishing.name(of: number)
    case ("print-quality", .enumeration(let number)):
      return Quality(rawValue: number)?.keyword ?? "\(name) \(number)"
    case (_, .string(_, let text)): return text
    case (_, .resolution(let resolution)): return resolution.description
    case (_, .integer(let number)), (_, .enumeration(let number)): return "\(name) \(number)"
    default: return name
    }
  }
}
