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
    var output = "'".unicodeScalars
    for scalar in word.unicodeScalars {
      if scalar == "'" {
        output.append(contentsOf: "'\\''".unicodeScalars)
      } else {
        output.append(scalar)
      }
    }
    output.append("'")
    return String(output)
  }

  /// Escapes a word for bash's command line, outside quotes, like bash's own completion: a backslash before every ASCII
  /// character that could be special.
  ///
  /// A word with a control character can't be escaped this way.
  package static func escaped(_ word: String) -> String {
    var output = String.UnicodeScalarView()
    for scalar in word.unicodeScalars {
      if scalar.isASCII, !isLetterOrDigit(UInt8(scalar.value)),
        !"-_./%+,".unicodeScalars.contains(scalar)
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

  package init(_ typed: String) {
    var output = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in typed.unicodeScalars {
      if isEscaped {
        output.append(scalar)
        isEscaped = false
      } else if scalar == "\\", openQuote != "'" {
        isEscaped = true
      } else if let quote = openQuote {
        if scalar == quote { openQuote = nil } else { output.append(scalar) }
      } else if scalar == "'" || scalar == "\"" {
        openQuote = scalar
      } else {
        output.append(scalar)
      }
    }
    text = String(output)
  }
}
