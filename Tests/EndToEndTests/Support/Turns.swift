import FoundationEssentials
import Glibc
import Synchronization
import System
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
///
/// Most tests wait, for a printer or a clock: while the machine's processors do too, there is room for more.
private final class Turnstile: Sendable {
  static let shared = Turnstile()

  /// The number of tests that may always run, and the largest number.
  private static let room = 6...18

  private struct State {
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var isWatched = false

    /// Admits the one that has waited for longest.
    mutating func next() -> CheckedContinuation<Void, Never>? {
      guard !waiting.isEmpty else { return nil }
      running += 1
      return waiting.removeFirst()
    }
  }

  private let state = Mutex(State())

  func enter() async {
    await withCheckedContinuation { continuation in
      let (first, isUnwatched) = state.withLock { state in
        state.waiting.append(continuation)
        if state.running < Self.room.lowerBound { return (state.next(), false) }
        defer { state.isWatched = true }
        return (nil, !state.isWatched)
      }
      first?.resume()
      if isUnwatched { detachThread { [self] in watch() } }
    }
  }

  func leave() {
    state.withLock { state in
      state.running -= 1
      return state.running < Self.room.lowerBound ? state.next() : nil
    }?.resume()
  }

  /// While some wait, admits one more after each quarter of a second in which the processors were idle for a third of
  /// the time.
  private func watch() {
    var last = Self.processorTimes()
    while true {
      usleep(250_000)
      let now = Self.processorTimes()
      let isIdle = 3 * (now.idle - last.idle) > now.all - last.all
      last = now
      let (next, isOver) = state.withLock { state in
        state.isWatched = !state.waiting.isEmpty
        let hasRoom = isIdle && state.running < Self.room.upperBound
        return (hasRoom ? state.next() : nil, !state.isWatched)
      }
      next?.resume()
      if isOver { return }
    }
  }

  /// The processors' times since the machine started, from proc_stat(5): 0 where they are not told.
  private static func processorTimes() -> (idle: Int, all: Int) {
    let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
    let times = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().compactMap { Int($0) }
    return times.count > 4 ? (times[3] + times[4], times.prefix(8).reduce(0, +)) : (0, 0)
  }
}
