import DNSSD
import TestSupport
import Testing

/// Avahi and D-Bus that are missing, or disappear.
@Suite struct DaemonTests {
  @Test(.needsNamespaces) func `without D-Bus that is said at once`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench(withDaemon: false)
      await bench.stopBus()
      try await bench.repeatTest()
      return await bench.close()
    }
    try await expectProblem(.noBus)
  }

  @Test(.needsNamespaces) func `without Avahi that is said at once`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench(withDaemon: false)
      try await bench.repeatTest()
      return await bench.close()
    }
    try await expectProblem(.noDaemon)
  }

  @Test(.needsNamespaces) func `Avahi that hangs is given up before D-Bus does`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench()
      bench.freezeDaemon()
      try await bench.repeatTest()
      await bench.stopDaemon()
      return await bench.close()
    }
    try await expectProblem(.silentDaemon)
  }

  private func expectProblem(_ code: DNSSDError.Code) async throws {
    let problem = await #expect(throws: DNSSDError.self) { try await browse(["_ipp._tcp"]) }
    #expect(problem?.code == code, "\(problem?.message ?? "")")
    #expect(await resolveHost("bench.local").isEmpty)
  }

  @Test(.needsNamespaces) func `a daemon that is killed and started again is browsed again`()
    async throws
  {
    guard !isOwnProcess else { return try await expectReturn() }
    let bench = try await Bench()
    _ = try await bench.publish("Survivor", survives: true)
    async let browsing: Void = bench.repeatTest()
    try await Sign("resolved", on: bench).wait()
    await bench.stopDaemon()
    try await Sign("lost", on: bench).wait()
    try await bench.startDaemon()
    try await browsing
    await bench.close()
  }

  @Test(.needsNamespaces) func `a bus that is killed and started again is used again`() async throws
  {
    guard !isOwnProcess else { return try await expectReturn() }
    let bench = try await Bench()
    _ = try await bench.publish("Survivor")
    async let browsing: Void = bench.repeatTest()
    try await Sign("resolved", on: bench).wait()
    // Avahi ends with its bus, and avahi-publish with both.
    await bench.stopBus()
    await bench.stopDaemon()
    try await Sign("lost", on: bench).wait()
    try await bench.startBus()
    try await bench.startDaemon()
    _ = try await bench.publish("Survivor")
    try await browsing
    await bench.close()
  }

  private func expectReturn() async throws {
    let events = await collect(try await browse(["_ipp._tcp"])) { events in
      if events.contains(where: \.isResolution) { Sign("resolved").raise() }
      if events.contains(.daemonLost) { Sign("lost").raise() }
      guard let lost = events.firstIndex(of: .daemonLost) else { return false }
      return events[lost...].contains(where: \.isResolution)
        && events[lost...].contains(.allForNow)
    }
    #expect(events.count { $0 == .daemonLost } == 1)
  }
}
