/// Contacts with printers that nobody chose one by one, of which there may be thousands: a limited number at a time.
///
/// One that is silent for a moment gives up its slot while it is still waited for, so that silent printers don't hold up
/// the others.
package actor ContactQueue {
  /// Number of printers contacted at one time: each needs a thread, and another for its watchdog.
  private static let mostAtOnce = 32
  /// The same, including those that have given up their slot.
  private static let mostOpen = 256
  /// Time after which a silent printer gives up its slot.
  private static let headStart = Duration.seconds(1)

  /// Contacts that hold a slot.
  private var busy: Set<Int> = []
  private var openCount = 0
  private var lastNumber = 0
  private var line: [CheckedContinuation<Int, Never>] = []

  /// Number of contacts that wait for a slot.
  var waitingCount: Int { line.count }

  /// Calls `contact` when it is its turn, and returns its result.
  func run<Answer: Sendable>(_ contact: @Sendable () async -> Answer) async -> Answer {
    let number =
      hasRoom && line.isEmpty ? admit() : await withCheckedContinuation { line.append($0) }
    let timer = Task {
      try? await Task.sleep(for: Self.headStart)
      release(number)
    }
    let answer = await contact()
    timer.cancel()
    openCount -= 1
    release(number)
    return answer
  }

  private var hasRoom: Bool { busy.count < Self.mostAtOnce && openCount < Self.mostOpen }

  private func admit() -> Int {
    lastNumber += 1
    busy.insert(lastNumber)
    openCount += 1
    return lastNumber
  }

  /// Takes a contact's slot, and gives what is free to those that wait.
  private func release(_ number: Int) {
    busy.remove(number)
    while hasRoom, !line.isEmpty { line.removeFirst().resume(returning: admit()) }
  }
}

extension ContactQueue {
  /// Contacts each item of a list, and returns the results in the list's order.
  package static func results<Item: Sendable, Answer: Sendable>(
    of items: [Item], _ contact: @escaping @Sendable (Item) async -> Answer
  ) async -> [Answer] {
    let queue = ContactQueue()
    return await withTaskGroup(of: (Int, Answer).self) { group in
      for (index, item) in items.enumerated() {
        group.addTask { (index, await queue.run { await contact(item) }) }
      }
      var answers: [Int: Answer] = [:]
      for await (index, answer) in group { answers[index] = answer }
      return items.indices.compactMap { answers[$0] }
    }
  }
}
