import Submission
import Synchronization
import System

/// A clock on which hours pass instantly.
final class FastClock: Sendable {
  private let passed = Mutex(Duration.zero)
  private let begun = ContinuousClock.now

  init() {}

  func pass(_ duration: Duration) { passed.withLock { $0 += max(.zero, duration) } }

  var waiting: WaitingClock {
    WaitingClock(
      now: { [self] in begun + passed.withLock { $0 } },
      sleep: { [self] duration, cancellation in
        pass(duration)
        return !cancellation.isRaised
      })
  }
}
