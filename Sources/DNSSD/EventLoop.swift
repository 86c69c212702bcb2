internal import CAvahi
internal import LateLibraries
import Synchronization
internal import System

/// Avahi's event loop.
///
/// Confined to the thread that made it, as are all clients, browsers and resolvers that belong to it: `turn` calls
/// their callbacks on this thread.
final class EventLoop {
  private let poll: OpaquePointer
  private let stop: StopSignal

  /// - `stop`: ends the loop when it is raised, from any thread.
  init(until stop: StopSignal) throws(DNSSDError) {
    NetworkLibraries.load()
    guard let poll = avahi_simple_poll_new() else {
      throw DNSSDError(.refused, avahi: Int32(AVAHI_ERR_NO_MEMORY))
    }
    self.poll = poll
    self.stop = stop
    // avahi_simple_poll_wakeup() from another thread can get lost between two turns. A descriptor that stays readable
    // can't. Its only purpose is to wake the poll.
    let api = avahi_simple_poll_get(poll)
    _ = api?.pointee.watch_new(api, stop.descriptor, AVAHI_WATCH_IN, { _, _, _, _ in }, nil)
  }

  deinit { avahi_simple_poll_free(poll) }

  /// Waits for one event and handles it.
  ///
  /// - `timeout`: how long to wait for it, in milliseconds; -1: indefinitely.
  /// - Returns: true to continue: no stop was requested, and the loop has not failed.
  func turn(timeout: Int32) -> Bool {
    avahi_simple_poll_iterate(poll, timeout) == 0 && !stop.isRaised
  }

  /// Connects to Avahi, over a separate D-Bus connection; free the client with `avahi_client_free`.
  ///
  /// If Avahi is not running, the client is created anyway, and connects when Avahi starts.
  func connect() throws(DNSSDError) -> OpaquePointer {
    var problem: Int32 = 0
    let client = avahi_client_new(
      avahi_simple_poll_get(poll), AVAHI_CLIENT_NO_FAIL, nil, nil, &problem)
    guard let client else {
      // With AVAHI_CLIENT_NO_FAIL, "no daemon" means that the bus' socket does not exist.
      let noBus = [AVAHI_ERR_NO_DAEMON, AVAHI_ERR_DBUS_ERROR].contains { $0 == Int(problem) }
      throw DNSSDError(noBus ? .noBus : .refused, avahi: problem)
    }
    return client
  }
}

/// Ends an event loop from another thread.
final class StopSignal: Sendable {
  private let mailbox: Mailbox<Void>

  init() throws(DNSSDError) {
    do throws(SystemError) {
      mailbox = try Mailbox()
    } catch {
      throw DNSSDError(.refused, error.description)
    }
  }

  /// Readable once the signal is raised.
  var descriptor: Int32 { mailbox.descriptor }

  var isRaised: Bool { waitForInput(on: [descriptor], milliseconds: 0) == [true] }

  func raise() { mailbox.post(()) }
}

/// Returns true if browsers and resolvers can be made with `client`.
func isConnected(_ client: OpaquePointer) -> Bool {
  let state = avahi_client_get_state(client)
  return state != AVAHI_CLIENT_CONNECTING && state != AVAHI_CLIENT_FAILURE
}

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
