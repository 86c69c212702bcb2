import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The user's and the system's files, and their precedence.
@Suite(.inTurn) struct SettingsTests {
  @Test(arguments: [
    ("colour = \"gray\"\n", ":1: ", "color"),
    ("\n\n[types.receipt]\ncopie = 2\n", ":4: ", "copies"),
    ("[types.recipt]\ncopies = 2\n", ":1: ", "receipt"),
    ("quality = \"finest\"\n", ":1: ", "draft, normal or high"),
    ("timeout = \"long\"\n", ":1: ", "seconds"),
    ("color = \"gray\"\nsides = \n", ":2: ", ""),
  ])
  func `78: a wrong file, with line, reason and the nearest key`(
    _ text: String, _ line: String, _ words: String
  ) async throws {
    let person = try await Person.anybody()
    try person.configure(text)
    let door = try Door.silent()
    let printed = try await person.airprint(
      "print", "-d", door.uri, try person.document(PDF().bytes))
    #expect(printed.code == 78, "\(printed.report)")
    #expect(printed.stderr.contains("config.toml\(line)"), "\(printed.stderr)")
    #expect(printed.stderr.contains(words), "\(printed.stderr)")
    #expect(door.callers == 0)
    door.shut()
  }

  @Test func `settings that are set at the same time are all kept`() async throws {
    let person = try await Person.anybody()
    let keys = ["receipt", "photo", "label", "document"].flatMap {
      ["types.\($0).copies", "types.\($0).number-up"]
    }
    let sets = try keys.map { try person.start("config", "set", $0, "2") }
    for set in sets {
      let outcome = await set.end()
      #expect(outcome.code == 0, "\(outcome.report)")
    }
    let kept = try await person.airprint("config", "get")
    #expect(kept.stdout.split(separator: "\n").count == keys.count, "\(kept.report)")
  }

  @Test(arguments: [
    ("[renderers.r]\ncommand = \"/srv/none\"\n", ":2: ", ["--renderer", "r"]),
    ("[types.document]\nrenderer = \"/srv/none\"\n", ":2: ", ["--type", "document"]),
    ("[stamps.letter]\nfile = \"none\"\n", ":2: ", ["--overlay", "letter"]),
    ("[types.document]\n\nunderlay = \"/srv/none\"\n", ":3: ", ["--type", "document"]),
  ])
  func `78: a setting names a file that is missing`(
    _ text: String, _ line: String, _ options: [String]
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    try person.configure(text)
    let print = ["print", "-d", printer.uri, try person.document(PDF().bytes)]
    for command in [["config", "check"], print + options] {
      let outcome = try await person.airprint(command)
      #expect(outcome.code == 78, "\(outcome.report)")
      #expect(outcome.stderr.contains("config.toml\(line)"), "\(outcome.report)")
      #expect(outcome.stderr.contains("none"), "\(outcome.report)")
    }
    #expect(try printer.jobs().isEmpty)
    // Typed, it is no setting's.
    let typed = try await person.airprint(print + ["--overlay", "/srv/other"])
    #expect(typed.code == (options[0] == "--type" ? 78 : 66), "\(typed.report)")
    await printer.stop()
  }

  @Test(arguments: [
    "nonsense", "[printers.X]\nurl = \"ipp://localhost/\"\n", "[printers.X]\n",
    "[types]\nrecipt = \"X\"\n",
  ])
  func `78: a printers' file that is wrong is never written over`(_ text: String) async throws {
    let person = try await Person.anybody()
    try person.configure(text, in: "printers.toml")
    for command in [
      ["printers"], ["print", "x.pdf"], ["forget", "X"],
      ["pick", "ipp://localhost:9/ipp/print", "--no-contact"],
    ] {
      let outcome = try await person.airprint(command)
      #expect(outcome.code == 78, "\(command): \(outcome.report)")
      #expect(outcome.stderr.contains("printers.toml"))
    }
    #expect(person.printersFile == Array(text.utf8))
  }

  @Test(.needsRoot)
  func `option, printer's own, person's and administrator's settings, in this order`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let machine = try Machine(person)
    try machine.configure("quality = \"high\"\ncolor = \"color\"\nsides = \"short\"\n")
    try person.configure("quality = \"draft\"\ncolor = \"color\"\n")
    _ = try await person.airprint("pick", printer.uri, "--set", "color=gray")
    let file = try person.document(PDF(pages: [.a4(), .a4()]).bytes)

