/// Paths among text, where none is allowed (ISO 32000-1 figure 9): Poppler goes on with the text where such a path ends
/// (`MisplacedText`), and other readers where the text was.
enum StrayPaths {
  private static let paths = operators("m l c v y re h S s f F f* B B* b b* n")
  /// Operators of the graphics state and of colors, which a path is drawn with.
  private static let states = operators(
    "w J j M d ri i gs CS cs SC SCN sc scn G g RG rg K k Tc Tw Tz TL Tf Tr Ts")
  private static let others = operators("Td TD Tm T* Tj TJ ' \" BMC BDC EMC MP DP true false null")

  private static func operators(_ list: String) -> Set<String> {
    Set(list.split(separator: " ").map(String.init))
  }

  /// What is between BT and ET.
  private struct TextObject {
    var place: Int
    /// Its paths, with what changed the graphics state before each.
    var moved: [UInt8] = []
    var paths: [Range<Int>] = []
  }

  /// The content with such paths in front of their text; nil: there are none, or only together with what changes more
  /// than the graphics state.
  static func moved(in content: [UInt8]) -> [UInt8]? {
    var (text, begin) = (TextObject?.none, 0)
    var found: [TextObject] = []
    content.withUnsafeBytes {
      ContentToken.forEach(in: $0) { token, last in
        guard case .word(let word) = token else { return true }
        let place = begin..<last + 1
        if word == "BT" {
          text = TextObject(place: begin)
        } else if word == "ET" {
          if let text, !text.paths.isEmpty { found.append(text) }
          text = nil
        } else if paths.contains(word) || states.contains(word) {
          if paths.contains(word) { text?.paths.append(place) }
          text?.moved += content[place] + [UInt8(ascii: " ")]
        } else if !others.contains(word) {
          text = nil
        }
        begin = last + 1
        return true
      }
    }
    guard !found.isEmpty else { return nil }
    var content = content
    for text in found.reversed() {
      for path in text.paths {
        content.replaceSubrange(path, with: repeatElement(UInt8(ascii: " "), count: path.count))
      }
      content.insert(
        contentsOf: Array(" q ".utf8) + text.moved + Array("Q ".utf8), at: text.place)
    }
    return content
  }
}
