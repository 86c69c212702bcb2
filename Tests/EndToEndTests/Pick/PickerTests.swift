import Glibc
import TestSupport
import Testing

/// `pick` on a terminal: the live list.
@Suite(.inTurn, .needsNamespaces) struct PickerTests {
  @Test func `a row has name, location, model, types, color, sides, lock and state`() async throws {
    let person = try await Street.person()
    let session = try person.terminal("pick", columns: 140)
    try await session.wait(for: "the printers have answered") {
      $0.text.split(separator: "ready").count == 3
    }
    let screen = session.screen
    let lines = screen.lines
    let row = try #require(lines.firstIndex { $0.contains("Office") && $0.contains("7") })
    for word in ["Example Office 7", "document, photo", "color", "2 sides", "ready"] {
      #expect(lines[row].contains(word), "\(word): \(screen.text)")
    }
    #expect(lines[row + 1].contains("Room 7"), "\(screen.text)")
    #expect(lines.contains { $0.contains("Labels") && $0.contains("locked") }, "\(screen.text)")
    #expect(screen.isCursorHidden && screen.isAlternate)
    session.type(Key.escape)
    #expect(await session.end().code == 1)
    #expect(!session.screen.isCursorHidden && !session.screen.isAlternate)
  }

  @Test func `arrows move, Enter saves`() async throws {
    let person = try await Street.person()
    let session = try person.terminal("pick")
    // A printer that appears later would move the rows.
    try await session.wait(for: "4 found")
    // The rows are Labels, Office, Photos, Till. All keys are typed at once, as by an impatient user.
    session.type(Key.end + Key.up + Key.up)
    try await session.wait(for: "Office is chosen") { selected($0)?.contains("Office") == true }
    session.type(Key.down + Key.down)
    try await session.wait(for: "Till is chosen") { selected($0)?.contains("Till") == true }
    session.type(Key.enter)
    #expect(await session.end().code == 0, "\(session.screen.text)")
    // Its message is on the primary screen, where it stays.
    #expect(session.screen.text.contains("Saved Till ("), "\(session.screen.text)")
    #expect(session.screen.text.contains("Till is the default printer."))
    let saved = try await person.airprint("printers", "--json").json.array
    #expect(saved?.map { $0.name } == [.string("Till")])
  }

  @Test func `typing filters`() async throws {
    let person = try await Street.person()
    let session = try person.terminal("pick", "--type", "receipt")
    try await session.wait(for: "Till")
    // The filters of `discover` apply here too.
    #expect(!session.screen.text.contains("Office"))
    #expect(session.screen.text.contains("for receipt"))
    session.type(Key.escape)
    #expect(await session.end().code == 1)
    // Nothing is wrong with the network. Photos states no types, and does not answer.
    let disc = try person.terminal("pick", "--type", "disc")
    try await disc.wait(for: "3 printers were found; none of them prints discs.")
    #expect(!disc.screen.text.contains("switched on"), "\(disc.screen.text)")
    disc.type(Key.escape)
    #expect(await disc.end().code == 1)

    let other = try person.terminal("pick")
    try await other.wait(for: "Till")
    other.type("room")
    try await other.wait(for: "only those in a room") {
      !$0.text.contains("Till") && $0.text.contains("Office") && $0.text.contains("2 of")
    }
    other.type("xyz")
    try await other.wait(for: "none") { !$0.text.contains("Office") }
    other.type(Key.backspace + Key.backspace + Key.backspace + " 7" + Key.enter)
    #expect(await other.end().code == 0, "\(other.screen.text)")
    #expect(other.screen.text.contains("Saved Office"))
  }

  @Test(arguments: [Key.escape, Key.interrupt])
  func `who leaves finds every file as it was`(_ key: String) async throws {
    let person = try await Street.person()
    let picked = try await person.airprint(
      "pick", "Office", "--type", "photo", "--set", "color=gray")
    #expect(picked.code == 0, "\(picked.report)")
    let before = try #require(person.printersFile)
    let session = try person.terminal("pick", "--type", "photo", "--default")
    try await session.wait(for: "Office")
    session.type(key)
    let outcome = await session.end()
    if key == Key.escape {
      #expect(outcome.code == 1)
    } else {
      #expect(outcome.end == .signalled(SIGINT))
    }
    #expect(person.printersFile == before)
    #expect(!session.screen.isAlternate && !session.screen.isCursorHidden)
  }

  @Test func `it opens on the printer that is saved`() async throws {
    let person = try await Street.person()
    _ = try await person.airprint("pick", "Till", "--as", "counter")
    let session = try person.terminal("pick")
    try await session.wait(for: "the saved one is chosen") {
      selected($0)?.contains("Till") == true && $0.text.contains("Office")
    }
    #expect(session.screen.text.contains("✓ counter"))
    session.type(Key.escape)
    #expect(await session.end().code == 1)
  }

  @Test func `a resized terminal is drawn anew`() async throws {
    let person = try await Street.person()
    let session = try person.terminal("pick", columns: 120, rows: 30)
    try await session.wait(for: "all are there") { screen in
      ["Till", "Office", "Labels"].allSatisfy { screen.text.contains($0) }
    }
    // The list opens on the printer that appeared first; Home selects the first row.
    session.type(Key.home)
    for (columns, rows) in [(40, 8), (24, 4), (100, 24)] {
      session.resize(columns: columns, rows: rows)
      try await session.wait(for: "its row") { selected($0)?.contains("Labels") == true }
      #expect(session.screen.lines.allSatisfy { $0.count <= columns })
    }
    try await session.wait(for: "Till")
    session.type(Key.escape)
    #expect(await session.end().code == 1)
  }

  @Test func `printers come and go while it is open`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let session = try person.terminal("pick")
    try await session.wait(for: "Looking for printers")
    let guest = try await bench.publish("Guest", txt: ["pdl=image/urf", "kind=label"])
    try await session.wait(for: "Guest")
    await guest.withdraw()
    try await session.wait(for: "Guest went away")
    session.type(Key.enter)
    try await Task.sleep(for: .milliseconds(200))
    #expect(session.program.isRunning)
    session.type(Key.escape)
    #expect(await session.end().code == 1)
    await bench.close()
  }

  @Test func `Ctrl-C is 130 for a shell`() async throws {
    let person = try await Street.person()
    // Without a trap, Ctrl-C would end the shell with the program.
    let session = try person.shellTerminal("trap : INT; \"$airprint\" pick; echo \"code $?\"")
    try await session.wait(for: "Till")
    session.type(Key.interrupt)
    try await session.wait(for: "code 130")
    #expect(await session.end().code == 0)
    #expect(person.printersFile == nil)
  }

  /// Returns the row that Enter would choose.
  private func selected(_ screen: Screen) -> String? {
    screen.lines.first { $0.hasPrefix("❯") || $0.hasPrefix(">") || $0.hasPrefix("›") }
  }
}
