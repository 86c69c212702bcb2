import TestSupport
import Testing

/// Addresses in the place of a printer that are none of IPP's.
@Suite struct OtherAddressTests {
  @Test(arguments: [
    ("http://localhost:8901/ipp/print", "ipp://localhost:8901/ipp/print"),
    ("HTTPS://printer.example/ipp/print", "ipps://printer.example/ipp/print"),
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
}
