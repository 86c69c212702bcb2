import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `airprint simulate`: pages become pictures of the paper.
@Suite(.inTurn) struct SimulateTests {
  /// A profile, a page to print on it, and the expected picture.
  ///
  /// Lengths are in 1/100 mm.
  struct Case: Sendable, CustomTestStringConvertible {
    var profile: String
    var options: [String]
    var page: PageShape
    var sheet: (width: Int, length: Int)
    /// The left margin; 0 for none.
    var margin: Int
    var resolution: Int
    var isColor = false
    var isRoll = false

    var testDescription: String { profile }
  }

  static let cases = [
    Case(
      profile: "laser", options: ["--resolution", "300"], page: .a4, sheet: (21_000, 29_700),
      margin: 423, resolution: 300),
    Case(
      profile: "inkjet", options: ["--resolution", "300"], page: .a4, sheet: (21_000, 29_700),
      margin: 340, resolution: 300, isColor: true),
    Case(
      profile: "photo", options: ["--type", "photo"], page: PageShape(288, 432),
      sheet: (10_160, 15_240), margin: 0, resolution: 300, isColor: true),
    Case(
      profile: "receipt", options: ["--type", "receipt"], page: PageShape(200, 300),
      sheet: (8_000, 11_200), margin: 400, resolution: 203, isRoll: true),
    Case(
      profile: "label", options: ["--type", "label", "--paper", "62x100mm"],
      page: PageShape(150, 200), sheet: (6_200, 10_000), margin: 150, resolution: 300),
    Case(
      profile: "envelope", options: ["--type", "envelope", "--resolution", "300"],
      page: PageShape(297, 684), sheet: (10_477, 24_130), margin: 423, resolution: 300),
    Case(
      profile: "large-format", options: ["--type", "large-format", "--resolution", "150"],
      page: PageShape(1_200, 600), sheet: (60_960, 22_200), margin: 500, resolution: 150,
      isColor: true, isRoll: true),
    Case(
      profile: "save-original", options: [], page: .a4, sheet: (21_000, 29_700), margin: 0,
      resolution: 300, isColor: true),
  ]

