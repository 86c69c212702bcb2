internal import ArgumentParser
internal import FoundationEssentials

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
