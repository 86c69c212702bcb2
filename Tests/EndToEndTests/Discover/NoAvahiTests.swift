import TestSupport
import Testing

/// A machine without Avahi, on a link with printers.
@Suite(.inTurn, .needsTwoHosts) struct NoAvahiTests {
  @Test(arguments: [false, true])
  func `a printer is found, picked by name, and printed to`(_ hasBus: Bool) async throws {
    let hosts = try await TwoHosts(withAvahiOnA: false)
    if !hasBus { await hosts.a.stopBus() }
    let here = try Person(at: hosts.a)
    let there = try Person(at: hosts.b)
    let printer = try await there.printer(
      "Far", Attributes.office, subtypes: ["_print", "_universal"])
    let found = try await here.airprint("discover", "--json")
    #expect(try found.json.array?.map(\.name) == [.string("Far")], "\(found.report)")
    let parts = found.stderr.components(of: "Avahi isn't running")
    #expect(parts == 2, "\(found.stderr)")

    let picked = try await here.airprint("pick", "Far")
    #expect(picked.code == 0, "\(picked.report)")
    let file = try here.document(PDF().bytes)
    let printed = try await here.airprint("print", "--format", "pdf", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printer.jobs().count == 1)
    let shown = try await here.airprint(
      "show", "--json", "ipp://beta.local:\(printer.port)/ipp/print")
    #expect(shown.code == 0, "\(shown.report)")
    await hosts.close()
  }

  @Test func `nobody there is exit 1`() async throws {
    let hosts = try await TwoHosts(withAvahiOnA: false)
    let found = try await Person(at: hosts.a).airprint("discover", "--json")
    #expect(found.code == 1, "\(found.report)")
    #expect(try found.json == .array([]))
    await hosts.close()
  }
}

extension String {
  /// Into how many parts a text that it has is dividing it.
  fileprivate func components(of text: String) -> Int {
    split(separator: text, omittingEmptySubsequences: false).count
  }
}
