import System
import Testing

@Suite struct MonitorTests {
  @Test(.timeLimit(.minutes(1))) func `a change is seen by all who wait for it`() async {
    let monitor = Monitor(0)
    async let waiting = withTaskGroup(of: Int?.self) { group in
      for wanted in 1...8 {
        group.addTask { await onThread { monitor.wait { $0 >= wanted ? wanted : nil } } }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for _ in 1...8 { await onThread { monitor.withLock { $0 += 1 } } }
    #expect(await waiting.compactMap(\.self).sorted() == Array(1...8))
  }

  @Test(.timeLimit(.minutes(1))) func `two threads answer each other, and time ends a wait`() async
  {
    let monitor = Monitor(0)
    async let other: Void = onThread {
      for turn in 0..<1_000 {
        _ = monitor.wait { state -> Bool? in
          guard state == 2 * turn + 1 else { return nil }
          state += 1
          return true
        }
      }
    }
    let last = await onThread {
      for turn in 0..<1_000 {
        monitor.withLock { $0 += 1 }
        _ = monitor.wait { $0 == 2 * turn + 2 ? true : nil }
      }
      return monitor.wait(until: .now + .milliseconds(20)) { $0 > 2_000 ? $0 : nil }
    }
    await other
    #expect(last == nil && monitor.withLock { $0 } == 2_000)
  }
}
