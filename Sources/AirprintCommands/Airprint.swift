// AirprintCommands: the command line. A command, in a file with those like it, parses options, calls one use case of
// Printers, Printing, Jobs, VirtualPrinters or Maintenance, and shows the result. Printing, Printers and Tools are the
// groups of the help; Shared has the options, the output and the completion of all.

internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import Glibc
internal import LateLibraries
internal import Maintenance
internal import PrintModel
internal import PrintOptions
internal import Printers
internal import Printing
internal import System
internal import Terminal

/// `airprint`.
struct Airprint: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "airprint",
    abstract: "Print from the command line: pick a printer once, then just print.",
    discussion: """
        airprint pick
        airprint report.pdf
      """,
    version: [productVersion, Checkout.described.map { "(\($0))" }, libraryVersions]
      .compactMap { $0 }.joined(separator: " "),
    groupedSubcommands: [
      CommandGroup(
        name: "Printing",
        subcommands: [
          Print.self, Preview.self, Render.self, Check.self, PaperCommand.self, JobsCommand.self,
          Cancel.self, Release.self, ChangeCommand.self, MoveCommand.self, Wait.self,
          ReprintCommand.self,
          QueueCommand.self,
        ]),
      CommandGroup(
        name: "Printers",
        subcommands: [
          Discover.self, Pick.self, PrintersCommand.self, Forget.self, Default.self, Show.self,
          StatusCommand.self, Identify.self, Trust.self, Login.self, Logout.self,
        ]),
      CommandGroup(
        name: "Tools",
        subcommands: [ConfigCommand.self, Doctor.self, Simulate.self, CompletionCommand.self]),
    ])
}

/// The parser's option for completion scripts, which don't know airprint's values.
private let parserScripts = "--generate-completion-script"

/// Runs one command line and returns its exit code.
///
/// `worker` was forked at program start to draw for it.
package func run(
  _ arguments: [String], worker: (process: Int32, socket: Int32)? = nil
) async -> Int32 {
  if let worker { useForkedWorker(worker.process, socket: worker.socket) }
  // Takes milliseconds, as parsing does.
  detachThread { loadNetworkLibraries(for: arguments) }
  Screen.ignoreClosedPipes()
  if let code = await runJobIfAsked(arguments) { return code }
  if let code = await refreshStatusIfAsked(arguments) { return code }
  var files: [String] = []
  do {
    guard var command = try command(for: arguments) else { return 0 }
    loadNetworkLibraries(for: arguments)
    let named = (command as? Print)?.files ?? (command as? QueueAdd)?.files
    files = named.map { $0.isEmpty ? ["-"] : $0 } ?? []
    if let command = command as? any AirprintCommand {
      let context = Context.current
      try await command.run(
        context, CommandOutput(command.global, environment: context.environment))
    } else {
      try command.run()
    }
    return 0
  } catch {
    return explainAnything(error, arguments, files: files)
  }
}

/// Runs a command line that never waits, and returns its exit code: completion, a version, help.
///
/// nil for all others. These don't start Swift's threads, which takes a millisecond. A process that was started as a
/// render worker runs as one here, with a single thread.
package func runAtOnce(_ arguments: [String]) -> Int32? {
  becomeWorkerIfAsked(arguments)
  let words = Airprint.helpOptions + ["help", "--version", "-V", "__complete"]
  guard let word = arguments.first, words.contains(word) else { return nil }
  loadNetworkLibraries(for: arguments)
  Screen.ignoreClosedPipes()
  if word == "__complete" {
    // The shell may not want the answer any more.
    let lines = completionLines(Array(arguments.dropFirst()))
    try? writeAll(Array(lines.map { $0 + "\n" }.joined().utf8), to: 1)
    return 0
  }
  do {
    // These end with the parser's errors.
    return try command(for: arguments) == nil ? 0 : nil
  } catch {
    return explainAnything(error, arguments)
  }
}

