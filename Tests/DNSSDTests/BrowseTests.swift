import DNSSD
import Glibc
import TestSupport
import Testing

/// Browsing with a real avahi-daemon.
@Suite struct BrowseTests {
  @Test func `a printer resolves with all that it announces`() async throws {
    let subtype = "_universal._sub._ipp._tcp"
    guard isOwnProcess else {
      let bench = try await Bench.shared
      let printer = try await bench.printer("Announced")
      try await bench.repeatTest(adding: ["PORT": "\(printer.port)"])
      return await printer.stop()
    }
    let all = await collect(try await browse(printerTypes + [subtype])) { events in
      let own = events.of("Announced")
      return own.filter(\.isResolution).count == 2 && events.contains(.allForNow)
        && asked(own).count == 2 && own.compactMap(\.details).last?.addresses.count == 2
    }
    let events = all.of("Announced")
    let resolved = events.filter(\.isResolution)
    #expect(Set(resolved.compactMap(\.service?.type)) == Set(printerTypes))
    for event in resolved {
      let service = try #require(event.service)
      #expect(service.domain == "local")
      #expect(service.interface.index == 1)
      #expect(service.interface.name == "lo")
      #expect(service.transport == .ipv4)
      let details = try #require(event.details)
      #expect(details.host == "bench.local")
      #expect(details.port == Int(try variable("PORT")))
      #expect(details.addresses.first == "127.0.0.1")
      #expect(details.isLocal)
      #expect(details.strings.contains("rp=ipp/print"))
      #expect(details.strings.contains("txtvers=1"))
    }
    // All addresses of the host are reported, not only the one that a resolver returns.
    #expect(events.compactMap(\.details).last?.addresses == ["127.0.0.1", "::1"])
    // A subtype finds the same service under its base type.
    #expect(asked(events) == ["_ipp._tcp", subtype])
  }

