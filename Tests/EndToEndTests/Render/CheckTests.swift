import TestSupport
import Testing

/// `check`: tests and describes a document without contacting a printer.
@Suite(.inTurn) struct CheckTests {
  @Test func `what files are`() async throws {
    let person = try await Person.anybody()
    let picture = Picture(width: 300, height: 200, black: (3, 2))
    let files = [
      try person.document(PDF(pages: [.a4(), .a4()], title: "Report").bytes, "report.pdf"),
      try person.document(try picture.png(), "picture.png"),
      try person.document(try picture.jpeg(), "no-suffix"),
      try person.document(picture.gif(), "wrong.pdf"),
    ]
    let checked = try await person.airprint(["check", "--json"] + files)
    #expect(checked.code == 0, "\(checked.report)")
    let reports = try #require(try checked.json.array)
    #expect(reports.map { $0.file } == files.map { .string($0) })
    // The type comes from the content, whatever the name.
    #expect(
      reports.map { $0.mediaType?.string }
        == ["application/pdf", "image/png", "image/jpeg", "image/gif"])
    // None is a photo, because no camera produces so few pixels.
    #expect(reports.map { $0.pages?.number } == [2, 1, 1, 1])
    #expect(reports.map { $0.type?.string } == ["document", "document", "document", "document"])
    #expect(reports.map { $0.title?.string } == ["Report", nil, nil, nil])
    #expect(reports.allSatisfy { $0.exitCode == .number(0) && $0.message == .null })
    let size = try #require(reports[0].pageSizes?.array?.first)
    #expect(size.keys == ["width", "height"])
    #expect(size.width?.number.map { ($0 * 100).rounded() } == 59_528)
    #expect(reports[0].pageSizes?.array?.count == 2)

