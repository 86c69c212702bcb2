package import Submission
import Synchronization
import System

/// A clock on which hours pass instantly.
package final class FastClock: Sendable {
  private let passed = Mutex(Duration.zero)
  private let begun = ContinuousClock.now

  package init() {}

  package func pass(_ duration: Duration) { passed.withLock { $0 += max(.zero, duration) } }

  package var waiting: WaitingClock {
    WaitingClock(
      now: { [self] in begun + passed.withLock { $0 } },
      sleep: { [self] duration, cancellation in
        pass(duration)
        return !cancellation.isRaised
      })
  }
}
