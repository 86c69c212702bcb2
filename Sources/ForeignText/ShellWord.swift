/// A word of a command line, as sh, bash, zsh and fish read it.
package enum ShellWord {
  /// Quotes a word for a command that a message asks users to type: the shell reads it back as it is.
  ///
  /// What no quotes help (controls, hidden characters, backslashes) is coded as `String.codedName`. A name goes
  /// in as its `safeName`.
  package static func quoted(_ word: String) -> String {
    let isBare = word.utf8.allSatisfy { isLetterOrDigit($0) || "-_./:@%+,".utf8.contains($0) }
    // A hyphen at the front makes an option, `%self` is a number in fish.
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

  /// Escapes a word for bash's command line, outside of quotes, as its own completion would: a backslash before
  /// everything of ASCII that could mean something.
  ///
  /// A word with a control in it can't be escaped so.
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

/// A word as far as it is typed: its value, and the quotes that are still open.
package struct TypedWord: Sendable, Equatable {
  /// Quotes and backslashes taken off.
  package private(set) var text = ""
  /// `'` or `"` where such a quote was opened and not closed.
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
