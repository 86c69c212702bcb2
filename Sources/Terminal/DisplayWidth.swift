internal import ForeignText

extension String {
  /// The number of columns of this text on a terminal: two for wide and fullwidth characters and emoji, none for marks.
  ///
  /// Controls and escape sequences are not supported: measure before styling.
  package var displayWidth: Int {
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// Returns the text truncated to at most `width` columns, with `…` as the last one if anything was cut off.
  package func truncated(to width: Int) -> String {
    guard width > 0 else { return "" }
    guard displayWidth > width else { return self }
    return fitting(width - 1) + "…"
  }

  /// Returns the text padded with spaces to `width` columns; unchanged if it is wider.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }

  /// Returns lines of at most `width` columns, broken at blanks where possible; the first line starts in column
  /// `first`, the others in column `rest`.
  ///
  /// Blanks at a break are dropped, all others are kept.
  package func wrapped(to width: Int, first: Int = 0, rest: Int = 0) -> [String] {
    var lines: [String] = []
    var line = ""
    for (index, word) in split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      let start = lines.isEmpty ? first : rest
      let next = index == 0 ? String(word) : line + " " + word
      if start + next.displayWidth > width, line.contains(where: { $0 != " " }), !word.isEmpty {
        while line.last == " " { line.removeLast() }
        lines.append(line)
        line = String(word)
      } else if !lines.isEmpty, line.isEmpty {
        line = String(word)
      } else {
        line = next
      }
    }
    return lines + [line]
  }

  /// Returns as many whole characters from the start as fit.
  private func fitting(_ width: Int) -> String {
    var left = width
    return String(
      prefix { character in
        left -= character.displayWidth
        return left >= 0
      })
  }
}

/// Alignment of text in a wider column.
package enum ColumnAlignment: Sendable { case left, right }

extension Character {
  /// The number of columns: two for an emoji of several scalars, else the sum that terminals without grapheme support
  /// use.
  fileprivate var displayWidth: Int {
    guard unicodeScalars.count > 1, let first = unicodeScalars.first else {
      return unicodeScalars.first?.displayWidth ?? 0
    }
    let isPicture =
      first.properties.isEmoji
      && unicodeScalars.contains {
        $0 == "\u{FE0F}" || $0 == "\u{200D}" || $0.properties.isEmojiModifier
      }
    return isPicture ? 2 : unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }
}

extension Unicode.Scalar {
  fileprivate var displayWidth: Int {
    if value < 0x300 { return value < 0x20 || (0x7F...0x9F).contains(value) ? 0 : 1 }
    if isMark || properties.isDefaultIgnorableCodePoint { return 0 }
    return isWide ? 2 : 1
  }

  private var isWide: Bool {
    guard value >= 0x1100 else { return false }
    // Half of a flag: the pair has two columns.
    if (0x1F1E6...0x1F1FF).contains(value) { return false }
    return Unicode.Scalar.wide.contains { $0.contains(value) } || properties.isEmojiPresentation
  }

  /// East Asian Width W and F (Unicode 16's EastAsianWidth.txt), without the emoji, which the standard library
  /// identifies; unassigned code points within a script's range count as wide.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E,
    0x3041...0x3247, 0x3250...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
    0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x2FFFD,
    0x30000...0x3FFFD,
  ]
}

/// Folds `text` for searching: case-insensitive, without diacritics, with fullwidth letters as ASCII, and ß as ss.
///
/// Deliberately simple: Latin letters lose everything after "WITH" in their Unicode names.
func folded(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
  var result = String.UnicodeScalarView()
  for scalar in text.lowercased().unicodeScalars {
    switch scalar.value {
    case ..<0x80: result.append(scalar)
    case 0xDF: result.append(contentsOf: "ss".unicodeScalars)
    case 0xFF01...0xFF5E: result.append(Unicode.Scalar(UInt8(scalar.value - 0xFF01 + 0x21)))
    case _ where scalar.isMark: break
    default: result.append(contentsOf: plainLetter(scalar).unicodeScalars)
    }
  }
  return String(result)
}

/// Returns the base letter: `e` for `LATIN SMALL LETTER E WITH ACUTE`.
private func plainLetter(_ scalar: Unicode.Scalar) -> String {
  let start = "LATIN SMALL LETTER "
  guard let name = scalar.properties.name, name.hasPrefix(start) else { return String(scalar) }
  let rest = name.dropFirst(start.count)
  guard rest.dropFirst().hasPrefix(" WITH ") else { return String(scalar) }
  return rest.prefix(1).lowercased()
}

/// Returns true if every word of `filter` occurs in `text`; both must be folded.
func matches(_ text: String, _ filter: String) -> Bool {
  filter.split(separator: " ").allSatisfy { text.contains($0) }
}
