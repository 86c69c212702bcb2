import TestSupport

/// All sequences of choices that a run asks for, one after the other: the run decides what it asks for next.
///
/// A choice of 0 is the ordinary course; any other one is a fault, of which a run has at most `mostFaults`.
final class Choices {
  private(set) var path: [Int]
  private var sizes: [Int] = []
  private var faults = 0
  private let mostFaults: Int
  /// For a course at random: one choice of so many may be a fault.
  private var rarity: Int?
  private var dice = Dice(0)

  /// - `path`: what the first run chooses; after that, always 0.
  init(mostFaults: Int, replaying path: [Int] = []) {
    self.mostFaults = mostFaults
    self.path = path
  }

  /// A course at random, with more faults than all courses can be tried with.
  init(seed: Int) {
    (mostFaults, path) = (12, [])
    dice = Dice(seed)
    rarity = [3, 6, 12, 24].randomElement(using: &dice)
  }

  /// Returns a number below `count`.
  func choose(_ count: Int) -> Int {
    let position = sizes.count
    if position == path.count { path.append(roll(count)) }
    // Without a fault left, there is nothing to choose.
    sizes.append(faults < mostFaults || path[position] > 0 ? count : 1)
    if path[position] > 0 { faults += 1 }
    return path[position]
  }

  private func roll(_ count: Int) -> Int {
    guard let rarity, faults < mostFaults, Int.random(in: 0..<rarity, using: &dice) == 0 else {
      return 0
    }
    return Int.random(in: 0..<count, using: &dice)
  }

  /// Prepares the next run; false if there is none.
  func advance() -> Bool {
    path.removeLast(path.count - sizes.count)
    defer {
      sizes = []
      faults = 0
    }
    while let last = path.popLast() {
      if last + 1 < sizes[path.count] {
        path.append(last + 1)
        return true
      }
      sizes.removeLast()
    }
    return false
  }
}
