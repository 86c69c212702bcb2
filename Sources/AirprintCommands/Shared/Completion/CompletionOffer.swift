internal import ForeignText

/// A word that Tab offers, and its meaning.
///
/// Names of printers, trays and media are untrusted: an ambiguous one, or one that can't be quoted, is offered as its
/// code (`String.safeName`), which the command accepts.
package struct CompletionOffer: Sendable {
  private let name: String
  private let safeName: String
  private let codedName: String
  private let description: String

  /// Offers a name or a value.
  ///
  /// - `description`: shown by zsh and fish; bash can't show it.
  package init(_ name: String, described description: String = "") {
    self.name = name
    safeName = name.safeName
    codedName = name.codedName
    self.description = cleaned(description, upTo: 120)
  }

  /// Offers an option or a command of airprint's.
  init(word: String, described description: String) {
    (name, safeName, codedName) = (word, word, word)
    self.description = description
  }

  /// Returns the line for a shell's function; nil if it does not continue the typed word.
  ///
  /// zsh and fish filter and quote by themselves: zsh gets `WORD:DESCRIPTION`, fish both separated by a tab. bash does
  /// not (it leaves anything like an expansion active, even if it quotes the rest): it gets exactly what will appear on
  /// its command line.
  ///
  /// - `typed`: the word before the cursor, with its quotes.
  /// - `option`: its beginning that is not part of the value: `--to=`, `-d`; usually empty.
  /// - `replaced`: the end of `typed` that bash replaces: all of it, or what follows a quote, `=` or `:`.
  package func line(
    completing typed: String, of option: String = "", replacing replaced: String? = nil,
    for shell: CompletingShell
  ) -> String? {
    switch shell {
    case .bash: return bashWord(completing: typed, of: option, replacing: replaced ?? typed)
    case .zsh:
      let word = (option + safeName).unicodeScalars.reduce(into: String.UnicodeScalarView()) {
        if $1 == ":" { $0.append("\\") }
        $0.append($1)
      }
      return description.isEmpty ? String(word) : "\(String(word)):\(description)"
    case .fish:
      return description.isEmpty ? option + safeName : "\(option)\(safeName)\t\(description)"
    }
  }

  /// True for the beginning of a word, after which there is no blank: `NAME=`, `types.receipt.`.
  var isOpen: Bool { safeName.hasSuffix("=") || safeName.hasSuffix(".") }

  /// Returns true if the typed word is the beginning of the option and the name or its code.
  func continues(_ typed: String, of option: String) -> Bool {
    let text = TypedWord(typed).text
    return [safeName, name, codedName].contains { (option + $0).utf8.starts(with: text.utf8) }
  }

  /// Returns the word for bash, which inserts it unchanged within quotes and closes them: special characters are
  /// encoded.
  private func bashWord(
    completing typed: String, of option: String, replacing replaced: String
  ) -> String? {
    let whole = TypedWord(typed)
    let word =
      switch whole.openQuote {
      case nil: safeName
      case "'": name.utf8.contains(UInt8(ascii: "'")) ? codedName : safeName
      default: name.utf8.contains { "$`\"\\!".utf8.contains($0) } ? codedName : safeName
      }
    guard continues(typed, of: option) else { return nil }
    // Without a value, bash replaces the `=` before it.
    let rest = typed.hasSuffix(replaced) ? typed.dropLast(replaced.count) : ""
    let kept = (option + word).utf8.dropFirst(TypedWord(String(rest)).text.utf8.count)
    let end = String(decoding: kept, as: UTF8.self)
    return whole.openQuote == nil ? ShellWord.escaped(end) : end
  }
}