  @Test func `names come raw, TXT strings as they are`() async throws {
    let name = #"Büro. 3\4 "x" ; $(id) 印刷"#
    let control = "Red \u{1B}[31m \u{7}bell"
    let long = String(repeating: "é", count: 125)
    guard isOwnProcess else {
      let bench = try await Bench.shared
      let first = try await bench.publish(
        name, port: 7,
        rawTXT: [
          Array("ty=A".utf8), Array("ty=B".utf8), Array("alone".utf8), Array("empty=".utf8),
          Array("=no key".utf8), Array("bytes=".utf8) + [0xFF, 0x01, 0x3D],
          Array("note=\(long)".utf8),
        ])
      let second = try await bench.publish(control, port: 65535)
      try await bench.repeatTest()
      await first.withdraw()
      return await second.withdraw()
    }
    let events = await collect(try await browse(["_ipp._tcp"])) { events in
      events.of(name).contains(where: \.isResolution)
        && events.of(control).contains(where: \.isResolution)
    }
    #expect(
      events.of(name).compactMap(\.details).first?.txt == [
        TXTEntry(key: "ty", value: [0x41]), TXTEntry(key: "ty", value: [0x42]),
        TXTEntry(key: "alone", value: nil), TXTEntry(key: "empty", value: []),
        TXTEntry(key: "bytes", value: [0xFF, 0x01, 0x3D]),
        TXTEntry(key: "note", value: Array(long.utf8)),
      ])
    let other = events.of(control).compactMap(\.details).first
    #expect(other?.port == 65535)
    #expect(other?.txt == [])
  }

  @Test func `addresses that come later are told, link-local ones with their zone`() async throws {
    let isResolved: Sign
    if !isOwnProcess {
      let bench = try await Bench.shared
      isResolved = Sign("later-resolved", on: bench)
      let ipv4 = try await bench.publishHost("later.local", address: "127.0.0.9")
      let service = try await bench.publish("Later", host: "later.local")
      async let browsing: Void = bench.repeatTest()
      try await isResolved.wait()
      let ipv6 = try await bench.publishHost("later.local", address: "fe80::9")
      try await browsing
      for announcement in [ipv6, service, ipv4] { await announcement.withdraw() }
      return
    }
    isResolved = Sign("later-resolved")
    let events = await collect(try await browse(["_ipp._tcp"])) { events in
      let addresses = events.of("Later").last?.details?.addresses
      if addresses == ["127.0.0.9"] { isResolved.raise() }
      return addresses?.count == 2
    }
    let last = try #require(events.of("Later").last)
    #expect(last.details?.addresses == ["127.0.0.9", "fe80::9%lo"])
    #expect(!last.isResolution)
  }

  @Test func `a printer that is switched off vanishes`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench.shared
      let printer = try await bench.printer("Switched off")
      async let browsing: Void = bench.repeatTest()
      try await Sign("switched-off-resolved", on: bench).wait()
      await printer.stop()
      return try await browsing
    }
    let events = await collect(try await browse(printerTypes)) { events in
      let own = events.of("Switched off")
      if own.filter(\.isResolution).count == 2 { Sign("switched-off-resolved").raise() }
      return own.filter(\.isDisappearance).count == 2
    }
    let gone = events.of("Switched off").filter(\.isDisappearance)
    #expect(Set(gone.compactMap(\.service?.type)) == Set(printerTypes))
  }

  @Test func `a service without an address does not resolve, and may vanish before`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench.shared
      let stays = try await bench.publish("Unresolvable", host: "nowhere.local")
      let goes = try await bench.publish("Gone early", host: "nowhere.local")
      async let browsing: Void = bench.repeatTest()
      try await Sign("gone-early", on: bench).wait()
      await goes.withdraw()
      try await browsing
      return await stays.withdraw()
    }
    let events = await collect(try await browse(["_ipp._tcp"])) { events in
      if !events.of("Gone early").isEmpty { Sign("gone-early").raise() }
      return events.of("Unresolvable").contains(where: \.isFailure)
        && events.of("Gone early").contains(where: \.isDisappearance)
    }
    // On a busy machine, the service may have been given up before it vanished.
    #expect(
      events.of("Gone early").filter { !$0.isFailure }.map(\.summary) == [
        "appeared Gone early _ipp._tcp ipv4", "vanished Gone early _ipp._tcp ipv4",
      ])
    #expect(
      events.of("Unresolvable").map(\.summary) == [
        "appeared Unresolvable _ipp._tcp ipv4", "unresolved Unresolvable _ipp._tcp ipv4",
      ])
  }

  @Test(.needsNamespaces) func `more services than one client may have objects resolve all`()
    async throws
  {
    guard isOwnProcess else {
      let bench = try await Bench(settings: ["objects-per-client-max": "8"])
      _ = try await bench.publish((0..<12).map { "Many \($0)" })
      try await bench.repeatTest()
      return await bench.close()
    }
    let events = await collect(try await browse(["_ipp._tcp"])) { events in
      events.filter(\.isResolution).count == 12
    }
    #expect(events.filter(\.isFailure).isEmpty)
  }

  @Test func `a browse that nobody listens to leaves nothing behind`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench.shared
      let service = try await bench.publish("Leftover")
      try await bench.repeatTest()
      return await service.withdraw()
    }
    // The first one leaves what libdbus and the runtime keep allocated.
    _ = await collect(try await browse(printerTypes)) { $0.contains(where: \.isResolution) }
    try await Task.sleep(for: .milliseconds(300))
    let (threads, files) = (count("/proc/self/task"), count("/proc/self/fd"))
    for _ in 0..<5 {
      _ = await collect(try await browse(printerTypes)) { $0.contains(where: \.isResolution) }
      // This stream is never read.
      _ = try await browse(printerTypes)
    }
    try await eventually("every thread ends and every file is closed") {
      count("/proc/self/task") <= threads && count("/proc/self/fd") <= files
    }
  }

  @Test(.needsTwoHosts) func `another host's printer comes over IPv4 and IPv6`() async throws {
    guard isOwnProcess else {
      let hosts = try await TwoHosts()
      let printer = try await hosts.b.printer("Over there")
      try await hosts.a.repeatTest(adding: ["PORT": "\(printer.port)"])
      return await hosts.close()
    }
    let events = await collect(try await browse(printerTypes)) { events in
      events.filter(\.isResolution).count == 4
        && events.compactMap(\.details).filter { $0.addresses.count == 2 }.count == 2
    }
    for event in events where event.isResolution {
      let service = try #require(event.service)
      #expect(service.instance == "Over there")
      #expect(service.interface.name == "eth0")
      let details = try #require(event.details)
      #expect(details.host == "beta.local")
      #expect(details.port == Int(try variable("PORT")))
      #expect(!details.isLocal)
      #expect(details.addresses.first == (service.transport == .ipv4 ? "192.0.2.2" : "2001:db8::2"))
    }
    // Avahi sends IPv6 addresses over IPv4, but not the other way round.
    let last = events.compactMap(\.details).last { $0.addresses.count == 2 }
    #expect(last?.addresses == ["192.0.2.2", "2001:db8::2"])
  }

  @Test(.needsTwoHosts) func `services vanish with their interface`() async throws {
    guard isOwnProcess else {
      let hosts = try await TwoHosts()
      _ = try await hosts.b.publish("Cut off")
      async let browsing: Void = hosts.a.repeatTest()
      try await Sign("resolved", on: hosts.a).wait()
      await hosts.removeB()
      try await browsing
      return await hosts.close()
    }
    let events = await collect(try await browse(["_ipp._tcp"])) { events in
      if events.filter(\.isResolution).count == 2 { Sign("resolved").raise() }
      return events.filter(\.isDisappearance).count == 2
    }
    let appeared = events.compactMap {
      if case .appeared(let service, _) = $0 { service } else { nil }
    }
    let vanished = events.filter(\.isDisappearance).compactMap(\.service)
    #expect(Set(vanished) == Set(appeared))
  }
}
