import TestSupport
import Testing

/// A machine without Avahi whose resolver is the stub of systemd-resolved.
@Suite(.inTurn, .needsTwoHosts, .needsRoot, .needsSystemdResolved) struct SystemdResolvedTests {
  @Test func `a domain's printers are found, listed by hundreds, and printed on`() async throws {
    let network = try await RoutedNetwork(
      search: ["office.test"], servers: [RoutedNetwork.stub])
    let here = try Person(at: network.client)
    let printer = try await Person(at: network.far).simulate(
      "laser", "--name", "Far", "--listen", "all")
    var (office, example) = (PrinterZone("office.test"), PrinterZone("example.test"))
    office.add("b._dns-sd._udp PTR example.test.")
    example.add(
      printer: "büro laser. 3", type: "_ipps._tcp", port: try #require(Int(printer.port)),
      txt: ["rp=ipp/print", "pdl=application/pdf,image/urf", "URF=W8,RS600"])
    for number in 0..<300 { example.add(printer: "Room \(number)", txt: ["pdl=image/urf"]) }
    // More than fits into UDP, and more than fits into one record.
    example.add(
      printer: "talkative",
      txt: ["pdl=image/urf"] + (0..<150).map { "k\($0)=" + String(repeating: "v", count: 240) })
    try await network.serve([office, example, PrinterZone("test")])
    try await network.startSystemdResolved()
    for domain in [["--domain", "example.test"], []] {
      let found = try await here.airprint(["discover", "--json", "--timeout", "60"] + domain)
      #expect(try found.json.array?.count == 302, "\(found.stderr)")
    }
    let file = try here.document(PDF().bytes)
    let printed = try await here.airprint("print", "-d", "büro laser. 3", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printer.job(1, of: "laser").pages == 1)
    _ = await printer.end()
    let missing = try await here.airprint("discover", "--domain", "nope.test")
    #expect(missing.code == 69, "\(missing.report)")
    #expect(missing.stderr.contains("There is no domain nope.test"), "\(missing.stderr)")
    await network.close()
  }
}
