internal import PDFRepair
internal import PrintModel

/// Detects content that begins with a filled rectangle over the whole page, as slides do.
///
/// The paper does not show through anything drawn on it.
struct OpaqueBackdrop {
  private let box: Rectangle
  private var operands: [Double] = []
  private var matrix = Transform.identity
  private var saved: [Transform] = []
  /// True if one of the path's rectangles covers the page; nil without a path.
  private var covers: Bool?
  private var isPattern = false
  /// nil: not known yet.
  private var isPainted: Bool?

  /// Maximum number of operators: a background comes earlier.
  private static let most = 64

  /// True when `content` covers `box` before it draws anything else, and before it changes how things are drawn.
  static func isPainted(by content: [UInt8], over box: Rectangle) -> Bool {
    var backdrop = OpaqueBackdrop(box: box)
    var left = most
    content.withUnsafeBytes {
      ContentToken.forEach(in: $0) { token, _ in
        switch token {
        case .number(let number): backdrop.operands.append(number)
        // A named color is a pattern (ISO 32000-1 §8.7.3.3).
        case .name: backdrop.operands.append(.nan)
        case .word(let word):
          backdrop.obey(word)
          backdrop.operands = []
          left -= 1
        case .other: break
        }
        return backdrop.isPainted == nil && left > 0
      }
    }
    return backdrop.isPainted ?? false
  }

  private mutating func obey(_ word: String) {
    switch word {
    case "q": saved.append(matrix)
    case "Q": matrix = saved.popLast() ?? matrix
    case "cm":
      guard operands.count == 6, operands[1] == 0, operands[2] == 0 else {
        return isPainted = false
      }
      matrix = Transform.scale(operands[0], operands[3])
        .then(.translation(operands[4], operands[5])).then(matrix)
    case "re":
      guard operands.count == 4 else { return isPainted = false }
      covers = (covers ?? false) || isAll
    case "W", "W*": if covers != true { isPainted = false }
    case "n": covers = nil
    case "rg", "g", "k": isPattern = false
    case "sc", "scn": isPattern = operands.contains { $0.isNaN }
    case "f", "F", "f*": isPainted = covers == true && !isPattern
    // These have no effect on a fill.
    case "cs", "CS", "RG", "G", "K", "SC", "SCN", "w", "J", "j", "M", "i", "ri", "BMC", "EMC", "MP":
      break
    default: isPainted = false
    }
  }

  private var isAll: Bool {
    let one = matrix.apply(x: operands[0], y: operands[1])
    let other = matrix.apply(x: operands[0] + operands[2], y: operands[1] + operands[3])
    // Numbers in the file are rounded.
    let seam = 0.1
    return min(one.x, other.x) <= box.x + seam && min(one.y, other.y) <= box.y + seam
      && max(one.x, other.x) >= box.x + box.width - seam
      && max(one.y, other.y) >= box.y + box.height - seam
  }
}
