import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// Certificates: pinned, compared, accepted.
@Suite(.inTurn) struct TrustTests {
  @Test func `a printer that is not saved is known by its first certificate`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let uri = printer.secureURI
    let first = try await person.airprint("show", uri)
    #expect(first.code == 0, "\(first.report)")
    let pin = try #require(try person.pins.first)
    let ends = [pin.prefix(5), pin.suffix(5)].joined(separator: ":…:")
    #expect(first.stderr.contains("certificate saved (SHA-256 \(ends))"), "\(first.report)")
    // Reported only once.
    let second = try await person.airprint("show", uri)
    #expect(second.code == 0)
    #expect(!second.stderr.contains("SHA-256"), "\(second.stderr)")

    try printer.changeCertificate()
    for command in [["show", uri], ["identify", uri], ["paper", uri]] {
      let refused = try await person.airprint(command)
      #expect(refused.code == 77, "\(command): \(refused.report)")
      #expect(refused.stderr.contains("its SHA-256 was \(ends)"), "\(refused.stderr)")
      #expect(refused.stderr.contains("run: airprint trust \(uri)"), "\(refused.stderr)")
    }
    #expect(try person.pins == [pin])
    let trusted = try await person.airprint("trust", uri, "--yes", "--json")
    #expect(trusted.code == 0, "\(trusted.report)")
    #expect(try trusted.json.before == .string(pin))
    #expect(try trusted.json.changed == .boolean(true))
    #expect(try trusted.json.now?.string == person.pins.first)
    #expect(try await person.airprint("show", uri).code == 0)
    await printer.stop()
  }

  @Test func `trust reaches whatever knew the printer before it was saved`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    for command in [["identify", printer.secureURI], ["pick", printer.secureURI, "--as", "Till"]] {
      let done = try await person.airprint(command)
      #expect(done.code == 0, "\(done.report)")
    }
    let before = try person.pins
    try printer.changeCertificate()
    let trusted = try await person.airprint("trust", "Till", "--yes", "--json")
    let now = try trusted.json.now?.string
    #expect(trusted.code == 0 && !before.contains { $0 == now }, "\(trusted.report)")
    #expect(try person.pins.allSatisfy { $0 == now } && person.pins.count == before.count)
    #expect(try await person.airprint("show", printer.secureURI).code == 0)
    await printer.stop()
  }

  @Test func `another printer at a saved one's address is not trusted for it`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let book = """
      [printers.Till]
      uri = "\(printer.secureURI)"
      uuid = "6fd4a2d0-0000-4000-8000-000000000001"
      """
    try person.configure(book, in: "printers.toml")
    let trusted = try await person.airprint("trust", "Till", "--yes")
    #expect(trusted.code == 69, "\(trusted.report)")
    #expect(trusted.stderr.contains("another printer answers at its address"), "\(trusted.report)")
    #expect(
      trusted.stderr.contains("If it has moved, save it again: airprint forget Till, then"),
      "\(trusted.report)")
    #expect(try person.text("config/airprint/printers.toml") == book)
    await printer.stop()
  }

  /// Waiting can't change it.
  @Test func `77: the certificate of a printer that has the job has changed`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--fault", "media-empty")
    let uri = "ipps" + simulation.uri.dropFirst(3)
    let run = try person.start(
      "print", "-d", uri, "--timeout", "20", "--json", try person.document(PDF().bytes))
    try await run.wait(for: "out of paper")
    let renewed = try await person.airprint(
      "simulate", "fault", simulation.name, "new-certificate")
    #expect(renewed.code == 0, "\(renewed.report)")
    let printed = await run.end()
    #expect(printed.code == 77, "\(printed.report)")
    #expect(printed.stderr.contains("has the job and may still print it"), "\(printed.report)")
    let line = try #require(try printed.jsonLines.first)
    let id = try #require(line.job?.string)
    for words in [[id], ["\(uri)/1"]] {
      let waited = try await person.airprint(["wait", "--json"] + words)
      for (ended, line) in [(printed, line), (waited, try waited.json)] {
        #expect(ended.code == 77, "\(ended.report)")
        #expect(line.reason == .string("certificate-changed"), "\(ended.report)")
        #expect(line.left == .boolean(true), "\(ended.report)")
        #expect(line.printed == .string("unknown"), "\(ended.report)")
        // It was sent: who reads otherwise prints it again.
        #expect(!"\(ended.report)".contains("Nothing was sent"), "\(ended.report)")
      }
    }
    // The others are listed all the same.
    let listed = try await person.airprint("jobs", "--json")
    #expect(listed.code == 0, "\(listed.report)")
    #expect(try listed.json.array?.first?.state?.string != nil, "\(listed.report)")
    // What print hears is what `status` knows.
    #expect(try await person.airprint("print", "-d", uri, input: [97]).code == 77)
    #expect(try await person.airprint("status", uri).code == 77)
    // What is pinned now counts.
    #expect(try await person.airprint("trust", uri, "--yes").code == 0)
    #expect(try await person.airprint("wait", "--timeout", "0", id).code == 75)
    _ = await simulation.end()
  }

  @Test func `print tells of a certificate once`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let printed = try await person.airprint(
      "print", "-d", printer.secureURI, "--format", "pdf", try person.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    #expect(
      printed.stderr.ranges(of: "certificate saved (SHA-256 ").count == 1, "\(printed.stderr)")
    await printer.stop()
  }

  @Test func `pick tells of a certificate only if it is new`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let identified = try await person.airprint("identify", printer.secureURI)
    #expect(identified.stderr.contains("certificate saved (SHA-256 "), "\(identified.report)")
    let picked = try await person.airprint("pick", printer.secureURI)
    #expect(picked.code == 0)
    #expect(!picked.stderr.contains("SHA-256"), "\(picked.report)")
    let other = try await Person.anybody()
    let first = try await other.airprint("pick", printer.secureURI)
    #expect(first.stderr.contains("Certificate saved (SHA-256 "), "\(first.report)")
    await printer.stop()
  }

  @Test func `a printer that takes its time to encrypt does encrypt`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let door = try Door.leading(to: printer.port, after: .milliseconds(700))
    let trusted = try await person.airprint("trust", "--yes", door.uri, "--json")
    #expect(trusted.code == 0, "\(trusted.report)")
    #expect(try trusted.json.now?.string == person.pins.first)
    let shown = try await person.airprint("show", door.uri, "--json")
    #expect(shown.code == 0, "\(shown.report)")
    #expect(try shown.json.secure == .boolean(true))
    door.shut()
    await printer.stop()
  }

  /// While it wakes up, it may first answer without ipps: it has not moved.
  @Test func `a printer that sleeps keeps its address`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.simulate("laser")
    _ = try await person.airprint("pick", printer.secureURI, "--as", "Sleepy")
    let file = try person.document(PDF().bytes)
    for _ in 0..<3 {
      _ = try await person.airprint("simulate", "fault", printer.name, "sleep:4s")
      let printed = try await person.airprint("print", "-d", "Sleepy", file)
      #expect(printed.code == 0, "\(printed.report)")
      #expect(try person.text("config/airprint/printers.toml").contains("ipps://"))
    }
    _ = await printer.end()
  }

  @Test func `a handshake that breaks is tried once more`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let door = try Door.leading(to: printer.port, breaksAfter: 0)
    let uri = "ipps://localhost:\(door.port)/ipp/print"
    let shown = try await person.airprint("show", uri)
    #expect(shown.code == 0, "\(shown.report)")
    #expect(door.callers == 2)
    door.shut()
    await printer.stop()
  }

  @Test func `a saved printer with another certificate gets nothing by any way`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes)
    let picked = try await person.airprint("pick", printer.secureURI, "--as", "Till one", "--json")
    #expect(picked.code == 0, "\(picked.report)")
    let pin = try #require(try picked.json.certificate?.string)
    #expect(try person.text("config/airprint/printers.toml").contains(pin))
    #expect(try person.pins.isEmpty)
    #expect(try await person.airprint("print", "-d", "Till one", file).code == 0)
    #expect(try printer.jobs().count == 1)

    try printer.changeCertificate()
    let refused = try await person.airprint("print", "-d", "Till one", file)
    #expect(refused.code == 77, "\(refused.report)")
    let ends = "\(pin.prefix(5)):…:\(pin.suffix(5))"
    #expect(refused.stderr.contains("its SHA-256 was \(ends), and is "), "\(refused.stderr)")
    #expect(refused.stderr.split(separator: "\n").count == 1, "\(refused.stderr)")
    #expect(
      refused.stderr.hasSuffix(
        " Nothing was sent. If you expected this, run: airprint trust 'Till one'\n"),
      "\(refused.stderr)")
    let twice = try await person.airprint("print", "-d", "Till one", file, file)
    #expect(
      twice.stderr.ranges(of: "page.pdf: Till one's certificate has changed. ").count == 2,
      "\(twice.report)")
    let rows = try await person.airprint("printers", "--check").stdout
    #expect(rows.contains("certificate has changed"), "\(rows)")
    let status = try await person.airprint("show", "Till one").stdout
    #expect(status.contains("state       certificate has changed\n"), "\(status)")
    let examined = try await person.airprint("doctor", "--quiet", "Till one")
    #expect(examined.code == 77, "\(examined.report)")
    #expect(
      examined.stderr.hasPrefix("airprint: Till one: its certificate has changed."),
      "\(examined.stderr)")
    let listed = try await person.airprint("doctor", "Till one", "--json")
    let check = try listed.json.checks?.array?.first { $0.name == .string("Till one") }
    #expect(check?.state == .string("wrong"), "\(listed.report)")
    #expect(check?.fix == .string("airprint trust 'Till one'"), "\(listed.report)")
    #expect(check?.detail?.string?.contains("Nothing was sent") == false, "\(listed.report)")
    let detached = try await person.airprint("print", "--detach", "-d", "Till one", file)
    let id = try #require(detached.stdout.split(separator: "\n").first.map(String.init))
    let waited = try await person.airprint("wait", id)
    #expect(waited.code == 77, "\(waited.report)")
    #expect(try await person.airprint("queue", "add", "-d", "Till one", file).code == 0)
    let queued = try await person.airprint("queue", "run")
    #expect(queued.code == 77, "\(queued.report)")
    // Picked again under another name, it is the same printer.
    let again = try await person.airprint("pick", printer.secureURI, "--as", "Other")
    #expect(again.code == 77, "\(again.report)")
    #expect(again.stderr.contains("airprint trust 'Till one'"), "\(again.stderr)")
    #expect(try printer.jobs().count == 1)

    // Without a terminal, there is no prompt.
    let unasked = try await person.airprint("trust", "Till one")
    #expect(unasked.code == 77, "\(unasked.report)")
    #expect(unasked.stderr.contains("airprint trust --yes 'Till one'"), "\(unasked.stderr)")
    let no = try person.terminal("trust", "Till one")
    try await no.expect("Trust it? [y/N]")
    no.type("n\r")
    #expect(await no.program.end().code == 77)
    #expect(try await person.airprint("show", "Till one").code == 77)
    let yes = try person.terminal("trust", "Till one")
    try await yes.expect("Trust it? [y/N]")
    yes.type("y\r")
    #expect(await yes.program.end().code == 0)
    #expect(try await person.airprint("queue", "run").code == 0)
    #expect(try printer.jobs().count == 2)
    await printer.stop()
  }

  @Test func `an upgrade is pinned too, and a printer that stops encrypting gets nothing`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    // With a plain URI, the printer is asked to upgrade the connection, and does.
    let trusted = try await person.airprint("trust", printer.uri, "--yes", "--json")
    #expect(trusted.code == 0, "\(trusted.report)")
    #expect(try trusted.json.before == .null)
    #expect(try person.pins.count == 1)
    let shown = try await person.airprint("show", "-v", printer.uri)
    #expect(shown.code == 0, "\(shown.report)")
    let file = try person.document(PDF().bytes)
    #expect(try await person.airprint("print", "-d", printer.uri, file).code == 0)
    #expect(try printer.jobs().count == 1)

    let heads = Mutex<[String]>([])
    let plain = try ScriptedServer { client in
      let head = try client.readHead()
      heads.withLock { $0.append(head) }
      try client.send(IPPAnswer.http([], status: "404 Not Found"))
    }
    try person.pin(try #require(try person.pins.first), "127.0.0.1:\(plain.port)")
    let refused = try await person.airprint("print", "-d", plain.uri, file)
    #expect(refused.code == 77, "\(refused.report)")
    #expect(refused.stderr.contains("no longer uses encryption"), "\(refused.stderr)")
    #expect(heads.withLock { $0 }.allSatisfy { $0.hasPrefix("OPTIONS * ") })
    plain.close()
    await printer.stop()
  }

  @Test(.needsRoot) func `the administrator's pin is the administrator's`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let machine = try Machine(person)
    let picked = try await machine.airprint(
      "pick", printer.secureURI, "--as", "Hall", "--system")
    #expect(picked.code == 0, "\(picked.report)")
    let book = try #require(machine.text(of: "printers.toml"))
    #expect(book.contains("certificate = "), "\(book)")
    #expect(person.printersFile == nil)
    try printer.changeCertificate()
    let refused = try await machine.airprint("show", "Hall")
    #expect(refused.code == 77, "\(refused.report)")
    #expect(
      refused.stderr.contains("run: sudo airprint trust --system Hall"),
      "\(refused.stderr)")
    #expect(try await machine.airprint("trust", "--yes", "Hall").code == 77)
    #expect(machine.text(of: "printers.toml") == book)
    let trusted = try await machine.airprint("trust", "--yes", "-q", "--system", "Hall")
    #expect(trusted.code == 0 && trusted.stderr.isEmpty, "\(trusted.report)")
    #expect(try await machine.airprint("show", "Hall").code == 0)
    await printer.stop()
  }
}

extension VirtualPrinter {
  /// Removes the certificate, so that the printer creates another one at the next handshake.
  func changeCertificate() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: keysFolder) {
      try FileManager.default.removeItem(atPath: "\(keysFolder)/\(name)")
    }
  }
}

extension Person {
  /// Reads one of the user's files as text.
  func text(_ name: String) throws -> String {
    String(decoding: try bytes(of: path(name)), as: UTF8.self)
  }

  /// The pinned fingerprints of printers that are not saved.
  var pins: [String] {
    get throws {
      let folder = "state/airprint/certificates"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []
      return try names.filter { !$0.hasPrefix(".") && !$0.hasPrefix("none=") }.map {
        String(try text("\(folder)/\($0)").dropLast())
      }
    }
  }

  func pin(_ certificate: String, _ place: String) throws {
    try Array("\(certificate)\n".utf8).write(to: path("state/airprint/certificates/\(place)"))
  }
}
