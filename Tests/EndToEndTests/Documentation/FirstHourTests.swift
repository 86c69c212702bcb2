import TestSupport
import Testing

/// Typical commands of people who have not read the manual.
@Suite(.inTurn) struct FirstHourTests {
  @Test func `a file is printed without a command, and nothing typed is where to begin`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes)
    let first = try await person.airprint(file, "-d", printer.uri, "--format", "pdf")
    #expect(first.code == 0, "\(first.report)")
    let later = try await person.airprint("-d", printer.uri, "--format", "pdf", file)
    #expect(later.code == 0, "\(later.report)")
    #expect(try printer.jobs().count == 2)
    let nothing = try await person.airprint("nothing.pdf")
    #expect(
      nothing.code == 66 && nothing.stderr.contains("nothing.pdf: No such file"),
      "\(nothing.report)")
    let bare = try await person.airprint()
    #expect(bare.code == 0 && bare.stdout.contains("airprint pick"), "\(bare.report)")
    #expect(bare.stdout.split(separator: "\n").count < 10)
    await printer.stop()
  }

  @Test func `words of other programs are understood, or answered with ours`() async throws {
    let person = try await Person.anybody()
    let help = try await person.airprint("help", "prnt")
    #expect(help.code == 64 && help.stderr.contains("did you mean \"print\"?"), "\(help.report)")
    let list = try await person.airprint("ls")
    #expect(list.code == 64 && list.stderr.contains("airprint printers"), "\(list.report)")
    #expect(try await person.airprint("-V").code == 0)
    #expect(try await person.airprint("queue", "--json").json == .array([]))
    let printer = try await person.simulate("laser")
    let page = PDF.Page(width: 595, height: 842, marks: [])
    let file = try person.document(PDF(pages: [page, page]).bytes)
    for words in [
      ["--duplex", "--grayscale", "--printer", printer.uri],
      ["--double-sided", "--black-and-white", "--draft", "--fit", "-d", printer.uri],
      ["--sides", "both", "--colour=grey", "-d", printer.uri, "--timeout", "5m"],
      ["--two-sided", "--bw", "--copy", "2", "--source", "main", "-d", printer.uri],
      ["--duplex", "--bw", "--scale", "fit", "--page-range=1-2", "-d", printer.uri],
      ["--doublesided", "--black", "--eco", "-d", printer.uri],
      ["--2-sided", "--no-color", "--best", "-d", printer.uri],
      ["--sides", "double", "--color", "no", "--quality", "eco", "-d", printer.uri],
    ] {
      let plan = try await person.airprint(["print", "--dry-run", "--json"] + words + [file])
      #expect(plan.code == 0, "\(plan.report)")
      #expect(try plan.json.sides == .string("two-sided-long-edge"))
      #expect(try plan.json.colorMode == .string("monochrome"))
      #expect(try plan.json.copies == .number(words.contains("--copy") ? 2 : 1))
    }
    let time = try await person.airprint("print", "-d", printer.uri, "--timeout", "5x", file)
    #expect(time.code == 64 && time.stderr.contains("5m"), "\(time.report)")
    // The same units where printers are searched.
    for (word, isTime) in [("1s", true), ("0.5", true), ("5x", false), ("0", false), ("2h", false)]
    {
      let search = try await person.airprint("discover", "--timeout", word)
      #expect((search.code == 64) != isTime, "\(search.report)")
      #expect(search.stderr.contains("--timeout \(word): takes") != isTime, "\(search.report)")
    }
    _ = await printer.end()
  }

  @Test func `standard input is what --from says, and nothing is fetched from the web`()
    async throws
  {
    let person = try await Person.anybody()
    let receipt = Array("Espresso | 2.40\n".utf8)
    func type(_ word: String) async throws -> JSON? {
      let rendered = try await person.airprint(
        ["render", "-", "--from", word, "-o", person.path("x.pwg"), "--paper", "80mm", "--json"],
        input: receipt)
      #expect(rendered.code == (word == "papyrus" ? 64 : 0), "\(rendered.report)")
      return try word == "papyrus" ? nil : rendered.json.paper?.cutLength
    }
    // Receipts have larger lines than text.
    #expect(try await type("receipt") != type("txt"))
    #expect(try await type("papyrus") == nil)
    let printer = "ipp://localhost:1/ipp/print"
    let saved = try await person.airprint(
      "pick", printer, "--no-contact", "--type", "receipt", "--as", "Till")
    #expect(saved.code == 0, "\(saved.report)")
    let chosen = try await person.airprint(["print", "--from", "receipt"], input: receipt)
    #expect(chosen.stderr.contains("Till does not answer"), "\(chosen.report)")
    #expect(
      chosen.stderr.hasSuffix("--later keeps the document until it is.\n"), "\(chosen.report)")
    let (page, file) = ("https://example.com/", "https://example.com/a.pdf?x=1")
    let fetched = "d=$(mktemp -d); wget -qEkp -nd -P \"$d\" \(page); airprint"
    let index = "\"$d\"/index.html\n"
    for (command, words) in [
      (["print", "-d", printer, page], "\(fetched) print \(index)"),
      ([page], "\(fetched) print \(index)"),
      (["print", file], "| airprint print\n"), (["check", page], "airprint check \(index)"),
      (["preview", file], "curl -fsSLO 'https://example.com/a.pdf?x=1'\n"),
      (["queue", "add", page], "airprint queue add \(index)"),
    ] {
      let refused = try await person.airprint(command)
      #expect(refused.code == 64 && refused.stderr.contains(words), "\(refused.report)")
    }
  }

  @Test func `an address is a printer, encrypted if it can be`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.simulate("laser")
    let shown = try await person.airprint("show", "localhost:\(printer.port)", "--json")
    #expect(shown.code == 0, "\(shown.report)")
    #expect(try shown.json.uri == .string("ipps://localhost:\(printer.port)/ipp/print"))
    let pathless = try await person.airprint("show", "ipp://localhost:\(printer.port)", "--json")
    #expect(try pathless.json.uri == .string("ipp://localhost:\(printer.port)/ipp/print"))
    let picked = try await person.airprint("pick", "127.0.0.1:\(printer.port)", "--json")
    #expect(picked.code == 0, "\(picked.report)")
    #expect(try picked.json.name == .string(printer.name), "\(picked.report)")
    _ = await printer.end()
    let port = try freePort()
    let gone = try await person.airprint("show", "127.0.0.1:\(port)")
    #expect(gone.code == 69, "\(gone.report)")
    let tried = ["ipps", "ipp"].map { "\($0)://127.0.0.1:\(port)/ipp/print" }
    let sentence =
      "Tried \(tried[0]) and \(tried[1]) (127.0.0.1 refuses connections on port \(port))."
    #expect(gone.stderr.contains(sentence), "\(gone.report)")
  }

  @Test func `a printer that only speaks without encryption is found at its address`() async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let place = printer.uri.split(separator: "/")[1]
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint(
      "print", "-d", String(place), "--format", "pdf", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printer.jobs().count == 1)
    await printer.stop()
  }

  @Test func `somebody at a terminal is asked whether a file is to be printed later`() async throws
  {
    let person = try await Person.anybody()
    let uri = "ipp://localhost:\(try freePort())/ipp/print"
    let file = try person.document(PDF().bytes)
    let declined = try person.terminal("print", "-d", uri, file)
    try await declined.wait(for: "Print it later")
    declined.type("n\r")
    #expect(await declined.end().code == 69)
    #expect(try await person.airprint("queue", "list", "--json").json == .array([]))
    let agreed = try person.terminal("print", "-d", uri, file)
    try await agreed.wait(for: "Print it later")
    agreed.type(Key.enter)
    #expect(await agreed.end().code == 0)
    let queued = try await person.airprint("queue", "list", "--json").json.array
    #expect(queued?.count == 1)
    #expect(queued?.first?.message?.string?.hasSuffix("did not answer.") == true, "\(queued ?? [])")
    // Several files are not asked about.
    let several = try person.terminal("print", "-d", uri, file, file, columns: 240)
    #expect(await several.end().code == 69)
    #expect(several.screen.text.contains("--later keeps the document"), "\(several.screen.text)")
    let reprinted = try await person.airprint("reprint", file)
    #expect(reprinted.code == 64 && reprinted.stderr.contains("is a file"), "\(reprinted.report)")
  }
}
