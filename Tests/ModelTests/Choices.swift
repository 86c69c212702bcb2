/// All sequences of choices that a run asks for, one after the other: the run decides what it asks for next.
///
/// A choice of 0 is the ordinary course; any other one is a fault, of which a run has at most `mostFaults`.
final class Choices {
  private(set) var path: [Int]
  private var sizes: [Int] = []
  private var faults = 0
  private let mostFaults: Int

  /// - `path`: what the first run chooses; after that, always 0.
  init(mostFaults: Int, replaying path: [Int] = []) {
    self.mostFaults = mostFaults
    self.path = path
  }

  /// Returns a number below `count`.
  func choose(_ count: Int) -> Int {
    let position = sizes.count
    if position == path.count { path.append(0) }
    // Without a fault left, there is nothing to choose.
    sizes.append(faults < mostFaults || path[position] > 0 ? count : 1)
    if path[position] > 0 { faults += 1 }
    return path[position]
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
