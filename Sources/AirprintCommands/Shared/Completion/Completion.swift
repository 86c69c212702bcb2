internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import FoundationEssentials
internal import PrintModel

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

/// What Tab offers.
struct Completion {
  enum Files: String { case files, directories }

  var offers: [CompletionOffer] = []
  /// Files to offer, too; the shell knows them.
  var files: Files?
  /// The beginning of the typed word that is not part of the value: `--to=`.
  var option = ""
}

/// Returns the answer to a shell's completion function: a line that says what else to do (`files`, `directories`,
/// `nospace` or nothing), and a line for each offer.
///
/// - `arguments`: the shell; then, for bash, the end of the word that it replaces, and the line up to the cursor; for
///   the others the words after the program's name up to the cursor.
package func completionLines(_ arguments: [String]) -> [String] {
  guard let shell = arguments.first.flatMap(CompletingShell.init(rawValue:)), arguments.count > 1
  else { return [] }
  var words = Array(arguments.dropFirst())
  var replaced: String?
  if shell == .bash {
    replaced = words[0]
    // What follows an open quote or a break such as "=".
    words = Array(TypedWord.divided(words.count > 1 ? words[1] : "").dropFirst())
  }
  let typed = words.popLast() ?? ""
  let completion = completion(of: typed, after: words.map { TypedWord($0).text })
  let lines = completion.offers.compactMap {
    $0.line(completing: typed, of: completion.option, replacing: replaced, for: shell)
  }
  let possible = completion.offers.filter { $0.continues(typed, of: completion.option) }
  let areOpen = !possible.isEmpty && possible.allSatisfy(\.isOpen)
  return [areOpen ? "nospace" : completion.files?.rawValue ?? ""] + lines
}

/// Returns what may follow these words of a command line.
///
/// - `words`: without quotes, after the program's name.
/// - `typed`: the word before the cursor, with its quotes.
private func completion(of typed: String, after words: [String]) -> Completion {
  guard let first = words.first else {
    if typed.hasPrefix("-") {
      return IncompleteCommand(Print.self, []).completion(of: typed)
    }
    // airprint FILE prints.
    return Completion(
      offers: Airprint.all.offers + [CompletionOffer(word: "help", described: "Show help.")],
      files: typed.isEmpty ? nil : .files)
  }
  if first == "help" { return Completion(offers: subcommands(after: words.dropFirst()).offers) }
  guard Airprint.all.contains(where: { $0._commandName == first }) else {
    // airprint -d PRINTER FILE is completed like airprint print -d PRINTER FILE.
    return IncompleteCommand(Print.self, words[...]).completion(of: typed)
  }
  var command: any ParsableCommand.Type = Airprint.self
  var rest = words[...]
  while let next = command.configuration.subcommands.first(where: { $0._commandName == rest.first })
  {
    command = next
    rest.removeFirst()
  }
  let subcommands = rest.isEmpty && !typed.hasPrefix("-") ? command.configuration.subcommands : []
  var completion = IncompleteCommand(command, rest).completion(of: typed)
  completion.offers = subcommands.offers + completion.offers
  return completion
}

private func subcommands(after words: ArraySlice<String>) -> [any ParsableCommand.Type] {
  words.reduce(Airprint.all) { commands, word in
    commands.first { $0._commandName == word }?.configuration.subcommands ?? []
  }
}

extension [any ParsableCommand.Type] {
  fileprivate var offers: [CompletionOffer] {
    map { CompletionOffer(word: $0._commandName, described: $0.configuration.abstract) }
  }
}

/// The words of an incomplete command line, as far as its command's arguments are known.
struct IncompleteCommand {
  private let arguments: [ArgumentInfo]
  /// The indices of the options that are given.
  private var given: Set<Int> = []
  /// The option whose value comes next.
  private var pending: ArgumentInfo?
  private var isAfterTerminator = false
  /// The arguments that are not options, in order.
  private(set) var positional: [String] = []
  /// The value of `--to`.
  private(set) var printer: String?

  /// Reads the words after the command.
  init(_ command: any ParsableCommand.Type, _ words: ArraySlice<String>) {
    // If the parser's format has changed, nothing is offered; the manual can't be generated then.
    arguments = (try? CommandInfo(of: command))?.arguments ?? []
    for word in words { read(word) }
  }

  private mutating func read(_ word: String) {
    if let option = pending {
      take(word, for: option)
    } else if isAfterTerminator || !word.hasPrefix("-") || word == "-" {
      positional.append(word)
    } else if word == "--" {
      isAfterTerminator = true
    } else if let (index, name) = option(startingWith: word) {
      given.insert(index)
      let option = arguments[index]
      if word.count > name.count {
        take(String(word.dropFirst(name.count)), for: option)
      } else if option.kind == .option {
        pending = option
      }
    }
  }

