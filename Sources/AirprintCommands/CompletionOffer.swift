internal import ForeignText

/// A word offered by completion, and its meaning.
///
/// Names of printers, trays and media are untrusted: an ambiguous one, or one that can't be quoted, is offered as its
/// code (`String.safeName`), which the command accepts.
package struct CompletionOffer: Sendable {
  private let name: String
  private let description: String

  /// Makes an offer.
  ///
  /// - `description`: shown by zsh and fish; bash can't show it.
  package init(_ name: String, described description: String = "") {
    self.name = name
    self.description = cleaned(description, upTo: 60)
  }

  /// Returns the line for a completion script; nil if it does not continue the typed word.
  ///
  /// zsh and fish filter and quote by themselves: zsh gets `WORD:DESCRIPTION`, fish both separated by a tab. bash does
  /// not (it leaves anything like an expansion active, even if it quotes the rest): it gets the word exactly as it will
  /// appear on its command line, and the script uses it without evaluation.
  ///
  /// - `typed`: the word before the cursor, with its quotes.
  package func line(completing typed: String, for shell: String?) -> String? {
    let word = name.safeName
    switch shell {
    case "bash": return bashWord(completing: TypedWord(typed))
    case "zsh":
      let start = word.unicodeScalars.reduce(into: String.UnicodeScalarView()) { text, scalar in
        if scalar == ":" { text.append("\\") }
        text.append(scalar)
      }
      return description.isEmpty ? String(start) : "\(String(start)):\(description)"
    case "fish": return description.isEmpty ? word : "\(word)\t\(description)"
    default: return word
    }
  }

  /// Returns the word for bash, which inserts it unchanged within quotes and closes them: special characters are
  /// encoded.
  private func bashWord(completing typed: TypedWord) -> String? {
    let word =
      switch typed.openQuote {
      case nil: name.safeName
      case "'": name.utf8.contains(UInt8(ascii: "'")) ? name.codedName : name.safeName
      default: name.utf8.contains { "$`\"\\!".utf8.contains($0) } ? name.codedName : name.safeName
      }
    guard word.starts(with: typed) || name.starts(with: typed) || name.codedName.starts(with: typed)
    else { return nil }
    return typed.openQuote == nil ? ShellWord.escaped(word) : word
  }
}

extension String {
  fileprivate func starts(with typed: TypedWord) -> Bool { utf8.starts(with: typed.text.utf8) }
}
