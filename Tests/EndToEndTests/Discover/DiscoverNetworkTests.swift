import Glibc
import TestSupport
import Testing

/// `discover` on small, unusual and missing networks.
@Suite(.inTurn, .needsNamespaces) struct DiscoverNetworkTests {
  @Test func `nobody there is exit 1, and an empty array`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let found = try await person.airprint("discover", "--json")
    #expect(found.code == 1, "\(found.report)")
    #expect(try found.json == .array([]))
    #expect(found.stderr.contains("No printers found"))
    let rows = try await person.airprint("discover")
    #expect(rows.code == 1 && rows.stdout.isEmpty, "\(rows.report)")
    await bench.close()
  }

  @Test func `a printer whose address nobody knows holds up nobody`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    _ = try await bench.publish("Lost", txt: ["pdl=image/urf"], host: "nowhere.local")
    _ = try await bench.publish("Here", txt: ["pdl=image/urf"])
    let searching = try person.start("discover", "--timeout", "600")
    try await searching.wait(for: "Here")
    #expect(!String(decoding: searching.output, as: UTF8.self).contains("Lost"))
    searching.signal(SIGTERM)
    _ = await searching.end()
    await bench.close()
  }

  @Test func `a record on loopback, as ipp-usb has, can be printed to`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let printer = try await person.office()
    _ = try await bench.publish(
      "USB Laser", port: printer.port,
      txt: [
        "txtvers=1", "qtotal=1", "rp=ipp/print", "ty=USB Laser", "pdl=application/pdf,image/urf",
        "URF=W8,RS600", "adminurl=http://localhost:60000/",
      ])
    let found = try await person.airprint("discover", "--json")
    let endpoints = try #require(try found.json.array?.first?.endpoints?.array, "\(found.report)")
    #expect(
      endpoints.contains { ["127.0.0.1", "::1"].contains($0.address?.string) }, "\(endpoints)")
    let printed = try await person.airprint(
      "print", "-d", "USB Laser", "--format", "pdf", try person.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printer.jobs().count == 1)
    await bench.close()
  }

  @Test func `without a D-Bus and a network it is 69 at once, with what to do`() async throws {
    let bench = try await Bench(withDaemon: false)
    await bench.stopBus()
    let person = try Person(at: bench)
    for command in [["discover"], ["discover", "--json"], ["pick", "Somebody"]] {
      let found = try await person.airprint(command)
      #expect(found.code == 69, "\(found.report)")
      #expect(found.stderr.contains("network is up here. Connect to one"), "\(found.stderr)")
    }
    await bench.close()
  }

  @Test func `without a daemon and a network it is 69 at once, with what to do`() async throws {
    let bench = try await Bench(withDaemon: false)
    let person = try Person(at: bench)
    let found = try await person.airprint("discover")
    #expect(found.code == 69, "\(found.report)")
    #expect(found.stderr.contains("network is up here. Connect to one"), "\(found.stderr)")
    await bench.close()
  }

  @Test func `without Avahi a URI and a saved printer still work`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let nowhere = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(person.path("no-bus"))"]
    let file = try person.document(PDF().bytes)
    let picked = try await person.airprint(["pick", printer.uri], adding: nowhere)
    #expect(picked.code == 0, "\(picked.report)")
    let printed = try await person.airprint(["print", "--format", "pdf", file], adding: nowhere)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printer.jobs().count == 1)
    await printer.stop()
  }
}
