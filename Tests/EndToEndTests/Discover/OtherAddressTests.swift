import TestSupport
import Testing

/// Addresses given as a printer that are not IPP addresses.
@Suite struct OtherAddressTests {
  @Test(arguments: [
    ("socket://192.0.2.7:9100", "ipp://192.0.2.7/ipp/print"),
    ("lpd://192.0.2.7/queue", "ipp://192.0.2.7/ipp/print"),
    ("usb://Acme/Laser?serial=1", "airprint prints over IPP"),
  ])
  func `64, with the URI that may be meant`(_ address: String, _ meant: String) async throws {
    let person = try await Person.anybody()
    let document = try person.document(PDF().bytes)
    for arguments in [["print", "-d", address, document], ["pick", address]] {
      let outcome = try await person.airprint(arguments)
      #expect(outcome.code == 64, "\(outcome.report)")
      #expect(outcome.stderr.contains(meant), "\(outcome.report)")
    }
  }

  @Test func `a web address is where the printer is`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let web = "http" + printer.uri.dropFirst(3)
    let document = try person.document(PDF().bytes)
    let printed = try await person.airprint("print", "-d", web, document)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try await printer.jobs(atLeast: 1).count == 1)
    await printer.stop()
    let server = try await person.simulate("laser")
    let nowhere = try #require(server.uri.firstRange(of: "/ipp/print")).lowerBound
    let place = server.uri[..<nowhere].dropFirst("ipp://".count) + "/printers/Nope"
    let missing = try await person.airprint("print", "-d", String(place), document)
    #expect(missing.code == 69, "\(missing.report)")
    #expect(
      missing.stderr.hasPrefix("airprint: There is no printer at \(place)."), "\(missing.report)")
    _ = await server.end()
    let gone = try await person.airprint("print", "-d", "http://localhost:1/ipp/print", document)
    #expect(gone.code == 69, "\(gone.report)")
    #expect(gone.stderr.contains("Tried ipps://localhost:1/ipp/print"), "\(gone.report)")
  }
}
