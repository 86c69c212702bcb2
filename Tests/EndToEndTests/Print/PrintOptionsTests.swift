import TestSupport
import Testing

/// Every option of `print`, checked against what the printer received.
@Suite(.inTurn) struct PrintOptionsTests {
  @Test func `copies of a raster are drawn, copies of a file are the printer's`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let pages = PDF(pages: [.a4(), .a4([PDF.Mark(x: 300, y: 300, width: 9, height: 9)])]).bytes
    let drawn = try await person.job(at: printer, pages, "-n", "2", "--sides", "one")
    // The printer does not receive the number, or it would print four.
    #expect(drawn["copies"].map { $0 == "1" } != false)
    let tops = try printer.sheets(of: drawn).map { try #require($0.ink).top.rounded() }
    #expect(tops == [144, 300, 144, 300])
    await printer.stop()

    let other = try await person.office()
    let whole = try await person.job(at: other, pages, "-n", "2", "--format", "pdf")
    #expect(whole["copies"] == "2")
    #expect(whole["multiple-document-handling"] == "separate-documents-collated-copies")
    #expect(whole.document == pages)
    await other.stop()
  }

  @Test(arguments: [("2", [200.0]), ("3-", [300, 400]), ("4,1-2", [100, 200, 400])])
  func `pages are those that were asked for`(_ pages: String, _ tops: [Double]) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let document = PDF(
      pages: [100.0, 200, 300, 400].map { top in
        .a4([PDF.Mark(x: 100, y: top, width: 30, height: 30)])
      })
    let job = try await person.job(
      at: printer, document.bytes, "-P", pages, "--sides", "one")
    #expect(
      try printer.sheets(of: job).map { try #require($0.ink).top.rounded() } == tops)
    await printer.stop()
  }

