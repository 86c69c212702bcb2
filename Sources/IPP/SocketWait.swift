internal import Glibc
internal import System

/// The callback of libcups while nothing moves, which decides if it keeps waiting.
///
/// Owned by its connection, and called only on the waiting thread.
final class SocketWait {
  /// Seconds between two calls.
  static let tick = 0.25

  let cancellation: Cancellation
  private var deadline = ContinuousClock.now
  private(set) var verdict: IPPError?
  /// True while the watchdog handles interruptions: the answer to what was sent is worth waiting for.
  var isHeld = false
  /// Called at every tick, while libcups is in the middle of a read or a write of this connection; other connections
  /// may be used in it.
  var whenStalled: (() -> Void)?

  init(_ cancellation: Cancellation) { self.cancellation = cancellation }

  /// A pointer to this object, unretained: the connection outlives every call that libcups makes with it.
  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func restart(_ timeout: Duration) {
    deadline = .now + timeout
    verdict = nil
  }

  /// True if the time allowed has passed since the last `restart`.
  var isOver: Bool { ContinuousClock.now >= deadline }

  static func goesOn(_ data: UnsafeMutableRawPointer?) -> Int32 {
    guard let data else { return 0 }
    // libcups takes what is left there for the error of a TLS record without data (_httpTLSRead in cups/tls-gnutls.c).
    defer { errno = 0 }
    return Unmanaged<SocketWait>.fromOpaque(data).takeUnretainedValue().tickedVerdict == nil ? 1 : 0
  }

  /// Updates the verdict at a tick: the reason to stop waiting, or nil to keep waiting.
  var tickedVerdict: IPPError? {
    if cancellation.isRaised, !isHeld {
      verdict = IPPError(.interrupted, "interrupted")
    } else if isOver {
      verdict = IPPError(.silent, "the printer stopped answering")
    } else {
      whenStalled?()
    }
    return verdict
  }
}

extension Duration {
  /// Whole milliseconds, rounded down.
  var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
