import TestSupport
import Testing

/// Names from the network, which anybody may choose.
@Suite(.inTurn, .needsNamespaces) struct DiscoverNamesTests {
  private static let names = [
    "\u{1B}[31mRed\u{1B}]0;owned\u{7}", "evil\u{202E}fdp.exe", "dots.and\\backslashes.",
    "Küche 🖨️ 印刷", String(repeating: "long ", count: 12) + "63b", "line\nbreak\ttab",
    "\u{9B}2J8-bit",
  ]

  @Test func `they are clean on a terminal, as they are in JSON`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    for name in Self.names { #expect(name.utf8.count <= 63) }
    _ = try await bench.publish(Self.names, txt: ["pdl=image/urf", "note=\u{1B}[7mnote"])

    let json = try await person.airprint("discover", "--json")
    #expect(json.code == 0, "\(json.report)")
    let found = Set(try #require(try json.json.array).compactMap { $0.name?.string })
    #expect(found == Set(Self.names))

    let session = try person.terminal("discover", adding: ["NO_COLOR": "1"], columns: 200)
    #expect(await session.end().code == 0)
    let written = String(decoding: session.program.output, as: UTF8.self)
    for hostile in ["\u{1B}[31m", "\u{1B}]0;", "\u{1B}[7m", "\u{202E}", "\u{7}", "\u{9B}"] {
      #expect(!written.contains(hostile), "\(hostile.debugDescription)")
    }
    let text = session.screen.text
    // Each row is one line, whatever the name.
    #expect(session.screen.lines.filter { !$0.isEmpty }.count == 1 + Self.names.count, "\(text)")
    #expect(text.contains("dots.and\\backslashes."))
    #expect(text.contains("Küche"))
    #expect(text.contains("line break tab"))
    await bench.close()
  }

  @Test func `a printer can be picked and shown by such a name`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let printer = try await person.office()
    let name = "\u{1B}[31mdots.and\\back 🖨️"
    _ = try await bench.publish(name, port: printer.port, txt: ["pdl=image/urf", "rp=ipp/print"])
    let picked = try await person.airprint("pick", name, "--json")
    #expect(picked.code == 0, "\(picked.report)")
    #expect(try picked.json.name == .string(name))
    let shown = try await person.airprint("show", name, "--json")
    #expect(shown.code == 0, "\(shown.report)")
    let session = try person.terminal("printers")
    #expect(await session.end().code == 0)
    let written = String(decoding: session.program.output, as: UTF8.self)
    #expect(!written.contains("\u{1B}[31m"))
    await bench.close()
  }

  @Test func `a name that looks like a host's is a name if no host has it`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let printer = try await person.office()
    let name = "HP.LaserJet"
    _ = try await bench.publish(name, port: printer.port, txt: ["pdl=image/urf", "rp=ipp/print"])
    let picked = try await person.airprint("pick", name, "--json")
    #expect(picked.code == 0, "\(picked.report)")
    #expect(try picked.json.name == .string(name))
    let listed = try await person.airprint("discover", name)
    #expect(listed.code == 69, "\(listed.report)")
    #expect(listed.stderr.contains("no address is known for HP.LaserJet."), "\(listed.report)")
    await printer.stop()
    await bench.close()
  }

  @Test func `a printer of two names is one row and answers to both`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let printer = try await person.office()
    let uuid = try #require(
      try await Person(at: bench).airprint("show", "--json", printer.uri).json.uuid?.string)
    let txt = ["pdl=application/pdf,image/urf", "rp=ipp/print", "UUID=\(uuid)"]
    let names = ["Alpha desk", "Zed floor"]
    for name in names { _ = try await bench.publish(name, port: printer.port, txt: txt) }
    let file = try person.document(PDF().bytes)
    for name in names + ["alpha", "floor"] {
      let printed = try await person.airprint("print", "-d", name, file)
      #expect(printed.code == 0, "\(printed.report)")
      let listed = try await person.airprint("discover", "--name", "*\(name)*", "--json")
      #expect(try listed.json.array?.map(\.uuid) == [.string(uuid)], "\(name): \(listed.report)")
    }
    let picker = try person.terminal("pick")
    try await picker.wait(for: "1 found")
    for name in names {
      picker.type("\u{15}\(name)")
      try await picker.wait(for: "the row by its name \(name)") { screen in
        screen.text.contains("Filter: \(name)") && screen.text.contains("1 of 1")
      }
    }
    picker.type("\u{1B}")
    _ = await picker.end()
    #expect(try await person.airprint("pick", "Zed floor", "--as", "Mine").code == 0)
    // A printer saved under one of its names is also found by the other.
    for name in names {
      let shown = try await person.airprint("show", name, "--json")
      #expect(try shown.json.saved == .string("Mine"), "\(shown.report)")
    }
    await printer.stop()
    await bench.close()
  }

  @Test func `a name is found by a part that is folded, and several are 64`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    _ = try await bench.publish(["Küche oben", "Küche unten"], txt: ["pdl=image/urf"])
    let several = try await person.airprint("pick", "KÜCHE")
    #expect(several.code == 64, "\(several.report)")
    #expect(several.stderr.contains("Küche oben, Küche unten"), "\(several.stderr)")
    #expect(person.printersFile == nil)
    await bench.close()
  }
}
