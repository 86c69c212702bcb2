internal import ForeignText

/// A word that Tab offers, and what it stands for.
///
/// Printers, trays and media chose their names themselves: what does not look like what it is, or what no quotes
/// help, is offered as its code (`String.safeName`), which the command understands.
package struct CompletionOffer: Sendable {
  private let name: String
  private let description: String

  /// - `description`: shown beside it by zsh and fish; bash has no place for it.
  package init(_ name: String, described description: String = "") {
    self.name = name
    self.description = cleaned(description, upTo: 60)
  }

  /// The line by which a completion script gets it; nil where it does not go on from what was typed.
  ///
  /// zsh and fish choose and quote themselves: zsh gets `WORD:DESCRIPTION`, fish both with a tab between. bash
  /// does not (what looks like an expansion it leaves live, even where it quotes the rest): it gets the word as
  /// it is to stand on its line, and the script takes it without evaluating it.
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

  /// Within quotes bash puts in what it gets and closes them: what means something there goes in as its code.
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
