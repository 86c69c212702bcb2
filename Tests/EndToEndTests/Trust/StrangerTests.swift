import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// Impostors of a printer: at its address, under its name, with its UUID.
@Suite(.inTurn) struct StrangerTests {
  /// A printer that encrypts, and a TXT record for it.
  private struct Known {
    let printer: VirtualPrinter
    /// The UUID that it reports: newer ippeveprinters don't read one from an attribute file.
    let uuid: String
    let name: String
    var txt: [String] { ["rp=ipp/print", "pdl=application/pdf,image/urf", "UUID=\(uuid)"] }

    init(_ person: Person, command: String = "") async throws {
      printer = try await person.office(command: command)
      // Encrypted: ippeveprinter makes its key at the first handshake, and two if two come at once.
      let shown = try await Person(at: person.bench).airprint("show", "--json", printer.secureURI)
      uuid = try #require(try shown.json.uuid?.string, "\(shown.report)")
      name = "Known \(printer.port)"
    }
  }

  @Test func `a name that was reached encrypted stays encrypted`() async throws {
    let person = try await Person.anybody()
    let known = try await Known(person)
    let file = try person.document(PDF().bytes)
    let record = try await person.bench.publish(
      known.name, type: "_ipps._tcp", port: known.printer.port, txt: known.txt)
    let first = try await person.airprint("print", "-d", known.name, file)
    #expect(first.code == 0, "\(first.report)")
    #expect(try Set(person.pins).count == 1)
    await record.withdraw()
    try await eventually("the record is gone") {
      try await person.airprint("discover", "--name", known.name).code == 1
    }

    // The same name and UUID without encryption.
    let plain = try OddPrinter()
    let port = try #require(plain.uri.split(separator: ":").last?.prefix { $0.isNumber })
    let theirs = try await person.bench.publish(
      known.name, port: try #require(Int(port)), txt: known.txt)
    for word in [known.name, known.uuid] {
      let refused = try await person.airprint("print", "-d", word, file)
      #expect(refused.code == 77, "\(refused.report)")
      #expect(refused.stderr.contains("no longer uses encryption"), "\(refused.stderr)")
      #expect(refused.stderr.contains("run: airprint trust"), "\(refused.stderr)")
    }
    let detached = try await person.airprint("print", "--detach", "-d", known.name, file)
    let id = try #require(detached.stdout.split(separator: "\n").first.map(String.init))
    #expect(try await person.airprint("wait", id).code == 77)
    #expect(plain.documents.isEmpty)
    // The command in the message.
    #expect(try await person.airprint("trust", "--yes", known.name).code == 0)
    #expect(try await person.airprint("print", "-d", known.name, file).code == 0)
    #expect(plain.documents.count == 1)
    await theirs.withdraw()
    plain.close()
    await known.printer.stop()
  }

  @Test func `another printer under a known name gets nothing`() async throws {
    let person = try await Person.anybody()
    let known = try await Known(person)
    let other = try await person.office("Other")
    let file = try person.document(PDF().bytes)
    let record = try await person.bench.publish(
      known.name, type: "_ipps._tcp", port: known.printer.port, txt: known.txt)
    // A search is limited to ten seconds, which a busy machine may exceed.
    try await eventually("the name is known") {
      try await person.airprint("show", known.name).code == 0
    }
    await record.withdraw()
    // Without a UUID to compare.
    let theirs = try await person.bench.publish(
      known.name, type: "_ipps._tcp", port: other.port, txt: Array(known.txt.dropLast()))
    let refused = try await person.airprint("print", "-d", known.name, file)
    #expect(refused.code == 77, "\(refused.report)")
    #expect(refused.stderr.contains("certificate has changed"), "\(refused.stderr)")
    #expect(try other.jobs().isEmpty)
    await theirs.withdraw()
    await other.stop()
    await known.printer.stop()
  }

  @Test func `a saved printer is the same by its other scheme and its other name`() async throws {
    let person = try await Person.anybody()
    let known = try await Known(person)
    let file = try person.document(PDF().bytes)
    #expect(
      try await person.airprint("pick", known.printer.secureURI, "--as", "Till one").code == 0)
    let record = try await person.bench.publish(
      known.name, port: known.printer.port, txt: known.txt)
    try known.printer.changeCertificate()
    for word in [known.printer.uri, known.name] {
      let refused = try await person.airprint("print", "-d", word, file)
      #expect(refused.code == 77, "\(refused.report)")
      #expect(refused.stderr.contains("run: airprint trust 'Till one'"), "\(refused.stderr)")
    }
    #expect(try known.printer.jobs().isEmpty)
    #expect(try person.pins.isEmpty)
    await record.withdraw()
    await known.printer.stop()
  }

