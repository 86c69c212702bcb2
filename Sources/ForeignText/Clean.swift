/// Cleans text from a network or a document for people's eyes: a terminal, a notification, a page.
///
/// Letters, the marks that belong to one, digits, punctuation, symbols and blanks get through. What moves the
/// cursor, changes colors, turns the direction of writing, hides or has no meaning in Unicode becomes one
/// U+FFFD a run, line breaks and tabs one space a run (or stay `\n` when lines are to be kept). Marks that pile
/// up on a letter are cut at four. Emoji joined by ZWJ, and the joiners that Arabic and Indic spelling needs,
/// stay. It looks at scalars, never at Characters: a mark makes one Character of itself and a control.
///
/// - `limit`: in scalars; what is longer ends with `…`.
package func cleaned(
  _ text: String, keepingLines: Bool = false, upTo limit: Int = .max
) -> String {
  if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
  var cleaner = Cleaner(keepsLines: keepingLines)
  let scalars = text.unicodeScalars
  var index = scalars.startIndex
  var count = 0
  while index < scalars.endIndex {
    guard count < limit else {
      cleaner.output.append("…")
      break
    }
    count += 1
    let scalar = scalars[index]
    index = scalars.index(after: index)
    cleaner.take(scalar, before: index < scalars.endIndex ? scalars[index] : nil)
  }
  return String(cleaner.output)
}

extension String {
  /// The text with one blank for each run of line breaks and tabs, for what belongs into a sentence: a message may
  /// have lines of its own, and nobody else's.
  ///
  /// Everything else stays, for who wants the bytes; `cleaned` is for eyes.
  package var onOneLine: String {
    guard unicodeScalars.contains(where: \.breaksLine) else { return self }
    return unicodeScalars.split(whereSeparator: \.breaksLine).map(String.init)
      .joined(separator: " ")
  }
}

private struct Cleaner {
  /// Vietnamese, Thai and Hebrew need up to three marks on a letter.
  static let mostMarks = 4
  /// The longest emoji in Unicode's own list has three joiners.
  static let mostJoiners = 4

  let keepsLines: Bool
  var output = String.UnicodeScalarView()
  /// The scalar that the next mark would stand on; nil at the start and after a replacement or a
  /// space.
  private var previous: Unicode.Scalar?
  private var marks = 0
  private var joiners = 0

  init(keepsLines: Bool) { self.keepsLines = keepsLines }

  mutating func take(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) {
    if scalar.breaksLine {
      // CR LF is one break.
      if !(keepsLines && scalar == "\r" && next == "\n") { takeBreak(scalar) }
    } else if scalar == "\u{200D}" || scalar == "\u{200C}" {
      takeJoiner(scalar, before: next)
    } else if scalar.isVariationSelector {
      previous.map { $0.hasVariants } == true ? keepMark(scalar) : replace()
    } else if scalar.properties.isEmojiModifier {
      // A skin color on anything but a person or a hand draws a square of its own.
      previous.map { $0.properties.isEmojiModifierBase || $0.isVariationSelector } == true
        ? keepMark(scalar) : replace()
    } else if scalar.isInvisible(before: next) {
      replace()
    } else if scalar.isMark || scalar.isSpacingMark {
      takeMark(scalar)
    } else {
      keep(scalar)
    }
  }

  private mutating func takeBreak(_ scalar: Unicode.Scalar) {
    if keepsLines, scalar != "\t" {
      output.append("\n")
    } else if output.last != " " {
      output.append(" ")
    }
    previous = nil
  }

  private mutating func takeJoiner(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) {
    guard let previous, let next, joiners < Cleaner.mostJoiners else { return replace() }
    let joinsEmoji = scalar == "\u{200D}" && previous.canBeJoined && next.canBeJoined
    guard joinsEmoji || (previous.isSpeltWithJoiners && next.isSpeltWithJoiners) else {
      return replace()
    }
    joiners += joinsEmoji ? 1 : 0
    output.append(scalar)
    self.previous = scalar
  }

  /// A mark on punctuation or a blank belongs to nothing: it hides what stands below it.
  private mutating func takeMark(_ scalar: Unicode.Scalar) {
    guard let previous, previous.bearsMarks else { return replace() }
    guard scalar.isSpacingMark else { return keepMark(scalar) }
    output.append(scalar)
    self.previous = scalar
  }

  private mutating func keep(_ scalar: Unicode.Scalar) {
    if previous != "\u{200D}" { joiners = 0 }
    marks = 0
    output.append(scalar)
    previous = scalar
  }

  private mutating func keepMark(_ scalar: Unicode.Scalar) {
    guard marks < Cleaner.mostMarks else { return }
    marks += 1
    output.append(scalar)
    previous = scalar
  }

  private mutating func replace() {
    if output.last != "\u{FFFD}" { output.append("\u{FFFD}") }
    previous = nil
  }
}
