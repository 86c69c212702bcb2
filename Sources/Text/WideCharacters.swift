internal import CGLib

/// Wide characters (Chinese, Japanese, Korean, emoji) in a row of a table made of characters: each takes two columns
/// there, as on a terminal, or the table's columns don't line up.
///
/// In other text they have their own width, which is less.
struct WideCharacters {
  /// Successive wide characters.
  struct Run: Equatable {
    /// Range in UTF-8.
    var bytes: Range<Int>
    var count: Int
  }

  private(set) var runs: [Run] = []
  /// True for a row whose lines meet those of the rows above and below.
  private(set) var isRuled = false

  /// A longer line is not a row of a table.
  private static let longest = 4_096

  init(in text: String) {
    // The first wide character is U+1100.
    guard text.utf8.count <= WideCharacters.longest, text.utf8.contains(where: { $0 >= 0xE1 })
    else { return }
    var (place, isColumn, spaces) = (0, false, 0)
    for character in text {
      let length = character.utf8.count
      defer { place += length }
      let scalar = character.unicodeScalars[character.unicodeScalars.startIndex]
      if g_unichar_iswide(scalar.value) != 0 {
        if let last = runs.last, last.bytes.upperBound == place {
          runs[runs.count - 1] = Run(
            bytes: last.bytes.lowerBound..<place + length, count: last.count + 1)
        } else {
          runs.append(Run(bytes: place..<place + length, count: 1))
        }
      } else if (0x2500...0x257F).contains(scalar.value) {
        isRuled = true
      }
      // Columns are separated by a line, or, after a wide character, by two spaces.
      spaces = character == " " && !runs.isEmpty ? spaces + 1 : 0
      isColumn = isColumn || isRuled || character == "|" || spaces == 2
    }
    if runs.isEmpty { isRuled = false }
    if !isColumn { runs = [] }
  }
}
