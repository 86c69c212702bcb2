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
    // On a terminal, the line of the search does not stay in front of the warning.
    let seen = try Person(at: hosts.a).terminal("discover")
    try await seen.wait(for: "\nNo printers found")
    #expect(seen.screen.text.contains("Avahi isn't running"))
    #expect(!seen.screen.text.contains("printersAvahi"))
    let found = try await Person(at: hosts.a).airprint("discover", "--json")
    #expect(found.code == 1, "\(found.report)")
    #expect(try found.json == .array([]))
    await hosts.close()
  }

  @Test func `one that hangs is as good as none`() async throws {
    let hosts = try await TwoHosts()
    hosts.a.freezeDaemon()
    let here = try Person(at: hosts.a)
    let printer = try await Person(at: hosts.b).printer(
      "Far", Attributes.office, subtypes: ["_print", "_universal"])
    let found = try await here.airprint("discover", "--json", "--timeout", "20")
    #expect(try found.json.array?.map(\.name) == [.string("Far")], "\(found.report)")
    #expect(found.stderr.contains("Avahi doesn't answer; searching without it"))
    let checked = try await here.airprint("doctor", "--json")
    let avahi = try checked.json.checks?.array?.first { $0.name == .string("Avahi") }
    #expect(avahi?.state == .string("missing") && avahi?.optional == .boolean(true))
    #expect(avahi?.detail?.string?.contains("doesn't answer") == true, "\(checked.report)")
    // No server answers for a domain here, and Avahi is not asked.
    let searched = try await here.airprint(
      "discover", "--domain", "example.test", "--timeout", "0.5")
    #expect(searched.code == 69, "\(searched.report)")
    #expect(!searched.stderr.contains("Avahi"), "\(searched.stderr)")
    await printer.stop()
    await hosts.a.stopDaemon()
    await hosts.close()
  }

  @Test func `without a network that is said, and not that Avahi is missing`() async throws {
    let bench = try await Bench(withDaemon: false)
    let here = try Person(at: bench)
    let file = try here.document(PDF().bytes)
    for hasBus in [true, false] {
      if !hasBus { await bench.stopBus() }
      for command in [["discover"], ["pick", "Far"], ["print", "-d", "Far", file]] {
        let outcome = try await here.airprint(command)
        #expect(outcome.code == 69, "\(outcome.report)")
        #expect(outcome.stderr.contains("no local network is up here"), "\(outcome.report)")
        #expect(!outcome.stderr.contains("systemctl"), "\(outcome.report)")
      }
    }
    await bench.close()
  }
}

/// A machine without Avahi, and with printers on USB.
@Suite(.inTurn, .needsNamespaces) struct USBTests {
  /// ipp-usb without USB: its control socket, and printers at its ports on loopback.
  @Test(arguments: [true, false])
  func `a printer that ipp-usb serves is found, picked, and printed to`(
    _ hasNetwork: Bool
  ) async throws {
    let bench = try await Bench(withDaemon: false)
    let person = try Person(at: bench)
    let attributes = person.path("usb.conf")
    let lines = Attributes.office.map { "ATTR \($0)\n" }
    try Array(lines.joined().utf8).write(to: attributes)
    let file = try person.document(PDF().bytes)
    let script = """
      set -e
      ip link set lo up
      if \(hasNetwork); then ip link add eth0 type veth; ip address add 192.0.2.1/24 dev eth0; ip link set eth0 up; fi
      mount -t tmpfs tmpfs /var
      mkdir /var/ipp-usb
      python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("/var/ipp-usb/ctrl")'
      for port in 60000 60001; do
        ippeveprinter -r off -p $port -a \(attributes) -d \(person.folder) -c /bin/true "Laser" &
        until (: < /dev/tcp/localhost/$port) 2> /dev/null; do sleep 0.1; done
      done
      "$airprint" discover
      "$airprint" pick "Example Office 7 (USB 2)" --as Kiosk
      "$airprint" print \(file)
      "$airprint" show Kiosk --json
      """
    let outcome = try await bench.run(
      Namespaces.available.unshare("--mount", "--net") + ["bash", "-c", script],
      adding: person.variables.merging(["airprint": try locate("airprint")]) { $1 })
    #expect(outcome.code == 0, "\(outcome.report)")
    #expect(outcome.stdout.contains("Example Office 7 (USB)"), "\(outcome.report)")
    #expect(outcome.stdout.contains("ipp://localhost:60001/ipp/print"), "\(outcome.report)")
    await bench.close()
  }
}

extension String {
  /// Returns the number of parts that a separator splits the text into.
  fileprivate func components(of text: String) -> Int {
    split(separator: text, omittingEmptySubsequences: false).count
  }
}
