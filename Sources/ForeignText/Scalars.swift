extension Unicode.Scalar {
  var breaksLine: Bool {
    (0x09...0x0D).contains(value) || value == 0x85 || value == 0x2028 || value == 0x2029
  }

  var isVariationSelector: Bool {
    (0xFE00...0xFE0F).contains(value) || (0xE0100...0xE01EF).contains(value)
  }

  /// True for scalars drawn on the preceding character, without a column of their own.
  ///
  /// That includes the vowels and finals of Hangul's conjoining letters.
  package var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
    }
  }

  /// True for scalars drawn beside the preceding letter, such as vowels of Indic scripts.
  var isSpacingMark: Bool { properties.generalCategory == .spacingMark }

  package var isLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }

  var isNumber: Bool {
    switch properties.generalCategory {
    case .decimalNumber, .letterNumber, .otherNumber: true
    default: false
    }
  }

  /// True for scalars to which a mark may apply; another mark, and a joiner within a word, belong to a letter
  /// themselves.
  var bearsMarks: Bool {
    isLetter || isNumber || isMark || isSpacingMark || value == 0x200D || value == 0x200C
  }

  /// True for scalars that a variation selector may follow: a picture, or a letter of a script with variants.
  var hasVariants: Bool {
    !isVariationSelector && !isMark
      && (properties.isEmoji || isLetter || isNumber || properties.generalCategory == .otherSymbol)
  }

  /// Returns true if nothing is drawn for it, or if its appearance is unknown.
  func isInvisible(before next: Unicode.Scalar?) -> Bool {
    switch properties.generalCategory {
    case .control, .privateUse, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: true
    // Arabic signs around numbers are in the same category, and are drawn below the digits.
    case .format: !(isSignOfNumbers && next?.isNumber == true)
    default: properties.isDefaultIgnorableCodePoint
    }
  }

  private var isSignOfNumbers: Bool {
    (0x0600...0x0605).contains(value) || value == 0x06DD || (0x0890...0x0891).contains(value)
      || value == 0x08E2
  }

  /// True for the end of an emoji sequence that ZWJ may continue: a picture, its skin tone or its selector.
  var canBeJoined: Bool { value == 0xFE0F || (value > 0xFF && properties.isEmoji) }

  /// True for Arabic to Sinhala: a joiner between such letters changes their form (RFC 5892 A.1, A.2).
  var isSpeltWithJoiners: Bool {
    (0x0600...0x0DFF).contains(value) && (isLetter || isMark || isSpacingMark)
  }

  /// True for a letter that is written from right to left.
  var isRightToLeft: Bool {
    switch value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      isLetter
    default: false
    }
  }
}