    let plan = try await machine.airprint("print", "--dry-run", "--json", file).json
    // The system's setting, because nothing else sets it.
    #expect(plan.sides == .string("two-sided-short-edge"))
    // The user's setting overrides the system's.
    #expect(plan.quality == .string("draft"))
    // The printer's own setting overrides the user's.
    #expect(plan.colorMode == .string("monochrome"))
    // A command line option overrides everything.
    let typed = try await machine.airprint(
      "print", "--dry-run", "--json", "--color", "color", "--quality", "normal", "--sides", "one",
      file
    ).json
    #expect(typed.sides == .string("one-sided"))
    #expect(typed.quality == .string("normal"))
    #expect(typed.colorMode == .string("color"))
    await printer.stop()
  }

  @Test(.needsRoot) func `the administrator's printers are everybody's, below their own`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let machine = try Machine(person)
    let picked = try await machine.airprint(
      "pick", printer.uri, "--system", "--as", "Hall", "--type", "document", "--default")
    #expect(picked.code == 0, "\(picked.report)")
    #expect(person.printersFile == nil)
    let none = try await machine.airprint("config", "get", "--system")
    #expect(none.stderr.hasSuffix("airprint config edit --system\n"), "\(none.report)")
    _ = try await machine.airprint("config", "set", "--system", "quality", "normal")
    let rows = try await machine.airprint("printers")
    #expect(rows.stdout.hasSuffix("\tfor all users\n"), "\(rows.stdout)")
    let origin = try await machine.airprint("config", "get", "quality", "--show-origin")
    #expect(origin.stdout == "/etc/airprint/config.toml: normal\n", "\(origin.stdout)")
    for (name, mode) in [("", 0o755), ("/printers.toml", 0o644), ("/config.toml", 0o644)]
      as [(String, mode_t)]
    {
      #expect(machine.mode(of: "airprint\(name)") == mode, "airprint\(name)")
    }
    let listed = try await machine.airprint("printers", "--json").json.array
    #expect(listed?.map { $0.name } == [.string("Hall")])
    #expect(listed?.first?.system == .boolean(true))
    #expect(listed?.first?.default == .boolean(true))
    let file = try person.document(PDF().bytes)
    let printed = try await machine.airprint("print", "--format", "pdf", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printer.jobs().count == 1)

    // A user's own printer with the same name hides it.
    let uri = "ipp://localhost:9/ipp/print"
    _ = try await machine.airprint("pick", uri, "--no-contact", "--as", "Hall")
    let both = try await machine.airprint("printers", "--json").json.array
    #expect(both?.map { $0.uri } == [.string(uri)])
    _ = try await machine.airprint("forget", "Hall")
    let wrong = try await machine.airprint("forget", "Hall")
    #expect(wrong.code == 64, "\(wrong.report)")
    #expect(wrong.stderr.contains("--system"))
    let typed = try await machine.airprint("forget", "Hall", "--type", "document")
    #expect(typed.code == 64 && typed.stderr.contains("for all users: add --system"))
    let gone = try await machine.airprint("forget", "Hall", "--system")
    #expect(gone.code == 0, "\(gone.report)")
    #expect(try await machine.airprint("printers", "--json").json == .array([]))
    await printer.stop()
  }

  @Test(.needsRoot) func `default --system chooses for all`() async throws {
    let person = try await Person.anybody()
    let machine = try Machine(person)
    for name in ["One", "Two"] {
      _ = try await machine.airprint(
        "pick", "ipp://localhost:9/ipp/print", "--no-contact", "--system", "--as", name)
    }
    let chosen = try await machine.airprint("default", "Two", "--system")
    #expect(chosen.code == 0, "\(chosen.report)")
    let listed = try await machine.airprint("printers", "--json").json.array
    #expect(listed?.map { $0.default?.bool } == [false, true])
    #expect(person.printersFile == nil)
    // Other users would have a default printer that is not saved for them.
    _ = try await machine.airprint(
      "pick", "ipp://localhost:9/ipp/print", "--no-contact", "--as", "My Own")
    let own = try await machine.airprint("default", "My Own", "--system")
    #expect(own.code == 64, "\(own.report)")
    #expect(own.stderr.contains("sudo airprint pick --system 'My Own'"), "\(own.stderr)")
    let unknown = try await machine.airprint("default", "Three", "--system")
    #expect(unknown.code == 69 && unknown.stderr.contains("and airprint pick saves one."))
  }

  @Test func `the cache may be deleted at any time`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    _ = try await person.airprint("pick", printer.uri)
    // The cache must exist before it is deleted.
    try FileManager.default.removeItem(atPath: person.path("cache"))
    let printed = try await person.airprint(
      "print", "--format", "pdf", try person.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    await printer.stop()
  }

  @Test func `a new settings file starts with examples`() async throws {
    let person = try await Person.anybody()
    let path = person.path("config/airprint/config.toml")
    let looked = try await person.airprint(["config", "edit"], adding: ["EDITOR": "cat"])
    #expect(looked.code == 0 && looked.stderr.contains("Nothing was changed."), "\(looked.report)")
    #expect(!FileManager.default.fileExists(atPath: path))
    // All of them are valid.
    let edited = try await person.airprint(
      ["config", "edit"], adding: ["EDITOR": "sed -i -e 's/^# *//' -e /^Settings/d", "VISUAL": ""])
    #expect(edited.code == 0, "\(edited.report)")
    #expect(try await person.airprint("config", "get", "types.receipt.paper").stdout == "80mm\n")
  }

  @Test func `an edit replaces the file if it is right, and only then`() async throws {
    let person = try await Person.anybody()
    try person.configure("sides = \"long\"\n")
    let path = person.path("config/airprint/config.toml")
    let cases: [(String, Int32, String, String)] = [
      ("sed -i s/long/short/", 0, "Saved \(path).", "short"),
      ("sed -i s/short/shrt/", 78, "config.toml was not changed", "short"),
      ("false", 64, "false exited with 1: nothing was changed.", "short"),
      ("", 64, "There is no terminal for an editor.", "short"),
    ]
    for (editor, code, words, sides) in cases {
      let edited = try await person.airprint(
        ["config", "edit"], adding: ["EDITOR": editor, "VISUAL": ""])
      #expect(edited.code == code && edited.stderr.contains(words), "\(edited.report)")
      #expect(try bytes(of: path) == Array("sides = \"\(sides)\"\n".utf8))
    }
  }
}
