import TestSupport
import Testing

/// `paper`, for programs that lay out their own pages.
@Suite(.inTurn) struct PaperTests {
  @Test func `JSON has every key, in points from the top left`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let outcome = try await person.airprint("paper", printer.uri, "--json")
    #expect(outcome.code == 0, "\(outcome.report)")
    let paper = try outcome.json
    #expect(
      paper.keys == [
        "size", "width", "height", "margins", "source", "type", "ready", "borderless", "paperRect",
        "printableRect", "roll", "cutLength",
      ])
    #expect(paper.size == .string("iso_a4_210x297mm"))
    #expect(paper.ready == .boolean(true))
    #expect(paper.paperRect?.keys == ["x", "y", "width", "height"])
    #expect(paper.printableRect?.width?.number?.rounded() == 578)
    // This is the same object as in a job's plan.
    let plan = try await person.airprint(
      "print", "-d", printer.uri, "--dry-run", "--json",
      try person.document(PDF(pages: [.a4()]).bytes)
    ).json
    #expect(plan.paper == paper)
    await printer.stop()
  }

  @Test(arguments: [
    (["--paper", "4x6"], "na_index-4x6_4x6in", true),
    (["--type", "photo"], "na_index-4x6_4x6in", true),
    (["--type", "document"], "iso_a4_210x297mm", false),
    (["--borderless", "--paper", "4x6"], "na_index-4x6_4x6in", true),
    (["--tray", "photo"], "na_index-4x6_4x6in", true),
    (["--paper", "letter,best"], "iso_a4_210x297mm", false),
  ])
  func `print's options choose it`(
    _ options: [String], _ size: String, _ isBorderless: Bool
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let outcome = try await person.airprint(["paper", printer.uri, "--json"] + options)
    #expect(outcome.code == 0, "\(outcome.report)")
    #expect(try outcome.json.size == .string(size))
    #expect(try outcome.json.borderless == .boolean(isBorderless))
    await printer.stop()
  }

  @Test func `on a roll it is as long as the longest cut`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.till()
    _ = try await person.airprint("pick", printer.uri, "--type", "receipt")
    let paper = try await person.airprint("paper", "--type", "receipt", "--json").json
    #expect(paper.roll == .boolean(true))
    // 2 m, and 72 mm of 80 between the margins.
    #expect(paper.height?.number.map { ($0 * 10).rounded() } == 56_693)
    #expect(paper.cutLength == paper.height)
    #expect(paper.printableRect?.width?.number.map { ($0 * 10).rounded() } == 2_041)
    let cut = try await person.airprint(
      "paper", "--type", "receipt", "--cut-length", "100mm", "--json"
    ).json
    #expect(cut.height?.number.map { ($0 * 10).rounded() } == 2_835)
    await printer.stop()
  }

  @Test func `75 and 69, as print would have`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let missing = try await person.airprint("paper", printer.uri, "--paper", "A3", "--json")
    #expect(missing.code == 75, "\(missing.report)")
    #expect(try missing.json.reason == .string("media-empty"), "\(missing.report)")
    let nobody = try await person.airprint("paper", "--type", "label")
    #expect(nobody.code == 69)
    #expect(nobody.stderr.contains("airprint pick --type label"))
    // A saved printer appears under its saved name, not its own.
    #expect(try await person.airprint("pick", printer.uri, "--as", "Hall").code == 0)
    let saved = try await person.airprint("paper", "Hall", "--paper", "A3")
    #expect(saved.stderr.contains("A3 is not loaded in Hall"), "\(saved.report)")
    await printer.stop()
  }

  @Test func `for people it is three lines`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let outcome = try await person.airprint("paper", printer.uri)
    #expect(outcome.code == 0)
    let lines = outcome.stdout.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0] == "A4, main, stationery, margins 3 mm")
    #expect(lines[2].contains("578.3 x 824.9 pt at 8.5, 8.5"), "\(outcome.stdout)")
    await printer.stop()
  }

  @Test func `identify makes a printer show itself and beep`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let asked = try await person.airprint("identify", printer.uri, "--json")
    #expect(asked.code == 0, "\(asked.report)")
    #expect(try asked.json.actions?.strings == ["display", "sound"])
    // ippeveprinter writes a line to its log and rings the bell.
    try await eventually("the printer was identified: \(printer.errors)") {
      printer.errors.contains("Identify-Printer") || !printer.program.output.isEmpty
    }
    let words = try await person.airprint("identify", printer.uri)
    #expect(words.stderr.contains("(display, sound)"), "\(words.stderr)")
    let nobody = try await person.airprint(
      "identify", "ipp://localhost:\(try freePort())/ipp/print")
    #expect(nobody.code == 69)
    await printer.stop()
  }
}
