import Capability
import FoundationEssentials
import PrintModel
import PrintOptions
import Testing

@testable import Negotiation

/// Values that a printer does not combine, and what ends it: job-constraints-supported and job-resolvers-supported (PWG
/// 5100.13-2023).
@Suite struct ConstraintSolverTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var constraints: String
    var resolvers = ""
    var supported = ""
    var job: String
    /// Who chose a value, for all but guesses.
    var firm: [String: ConstraintSolver.Firmness] = [:]
    /// The attributes that are replaced, in this order; nil for a conflict that remains.
    var steps: String?
  }

  private static let transparency = """
    { MEMBER name resolver-name A MEMBER keyword sides two-sided-long-edge,two-sided-short-edge
      MEMBER collection media-col { MEMBER keyword media-type transparency } }
    """
  private static let oneSidedOrPlain = """
    { MEMBER name resolver-name A MEMBER keyword sides one-sided
      MEMBER collection media-col { MEMBER keyword media-type stationery } }
    """
  private static let onTransparency = """
    ATTR keyword sides two-sided-short-edge
    ATTR collection media-col { MEMBER name media-type transparency }
    """
  private static let borderless = """
    { MEMBER name resolver-name F MEMBER integer media-top-margin 0 MEMBER integer media-left-margin 0
      MEMBER keyword media iso_a4_210x297mm }
    """
  private static let a4WithoutMargins = """
    ATTR collection media-col { MEMBER collection media-size { MEMBER integer x-dimension 21000
      MEMBER integer y-dimension 29700 } MEMBER integer media-top-margin 0
      MEMBER integer media-left-margin 0 }
    """

  static let examples = [
    Example(
      testDescription: "the standard's own: two sides on a transparency",
      constraints: transparency, resolvers: oneSidedOrPlain, job: onTransparency,
      firm: ["media-type": .medium], steps: "sides=one-sided"),
    Example(
      testDescription: "nothing is in conflict", constraints: transparency,
      job: "ATTR keyword sides two-sided-short-edge", steps: ""),
    Example(
      testDescription: "typed sides stay", constraints: transparency, resolvers: oneSidedOrPlain,
      job: onTransparency, firm: ["media-type": .medium, "sides": .typed], steps: nil),
    Example(
      testDescription: "a guess gives way to a setting",
      constraints: "{ MEMBER enum print-quality 5 MEMBER keyword print-color-mode color,auto }",
      supported: "ATTR keyword print-color-mode-supported auto,color,monochrome "
        + "ATTR enum print-quality-supported 3,4,5",
      job: "ATTR enum print-quality 5 ATTR keyword print-color-mode auto",
      firm: ["print-quality": .setting], steps: "print-color-mode=monochrome"),
    Example(
      testDescription: "the nearest value without a resolver",
      constraints: "{ MEMBER enum print-quality 5 MEMBER keyword sides one-sided }",
      supported: "ATTR enum print-quality-supported 3,4,5",
      job: "ATTR enum print-quality 5 ATTR keyword sides one-sided",
      firm: ["sides": .typed], steps: "print-quality=4"),
    Example(
      testDescription: "a medium by its name is the one of its size, and margins go together",
      constraints: borderless,
      resolvers: "{ MEMBER name resolver-name F MEMBER integer media-top-margin 296 "
        + "MEMBER integer media-left-margin 300 }",
      job: a4WithoutMargins, firm: ["media-size": .medium],
      steps: "media-top-margin=296 media-left-margin=300"),
    Example(
      testDescription: "borderless without a resolver: the narrowest margins",
      constraints: borderless,
      supported: "ATTR integer media-top-margin-supported 0,423,300 "
        + "ATTR integer media-left-margin-supported 0,423",
      job: a4WithoutMargins, firm: ["media-size": .medium],
      steps: "media-top-margin=300 media-left-margin=423"),
    Example(
      testDescription: "two at once",
      constraints: transparency + ",{ MEMBER enum print-quality 5 MEMBER collection media-col { "
        + "MEMBER keyword media-type transparency } }",
      resolvers: oneSidedOrPlain, supported: "ATTR enum print-quality-supported 4,5",
      job: onTransparency + " ATTR enum print-quality 5", firm: ["media-type": .medium],
      steps: "sides=one-sided print-quality=4"),
    Example(
      testDescription: "a resolver that leads into another conflict",
      constraints: "{ MEMBER name resolver-name A MEMBER enum print-quality 5 "
        + "MEMBER keyword output-bin tray-1 },{ MEMBER name resolver-name B "
        + "MEMBER enum print-quality 4 MEMBER keyword sides one-sided }",
      resolvers: "{ MEMBER name resolver-name A MEMBER enum print-quality 4 },"
        + "{ MEMBER name resolver-name B MEMBER enum print-quality 3 }",
      job: "ATTR enum print-quality 5 ATTR keyword output-bin tray-1 ATTR keyword sides one-sided",
      firm: ["output-bin": .typed, "sides": .typed], steps: "print-quality=4 print-quality=3"),
    Example(
      testDescription: "resolvers that lead in a circle",
      constraints: "{ MEMBER name resolver-name A MEMBER enum print-quality 5 "
        + "MEMBER keyword sides one-sided },{ MEMBER name resolver-name B "
        + "MEMBER enum print-quality 4 MEMBER keyword sides one-sided }",
      resolvers: "{ MEMBER name resolver-name A MEMBER enum print-quality 4 },"
        + "{ MEMBER name resolver-name B MEMBER enum print-quality 5 }",
      job: "ATTR enum print-quality 5 ATTR keyword sides one-sided", firm: ["sides": .typed],
      steps: nil),
    Example(
      testDescription: "beside the range of a constraint",
      constraints: "{ MEMBER rangeOfInteger copies 5-99 MEMBER keyword sides one-sided }",
      supported: "ATTR rangeOfInteger copies-supported 1-99",
      job: "ATTR integer copies 7 ATTR keyword sides one-sided",
      firm: ["copies": .setting, "sides": .typed], steps: "copies=4"),
    Example(
      testDescription: "one of several finishings is left out",
      constraints: "{ MEMBER enum finishings 20,21 MEMBER keyword sides one-sided }",
      job: "ATTR enum finishings 20,74 ATTR keyword sides one-sided",
      firm: ["finishings": .setting, "sides": .typed], steps: "finishings=74"),
  ]

  @Test(arguments: examples) func `what gives way`(_ example: Example) throws {
    var text =
      "ATTR collection job-constraints-supported \(example.constraints) \(example.supported)"
    if !example.resolvers.isEmpty {
      text += " ATTR collection job-resolvers-supported \(example.resolvers)"
    }
    let printer = AttributeSet(try AttributeFile.attributes(of: text))
    let constraints = JobConstraint.list(in: printer)
    let solver = ConstraintSolver(
      constraints: constraints, resolvers: JobConstraint.resolvers(in: printer),
      firmness: { example.firm[$0] ?? .guess },
      supported: { printer.values("\($0)-supported") }, accepts: { _ in true })
    let job = try AttributeFile.attributes(of: example.job)
    switch solver.solve(job) {
    case .conflict(let constraint):
      #expect(example.steps == nil && constraints.contains(constraint))
    case .steps(let steps):
      let words = steps.flatMap(\.attributes).map { "\($0.name)=\(Self.word($0.values))" }
      #expect(words.joined(separator: " ") == example.steps)
      let solved = steps.flatMap(\.attributes).reduce(job) { $0.replacing($1) }
      #expect(!constraints.contains { $0.conflicts(with: solved.leaves) })
      // Nothing but the replaced values differs, and media-col keeps its members.
      #expect(Set(solved.leaves.map(\.name)) == Set(job.leaves.map(\.name)))
    }
  }

  private static func word(_ values: [Attribute.Value]) -> String {
    values.map { $0.string ?? $0.number.map { "\($0)" } ?? "?" }.joined(separator: ",")
  }

  @Test func `a printer's list is bounded`() {
    let many = (0..<5_000).map { Attribute.Value.keyword("k\($0)") }
    let entry = Attribute.Value.collection([Attribute("sides", many)])
    let small = Attribute.Value.collection([Attribute("sides", .keyword("one-sided"))])
    func count(_ values: [Attribute.Value]) -> Int {
      JobConstraint.list(in: AttributeSet([Attribute("job-constraints-supported", values)])).count
    }
    #expect(count([small, entry, small]) == 1)
    #expect(count(Array(repeating: small, count: 1_000)) == 200)
    #expect(count([.collection([]), .keyword("x"), .none]) == 0)
  }
}

