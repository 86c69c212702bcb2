internal import System

/// Callback of libcups while nothing moves: true to keep waiting.
///
/// One a connection, owned by it,
/// and called back only on the thread that is waiting.
final class SocketWait {
  /// Seconds between two questions.
  static let tick = 0.25

  let cancellation: Cancellation
  private var deadline = ContinuousClock.now
  private(set) var verdict: IPPError?
  /// An interruption is the watchdog's to heed: the answer to what was sent is worth waiting for.
  var isHeld = false
  /// Told at every tick, with libcups in the middle of a read or a write of this connection; another
  /// connection may be used meanwhile.
  var whenStalled: (() -> Void)?

  init(_ cancellation: Cancellation) { self.cancellation = cancellation }

  /// Unretained: the connection outlives every call that libcups makes with it.
  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func restart(_ patience: Duration) {
    deadline = .now + patience
    verdict = nil
  }

  static func goesOn(_ data: UnsafeMutableRawPointer?) -> Int32 {
    guard let data else { return 0 }
    return Unmanaged<SocketWait>.fromOpaque(data).takeUnretainedValue().tickedVerdict == nil ? 1 : 0
  }

  /// The reason to stop waiting; nil to keep waiting.
  var tickedVerdict: IPPError? {
    if cancellation.isRaised, !isHeld {
      verdict = IPPError(.interrupted, "interrupted")
    } else if ContinuousClock.now >= deadline {
      verdict = IPPError(.silent, "the printer stopped answering")
    } else {
      whenStalled?()
    }
    return verdict
  }
}
