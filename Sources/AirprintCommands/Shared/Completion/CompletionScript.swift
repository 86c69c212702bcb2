internal import AirprintContext
internal import ArgumentParser
internal import ForeignText

/// A shell for which there is a completion function.
package enum CompletingShell: String, CaseIterable, Sendable, ExpressibleByArgument {
  case bash, zsh, fish

  /// The shell's function: it passes the command line up to the cursor to `airprint __complete` (`completionLines`), and
  /// offers the lines of the answer after the first, which says what else to do.
  package var script: String {
    switch self {
    case .bash: bashScript
    case .zsh: zshScript
    case .fish: fishScript
    }
  }
}

// readline completes files by itself if nothing else is offered; if something is, only it can be quoted already, so
// that bash must not quote it again.
private let bashScript = #"""
  # Completion of airprint for bash, by airprint itself.
  _airprint() {
      local -a lines
      mapfile -t lines < <("$1" __complete bash "$2" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
      COMPREPLY=("${lines[@]:1}")
      case "${lines[0]} ${#COMPREPLY[@]}" in
      nospace*) compopt -o nospace ;;
      files\ 0) compopt -o bashdefault -o default ;;
      directories\ 0) compopt -o dirnames ;;
      files*)
          if [[ "${COMPREPLY[*]}" != *\\* ]]; then
              mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$2")
              compopt -o filenames
          fi
          ;;
      esac 2>/dev/null
  }
  complete -F _airprint airprint
  """#

private let zshScript = #"""
  #compdef airprint
  # Completion of airprint for zsh, by airprint itself.
  _airprint() {
      local -a lines blank
      lines=("${(@f)$("$words[1]" __complete zsh "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
      local more="$lines[1]"
      shift lines
      [[ "$more" = nospace ]] && blank=(-S '')
      (( $#lines )) && _describe -V airprint lines "${blank[@]}"
      compset -P '--*='
      case "$more" in
      files) _files ;;
      directories) _files -/ ;;
      esac
  }
  if [[ "$funcstack[1]" = _airprint ]]; then
      _airprint "$@"
  else
      compdef _airprint airprint
  fi
  """#

// An empty description keeps fish from repeating something else's.
private let fishScript = #"""
  # Completion of airprint for fish, by airprint itself.
  function __airprint_complete
      set -l words (commandline -opc)
      set -l typed (commandline -ct)
      set -l lines (command $words[1] __complete fish $words[2..] "$typed" 2>/dev/null)
      string join \n -- $lines[2..]
      set -l option (string match -r -- '^--[^=]*=' "$typed")
      set -l value (string sub -s (math 1 + (string length -- "$option")) -- "$typed")
      switch "$lines[1]"
          case files
              printf "$option%s\n" (__fish_complete_path "$value")
          case directories
              printf "$option%s\n" (__fish_complete_directories "$value" '')
      end
  end
  complete -c airprint -f -k -a '(__airprint_complete)'
  """#

/// `airprint completion`.
struct CompletionCommand: AirprintCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Write the function that completes airprint's commands in your shell.",
    usage: "airprint completion bash|zsh|fish",
    discussion: """
        source <(airprint completion bash)
        airprint completion zsh > ~/.zfunc/_airprint
        airprint completion fish | source
      """)

  @Argument(help: "The shell: bash, zsh or fish.")
  var shell: CompletingShell

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    if output.isJSON { return try output.json(["script": shell.script + "\n"]) }
    for line in shell.script.split(separator: "\n") { try output.line(String(line)) }
  }
}

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
