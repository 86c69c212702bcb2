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
    let waiting = Mutex<CheckedContinuation<Result<Void, DNSSDError>, Never>?>(continuation)
    // Returns true for the first outcome; the second is dropped.
    @discardableResult
    @Sendable func give(_ outcome: Result<Void, DNSSDError>) -> Bool {
      let first = waiting.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      first?.resume(returning: outcome)
      return first != nil
    }
    detachThread {
      do throws(DNSSDError) {
        let session = try connect()
        if give(.success(())) { run(session) }
      } catch {
        give(.failure(error))
      }
    }
    Task {
      try? await Task.sleep(for: .seconds(4))
      give(.failure(DNSSDError(.silentDaemon, "it does not answer")))
    }
  }
  try result.get()
}
