import Glibc
import TestSupport
import Testing

/// `show`: details of a printer.
@Suite(.inTurn) struct ShowTests {
  @Test func `JSON has every key of discover's, and the printer's state`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [
      "octetString printer-supply "
        + "\"index=1;type=toner;maxcapacity=100;level=75;colorantname=black;\"",
      "uri printer-icons https://localhost/icon.png",
    ])
    let shown = try await person.airprint("show", printer.uri, "--json")
    #expect(shown.code == 0, "\(shown.report)")
    let report = try shown.json
    #expect(
      report.keys == [
        "name", "uri", "uuid", "makeAndModel", "location", "types", "color", "duplex", "formats",
        "secure", "authentication", "saved", "endpoints", "available", "state", "stateReasons",
        "trouble", "messages", "acceptingJobs", "ready", "presets", "supplies", "icons", "moreInfo",
      ])
    // Without brackets, as in `discover`.
    let addresses = report.endpoints?.array?.compactMap { $0.address?.string } ?? []
    #expect(["127.0.0.1", "::1"].contains(addresses.first), "\(addresses)")
    #expect(report.name == .string("Office"))
    #expect(report.uri == .string(printer.uri))
    #expect(report.makeAndModel == .string("Example Office 7"))
    #expect(report.types?.strings == ["document", "photo"])
    #expect(report.color == .boolean(true))
    #expect(report.duplex == .boolean(true))
    #expect(report.formats?.strings?.contains("image/urf") == true)
    #expect(report.secure == .boolean(false))
    #expect(report.authentication == .string("none"))
    #expect(report.saved == .null)
    #expect(report.available == .boolean(true))
    #expect(report.state == .string("idle"))
    #expect(report.stateReasons == .array([]))
    #expect(report.messages == .array([]))
    #expect(report.acceptingJobs == .boolean(true))
    #expect(report.moreInfo?.string?.hasPrefix("http") == true)
    #expect(report.icons?.strings?.isEmpty == false)
    let supply = try #require(report.supplies?.array?.first)
    #expect(supply.keys == ["name", "type", "level"])
    #expect(supply.name == .string("black") && supply.level == .number(75), "\(supply)")
    await printer.stop()
  }

  @Test func `paper is told tray by tray`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let ready = try await person.airprint("show", printer.uri, "--json").json.ready?.array ?? []
    #expect(ready.map { $0.size?.string } == ["iso_a4_210x297mm", "na_index-4x6_4x6in"])
    #expect(ready.map { $0.source?.string } == ["main", "photo"])
    #expect(ready.map { $0.type?.string } == ["stationery", "photographic-glossy"])
    #expect(ready.map { $0.borderless?.bool } == [false, true])
    #expect(ready.map { $0.roll?.bool } == [false, false])
    #expect(ready.map { $0.width?.number?.rounded() } == [595, 288])
    #expect(
      ready.map { $0.margins?.keys }
        == Array(repeating: ["top", "bottom", "left", "right"], count: 2))
    #expect(
      ready.first?.keys.isSuperset(of: [
        "size", "width", "height", "source", "type", "margins", "borderless", "roll",
      ]) == true)
    let text = try await person.airprint("show", printer.uri)
    #expect(text.stdout.contains("A4, main, stationery, margins 3 mm"), "\(text.stdout)")
    #expect(text.stdout.contains("4x6, photo, photographic-glossy, borderless"))
    await printer.stop()
  }

  @Test func `state is told in words`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: "echo 'STATE: +cover-open' >&2; \(person.busy)")
    let file = try person.document(PDF().bytes)
    _ = try await person.airprint("print", "-d", printer.uri, "--no-wait", "--format", "pdf", file)
    try await eventually("the printer says so") {
      try await person.airprint("show", printer.uri).stdout.contains("close the cover")
    }
    let text = try await person.airprint("show", printer.uri).stdout
    #expect(text.contains("printing"), "\(text)")
    let report = try await person.airprint("show", printer.uri, "--json").json
    #expect(report.state == .string("processing"))
    #expect(report.stateReasons?.strings?.first?.hasPrefix("cover-open") == true)
    await printer.stop()
  }

  @Test func `69: a saved printer that does not answer is a report all the same`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    _ = try await person.airprint("pick", printer.uri)
    await printer.stop()
    let shown = try await person.airprint("show", "--json")
    #expect(shown.code == 69, "\(shown.report)")
    let report = try shown.json
    #expect(report.available == .boolean(false))
    #expect(report.name == .string("Office"))
    #expect(report.saved == .string("Office"))
    #expect(report.types?.strings == ["document", "photo"])
    // The time when it last answered: today, in UTC.
    let seen = try #require(report.lastSeen?.string)
    #expect(seen.hasPrefix("20") && seen.contains("T") && seen.hasSuffix("Z"), "\(seen)")
    let text = try await person.airprint("show")
    #expect(text.code == 69)
    #expect(text.stdout.contains("does not answer") && text.stdout.contains("last seen"))
    #expect(text.stderr.contains("Is it switched on"))
  }

  @Test func `a printer never seen has no time`() async throws {
    let person = try await Person.anybody()
    let shown = try await person.airprint(
      "show", "ipp://localhost:\(try freePort())/ipp/print", "--json")
    #expect(shown.code == 69, "\(shown.report)")
    #expect(try shown.json.lastSeen == .null)
    #expect(try shown.json.available == .boolean(false))
  }

  @Test func `a printer that sleeps for eight seconds is waited for`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let door = try Door.leading(to: printer.port, after: .seconds(8))
    let session = try person.terminal("show", door.uri)
    try await session.wait(for: "Waiting for localhost")
    #expect(await session.end().code == 0, "\(session.screen.text)")
    #expect(session.screen.text.contains("Example Office 7"))
    door.shut()
    await printer.stop()
  }

  @Test(arguments: [0.0, 0.05, 0.5])
  func `Ctrl-C works at any moment`(_ moment: Double) async throws {
    let person = try await Person.anybody()
    let door = try Door.silent()
    let session = try person.terminal("show", door.uri)
    if moment > 0 { try await session.wait(for: "Waiting for localhost") }
    try await Task.sleep(for: .seconds(moment))
    session.type(Key.interrupt)
    let outcome = await session.end()
    #expect(outcome.end == .signalled(SIGINT), "\(outcome.end)")
    #expect(!session.screen.isCursorHidden)
    door.shut()
  }

  @Test func `Ctrl-C works while a name is looked for`() async throws {
    let person = try await Person.anybody()
    for command in [["show", "Nobody at all"], ["print", "-d", "Nobody at all", "x.pdf"]] {
      let program = try person.bench.start(["airprint"] + command, adding: person.variables)
      try await Task.sleep(for: .milliseconds(200))
      program.signal(SIGINT)
      let outcome = await program.end()
      #expect(outcome.end == .signalled(SIGINT), "\(outcome.report)")
    }
  }

  @Test func `69: a part of no name, with the nearest`() async throws {
    let person = try await Person.anybody()
    _ = try await person.airprint(
      "pick", "ipp://localhost:9/ipp/print", "--no-contact", "--as", "Kitchen")
    let shown = try await person.airprint("show", "Kitchn")
    #expect(shown.code == 69, "\(shown.report)")
    #expect(shown.stderr.contains("Kitchen"), "\(shown.stderr)")
    #expect(shown.stdout.isEmpty)
  }
}
