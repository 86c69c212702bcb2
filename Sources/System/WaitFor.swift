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

/// Waits on this thread until a descriptor is readable, closed or failed, or until the time is over (poll(2));
/// negative: no limit.
///
/// - Returns: true for each descriptor that is ready, in their order.
package func waitForInput(on descriptors: [Int32], milliseconds: Int32) -> [Bool] {
  var places = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  while poll(&places, nfds_t(places.count), milliseconds) < 0 {
    guard errno == EINTR else { return descriptors.map { _ in false } }
  }
  return places.map { $0.revents != 0 }
}
