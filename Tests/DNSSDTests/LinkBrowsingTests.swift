import System
import TestSupport
import Testing

@testable import DNSSD

/// One-shot multicast queries to a real avahi-daemon, from a host without one.
@Suite(.needsTwoHosts) struct LinkBrowsingTests {
  private static let types = printerTypes + ["_universal._sub._ipp._tcp"]

  @Test(arguments: [false, true])
  func `another host's printer resolves as it does with Avahi`(_ onlyLinkLocal: Bool) async throws {
    guard isOwnProcess else {
      let hosts = try await TwoHosts(onlyLinkLocal: onlyLinkLocal, withAvahiOnA: false)
      let printer = try await hosts.b.printer("Over there")
      try await hosts.a.repeatTest(
        adding: ["PORT": "\(printer.port)", "ONLY_LINK": "\(onlyLinkLocal)"])
      return await hosts.close()
    }
    guard try variable("ONLY_LINK") == "\(onlyLinkLocal)" else { return }
    let expected = onlyLinkLocal ? 2 : 4
    // Each type is a separate query with a separate answer: `_universal` may be the last to arrive.
    let events = await collect(try browseLink(Self.types), within: timeout) { events in
      events.contains(.allForNow) && events.filter(\.isResolution).count >= expected
        && asked(events).count >= 2
    }
    #expect(Set(events.filter(\.isResolution).compactMap(\.service?.type)) == Set(printerTypes))
    for event in events where event.isResolution {
      let service = try #require(event.service)
      #expect(service.instance == "Over there" && service.domain == "local")
      #expect(service.interface.name == "eth0")
      let details = try #require(event.details)
      #expect(details.host == "beta.local")
      #expect(details.port == Int(try variable("PORT")))
      #expect(details.strings.contains("rp=ipp/print"))
      if onlyLinkLocal {
        #expect(details.addresses.allSatisfy { $0.hasPrefix("fe80::") && $0.hasSuffix("%eth0") })
      } else {
        #expect(Set(TwoHosts.ipv4 + TwoHosts.ipv6).isSuperset(of: details.addresses))
      }
    }
    #expect(asked(events) == ["_ipp._tcp", "_universal._sub._ipp._tcp"])
  }

  /// A responder's answer to a one-shot query is limited to 512 octets.
  @Test func `a server's many printers are all found, and long records`() async throws {
    let long = String(repeating: "long ", count: 40)
    guard isOwnProcess else {
      let hosts = try await TwoHosts(withAvahiOnA: false)
      _ = try await hosts.b.publish((0..<40).map { "Queue \($0)" }, txt: ["rp=ipp/print"])
      _ = try await hosts.b.publish("Talkative", txt: (0..<4).map { "k\($0)=\(long)" })
      try await hosts.a.repeatTest()
      return await hosts.close()
    }
    let events = await collect(try browseLink(["_ipp._tcp"])) { events in
      Set(events.filter(\.isResolution).compactMap(\.service?.instance)).count == 41
    }
    let details = events.of("Talkative").compactMap(\.details).last
    #expect(details?.strings.contains("k3=\(long)") == true)
  }

  @Test func `a host's addresses are found, and nobody's are not`() async throws {
    guard isOwnProcess else {
      let hosts = try await TwoHosts(withAvahiOnA: false)
      try await hosts.a.repeatTest()
      return await hosts.close()
    }
    let addresses = await resolveHost("beta.local", timeout: timeout)
    #expect(addresses.first == TwoHosts.ipv4[1], "\(addresses)")
    #expect(await resolveHost("BETA.local.", timeout: timeout).first == TwoHosts.ipv4[1])
    #expect(await resolveHost("nobody.local", timeout: .milliseconds(300)).isEmpty)
    let waiting = Task { await resolveHost("nobody.local", timeout: .seconds(3600)) }
    waiting.cancel()
    #expect(await waiting.value.isEmpty)
  }

  @Test func `printers that come and go are seen while the list is open`() async throws {
    guard isOwnProcess else {
      let hosts = try await TwoHosts(withAvahiOnA: false)
      let first = try await hosts.b.publish("First")
      async let browsing: Void = hosts.a.repeatTest()
      try await Sign("first", on: hosts.a).wait()
      _ = try await hosts.b.publish("Second")
      await first.withdraw()
      try await browsing
      return await hosts.close()
    }
    let events = await collect(try browseLink(["_ipp._tcp"]), within: timeout) { events in
      if events.of("First").contains(where: \.isResolution) { Sign("first").raise() }
      return events.of("Second").contains(where: \.isResolution)
        && events.of("First").contains(where: \.isDisappearance)
    }
    #expect(events.of("Second").filter(\.isDisappearance).isEmpty)
  }