  /// Of two printers that claim to be it, the one with the key is chosen.
  @Test func `a saved printer that moved is known by its key`() async throws {
    let person = try await Person.anybody()
    // With the same name on one machine, they have the same UUID; each user's has a different key.
    let options = ["--name", "Known \(UUID().uuidString.prefix(8))"]
    let before = try await person.simulate("laser", options)
    let file = try person.document(PDF().bytes)
    let picked = try await person.airprint("pick", before.secureURI, "--as", "Till", "--json")
    let pin = try #require(try picked.json.certificate?.string)
    let uuid = try #require(try picked.json.uuid?.string)
    _ = await before.end()
    let book = """
      default = "Till"
      [printers.Till]
      uri = "ipps://localhost:9/ipp/print"
      uuid = "\(uuid)"
      certificate = "\(pin)"
      """
    try person.configure(book, in: "printers.toml")
    let list = try person.document(Array(book.utf8), "fleet.toml")
    let impostor = try await Person(at: person.bench).simulate(
      "laser", options, adding: ["XDG_RUNTIME_DIR": person.folder])
    for words in [["print", file], ["pick", "--from", list]] {
      let alone = try await person.airprint(words)
      #expect(alone.code == 77, "\(alone.report)")
    }
    let after = try await person.simulate("laser", options)
    for words in [["pick", "--from", list], ["print", file]] {
      try person.configure(book, in: "printers.toml")
      let found = try await person.airprint(words)
      #expect(found.code == 0, "\(found.report)")
      let now = try person.text("config/airprint/printers.toml")
      #expect(now.contains(":\(after.port)/"), "\(now)")
      // The host that the user chose is still there.
      #expect(now.contains("host = 'localhost'"), "\(now)")
    }
    #expect(try after.job(1, of: "laser").pages == 1)
    #expect(!impostor.events.contains { $0.event?.string == "received" }, "\(impostor.events)")
    _ = await impostor.end()
    _ = await after.end()
  }

