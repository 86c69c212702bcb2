// Docs: generates the manual pages and the completion scripts from the commands' options and help texts, and from the
// templates in man/templates. None of this is part of the program.

internal import AirprintCommands
internal import FoundationEssentials

/// ArgumentParser's description of a command (its ToolInfo, serialization version 0), as far as the manual uses it.
struct CommandInfo: Decodable {
  var commandName: String
  var abstract: String?
  var discussion: String?
  var subcommands: [CommandInfo]?
  var arguments: [ArgumentInfo]?

  /// Returns `airprint` with its commands.
  ///
  /// Fails if the parser's format has changed.
  static func all() throws -> CommandInfo {
    let tool = try JSONDecoder().decode(ToolInfo.self, from: Data(commandsAsJSON().utf8))
    guard tool.serializationVersion == 0 else {
      throw DocsError("ArgumentParser describes commands in another format than before.")
    }
    return tool.command
  }

  private struct ToolInfo: Decodable {
    var serializationVersion: Int
    var command: CommandInfo
  }

  /// The commands, without the parser's own `help`.
  var commands: [CommandInfo] { (subcommands ?? []).filter { $0.commandName != "help" } }

  /// The discussion without its examples, which are the indented lines, and without the parts that are only for
  /// `--help`.
  ///
  /// The manual has more examples.
  var paragraphs: [String] {
    let lines = (discussion ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    return lines.split { $0.isEmpty || $0.hasPrefix("  ") }.map { $0.joined(separator: " ") }
      .filter { !$0.contains("--help-all") }
  }
}

/// An argument, an option or a flag.
struct ArgumentInfo: Decodable {
  enum Kind: String, Decodable { case positional, option, flag }

  struct Name: Decodable {
    var kind: String
    var name: String

    /// The name as typed: `--json`, `-q`.
    var typed: String { (kind == "long" ? "--" : "-") + name }
  }

  var kind: Kind
  var names: [Name]?
  var valueName: String?
  var abstract: String?
  /// The heading above it in `--help`; nil for its last, OPTIONS.
  var sectionTitle: String?
  var isOptional: Bool
  var isRepeating: Bool

  /// Returns true for `--no-borderless` and `--borderless`.
  func isOpposite(of other: ArgumentInfo) -> Bool {
    guard let name = names?.first?.name, let theirs = other.names?.first?.name else { return false }
    return name == "no-\(theirs)"
  }

  /// True if every command has it.
  var isCommon: Bool {
    let common: Set<String> = ["json", "quiet", "verbose", "version", "help"]
    return names?.contains { common.contains($0.name) } == true
  }
}

/// The reason that the files can't be generated.
package struct DocsError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
