import TestSupport
import Testing

/// Hosts that accept connections and then say nothing.
@Suite(.inTurn) struct SilentHostTests {
  @Test func `one that is named is given up when the time is over`() async throws {
    let person = try await Person.anybody()
    let silent = try Door.silent()
    for command in ["discover", "pick"] {
      let outcome = try await person.airprint(
        command, "127.0.0.1:\(silent.port)", "--timeout", "1")
      #expect(outcome.code == 69, "\(outcome.report)")
      #expect(outcome.stderr.contains("(no answer in time)"), "\(outcome.report)")
    }
    silent.shut()
  }

  @Test func `one that only keeps TLS waiting is asked without it`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let door = try Door.leading(to: printer.port, withoutTLS: true)
    let picked = try await person.airprint("pick", "localhost:\(door.port)", "--json")
    #expect(picked.code == 0, "\(picked.report)")
    #expect(try picked.json.uri == .string(door.uri))
    door.shut()
    await printer.stop()
  }

  @Test(.needsNamespaces) func `a printer that does not state its types is not waited for longer`()
    async throws
  {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let printer = try await person.office()
    let silent = try Door.silent()
    let txt = ["rp=ipp/print", "pdl=image/urf", "URF=W8"]
    _ = try await bench.publish("Silent", port: silent.port, txt: txt)
    _ = try await bench.publish("Good", port: printer.port, txt: txt)
    let found = try await person.airprint(
      "discover", "--type", "document", "--timeout", "4", "--json")
    #expect(try found.json.array?.map(\.name) == [.string("Good")], "\(found.report)")
    #expect(
      found.stderr.contains("no time to wait for 1 more printer to answer."),
      "\(found.report)")
    silent.shut()
    await printer.stop()
    await bench.close()
  }
}
