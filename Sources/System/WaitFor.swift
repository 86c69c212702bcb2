import Glibc
import Synchronization

/// Runs something asynchronous from a plain thread and waits for it there; nil when the
/// interruption came first, and the work is canceled.
///
/// Never call it from a task: it would block Swift's pool.
package func waitFor<Value: Sendable>(
  unless cancellation: Cancellation, _ body: @escaping @Sendable () async -> Value
) -> Value? {
  let answer = ResultBox<Value>()
  let task = Task { answer.give(await body()) }
  while !cancellation.isRaised {
    if let value = answer.value { return value }
    // Both ends are rare and slow (a name to resolve, a printer to find); a condition would save nothing.
    usleep(2_000)
  }
  task.cancel()
  return nil
}

/// Box in which a task leaves its result for a thread.
private final class ResultBox<Value: Sendable>: Sendable {
  private let box = Mutex<Value?>(nil)

  var value: Value? { box.withLock { $0 } }
  func give(_ value: Value) { box.withLock { $0 = value } }
}
