import Glibc
import Synchronization

/// Runs asynchronous work from a plain thread and waits for it there; nil if it was interrupted first, which cancels
/// the work.
///
/// Never call it from a task: it would block Swift's pool.
package func waitFor<Value: Sendable>(
  unless cancellation: Cancellation, _ body: @escaping @Sendable () async -> Value
) -> Value? {
  let answer = ResultBox<Value>()
  let task = Task { answer.give(await body()) }
  while !cancellation.isRaised {
    if let value = answer.value { return value }
    // Such waits are rare and slow (resolving a name, finding a printer); a condition variable would save nothing.
    usleep(2_000)
  }
  task.cancel()
  return nil
}

/// Passes a task's result to a thread.
private final class ResultBox<Value: Sendable>: Sendable {
  private let box = Mutex<Value?>(nil)

  var value: Value? { box.withLock { $0 } }
  func give(_ value: Value) { box.withLock { $0 = value } }
}
