import Synchronization
import Testing

/// Limits the number of tests that run at a time.
///
/// Each test starts printers and programs; all at once, they would only delay each other until they time out.
struct Turns: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    await Turnstile.shared.enter()
    defer { Turnstile.shared.leave() }
    try await function()
  }
}

extension Trait where Self == Turns {
  /// A trait for tests that wait for their turn.
  static var inTurn: Self { Turns() }
}

/// Admits as many as there is room for; the others wait without blocking a thread.
private final class Turnstile: Sendable {
  static let shared = Turnstile(room: 6)

  private struct State {
    var room: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(room: Int) { state = Mutex(State(room: room)) }

  func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.room > 0 {
          state.room -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.room += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
