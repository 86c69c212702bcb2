internal import PrintModel

/// Detects content that begins with a filled rectangle over the whole page, as slides do.
///
/// The paper does not show through anything drawn on it.
enum OpaqueBackdrop {
  /// True when `content` covers `box` before it draws anything else, and before it changes how things are drawn.
  static func isPainted(by content: [UInt8], over box: Rectangle) -> Bool {
    var operators = ContentOperators(content)
    var start = 0
    var matrix = Transform.identity
    var saved: [Transform] = []
    /// True if one of the path's rectangles covers the page; nil without a path.
    var covers: Bool?
    var isPattern = false
    // A background comes earlier than this.
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
      // A named color is a pattern (ISO 32000-1 §8.7.3.3).
      case "sc", "scn": isPattern = numbers.contains { $0.isNaN }
      case "f", "F", "f*": return covers == true && !isPattern
      // These have no effect on a fill.
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
    // Numbers in the file are rounded.
    let seam = 0.1
    return min(one.x, other.x) <= box.x + seam && min(one.y, other.y) <= box.y + seam
      && max(one.x, other.x) >= box.x + box.width - seam
      && max(one.y, other.y) >= box.y + box.height - seam
  }
}
