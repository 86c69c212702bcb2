import DNSSD
import TestSupport
import Testing

@Suite struct HostLookupTests {
  @Test func `a host's addresses are found, IPv4 first`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench.shared
      let ipv4 = try await bench.publishHost("dual.local", address: "127.0.0.8")
      let ipv6 = try await bench.publishHost("dual.local", address: "fe80::8")
      try await bench.repeatTest()
      await ipv4.withdraw()
      return await ipv6.withdraw()
    }
    #expect(await resolveHost("dual.local") == ["127.0.0.8", "fe80::8%lo"])
    #expect(await resolveHost("bench.local") == ["127.0.0.1", "::1"])
    #expect(await resolveHost("bench.local.") == ["127.0.0.1", "::1"])
  }

  @Test func `a host that nobody is takes the time that it is given`() async throws {
    guard isOwnProcess else { return try await Bench.shared.repeatTest() }
    let start = ContinuousClock.now
    #expect(await resolveHost("nobody.local", timeout: .milliseconds(500)).isEmpty)
    let time = start.duration(to: .now)
    #expect(time >= .milliseconds(500))
    for senseless in ["", "..", "a..b", String(repeating: "a", count: 5000)] {
      #expect(await resolveHost(senseless, timeout: .milliseconds(100)).isEmpty)
    }
  }

  @Test func `a lookup that is canceled ends at once`() async throws {
    guard isOwnProcess else { return try await Bench.shared.repeatTest() }
    let lookup = Task { await resolveHost("nobody.local", timeout: .seconds(3600)) }
    try await Task.sleep(for: .milliseconds(100))
    lookup.cancel()
    #expect(await lookup.value.isEmpty)
  }
}
