import Glibc
import Synchronization

/// Work for threads that block: each takes the next item when it is done with one.
final class WorkQueue<Item: Sendable>: Sendable {
  private struct State {
    var items: [Item] = []
    var next = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let workers: Int
  /// Rung once for each item, and for each worker at the end.
  private nonisolated(unsafe) let bell: UnsafeMutablePointer<sem_t>

  /// - `workers`: how many threads take items.
  init(workers: Int) {
    self.workers = workers
    bell = .allocate(capacity: 1)
    sem_init(bell, 0, 0)
  }

  deinit {
    sem_destroy(bell)
    bell.deallocate()
  }

  func add(_ item: Item) {
    state.withLock { $0.items.append(item) }
    sem_post(bell)
  }

  /// The next item, for which it waits; nil: there is nothing more to do.
  func take() -> Item? {
    while sem_wait(bell) != 0 {}
    return state.withLock { state in
      guard !state.isClosed, state.next < state.items.count else { return nil }
      defer {
        state.next += 1
        if state.next > 1024 {
          state.items.removeFirst(state.next)
          state.next = 0
        }
      }
      return state.items[state.next]
    }
  }

  /// Forgets what is left, and lets every worker go.
  func close() {
    state.withLock { $0.isClosed = true }
    for _ in 0..<workers { sem_post(bell) }
  }
}
