import AirprintCommands
import ForeignText

extension FuzzTarget {
  /// Any name on its way to a command line: as a completion, and in commands that people are told to paste.
  ///
  /// Real shells read it back.
  static let completion = FuzzTarget("completion") { bytes in
    let name = String(decoding: bytes.prefix(600), as: UTF8.self)
    promise(name.isCoded(as: name.codedName) || !name.codedName.contains("%"), name)
    let word = name.safeName
    let quoted = ShellWord.quoted(word)
    promise(
      cleaned(quoted).utf8.elementsEqual(quoted.utf8), "\(quoted) changes on its way to a screen")
    guard !word.isEmpty else { return }
    for shell in ShellPeer.all {
      let words = shell.words(of: quoted)
      promise(words == [word], "\(shell.name) takes \(quoted) for \(words)")
    }
    // The word starts either unquoted, or with an opening quote, which bash closes.
    for quote in ["", "'", "\""] {
      guard let line = CompletionOffer(name).line(completing: quote, for: .bash),
        let bash = ShellPeer.bash
      else {
        continue
      }
      let words = bash.words(of: quote + line + quote)
      promise(
        words == [word] || words == [name.codedName],
        "bash takes \(quote + line + quote) for \(words)")
    }
    for shell in [CompletingShell.zsh, .fish] {
      let line = CompletionOffer(name, described: name).line(completing: "", for: shell) ?? ""
      promise(line.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 }, "\(shell) gets \(line)")
    }
  }
}
