internal import System

/// Waits between attempts: Fibonacci's 1, 1, 2, 3, 5, 8 seconds and then 8 (libcups' _cupsNextDelay), until there has
/// been no progress for the time allowed.
///
/// Uses the monotonic clock.
struct ProgressTimer {
  private var next = (1, 1)
  private let limit: Duration?
  private let clock: WaitingClock
  private var begun: ContinuousClock.Instant

  init(_ limit: Duration?, _ clock: WaitingClock) {
    self.limit = limit
    self.clock = clock
    begun = clock.now()
  }

  /// Restarts the timer after progress.
  mutating func restart() {
    begun = clock.now()
    next = (1, 1)
  }

  var isOver: Bool {
    limit.map { begun.duration(to: clock.now()) >= $0 } ?? false
  }

  /// Time left; nil if there is no limit.
  var left: Duration? {
    limit.map { max(.zero, $0 - begun.duration(to: clock.now())) }
  }

  /// Sleeps for the next pause, or until `isReady`, called every quarter of a second, returns true.
  ///
  /// False if the time is over or it was interrupted.
  mutating func wait(
    _ cancellation: Cancellation, until isReady: () -> Bool = { false }
  ) -> Bool {
    let pause = clock.now() + .seconds(next.0)
    next = (next.1, min(8, next.0 + next.1))
    let tick = Duration.milliseconds(250)
    repeat {
      let rest = left ?? .seconds(1)
      guard rest > .zero, clock.sleep(min(tick, rest), cancellation), rest > tick else {
        return false
      }
    } while !isReady() && clock.now() < pause
    return true
  }
}
