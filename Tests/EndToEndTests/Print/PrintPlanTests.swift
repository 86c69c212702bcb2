import TestSupport
import Testing

/// `print --dry-run`: the plan and its reasons; nothing is sent.
@Suite(.inTurn) struct PrintPlanTests {
  @Test func `a plan has every key, and nothing is sent`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF(pages: [.a4(), .a4()]).bytes, "plan.pdf")
    let outcome = try await person.airprint(
      "print", "-d", printer.uri, "--dry-run", "--json", "-n", "2", "--sides", "long", file)
    #expect(outcome.code == 0, "\(outcome.report)")
    let plan = try outcome.json
    #expect(
      plan.keys.isSuperset(of: [
        "printer", "uri", "documents", "paper", "format", "resolution", "colorMode", "quality",
        "sides", "sheetBack", "scaling", "copies", "attributes", "reasons",
      ]))
    #expect(plan.printer == .string("Office"))
    #expect(plan.uri == .string(printer.uri))
    #expect(
      plan.documents
        == .array([
          .object([
            "file": .string(file), "mediaType": .string("application/pdf"), "pages": .number(2),
          ])
        ]))
    #expect(plan.format == .string("image/urf"))
    #expect(plan.resolution == .object(["x": .number(150), "y": .number(150)]))
    #expect(plan.colorMode == .string("auto"))
    #expect(plan.quality == .string("normal"))
    #expect(plan.sides == .string("two-sided-long-edge"))
    #expect(plan.sheetBack == .string("normal"))
    #expect(plan.scaling == .string("auto"))
    #expect(plan.copies == .number(2))
    let reasons = try #require(plan.reasons?.strings)
    #expect(reasons.contains { $0.hasPrefix("paper: A4 (main) is loaded") }, "\(reasons)")
    #expect(outcome.stderr.isEmpty)
    #expect(try printer.jobs().isEmpty)
    #expect(try await person.airprint("jobs", "--json").json == .array([]))
    await printer.stop()
  }

  /// NumCopies is 2 to 5, or ignored (ISO 32000-1 §12.2).
  @Test(arguments: [(3, 3), (6, 1)])
  func `a PDF gets the sides and copies that it asks for`(_ asked: Int, _ given: Int) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let catalog = "/ViewerPreferences << /Duplex /DuplexFlipShortEdge /NumCopies \(asked) >>"
    let file = try person.document(PDF(pages: [.a4(), .a4()], catalog: catalog).bytes, "wish.pdf")
    let plan = try await person.airprint("print", "-d", printer.uri, "--dry-run", "--json", file)
    #expect(try plan.json.sides == .string("two-sided-short-edge"), "\(plan.report)")
    #expect(try plan.json.copies == .number(Double(given)))
    let typed = try await person.airprint(
      "print", "-d", printer.uri, "--dry-run", "--json", "-n", "1", "--sides", "one", file)
    #expect(try typed.json.sides == .string("one-sided") && typed.json.copies == .number(1))
    await printer.stop()
  }

  /// A Letter page on A4, with marks that A4 has no room for.
  @Test func `a PDF that asks for no scaling gets none, and what is lost is told`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let page = PDF.Page.letter([PDF.Mark(x: 5, y: 144, width: 600, height: 72)])
    let asking = PDF(pages: [page], catalog: "/ViewerPreferences << /PrintScaling /None >>")
    let cases: [(PDF, [String], String, [String])] = [
      (PDF(pages: [page]), [], "auto", []),
      (asking, [], "none", ["beyond-paper", "unprintable-margin"]),
      (asking, ["--scaling", "fit"], "fit", []),
    ]
    for (pdf, options, scaling, losses) in cases {
      let plan = try await person.airprint(
        ["print", "-d", printer.uri, "--dry-run", "--json", try person.document(pdf.bytes)]
          + options)
      #expect(try plan.json.scaling == .string(scaling), "\(plan.report)")
      let reasons = try #require(try plan.json.losses?.array).compactMap { $0.reason?.string }
      #expect(reasons.sorted() == losses, "\(plan.report)")
    }
    await printer.stop()
  }

  @Test func `the plan's attributes keep IPP's names and units`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let outcome = try await person.airprint(
      "print", "-d", printer.uri, "--dry-run", "--json", try person.document(PDF().bytes))
    let attributes = try #require(try outcome.json.attributes)
    #expect(attributes["print-quality"] == .number(4))
    #expect(attributes["print-color-mode"] == .string("auto"))
    #expect(attributes["sides"] == .string("one-sided"))
    let medium = try #require(attributes["media-col"])
    #expect(medium["media-size"]?["x-dimension"] == .number(21_000))
    #expect(medium["media-top-margin"] == .number(300))
    await printer.stop()
  }

  @Test func `the plan's paper is points from the top left`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let outcome = try await person.airprint(
      "print", "-d", printer.uri, "--dry-run", "--json", try person.document(PDF().bytes))
    let paper = try #require(try outcome.json.paper)
    #expect(paper.size == .string("iso_a4_210x297mm"))
    #expect(paper.source == .string("main"))
    #expect(paper.type == .string("stationery"))
    #expect(paper.ready == .boolean(true))
    #expect(paper.borderless == .boolean(false))
    #expect(paper.roll == .boolean(false))
    #expect(paper.cutLength?.isNull == true)
    func points(_ value: JSON?) -> Double { ((value?.number ?? -1) * 10).rounded() / 10 }
    #expect([points(paper.width), points(paper.height)] == [595.3, 841.9])
    #expect(
      ["top", "bottom", "left", "right"].map { points(paper.margins?[$0]) }
        == [8.5, 8.5, 8.5, 8.5])
    let members = ["x", "y", "width", "height"]
    #expect(members.map { points(paper.paperRect?[$0]) } == [0, 0, 595.3, 841.9])
    #expect(members.map { points(paper.printableRect?[$0]) } == [8.5, 8.5, 578.3, 824.9])
    await printer.stop()
  }

  @Test(arguments: [(1, 1, "4"), (2, 1, "4"), (2, 4, "4"), (2, 1, "1")])
  func `several files share no sheet, which is said`(
    _ files: Int, _ pages: Int, _ numberUp: String
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let bytes = PDF(pages: Array(repeating: .a4(), count: pages)).bytes
    let names = try (1...files).map { try person.document(bytes, "\($0).pdf") }
    let outcome = try await person.airprint(
      ["print", "-d", printer.uri, "--dry-run", "--number-up", numberUp] + names)
    let isSaid = outcome.stderr.contains("Each file is printed on sheets of its own")
    #expect(outcome.code == 0 && isSaid == (files > 1 && pages == 1 && numberUp == "4"))
    await printer.stop()
  }

  @Test(arguments: [
    (["--sides", "one"], 5), (["--sides", "long"], 3), (["--sides", "long", "-n", "2"], 6),
    (["--sides", "one", "--number-up", "4"], 2), (["-P", "1-2", "--number-up", "1x2"], 1),
    (["--booklet"], 2), (["--poster", "2x2"], 20),
  ])
  func `a plan counts the sheets of all copies`(_ options: [String], _ sheets: Double) async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF(pages: Array(repeating: .a4(), count: 5)).bytes)
    let outcome = try await person.airprint(
      ["print", "-d", printer.uri, "--dry-run", "--json", file] + options)
    #expect(try outcome.jsonLines.first?.sheets?.number == sheets, "\(outcome.report)")
    await printer.stop()
  }

  @Test func `several files are a plan a line`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let files = try (1...2).map { try person.document(PDF().bytes, "\($0).pdf") }
    let outcome = try await person.airprint(
      ["print", "-d", printer.uri, "--dry-run", "--json"] + files + ["missing.pdf"])
    #expect(outcome.code == 66, "\(outcome.report)")
    #expect(
      try outcome.jsonLines.map { $0.documents?.array?.first?.file?.string }
        == files + [nil])
    await printer.stop()
  }

  @Test func `among several files a warning names its own`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let small = try person.document(PDF(pages: [.a4()]).bytes, "letter.pdf")
    let large = try person.document(
      PDF(pages: [PDF.Page(width: 1684, height: 2384, marks: [])]).bytes, "poster.pdf")
    let command = ["print", "-d", printer.uri, "--dry-run", "--json"]
    let both = try await person.airprint(command + [small, large])
    #expect(
      both.stderr.contains("\(large): The page is larger than A4: it is scaled to"),
      "\(both.report)")
    let alone = try await person.airprint(command + [large])
    #expect(alone.stderr.hasPrefix("The page is larger than A4"), "\(alone.report)")
    await printer.stop()
  }

  @Test func `for people the plan gives every choice and why`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let outcome = try await person.airprint(
      "print", "-d", printer.uri, "--dry-run", try person.document(PDF().bytes))
    #expect(outcome.code == 0)
    for word in [
      "printer", "document", "type", "paper", "format", "resolution", "color", "quality", "sides",
      "scaling", "why",
    ] {
      #expect(outcome.stdout.split(separator: "\n").contains { $0.hasPrefix(word) }, "\(word)")
    }
    #expect(outcome.stdout.contains("A4 (main) is loaded"))
    #expect(try printer.jobs().isEmpty)
    await printer.stop()
  }

  @Test func `an option that contradicts a picture is 64, as a setting a reason`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let picture = try Picture(width: 40, height: 60, black: (4, 6)).png()
    let file = try person.document(picture, "picture.png")
    let typed = try await person.airprint(
      "print", "-d", printer.uri, "--dry-run", "--sides", "long", file)
    #expect(typed.code == 64, "\(typed.report)")
    try person.configure("sides = \"long\"\n")
    let plan = try await person.airprint("print", "-d", printer.uri, "--dry-run", "--json", file)
    #expect(plan.code == 0, "\(plan.report)")
    #expect(try plan.json.sides == .string("one-sided"))
    let reasons = try plan.json.reasons?.strings ?? []
    #expect(reasons.contains { $0.contains("picture has one side") }, "\(reasons)")
    await printer.stop()
  }
}
