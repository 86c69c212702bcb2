import Glibc
import TestSupport
import Testing

/// `pick PRINTER`, without a list.
@Suite(.inTurn, .needsNamespaces) struct PickTests {
  @Test func `by name, a part of it, UUID or URI`() async throws {
    let person = try await Street.person()
    let found = try await person.airprint("discover", "--json", "--name", "Office").json
    let office = try #require(found.array?.first)
    let uuid = try #require(office.uuid?.string)
    let uri = try #require(office.uri?.string)
    for text in [
      "Office", "office", "offi", "FFIC", uuid, uuid.uppercased(), "urn:uuid:\(uuid)", uri,
    ] {
      let somebody = try await Street.person()
      let picked = try await somebody.airprint("pick", text, "--json")
      #expect(picked.code == 0, "\(text): \(picked.report)")
      let saved = try picked.json
      #expect(saved.name == .string("Office"), "\(text)")
      #expect(saved.uri == .string(uri))
      #expect(saved.uuid == .string(uuid))
      #expect(saved.makeAndModel == .string("Example Office 7"))
      #expect(saved.location == .string("Room 7"))
      #expect(saved.types?.strings == ["document", "photo"])
      #expect(saved.default == .boolean(true))
      let listed = try await somebody.airprint("printers", "--json").json.array
      #expect(listed?.map { $0.name } == [.string("Office")])
    }
  }

  @Test func `a printer that was renamed is named with its earlier name, but not a role`()
    async throws
  {
    let person = try await Street.person()
    _ = try await person.airprint("pick", "Office")
    let role = try await person.airprint("pick", "Office", "--as", "Letters")
    #expect(role.code == 0 && !role.stderr.contains("earlier name"), "\(role.report)")
    let again = try await person.airprint("pick", "Office")
    #expect(again.code == 0 && !again.stderr.contains("earlier name"), "\(again.report)")
    _ = try await person.airprint("forget", "Letters")
    let book = String(decoding: try #require(person.printersFile), as: UTF8.self)
    try person.configure(
      book.replacing("'Office'", with: "'Reception'")
        .replacing("[printers.Office]", with: "[printers.'Reception']"), in: "printers.toml")
    let renamed = try await person.airprint("pick", "Office", "--type", "photo")
    #expect(
      renamed.stderr.contains(
        "Reception is the same printer, by an earlier name. To remove it, run: airprint forget Reception"
      ),
      "\(renamed.report)")
  }

  @Test func `64: a part of several names, with the candidates, and nothing is saved`() async throws
  {
    let person = try await Street.person()
    let picked = try await person.airprint("pick", "o")
    #expect(picked.code == 64, "\(picked.report)")
    #expect(picked.stderr.contains("Office, Photos, Plotter"), "\(picked.stderr)")
    #expect(picked.stdout.isEmpty)
    #expect(person.printersFile == nil)
  }

  @Test func `69: a name that nobody has, with the nearest`() async throws {
    let person = try await Street.person()
    let picked = try await person.airprint("pick", "Tall")
    #expect(picked.code == 69, "\(picked.report)")
    #expect(picked.stderr.contains("Till"), "\(picked.stderr)")
    #expect(person.printersFile == nil)
  }

  @Test func `69: a printer that does not answer is not saved`() async throws {
    let person = try await Street.person()
    // One printer is announced but doesn't run, the other doesn't exist.
    for text in ["Labels", "ipp://localhost:\(try freePort())/ipp/print"] {
      let picked = try await person.airprint("pick", text)
      #expect(picked.code == 69, "\(picked.report)")
      let words =
        text == "Labels" ? "Labels does not answer: " : "localhost does not answer: it refuses"
      #expect(picked.stderr.hasPrefix("airprint: \(words)"), "\(picked.stderr)")
    }
    #expect(person.printersFile == nil)
  }

  @Test func `--no-contact saves a URI unseen, and only a URI`() async throws {
    let person = try await Street.person()
    let door = try Door.silent()
    let picked = try await person.airprint("pick", door.uri, "--no-contact", "--as", "later")
    #expect(picked.code == 0, "\(picked.report)")
    #expect(door.callers == 0)
    let saved = try await person.airprint("printers", "--json").json.array
    #expect(saved?.map { $0.name } == [.string("later")])
    #expect(saved?.first?.uri == .string(door.uri))
    #expect(try await person.airprint("pick", "Office", "--no-contact").code == 64)
    door.shut()
  }

  @Test(arguments: [
    "ipp://", "ipp:///ipp/print", "lpd://localhost/queue", "ipp://user:secret@localhost/ipp/print",
  ])
  func `a URI that is no printer's is refused`(_ uri: String) async throws {
    let person = try await Street.person()
    let picked = try await person.airprint("pick", uri)
    #expect(picked.code == 64, "\(picked.report)")
    #expect(person.printersFile == nil)
  }

