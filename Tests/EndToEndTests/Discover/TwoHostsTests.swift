import TestSupport
import Testing

/// A printer on another machine.
@Suite(.inTurn, .needsTwoHosts) struct TwoHostsTests {
  @Test(arguments: [false, true])
  func `it is found, saved and printed to`(_ onlyLinkLocal: Bool) async throws {
    let hosts = try await TwoHosts(onlyLinkLocal: onlyLinkLocal)
    let here = try Person(at: hosts.a)
    let there = try Person(at: hosts.b)
    let visible = ["_print", "_universal"]
    let printer = try await there.printer("Far", Attributes.office, subtypes: visible)
    let found = try await here.airprint("discover", "--json")
    let printers = try #require(try found.json.array, "\(found.report)")
    #expect(printers.map { $0.name } == [.string("Far")])
    let addresses = Set(
      (printers.first?.endpoints?.array ?? []).compactMap { $0.address?.string })
    if onlyLinkLocal {
      #expect(!addresses.isEmpty && addresses.allSatisfy { $0.hasPrefix("fe80:") }, "\(addresses)")
    } else {
      #expect(addresses.isSuperset(of: [TwoHosts.ipv4[1], TwoHosts.ipv6[1]]), "\(addresses)")
    }

    let picked = try await here.airprint("pick", "Far")
    #expect(picked.code == 0, "\(picked.report)")
    let printed = try await here.airprint(
      "print", "--format", "pdf", try here.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printer.jobs().count == 1)
    await hosts.close()
  }

  @Test(arguments: ["192.0.2.2", "[2001:db8::2]", "beta.local"])
  func `it is reached by each of its addresses, and by its name`(_ host: String) async throws {
    let hosts = try await TwoHosts()
    let here = try Person(at: hosts.a)
    let printer = try await Person(at: hosts.b).office()
    let shown = try await here.airprint("show", "--json", "ipp://\(host):\(printer.port)/ipp/print")
    #expect(shown.code == 0, "\(shown.report)")
    #expect(try shown.json.available == .boolean(true))
    await hosts.close()
  }

  @Test func `two of the same name, one here and one there, are two`() async throws {
    let hosts = try await TwoHosts()
    let here = try Person(at: hosts.a)
    let visible = ["_print", "_universal"]
    _ = try await here.printer("Twin", Attributes.office, subtypes: visible)
    // The second comes later, and finds its name taken.
    _ = try await Person(at: hosts.b).printer("Twin", Attributes.till, subtypes: visible)
    try await eventually("two printers are found") {
      let found = try await here.airprint("discover", "--json")
      let printers = try found.json.array ?? []
      return printers.count == 2
        && printers.allSatisfy { $0.name?.string?.hasPrefix("Twin") == true }
        && Set(printers.compactMap { $0.uuid?.string }).count == 2
    }
    await hosts.close()
  }

  @Test func `a saved printer that moved is found again, and one that left is not`() async throws {
    let hosts = try await TwoHosts()
    let here = try Person(at: hosts.a)
    let there = try Person(at: hosts.b)
    // ippeveprinter makes its UUID of its port; a simulated printer has one of its name and host.
    let nomad = ["--name", "Nomad", "--listen", "all"]
    let first = try await there.simulate("laser", nomad)
    let picked = try await here.airprint("pick", "Nomad")
    #expect(picked.code == 0, "\(picked.report)")
    _ = await first.end()

    // The same printer at another port.
    let second = try await there.simulate("laser", nomad)
    let port = try #require(second.uri.split(separator: ":").last?.split(separator: "/").first)
    let file = try here.document(PDF().bytes)
    let printed = try await here.airprint("print", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try second.job(1, of: "laser").pages == 1)
    let saved = try await here.airprint("printers", "--json").json.array
    #expect(saved?.first?.uri?.string?.contains(":\(port)/") == true, "\(saved ?? [])")

    await hosts.removeB()
    let gone = try await here.airprint("print", "--timeout", "4", file)
    #expect(gone.code == 69, "\(gone.report)")
    await hosts.close()
  }
}
