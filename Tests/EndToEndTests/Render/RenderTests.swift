import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `render`: the bytes that would be sent.
@Suite(.inTurn) struct RenderTests {
  @Test(arguments: ["render", "preview", "check", "print"])
  func `it says more with --verbose`(_ command: String) async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    let others = [
      "render": ["-o", person.path("out.pwg")], "preview": ["-o", person.path("out.png")],
      "print": ["--dry-run", "-d", "ipp://127.0.0.1:9/"],
    ]
    let outcome = try await person.airprint([command, "-v", file] + (others[command] ?? []))
    #expect(outcome.code == (command == "print" ? 69 : 0), "\(outcome.report)")
  }

  @Test(arguments: [
    ("page.urf", "UNIRAST"), ("page.pwg", "RaS2"), ("page", "RaS2"), ("page.pdf", "%PDF"),
    ("page.jpg", "\u{FF}"), ("page.PDF", "%PDF"), ("page.jpeg", "\u{FF}"),
  ])
  func `the format is the suffix's, else PWG Raster`(
    _ name: String, _ start: String
  ) async throws {
    let person = try await Person.anybody()
    let output = person.path(name)
    let rendered = try await person.airprint(
      "render", try person.document(PDF(pages: [.a4()]).bytes), "-o", output, "--resolution", "75")
    #expect(rendered.code == 0, "\(rendered.report)")
    #expect(rendered.stderr.contains("Wrote \(output)"))
    let head = try bytes(of: output).prefix(7)
    #expect(head.starts(with: start.unicodeScalars.map { UInt8($0.value) }), "\(head)")
  }

  @Test(arguments: ["page.png", "page.TIF", "page.webp"])
  func `a picture's suffix is refused, and preview is named`(_ name: String) async throws {
    let person = try await Person.anybody()
    let rendered = try await person.airprint(
      "render", try person.document(PDF(pages: [.a4()]).bytes), "-o", person.path(name))
    #expect(rendered.code == 64, "\(rendered.report)")
    #expect(rendered.stderr.contains("-o \(name): render writes"), "\(rendered.report)")
    #expect(rendered.stderr.contains("airprint preview"), "\(rendered.report)")
    #expect(!exists(person.path(name)))
  }

  @Test func `with --verbose it says how it draws`() async throws {
    let person = try await Person.anybody()
    let rendered = try await person.airprint(
      "render", "--verbose", try person.document(PDF(pages: [.a4()]).bytes), "-o",
      person.path("page.pwg"))
    #expect(rendered.code == 0, "\(rendered.report)")
    #expect(rendered.stderr.contains("render: 1 side as image/pwg-raster"), "\(rendered.report)")
  }

  @Test func `without a printer it is the region's paper, without margins, at 300 dpi`()
    async throws
  {
    let person = try await Person.anybody()
    let file = try person.document(PDF(pages: [.a4()]).bytes)
    for (locale, width, height) in [("de_DE.UTF-8", 2480, 3507), ("en_US.UTF-8", 2550, 3300)] {
      let rendered = try await person.airprint(
        ["render", file, "-o", person.path("page.pwg"), "--color", "gray"],
        adding: ["LC_ALL": locale])
      #expect(rendered.code == 0, "\(rendered.report)")
      let sheet = try #require(try Sheet.read(person.path("page.pwg")).first)
      #expect(sheet.resolution == 300 && sheet.bytesPerPixel == 1)
      #expect(abs(sheet.width - width) <= 1 && abs(sheet.height - height) <= 1)
    }
    let sheet = try #require(try Sheet.read(person.path("page.pwg")).first)
    #expect(sheet.ink != nil)
  }

  @Test func `text on a roll keeps off its edges, and goes as far as asked margins`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(Array(String(repeating: "MMMM ", count: 40).utf8), "till.txt")
    var lefts: [Double] = []
    for margins in [[], ["--margins", "0"], ["--margins", "2mm"]] {
      let output = person.path("till.pwg")
      let rendered = try await person.airprint(
        ["render", file, "-o", output, "--paper", "80mm"] + margins)
      #expect(rendered.code == 0, "\(rendered.report)")
      lefts.append(try #require(try Sheet.read(output).first?.ink).left)
    }
    // 4 mm, none and 2 mm; a letter has some white before it.
    for (left, margin) in zip(lefts, [11.3, 0, 5.7]) {
      #expect(left > margin - 0.5 && left < margin + 2, "\(lefts)")
    }
  }

  @Test func `paper, pages, resolution, color and sides are print's`() async throws {
    let person = try await Person.anybody()
    let document = PDF(
      pages: [100.0, 200, 300].map { top in
        PDF.Page(
          width: 419.53, height: 595.28, marks: [PDF.Mark(x: 60, y: top, width: 30, height: 30)])
      })
    let output = person.path("pages.pwg")
    let rendered = try await person.airprint(
      "render", try person.document(document.bytes), "-o", output, "--paper", "A5", "-P", "2-",
      "--resolution", "100", "--color", "gray", "--sides", "long", "--sheet-back", "flipped")
    #expect(rendered.code == 0, "\(rendered.report)")
    let sheets = try Sheet.read(output)
    #expect(sheets.map(\.width) == [582, 582])
    #expect(sheets.map(\.resolution) == [100, 100])
    #expect(sheets.map(\.bytesPerPixel) == [1, 1])
    #expect(sheets.allSatisfy { $0.isDuplex && !$0.isTumble })
    let inks = try sheets.map { try #require($0.ink) }
    #expect(inks[0].isAt(60, 200, 30, 30), "\(inks[0])")
    // `flipped`: upside down, a mirror image of the sheet's back as the printer feeds it.
    #expect(inks[1].isAt(60, 595.28 - 330, 30, 30), "\(inks[1])")
  }

  @Test func `without -o it is standard output, but for a terminal`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF(pages: [.a4()]).bytes)
    let piped = try await person.airprint("render", file, "--paper", "60x40mm", "--format", "pdf")
    #expect(piped.code == 0 && piped.output.starts(with: Array("%PDF".utf8)), "\(piped.report)")
    let session = try person.terminal("render", file)
    let shown = await session.end()
    #expect(shown.code == 64 && shown.stdout.contains("-o FILE"), "\(shown.report)")
  }

  @Test func `for a printer it is what the printer gets`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let pdf = PDF(pages: [.a4()]).bytes
    let output = person.path("for-office.urf")
    let rendered = try await person.airprint(
      "render", "-d", printer.uri, try person.document(pdf), "-o", output)
    #expect(rendered.code == 0, "\(rendered.report)")
    #expect(try printer.jobs().isEmpty)
    let job = try await person.job(at: printer, pdf)
    #expect(try bytes(of: output) == job.document)
    await printer.stop()
  }

  @Test func `-o - is standard output, which has nothing else`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF(pages: [.a4()]).bytes)
    let common = ["--resolution", "75", "--format", "urf"]
    let rendered = try await person.airprint(["render", file, "-o", "-"] + common)
    #expect(rendered.code == 0, "\(rendered.report)")
    #expect(rendered.output.starts(with: Array("UNIRAST\0".utf8)))
    #expect(rendered.stderr.isEmpty)
    let piped = try await person.airprint(
      ["render", "-", "-o", "-"] + common, input: PDF(pages: [.a4()]).bytes)
    #expect(piped.output == rendered.output)
  }

  @Test func `a PDF as PDF and a JPEG as JPEG are what they were`() async throws {
    let person = try await Person.anybody()
    let pdf = PDF(pages: [.a4()]).bytes
    let jpeg = try Picture(width: 100, height: 150, black: (9, 9)).jpeg()
    for (document, name) in [(pdf, "same.pdf"), (jpeg, "same.jpg")] {
      let output = person.path(name)
      let rendered = try await person.airprint(
        "render", try person.document(document, name), "-o", output)
      #expect(rendered.code == 0, "\(rendered.report)")
      #expect(try bytes(of: output) == document, "\(name)")
    }
  }

  @Test func `73: an output that can't be written`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    for output in ["/no/such/folder/page.urf", person.folder, "/dev/full"] {
      let rendered = try await person.airprint("render", file, "-o", output)
      #expect(rendered.code == 73, "\(output): \(rendered.report)")
      #expect(rendered.stderr.contains(output))
    }
    #expect(exists("/dev/full"))
  }

  @Test func `65 and 66 leave an output that is there as it was`() async throws {
    let person = try await Person.anybody()
    let output = person.path("kept.urf")
    try [1, 2, 3].write(to: output)
    let locked = try person.document(PDF(isLocked: true).bytes, "locked.pdf")
    for (file, code) in [(locked, 65), ("missing.pdf", 66)] as [(String, Int32)] {
      let rendered = try await person.airprint("render", file, "-o", output)
      #expect(rendered.code == code, "\(rendered.report)")
      #expect(rendered.stderr.contains(file))
    }
    #expect(try bytes(of: output) == [1, 2, 3])
  }

  @Test(arguments: [["-o"], ["-o", "x.urf", "--sheet-back", "sideways"]])
  func `64: an output that is not named, a back that nobody knows`(
    _ options: [String]
  ) async throws {
    let person = try await Person.anybody()
    let rendered = try await person.airprint(
      ["render", try person.document(PDF().bytes)] + options)
    #expect(rendered.code == 64, "\(rendered.report)")
  }

  @Test func `an output that is there is replaced whole, through a link and with its mode`()
    async throws
  {
    let person = try await Person.anybody()
    let (output, link) = (person.path("there.pwg"), person.path("link.pwg"))
    try [UInt8]([1, 2, 3]).write(to: output)
    try #require(chmod(output, 0o600) == 0 && symlink(output, link) == 0)
    let rendered = try await person.airprint(
      "render", try person.document(PDF().bytes), "-o", link)
    #expect(rendered.code == 0, "\(rendered.report)")
    #expect(try bytes(of: output).starts(with: Array("RaS2".utf8)))
    var status = stat()
    #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(output, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let left = try FileManager.default.contentsOfDirectory(atPath: person.folder)
    #expect(!left.contains { $0.hasSuffix(".part") })
  }

  @Test(arguments: ["pwg", "urf", "jpg"])
  func `64: a sheet of more pixels than can be drawn leaves the output alone`(
    _ suffix: String
  ) async throws {
    let person = try await Person.anybody()
    let output = person.path("huge.\(suffix)")
    try [UInt8]([1, 2, 3]).write(to: output)
    let rendered = try await person.airprint(
      "render", try person.document(PDF().bytes), "-o", output, "--paper", "10000x10000mm")
    #expect(rendered.code == 64, "\(rendered.report)")
    #expect(rendered.stderr.contains("--paper"), "\(rendered.stderr)")
    #expect(try bytes(of: output) == [1, 2, 3])
    let left = try FileManager.default.contentsOfDirectory(atPath: person.folder)
    #expect(!left.contains { $0.hasSuffix(".part") })
  }

  @Test func `a raster goes through unchanged in what can be seen`() async throws {
    let person = try await Person.anybody()
    let first = person.path("first.pwg")
    let second = person.path("second.urf")
    let file = try person.document(PDF(pages: [.a4()]).bytes)
    _ = try await person.airprint("render", file, "-o", first, "--resolution", "100")
    let rendered = try await person.airprint("render", first, "-o", second, "--resolution", "100")
    #expect(rendered.code == 0, "\(rendered.report)")
    let ink = try #require(try Sheet.read(second).first?.ink)
    #expect(ink.isAt(72, 144, 72, 72), "\(ink)")
  }
}
