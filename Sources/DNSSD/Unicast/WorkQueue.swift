import Synchronization

/// Work for blocking threads: each takes the next item when it is done with one.
///
/// A thread that is held up gets a replacement. No owner's items occupy all threads: other owners come first.
/// Subordinate owners together occupy at most half.
final class WorkQueue<Owner: Hashable & Sendable, Item: Sendable>: Sendable {
  /// Largest number of busy threads, not counting those that are held up.
  static var busy: Int { 32 }
  /// Largest number of threads.
  ///
  /// A router's DNS server has room for 150 questions.
  static var most: Int { 128 }
  /// Time after which a thread is held up by its item.
  static var timeout: Duration { .milliseconds(500) }

  fileprivate struct Line {
    var items: ArraySlice<Item> = []
    /// Threads working on its items.
    var held = 0
    var isSubordinate = false
  }

  fileprivate struct State {
    var lines: [Owner: Line] = [:]
    /// Current items by thread.
    var begun: [Int: (owner: Owner, time: ContinuousClock.Instant)] = [:]
    var threads = 0
    var lastThread = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Adds items; returns the number of threads that take items which the caller has to start.
  ///
  /// - `isSubordinate`: applies to this owner from now on.
  func add(_ items: [Item], for owner: Owner, isSubordinate: Bool = false) -> Int {
    state.withLock { state in
      guard !items.isEmpty, !state.isClosed else { return 0 }
      state.lines[owner, default: Line()].items += items
      state.lines[owner]?.isSubordinate = isSubordinate
      let started = max(0, min(items.count, Self.busy - state.threads))
      state.threads += started
      return started
    }
  }

  /// Returns the number of threads that the caller has to start in place of those that are held up.
  func relieve() -> Int {
    state.withLock { state in
      let waiting = state.lines.values.reduce(0) { $0 + $1.items.count }
      let wanted = min(
        waiting, Self.busy - (state.threads - state.heldUp), Self.most - state.threads)
      guard wanted > 0, state.nextOwner != nil, !state.isClosed else { return 0 }
      state.threads += wanted
      return wanted
    }
  }

  /// True if no thread is working, so that nothing is waiting either.
  var isIdle: Bool { state.withLock { $0.threads == 0 } }

  /// Takes the next item for a thread that is done with its last one, and the thread's number; nil if the thread has to
  /// end.
  func take(_ thread: Int?) -> (thread: Int, item: Item)? {
    state.withLock { state in
      if let thread, let former = state.begun.removeValue(forKey: thread) {
        state.lines[former.owner]?.held -= 1
      }
      // A thread that was held up has been replaced.
      guard !state.isClosed, state.threads - state.heldUp <= Self.busy, let owner = state.nextOwner,
        let item = state.lines[owner]?.items.popFirst()
      else {
        state.threads -= 1
        return nil
      }
      state.lines[owner]?.held += 1
      // What was taken is kept in memory as long as the slice is not replaced.
      if state.lines[owner]?.items.isEmpty == true { state.lines[owner]?.items = [] }
      let number = thread ?? state.lastThread + 1
      state.lastThread = max(state.lastThread, number)
      state.begun[number] = (owner, .now)
      return (number, item)
    }
  }

  /// Drops all remaining items and ends every thread.
  func close() {
    state.withLock {
      $0.isClosed = true
      $0.lines = [:]
    }
  }
}

extension WorkQueue.State {
  fileprivate var heldUp: Int {
    let limit = ContinuousClock.now - WorkQueue.timeout
    return begun.values.count { $0.time < limit }
  }

  /// The owner with the fewest threads, among those that have fewer than are free, so that one is left for the others.
  ///
  /// Between subordinate and other owners, the group that has fewer threads comes first.
  fileprivate var nextOwner: Owner? {
    let free = WorkQueue.most - begun.count
    let subordinates = lines.values.reduce(0) { $0 + ($1.isSubordinate ? $1.held : 0) }
    let others = begun.count - subordinates
    func rank(_ line: WorkQueue.Line) -> (Int, Int) {
      (line.isSubordinate ? subordinates : others, line.held)
    }
    return lines.filter {
      !$0.value.items.isEmpty && $0.value.held < free
        && (!$0.value.isSubordinate || subordinates < WorkQueue.most / 2)
    }
    .min { rank($0.value) < rank($1.value) }?.key
  }
}
