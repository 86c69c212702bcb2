/// `text` from a network or a document, fit for a line on a terminal.
///
/// Nothing in the result moves the cursor, changes colours, turns the direction of writing or hides:
/// controls, ESC, bidi controls, invisible and tag characters become one U+FFFD a run, line breaks and
/// tabs one space a run (or stay `\n` when lines are to be kept). Marks that pile up on a letter are
/// cut at four. Emoji joined by ZWJ, and the joiners that Arabic and Indic spelling needs, stay.
package func cleaned(_ text: String, keepingLines: Bool = false) -> String {
  if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
  var cleaner = Cleaner(keepsLines: keepingLines)
  let scalars = text.unicodeScalars
  var index = scalars.startIndex
  while index < scalars.endIndex {
    let scalar = scalars[index]
    index = scalars.index(after: index)
    cleaner.take(scalar, before: index < scalars.endIndex ? scalars[index] : nil)
  }
  return String(cleaner.output)
}

private struct Cleaner {
  /// Vietnamese, Thai and Hebrew need up to three marks on a letter.
  static let mostMarks = 4
  /// The longest emoji in Unicode's own list has three joiners.
  static let mostJoiners = 4

  let keepsLines: Bool
  var output = String.UnicodeScalarView()
  /// What the next mark would stand on; nil at the start and after a replacement or a space.
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
      previous.map { !$0.isVariationSelector && !$0.isMark } == true
        ? keepMark(scalar) : replace()
    } else if scalar.properties.isEmojiModifier {
      // A skin colour on anything but a person or a hand draws a square of its own.
      previous.map { $0.properties.isEmojiModifierBase || $0.isVariationSelector } == true
        ? keepMark(scalar) : replace()
    } else if scalar.isInvisible {
      replace()
    } else if scalar.isMark {
      previous == nil ? replace() : keepMark(scalar)
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

extension Unicode.Scalar {
  fileprivate var breaksLine: Bool {
    (0x09...0x0D).contains(value) || value == 0x85 || value == 0x2028 || value == 0x2029
  }

  var isVariationSelector: Bool {
    (0xFE00...0xFE0F).contains(value) || (0xE0100...0xE01EF).contains(value)
  }

  /// Drawn on the character before it, in no column of its own. The vowels and finals of Hangul's
  /// conjoining letters behave so too.
  var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
    }
  }

  fileprivate var isInvisible: Bool {
    switch properties.generalCategory {
    case .control: true
    // Arabic's signs around numbers are in the same category, and are drawn.
    case .format: !((0x0600...0x08E2).contains(value) && value != 0x061C)
    default: properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
    }
  }

  /// An end of an emoji sequence that ZWJ may continue: a picture, its colour or its selector.
  fileprivate var canBeJoined: Bool {
    value == 0xFE0F || (value > 0xFF && properties.isEmoji)
  }

  /// Arabic to Sinhala: a joiner between such letters changes how they are written (RFC 5892 A.1, A.2).
  fileprivate var isSpeltWithJoiners: Bool { (0x0600...0x0DFF).contains(value) }
}
