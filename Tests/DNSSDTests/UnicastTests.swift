import DNSSD
import TestSupport
import Testing

/// Services in unicast DNS, from a real server behind a router. (knot changes names to lowercase.)
@Suite(.needsTwoHosts) struct UnicastTests {
  private static let types = ["_ipp._tcp", "_universal._sub._ipp._tcp"]

  private func browse(
    _ domains: [String], recommended: Bool = false,
    until: @escaping @Sendable ([ServiceEvent]) -> Bool
  ) async throws -> [ServiceEvent] {
    var scope = UnicastScope(domains)
    scope.includesRecommended = recommended
    return await collect(
      try browseUnicast(Self.types, in: scope), within: timeout, until: until)
  }

  @Test func `a printer resolves with all that its records say`() async throws {
    let name = #"büro. 3\4 "x" ; $(id) 印刷"#
    guard isOwnProcess else {
      var zone = PrinterZone("example.test")
      zone.add(
        printer: name, subtypes: ["_universal"], host: "alias", port: 8631,
        txt: ["rp=ipp/print", "note=Küche", "pdl=" + String(repeating: "a/b,", count: 60)])
      zone.add(printer: "airprint only", isUntyped: true, host: "dual", port: 1)
      zone.add("alias CNAME real")
      zone.add("real A 198.51.100.7")
      zone.add("real AAAA 2001:db8::7")
      zone.add("dual A 198.51.100.8")
      zone.add("dual A 198.51.100.9")
      zone.add("dual AAAA fe80::1")
      let network = try await RoutedNetwork(zones: [zone])
      try await network.client.repeatTest()
      return await network.close()
    }
    let events = try await browse(["example.test"]) { events in
      events.contains(.allForNow) && events.filter(\.isResolution).count == 2
    }
    let own = events.of(name)
    #expect(Set(own.compactMap(\.asked)) == Set(Self.types))
    let service = try #require(own.first { $0.isResolution }?.service)
    #expect(service.type == "_ipp._tcp" && service.domain == "example.test")
    #expect(service.transport == .unicast)
    let details = try #require(own.compactMap(\.details).last)
    #expect(details.host == "alias.example.test" && details.port == 8631)
    #expect(details.addresses == ["198.51.100.7", "2001:db8::7"])
    #expect(details.strings.prefix(3) == ["txtvers=1", "rp=ipp/print", "note=Küche"])
    let other = events.of("airprint only")
    #expect(other.compactMap(\.asked) == ["_universal._sub._ipp._tcp"])
    // A link-local address has no meaning in DNS.
    #expect(other.compactMap(\.details).last?.addresses == ["198.51.100.8", "198.51.100.9"])
  }

  @Test func `what can't be reached does not resolve, and holds up nothing`() async throws {
    guard isOwnProcess else {
      var zone = PrinterZone("example.test")
      zone.add(printer: "good")
      zone.add(printer: "Nowhere", host: "nobody")
      zone.add(printer: "Closed", host: ".")
      zone.add(printer: "Round", host: "round")
      zone.add("round CNAME about")
      zone.add("about CNAME round")
      zone.add("_ipp._tcp PTR missing._ipp._tcp")
      zone.add("_ipp._tcp PTR other._http._tcp")
      zone.add("_ipp._tcp PTR @")
      let network = try await RoutedNetwork(zones: [zone])
      try await network.client.repeatTest()
      return await network.close()
    }
    let events = try await browse(["example.test"]) { events in
      // A service that is found for two types may be given up twice.
      let failures = Set(events.filter(\.isFailure).compactMap(\.service?.instance))
      return events.contains(.allForNow) && events.contains { $0.isResolution }
        && failures.count == 4
    }
    #expect(events.filter(\.isResolution).compactMap(\.service?.instance) == ["good"])
    #expect(events.of("other").isEmpty)
  }

