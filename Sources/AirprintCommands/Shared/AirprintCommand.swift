internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import Logging
internal import Terminal

/// Options of every command.
struct GlobalOptions: ParsableArguments {
  @Flag(help: "Write JSON to standard output.")
  var json = false

  @Flag(name: [.short, .long], help: "Print only errors.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Show what is sent and received, and why.")
  var verbose = false
}

/// A command, which `run(_:worker:)` calls with its surroundings.
protocol AirprintCommand: AsyncParsableCommand {
  var global: GlobalOptions { get }

  /// Parses the command's own options, calls its use case and shows the result.
  func run(_ context: Context, _ output: CommandOutput) async throws
}

extension Option {
  /// An option with a text, which its help calls `value`.
  init<Element: ExpressibleByArgument>(
    _ help: String, value: String, name: NameSpecification = .long,
    parsing: SingleValueParsingStrategy = .next, completion: CompletionKind? = nil
  ) where Value == Element? {
    let help = ArgumentHelp(help, valueName: value)
    self.init(name: name, parsing: parsing, help: help, completion: completion)
  }

  /// The same, which may be repeated.
  init<Element: ExpressibleByArgument>(
    wrappedValue: [Element], _ help: String, value: String, name: NameSpecification = .long,
    completion: CompletionKind? = nil
  ) where Value == [Element] {
    let help = ArgumentHelp(help, valueName: value)
    self.init(wrappedValue: wrappedValue, name: name, help: help, completion: completion)
  }
}

extension Argument {
  /// Any number of arguments, which the help calls `value`.
  init<Element: ExpressibleByArgument>(
    wrappedValue: [Element], _ help: String, value: String, completion: CompletionKind? = nil
  ) where Value == [Element] {
    let help = ArgumentHelp(help, valueName: value)
    self.init(wrappedValue: wrappedValue, help: help, completion: completion)
  }
}

/// The headings under which `--help` and the manual list options.
enum HelpTitle {
  static let everyday = "Everyday options"
  static let paper = "Paper options"
  static let page = "Page options"
  static let job = "Job options"
  static let saving = "What is saved"
  static let filters = "Filters"
  static let search = "Search"
}

/// True if rarer options are visible like all others.
///
/// `--help` leaves them to `--help-all`; completion offers all of them, and ArgumentParser's completion scripts contain
/// the visible ones.
enum RareOptions {
  @TaskLocal static var areVisible = false
}

extension ArgumentVisibility {
  static var rare: ArgumentVisibility { RareOptions.areVisible ? .default : .hidden }
}

extension CommandConfiguration {
  /// Describes a command of airprint's.
  ///
  /// - `path`: as typed after `airprint`: `cancel`, `queue add`.
  /// - `usage`: its arguments after its options; nil: the parser's usage.
  /// - `examples`: command lines, which `--help` shows first.
  /// - `notes`: paragraphs below them.
  init(
    _ path: String, _ abstract: String, usage arguments: String? = nil, examples: [String],
    notes: String = ""
  ) {
    let usage = arguments.map { arguments in
      "airprint \(path) [<options>]" + (arguments.isEmpty ? "" : " \(arguments)")
    }
    self.init(
      commandName: path.split(separator: " ").last.map(String.init), abstract: abstract,
      usage: usage,
      discussion: examples.map { "  \($0)" }.joined(separator: "\n")
        + (notes.isEmpty ? "" : "\n\n\(notes)"))
  }
}

/// Log for `--verbose`: the modules' messages, one per line on standard error, cleaned like everything from a network.
///
/// Modules log only at debug level, so nothing is written without this option.
struct VerboseLog: LogHandler {
  let label: String
  var logLevel: Logger.Level = .debug
  var metadata: Logger.Metadata = [:]

  /// Starts logging, before the first logger is created; it can't be stopped.
  static func start() { isStarted }

  /// swift-log ends a process that does this twice.
  private static let isStarted: Void = LoggingSystem.bootstrap { VerboseLog(label: $0) }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    try? writeAll(Array((cleaned("\(label): \(event.message)") + "\n").utf8), to: 2)
  }
}