    let words = try await person.airprint("check", files[0])
    #expect(
      words.stdout == "\(files[0]): application/pdf, 2 pages of A4, prints as document\n")
    #expect(words.stderr.isEmpty)
  }

  @Test func `text is on the region's sheet, as Markdown is`() async throws {
    let person = try await Person.anybody()
    let text = try person.document(Array("Text\n".utf8), "a.txt")
    let markdown = try person.document(Array("# Text\n".utf8), "a.md")
    for (locale, sheet) in [("en_US.UTF-8", "Letter"), ("de_DE.UTF-8", "A4")] {
      let checked = try await person.airprint("check", text, markdown, adding: ["LC_ALL": locale])
      let lines = checked.stdout.split(separator: "\n")
      #expect(lines.count == 2, "\(checked.report)")
      #expect(lines.allSatisfy { $0.contains("1 page of \(sheet),") }, "\(checked.report)")
      #expect(lines.last?.contains("text/markdown,") == true, "\(checked.report)")
    }
  }

  @Test func `standard input too`() async throws {
    let person = try await Person.anybody()
    let checked = try await person.airprint("check", "-", "--json", input: PDF().bytes)
    #expect(checked.code == 0, "\(checked.report)")
    #expect(try checked.json.array?.first?.mediaType == .string("application/pdf"))
  }

  /// Since librsvg 2.55, tiles are drawn; the result is the same for `check` and `render`, drawn or not.
  @Test func `a drawing that can't be drawn is refused as it is when it is printed`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(
      Array(
        """
        <svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'><filter id='f'>
        <feFlood x='0' y='0' width='20' height='20' flood-color='red'/>
        <feOffset x='0' y='0' width='30' height='30'/><feTile/></filter>
        <rect x='20' y='20' width='50' height='50' filter='url(#f)'/></svg>
        """.utf8), "tiles.svg")
    let checked = try await person.airprint("check", file)
    let drawn = try await person.airprint("render", file, "-o", person.path("out.pwg"))
    #expect(checked.code == drawn.code, "\(checked.report) \(drawn.report)")
  }

  @Test(arguments: ["-q", "--verbose", "--json"])
  func `a flag may stand before the command`(_ flag: String) async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    let after = try await person.airprint("check", flag, file)
    let before = try await person.airprint(flag, "check", file)
    #expect(before.code == after.code && before.stdout == after.stdout, "\(before.report)")
    let listed = try await person.airprint(flag, "queue", "list")
    #expect(listed.code == 0, "\(listed.report)")
    let unknown = try await person.airprint(flag, "queue", "lst")
    #expect(unknown.stderr.contains("did you mean \"list\"?"), "\(unknown.report)")
    if flag == "-q" {
      let drawn = try await person.airprint("-q", "render", file, "-o", person.path("out.pwg"))
      #expect(drawn.code == 0, "\(drawn.report)")
    }
  }

  @Test(arguments: PrintRefusalsTests.documents.map(\.name))
  func `65: what can't be printed`(_ name: String) async throws {
    let document = try #require(PrintRefusalsTests.documents.first { $0.name == name })
    let person = try await Person.anybody()
    let file = try person.document(document.bytes, name)
    let checked = try await person.airprint("check", "--json", file)
    #expect(checked.code == 65, "\(checked.report)")
    let report = try #require(try checked.json.array?.first)
    #expect(report.exitCode == .number(65))
    #expect(report.message?.string?.isEmpty == false)
    let words = try await person.airprint("check", file)
    #expect(words.code == 65 && words.stdout.isEmpty)
    #expect(words.stderr.contains(name) && words.stderr.contains(document.words))
  }

  /// Its content is a page of 100,000 x 100,000 dots (ITU-T T.88 §7.4.8).
  private static var huge: RawPDF {
    let edge: [UInt8] = [0, 1, 0x86, 0xA0]
    let page: [UInt8] =
      [0, 0, 0, 0, 0x30, 0, 1, 0, 0, 0, 19] + edge + edge + Array(repeating: 0, count: 11)
    return RawPDF().with { $0.stream(4, "/Filter /JBIG2Decode", page) }
  }

  /// The pages' sizes are known, but the content of some unpacks to a picture of more than a gigabyte.
  @Test func `a PDF of which no page can be drawn is refused as it is when it is printed`()
    async throws
  {
    let person = try await Person.anybody()
    let two = Self.huge.with {
      $0.add(2, "<< /Type /Pages /Count 2 /Kids [3 0 R 5 0 R] >>")
      $0.add(5, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Resources << >> >>")
    }
    for (document, code) in [(Self.huge, 65), (two, 0)] as [(RawPDF, Int32)] {
      let file = try person.document(document.bytes, "huge.pdf")
      let checked = try await person.airprint("check", file)
      #expect(checked.code == code, "\(checked.report)")
      #expect(checked.stderr.contains("Page 1 can't be drawn"), "\(checked.report)")
      let drawn = try await person.airprint("render", file, "-o", person.path("out.pwg"))
      #expect(drawn.code == code, "\(drawn.report)")
    }
  }

  @Test func `later pages that can't be drawn are named`() async throws {
    let person = try await Person.anybody()
    let pages = Self.huge.with {
      $0.add(2, "<< /Type /Pages /Count 4 /Kids [5 0 R 6 0 R 3 0 R 7 0 R] >>")
      for number in 5...7 {
        $0.add(
          number, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Resources << >> >>")
      }
    }
    let file = try person.document(pages.bytes, "third.pdf")
    let checked = try await person.airprint("check", file)
    #expect(checked.code == 0, "\(checked.report)")
    #expect(checked.stderr.contains("Page 3 is left blank"), "\(checked.report)")
  }

  @Test func `66: what can't be read; the worst of several counts`() async throws {
    let person = try await Person.anybody()
    let good = try person.document(PDF().bytes, "good.pdf")
    let empty = try person.document([], "empty.pdf")
    #expect(try await person.airprint("check", "missing.pdf").code == 66)
    #expect(try await person.airprint("check", person.folder).code == 66)
    let several = try await person.airprint("check", "--json", "missing.pdf", good, empty)
    #expect(several.code == 65, "\(several.report)")
    #expect(
      try several.json.array?.map { $0.exitCode } == [66, 0, 65].map { .number($0) })
  }

  @Test func `with a printer, an array of the same keys, and its plan`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.simulate("laser")
    let good = try person.document(PDF().bytes, "good.pdf")
    let files = ["missing.pdf", good]
    let alone = try #require(try await person.airprint(["check", "--json"] + files).json.array)
    let checked = try await person.airprint(["check", "--json", "-d", printer.uri] + files)
    #expect(checked.code == 66, "\(checked.report)")
    let reports = try #require(try checked.json.array)
    #expect(reports.map(\.keys) == alone.map(\.keys))
    #expect(reports.map(\.exitCode) == [.number(66), .number(0)], "\(checked.report)")
    #expect(reports[0].plan == .null && reports[1].plan?.uri == .string(printer.uri))
    _ = await printer.end()
    let away = try await person.airprint(["check", "--json", "-d", "Nobody"] + files)
    #expect(try away.json.reason == .string("unknown-printer"), "\(away.report)")
  }

  @Test func `64: nothing to check`() async throws {
    let person = try await Person.anybody()
    let checked = try await person.airprint("check")
    #expect(checked.code == 64, "\(checked.report)")
  }

  @Test func `--formats lists every media type and what reads it`() async throws {
    let person = try await Person.anybody()
    let listed = try await person.airprint("check", "--formats", "--json")
    #expect(listed.code == 0)
    let formats = try #require(try listed.json.array)
    #expect(formats.allSatisfy { $0.keys == ["mediaType", "reader"] })
    let types = formats.compactMap { $0.mediaType?.string }
    for type in ["application/pdf", "image/jpeg", "image/png", "image/gif"] {
      #expect(types.contains(type))
    }
    let table = try await person.airprint("check", "--formats")
    #expect(table.stdout.split(separator: "\n").count == formats.count)
  }
}
