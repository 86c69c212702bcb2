import TestSupport
import Testing

/// `printers`, `default` and `forget`.
@Suite(.inTurn) struct SavedPrintersTests {
  /// Creates three saved printers, of which one answers.
  private func saved() async throws -> (person: Person, printer: VirtualPrinter) {
    let person = try await Person.anybody()
    let printer = try await person.office()
    _ = try await person.airprint("pick", printer.uri, "--type", "document,photo", "--default")
    for name in ["Alpha", "Beta"] {
      _ = try await person.airprint(
        "pick", "ipp://localhost:9/ipp/\(name)", "--no-contact", "--as", name)
    }
    return (person, printer)
  }

  @Test func `a list, for people and as JSON`() async throws {
    let (person, printer) = try await saved()
    let json = try await person.airprint("printers", "--json")
    #expect(json.code == 0)
    let printers = try #require(try json.json.array)
    #expect(printers.map { $0.name } == ["Alpha", "Beta", "Office"].map { .string($0) })
    for entry in printers {
      #expect(
        entry.keys == [
          "name", "uri", "uuid", "makeAndModel", "location", "types", "default", "assigned",
          "settings", "certificate", "tls", "system",
        ])
      #expect(entry.system == .boolean(false))
    }
    #expect(printers[2].default == .boolean(true))
    #expect(printers[2].assigned?.strings == ["document", "photo"])
    #expect(printers[2].types?.strings == ["document", "photo"])
    let table = try await person.airprint("printers")
    #expect(table.code == 0 && table.stderr.isEmpty)
    #expect(table.stdout.split(separator: "\n").count == 3, "\(table.stdout)")
    #expect(table.stdout.contains("default, document, photo"), "\(table.stdout)")
    await printer.stop()
  }

  @Test func `none is an empty array and 0`() async throws {
    let person = try await Person.anybody()
    let json = try await person.airprint("printers", "--json")
    #expect(json.code == 0)
    #expect(try json.json == .array([]))
    let table = try await person.airprint("printers")
    #expect(table.code == 0 && table.stdout.isEmpty)
    #expect(table.stderr.contains("airprint pick"))
  }

  @Test func `--check contacts each`() async throws {
    let (person, printer) = try await saved()
    let json = try await person.airprint("printers", "--check", "--json")
    #expect(json.code == 0, "\(json.report)")
    let printers = try #require(try json.json.array)
    #expect(
      printers.map { $0.available } == [.boolean(false), .boolean(false), .boolean(true)])
    #expect(printers[2].state == .string("idle"))
    #expect(printers[2].stateReasons == .array([]))
    let table = try await person.airprint("printers", "--check")
    let rows = table.stdout.split(separator: "\n")
    #expect(rows.contains { $0.hasPrefix("Alpha") && $0.contains("does not answer") })
    #expect(rows.contains { $0.hasPrefix("Office") && $0.contains("ready") })
    await printer.stop()
  }

  @Test func `default chooses, for all jobs or for types`() async throws {
    let (person, printer) = try await saved()
    let chosen = try await person.airprint("default", "alpha")
    #expect(chosen.code == 0, "\(chosen.report)")
    #expect(chosen.stderr.contains("Alpha is the default printer now, instead of "))
    let typed = try await person.airprint("default", "Beta", "--type", "photo,label", "--json")
    #expect(typed.code == 0, "\(typed.report)")
    #expect(try typed.json.name == .string("Beta"))
    #expect(try typed.json.default == .boolean(false))
    #expect(try typed.json.types?.strings == ["label", "photo"])
    #expect(try typed.json.takenFrom == .object(["photo": .string("Office")]))
    let printers = try await person.airprint("printers", "--json").json.array ?? []
    #expect(printers.map { $0.default?.bool } == [true, false, false])
    #expect(printers.map { $0.assigned?.strings } == [[], ["label", "photo"], ["document"]])
    await printer.stop()
  }

  @Test func `default shows which printer is used, and forget --type takes a type away`()
    async throws
  {
    let (person, printer) = try await saved()
    #expect(try await person.airprint("default").stdout == "Office\n")
    #expect(try await person.airprint("default", "--type", "photo").stdout == "Office\n")
    let wrong = try await person.airprint("forget", "Alpha", "--type", "photo")
    #expect(wrong.code == 64 && wrong.stderr.contains("Office is"), "\(wrong.report)")
    let taken = try await person.airprint("forget", "Office", "--type", "photo")
    #expect(taken.code == 0, "\(taken.report)")
    #expect(
      taken.stderr
        == "Photos no longer print on Office.\nNo printer is saved for photos now.\n")
    let printers = try await person.airprint("printers", "--json").json.array ?? []
    #expect(
      printers.contains { $0.name == .string("Office") && $0.assigned?.strings == ["document"] })
    await printer.stop()
  }

  @Test func `forget removes a printer and what pointed to it`() async throws {
    let (person, printer) = try await saved()
    let other = try await person.airprint("forget", "--system", "Office")
    #expect(other.code == 64 && other.stderr.contains(": leave --system out."), "\(other.report)")
    let forgotten = try await person.airprint("forget", "Office", "--json")
    #expect(forgotten.code == 0, "\(forgotten.report)")
    let object = try forgotten.json
    #expect(
      object.forgotten == .string("Office") && object.noDefault == .boolean(true), "\(object)")
    #expect(object.types?.strings == ["document", "photo"], "\(object)")
    // Other printers are still saved, and the message lists them.
    let lost = try await person.airprint("print", try person.document(PDF().bytes))
    #expect(lost.code == 69)
    #expect(
      lost.stderr.contains(
        "No default printer. Saved: Alpha, Beta. Use -d NAME, or run airprint default NAME."),
      "\(lost.report)")
    #expect(try await person.airprint("default").code == 69)
    let printers = try await person.airprint("printers", "--json").json.array ?? []
    #expect(printers.map { $0.name } == [.string("Alpha"), .string("Beta")])
    #expect(printers.allSatisfy { $0.default == .boolean(false) && $0.assigned == .array([]) })
    // Only saved printers count: others on the network may have this name.
    let again = try await person.airprint("default", "Office")
    #expect(again.code == 69, "\(again.report)")
    await printer.stop()
  }

  @Test func `69: a name that nobody has, with the nearest; 64: a part of several`() async throws {
    let (person, printer) = try await saved()
    _ = try await person.airprint(
      "pick", "ipp://localhost:9/ipp/x", "--no-contact", "--as", "Alphabet soup")
    let before = person.printersFile
    for command in ["forget", "default"] {
      let unknown = try await person.airprint(command, "Alpa")
      #expect(unknown.code == 69, "\(unknown.report)")
      #expect(unknown.stderr.contains("Alpha"), "\(unknown.stderr)")
      let several = try await person.airprint(command, "alph")
      #expect(several.code == 64)
      #expect(several.stderr.contains("Alpha, Alphabet soup"), "\(several.stderr)")
    }
    // A part of a name is enough for printing, but not for what can't be undone.
    let part = try await person.airprint("forget", "SOUP")
    #expect(part.code == 69, "\(part.report)")
    #expect(part.stderr.contains("Did you mean \"Alphabet soup\"?"), "\(part.stderr)")
    // The variable of a script that is not set.
    for arguments in [
      ["forget", ""], ["show", " "], ["print", "-d", "", "x"], ["print", "-d", ",", "x"],
    ] {
      let empty = try await person.airprint(arguments)
      #expect(empty.code == 64, "\(empty.report)")
      #expect(empty.stderr == "airprint: The printer's name is empty.\n")
    }
    let file = try await person.airprint("print", "-d", "Alpha", "")
    #expect(file.code == 66 && file.stderr == "airprint: The file's name is empty.\n")
    let job = try await person.airprint("cancel", "")
    #expect(job.code == 64 && job.stderr.contains("ID is empty"), "\(job.report)")
    #expect(person.printersFile == before)
    await printer.stop()
  }

  @Test func `a saved printer is meant by name, URI, UUID or a part of its name`() async throws {
    let (person, printer) = try await saved()
    let shown = try await person.airprint("show", "--json").json
    let uuid = try #require(shown.uuid?.string)
    for text in ["Office", "oFFice", "offi", printer.uri, uuid, "urn:uuid:\(uuid)"] {
      let found = try await person.airprint("show", text, "--json")
      #expect(try found.json.saved == .string("Office"), "\(text): \(found.report)")
    }
    await printer.stop()
  }

  @Test func `a stranger at a saved printer's address gets nothing`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    try person.configure(
      """
      default = "Mine"
      [printers.Mine]
      uri = "\(printer.uri)"
      uuid = "12345678-9abc-def0-1234-56789abcdef0"
      """, in: "printers.toml")
    let printed = try await person.airprint("print", try person.document(PDF().bytes))
    #expect(printed.code == 69, "\(printed.report)")
    #expect(printed.stderr.contains("another printer"), "\(printed.stderr)")
    #expect(try printer.jobs().isEmpty)
    await printer.stop()
  }

  @Test func `addresses are listed where there is room, and with --long`() async throws {
    let person = try await Person.anybody()
    let uri = "ipp://localhost:1/ipp/print"
    let saved = try await person.airprint(
      "pick", uri, "--no-contact", "--as", "The printer at the end of the corridor")
    #expect(saved.code == 0, "\(saved.report)")
    for (words, columns, hasAddress) in [
      ([], 60, false), ([], 120, true), (["--long"], 60, true), (["-l"], 60, true),
    ] {
      let session = try person.bench.terminal(
        ["airprint", "printers"] + words, adding: person.variables, columns: columns, rows: 24)
      #expect(await session.end().code == 0)
      #expect(session.screen.text.contains("end of the corridor"), "\(session.screen.text)")
      #expect(session.screen.text.contains("URI") == hasAddress, "\(session.screen.text)")
    }
  }

  @Test func `an entry with only a name and a URI is complete`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    try person.configure(
      "default = \"Imaged\"\n\n[printers.Imaged]\nuri = \"\(printer.uri)\"\n", in: "printers.toml")
    let printed = try await person.airprint(
      "print", "--json", "--format", "pdf", try person.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printed.jsonLines.first?.printer == .string("Imaged"))
    await printer.stop()
  }
}