/// Plans on a printer that lists conflicts.
@Suite struct ConstraintTests {
  /// No two sides of stationery and none of A5, no best quality in color, and no trays on top for two sides.
  private static let constraints = """
    ATTR collection job-constraints-supported
      { MEMBER name resolver-name A MEMBER keyword sides two-sided-long-edge,two-sided-short-edge
        MEMBER keyword media-type stationery },
      { MEMBER enum print-quality 5 MEMBER keyword print-color-mode color,auto },
      { MEMBER keyword output-bin face-up MEMBER keyword print-color-mode color,auto }
    ATTR collection job-resolvers-supported { MEMBER name resolver-name A MEMBER keyword sides one-sided }
    """

  private func plan(
    _ options: [(PrintOption, String)], settings: [PrintOption: String] = [:],
    force: Bool = false, strict: Bool = false, constraints: String = Self.constraints
  ) throws -> Ticket {
    let file = "\(Samples.folder)/office-laser.conf"
    let text = String(
      decoding: try #require(FileManager.default.contents(atPath: file)), as: UTF8.self)
    let printer = Capabilities(
      reading: AttributeSet(try AttributeFile.attributes(of: text + "\n" + constraints))
    )
    var request = PrintRequest()
    for (option, value) in settings {
      try option.apply(value, to: &request)
      request.fromSettings[option.rawValue] = "config.toml"
    }
    for (option, value) in options { try option.apply(value, to: &request) }
    request.force = force
    request.strict = strict
    let ticket = try negotiate(
      request, document: Sample.threePages.info, with: printer, region: .a4)
    if !force, constraints == Self.constraints {
      #expect(!printer.constraints.contains { $0.conflicts(with: ticket.attributes.leaves) })
    }
    return ticket
  }

  private static let why =
    "Example Office Laser 4000 can't combine two-sided-long-edge with stationery"

  @Test func `a guess gives way, with its reason`() throws {
    let ticket = try plan([])
    #expect(ticket.sides == .oneSided && ticket.warnings.isEmpty)
    #expect(ticket.reasons.contains("sides: one-sided, \(Self.why)"), "\(ticket.reasons)")
    #expect(AttributeSet(ticket.attributes).string("sides") == "one-sided")
  }

  @Test func `a setting gives way, and is refused with --strict`() throws {
    #expect(try plan([], settings: [.sides: "long"]).sides == .oneSided)
    let failure = #expect(throws: Failure.self) {
      try plan([], settings: [.sides: "long"], strict: true)
    }
    #expect(
      failure?.reason == .notSupported && failure?.message == "--sides with --strict: \(Self.why).")
  }

  @Test func `a typed value stays, and the other one gives way`() throws {
    let gray = try plan([(.quality, "high")])
    #expect(gray.quality == .high && gray.color == .gray, "\(gray.reasons)")
    #expect(AttributeSet(gray.attributes).string("print-color-mode") == "monochrome")
    let normal = try plan([(.color, "color")], settings: [.quality: "high"])
    #expect(normal.quality == .normal && normal.color == .color, "\(normal.reasons)")
    let top = try plan([(.option, "output-bin=face-up")])
    #expect(top.color == .gray, "\(top.reasons)")
  }

  @Test func `64: typed values that exclude each other`() throws {
    let failure = #expect(throws: Failure.self) {
      try plan([(.sides, "long"), (.mediaType, "stationery")])
    }
    #expect(failure?.code == .usage)
    #expect(
      failure?.message
        == "--sides and --media-type: \(Self.why). Change one of them, or use --force "
        + "to send it all the same.")
    let bin = #expect(throws: Failure.self) {
      try plan([(.option, "output-bin=face-up"), (.color, "color")])
    }
    #expect(
      bin?.message.hasPrefix("--color and --output-bin: ") == true
        || bin?.message.hasPrefix("--output-bin and --color: ") == true, "\(bin?.message ?? "")")
  }

  /// Letterhead is loaded, but not for just any page, and A3 is no paper for A4.
  @Test func `64: a typed value that no suitable paper has`() throws {
    let failure = #expect(throws: Failure.self) { try plan([(.sides, "long")]) }
    #expect(failure?.code == .usage && failure?.message.hasPrefix("--sides: \(Self.why)") == true)
    let head = try plan([(.sides, "long"), (.tray, "by-pass-tray")])
    #expect(head.sides == .longEdge && head.paper.type == "stationery-letterhead")
  }

  @Test func `of several papers that were typed, one without a conflict`() throws {
    let constraints = """
      ATTR collection job-constraints-supported { MEMBER enum finishings 4 MEMBER collection media-col {
        MEMBER collection media-size { MEMBER integer x-dimension 29700 MEMBER integer y-dimension 42000 } } }
      """
    let ticket = try plan(
      [(.paper, "A3,A4"), (.option, "finishings=staple")], constraints: constraints)
    #expect(ticket.paper.name == "iso_a4_210x297mm", "\(ticket.reasons)")
    let failure = #expect(throws: Failure.self) {
      try plan([(.paper, "A3"), (.option, "finishings=staple")], constraints: constraints)
    }
    #expect(
      failure?.message.hasPrefix("--staple and --paper: ") == true, "\(failure?.message ?? "")")
  }

  @Test func `what was typed is sent with --force, with a warning`() throws {
    let ticket = try plan([(.sides, "long"), (.quality, "high")], force: true)
    #expect(ticket.sides == .longEdge && ticket.color == .gray)
    #expect(ticket.warnings == ["--sides: \(Self.why); sent all the same (--force)."])
  }

  /// Only gray, and none of it: nothing that the printer lists is free of the conflict.
  @Test func `an entry that nothing can satisfy is told in the plan, and the job is sent`() throws {
    let every =
      "ATTR collection job-constraints-supported"
      + " { MEMBER keyword print-color-mode monochrome,color,auto,auto-monochrome,process-monochrome,bi-level }"
    let ticket = try plan([], constraints: every)
    #expect(
      ticket.reasons.contains { $0.hasPrefix("constraint: Example Office Laser 4000 can't") },
      "\(ticket.reasons)")
    #expect(ticket.warnings.isEmpty)
  }
}