/// Opens the network libraries, unless the command with which `arguments` start may not need them: such commands open
/// them on demand.
private func loadNetworkLibraries(for arguments: [String]) {
  let light = [
    "__complete", "completion", "help", "--version", "-V", "status", "render", "preview", "check",
    "doctor", "printers", "default", "forget", "config",
  ]
  guard let first = arguments.first, !(light + Airprint.helpOptions).contains(first),
    !arguments.contains("--help")
  else { return }
  NetworkLibraries.load()
}

/// Returns the arguments as Swift's strings; a file whose name is not UTF-8 is named by a descriptor.
///
/// Swift's strings would name another file.
package func decoded(_ arguments: [UnsafePointer<CChar>]) -> [String] {
  arguments.map { argument in
    if let text = String(validatingCString: argument) { return text }
    // O_PATH, which Swift's Glibc hides: neither opens a pipe nor needs permission to read.
    let file = open(argument, 0o10000000 | O_CLOEXEC)
    var repaired = "\(Context.descriptors)\(file)"
    if file < 0 {
      // A file that does not exist must not become one that does.
      repaired = String(cString: argument)
      if access(repaired, F_OK) == 0 { repaired += "\u{FFFD}" }
    }
    Context.repaired.withLock { $0.append(repaired) }
    return repaired
  }
}

/// Returns the command to run; nil if everything has already been printed.
private func command(for arguments: [String]) throws -> (any ParsableCommand)? {
  if arguments.isEmpty {
    try refusePipedDocument()
    try showFirstSteps()
    return nil
  }
  if arguments[0].hasPrefix(parserScripts) {
    throw Failure.usage("\(parserScripts): use airprint completion bash, zsh or fish.")
  }
  if let help = SimulateHelp.text(for: arguments) {
    try writeAll(Array(help.utf8), to: 1)
    return nil
  }
  let arguments = try withCommand(commandFirst(withEmptyValues(arguments)))
  try refuseUnknownSubcommand(arguments)
  return try parsed(try LpHabits.translated(arguments))
}

/// Reports the error that ended a command before it had a result, and returns the exit code.
///
/// - `files`: those that it would have printed, if known.
private func explainAnything(
  _ error: any Error, _ arguments: [String], files: [String] = []
) -> Int32 {
  switch error {
  case var failure as Failure:
    failure.event = origin(of: failure, arguments) + failure.event
    failure.hints += CommandLineAdvice.sudo(failure, arguments)
    writeResults(failure, of: files, arguments)
    complain("airprint: \(failure.message)")
    return failure.code.rawValue
  case TerminalError.closed:
    // The reader of standard output needs no more.
    return 0
  case let error as TerminalError:
    complain("airprint: \(error.description)")
    return PrintModel.ExitCode.cannotWrite.rawValue
  case let code as SilentExit: return code.exitCode.rawValue
  default: return explain(error, arguments)
  }
}

/// Returns `AIRPRINT_PRINTER: ` if that variable contains the unknown printer.
private func origin(of failure: Failure, _ arguments: [String]) -> String {
  let variable = "AIRPRINT_PRINTER"
  guard let text = Context.current.environment[variable] else { return "" }
  let names = [text] + text.split(separator: ",").map { $0.trimmingPrefix(" ") }.map(String.init)
  let isMeant = names.contains { name in
    failure.reason == .unknownPrinter && failure.subject == name
      && !arguments.contains { $0.hasSuffix(name) }
  }
  return isMeant ? "\(variable): " : ""
}

/// Throws exit 64 for a document piped into `airprint` without a command.
///
/// Input without data, and that of a daemon or a script (/dev/null, a socket), is not a document; the writer of a pipe
/// may need a moment.
private func refusePipedDocument() throws(Failure) {
  guard hasData(0, milliseconds: 1_000) == true else { return }
  throw .usage("Nothing was printed. To print what comes through a pipe: … | airprint print")
}

/// Parses the command of a command line.
///
/// A valid command line is parsed by its command alone, which is faster than with all commands; errors of an invalid
/// one are reported by the complete parser.
private func parsed(_ arguments: [String]) throws -> any ParsableCommand {
  if let type = Airprint.all.first(where: { $0._commandName == arguments.first }),
    type.configuration.subcommands.isEmpty, !arguments.contains("--experimental-dump-help"),
    let command = try? type.parseAsRoot(Array(arguments.dropFirst()))
  {
    return command
  }
  return try Airprint.parseAsRoot(arguments)
}

