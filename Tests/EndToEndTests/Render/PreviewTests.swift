import Glibc
import TestSupport
import Testing

/// `preview`: the pages as they would be printed.
@Suite(.inTurn) struct PreviewTests {
  @Test func `one side is one PNG, at 150 dpi`() async throws {
    let person = try await Person.anybody()
    let output = person.path("page.png")
    let shown = try await person.airprint(
      "preview", try person.document(PDF(pages: [.a4()]).bytes), "-o", output)
    #expect(shown.code == 0, "\(shown.report)")
    #expect(shown.stderr == "Wrote \(output).\n")
    let size = try #require(PNG(try bytes(of: output)))
    #expect(abs(size.width - 1240) <= 1 && abs(size.height - 1754) <= 1, "\(size)")
  }

  @Test func `the paper that is asked for is drawn`() async throws {
    let person = try await Person.anybody()
    let output = person.path("page.png")
    let shown = try await person.airprint(
      "preview", try person.document(PDF(pages: [.a4()]).bytes), "-o", output, "--paper", "A5")
    #expect(shown.code == 0, "\(shown.report)")
    let size = try #require(PNG(try bytes(of: output)))
    #expect(abs(size.width - 874) <= 1 && abs(size.height - 1240) <= 1, "\(size)")
  }

  @Test(arguments: [("receipt", "80 mm roll"), ("postcard", "A6"), ("photo", "10x15")])
  func `without a printer it is the paper that the type is printed on`(
    _ type: String, _ paper: String
  ) async throws {
    let person = try await Person.anybody()
    let isReceipt = type == "receipt"
    let file = try person.document(
      isReceipt ? Array("A till\n".utf8) : PDF(pages: [.a4()]).bytes,
      isReceipt ? "1042.receipt" : "card.pdf")
    let drawn = try await person.airprint(
      ["render", file, "-o", person.path("sheet.pwg"), "--type", type], adding: ["LC_ALL": "de_DE"])
    #expect(drawn.code == 0, "\(drawn.report)")
    #expect(drawn.stderr.contains(", \(paper)."), "\(drawn.stderr)")
  }

