import DNSSD
import PrintModel
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// The end of a search.
@Suite struct SearchTests {
  @Test func `if Avahi refuses, the message has the next step`() {
    let failure = Failure(DNSSDError(.refused, "Access denied"), domain: nil)
    #expect(failure.code == .unavailable)
    #expect(
      failure.message.contains(
        "\"Access denied\". Run airprint doctor, or name the printer by its address"))
  }

  @Test func `it is over 0.3 s after the last news, when everything has resolved`() async {
    let (service, details) = sighting("Laser")
    let search = Running(timeout: .seconds(30))
    search.tell(.appeared(service, asked: "_ipps._tcp"), .allForNow)
    try? await Task.sleep(for: .milliseconds(500))
    #expect(search.settledAt == nil)
    let resolved = ContinuousClock.now
    search.tell(.resolved(service, details))
    await search.end()
    #expect(search.kinds == ["appeared", "settled"])
    #expect(search.settledAt.map { resolved.duration(to: $0) >= .milliseconds(300) } == true)
  }

  @Test func `news begin the silence again`() async {
    let (service, details) = sighting("Laser")
    let (late, lateDetails) = sighting("Late")
    // Much longer than the pause below may take on a busy machine.
    let search = Running(timeout: .seconds(60), silence: .seconds(5))
    search.tell(.appeared(service, asked: "_ipps._tcp"), .allForNow, .resolved(service, details))
    try? await Task.sleep(for: .milliseconds(500))
    let news = ContinuousClock.now
    search.tell(.appeared(late, asked: "_ipps._tcp"), .resolved(late, lateDetails))
    await search.end()
    #expect(search.kinds == ["appeared", "appeared", "settled"])
    #expect(search.settledAt.map { news.duration(to: $0) >= .seconds(5) } == true)
  }

  @Test func `a service that does not resolve is waited for until the time is over`() async {
    let (silent, _) = sighting("Silent")
    let start = ContinuousClock.now
    let search = Running(timeout: .milliseconds(700))
    search.tell(.appeared(silent, asked: "_ipps._tcp"), .allForNow)
    await search.end()
    #expect(search.kinds == ["settled"])
    #expect(search.settledAt.map { start.duration(to: $0) >= .milliseconds(700) } == true)
  }

  @Test func `what Avahi has not finished is waited for until the time is over`() async {
    let (service, details) = sighting("Laser")
    let start = ContinuousClock.now
    let search = Running(timeout: .seconds(10))
    search.tell(.appeared(service, asked: "_ipps._tcp"), .resolved(service, details))
    await search.end()
    #expect(search.kinds == ["appeared", "settled"])
    #expect(search.settledAt.map { start.duration(to: $0) >= .seconds(10) } == true)
  }

  @Test func `one that watches settles once and goes on`() async throws {
    let (service, details) = sighting("Laser")
    let start = ContinuousClock.now
    let search = Running(timeout: .milliseconds(600), isWatching: true)
    search.tell(.allForNow)
    try await eventually("it settles") { search.kinds == ["settled"] }
    // The time limit passes without another event.
    try await Task.sleep(until: start + .milliseconds(900))
    search.tell(.appeared(service, asked: "_ipps._tcp"), .resolved(service, details))
    search.tell(.vanished(service, asked: "_ipps._tcp"))
    search.finish()
    await search.end()
    #expect(search.kinds == ["settled", "appeared", "vanished"])
  }
}

/// A running search whose services come from the test.
private final class Running: Sendable {
  private let services: AsyncStream<ServiceEvent>.Continuation
  private let log = Mutex<[(DiscoveryEvent, ContinuousClock.Instant)]>([])
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(timeout: Duration, isWatching: Bool = false, silence: Duration = .milliseconds(300)) {
    let (stream, continuation) = AsyncStream<ServiceEvent>.makeStream()
    services = continuation
    let search = Task {
      let search = Search(timeout: timeout, isWatching: isWatching, silence: silence)
      await search.run(on: stream) { event in self.log.withLock { $0.append((event, .now)) } }
    }
    task.withLock { $0 = search }
  }

  func tell(_ events: ServiceEvent...) { for event in events { services.yield(event) } }
  func finish() { services.finish() }
  func end() async { await task.withLock { $0 }?.value }

  var kinds: [String] {
    log.withLock { $0.map { String("\($0.0)".prefix { $0 != "(" }) } }
  }

  var settledAt: ContinuousClock.Instant? {
    log.withLock { $0.first { $0.0 == .settled }?.1 }
  }
}