  @Test func `pages of a PDF that is passed through are the printer's to choose`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let document = PDF(pages: [.a4(), .a4(), .a4(), .a4()]).bytes
    let job = try await person.job(
      at: printer, document, "-P", "1-2,4", "--format", "pdf")
    #expect(job.document == document)
    #expect(job["page-ranges"] == "1-2,4-4")
    await printer.stop()
  }

  @Test func `gray is gray in the ticket and in every pixel`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    var red = PDF.corner
    red.color = "1 0 0 rg"
    let document = PDF(pages: [.a4([red])]).bytes
    let job = try await person.job(at: printer, document, "--color", "gray")
    #expect(job["print-color-mode"] == "monochrome")
    #expect(try printer.sheets(of: job).map(\.bytesPerPixel) == [1])
    await printer.stop()
  }

  @Test func `color is auto where the printer has it, else color`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [
      "keyword print-color-mode-supported color,monochrome"
    ])
    let job = try await person.job(at: printer, PDF().bytes)
    #expect(job["print-color-mode"] == "color")
    await printer.stop()
    let other = try await person.office()
    let automatic = try await person.job(at: other, PDF().bytes)
    #expect(automatic["print-color-mode"] == "auto")
    await other.stop()
  }

  @Test(arguments: [
    ("long", "two-sided-long-edge", true, false), ("short", "two-sided-short-edge", true, true),
    ("one", "one-sided", false, false),
    // The printer's sides-default, because there are two pages.
    ("auto", "two-sided-long-edge", true, false),
  ])
  func `sides are in the ticket and in the raster`(
    _ wish: String, _ keyword: String, _ isDuplex: Bool, _ isTumble: Bool
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let job = try await person.job(
      at: printer, PDF(pages: [.a4(), .a4()]).bytes, "--sides", wish, "--format", "pwg")
    #expect(job["sides"] == keyword)
    let sheets = try printer.sheets(of: job)
    #expect(sheets.map(\.isDuplex) == [isDuplex, isDuplex])
    #expect(sheets.map(\.isTumble) == [isTumble, isTumble])
    await printer.stop()
  }

  @Test func `a back side is turned as the printer wants it`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    // pwg-raster-document-sheet-back is `rotated`: backs on the long edge are upside down.
    let job = try await person.job(
      at: printer, PDF(pages: [.a4(), .a4()]).bytes, "--sides", "long", "--format", "pwg")
    let inks = try printer.sheets(of: job).map { try #require($0.ink) }
    #expect(inks[0].isAt(72, 144, 72, 72), "\(inks[0])")
    #expect(inks[1].isAt(595.28 - 144, 841.89 - 216, 72, 72), "\(inks[1])")
    await printer.stop()
  }

  @Test func `one page has one side, whatever the printer's default is`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    #expect(try await person.job(at: printer, PDF().bytes)["sides"] == "one-sided")
    await printer.stop()
  }

  @Test(arguments: ["draft", "normal", "high"])
  func `quality is the ticket's`(_ quality: String) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let job = try await person.job(
      at: printer, PDF().bytes, "--quality", quality, "--format", "pdf")
    #expect(job["print-quality"] == quality)
    await printer.stop()
  }

  @Test func `resolution is the raster's and the ticket's`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let job = try await person.job(
      at: printer, PDF().bytes, "--resolution", "75", "--format", "pwg")
    #expect(try printer.sheets(of: job).map(\.resolution) == [75])
    #expect(job["printer-resolution"] == "75dpi")
    await printer.stop()
  }

  @Test(arguments: [
    // A page of half of A4's width and height, 3 mm (8.5 pt) margins.
    ("auto", Ink(left: 198.8, top: 270.5, right: 298.8, bottom: 320.5)),
    ("none", Ink(left: 198.8, top: 270.5, right: 298.8, bottom: 320.5)),
    ("fit", Ink(left: 105.6, top: 128.6, right: 299.9, bottom: 225.8)),
  ])
  func `scaling places a small page`(_ scaling: String, _ expected: Ink) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let page = PDF.Page(
      width: 297.64, height: 420.94, marks: [PDF.Mark(x: 50, y: 60, width: 100, height: 50)])
    let job = try await person.job(
      at: printer, PDF(pages: [page]).bytes, "--scaling", scaling, "--paper", "A4")
    let ink = try #require(try printer.sheets(of: job).first?.ink)
    #expect(
      ink.isAt(
        expected.left, expected.top, expected.right - expected.left,
        expected.bottom - expected.top), "\(ink)")
    await printer.stop()
  }

  @Test func `any job attribute can be given, in lp's way too`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let job = try await person.job(
      at: printer, PDF(pages: [.a4(), .a4()]).bytes, "-o", "finishings=4", "-osides=one-sided",
      "-o", "print-quality=5", "--option", "print-color-mode=monochrome")
    #expect(job["finishings"] == "staple")
    #expect(job["sides"] == "one-sided")
    #expect(job["print-quality"] == "high")
    #expect(job["print-color-mode"] == "monochrome")
    #expect(try printer.sheets(of: job).map(\.bytesPerPixel) == [1, 1])
    await printer.stop()
  }

  @Test func `lp's joined options mean what they mean there`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF(pages: [.a4(), .a4(), .a4()]).bytes)
    let printed = try await person.airprint(
      "print", "-d\(printer.uri)", "-n2", "-P2-3", "-tInvoice", "-oprint-quality=3", "--format",
      "pdf", file)
    #expect(printed.code == 0, "\(printed.report)")
    let job = try #require(try printer.jobs().first)
    #expect(job["copies"] == "2")
    #expect(job["page-ranges"] == "2-3")
    #expect(job["job-name"] == "Invoice")
    #expect(job["print-quality"] == "draft")
    await printer.stop()
  }

  /// Scripts extract the ID from this line and pass it to `cancel`.
  @Test func `--lp says what lp says, and the names that people give to lp are understood`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF(pages: [.a4(), .a4()]).bytes)
    let printed = try await person.airprint(
      "print", "--lp", "-d", printer.uri, "-o", "sides=two-sided-short-edge ColorModel=Gray",
      "-onumber-up=2", "-o", "fit-to-page", "-o", "collate=true", file)
    #expect(printed.code == 0, "\(printed.report)")
    let job = try #require(try printer.jobs().first)
    #expect(job["print-color-mode"] == "monochrome")
    #expect(job["number-up"] == nil)
    #expect(try printer.sheets(of: job).count == 1)
    let words = printed.stdout.split(separator: " ")
    #expect(words.count == 6 && printed.stdout.hasPrefix("request id is "), "\(printed.stdout)")
    #expect(printed.stdout.hasSuffix(" (1 file(s))\n"))
    let waited = try await person.airprint("wait", String(words[3]))
    #expect(waited.code == 0, "\(waited.report)")
    let both = try await person.airprint("print", "--lp", "--dry-run", "-d", printer.uri, file)
    #expect(both.code == 64 && both.stderr.contains("--dry-run"), "\(both.report)")
    await printer.stop()
  }
}
