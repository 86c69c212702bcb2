// Docs: generates the manual pages from the commands' options and help texts, and from the templates in man/templates.
// None of this is part of the program.

internal import AirprintCommands

extension CommandInfo {
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

extension ArgumentInfo {
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