  @Test func `--as names it, and it is no default unless it is the first or --default says so`()
    async throws
  {
    let person = try await Street.person()
    let first = try await person.airprint("pick", "Office", "--as", "upstairs", "--json").json
    #expect(first.name == .string("upstairs"))
    #expect(first.default == .boolean(true))
    let second = try await person.airprint("pick", "Till", "--as", "counter", "--json").json
    #expect(second.default == .boolean(false))
    let third = try await person.airprint("pick", "Till", "--as", "shop", "--default")
    #expect(third.code == 0, "\(third.report)")
    #expect(
      third.stderr.contains("shop is the default printer now, instead of upstairs."),
      "\(third.stderr)")
    let saved = try await person.airprint("printers", "--json").json.array ?? []
    #expect(
      saved.map { [$0.name, $0.default] } == [
        [.string("counter"), .boolean(false)], [.string("shop"), .boolean(true)],
        [.string("upstairs"), .boolean(false)],
      ])
  }

  @Test func `--as takes no other printer's name unasked or unsaid`() async throws {
    let person = try await Street.person()
    _ = try await person.airprint("pick", "Office", "--as", "upstairs")
    // The same printer under the same name replaces nothing.
    let again = try await person.airprint("pick", "Office", "--as", "upstairs")
    #expect(again.code == 0 && !again.stderr.contains("place"), "\(again.report)")
    for (answer, code) in [("n", Int32(1)), ("y", 0)] {
      let picking = try person.terminal("pick", "Till", "--as", "upstairs")
      try await picking.expect("Replace it? [y/N]")
      picking.type("\(answer)\r")
      let picked = await picking.end()
      #expect(picked.code == code, "\(picked.report)")
    }
    let saved = try await person.airprint("printers", "--json").json.array ?? []
    #expect(saved.map(\.name) == [.string("upstairs")])
    #expect(saved.first?.makeAndModel?.string?.contains("Office") != true)
    // A script is not asked.
    let replaced = try await person.airprint("pick", "Office", "--as", "Upstairs")
    #expect(replaced.code == 0, "\(replaced.report)")
    #expect(replaced.stderr.contains("; it is "), "\(replaced.stderr)")
  }

  @Test func `a part of a saved name may mean another printer on the network`() async throws {
    let person = try await Street.person()
    _ = try await person.airprint("pick", "Office", "--as", "tillside")
    let picked = try await person.airprint("pick", "til")
    #expect(picked.code == 64, "\(picked.report)")
    #expect(
      picked.stderr.contains("tillside") && picked.stderr.contains("Till"), "\(picked.report)")
    // A part that only one name has, and a whole name.
    #expect(try await person.airprint("pick", "tillsi").code == 0)
    #expect(try await person.airprint("pick", "tillside").code == 0)
  }

  @Test func `a whole name on the network is not taken for a part of a saved one`() async throws {
    let person = try await Street.person()
    _ = try await person.airprint("pick", "Office", "--as", "tillside")
    let file = try person.document(PDF().bytes)
    let words = ["print", "-d", "till", "--dry-run", file]
    let refused = try await person.airprint(words)
    #expect(refused.code == 64, "\(refused.report)")
    #expect(
      refused.stderr.contains(
        "matches several printers: Till, tillside. To use Till, save it: airprint pick till"),
      "\(refused.report)")
    // A part of both is the saved one's, as is a part for which the network has no whole name.
    let part = try await person.airprint("print", "-d", "til", "--dry-run", file)
    #expect(part.stdout.contains("tillside"), "\(part.report)")
    // Also where several saved names have it.
    _ = try await person.airprint("pick", "Office", "--as", "stills")
    let several = try await person.airprint(words)
    #expect(several.stderr.contains("save it: airprint pick till"), "\(several.report)")
    let picked = try await person.airprint("pick", "till", "--json")
    #expect(try picked.json.name?.string == "Till", "\(picked.report)")
    let planned = try await person.airprint(words)
    #expect(planned.stdout.contains("printer     Till ("), "\(planned.report)")
  }

  @Test func `a role with the name of another printer on the network is not picked for that`()
    async throws
  {
    let person = try await Street.person()
    _ = try await person.airprint("pick", "Office", "--as", "till")
    let refused = try await person.airprint("pick", "Till")
    #expect(refused.code == 64, "\(refused.report)")
    let saved = try await person.airprint("printers", "--json").json.array?.first
    let (uri, hint) = (saved?.uri?.string ?? "?", "airprint default till")
    #expect(
      refused.stderr.contains("till (\(uri))") && refused.stderr.contains(hint),
      "\(refused.report)")
    // Its own name, or an unlike one, is no question.
    let role = try await person.airprint("pick", "Office", "--as", "till", "--type", "document")
    #expect(role.code == 0, "\(role.report)")
    #expect(try await person.airprint("default", "till").code == 0)
  }

  @Test func `--type saves it for types, and says from whom it takes them over`() async throws {
    let person = try await Street.person()
    _ = try await person.airprint("pick", "Office", "--type", "document,photo")
    let words = ["pick", "Till", "--type", "photo", "--type", "receipt,roll"]
    let refused = try await person.airprint(words)
    #expect(refused.code == 64, "\(refused.report)")
    #expect(
      refused.stderr.contains(
        "Till can't print photos (it prints receipts and rolls). Nothing was changed."))
    let picked = try await person.airprint(words + ["--force"])
    #expect(picked.code == 0, "\(picked.report)")
    for force in [[], ["--force"]] {
      let assigned = try await person.airprint(["default", "Till", "--type", "disc"] + force)
      #expect(assigned.code == (force.isEmpty ? 64 : 0), "\(assigned.report)")
    }
    #expect(
      picked.stderr.contains("Photos now print on Till instead of Office."), "\(picked.stderr)")
    #expect(picked.stderr.contains("Receipts will print on Till."))
    let again = try await person.airprint("pick", "Office", "--type", "photo", "--json").json
    #expect(again.takenFrom == .object(["photo": .string("Till")]))
    #expect(again.assigned?.strings == ["photo"])
    let saved = try await person.airprint("printers", "--json").json.array ?? []
    #expect(
      saved.map { $0.assigned?.strings } == [["document", "photo"], ["receipt", "roll", "disc"]])
    // They are saved for types only, so neither is the default.
    #expect(saved.allSatisfy { $0.default == .boolean(false) })
  }

  @Test func `--set keeps print options with the printer`() async throws {
    let person = try await Street.person()
    let picked = try await person.airprint(
      "pick", "Office", "--set", "color=gray", "--set", "quality=draft", "--set", "copies=2")
    #expect(picked.code == 0, "\(picked.report)")
    let file = try person.document(PDF().bytes)
    let plan = try await person.airprint("print", "--dry-run", "--json", file).json
    #expect(plan.colorMode == .string("monochrome"))
    #expect(plan.quality == .string("draft"))
    #expect(plan.copies == .number(2))
    // An option on the command line takes precedence.
    let typed = try await person.airprint(
      "print", "--dry-run", "--json", "--quality", "high", "-n1", file
    ).json
    #expect(typed.quality == .string("high"))
    #expect(typed.copies == .number(1))
    // A setting of the file counts less, which is said; an empty one is none.
    let less = try await person.airprint("config", "set", "printers.Office.copies", "5")
    #expect(less.code == 0)
    #expect(
      less.stderr.contains("airprint pick Office --as Office --set copies=5"), "\(less.report)")
    _ = try await person.airprint("pick", "Office", "--as", "Office", "--set", "copies=")
    let kept = try await person.airprint("print", "--dry-run", "--json", file).json
    #expect(kept.copies == .number(5))
  }

  @Test(arguments: ["colour=gray", "color=blue", "color", "pages=1", "copies=0"])
  func `64: a setting that is none, and nobody is asked`(_ setting: String) async throws {
    let person = try await Street.person()
    let door = try Door.silent()
    let picked = try await person.airprint("pick", door.uri, "--set", setting)
    #expect(picked.code == 64, "\(picked.report)")
    #expect(door.callers == 0)
    #expect(person.printersFile == nil)
    door.shut()
  }

  @Test func `64: no terminal and no name`() async throws {
    let person = try await Street.person()
    let picked = try await person.airprint("pick")
    #expect(picked.code == 64, "\(picked.report)")
    #expect(picked.stderr.contains("airprint pick \""), "\(picked.stderr)")
    #expect(person.printersFile == nil)
  }

  @Test func `two printers that call themselves the same are saved under two names`() async throws {
    let person = try await Street.person()
    for _ in 1...2 {
      let picked = try await person.airprint("pick", try await person.office("Twin").uri)
      #expect(picked.code == 0, "\(picked.report)")
    }
    let saved = try await person.airprint("printers", "--json").json.array
    #expect(saved?.map { $0.name } == [.string("Twin"), .string("Twin (2)")])
  }

  @Test func `the file is the person's alone, and whole`() async throws {
    let person = try await Street.person()
    // Of several concurrent commands, none overwrites what another one saved.
    let uri = "ipp://localhost:9/ipp/print"
    try await withThrowingTaskGroup(of: Int32?.self) { group in
      for number in 1...8 {
        group.addTask {
          try await person.airprint("pick", uri, "--no-contact", "--as", "p\(number)").code
        }
      }
      for try await code in group { #expect(code == 0) }
    }
    let saved = try await person.airprint("printers", "--json").json.array ?? []
    #expect(saved.compactMap { $0.name?.string } == (1...8).map { "p\($0)" })
    var status = stat()
    #expect(stat("\(person.folder)/config/airprint/printers.toml", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }
}
