internal import CCups
internal import Glibc
internal import PrintModel
internal import Synchronization
internal import System

/// Cuts a connection that must end, whatever libcups is doing with it.
///
/// libcups calls its callback only while nothing moves, and not at all in a TLS handshake, for which it waits 10 s
/// (cups/tls-gnutls.c). So a thread checks for interruptions and timeouts, and shuts the socket down, which ends every
/// wait for it.
final class Watchdog: Sendable {
  private let cancellation: Cancellation
  private let state: Mutex<State>

  private struct State {
    var http: Handle
    var deadline: ContinuousClock.Instant?
    var hasCut = false
    /// Time for which an answer may still come after an interruption, and the time when that was first seen.
    var grace = Duration.zero
    var interrupted: ContinuousClock.Instant?
    var isOver = false
  }

  /// Used by the watching thread only while it holds the lock, and not after `end()` or `turn`.
  private struct Handle: @unchecked Sendable {
    var http: OpaquePointer
  }

  init(_ http: OpaquePointer, _ cancellation: Cancellation) {
    state = Mutex(State(http: Handle(http: http)))
    self.cancellation = cancellation
    detachThread { [self] in
      while look() { usleep(50_000) }
    }
  }

  /// Stops watching, before the connection is closed.
  func end() { state.withLock { $0.isOver = true } }

  /// Watches `http` from now on; the previous one is about to be closed.
  func turn(to http: OpaquePointer) {
    let handle = Handle(http: http)
    state.withLock { $0.http = handle }
  }

  /// Cuts the connection at `deadline`; nil cancels that.
  func watch(until deadline: ContinuousClock.Instant?) {
    state.withLock {
      $0.deadline = deadline
      $0.hasCut = false
    }
  }

  /// Delays cutting the connection after an interruption by `grace` from now on.
  func hold(_ grace: Duration) { state.withLock { $0.grace = grace } }

  /// True if the deadline set by `watch` has passed.
  var hasCut: Bool { state.withLock { $0.hasCut } }

  /// Checks the connection once; false if there is nothing left to watch.
  private func look() -> Bool {
    state.withLock {
      if $0.isOver { return false }
      if let deadline = $0.deadline, deadline <= .now { $0.hasCut = true }
      if cancellation.isRaised, $0.interrupted == nil { $0.interrupted = .now }
      let grace = $0.grace
      let isLate = $0.interrupted.map { $0 + grace <= .now } ?? false
      if $0.hasCut || isLate { Watchdog.cut($0.http.http) }
      return true
    }
  }

  /// Shuts down both directions immediately, without the TLS close alert, which would wait for the peer's.
  static func cut(_ http: OpaquePointer) {
    let socket = httpGetFd(http)
    if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
  }
}

// How long a request may take.
extension Connection {
  /// Asks the first questions; the connection itself and the first one have the time of one, and each answer gives the
  /// next one as much.
  package func makeContact<Answer>(
    _ ask: (Connection) throws(IPPError) -> Answer
  ) throws(IPPError) -> Answer {
    contactEnd = deadline
    defer { contactEnd = nil }
    return try ask(self)
  }

  /// Allows for what follows the time for silence, and as long again for bytes that arrive slowly, but no more than 30 s
  /// for both.
  ///
  /// The silence timeout alone never ends a head that never ends.
  func setDeadline() {
    deadline = contactEnd ?? .now + allowance
  }

  var allowance: Duration { max(timeout, min(timeout * 2, .seconds(30))) }

  /// The time for silence, which ends a moment before the exchange, so that it is told from an endless answer.
  var silence: Duration {
    min(timeout, ContinuousClock.now.duration(to: deadline) - .milliseconds(500))
  }

  /// Adds the time that the user takes, for a password, to that of the printer.
  func waitForUser<Answer>(_ ask: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    let begun = ContinuousClock.now
    defer {
      let taken = begun.duration(to: .now)
      deadline = deadline + taken
      contactEnd = contactEnd.map { $0 + taken }
    }
    return try ask()
  }

  /// Delays the effect of an interruption by `grace` from now on.
  func hold(_ grace: Duration) {
    wait.isHeld = grace > .zero
    watchdog.hold(grace)
  }
}
