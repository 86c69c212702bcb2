/// Cleans text from a network or a document for display: on a terminal, in a notification, on a page.
///
/// Letters with their marks, digits, punctuation, symbols and blanks are kept. A run of scalars that move the cursor,
/// change colors, change the writing direction, hide something or are unassigned becomes one U+FFFD; a run of line
/// breaks and tabs becomes one space (or stays `\n` if lines are kept). At most four marks are kept on a letter. Emoji
/// joined by ZWJ are kept, and so are joiners that Arabic and Indic spelling needs. It works on scalars, never on
/// Characters: a mark forms one Character with a control.
///
/// - `limit`: in scalars; longer text ends with `…`.
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
  /// The text with each run of line breaks and tabs replaced by one blank, for use in a sentence: only a message itself
  /// may contain line breaks.
  ///
  /// Everything else is unchanged, for callers that need the bytes; `cleaned` is for display.
  package var onOneLine: String {
    guard unicodeScalars.contains(where: \.breaksLine) else { return self }
    return unicodeScalars.split(whereSeparator: \.breaksLine).map(String.init)
      .joined(separator: " ")
  }
}

private struct Cleaner {
  /// Most marks on a letter; Vietnamese, Thai and Hebrew need up to three.
  static let mostMarks = 4
  /// Most joiners in an emoji; the longest in Unicode's own list has three.
  static let mostJoiners = 4

  let keepsLines: Bool
  var output = String.UnicodeScalarView()
  /// The scalar to which the next mark would apply; nil at the start and after a replacement or a space.
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
      // On anything but a person or a hand, a skin tone is drawn as a separate square.
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

  /// Handles a mark; one on punctuation or a blank has no base, and hides what is below it.
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
