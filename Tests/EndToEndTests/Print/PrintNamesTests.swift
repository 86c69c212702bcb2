import Glibc
import TestSupport
import Testing

/// The job's name, which people read on the printer's display and in its log.
@Suite(.inTurn) struct PrintNamesTests {
  @Test func `a file's job has the last part of its path for a name`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let job = try await person.job(
      at: printer, PDF(title: "Not this").bytes, "--format", "pdf", name: "Rechnung für Zoë.pdf")
    #expect(job["job-name"] == "Rechnung für Zoë.pdf")
    #expect(job["document-name-supplied"] == "Rechnung für Zoë.pdf")
    // The name is the same everywhere.
    let jobs = try await person.airprint("jobs", "--json").json.array
    #expect(jobs?.map { $0.name } == [.string("Rechnung für Zoë.pdf")])
    await printer.stop()
  }

  /// Swift repairs names, and would find `m\u{FFFD}.pdf` for `m\xff.pdf` (apple/cups#4534).
  @Test func `a file whose name is not UTF-8 is printed, and not another one`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let other = try person.document(Array("another file".utf8), "m\u{FFFD}.pdf")
    let file = try person.document(PDF().bytes, "mine.pdf")
    let folder = "\(person.folder)/documents"
    let script =
      "mv \"$2\" \"$1/m\"$'\\xff.pdf'; exec \"$3\" print -d \"$4\" --json \"$1/m\"$'\\xff.pdf'"
    let command = [
      "bash", "-c", script, "bash", folder, file, try locate("airprint"), printer.uri,
    ]
    let printed = try await person.bench.run(command, adding: person.variables)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printed.json.file == .string(other), "its name, repaired")
    let gone = "exec \"$1\" print -d \"$2\" \"$3/n\"$'\\xff.pdf'"
    _ = try person.document(PDF().bytes, "n\u{FFFD}.pdf")
    let refused = try await person.bench.run(
      ["bash", "-c", gone, "bash", try locate("airprint"), printer.uri, folder],
      adding: person.variables)
    #expect(refused.code == 66, "\(refused.report)")
    await printer.stop()
  }

  @Test func `a name that is not UTF-8 is told repaired, and is none of a file that is written`()
    async throws
  {
    let person = try await Person.anybody()
    let folder = "\(person.folder)/documents"
    let file = try person.document(PDF().bytes, "mine.pdf")
    func run(_ words: String) async throws -> Outcome {
      let script = "ln -f mine.pdf m$'\\xff.pdf'; exec \"$1\" \(words)"
      return try await person.bench.run(
        ["bash", "-c", "cd \"$0\"; \(script)", folder, try locate("airprint")],
        adding: person.variables)
    }
    for (words, code, sentence) in [
      ("check m$'\\xff.pdf'", 0, "m\u{FFFD}.pdf: "),
      ("queue add m$'\\xff.pdf'", 0, "/m\u{FFFD}.pdf ("),
      ("render mine.pdf -o n$'\\xff.pdf'", 73, "n\u{FFFD}.pdf can't be written: its name is not"),
      ("render mine.pdf --output=m$'\\xff.pdf'", 73, "m\u{FFFD}.pdf can't be written: its name"),
      ("preview mine.pdf -o m$'\\xff.pdf'", 73, "m\u{FFFD}.pdf can't be written: its name is not"),
      ("simulate -o n$'\\xff.pdf' --exec true", 73, "n\u{FFFD}.pdf can't be written: its name"),
    ] as [(String, Int32, String)] {
      let outcome = try await run(words)
      #expect(outcome.code == code && outcome.report.contains(sentence), "\(outcome.report)")
      #expect(!outcome.report.contains("/proc/"), "\(outcome.report)")
    }
    #expect(try bytes(of: file) == PDF().bytes)
    #expect(!exists("\(folder)/m\u{FFFD}.pdf") && !exists("\(folder)/n\u{FFFD}.pdf"))
  }

  @Test func `standard input has the PDF's title for a name`() async throws {
    let name = try await name(of: PDF(title: "Bericht 印刷").bytes)
    #expect(name == "Bericht 印刷")
  }

  @Test func `standard input without a title is named by host and time`() async throws {
    let name = try #require(try await name(of: PDF().bytes))
    var buffer = [CChar](repeating: 0, count: 256)
    gethostname(&buffer, 255)
    let host = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self)
    let parts = name.split(separator: " ").map(String.init)
    #expect(parts.prefix(2) == ["stdin", host])
    #expect(parts.count == 3 && parts[2].contains(":") && parts[2].first?.isNumber == true)
  }

  @Test func `a title that was typed wins`() async throws {
    #expect(try await name(of: PDF(title: "Other").bytes, "-t", "Mine") == "Mine")
  }

  @Test(arguments: [
    ("\u{1B}]0;red\u{7}\nline\ttab\u{85}\u{2028}end", "]0;red line tab end"),
    // 254 bytes, because half an é is not a character.
    (String(repeating: "é", count: 300), String(repeating: "é", count: 127)),
    ("x" + String(repeating: "é", count: 300), "x" + String(repeating: "é", count: 127)),
    ("\u{1}\u{2}", "untitled"),
  ])
  func `a name has no controls, and 255 bytes at most`(
    _ title: String, _ expected: String
  ) async throws {
    #expect(try await name(of: PDF().bytes, "--title", title) == expected)
    #expect(try await name(of: PDF(title: title).bytes) == expected)
  }

  @Test func `a file's name is cleaned too, on the terminal as at the printer`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes, "a\u{1B}]0;owned\u{7}\nb.pdf")
    let session = try person.terminal("print", "-d", printer.uri, "--format", "pdf", file)
    #expect(await session.end().code == 0, "\(session.screen.text)")
    let written = String(decoding: session.program.output, as: UTF8.self)
    #expect(!written.contains("\u{1B}]0;") && !written.contains("\u{7}"))
    #expect(try printer.jobs().map { $0["job-name"] } == ["a]0;owned b.pdf"])
    await printer.stop()
  }

  /// Returns the name that a printer receives for a document from standard input.
  private func name(of document: [UInt8], _ options: String...) async throws -> String? {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let printed = try await person.airprint(
      ["print", "-d", printer.uri, "--format", "pdf"] + options, input: document)
    #expect(printed.code == 0, "\(printed.report)")
    let name = try printer.jobs().first?["job-name"]
    await printer.stop()
    return name
  }
}