  @Test func `the search list's domains recommend others`() async throws {
    guard isOwnProcess else {
      var office = PrinterZone("office.test")
      office.add("b._dns-sd._udp PTR print.test.")
      office.add("lb._dns-sd._udp PTR print.test.")
      office.add("lb._dns-sd._udp PTR local.")
      office.add("db._dns-sd._udp PTR second.test.")
      var (print, second) = (PrinterZone("print.test"), PrinterZone("second.test"))
      print.add(printer: "Recommended")
      second.add(printer: "Also recommended")
      let network = try await RoutedNetwork(
        zones: [office, print, second], search: ["nothing.test", "office.test"])
      try await network.client.repeatTest()
      return await network.close()
    }
    let events = try await browse([], recommended: true) { events in
      events.contains(.allForNow) && events.filter(\.isResolution).count == 2
    }
    #expect(Set(events.compactMap(\.service?.domain)) == ["print.test", "second.test"])
    #expect(events.filter { $0.isResolution }.count == 2)
  }

  @Test func `an answer that is too long for UDP comes by TCP`() async throws {
    guard isOwnProcess else {
      var zone = PrinterZone("example.test")
      for number in 0..<300 { zone.add(printer: "Printer \(number)") }
      zone.add(
        printer: "talkative",
        txt: (0..<200).map { "k\($0)=" + String(repeating: "v", count: 240) })
      let network = try await RoutedNetwork(zones: [zone])
      try await network.client.repeatTest()
      return await network.close()
    }
    let events = try await browse(["example.test"]) { events in
      events.contains(.allForNow) && events.filter(\.isResolution).count == 301
    }
    #expect(events.of("talkative").compactMap(\.details).last?.txt.count == 201)
    #expect(events.filter(\.isFailure).isEmpty)
  }

  @Test func `a domain that does not exist is said, and one without services is not`() async throws
  {
    guard isOwnProcess else {
      let network = try await RoutedNetwork(
        zones: [PrinterZone("example.test"), PrinterZone("test")])
      try await network.client.repeatTest()
      return await network.close()
    }
    let events = try await browse(["example.test", "nope.test"]) { $0.contains(.allForNow) }
    let reasons = events.compactMap { event -> String? in
      if case .failed(let reason) = event { reason } else { nil }
    }
    #expect(reasons == ["nope.test: there is no such domain"])
    try await checkDomain("example.test", for: Self.types, timeout: timeout)
    let problem = await #expect(throws: DNSSDError.self) {
      try await checkDomain("nope.test", for: Self.types, timeout: timeout)
    }
    #expect(problem?.code == .noSuchDomain)
    for senseless in ["", "a..b", String(repeating: "a", count: 64)] {
      #expect(throws: DNSSDError(.invalidDomain, senseless)) {
        try browseUnicast(Self.types, in: UnicastScope([senseless]))
      }
    }
  }

  /// Its own timeout ends it, and so does the end of the task.
  @Test func `a server that is silent holds up nobody`() async throws {
    guard isOwnProcess else {
      let network = try await RoutedNetwork(
        zones: [], search: ["office.test"], servers: [RoutedNetwork.nobody])
      try await network.client.repeatTest()
      return await network.close()
    }
    let problem = await #expect(throws: DNSSDError.self) {
      try await checkDomain("example.test", for: Self.types, timeout: .milliseconds(100))
    }
    #expect(problem?.code == .noAnswer)
    let waiting = Task { try await checkDomain("a.test", for: Self.types, timeout: .seconds(3600)) }
    waiting.cancel()
    await #expect(throws: DNSSDError.self) { try await waiting.value }
    // The user did not ask for the recommended domains, so a silent server for them only ends the search.
    let events = try await browse([], recommended: true) { $0.contains(.allForNow) }
    #expect(events.compactMap(\.service).isEmpty)
  }

  @Test func `what nobody listens to leaves nothing behind`() async throws {
    guard isOwnProcess else {
      var zone = PrinterZone("example.test")
      for number in 0..<20 { zone.add(printer: "Printer \(number)") }
      let network = try await RoutedNetwork(zones: [zone])
      try await network.client.repeatTest()
      return await network.close()
    }
    _ = try await browse(["example.test"]) { $0.contains(where: \.isResolution) }
    try await Task.sleep(for: .milliseconds(300))
    let (threads, files) = (count("/proc/self/task"), count("/proc/self/fd"))
    for _ in 0..<5 {
      _ = try await browse(["example.test"]) { $0.contains(where: \.isResolution) }
      // This stream is never read.
      _ = try browseUnicast(Self.types, in: UnicastScope(["example.test"]))
    }
    try await eventually("every thread ends and every file is closed") {
      count("/proc/self/task") <= threads && count("/proc/self/fd") <= files
    }
  }
}