/// Prints `firstSteps`, wrapped on a narrow terminal.
private func showFirstSteps() throws {
  let screen = Screen(descriptor: 1, environment: Context.current.environment)
  for line in firstSteps.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
    for (index, part) in String(line).wrapped(to: screen.lineWidth ?? .max, rest: 6).enumerated() {
      try screen.print((index == 0 ? "" : "      ") + part)
    }
  }
}

/// The help for a user who has typed only the program's name.
private let firstSteps = """
    airprint pick          choose a printer, once
    airprint report.pdf    print a file
    airprint jobs          list your print jobs
    airprint show          show the printer: its state, paper and supplies
    airprint doctor        find out why something does not print

  airprint --help lists every command.

  """

/// Returns the arguments with `--title=` as `--title` and an empty value: the parser takes the next argument for it.
private func withEmptyValues(_ arguments: [String]) -> [String] {
  let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
  return arguments[..<end].flatMap { argument in
    argument.hasPrefix("--") && argument.hasSuffix("=")
      ? [String(argument.dropLast()), ""] : [argument]
  } + arguments[end...]
}

let globalFlags = ["-q", "--quiet", "-v", "--verbose", "-qv", "-vq", "--json"]

/// Moves the command, and its subcommand, in front of -q, -v and --json: every command has these options, or reports
/// that it does not.
private func commandFirst(_ arguments: [String]) -> [String] {
  let flags = arguments.prefix(while: globalFlags.contains)
  guard !flags.isEmpty, flags.count < arguments.count,
    Airprint.hasCommand(arguments[flags.count])
  else { return arguments }
  let words = arguments.dropFirst(flags.count)
  let command = Airprint.all.first { $0._commandName == words.first }
  let hasOwn = command?.configuration.subcommands.isEmpty == false
  let isOwn = hasOwn && words.dropFirst().first?.hasPrefix("-") == false
  let front = words.prefix(isOwn ? 2 : 1)
  return Array(front + flags + words.dropFirst(front.count))
}

/// Returns the command line with its command first.
///
/// A word that is not a command is a program `airprint-WORD`, which replaces this process, or a file to print; else
/// exit 64.
private func withCommand(_ arguments: [String]) throws -> [String] {
  guard let word = arguments.first(where: { !globalFlags.contains($0) }),
    !Airprint.hasCommand(arguments[0])
  else { return arguments }
  if word.hasPrefix("-") {
    let isOurs = Airprint.options.contains { word == $0 || word.hasPrefix("\($0)=") }
    return !isOurs && (arguments.contains(where: isFile) || isForPrint(arguments))
      ? ["print"] + arguments : arguments
  }
  let flags = arguments.prefix(while: globalFlags.contains)
  try ExternalCommands.run(word, Array(flags + arguments.dropFirst(flags.count + 1)))
  // For a web address, print gives advice.
  if isFile(word) || word.contains("://") { return ["print"] + arguments }
  if !word.isEmpty, access("\(word)/", F_OK) == 0 {
    throw InputFile.unreadable(EISDIR, word).of(word)
  }
  if word.contains(".") || word.contains("/") {
    throw Failure.unreadable("\(word): No such file or command.")
  }
  if let printer = try Context.current.settings.printers().printer(named: word) {
    let name = ShellWord.quoted(printer.name.safeName)
    throw Failure.usage(
      "\(printer.name.safeName) is a printer: airprint print -d \(name) FILE prints on it, airprint show \(name) "
        + "shows it.")
  }
  let hint = Airprint.hint(for: word, among: ExternalCommands.all.map(\.name))
  throw Failure.usage(
    "There is no command or file \"\(word)\"\(hint). airprint --help lists all commands.")
}

/// Returns true for print's options without a file: the document comes through a pipe.
private func isForPrint(_ arguments: [String]) -> Bool {
  guard isatty(0) == 0, let words = try? LpHabits.translated(["print"] + arguments) else {
    return false
  }
  return (try? Print.parseAsRoot(Array(words.dropFirst()))) is Print
}