  private mutating func take(_ value: String, for option: ArgumentInfo) {
    pending = nil
    if option.names?.contains(where: { $0.name == "to" }) == true { printer = value }
  }

  /// Returns the option of a word with its beginning before the value: `--to`, or, with a value, `--to=` or `-d`.
  private func option(startingWith word: String) -> (index: Int, name: String)? {
    for (index, argument) in arguments.enumerated() {
      for name in argument.names ?? [] {
        if word == name.typed { return (index, word) }
        guard argument.kind == .option else { continue }
        let start = name.kind == "long" ? name.typed + "=" : name.typed
        if word.hasPrefix(start) { return (index, start) }
      }
    }
    return nil
  }

  /// Returns what may be meant by the word before the cursor.
  func completion(of typed: String) -> Completion {
    if let pending { return values(of: pending, typed) }
    let isOption = typed.hasPrefix("-") && !isAfterTerminator
    if isOption, let (index, name) = option(startingWith: typed),
      name.count < typed.count || name.hasSuffix("=")
    {
      var completion = values(of: arguments[index], String(typed.dropFirst(name.count)))
      completion.option = name
      return completion
    }
    let words = arguments.filter { $0.kind == .positional }
    let next =
      positional.count < words.count ? words[positional.count] : words.last { $0.isRepeating }
    if !isOption, let next { return values(of: next, typed) }
    return Completion(offers: isOption || typed.isEmpty ? options : [])
  }

  private func values(of argument: ArgumentInfo, _ typed: String) -> Completion {
    switch argument.completionKind {
    case .list(let values): Completion(offers: values.map { CompletionOffer($0) })
    case .file: Completion(files: .files)
    case .directory: Completion(files: .directories)
    case .shellCommand(let name):
      CompletionSource(rawValue: name)?.completion(of: TypedWord(typed).text, in: self)
        ?? Completion()
    case nil:
      // The option of a setting has the setting's values.
      Completion(
        offers: (argument.names ?? []).flatMap { valuesOfSetting($0.name) }.map {
          CompletionOffer($0)
        })
    }
  }

  /// The options that are not given yet, or may be repeated.
  private var options: [CompletionOffer] {
    arguments.enumerated().flatMap { index, argument -> [CompletionOffer] in
      guard argument.isRepeating || !given.contains(index) else { return [] }
      return (argument.names ?? []).map {
        CompletionOffer(word: $0.typed, described: argument.abstract ?? "")
      }
    }
  }
}

/// ArgumentParser's description of a command (its ToolInfo, serialization version 0), as far as completion and the
/// manual use it.
package struct CommandInfo: Decodable, Sendable {
  package var commandName: String
  package var abstract: String?
  package var discussion: String?
  package var subcommands: [CommandInfo]?
  package var arguments: [ArgumentInfo]?

  /// Describes `airprint` with its commands.
  ///
  /// Fails if the parser's format has changed.
  package static func all() throws -> CommandInfo { try CommandInfo(of: Airprint.self) }

  /// Describes one command; fails if the parser's format has changed.
  init(of type: any ParsableCommand.Type) throws {
    struct ToolInfo: Decodable { var command: CommandInfo }
    self = try JSONDecoder().decode(ToolInfo.self, from: Data(type._dumpHelp().utf8)).command
  }

  /// The commands, without the parser's own `help`.
  package var commands: [CommandInfo] { (subcommands ?? []).filter { $0.commandName != "help" } }
}

/// An argument, an option or a flag.
package struct ArgumentInfo: Decodable, Sendable {
  package enum Kind: String, Decodable, Sendable { case positional, option, flag }

  package struct Name: Decodable, Sendable {
    package var kind: String
    package var name: String

    /// The name as typed: `--json`, `-q`.
    package var typed: String { (kind == "long" ? "--" : "-") + name }
  }

  /// The values that are offered for it.
  enum OfferedValues: Decodable, Sendable {
    case list(values: [String])
    case file(extensions: [String])
    case directory
    /// The name of a `CompletionSource`.
    case shellCommand(command: String)
  }

  package var kind: Kind
  package var names: [Name]?
  package var valueName: String?
  package var abstract: String?
  /// The heading above it in `--help`; nil for its last, OPTIONS.
  package var sectionTitle: String?
  package var isOptional: Bool
  package var isRepeating: Bool
  var completionKind: OfferedValues?
}

// The data for the manual pages (Tools/Docs), besides CommandInfo.

/// airprint's version.
package let version = productVersion
