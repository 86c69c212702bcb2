internal import PrintModel

/// Looks at how a page's content begins: with a rectangle that is filled over all of the page, as slides have one.
///
/// No paper shines through what is drawn on that.
enum OpaqueBackdrop {
  /// True when `content` covers `box` before it draws anything else, and before it says how it is drawn.
  static func isPainted(by content: [UInt8], over box: Rectangle) -> Bool {
    var operators = ContentOperators(content)
    var start = 0
    var matrix = Transform.identity
    var saved: [Transform] = []
    /// The path, if it is nothing but rectangles: whether one of them covers the page.
    var covers: Bool?
    var isPattern = false
    // More comes before no background.
    for _ in 0..<64 {
      guard let (word, end) = operators.next() else { return false }
      let numbers = content[start..<max(start, end - word.count)].split { $0 <= 32 }
        .map { Double(String(decoding: $0, as: UTF8.self)) ?? .nan }
      start = end
      switch String(decoding: word, as: UTF8.self) {
      case "q": saved.append(matrix)
      case "Q": matrix = saved.popLast() ?? matrix
      case "cm":
        guard numbers.count == 6, numbers[1] == 0, numbers[2] == 0 else { return false }
        matrix = Transform.scale(numbers[0], numbers[3])
          .then(.translation(numbers[4], numbers[5])).then(matrix)
      case "re":
        guard numbers.count == 4 else { return false }
        covers = (covers ?? false) || isAll(numbers, matrix, box)
      case "W", "W*": guard covers == true else { return false }
      case "n": covers = nil
      case "rg", "g", "k": isPattern = false
      // A color with a name is a pattern (ISO 32000-1 §8.7.3.3).
      case "sc", "scn": isPattern = numbers.contains { $0.isNaN }
      case "f", "F", "f*": return covers == true && !isPattern
      // Errors of the lines that come next don't matter.
      case "cs", "CS", "RG", "G", "K", "SC", "SCN", "w", "J", "j", "M", "i", "ri", "BMC", "EMC",
        "MP":
        break
      default: return false
      }
    }
    return false
  }

  private static func isAll(_ numbers: [Double], _ matrix: Transform, _ box: Rectangle) -> Bool {
    let one = matrix.apply(x: numbers[0], y: numbers[1])
    let other = matrix.apply(x: numbers[0] + numbers[2], y: numbers[1] + numbers[3])
    // Numbers are rounded where they are written.
    let seam = 0.1
    return min(one.x, other.x) <= box.x + seam && min(one.y, other.y) <= box.y + seam
      && max(one.x, other.x) >= box.x + box.width - seam
      && max(one.y, other.y) >= box.y + box.height - seam
  }
}
