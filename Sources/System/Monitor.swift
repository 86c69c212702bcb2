internal import Dispatch
internal import Synchronization

/// State that threads share, as in a `Mutex`, and whose changes they wait for.
package final class Monitor<State: Sendable>: Sendable {
  private let state: Mutex<State>
  /// Those of threads that wait for a change.
  private let waiting = Mutex<[DispatchSemaphore]>([])

  package init(_ state: State) { self.state = Mutex(state) }

  /// Reads or changes the state; waiting threads look at it again.
  package func withLock<Result: Sendable, Problem>(
    _ body: (inout State) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    defer { wake() }
    return try state.withLock { (state) throws(Problem) in try body(&state) }
  }

  /// Blocks this thread until there is an answer; nil only at the deadline.
  ///
  /// A change by `answer` wakes other threads only when it has one.
  package func wait<Answer: Sendable>(
    until deadline: ContinuousClock.Instant? = nil, _ answer: (inout State) -> Answer?
  ) -> Answer? {
    while true {
      // A change after the look at the state signals it.
      let semaphore = DispatchSemaphore(value: 0)
      waiting.withLock { $0.append(semaphore) }
      if let answer = state.withLock({ answer(&$0) }) {
        wake()
        return answer
      }
      guard let deadline else {
        semaphore.wait()
        continue
      }
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return nil }
      _ = semaphore.wait(timeout: .now() + .nanoseconds(Int(left / .nanoseconds(1))))
    }
  }

  private func wake() {
    let all = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for semaphore in all { semaphore.signal() }
  }
}
