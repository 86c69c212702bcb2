import Glibc
import TestSupport
import Testing

/// Printers in another network, found through a DNS server behind a router, on a machine without Avahi. (knot changes
/// names to lowercase.)
@Suite(.inTurn, .needsTwoHosts) struct DiscoverDomainsTests {
  /// Returns the records of a printer at the server's address.
  private func zone(_ printer: VirtualPrinter, _ more: (inout PrinterZone) -> Void = { _ in })
    -> PrinterZone
  {
    var zone = PrinterZone("example.test")
    zone.add(
      printer: "büro laser", port: printer.port,
      txt: ["rp=ipp/print", "pdl=application/pdf,image/urf", "URF=W8,RS600", "note=2nd floor"])
    more(&zone)
    return zone
  }

  @Test func `they are found by a domain that is typed, and by one of the settings`() async throws {
    let network = try await RoutedNetwork()
    let here = try Person(at: network.client)
    let printer = try await Person(at: network.far).printer(
      "Far", Attributes.office)
    try await network.serve([
      zone(printer) { zone in
        zone.add(printer: "Trap", host: "trap", txt: ["pdl=image/urf"])
        // The record gives a printer's address, but it can't be that of this machine.
        zone.add("trap A 127.0.0.1")
      }
    ])
    let found = try await here.airprint("discover", "--domain", "example.test", "--json")
    let printers = try #require(try found.json.array, "\(found.report)")
    #expect(printers.map(\.name) == [.string("büro laser")], "\(found.report)")
    #expect(
      printers.first?.uri == .string("ipp://ns.example.test:\(printer.port)/ipp/print"))
    #expect(
      printers.first?.endpoints?.array?.first?.address == .string(RoutedNetwork.server))

    try here.configure("domains = [\"example.test\"]\n")
    let listed = try await here.airprint("discover", "--json")
    #expect(
      try listed.json.array?.map(\.name) == [.string("büro laser")], "\(listed.report)")
    let checked = try await here.airprint("doctor", "--json")
    let avahi = try checked.json.checks?.array?.first { $0.name == .string("Avahi") }
    #expect(avahi?.state == .string("missing") && avahi?.optional == .boolean(true))
    #expect(avahi?.detail?.string?.contains("searches by itself") == true, "\(checked.report)")
    await network.close()
  }

  @Test func `a filter by name asks for no other printer, and all are listed without`() async throws
  {
    let network = try await RoutedNetwork()
    let here = try Person(at: network.client)
    var zone = PrinterZone("example.test")
    for number in 0..<200 {
      zone.add(printer: "Room \(number)", txt: ["pdl=image/urf", "note=Floor \(number % 4)"])
    }
    var second = PrinterZone("second.test")
    second.add(printer: "Other", txt: ["pdl=image/urf"])
    try await network.serve([zone, second])
    let domain = ["--domain", "example.test", "--timeout", "600", "--json"]
    let all = try await here.airprint(["discover"] + domain)
    #expect(try all.json.array?.count == 200, "\(all.stderr)")
    let both = try await here.airprint(["discover", "--domain", "second.test"] + domain)
    #expect(try both.json.array?.count == 201, "\(both.stderr)")
    let some = try await here.airprint(["discover", "--name", "room 19?"] + domain)
    #expect(try some.json.array?.count == 10, "\(some.stderr)")
    let floor = try await here.airprint(["discover", "--location", "floor 3"] + domain)
    #expect(try floor.json.array?.count == 50, "\(floor.stderr)")
    await network.close()
  }

  @Test func `a printer of two names is one row, whichever name comes first`() async throws {
    let network = try await RoutedNetwork()
    let here = try Person(at: network.client)
    var zone = PrinterZone("example.test")
    // With so many printers, some are found by the worse name first.
    for number in 10..<50 {
      let uuid = "UUID=01234567-89ab-4def-8123-4567890000\(number)"
      for name in ["zed \(number)", "alpha \(number)"] {
        zone.add(
          printer: name, port: 2_000 + number, txt: ["rp=ipp/print", "pdl=image/urf", uuid])
      }
    }
    let names = (10..<50).map { "alpha \($0)" }
    try await network.serve([zone])
    let found = try await here.airprint("discover", "--domain", "example.test", "--json")
    #expect(try found.json.array?.compactMap(\.name?.string) == names, "\(found.report)")
    let listed = try await here.airprint("discover", "--domain", "example.test")
    let lines = listed.stdout.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    // A row written for the first name stays, and the better name follows. No printer is left out.
    #expect(Set(lines.map(String.init)).isSuperset(of: names), "\(listed.report)")
    #expect(!listed.stderr.contains("is gone"), "\(listed.report)")
    await network.close()
  }

  @Test func `a domain that does not exist is 69, one without printers 1, and one that is none 64`()
    async throws
  {
    let network = try await RoutedNetwork()
    let here = try Person(at: network.client)
    try await network.serve([PrinterZone("example.test"), PrinterZone("test")])
    func search(_ domain: String) async throws -> Outcome {
      try await here.airprint("discover", "--domain", domain)
    }
    let missing = try await search("nope.test")
    #expect(missing.code == 69, "\(missing.report)")
    #expect(missing.stderr.contains("There is no domain nope.test"), "\(missing.stderr)")
    let empty = try await search("example.test")
    #expect(empty.code == 1, "\(empty.report)")
    // The server is not responsible for it.
    let refused = try await search("other.example")
    #expect(refused.code == 69, "\(refused.report)")
    #expect(refused.stderr.contains("the DNS server refuses to answer"), "\(refused.stderr)")
    let senseless = try await search("a..b")
    #expect(senseless.code == 64, "\(senseless.report)")
    // The other domains of config.toml are still searched.
    try here.configure("domains = [\"nope.test\", \"example.test\"]\n")
    let configured = try await here.airprint("discover")
    #expect(configured.code == 1, "\(configured.report)")
    #expect(
      configured.stderr.contains("nope.test: there is no such domain"), "\(configured.stderr)")
    await network.close()
  }

  @Test func `a DNS server that is silent is 69 at the deadline, and Ctrl-C ends the wait`()
    async throws
  {
    let network = try await RoutedNetwork(servers: [RoutedNetwork.nobody])
    let here = try Person(at: network.client)
    let found = try await here.airprint("discover", "--domain", "example.test", "--timeout", "0.5")
    #expect(found.code == 69, "\(found.report)")
    #expect(found.stderr.contains("no DNS server answers"), "\(found.stderr)")
    // The system's resolver would wait for much longer.
    for command in ["discover", "pick"] {
      let named = try await here.airprint(command, "print.example.com", "--timeout", "1")
      #expect(named.code == 69, "\(named.report)")
      #expect(named.stderr.contains("no answer in time"), "\(named.stderr)")
    }
    let waiting = try here.start("discover", "--domain", "example.test", "--timeout", "3600")
    try await Task.sleep(for: .milliseconds(300))
    waiting.signal(2)
    #expect(await waiting.end().end == .signalled(2))
    await network.close()
  }

  @Test func `a first DNS server that is dead costs one wait, not one for each question`()
    async throws
  {
    let network = try await RoutedNetwork(servers: [RoutedNetwork.nobody, RoutedNetwork.server])
    let here = try Person(at: network.client)
    var zone = PrinterZone("example.test")
    for number in 0..<400 { zone.add(printer: "Room \(number)", txt: ["pdl=image/urf"]) }
    try await network.serve([zone])
    // 1600 queries on 32 threads would take 100 s if each waited for the dead server.
    let found = try await here.airprint(
      "discover", "--domain", "example.test", "--timeout", "60", "--json")
    #expect(try found.json.array?.count == 400, "\(found.stderr)")
    await network.close()
  }

  /// Returns the records of a saved printer at this port.
  private func zone(_ uuid: String, at port: Int) -> PrinterZone {
    var zone = PrinterZone("example.test")
    zone.add(
      printer: "nomad", type: "_ipps._tcp", port: port,
      txt: ["rp=ipp/print", "pdl=application/pdf,image/urf", "UUID=\(uuid)"])
    return zone
  }

  @Test func `one is printed on, found where it has gone, and nobody else gets its jobs`()
    async throws
  {
    let network = try await RoutedNetwork()
    let here = try Person(at: network.client)
    let there = try Person(at: network.far)
    let nomad = ["--name", "Nomad", "--listen", "all"]
    let first = try await there.simulate("laser", nomad)
    let uuid = try #require(
      try await there.airprint("show", "--json", first.uri).json.uuid?.string)
    let before = try await network.serve([zone(uuid, at: try #require(Int(first.port)))])
    let picked = try await here.airprint("pick", "nomad", "--domain", "example.test", "--json")
    #expect(picked.code == 0, "\(picked.report)")
    try here.configure("domains = [\"example.test\"]\n")
    #expect(try picked.json.certificate?.string != nil, "\(picked.report)")
    let file = try here.document(PDF().bytes)
    let printed = try await here.airprint("print", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try first.job(1, of: "laser").pages == 1)
    _ = await first.end()
    before.signal(SIGTERM)
    _ = await before.end()

    let second = try await there.simulate("laser", nomad)
    let after = try await network.serve([zone(uuid, at: try #require(Int(second.port)))])
    let followed = try await here.airprint("print", file)
    #expect(followed.code == 0, "\(followed.report)")
    #expect(try second.job(1, of: "laser").pages == 1)
    _ = await second.end()
    after.signal(SIGTERM)
    _ = await after.end()

    // Another user's printer with the same name has the same UUID, but a different key.
    let impostor = try await Person(at: network.far).simulate("laser", nomad)
    try await network.serve([zone(uuid, at: try #require(Int(impostor.port)))])
    let refused = try await here.airprint("print", file)
    #expect(refused.code == 77, "\(refused.report)")
    #expect(!impostor.events.contains { $0.event?.string == "received" }, "\(impostor.events)")
    _ = await impostor.end()
    await network.close()
  }

  @Test func `one that moved is found beside a host on the link that states its name and UUID`()
    async throws
  {
    let network = try await RoutedNetwork()
    try await network.client.startBus()
    try await network.client.startDaemon()
    let here = try Person(at: network.client)
    let printer = try await Person(at: network.far).simulate(
      "laser", "--name", "Nomad", "--listen", "all")
    let shown = try await Person(at: network.far).airprint("show", "--json", printer.uri)
    let uuid = try #require(try shown.json.uuid?.string)
    try await network.serve([zone(uuid, at: try #require(Int(printer.port)))])
    let picked = try await here.airprint("pick", "nomad", "--domain", "example.test", "--json")
    let pin = try #require(try picked.json.certificate?.string, "\(picked.report)")
    try here.configure("domains = [\"example.test\"]\n")
    try here.configure(
      """
      default = "Till"
      [printers.Till]
      uri = "ipps://\(RoutedNetwork.server):9/ipp/print"
      uuid = "\(uuid)"
      certificate = "\(pin)"
      """, in: "printers.toml")
    let txt = ["rp=ipp/print", "pdl=application/pdf,image/urf", "UUID=\(uuid)"]
    let impostor = try await network.client.publish("nomad", type: "_ipps._tcp", port: 9, txt: txt)
    let printed = try await here.airprint("print", try here.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printer.job(1, of: "laser").pages == 1)
    await impostor.withdraw()
    _ = await printer.end()
    await network.close()
  }
}
