/// A word of a command line, as parsed by sh, bash, zsh and fish.
package enum ShellWord {
  /// Quotes a word for a command in a message to the user: the shell parses it back to the same word.
  ///
  /// A word that quotes can't protect (controls, hidden characters, backslashes) is encoded like `String.codedName`.
  /// Pass a name as its `safeName`.
  package static func quoted(_ word: String) -> String {
    let isBare = word.utf8.allSatisfy { isLetterOrDigit($0) || "-_./:@%+,".utf8.contains($0) }
    // A leading hyphen makes an option, and `%self` is a number in fish.
    if isBare, let first = word.utf8.first, !"-%".utf8.contains(first) { return word }
    guard cleaned(word).utf8.elementsEqual(word.utf8), !word.utf8.contains(UInt8(ascii: "\\"))
    else {
      return word.codedName
    }
    let parts = word.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.map { String($0) }.joined(separator: "'\\''") + "'"
  }

  /// Escapes a word for bash's command line, outside quotes, like bash's own completion: a backslash before every ASCII
  /// character that could be special.
  ///
  /// A word with a control character can't be escaped this way.
  package static func escaped(_ word: String) -> String {
    var output = String.UnicodeScalarView()
    for scalar in word.unicodeScalars {
      if scalar.isASCII, !isLetterOrDigit(UInt8(scalar.value)),
        !"-_./%+,=:".unicodeScalars.contains(scalar)
      {
        output.append("\\")
      }
      output.append(scalar)
    }
    return String(output)
  }
}

/// A partially typed word: its value, and the quote that is still open.
package struct TypedWord: Sendable, Equatable {
  /// The value without quotes and backslashes.
  package private(set) var text = ""
  /// `'` or `"` if such a quote is still open.
  package private(set) var openQuote: Unicode.Scalar?
  private var isEscaped = false

  package init(_ typed: String) {
    var output = String.UnicodeScalarView()
    for scalar in typed.unicodeScalars where isPart(scalar) { output.append(scalar) }
    text = String(output)
  }

  /// Divides a line into its words as they were typed; the last one, at the line's end, may be empty.
  package static func divided(_ line: String) -> [String] {
    var words = [String.UnicodeScalarView()]
    var reader = TypedWord("")
    for scalar in line.unicodeScalars {
      let isQuoted = reader.openQuote != nil || reader.isEscaped
      _ = reader.isPart(scalar)
      if isQuoted || !" \t\n".unicodeScalars.contains(scalar) {
        words[words.count - 1].append(scalar)
      } else if words.last?.isEmpty == false {
        words.append(String.UnicodeScalarView())
      }
    }
    return words.map { String($0) }
  }

  /// Returns true for a part of the value, false for a quote or a backslash that quotes.
  private mutating func isPart(_ scalar: Unicode.Scalar) -> Bool {
    if isEscaped {
      isEscaped = false
      return true
    }
    if scalar == "\\", openQuote != "'" {
      isEscaped = true
      return false
    }
    if let quote = openQuote {
      if scalar == quote { openQuote = nil }
      return scalar != quote
    }
    if scalar == "'" || scalar == "\"" {
      openQuote = scalar
      return false
    }
    return true
  }
}
