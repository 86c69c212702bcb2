import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// Certificates from an authority in the machine's own list in /etc/ssl/certs.
@Suite(.inTurn) struct AuthorityTests {
  @Test(.needsNamespaces) func `an authority's word is as good as the pin, for the name it names`()
    async throws
  {
    let person = try await Person.anybody()
    let authority = try await Authority(person)
    let machine = try Machine(person)
    try machine.put(authority.certificate, at: "ssl/certs/ca-certificates.crt")
    let printer = try await person.office()
    #expect(try await person.airprint("pick", printer.secureURI, "--as", "Till").code == 0)
    let pin = try person.tillPin

    let strangers: [(name: String, days: Int)] = [("elsewhere", 2), ("localhost", 0)]
    for stranger in strangers {
      try await authority.certify(printer.keysFolder, as: stranger.name, days: stranger.days)
      let refused = try await machine.airprint("show", "Till")
      #expect(refused.code == 77, "\(stranger): \(refused.report)")
      #expect(try person.tillPin == pin, "\(stranger)")
    }
    try await authority.certify(printer.keysFolder, as: "localhost", days: 2)
    // This machine does not have the authority's certificate.
    #expect(try await person.airprint("show", "Till").code == 77)
    let file = try person.document(PDF().bytes)
    let printed = try await machine.airprint("print", "-d", "Till", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stderr.contains("an authority vouches for it"), "\(printed.stderr)")
    #expect(try printer.jobs().count == 1)
    // The new certificate has become the pin.
    #expect(try person.tillPin != pin)
    #expect(try await person.airprint("show", "Till").code == 0)
    await printer.stop()
  }

  /// The owner of a domain can get a certificate for it, and announce any printer's UUID there.
  @Test(.needsNamespaces) func `an authority's word is nothing for a host that the network told`()
    async throws
  {
    let person = try await Person.anybody()
    let authority = try await Authority(person)
    let machine = try Machine(person)
    try machine.put(authority.certificate, at: "ssl/certs/ca-certificates.crt")
    // With the same name on one machine, they have the same UUID. Only the record below announces them.
    let options = ["--name", "Till \(UUID().uuidString.prefix(8))"]
    let unheard = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(person.path("no-bus"))"]
    let printer = try await person.simulate("laser", options, adding: unheard)
    let other = try Person(at: person.bench)
    let evil = try await other.simulate(
      "laser", options, adding: unheard.merging(["XDG_RUNTIME_DIR": other.folder]) { $1 })
    let uuid = try #require(printer.printers[0].uuid?.string)
    #expect(evil.printers[0].uuid?.string == uuid)
    let txt = ["rp=ipp/print", "pdl=application/pdf,image/urf", "UUID=\(uuid)"]
    // It creates its keys for the first TLS connection.
    let first = try await Person.anybody().airprint("show", evil.secureURI)
    #expect(first.code == 0, "\(first.report)")
    try await authority.certify(
      other.path("state/airprint/simulate"), as: "evil.example.com", days: 2)
    let file = try person.document(PDF().bytes)
    let port = try #require(Int(printer.port))
    let evilPort = try #require(Int(evil.port))
    let front = try ScriptedServer { client in try client.relay(to: port) }
    #expect(try await machine.airprint("pick", front.secureURI, "--as", "Till").code == 0)
    front.close()

    // The attacker first forwards to the printer, then presents another certificate.
    let target = Mutex(port)
    let relay = try ScriptedServer { client in try client.relay(to: target.withLock { $0 }) }
    let host = try await person.bench.publishHost("evil.example.com", address: "127.0.0.1")
    let name = "Till \(relay.port)"
    let record = try await person.bench.publish(
      name, type: "_ipps._tcp", port: relay.port, txt: txt, host: "evil.example.com")
    let printed = try await machine.airprint("print", "-d", "Till", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printer.job(1, of: "laser").pages == 1)
    let book = try person.text("config/airprint/printers.toml")
    #expect(book.contains("evil.example.com:\(relay.port)"), "\(book)")
    target.withLock { $0 = evilPort }
    let pin = try person.tillPin
    // By its saved name, by its name on the network, and by URI.
    for word in ["Till", name, "ipps://evil.example.com:\(relay.port)/ipp/print"] {
      let refused = try await machine.airprint("print", "-d", word, file)
      #expect(refused.code == 77, "\(refused.report)")
    }
    #expect(try person.tillPin == pin)
    #expect(!evil.events.contains { $0.event?.string == "received" }, "\(evil.events)")
    await record.withdraw()
    await host.withdraw()
    relay.close()
    _ = await printer.end()
    _ = await evil.end()
  }
}

extension Person {
  /// The certificate of the only printer in printers.toml.
  fileprivate var tillPin: String {
    get throws {
      let line = try text("config/airprint/printers.toml").split(separator: "\n")
        .first { $0.hasPrefix("certificate") }
      return String(try #require(line))
    }
  }
}

/// A certificate authority for one test, made with openssl.
private struct Authority {
  let person: Person
  let certificate: [UInt8]

  private static let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

  init(_ person: Person) async throws {
    self.person = person
    try await Self.shell(
      "openssl req -x509 \(Self.key) -keyout ca.key -out ca.crt -subj '/CN=An authority' -days 2",
      person)
    certificate = try bytes(of: person.path("ca.crt"))
  }

  /// Replaces a printer's own certificate by one for `name`, signed for the printer's keys.
  ///
  /// - `days`: its validity; with 0 it has already expired.
  func certify(_ keysFolder: String, as name: String, days: Int) async throws {
    try await Self.shell(
      """
      openssl req \(Self.key) -keyout leaf.key -out leaf.csr -subj /CN=\(name) \
        -addext subjectAltName=DNS:\(name) -addext extendedKeyUsage=serverAuth
      openssl x509 -req -in leaf.csr -out leaf.crt -CA ca.crt -CAkey ca.key -days \(days) \
        -copy_extensions copy
      if [ \(days) = 0 ]; then sleep 1.1; fi
      """, person)
    let names = try FileManager.default.contentsOfDirectory(atPath: keysFolder)
    #expect(names.contains { $0.hasSuffix(".crt") } && names.contains { $0.hasSuffix(".key") })
    for name in names {
      let file = name.hasSuffix(".key") ? "leaf.key" : "leaf.crt"
      try bytes(of: person.path(file)).write(to: "\(keysFolder)/\(name)")
    }
  }

  private static func shell(_ script: String, _ person: Person) async throws {
    let made = try await person.bench.run(["sh", "-ec", "cd \(person.path(""))\n\(script)"])
    try #require(made.code == 0, "\(made.report)")
  }
}