/// Returns true if a file, or something that behaves like one (a pipe of the shell), exists.
private func isFile(_ path: String) -> Bool {
  FileStatus(path).map { $0.kind != S_IFDIR } ?? false
}

/// Refuses an unknown second word of a command with subcommands (`queue lst`).
private func refuseUnknownSubcommand(_ arguments: [String]) throws(Failure) {
  guard arguments.count > 1, !arguments[1].hasPrefix("-") else { return }
  if arguments[0] == "help", !Airprint.hasCommand(arguments[1]) {
    try ExternalCommands.run(arguments[1], ["--help"])
    throw .usage(
      "There is no command \"\(arguments[1])\"\(Airprint.hint(for: arguments[1])). "
        + "airprint --help lists all commands.")
  }
  guard
    let command = Airprint.all.first(where: { $0._commandName == arguments[0] })
  else { return }
  let names = command.configuration.subcommands.map { $0._commandName }
  let word = arguments[1]
  guard !names.isEmpty, !names.contains(word) else { return }
  let hint =
    Airprint.otherWords["\(arguments[0]) \(word)"].map { ": \($0)" } ?? names.suggestion(for: word)
  throw .usage(
    "There is no command \"\(arguments[0]) \(word)\"\(hint). The commands of airprint "
      + "\(arguments[0]): \(names.joined(separator: ", ")).")
}

extension CommandConfiguration {
  /// This configuration for a command that is often run: ArgumentParser tries every command line as its options for
  /// completion scripts first, which takes half a millisecond, except if the command is declared to be another's.
  var ofAirprint: CommandConfiguration {
    var configuration = self
    configuration._superCommandName = "airprint"
    return configuration
  }
}

extension Airprint {
  /// Every command of airprint.
  static var all: [any ParsableCommand.Type] {
    configuration.subcommands
  }

  /// Options that need no command.
  fileprivate static let options =
    helpOptions + ["--version", parserScripts, "--experimental-dump-help"]

  /// Options that show a command's help.
  static let helpOptions = ["-h", "--help", "--help-all"]

  /// Words that users of other programs type, with airprint's equivalents.
  fileprivate static let otherWords = [
    "list": "airprint printers lists saved printers, airprint discover those on the network",
    "ls": "airprint printers lists saved printers, airprint discover those on the network",
    "version": "use airprint --version", "lp": "use airprint print", "lpr": "use airprint print",
    "lpstat": "airprint jobs lists jobs, airprint printers saved printers",
    "lpq": "use airprint jobs", "lprm": "use airprint cancel", "lpmove": "use airprint move",
    "lpadmin": "use airprint pick", "lpoptions": "use airprint show",
    "lpinfo": "use airprint discover",
    "add": "use airprint pick", "setup": "use airprint pick", "install": "use airprint pick",
    "remove": "airprint forget removes a printer, airprint cancel a job",
    "rm": "airprint forget removes a printer, airprint cancel a job",
    "info": "use airprint show", "ink": "use airprint show", "trays": "use airprint show",
    "log": "use airprint jobs", "logs": "use airprint jobs", "history": "use airprint jobs",
    "settings": "use airprint config", "set-default": "use airprint default",
    "queue clear": "use airprint queue remove --all", "queue print": "use airprint queue run",
    "queue delete": "use airprint queue remove", "queue cancel": "use airprint queue remove",
    "queue rm": "use airprint queue remove", "config list": "use airprint config get",
  ]

  /// The end of a sentence about an unknown command: what it is called here, or a similar one; may be empty.
  fileprivate static func hint(for word: String, among others: [String] = []) -> String {
    otherWords[word].map { ": \($0)" } ?? (commands + others).suggestion(for: word)
  }

  /// The words of the help of the command that this command line is for; of `print`'s for one without a command.
  static func help(for arguments: [String]) -> Set<Substring> {
    let top = all.first { $0._commandName == arguments.first }
    let inner = top?.configuration.subcommands.first {
      arguments.dropFirst().first == $0._commandName
    }
    let help = helpMessage(for: inner ?? top ?? Print.self, includeHidden: true)
    return Set(help.split { $0.isWhitespace || $0 == "," })
  }

