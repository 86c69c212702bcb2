import Synchronization
import System

/// Connects to Avahi on a new thread and returns when connected; the thread continues with `run`.
///
/// libavahi-client blocks until D-Bus gives up on a daemon that hangs, which takes 25 s. That thread is abandoned: it
/// ends by itself, and does not call `run`.
///
/// - Throws: as `connect` does, or `silentDaemon` after four seconds, in which D-Bus can start a working daemon.
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

  /// Resumes the waiting task with the first outcome; returns true if this was the first.
  @discardableResult func give(_ outcome: Result<Void, DNSSDError>) -> Bool {
    let waiting = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    waiting?.resume(returning: outcome)
    return waiting != nil
  }
}