  @Test func `those that claim to be it and then say nothing hold nobody up`() async throws {
    let person = try await Person.anybody()
    let known = try await Known(person)
    let file = try person.document(PDF().bytes)
    try await save(known, elsewhereFor: person)
    let silent = try (0..<6).map { _ in try ScriptedServer { $0.stall() } }
    var theirs: [Announcement] = []
    for server in silent {
      theirs.append(
        try await person.bench.publish(
          "Silent \(server.port)", type: "_ipps._tcp", port: server.port, txt: known.txt))
    }
    let printing = try person.start("print", file)
    try await eventually("all silent ones are asked") {
      silent.allSatisfy { $0.connections > 0 }
    }
    let record = try await person.bench.publish(
      known.name, type: "_ipps._tcp", port: known.printer.port, txt: known.txt)
    let printed = await printing.end()
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try known.printer.jobs().count == 1)
    await record.withdraw()
    for record in theirs { await record.withdraw() }
    for server in silent { server.close() }
    await known.printer.stop()
  }

  /// More printers claim to be it than are asked at a time.
  ///
  /// It is asked first, then its turn passes to the others, and it is asked again.
  @Test func `a printer that moved and wakes slowly is not lost among many that say nothing`()
    async throws
  {
    let person = try await Person.anybody()
    let known = try await Known(person)
    let file = try person.document(PDF().bytes)
    try await save(known, elsewhereFor: person)
    let port = known.printer.port
    let door = try ScriptedServer { client in
      if client.number == 1 { client.stall() }
      if client.number == 2 { usleep(1_500_000) }
      try client.relay(to: port)
    }
    let record = try await person.bench.publish(
      known.name, type: "_ipps._tcp", port: door.port, txt: known.txt)
    let printing = try person.start("print", file)
    try await eventually("it is asked") { door.connections > 0 }
    let silent = try (0..<40).map { _ in try ScriptedServer { $0.stall() } }
    let theirs = try await withThrowingTaskGroup(of: Announcement.self) { group in
      for server in silent {
        group.addTask {
          try await person.bench.publish(
            "Silent \(server.port)", type: "_ipps._tcp", port: server.port, txt: known.txt)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let printed = await printing.end()
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try known.printer.jobs().count == 1)
    #expect(silent.allSatisfy { $0.connections > 0 })
    await record.withdraw()
    for record in theirs { await record.withdraw() }
    for server in silent { server.close() }
    door.close()
    await known.printer.stop()
  }

  /// Saves the printer with its key, at an address where it no longer is.
  private func save(_ known: Known, elsewhereFor person: Person) async throws {
    let picked = try await person.airprint(
      "pick", known.printer.secureURI, "--as", "Till", "--json")
    let pin = try #require(try picked.json.certificate?.string)
    try person.configure(
      """
      default = "Till"
      [printers.Till]
      uri = "ipps://localhost:9/ipp/print"
      uuid = "\(known.uuid)"
      certificate = "\(pin)"
      """, in: "printers.toml")
  }

  /// It has no key, so a printer elsewhere that has one may be any printer.
  @Test func `a printer without a key is not known by a stranger's`() async throws {
    let person = try await Person.anybody()
    let known = try await Known(person)
    try person.configure(
      """
      default = "Plain"
      [printers.Plain]
      uri = "ipp://localhost:9/ipp/print"
      uuid = "\(known.uuid)"
      """, in: "printers.toml")
    let before = person.printersFile
    let record = try await person.bench.publish(
      known.name, type: "_ipps._tcp", port: known.printer.port, txt: known.txt)
    let shown = try await person.airprint("show", "Plain")
    #expect(shown.code == 0, "\(shown.report)")
    #expect(shown.stderr.contains("can't prove it"), "\(shown.stderr)")
    #expect(person.printersFile == before)
    #expect(try person.pins.isEmpty)
    await record.withdraw()
    await known.printer.stop()
  }

  /// The printer got the password by Digest.
  ///
  /// An impostor that claims to have moved and asks for the password itself gets nothing.
  @Test func `a printer that moved without a key is told no password`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--require-password")
    let stated = try #require(simulation.printers[0].uuid?.string)
    let uuid = stated.hasPrefix("urn:uuid:") ? String(stated.dropFirst(9)) : stated
    let password = try #require(simulation.printers[0].password?.string)
    try person.configure(
      """
      default = "Plain"
      [printers.Plain]
      uri = "ipp://localhost:9/ipp/print"
      uuid = "\(uuid)"
      """, in: "printers.toml")
    let port = try #require(
      simulation.uri.split(separator: ":").last.flatMap { Int($0.prefix { $0.isNumber }) })
    let path = simulation.uri.split(separator: "/", maxSplits: 2).last ?? ""
    let record = try await person.bench.publish(
      "Moved \(port)", type: "_ipps._tcp", port: port,
      txt: ["rp=\(path)", "pdl=image/urf", "UUID=\(uuid)"])
    let secret = try person.document(Array("till:\(password)\n".utf8), "secret")
    let file = try person.document(PDF().bytes)
    for command in [["print", file], ["login", "Plain"], ["pick", "Plain"]] {
      let refused = try await person.airprint(command + ["--password-file", secret])
      #expect(refused.code == 77, "\(command): \(refused.report)")
      // As the stranger it is by its address, or the printer that encrypts now by its name.
      let ways = ["airprint pick ipp", "airprint trust Plain"]
      #expect(ways.contains(where: refused.stderr.contains), "\(command): \(refused.stderr)")
    }
    await record.withdraw()
    _ = await simulation.end()
  }

  /// The same, after an impostor took a job without asking for anything, and was followed.
  @Test
  func `a printer that was followed without a key is told no password before it is picked there`()
    async throws
  {
    let person = try await Person.anybody()
    let asks = Mutex(false)
    let passwords = Mutex<[String]>([])
    let stranger = try OddPrinter { request, _ in
      if let field = request.field("Authorization") {
        passwords.withLock { $0.append(field) }
        return .usual
      }
      let field = "WWW-Authenticate: Digest realm=\"printer\", nonce=\"abc\""
      guard asks.withLock({ $0 }) else { return .usual }
      return .bytes(IPPAnswer.http([], status: "401 Unauthorized", fields: [field]))
    }
    let name = "Moved \(stranger.port)"
    let record = try await person.bench.publish(
      name, port: stranger.port, txt: ["rp=ipp/print", "pdl=application/pdf,image/urf"])
    try person.configure(
      """
      default = "Plain"
      [printers.Plain]
      uri = "ipp://localhost:9/ipp/print"
      service = "\(name)"
      """, in: "printers.toml")
    let file = try person.document(PDF().bytes)
    let secret = try person.document(Array("till:secret\n".utf8), "secret")
    let followed = try await person.airprint("print", file)
    #expect(followed.code == 0, "\(followed.report)")
    #expect(followed.stderr.contains("has moved"), "\(followed.report)")
    #expect(try person.text("config/airprint/printers.toml").contains("unproven = true"))
    asks.withLock { $0 = true }
    for command in [["print", file], ["login", "Plain"], ["pick", "Plain"], ["pick", name]] {
      let refused = try await person.airprint(command + ["--password-file", secret])
      #expect(refused.code == 77, "\(command): \(refused.report)")
      #expect(refused.stderr.contains("airprint pick ipp"), "\(command): \(refused.stderr)")
    }
    #expect(passwords.withLock { $0 }.isEmpty)
    let uri = try #require(
      try await person.airprint("printers", "--json").json.array?.first?.uri?.string)
    let picked = try await person.airprint(
      "pick", uri, "--as", "Plain", "--password-file", secret)
    #expect(picked.code == 0, "\(picked.report)")
    let printed = try await person.airprint("print", file, "--password-file", secret)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(!passwords.withLock { $0 }.isEmpty)
    #expect(try !person.text("config/airprint/printers.toml").contains("unproven"))
    await record.withdraw()
    stranger.close()
  }

  @Test func `a job is followed by UUID and key, and nobody else is believed`() async throws {
    let person = try await Person.anybody()
    let known = try await Known(person, command: person.busy)
    let evil = try await person.office("Evil")
    let file = try person.document(PDF().bytes)
    // The other printer's first job has ended.
    let sent = try await Person(at: person.bench).airprint("print", "-d", evil.uri, file)
    #expect(sent.code == 0, "\(sent.report)")
    let target = Mutex(known.printer.port)
    let door = try ScriptedServer { client in try client.relay(to: target.withLock { $0 }) }
    #expect(try await person.airprint("pick", door.secureURI, "--as", "Till").code == 0)
    let printed = try await person.airprint("print", "--no-wait", "--json", file)
    #expect(printed.code == 0, "\(printed.report)")
    target.withLock { $0 = evil.port }
    let lost = try await person.airprint("jobs", "--json").json.array
    #expect(lost?.map { $0.state?.string } == ["processing"], "\(lost ?? [])")

    let record = try await person.bench.publish(
      known.name, type: "_ipps._tcp", port: known.printer.port, txt: known.txt)
    #expect(try await person.airprint("show", "Till").code == 0)
    let id = try #require(try printed.jsonLines.first?.job?.string)
    // Its command goes on, so it is canceled later.
    let canceled = try await person.airprint("cancel", id, "--json")
    #expect(
      canceled.code == 75 && canceled.stderr.contains("Till cancels job 1"), "\(canceled.report)")
    await record.withdraw()
    door.close()
    await evil.stop()
    await known.printer.stop()
  }

  /// The same, after the printer was forgotten.
  @Test func `a forgotten printer's job is believed of nobody else`() async throws {
    let person = try await Person.anybody()
    let known = try await Known(person, command: person.busy)
    let evil = try await person.office("Evil")
    let file = try person.document(PDF().bytes)
    #expect(
      try await Person(at: person.bench).airprint("print", "-d", evil.uri, file).code == 0)
    let target = Mutex(known.printer.port)
    let door = try ScriptedServer { client in try client.relay(to: target.withLock { $0 }) }
    #expect(try await person.airprint("pick", door.secureURI, "--as", "Till").code == 0)
    #expect(try await person.airprint("print", "--no-wait", file).code == 0)
    #expect(try await person.airprint("forget", "Till").code == 0)
    target.withLock { $0 = evil.port }
    let jobs = try await person.airprint("jobs", "--json").json.array
    #expect(jobs?.map { $0.state?.string } == ["processing"], "\(jobs ?? [])")
    let again = try await person.airprint("reprint")
    #expect(again.code == 77, "\(again.report)")
    #expect(try evil.jobs().count == 1)
    door.close()
    await evil.stop()
    await known.printer.stop()
  }

  @Test func `discovery tells nobody a password`() async throws {
    let person = try await Person.anybody()
    let server = try ScriptedServer { client in
      while true {
        _ = try client.readRequest(tellsToGoOn: false)
        let field = "WWW-Authenticate: Digest realm=\"printer\", nonce=\"abc\""
        try client.send(IPPAnswer.http([], status: "401 Unauthorized", fields: [field]))
      }
    }
    let record = try await person.bench.publish(
      "Asking \(server.port)", port: server.port, txt: ["rp=ipp/print", "pdl=image/urf"])
    let secret = try person.document(Array("till:secret\n".utf8), "secret")
    let variables = ["AIRPRINT_PASSWORD_FILE": secret]
    _ = try await person.airprint("discover", "--type", "photo", adding: variables)
    #expect(!server.requests.isEmpty)
    let picker = try person.terminal("pick", adding: variables)
    try await picker.expect("Asking \(server.port)")
    try await eventually("the list has asked it") { server.requests.count > 1 }
    picker.type("\u{1B}")
    _ = await picker.program.end()
    // Commands that ask all saved printers don't send it either.
    try person.configure("[printers.Asking]\nuri = \"\(server.uri)\"\n", in: "printers.toml")
    for command in [["printers", "--check"], ["doctor"]] {
      _ = try await person.airprint(command, adding: variables)
    }
    #expect(server.requests.allSatisfy { $0.field("Authorization") == nil })
    // A printer that is named gets it.
    _ = try await person.airprint("show", "Asking", adding: variables)
    #expect(server.requests.contains { $0.field("Authorization") != nil })
    await record.withdraw()
    server.close()
  }
}
