import TestSupport
import Testing

/// The printer that `print` uses if none is named.
@Suite(.inTurn, .needsNamespaces) struct NothingSavedTests {
  @Test func `with nothing saved a terminal shows the picker, saves and prints`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let printer = try await person.printer(
      "Till", Attributes.till, subtypes: ["_print", "_universal"])
    let page = PDF.Page(
      width: 204, height: 300, marks: [PDF.Mark(x: 0, y: 0, width: 50, height: 50)])
    let file = try person.document(PDF(pages: [page]).bytes)
    let session = try person.terminal("print", "--type", "receipt", file, columns: 160)
    try await session.wait(for: "Choose a printer for receipt")
    try await session.wait(for: "Till")
    session.type(Key.enter)
    #expect(await session.end().code == 0, "\(session.screen.text)")
    #expect(session.screen.text.contains("on Till: 1 page on 80 mm roll"))
    #expect(try printer.jobs().count == 1)
    let saved = try await person.airprint("printers", "--json").json.array
    #expect(saved?.map { $0.assigned?.strings } == [["receipt"]])
    // From now on, the picker is not shown.
    let again = try await person.airprint("print", "--type", "receipt", file)
    #expect(again.code == 0, "\(again.report)")
    #expect(try printer.jobs().count == 2)
    await bench.close()
  }

  @Test func `the document may be standard input while the terminal is asked`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let printer = try await person.printer(
      "Office", Attributes.office, subtypes: ["_print", "_universal"])
    let file = try person.document(PDF().bytes)
    let session = try person.shellTerminal("cat \(file) | \"$airprint\" print --format pdf")
    try await session.wait(for: "Office")
    session.type(Key.enter)
    #expect(await session.end().code == 0, "\(session.screen.text)")
    #expect(try printer.jobs().count == 1)
    await bench.close()
  }

  @Test func `who leaves the picker has printed nothing`() async throws {
    let person = try await Street.person()
    let session = try person.terminal("print", try person.document(PDF().bytes))
    try await session.wait(for: "Till")
    session.type(Key.escape)
    #expect(await session.end().code == 1)
    #expect(person.printersFile == nil)
    #expect(try await person.airprint("jobs", "--json").json == .array([]))
  }

  @Test func `elsewhere it is 69 with the exact command`() async throws {
    // None of the printers on the network is chosen without asking.
    let person = try await Street.person()
    let file = try person.document(PDF().bytes)
    let plain = try await person.airprint("print", file)
    #expect(plain.code == 69, "\(plain.report)")
    // Units and cron's jobs run as another user than the one who picked: it is named, with the folder.
    #expect(
      plain.stderr.hasPrefix("airprint: No printer is saved for ")
        && plain.stderr.hasSuffix("/airprint): run airprint pick.\n"), "\(plain.report)")
    let typed = try await person.airprint("print", "--type", "receipt", file)
    #expect(typed.code == 69)
    #expect(
      typed.stderr.hasPrefix("airprint: No printer for receipts is saved for ")
        && typed.stderr.hasSuffix("/airprint): run airprint pick --type receipt.\n"),
      "\(typed.report)")
    let show = try await person.airprint("show")
    #expect(show.code == 69)
    #expect(show.stderr.contains("airprint pick"))
  }

  @Test func `a lone printer on the network is not taken unasked`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let printer = try await person.printer(
      "Lone", Attributes.office, subtypes: ["_print", "_universal"])
    let printed = try await person.airprint("print", try person.document(PDF().bytes))
    #expect(printed.code == 69, "\(printed.report)")
    #expect(try printer.jobs().isEmpty)
    await bench.close()
  }

  @Test func `the variable AIRPRINT_PRINTER wins over what is saved, and -d over both`()
    async throws
  {
    let person = try await Street.person()
    let saved = try await person.office("Saved")
    let named = try await person.office("Named")
    let typed = try await person.office("Typed")
    _ = try await person.airprint("pick", saved.uri)
    _ = try await person.airprint("pick", named.uri, "--as", "named", "--type", "photo")
    let file = try person.document(PDF().bytes)
    let print = ["print", "--format", "pdf", file]
    let variable = ["AIRPRINT_PRINTER": "named"]
    #expect(try await person.airprint(print, adding: variable).code == 0)
    #expect(try await person.airprint(print + ["-d", typed.uri], adding: variable).code == 0)
    #expect(try await person.airprint(print, adding: ["AIRPRINT_PRINTER": ""]).code == 0)
    #expect(
      try [saved, named, typed].map { try $0.jobs().count } == [1, 1, 1])
    let unknown = try await person.airprint(print, adding: ["AIRPRINT_PRINTER": "nobody"])
    #expect(unknown.code == 69, "\(unknown.report)")
    let shown = try await person.airprint(["show", "--json"], adding: variable).json
    #expect(shown.saved == .string("named"))
  }

  @Test func `a type chooses the printer that is saved for it, also where the document has it`()
    async throws
  {
    let person = try await Person.anybody()
    let usual = try await person.simulate("photo")
    let laser = try await person.simulate("office")
    _ = try await person.airprint("pick", usual.uri, "--as", "Photo Booth")
    _ = try await person.airprint("pick", laser.uri, "--as", "Office Laser", "--type", "document")
    let text = try person.document(Array("A note\n".utf8), "n.txt")
    let drawing = try person.document(
      try Picture(width: 60, height: 90, black: (6, 9)).png(), "a.png")
    func printers(_ arguments: String...) async throws -> [String?] {
      let plan = try await person.airprint(["print", "--dry-run", "--json"] + arguments)
      #expect(plan.code == 0, "\(plan.report)")
      return try plan.jsonLines.map { $0.printer?.string }
    }
    let why = try await person.airprint("print", "--dry-run", text)
    #expect(
      why.stdout.contains("printer: Office Laser, which is saved for documents"), "\(why.report)")
    // Each file has its own; a picture that is no photo may be anything.
    #expect(try await printers(text, drawing) == ["Office Laser", "Photo Booth"])
    #expect(try await printers("--type", "photo", text) == ["Photo Booth"])
    #expect(try await printers("-d", "Photo Booth", text) == ["Photo Booth"])
    let piped = try await person.airprint(
      ["print", "--dry-run", "--json"], input: Array("A note\n".utf8))
    #expect(try piped.json.printer == .string("Office Laser"), "\(piped.report)")
    // What is printed says nothing more than where.
    let printed = try await person.airprint("print", text)
    #expect(
      printed.code == 0 && printed.stderr.hasPrefix("Printed ")
        && printed.stderr.hasSuffix("n.txt on Office Laser: 1 page on Letter.\n"),
      "\(printed.report)")
    let queued = try await person.airprint("print", "--later", "--json", text)
    #expect(try queued.json.printer == .string("Office Laser"), "\(queued.report)")
    let detached = try await person.airprint("print", "--detach", text)
    let job = detached.stdout.split(separator: "\n").first.map(String.init) ?? ""
    let ended = try await person.airprint("wait", job, "--json")
    #expect(try ended.json.printer == .string("Office Laser"), "\(ended.report)")
    // No default is needed.
    _ = try await person.airprint("forget", "Photo Booth")
    #expect(try await printers(text) == ["Office Laser"])
    let none = try await person.airprint("print", drawing)
    #expect(none.code == 69 && none.stderr.contains("No default printer"), "\(none.report)")
    _ = await usual.end()
    _ = await laser.end()
  }

  @Test func `a photo is printed where photos are`() async throws {
    let person = try await Person.anybody()
    let saved = try await person.airprint(
      "pick", "ipp://localhost:1/ipp/print", "--no-contact", "--as", "Photo Booth", "--type",
      "photo")
    #expect(saved.code == 0, "\(saved.report)")
    // A megapixel of many tones, as in a photo.
    var picture = PictureFile(width: 1_200, height: 900, color: [0, 0, 0])
    for index in picture.pixels.indices {
      let pixel = index / 3
      picture.pixels[index] = UInt8(
        index % 3 == 0 ? pixel % 1_200 * 255 / 1_200 : pixel / 1_200 * 255 / 900)
    }
    let file = try person.document(try picture.jpeg(), "cam.jpg")
    let away = try await person.airprint("print", file)
    #expect(away.code == 69 && away.stderr.contains("Photo Booth"), "\(away.report)")
  }

  @Test func `66: a missing file, before a printer is chosen`() async throws {
    let person = try await Person.anybody()
    let session = try person.terminal("print", "nothing.pdf")
    try await session.wait(for: "nothing.pdf: No such file.")
    #expect(await session.end().code == 66)
  }

  @Test func `a receipt is told of a saved printer that prints receipts`() async throws {
    let person = try await Person.anybody()
    let till = try await person.simulate("receipt")
    let laser = try await person.simulate("laser")
    _ = try await person.airprint("pick", till.uri, "--as", "Till")
    _ = try await person.airprint("pick", laser.uri, "--as", "Laser")
    _ = try await person.airprint("default", "Laser")
    let file = try person.document(Array("#receipt\ntitle: A\n".utf8), "a.receipt")
    let stated = try await person.airprint("print", "--dry-run", file)
    #expect(
      stated.stdout.contains("printer: Laser, the default; Till prints receipts: -d Till"),
      "\(stated.report)")
    let named = try await person.airprint("print", "--type", "receipt", file)
    #expect(
      named.code == 64 && named.stderr.hasSuffix("Till prints receipts: -d Till.\n"),
      "\(named.report)")
    _ = await till.end()
    _ = await laser.end()
  }

  @Test func `paper that another saved printer has loaded is found there`() async throws {
    let person = try await Person.anybody()
    let photos = try await person.simulate("photo")
    let laser = try await person.simulate("laser")
    _ = try await person.airprint("pick", photos.uri, "--as", "Photo Booth", "--type", "photo")
    _ = try await person.airprint("pick", laser.uri, "--as", "Laser")
    // No photo: a drawing.
    let file = try person.document(try Picture(width: 60, height: 90, black: (6, 9)).png(), "a.png")
    let other = try await person.airprint("print", "--paper", "4x6", file)
    #expect(other.code == 75, "\(other.report)")
    #expect(
      other.stderr.hasSuffix(
        "Photo Booth had it loaded when it last answered: -d 'Photo Booth'.\n"), "\(other.report)")
    // A type that another saved printer is for.
    let named = try await person.airprint("print", "--type", "photo", "-d", "Laser", file)
    #expect(named.code == 64, "\(named.report)")
    #expect(
      named.stderr.hasSuffix("Photo Booth is saved for photos: -d 'Photo Booth'.\n"),
      "\(named.report)")
    let nowhere = try await person.airprint("print", "--paper", "A5", file)
    #expect(nowhere.code == 75 && !nowhere.stderr.contains("Photo Booth"), "\(nowhere.report)")
    _ = await photos.end()
    _ = await laser.end()
  }

  @Test func `a part of several saved names shows the list, which leaves the default alone`()
    async throws
  {
    let bench = try await Bench()
    let person = try Person(at: bench)
    for name in ["Office", "Office Two"] {
      _ = try await person.printer(name, Attributes.office, subtypes: ["_print", "_universal"])
    }
    _ = try await person.airprint("pick", "Office", "--default")
    _ = try await person.airprint("pick", "Office Two", "--as", "Office Two", "--type", "photo")
    let file = try person.document(PDF().bytes)
    let piped = try await person.airprint("print", "-d", "ffice", file)
    #expect(piped.code == 64 && piped.stderr.contains("matches several"), "\(piped.report)")
    let later = try await person.airprint("print", "--later", "-d", "ffice", file)
    #expect(later.code == 64, "\(later.report)")
    let session = try person.terminal("print", "-d", "ffice", file, columns: 160)
    try await session.wait(for: "Filter: ffice")
    try await session.wait(for: "Office Two")
    session.type(Key.down)
    session.type(Key.enter)
    #expect(await session.end().code == 0, "\(session.screen.text)")
    #expect(session.screen.text.contains("on Office Two"), "\(session.screen.text)")
    let shown = try await person.airprint("default")
    #expect(shown.stdout == "Office\n", "\(shown.report)")
    await bench.close()
  }

  @Test func `the type of a setting's section is the guessed one, too`() async throws {
    let person = try await Street.person()
    let printer = try await person.office()
    try person.configure("[types.document]\ncolor = \"gray\"\n\n[types.photo]\ncopies = 2\n")
    let picture = try Picture(width: 60, height: 90, black: (6, 9)).png()
    let plan = try await person.airprint(
      "print", "-d", printer.uri, "--dry-run", "--json",
      try person.document(picture, "picture.png")
    ).json
    #expect(plan.colorMode == .string("monochrome"))
    #expect(plan.copies == .number(1))
  }
}
