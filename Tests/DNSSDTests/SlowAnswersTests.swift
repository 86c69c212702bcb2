import TestSupport
import Testing

@testable import DNSSD

/// DNS servers that are slow to answer for some printers.
@Suite struct SlowAnswersTests {
  private func browse(
    until isEnough: @escaping @Sendable ([ServiceEvent]) -> Bool
  ) async throws -> [ServiceEvent] {
    await collect(
      try browseUnicast(["_ipp._tcp"], in: UnicastScope(["example.test"])), until: isEnough)
  }

  @Test(.needsTwoHosts, arguments: [SlowDNSServer.Manner.silent, .dripping])
  func `printers that nothing is said of hold up no others`(_ manner: SlowDNSServer.Manner)
    async throws
  {
    guard isOwnProcess else {
      let network = try await RoutedNetwork(servers: ["127.0.0.1"])
      try await network.client.repeatTest(adding: ["MANNER": manner.rawValue])
      return await network.close()
    }
    guard try variable("MANNER") == manner.rawValue else { return }
    let good = (0..<5).map { "good \($0)" }
    let server = try SlowDNSServer(manner, slow: 40, good: good)
    let events = try await browse { $0.filter(\.isResolution).count == good.count }
    // No other printer had to be given up for that.
    #expect(events.filter(\.isFailure).isEmpty)
    #expect(Set(events.filter(\.isResolution).compactMap(\.service?.instance)) == Set(good))
    withExtendedLifetime(server) {}
  }

  @Test(.needsTwoHosts) func `an answer that never ends is given up`() async throws {
    guard isOwnProcess else {
      let network = try await RoutedNetwork(servers: ["127.0.0.1"])
      try await network.client.repeatTest()
      return await network.close()
    }
    let server = try SlowDNSServer(.dripping, slow: 1, good: [])
    let events = try await browse { $0.contains(where: \.isFailure) }
    #expect(events.filter(\.isFailure).compactMap(\.service?.instance) == ["slow 0"])
    withExtendedLifetime(server) {}
  }

  @Test(.needsTwoHosts) func `a record that lies about its length is none, and that is said`()
    async throws
  {
    guard isOwnProcess else {
      let network = try await RoutedNetwork(servers: ["127.0.0.1"])
      try await network.client.repeatTest()
      return await network.close()
    }
    let server = try SlowDNSServer(.lying, slow: 1, good: ["good"])
    let events = try await browse { $0.contains(.allForNow) && $0.filter(\.isSettled).count == 2 }
    #expect(events.filter(\.isResolution).compactMap(\.service?.instance) == ["good"])
    #expect(events.count(where: \.isFailure) == 1)
    let reasons = events.compactMap { if case .failed(let reason) = $0 { reason } else { nil } }
    #expect(
      reasons == ["example.test: the DNS server's answer is incomplete, and printers are missing"])
    withExtendedLifetime(server) {}
  }

  @Test func `a stranger's names leave room for those of a domain that the user named`() throws {
    let (own, other) = (
      try #require(DomainName("example.test")), try #require(DomainName("stranger.test"))
    )
    var state = UnicastSession.State()
    state.chosen = [own]
    for number in 0..<UnicastSession.maximumServices / 2 {
      let name = try #require(DomainName("\(number)._ipp._tcp.stranger.test"))
      #expect(state.hasRoom(for: other))
      state.services[name] = UnicastSession.FoundService(asked: [])
    }
    #expect(!state.hasRoom(for: other) && state.hasRoom(for: own))
  }

  @Test func `nobody's items hold every thread`() async throws {
    let queue = WorkQueue<String, Int>()
    /// Takes one item for each thread that is started.
    func take(_ count: Int) -> [Int] { (0..<count).compactMap { _ in queue.take(nil)?.item } }
    let started = queue.add(Array(0..<500), for: "slow")
    #expect(take(started).count == started)
    #expect(queue.relieve() == 0)
    // None of these threads ever returns.
    var held = started
    for _ in 0..<5 {
      try await Task.sleep(for: WorkQueue<String, Int>.timeout * 1.5)
      held += take(queue.relieve()).count
    }
    #expect(held == WorkQueue<String, Int>.most / 2)
    #expect(queue.add([-1], for: "good") == 0)
    _ = queue.add([-2], for: "good")
    #expect(Set(take(queue.relieve())) == [-1, -2])
    queue.close()
    #expect(queue.take(1) == nil)
  }

  @Test func `strangers, however many, leave half of the threads to others`() async throws {
    let queue = WorkQueue<String, Int>()
    func take(_ count: Int) -> [Int] { (0..<count).compactMap { _ in queue.take(nil)?.item } }
    // Each has only one query, which is never answered.
    var started = (0..<500).reduce(0) {
      $0 + queue.add([$1], for: "stranger \($1)", isSubordinate: true)
    }
    started += queue.add(Array(500..<600), for: "own")
    let first = take(started)
    #expect(first.count { $0 >= 500 } == first.count / 2, "\(first)")
    var strangers = first.count { $0 < 500 }
    var own = first.count - strangers
    for _ in 0..<6 {
      try await Task.sleep(for: WorkQueue<String, Int>.timeout * 1.5)
      let more = take(queue.relieve())
      strangers += more.count { $0 < 500 }
      own += more.count { $0 >= 500 }
    }
    #expect(strangers <= WorkQueue<String, Int>.most / 2 && own >= 32, "\(strangers), \(own)")
    queue.close()
  }
}

extension ServiceEvent {
  /// True if a service is resolved or given up.
  fileprivate var isSettled: Bool { isResolution || isFailure }
}
