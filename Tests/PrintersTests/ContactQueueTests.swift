import Synchronization
import Testing

@testable import Printers

/// Contacts with many printers at a time.
@Suite struct ContactQueueTests {
  @Test func `results come in the order of the list`() async {
    let results = await ContactQueue.results(of: Array(0..<500)) { number in
      try? await Task.sleep(for: .milliseconds(number % 7))
      return number * 2
    }
    #expect(results == (0..<500).map { $0 * 2 })
  }

  @Test func `silent printers hold up no others`() async {
    // The first hundred answer only after all of the others have, however late they begin.
    let silent = Mutex((others: 200, waiting: [CheckedContinuation<Void, Never>]()))
    let results = await ContactQueue.results(of: Array(0..<300)) { number in
      if number < 100 {
        await withCheckedContinuation { waiting in
          silent.withLock { silent in
            if silent.others > 0 { silent.waiting.append(waiting) } else { waiting.resume() }
          }
        }
      } else {
        let waiting = silent.withLock { silent in
          silent.others -= 1
          return silent.others == 0 ? silent.waiting : []
        }
        for waiting in waiting { waiting.resume() }
      }
      return number
    }
    #expect(results == Array(0..<300))
  }

  @Test func `no more are contacted at a time than there is room for`() async {
    let counts = Mutex((now: 0, most: 0))
    _ = await ContactQueue.results(of: Array(0..<400)) { _ in
      counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
      await Task.yield()
      counts.withLock { $0.now -= 1 }
    }
    #expect(counts.withLock { $0.most } <= 32)
  }
}