  @Test(arguments: ["preview", "render"])
  func `what is lost on the sheet is said, as print says it`(_ command: String) async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF(pages: [.a4()]).bytes)
    let shown = try await person.airprint(
      command, file, "-o", person.path("label.pdf"), "--type", "label", "--paper", "62x100mm")
    #expect(shown.code == 0, "\(shown.report)")
    #expect(shown.stderr.contains("larger"), "\(shown.stderr)")
  }

  @Test func `several sides are numbered, and JSON names them`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF(pages: [.a4(), .a4(), .a4()]).bytes)
    let shown = try await person.airprint(
      "preview", file, "-o", person.path("page.png"), "-P", "1,3", "--json")
    #expect(shown.code == 0, "\(shown.report)")
    let names = (1...2).map { person.path("page-\($0).png") }
    #expect(try shown.json.strings == names)
    for name in names { #expect(PNG(try bytes(of: name)) != nil) }
    #expect(!exists(person.path("page.png")) && !exists(person.path("page-3.png")))
  }

  @Test func `a PDF holds all sides`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF(pages: [.a4(), .a4()]).bytes)
    let output = person.path("pages.pdf")
    let shown = try await person.airprint("preview", file, "-o", output)
    #expect(shown.code == 0, "\(shown.report)")
    let report = try await person.airprint("check", "--json", output).json.array?.first
    #expect(report?.mediaType == .string("application/pdf"))
    #expect(report?.pages == .number(2))
    #expect(report?.pageSizes?.array?.first?.width?.number?.rounded() == 595)
  }

  @Test func `the margins of the printer are tinted`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF(pages: [.a4([])]).bytes)
    let (with, without) = (person.path("with.png"), person.path("without.png"))
    for (output, options) in [(with, ["-d", printer.uri]), (without, [])] {
      let shown = try await person.airprint(["preview", file, "-o", output] + options)
      #expect(shown.code == 0, "\(shown.report)")
    }
    // A blank page with a tinted edge is different from a blank page without a printer.
    #expect(try bytes(of: with) != bytes(of: without))
    #expect(try printer.jobs().isEmpty)
    await printer.stop()
  }

  @Test func `the printer that print would take is drawn for, and not asked`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let picked = try await person.airprint("pick", printer.uri)
    #expect(picked.code == 0, "\(picked.report)")
    let file = try person.document(PDF(pages: [.a4([])]).bytes)
    func shown(_ options: String...) async throws -> [UInt8] {
      let output = person.path("page.png")
      let shown = try await person.airprint(["preview", file, "-o", output] + options)
      #expect(shown.code == 0, "\(shown.report)")
      return try bytes(of: output)
    }
    let asked = try await shown("-d", printer.uri)
    await printer.stop()
    #expect(try await shown() == asked)
    #expect(try await shown("--no-printer") != asked)
  }

  @Test func `the name decides, and without one it is the document's`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF(pages: [.a4()]).bytes, "report.v2.pdf")
    let shown = try await person.shell(
      "cd '\(person.folder)' && \"$airprint\" preview '\(file)' && \"$airprint\" preview '\(file)' -o page.jpg"
    )
    #expect(shown.code == 0, "\(shown.report)")
    #expect(shown.stderr == "Wrote report.v2-preview.png.\nWrote page.jpg.\n")
    // 150 dots per inch are 5906 per meter.
    let png = try bytes(of: person.path("report.v2-preview.png"))
    #expect(
      Array(png[33..<50])
        == [0, 0, 0, 9] + Array("pHYs".utf8) + [0, 0, 0x17, 0x12, 0, 0, 0x17, 0x12, 1],
      "\(png[33..<58])")
    let jpeg = try bytes(of: person.path("page.jpg"))
    #expect(jpeg.starts(with: [0xFF, 0xD8]) && Array(jpeg[13..<18]) == [1, 0, 150, 0, 150])
  }

  @Test func `a receipt is as long as its content`() async throws {
    let person = try await Person.anybody()
    let page = PDF.Page(
      width: 204.1, height: 600, marks: [PDF.Mark(x: 0, y: 0, width: 100, height: 141.7)])
    let output = person.path("receipt.png")
    let shown = try await person.airprint(
      "preview", try person.document(PDF(pages: [page]).bytes), "-o", output, "--type", "receipt",
      "--paper", "80mm")
    #expect(shown.code == 0, "\(shown.report)")
    // 80 by 50 mm at 150 dpi.
    let size = try #require(PNG(try bytes(of: output)))
    #expect(abs(size.width - 472) <= 1 && (290...310).contains(size.height), "\(size)")
  }

  @Test func `-o - is standard output; 73 what can't be written`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    let piped = try await person.airprint("preview", file, "-o", "-")
    #expect(piped.code == 0, "\(piped.report)")
    #expect(PNG(piped.output) != nil && piped.stderr.isEmpty)
    let told = try await person.airprint("preview", file, "-o", "-", "--json")
    #expect(told.output == piped.output, "\(told.output.suffix(40))")
    let long = try person.document(PDF(pages: [.a4(), .a4()]).bytes, "long.pdf")
    let both = try await person.shell(
      "cd \(person.path("documents")); \"$airprint\" preview long.pdf -o -")
    #expect(both.code == 64 && both.output.isEmpty, "\(both.report)")
    #expect(both.stderr.contains("there are 2 sides"), "\(both.report)")
    #expect(access(person.path("documents/--1"), F_OK) != 0)
    let one = try await person.airprint("preview", long, "-o", "-", "--pages", "2")
    #expect(one.code == 0 && PNG(one.output) != nil, "\(one.report)")
    let folder = person.path("documents")
    for output in [folder, folder + "/"] {
      let inside = try await person.airprint("preview", long, "-o", output, "--json")
      let names = (1...2).map { JSON.string("\(folder)/long-preview-\($0).png") }
      #expect(try inside.json.array == names, "\(inside.report)")
    }
    let lost = try await person.airprint("preview", file, "-o", "/no/such/folder/page.png")
    #expect(lost.code == 73, "\(lost.report)")
  }
}

/// The size in a PNG's header; nil for other files.
private struct PNG {
  var width: Int
  var height: Int

  init?(_ bytes: [UInt8]) {
    guard bytes.count > 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    else { return nil }
    func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    (width, height) = (number(16), number(20))
  }
}