  @Test(arguments: cases)
  func `a page comes out on its paper`(_ test: Case) async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate(test.profile)
    let document = test.page.landmarks()
    let printed = try await person.airprint(
      ["print", "-d", simulation.uri, try person.document(document)] + test.options)
    #expect(printed.code == 0, "\(printed.report)")
    let job = try simulation.job(1, of: test.profile)
    #expect(job.record.state == .string("completed"))
    try #require(job.pages == 1)
    let sheet = try job.sheet(1)
    #expect(sheet.resolution == test.resolution)
    #expect(sheet.width == test.sheet.width * test.resolution / 2540)
    #expect(abs(sheet.height - test.sheet.length * test.resolution / 2540) <= test.resolution / 25)
    // The paper's edge, the margin next to it, and white if there is no margin.
    #expect(sheet.pixel(0, 40) == (test.margin == 0 ? [60, 120, 220] : [160, 160, 160]))
    #expect(sheet.pixel(0, 40) == sheet.pixel(sheet.width - 1, 40))
    let middle = sheet.height * 2 / 3
    let edge = test.margin * test.resolution / 2540
    if test.margin > 0 {
      #expect(sheet.pixel(edge - 1, middle) == [239, 207, 219])
    }
    #expect(sheet.pixel(edge + 2, middle) == [255, 255, 255])
    // A cut is a dashed line.
    let bottom = (20..<36).map { sheet.pixel($0, sheet.height - 1) }
    #expect((Set(bottom).count > 1) == test.isRoll)
    // Gray printers print gray; on the others, the landmarks have their colors.
    let colors = sheet.landmarks()
    #expect((colors[.bottomLeft] != nil) == test.isColor, "\(colors)")
    if test.page.width == PageShape.a4.width, test.isColor {
      // Inside the outline, whose blue is also the color of a landmark.
      let inside = Area(0.5, 0.5, sheet.whole.width - 1, sheet.whole.height - 1)
      sheet.expect(1, of: test.page, at: sheet.whole, in: inside, pixels: 4)
    }
    let original = try FileManager.default.contentsOfDirectory(atPath: job.folder)
      .filter { $0.hasPrefix("document.") }
    if test.profile == "save-original" {
      #expect(try bytes(of: "\(job.folder)/document.pdf") == document)
    } else {
      #expect(original == ["document.urf"])
      let sides = try Sheet.read("\(job.folder)/document.urf")
      #expect(sides.count == 1 && sides[0].bytesPerPixel == (test.isColor ? 3 : 1))
    }
    let pages = try await person.pdftoppm("\(job.folder)/pages.pdf", resolution: 72)
    #expect(pages.count == 1 && abs(pages[0].width - sheet.width * 72 / test.resolution) <= 1)
    let ended = await simulation.end()
    #expect(ended.end == .exited(0), "\(ended.report)")
  }

  /// A client that sends no print-scaling gets the printer's default, `auto`, which enlarges nothing.
  @Test func `a PDF keeps its size on a wide roll`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("large-format")
    let document = try person.document(PageShape.a4.landmarks())
    let printed = try await person.airprint(
      ["print", "-d", simulation.uri, "-o", "raw", document])
    #expect(printed.code == 0, "\(printed.report)")
    let sheet = try simulation.job(1, of: "large-format").sheet(1)
    #expect(sheet.height * 254 / sheet.resolution <= 3080)  // A4 and margins of 5 mm
    _ = await simulation.end()
  }

  @Test func `a PDF that is sent as it is comes out as often as the job says`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("inkjet")
    let catalog = "/ViewerPreferences << /NumCopies 3 >>"
    let document = try person.document(PDF(pages: [.a4()], catalog: catalog).bytes)
    for (number, options) in [["-n", "1"], ["-n", "2"], []].enumerated() {
      let printed = try await person.airprint(
        ["print", "-d", simulation.uri, "--format", "pdf", document] + options)
      #expect(printed.code == 0, "\(printed.report)")
      #expect(try simulation.job(number + 1, of: "inkjet").pages == number + 1)
    }
    _ = await simulation.end()
  }

  /// Backs arrive rotated, and a reader who turns the sheet sees them upright, with the margins of two-sided sheets;
  /// PDF pages, which are not rotated, give the same result.
  @Test(arguments: ["urf", "pdf"])
  func `the back is upright for the reader`(_ format: String) async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("inkjet")
    let document = try person.document(PageShape.a5.landmarks(pages: 2))
    let printed = try await person.airprint(
      "print", "-d", simulation.uri, "--sides", "long", "--format", format, "--resolution", "300",
      document)
    #expect(printed.code == 0, "\(printed.report)")
    let job = try simulation.job(1, of: "inkjet")
    try #require(job.pages == 2)
    #expect(job.record.pages?.array?.map { $0.side } == [.string("front"), .string("back")])
    #expect(job.record.pages?.array?.map { $0.sheet?.number } == [1, 1])
    for number in 1...2 {
      let sheet = try job.sheet(number)
      sheet.expect(number, of: .a5, at: sheet.whole.centred(419.528, 595.276), pixels: 3)
      #expect(sheet.pixel(600, 1_270 * 300 / 2540 - 2) == [239, 207, 219])
      #expect(sheet.pixel(600, 1_270 * 300 / 2540 + 2) == [255, 255, 255])
    }
    _ = await simulation.end()
  }

  /// Two A5 pages side by side make A4 in landscape, of which 10 mm are on both.
  @Test(arguments: [("urf", "a.pdf"), ("pdf", "b.pdf")])
  func `the sheets of a poster show a page's parts`(_ format: String, _ name: String) async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let page = PageShape(400, 560)
    let document = try person.document(page.landmarks(), name)
    let printed = try await person.airprint(
      "print", "-d", simulation.uri, "--poster", "2x2", "--format", format, "--resolution", "300",
      document)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stderr.contains("1 page, 4 sheets each, on A4"), "\(printed.report)")
    let job = try simulation.job(1, of: "laser")
    try #require(job.pages == 4)
    // The sheets' printable area is 571.3 by 817.9 points: together 1114.2 by 1607.4.
    let scale = min(1114.2 / 400, 1607.4 / 560)
    let (side, across) = (24 * scale, 1114.2 / 2 - 12)
    for number in 1...4 {
      let sheet = try job.sheet(number)
      let isLeft = number % 2 == 1
      let top = number < 3 ? 12 + (1607.4 - 560 * scale) / 2 : nil
      // Its corner is in the sheet's, and of the other three there is nothing.
      let x = isLeft ? 12 + side / 2 : 595.3 - 12 - side / 2
      let y = top.map { $0 + side / 2 } ?? 841.9 - 12 - (1607.4 - 560 * scale) / 2 - side / 2
      func value(_ x: Double, _ y: Double) -> UInt8 {
        sheet.pixel(Int(x * 300 / 72), Int(y * 300 / 72))[0]
      }
      #expect(value(x, y) < 250, "sheet \(number)")
      #expect(value(595.3 - x, y) == 255 && value(across, 420) == 255, "sheet \(number)")
    }
    _ = await simulation.end()
  }

  @Test(arguments: ["urf", "pwg", "pdf"])
  func `the first page comes from another tray`(_ format: String) async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--load", "alternate=A4")
    let document = try person.document(PageShape.a5.landmarks(pages: 4))
    let print = [
      "print", "-d", simulation.uri, "--format", format, "--first-page-tray", "alternate",
      "--resolution", "300", document,
    ]
    let cases: [([String], [String])] = [
      ([], ["alternate", "main", "main", "main"]),
      (["--sides", "long"], ["alternate", "alternate", "main", "main"]),
      (["-P", "3"], ["alternate"]),
    ]
    for (number, (options, trays)) in cases.enumerated() {
      let printed = try await person.airprint(print + options)
      #expect(printed.code == 0, "\(printed.report)")
      let pages = try simulation.job(number + 1, of: "laser").record.pages?.array ?? []
      #expect(pages.map { $0.tray?.string } == trays, "\(options)")
    }
    let refused = try await person.airprint(print + ["--paper", "letter", "--force"])
    #expect(refused.code == 75 && refused.stderr.contains("holds A4"), "\(refused.report)")
    _ = await simulation.end()
  }

  /// Content in the margin is either shown there, or lost.
  @Test(arguments: [true, false])
  func `the margin shows what is lost`(_ isShown: Bool) async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate(
      "laser", "--printable-area", isShown ? "on" : "off")
    let edge = PDF.Mark(x: 0, y: 200, width: 100, height: 100)
    let document = try person.document(PDF(pages: [.a4([edge])]).bytes)
    let printed = try await person.airprint(
      "print", "-d", simulation.uri, "--resolution", "300", "--scaling", "none", document)
    #expect(printed.code == 0, "\(printed.report)")
    let sheet = try simulation.job(1, of: "laser").sheet(1)
    #expect(sheet.pixel(20, 1_000) == (isShown ? [0, 0, 12] : [255, 255, 255]))
    #expect(sheet.pixel(100, 1_000) == [0, 0, 0])
    _ = await simulation.end()
  }

  /// It is on the network like any printer until it ends; then nothing of it is left.
  @Test func `it is listed while it is there`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("receipt", "--location", "Shelf 4")
    let found = try await person.airprint("discover", "--json", "--name", simulation.name)
    let printer = try #require(try found.json.array?.first, "\(found.report)")
    #expect(printer.types?.strings == ["receipt", "roll"])
    #expect(printer.location == .string("Shelf 4"))
    #expect(printer.color == .boolean(false) && printer.secure == .boolean(true))
    let listed = try await person.airprint("simulate", "list")
    let row = listed.stdout.split(separator: "\n").map { $0.split(separator: "\t") }
      .first { $0[0] == simulation.name[...] }
    #expect(row?.count == 5 && row?[2] == "receipt" && row?[4] == "ready", "\(listed.report)")
    let rows = try await person.airprint("simulate", "list", "--json").json.array ?? []
    let object = rows.first { $0.name == .string(simulation.name) }
    #expect(object?.keys == ["name", "port", "profile", "paper", "stateReasons"], "\(rows)")
    let secure = try await person.airprint("show", simulation.secureURI, "--json")
    #expect(secure.code == 0 && secure.stdout.contains("main-roll"), "\(secure.report)")
    let ended = await simulation.end()
    #expect(ended.end == .exited(0), "\(ended.report)")
    // A goodbye takes effect after a second (RFC 6762 §10.1).
    try await eventually("it is not listed any more") {
      try await person.airprint("discover", "--json", "--name", simulation.name).code == 1
    }
    let unlisted = try await person.airprint("simulate", "list")
    #expect(!unlisted.stdout.contains(simulation.name))
  }

  @Test(.needsNamespaces) func `it serves on without a bus, and is listed again when there is one`()
    async throws
  {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let simulation = try await person.simulate("laser")
    let name = try #require(simulation.printers[0].name?.string)
    await bench.stopDaemon()
    await bench.stopBus()
    // Meanwhile it has tried to find the bus and failed.
    try await Task.sleep(for: .seconds(3))
    let shown = try await person.airprint("show", simulation.uri)
    #expect(shown.code == 0, "\(shown.report)")
    try await bench.startBus()
    try await bench.startDaemon()
    try await eventually("it is listed again") {
      try await person.airprint("discover").stdout.contains(name)
    }
    let ended = await simulation.end()
    #expect(ended.end == .exited(0), "\(ended.report)")
    await bench.close()
  }

  @Test func `a held job prints when it is released, and not before`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let sent = try await person.airprint(
      "print", "-d", simulation.uri, "--hold", "--no-wait", "--json",
      try person.document(PageShape.a4.landmarks()))
    #expect(sent.code == 0, "\(sent.report)")
    let id = try #require(try sent.jsonLines.first?.job?.string)
    let next = try await person.airprint(
      "print", "-d", simulation.uri, try person.document(PageShape.a5.landmarks()))
    #expect(next.code == 0, "\(next.report)")
    let listed = try await person.airprint("jobs", "--json").json.array
    #expect(
      listed?.map(\.state) == [.string("pending-held"), .string("completed")],
      "\(String(describing: listed))")
    let released = try await person.airprint("release", id, "--json")
    #expect(released.code == 0, "\(released.report)")
    #expect(try released.json.job == .string(id))
    #expect(try await person.airprint("wait", id).code == 0)
    // A job that has ended can't be released.
    #expect(try await person.airprint("release", id).code == 76)
    #expect(try await person.airprint("release", "nobody").code == 69)
    _ = await simulation.end()
  }

  @Test func `a command is run with a printer, and its code is ours`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(PageShape.a5.landmarks())
    let folder = person.path("pages")
    let outcome = try await person.airprint(
      "simulate", "receipt", "--port", "0", "--name", "Exec", "--output", folder, "--exec",
      "\(try locate("airprint")) print --type receipt \(file) && exit 7")
    #expect(outcome.code == 7, "\(outcome.report)")
    #expect(exists("\(folder)/receipt/job-1/page-1.png"))
    #expect(outcome.stderr.contains("Exec: job 1 printed.\n"), "\(outcome.report)")
    // Without an output folder, nothing is left.
    let temporary = person.path("temporary")
    try FileManager.default.createDirectory(
      atPath: temporary, withIntermediateDirectories: false)
    let other = try await person.airprint(
      ["simulate", "receipt", "--port", "0", "--name", "Exec 2", "--exec", "true"],
      adding: ["TMPDIR": temporary])
    #expect(other.code == 0, "\(other.report)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
  }

  /// The kernel and the shell each send a signal then, and a third is the user's.
  @Test func `nothing is left when its terminal is closed`() async throws {
    let person = try await Person.anybody()
    let temporary = person.path("temporary")
    try FileManager.default.createDirectory(
      atPath: temporary, withIntermediateDirectories: false)
    let program = try person.bench.start(
      ["airprint", "simulate", "receipt", "--port", "0", "--name", "Closed"],
      adding: person.variables.merging(["TMPDIR": temporary]) { $1 })
    try await program.wait(for: "removed at the end")
    try await eventually("it ends") {
      program.signal(SIGHUP)
      return !program.isRunning
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
  }

  /// A clone has the original's attributes, and prints on its paper.
  @Test func `it is like a printer of a file, and like one that runs`() async throws {
    let person = try await Person.anybody()
    let file =
      try #require(
        #filePath.split(separator: "/").dropLast(4).reduce(into: "") { $0 += "/\($1)" }
          as String?) + "/demo/receipt-printer.conf"
    let simulation = try await person.simulate("like", "--like", file)
    let shown = try await person.airprint("show", simulation.uri, "--json")
    #expect(try shown.json.makeAndModel == .string("Example Receipt 80"), "\(shown.report)")
    let again = try await person.simulate("like", "--like", simulation.uri)
    let printed = try await person.airprint(
      "print", "-d", again.uri, "--type", "receipt",
      try person.document(PageShape(200, 300).landmarks()))
    #expect(printed.code == 0, "\(printed.report)")
    let sheet = try again.job(1, of: "like").sheet(1)
    #expect(sheet.width == 8_000 * 203 / 2540)
    _ = await simulation.end()
    _ = await again.end()
  }

  /// Canon states custom sizes as two names alone.
  @Test func `it takes the custom sizes of the original`() async throws {
    let person = try await Person.anybody()
    let recording = """
      ATTR keyword media-supported "iso_a4_210x297mm","custom_min_76.2x127mm","custom_max_216x356mm"
      ATTR keyword media-source-supported "auto","tray-1","by-pass-tray"
      """
    let file = try person.document(Array(recording.utf8), "custom.conf")
    let simulation = try await person.simulate("like", "--like", file)
    let card = try person.document(PageShape(200, 300).landmarks())
    let printed = try await person.airprint(
      "print", "-d", simulation.uri, "--paper", "120x180mm", card)
    #expect(printed.code == 0, "\(printed.report)")
    let other = try await person.airprint(
      "print", "-d", simulation.uri, "--paper", "120x400mm", card)
    #expect(other.code == 64, "\(other.report)")
    _ = await simulation.end()
  }

  /// A recording may have the names of the loaded media without their trays.
  @Test func `it is loaded as a printer that lists names alone`() async throws {
    let person = try await Person.anybody()
    let recording = """
      ATTR keyword media-ready "iso_a4_210x297mm","iso_a3_297x420mm"
      ATTR keyword media-supported "iso_a4_210x297mm","iso_a3_297x420mm","iso_a5_148x210mm"
      ATTR keyword media-source-supported "auto","tray-1","tray-2"
      """
    let file = try person.document(Array(recording.utf8), "names.conf")
    let simulation = try await person.simulate("like", "--like", file)
    let plan = try await person.airprint(
      "print", "-d", simulation.uri, "--dry-run", try person.document(PageShape.a4.landmarks()))
    #expect(plan.code == 0 && plan.stdout.contains("A4 (tray-1) is loaded"), "\(plan.report)")
    #expect(plan.stdout.contains("also loaded: A3"), "\(plan.report)")
    _ = await simulation.end()
  }

  /// HP's printers list the sizes on which they print one side.
  @Test func `it prints only what the original combines`() async throws {
    let person = try await Person.anybody()
    let recording = """
      ATTR keyword sides-supported "one-sided","two-sided-long-edge","two-sided-short-edge"
      ATTR keyword sides-default "two-sided-long-edge"
      ATTR keyword urf-supported "V1.4","W8","DM1","RS300"
      ATTR keyword media-ready "iso_a5_148x210mm"
      ATTR keyword media-supported "iso_a4_210x297mm","iso_a5_148x210mm"
      ATTR keyword media-source-supported "tray-1"
      ATTR collection job-constraints-supported { MEMBER nameWithoutLanguage resolver-name "sizes"
        MEMBER keyword sides "two-sided-long-edge","two-sided-short-edge"
        MEMBER keyword media "iso_a5_148x210mm" }
      ATTR collection job-resolvers-supported { MEMBER nameWithoutLanguage resolver-name "sizes"
        MEMBER keyword sides "one-sided" }
      """
    let file = try person.document(Array(recording.utf8), "combined.conf")
    let simulation = try await person.simulate("like", "--like", file)
    let page = PDF.Page(width: 420, height: 595, marks: [PDF.corner])
    let pages = try person.document(PDF(pages: [page, page]).bytes)
    let plan = try await person.airprint("print", "-d", simulation.uri, "--dry-run", pages)
    #expect(
      plan.code == 0 && plan.stdout.contains("can't combine two-sided-long-edge with A5"),
      "\(plan.report)")
    let printed = try await person.airprint("print", "-d", simulation.uri, pages)
    #expect(printed.code == 0 && !printed.stderr.contains("ignores"), "\(printed.report)")
    #expect(try simulation.job(1, of: "like").pages == 2)

    let check = try await person.airprint("check", "-d", simulation.uri, pages)
    #expect(check.code == 0 && check.stdout == plan.stdout, "\(check.report)")

    // The printer says beforehand what it would say to the job.
    let asked = try await person.airprint(
      "print", "-d", simulation.uri, "--dry-run", "--ask", "--sides", "long", "--force", pages)
    #expect(asked.code == 0 && asked.stderr.contains("ignores sides"), "\(asked.report)")
    let refused = try await person.airprint(
      "print", "-d", simulation.uri, "--dry-run", "--ask", "--sides", "long", "--force", "--strict",
      pages)
    #expect(refused.code == 76 && refused.stdout.isEmpty, "\(refused.report)")
    #expect(throws: (any Error).self) { try simulation.job(2, of: "like") }

    let typed = try await person.airprint("print", "-d", simulation.uri, "--sides", "long", pages)
    #expect(typed.code == 64 && typed.stderr.contains("--sides: "), "\(typed.report)")
    // What was typed is sent with --force; the printer substitutes it, or with --strict refuses the job.
    let forced = try await person.airprint(
      "print", "-d", simulation.uri, "--sides", "long", "--force", pages)
    #expect(forced.code == 0 && forced.stderr.contains("ignores sides"), "\(forced.report)")
    let strict = try await person.airprint(
      "print", "-d", simulation.uri, "--sides", "long", "--force", "--strict", pages)
    #expect(strict.code == 76 && strict.stderr.contains("sides"), "\(strict.report)")
    _ = await simulation.end()
  }

  /// Its ink is not used up, although a recorded level is 0, and a container of waste is empty at 0.
  @Test func `it prints like a printer that reports no paper`() async throws {
    let person = try await Person.anybody()
    let recording = """
      ATTR keyword media-default "iso_a4_210x297mm"
      ATTR keyword media-supported "na_letter_8.5x11in","iso_a4_210x297mm"
      ATTR keyword media-source-supported "auto","tray-1"
      ATTR nameWithoutLanguage marker-names "Black","Waste Box"
      ATTR keyword marker-types "toner","waste-toner"
      ATTR integer marker-levels 0,0
      """
    let file = try person.document(Array(recording.utf8), "silent.conf")
    let simulation = try await person.simulate("like", "--like", file)
    let shown = try await person.airprint("show", simulation.uri, "--json")
    #expect(try shown.json.ready?.array == [], "\(shown.report)")
    #expect(try shown.json.stateReasons?.array == [.string("toner-low-warning")], "\(shown.report)")
    let printed = try await person.airprint(
      "print", "-d", simulation.uri, try person.document(PageShape.a4.landmarks()))
    #expect(printed.code == 0 && printed.stderr.contains("1 page on A4"), "\(printed.report)")
    #expect(!printed.stderr.contains("load"), "\(printed.report)")
    _ = await simulation.end()
  }

  /// The suites were written for cupsd; features that a printer does not have are skipped.
  @Test func `it passes CUPS' suites for IPP 1.1 and 2.0`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let folder = person.path("suite")
    let suites = "/usr/share/cups/ipptool"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    for name in ["ipp-1.1.test", "ipp-2.0.test"] {
      try FileManager.default.copyItem(atPath: "\(suites)/\(name)", toPath: "\(folder)/\(name)")
    }
    for name in ["document-a4.pdf", "document-letter.pdf"] {
      try PDF(pages: [name.contains("a4") ? .a4() : .letter()]).bytes.write(to: "\(folder)/\(name)")
    }
    for name in ["document-a4.ps", "document-letter.ps"] {
      try Array("%!PS".utf8).write(to: "\(folder)/\(name)")
    }
    for name in ["color.jpg", "gray.jpg"] {
      try Picture(width: 300, height: 200, black: (50, 50)).jpeg().write(to: "\(folder)/\(name)")
    }
    let raster = "\(folder)/page.pwg"
    let rendered = try await person.airprint(
      "render", try person.document(PDF(pages: [.a4()]).bytes), "-o", raster, "--paper", "A4",
      "--color", "gray")
    #expect(rendered.code == 0, "\(rendered.report)")
    let outcome = try await person.bench.run(
      ["ipptool", "-tf", raster, simulation.uri, "\(folder)/ipp-2.0.test"])
    let failed = outcome.stdout.split(separator: "\n").filter { $0.contains("[FAIL]") }
    #expect(failed.isEmpty, "\(outcome.report)")
    #expect(outcome.stdout.contains("Required Printer Description Attributes    [PASS]"))
    _ = await simulation.end()
  }
}

extension PageShape {
  static let a4 = PageShape(595.276, 841.89)
}
