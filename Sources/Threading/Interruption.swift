import Glibc
import Synchronization

/// Asks running work to stop: by Ctrl-C, by SIGTERM, or because its result is not wanted any more.
///
/// Blocking loops look at it at least four times a second. It is never taken back.
package final class Interruption: Sendable {
  private let number = Atomic<Int32>(0)

  package init() {}

  package var isRaised: Bool { signal != nil }

  /// The signal that asked, or SIGINT when the program itself did.
  package var signal: Int32? {
    let value = number.load(ordering: .relaxed)
    return value == 0 ? nil : value
  }

  package func raise(signal: Int32 = SIGINT) {
    _ = number.compareExchange(expected: 0, desired: signal, ordering: .relaxed)
  }

  /// The one that SIGINT and SIGTERM raise from now on. A second signal ends the process at once, as it
  /// would have without us.
  package static func catchingSignals() -> Interruption {
    let shared = signalled  // made here, so that the handler never has to
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      Interruption.signalled.raise(signal: number)
      // The handler is gone after this: the next signal takes its default course.
      Glibc.signal(SIGINT, SIG_DFL)
      Glibc.signal(SIGTERM, SIG_DFL)
    }
    sigaction(SIGINT, &action, nil)
    sigaction(SIGTERM, &action, nil)
    return shared
  }

  /// Ends this process by the signal that was raised, so that a shell sees what happened.
  package static func takeItsCourse(signal number: Int32) -> Never {
    Glibc.signal(number, SIG_DFL)
    Glibc.raise(number)
    exit(128 + number)
  }

  private static let signalled = Interruption()
}
