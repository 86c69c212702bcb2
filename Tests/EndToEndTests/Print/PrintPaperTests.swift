import TestSupport
import Testing

/// The paper for a job: loaded paper takes precedence.
@Suite(.inTurn) struct PrintPaperTests {
  @Test func `the paper that is loaded wins, and is echoed as the printer stated it`() async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    // A Letter page; A4 and 4x6 are loaded.
    let job = try await person.job(at: printer, PDF(pages: [.letter()]).bytes)
    let medium = try #require(job["media-col"])
    for member in [
      "x-dimension=21000 y-dimension=29700", "media-source=main", "media-type=stationery",
      "media-top-margin=300", "media-bottom-margin=300", "media-left-margin=300",
      "media-right-margin=300",
    ] { #expect(medium.contains(member), "\(medium)") }
    #expect(job["media"] == nil)
    await printer.stop()
  }

  @Test(arguments: [
    "4x6", "na_index-4x6_4x6in", "letter,4x6,A4", "4x6in", "letter,best", "101.6x152.4mm",
  ])
  func `the first paper that is loaded is taken`(_ paper: String) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    // For a page of 4 by 6 inches, `best` is the photo paper.
    let page = PDF.Page(width: 288, height: 432, marks: [PDF.corner])
    let job = try await person.job(
      at: printer, PDF(pages: [page]).bytes, "--paper", paper)
    #expect(job["media-col"]?.contains("x-dimension=10160 y-dimension=15240") == true)
    #expect(job["media-col"]?.contains("media-source=photo") == true)
    await printer.stop()
  }

  @Test(arguments: [[], ["--dry-run"], ["--dry-run", "--json"]])
  func `paper that is not loaded is 75, with what is`(_ options: [String]) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint(
      ["print", "-d", printer.uri, "--paper", "A3", file] + options)
    #expect(printed.code == 75, "\(printed.report)")
    #expect(
      try printed.jsonLines.map { $0.reason?.string }
        == (options.contains("--json") ? ["media-empty"] : []))
    #expect(
      printed.stderr.contains("A3 is not loaded in Office; loaded: A4 (main) and 4x6 (photo)"))
    #expect(try printer.jobs().isEmpty)
    await printer.stop()
  }

  @Test func `--force prints on exactly the paper that was requested`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let job = try await person.job(at: printer, PDF().bytes, "--paper", "A3", "--force")
    #expect(job["media-col"]?.contains("x-dimension=29700 y-dimension=42000") == true)
    #expect(try printer.sheets(of: job).map(\.width) == [1753])
    await printer.stop()
  }

  @Test func `a printer that does not say what is loaded gets the paper asked for`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.printer(
      "Silent", Attributes.office.filter { !$0.contains("-ready") })
    let file = try person.document(PDF().bytes)
    let plan = try await person.airprint(
      "print", "-d", printer.uri, "--paper", "A3", "--dry-run", "--json", file)
    #expect(plan.code == 0, "\(plan.report)")
    #expect(try plan.json.paper?.ready == .boolean(false))
    #expect(try plan.json.paper?.width?.number?.rounded() == 842)
    let reasons = try plan.json.reasons?.strings ?? []
    #expect(reasons.contains { $0.contains("does not report what is loaded") }, "\(reasons)")
    await printer.stop()
  }

  @Test func `a tray and a medium are chosen by the printer's keywords`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let byTray = try await person.job(at: printer, PDF().bytes, "--tray", "photo")
    #expect(byTray["media-col"]?.contains("media-source=photo") == true)
    await printer.stop()
    let other = try await person.office()
    let byType = try await person.job(
      at: other, PDF().bytes, "--media-type", "photographic-glossy")
    #expect(byType["media-col"]?.contains("media-type=photographic-glossy") == true)
    let file = try person.document(PDF().bytes)
    let unknown = try await person.airprint("print", "-d", other.uri, "--tray", "roof", file)
    #expect(unknown.code == 64)
    #expect(unknown.stderr.contains("main, photo and manual"), "\(unknown.stderr)")
    let empty = try await person.airprint("print", "-d", other.uri, "--tray", "manual", file)
    #expect(empty.code == 75, "\(empty.report)")
    await other.stop()
  }

  @Test func `a receipt is cut where its content ends`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.till()
    // 72 mm wide, the roll's printable width; content down to 60 mm.
    let page = PDF.Page(
      width: 204.1, height: 800, marks: [PDF.Mark(x: 0, y: 0, width: 100, height: 170.1)])
    let file = try person.document(PDF(pages: [page]).bytes, "receipt.pdf")
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--type", "receipt", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stderr.contains("1 page on 80 mm roll, cut at 6"), "\(printed.stderr)")
    let job = try #require(try printer.jobs().first)
    let length = try #require(
      job["media-col"]?.split(separator: "y-dimension=").last.flatMap {
        Int($0.prefix { $0.isNumber })
      })
    // The content, the roll's margins of 4 mm, and rounding up for the cutter.
    #expect((6_800...6_900).contains(length))
    let sheet = try #require(try printer.sheets(of: job).first)
    #expect(abs(sheet.height - length * 203 / 2540) <= 1)
    let ink = try #require(sheet.ink)
    // At 100 %, inside the left margin, at the top.
    #expect(ink.isAt(11.3, 11.3, 100, 170.1), "\(ink)")
    await printer.stop()
  }

  @Test(arguments: [("120mm", 12_000), ("max", 200_000), ("1mm", nil)] as [(String, Int?)])
  func `a cut is as long as requested`(_ wish: String, _ length: Int?) async throws {
    let person = try await Person.anybody()
    let printer = try await person.till()
    let file = try person.document(PDF(pages: [.a4()]).bytes)
    let plan = try await person.airprint(
      "print", "-d", printer.uri, "--type", "receipt", "--cut-length", wish, "--dry-run", "--json",
      file)
    if let length {
      #expect(plan.code == 0, "\(plan.report)")
      let cut = try #require(try plan.json.paper?.cutLength?.number)
      #expect(abs(cut - Double(length) / 2540 * 72) < 0.01)
      #expect(try plan.json.paper?.height?.number == cut)
    } else {
      #expect(plan.code == 64)
    }
    await printer.stop()
  }

  @Test func `a type that the printer does not serve is refused, or forced`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes)
    let refused = try await person.airprint("print", "-d", printer.uri, "--type", "label", file)
    #expect(refused.code == 64)
    #expect(refused.stderr.contains("it prints documents, photos"), "\(refused.stderr)")
    #expect(try printer.jobs().isEmpty)
    let job = try await person.job(
      at: printer, PDF().bytes, "--type", "label", "--force", "--format", "pdf")
    #expect(job.contentType == "application/pdf")
    await printer.stop()
  }

  @Test func `a guessed type gives way silently`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [
      "keyword printer-kind document", "keyword media-ready iso_a4_210x297mm",
      Attributes.onlyA4,
    ])
    let picture = try Picture(width: 80, height: 120, black: (8, 12)).png()
    let plan = try await person.airprint(
      "print", "-d", printer.uri, "--dry-run", "--json",
      try person.document(picture, "picture.png"))
    #expect(plan.code == 0, "\(plan.report)")
    #expect(try plan.json.type == .string("document"))
    #expect(!plan.stderr.contains("photo"), "\(plan.stderr)")
    await printer.stop()
  }

  @Test(arguments: [("--borderless", "A4"), ("--no-borderless", "4x6")])
  func `margins that no loaded paper has are reported, or refused`(
    _ wish: String, _ paper: String
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes)
    let print = ["print", "-d", printer.uri, "--dry-run", "--json", "--paper", paper, wish, file]
    let plan = try await person.airprint(print)
    #expect(plan.code == 0, "\(plan.report)")
    let reasons = try plan.json.reasons?.strings ?? []
    #expect(reasons.contains { $0.hasPrefix("borderless:") }, "\(reasons)")
    #expect(try await person.airprint(print + ["--strict"]).code == 64)
    await printer.stop()
  }

  @Test func `a wish that can't be granted is replaced and reported, or refused`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.till()
    let file = try person.document(PDF(pages: [.a4()]).bytes)
    let wish = ["print", "-d", printer.uri, "--color", "color", "--quality", "high", file]
    let plan = try await person.airprint(wish + ["--dry-run", "--json"])
    #expect(plan.code == 0, "\(plan.report)")
    #expect(try plan.json.colorMode == .string("monochrome"))
    #expect(try plan.json.quality == .string("normal"))
    let reasons = try plan.json.reasons?.strings ?? []
    #expect(reasons.contains { $0.contains("can't print in color") })
    #expect(reasons.contains { $0.contains("support high") })
    let strict = try await person.airprint(wish + ["--strict"])
    #expect(strict.code == 64, "\(strict.report)")
    #expect(try printer.jobs().isEmpty)
    await printer.stop()
  }
}
