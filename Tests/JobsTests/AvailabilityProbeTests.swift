import Testing

@testable import Jobs

/// The intervals between queries to a printer that jobs wait for, with a clock set by the test.
@Suite struct AvailabilityProbeTests {
  /// Returns the pauses after this many unanswered queries.
  private func pauses(_ count: Int, isVisible: Bool) -> [Duration] {
    var now = ContinuousClock.now
    var probe = AvailabilityProbe(now: now)
    return (0..<count).map { _ in
      probe.ask()
      _ = probe.answered(false, isVisible: isVisible, now: now)
      defer { now = probe.next }
      return now.duration(to: probe.next)
    }
  }

  @Test func `a printer that nobody announces: asked less and less often`() {
    let expected = [5, 10, 20, 40, 80, 160, 300, 300].map { Duration.seconds($0) }
    #expect(pauses(8, isVisible: false) == expected)
  }

  @Test func `a printer that is announced and does not answer yet: soon, and patiently`() {
    let expected = [5, 10, 20, 20, 20, 20, 20, 20].map { Duration.seconds($0) }
    #expect(pauses(8, isVisible: true) == expected)
    #expect(
      AvailabilityProbe.timeout(isVisible: true) > AvailabilityProbe.timeout(isVisible: false))
  }

  @Test func `a printer that answers is left alone, announced or not`() {
    var now = ContinuousClock.now
    var probe = AvailabilityProbe(now: now)
    var changes: [AvailabilityProbe.Change] = []
    for _ in 0..<8 {
      probe.ask()
      changes.append(probe.answered(true, isVisible: true, now: now))
      now = probe.next
    }
    probe.ask()
    _ = probe.answered(true, isVisible: true, now: now)
    #expect(now.duration(to: probe.next) == AvailabilityProbe.longest)
    #expect(changes == [.appeared] + Array(repeating: .none, count: 7))
  }

  @Test func `news while it is being asked: asked again at once`() {
    let now = ContinuousClock.now
    var probe = AvailabilityProbe(now: now)
    probe.ask()
    probe.hurry(now: now)
    #expect(probe.answered(false, isVisible: true, now: now) == .none)
    #expect(probe.next == now)
    probe.ask()
    #expect(probe.answered(true, isVisible: true, now: now) == .appeared)
    #expect(probe.answered(false, isVisible: false, now: now) == .vanished)
  }
}