  /// True for a command, and the parser's own `help`; reads no more of their texts than it takes to find it.
  static func hasCommand(_ word: String) -> Bool {
    word == "help" || all.contains { $0._commandName == word }
  }

  /// Every command, including the parser's own `help`.
  static var commands: [String] {
    all.map { $0._commandName } + ["help"]
  }
}

/// Ends a command with an exit code when everything has been printed.
struct SilentExit: Error {
  var exitCode: PrintModel.ExitCode

  /// Ends a command with the worst of several codes; does nothing if all are successes.
  static func end(withWorstOf codes: some Sequence<PrintModel.ExitCode>) throws(SilentExit) {
    let worst = PrintModel.ExitCode.worst(of: codes)
    if worst != .success { throw SilentExit(exitCode: worst) }
  }
}

/// The parser's line about `--version`, which is airprint's option.
private let versionHelp = "  --version               Show the version.\n"

/// Prints the parser's message: help on standard output, errors on standard error.
private func explain(_ error: any Error, _ arguments: [String]) -> Int32 {
  let code = Airprint.exitCode(for: error)
  // Include the options that --help leaves out.
  let message =
    code.isSuccess
    ? Airprint.fullMessage(for: error)
    : RareOptions.$areVisible.withValue(true) { Airprint.fullMessage(for: error) }
  var text = CommandLineAdvice.withPlainArgument(CommandLineAdvice.inOwnStyle(message))
  text = CommandLineAdvice.withLpAdvice(text, for: arguments)
  text = CommandLineAdvice.withMeantOption(text, for: arguments)
  text = CommandLineAdvice.withQuotedName(text, for: arguments)
  if text.hasPrefix("OVERVIEW: ") { text.removeFirst("OVERVIEW: ".count) }
  // The parser's own prefix for errors.
  if text.hasPrefix("Error: ") { text = "airprint: " + text.dropFirst(7) }
  let isOverview = arguments.allSatisfy { (Airprint.helpOptions + ["help"]).contains($0) }
  // Shorten the headings of groups, which are in the parser's format.
  for group in ["PRINTING", "PRINTERS", "TOOLS"] {
    text = text.replacing("\(group) SUBCOMMANDS:", with: "\(group):")
  }
  if code.isSuccess, isOverview { text = CommandLineAdvice.overview(text) }
  // The parser lists its own option for the commands of queue and config, but for no other command.
  if !isOverview { text = text.replacing(versionHelp, with: "") }
  if !code.isSuccess, let file = arguments.first(where: { $0.hasPrefix("-") && isFile($0) }) {
    text = "\(file) is a file: to print it, use ./\(file)\n\(text)"
  }
  guard !text.isEmpty else { return code.rawValue }
  if code.isSuccess {
    do { try writeAll(Array((text + "\n").utf8), to: 1) } catch {
      return explainAnything(error, arguments)
    }
  } else {
    var lines = text.split(separator: "\n")
    if lines[0].hasSuffix("\"") { lines[0] += "." }
    writeResults(Failure(.usage, String(lines[0].trimmingPrefix("airprint: "))), of: [], arguments)
    // The message is the last line: what a program shows of an error, and what stands above the prompt.
    if lines.count > 1 { complain(lines.dropFirst().joined(separator: "\n")) }
    complain(String(lines[0]))
  }
  return code.rawValue
}

/// Returns the end of `airprint --help`: the commands that programs on PATH add.
func otherCommands() -> String {
  let others = ExternalCommands.all.filter { !Airprint.hasCommand($0.name) }
  guard !others.isEmpty else { return "" }
  let lines = others.map { name, path in
    "  \(cleaned(name))\(String(repeating: " ", count: max(1, 24 - name.count)))\(cleaned(path))"
  }
  return "\n\nCOMMANDS ON PATH:\n" + lines.joined(separator: "\n")
}

/// Prints an error that occurred before a command ran.
private func complain(_ text: String) {
  Screen(descriptor: 2, environment: Context.current.environment).complain(text)
}
