import TestSupport
import Testing

/// `print` on a terminal: one progress line, and messages that stay.
@Suite(.inTurn) struct PrintProgressTests {
  @Test func `progress is shown while it prints, and nothing of it is left`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(
      command: "echo 'STATE: +cover-open' >&2; \(person.busy); echo 'STATE: -cover-open' >&2")
    let file = try person.document(PDF().bytes)
    let session = try person.terminal(
      "print", "-d", printer.uri, "--format", "pdf", file, columns: 160)
    try await session.wait(for: "Office: Close the cover.")
    try await session.wait(for: "Office is waiting …")
    try person.finish()
    #expect(await session.end().code == 0)
    let lines = session.screen.lines.filter { !$0.isEmpty }
    #expect(lines.first == "Office: Close the cover.", "\(lines)")
    #expect(lines.last?.contains("1 page on A4.") == true)
    #expect(!session.screen.text.contains("is waiting"))
    #expect(!session.screen.isCursorHidden)
    await printer.stop()
  }

  @Test func `paper that is missing is what the line waits for`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(
      command: "echo 'STATE: +media-empty' >&2; \(person.busy); echo 'STATE: -media-empty' >&2")
    let file = try person.document(PDF().bytes)
    let session = try person.terminal(
      "print", "-d", printer.uri, "--format", "pdf", file, columns: 160)
    try await session.wait(for: "Office is waiting for paper …")
    try person.finish()
    #expect(await session.end().code == 0, "\(session.screen.text)")
    #expect(!session.screen.text.contains("is waiting"), "\(session.screen.text)")
    await printer.stop()
  }

  @Test func `files are counted, and the pages that have come out`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--fault", "media-empty@3")
    let files = try ["one", "two"].map {
      try person.document(PageShape.a5.landmarks(pages: 3), "\($0).pdf")
    }
    let session = try person.terminal(
      "print", "-d", simulation.uri, "--resolution", "300", files[0], files[1], columns: 160)
    try await session.wait(for: "\(simulation.name) is waiting for paper: one.pdf (1 of 2)")
    try await session.wait(for: "2/3")
    let told = try await person.airprint("simulate", "fault", simulation.name, "media-empty@2")
    #expect(told.code == 0, "\(told.report)")
    let cleared = try await person.airprint("simulate", "load", simulation.name, "main=A4")
    #expect(cleared.code == 0, "\(cleared.report)")
    try await session.wait(for: "\(simulation.name) is waiting for paper: two.pdf (2 of 2)")
    try await session.wait(for: "1/3")
    #expect(try await person.airprint("simulate", "clear", simulation.name).code == 0)
    #expect(await session.end().code == 0, "\(session.screen.text)")
    _ = await simulation.end()
  }

  @Test func `warnings are wrapped between words`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--name", "Gray Jet")
    let file = try person.document(PDF().bytes)
    let session = try person.terminal(
      "print", "-d", simulation.uri, "--color", "color", "--resolution", "300", file, columns: 44)
    #expect(await session.end().code == 0, "\(session.screen.text)")
    #expect(
      session.screen.text.contains(
        "--color: Gray Jet can't print in color;\n  printing in gray.\n"),
      "\(session.screen.text)")
    // The queue's too.
    _ = try await person.airprint(
      "queue", "add", "-d", simulation.uri, "--color", "color", "--resolution", "300", file)
    let listing = try person.terminal("queue", "list", columns: 60)
    #expect(await listing.end().code == 0, "\(listing.screen.text)")
    let name = try #require(file.split(separator: "/").last)
    #expect(listing.screen.text.contains(" \(name) "), "\(listing.screen.text)")
    let run = try person.terminal("queue", "run", columns: 44)
    #expect(await run.end().code == 0, "\(run.screen.text)")
    #expect(
      run.screen.text.contains("can't print in\n  color; printing in gray.\n"),
      "\(run.screen.text)")
    _ = await simulation.end()
  }

  @Test func `who waits is told for whom`() async throws {
    let person = try await Person.anybody()
    let door = try Door.silent()
    let session = try person.terminal(
      "print", "-d", door.uri, try person.document(PDF().bytes))
    try await session.wait(for: "Waiting for localhost")
    session.type(Key.interrupt)
    #expect(await session.end().end == .signalled(2))
    #expect(!session.screen.isCursorHidden)
    door.shut()
  }

  @Test func `each state of things is said once`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(
      command: "echo 'STATE: +media-empty' >&2; sleep 3")
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint("print", "-d", printer.uri, "--format", "pdf", file)
    #expect(printed.code == 0, "\(printed.report)")
    let lines = printed.stderr.split(separator: "\n")
    #expect(
      lines.filter { $0 == "Office: The main tray is out of paper: load A4." }.count == 1,
      "\(lines)")
    await printer.stop()
  }

  @Test func `without a terminal there is no line that moves`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--format", "pdf", try person.document(PDF().bytes))
    #expect(!printed.stderr.contains("\r") && !printed.stderr.contains("\u{1B}"))
    #expect(printed.stderr.split(separator: "\n").count == 1, "\(printed.stderr)")
    await printer.stop()
  }

  @Test func `a limit that is set holds on a terminal too`() async throws {
    let person = try await Person.anybody()
    try person.configure("timeout = 1\n")
    let printer = try await person.office(command: person.busy)
    let file = try person.document(PDF().bytes)
    let session = try person.terminal("print", "-d", printer.uri, "--format", "pdf", file)
    #expect(await session.end().code == 75, "\(session.screen.text)")
    await printer.stop()
  }
}
