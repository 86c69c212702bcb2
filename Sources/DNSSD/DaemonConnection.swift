import Synchronization
import System

/// Connects to Avahi on a new thread, and returns when that is done; the thread continues with `run`.
///
/// libavahi-client blocks until D-Bus gives up on a daemon that hangs, which takes 25 s. Such a thread is left
/// alone: it ends then, and `run` is not called.
///
/// - Throws: as `connect` does, or `silentDaemon` after four seconds, in which D-Bus starts a daemon that is well.
func connectToDaemon<Session>(
  _ connect: @escaping @Sendable () throws(DNSSDError) -> Session,
  run: @escaping @Sendable (Session) -> Void
) async throws(DNSSDError) {
  let result: Result<Void, DNSSDError> = await withCheckedContinuation { continuation in
    let outcome = FirstOutcome(continuation)
    detachThread {
      do throws(DNSSDError) {
        let session = try connect()
        if outcome.give(.success(())) { run(session) }
      } catch {
        outcome.give(.failure(error))
      }
    }
    Task {
      try? await Task.sleep(for: .seconds(4))
      outcome.give(.failure(DNSSDError(.silentDaemon, "it does not answer")))
    }
  }
  try result.get()
}

/// A wait for the first of two outcomes; the second is dropped.
private final class FirstOutcome: Sendable {
  typealias Waiting = CheckedContinuation<Result<Void, DNSSDError>, Never>

  private let waiting: Mutex<Waiting?>

  init(_ waiting: Waiting) { self.waiting = Mutex(waiting) }

  /// True when this was the first.
  @discardableResult func give(_ outcome: Result<Void, DNSSDError>) -> Bool {
    let waiting = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    waiting?.resume(returning: outcome)
    return waiting != nil
  }
}