  /// Hosts whose answers are already known need not repeat them for each query (RFC 6762 §7.1).
  @Test func `questions that are repeated say what is known already`() async throws {
    guard isOwnProcess else {
      let hosts = try await TwoHosts(withAvahiOnA: false)
      _ = try await hosts.b.publish((0..<20).map { "Queue \($0)" })
      try await hosts.a.repeatTest()
      return await hosts.close()
    }
    let (names, feed) = AsyncStream<[String]>.makeStream()
    let stop = try StopSignal()
    detachThread {
      defer { feed.finish() }
      let ears = LinkSockets()
      var known: Set<String> = []
      while known.count < 20, !stop.isRaised {
        for socket in ears.sockets {
          for descriptor in socket.descriptors {
            guard waitForInput(on: [descriptor], milliseconds: 50) == [true],
              let message = socket.receive(descriptor), !message.isResponse
            else { continue }
            // The known answers fill several packets; all but the last have the flag that more follow.
            known.formUnion(message.answers.compactMap { $0.pointer?.text })
          }
        }
      }
      feed.yield(known.sorted())
    }
    let events = try browseLink(["_ipp._tcp"])
    let seen = Task { for await _ in events {} }
    let timer = Task {
      try await Task.sleep(for: timeout)
      stop.raise()
    }
    for await known in names {
      #expect(known == (0..<20).map { "Queue \($0)._ipp._tcp.local" }.sorted())
    }
    timer.cancel()
    seen.cancel()
  }

  @Test func `what nobody listens to leaves nothing behind`() async throws {
    guard isOwnProcess else {
      let hosts = try await TwoHosts(withAvahiOnA: false)
      _ = try await hosts.b.publish("Leftover")
      try await hosts.a.repeatTest()
      return await hosts.close()
    }
    _ = await collect(try browseLink(["_ipp._tcp"]), within: timeout) {
      $0.contains(where: \.isResolution)
    }
    try await Task.sleep(for: .milliseconds(300))
    let (threads, files) = (count("/proc/self/task"), count("/proc/self/fd"))
    for _ in 0..<5 { _ = try browseLink(["_ipp._tcp"]) }
    try await eventually("every thread ends and every file is closed") {
      count("/proc/self/task") <= threads && count("/proc/self/fd") <= files
    }
  }

  @Test func `without a network that is said`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench(withDaemon: false)
      try await bench.repeatTest()
      return await bench.close()
    }
    let problem = #expect(throws: DNSSDError.self) { try browseLink(["_ipp._tcp"]) }
    #expect(problem?.code == .noLink)
  }

  @Test func `only addresses of the link are its own`() {
    let place = LinkInterface(
      link: Link(interface: NetworkInterface(index: 2, name: "eth0"), transport: .ipv4),
      networks: [.init(address: [192, 0, 2, 1], mask: [255, 255, 255, 128])])
    #expect(place.reaches([192, 0, 2, 127]) && place.reaches([169, 254, 3, 4]))
    #expect(!place.reaches([192, 0, 2, 128]) && !place.reaches([198, 51, 100, 1]))
    #expect(!place.reaches([UInt8](repeating: 0, count: 16)))
  }
}

/// The records kept for one link.
@Suite struct LinkRecordsTests {
  /// A host can't fill the memory with its records: those of hosts that are asked later are still kept.
  @Test func `records take no more memory than is theirs, and the latest are kept`() throws {
    var records = LinkRecords()
    func name(_ number: Int) throws -> DomainName {
      try #require(DomainName("Printer \(number)._ipp._tcp.local"))
    }
    func say(_ number: Int) throws {
      var message = DNSMessage()
      // 9 KB on the wire, twenty times as much in memory.
      let strings = Array(repeating: [UInt8(65)], count: 4_000)
      message.answers = [
        DNSRecord(try name(number), DNSType.text, timeToLive: 120, data: .text(strings))
      ]
      records.take(message)
    }
    for number in 0..<200 { try say(number) }
    let kept = try (0..<200).filter { records.entries(of: try name($0)) != nil }
    #expect(kept.contains(199) && !kept.contains(0) && kept.count < 60, "\(kept)")
    for number in kept { records.forget(try name(number)) }
    for number in 0..<20 { try say(number) }
    #expect(try (0..<20).allSatisfy { records.entries(of: try name($0)) != nil })
  }
}
