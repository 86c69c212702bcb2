internal import AirprintCommands

/// A page of the manual: a handwritten template, with the parts that come from the command itself.
///
/// A template is mdoc(7) with three additions: a line that starts with two spaces is an example, shown unchanged;
/// empty lines are ignored; and these lines are replaced by generated parts:
///
/// - `@HEAD@`: NAME, SYNOPSIS, and the start of DESCRIPTION, which the template continues
/// - `@OPTIONS@`: arguments and options, including the rarer ones, under the headings of `--help-all`
/// - `@COMMANDS@`: all commands, each with its page
/// - `@PROFILES@`: the printers that can be simulated
struct ManualPage {
  /// The name of the page, such as `airprint-print`.
  let name: String
  let command: CommandInfo

  /// The date of all pages.
  ///
  /// It changes with the text, not whenever the pages are generated.
  static let date = "November 21, 2026"

  /// Returns the page; throws with the problem if the template, `file`, is wrong.
  func text(template: String, _ file: String) throws(DocsError) -> String {
    let lines = template.split(separator: "\n", omittingEmptySubsequences: false)
    for marker in ["@HEAD@", "@OPTIONS@"] where !lines.contains(marker[...]) {
      throw DocsError("\(file) lacks a line \(marker).")
    }
    let text = """
      .\\" Made from \(file) and the command's own help: edit these, and run make generate.

      """
    return text + typeset(lines) { part($0) }
  }

  private func part(_ marker: Substring) -> String? {
    switch marker {
    case "@HEAD@": head
    case "@OPTIONS@": options
    case "@COMMANDS@": commands
    case "@PROFILES@": profiles
    default: nil
    }
  }

  private var head: String {
    let abstract = command.abstract ?? ""
    let nameLine = (abstract.first?.lowercased() ?? "") + abstract.dropFirst().dropLast()
    return """
      .Dd \(ManualPage.date)
      .ds doc-volume-operating-system airprint
      .Dt \(name.uppercased()) 1
      .Os airprint \(version)
      .Sh NAME
      .Nm \(name)
      .Nd \(mdoc(nameLine))
      .Sh SYNOPSIS
      .Nm \(name.replacing("-", with: " "))
      \(synopsis)\(otherForms)
      .Sh DESCRIPTION
      \(([abstract] + command.paragraphs).map(sentences).joined(separator: "\n.Pp\n"))

      """
  }

  /// The additional synopsis lines of a command with several forms.
  private var otherForms: String {
    guard name == "airprint-simulate" else { return "" }
    return """

      .Nm airprint simulate
      .Cm load | supply | fault | clear | pin
      .Ar name
      .Op Ar what ...
      .Nm airprint simulate
      .Cm list
      """
  }

  /// The command's own options if they are few; those of every command are in OPTIONS.
  private var synopsis: String {
    if !command.commands.isEmpty { return ".Ar command\n.Op Ar options\n.Op Ar arguments" }
    let arguments = (command.arguments ?? []).filter { !$0.isCommon }
    let options = arguments.filter { $0.kind != .positional }
    let needed = options.filter { !$0.isOptional }.map(\.usage)
    let usual = options.count > 5 ? [".Op Ar options"] + needed : options.map(\.usage)
    return (usual + arguments.filter { $0.kind == .positional }.map(\.usage))
      .joined(separator: "\n")
  }

  private var options: String {
    let arguments = command.arguments ?? []
    let positional = arguments.filter { $0.kind == .positional }
    let named = arguments.filter { $0.kind != .positional }
    var text = ".Sh OPTIONS\n" + (positional.isEmpty ? "" : list(positional))
    let own = named.filter { $0.sectionTitle == nil && !$0.isCommon }
    text += own.isEmpty ? "" : list(own)
    for title in named.compactMap(\.sectionTitle).uniqued() {
      text += ".Ss \(title)\n" + list(named.filter { $0.sectionTitle == title })
    }
    // For a command with subcommands; the page of airprint itself lists pages instead.
    if name != "airprint" { text += command.commands.map(section).joined() }
    // airprint itself only accepts two of the options of every command.
    let common = command.commands.first?.arguments ?? arguments
    return text + ".Ss Options of every command\n" + list(common.filter(\.isCommon))
  }

  /// Returns the section of a subcommand, with its options if they are few.
  private func section(of command: CommandInfo) -> String {
    let title = "\(name.replacing("-", with: " ")) \(command.commandName)"
    let own = (command.arguments ?? []).filter { !$0.isCommon }
    let text = ".Ss \(title)\n\(sentences(command.abstract ?? ""))\n"
    if own.count <= 6 { return text + (own.isEmpty ? "" : list(own)) }
    return text + ".Pp\nIt takes the options of\n.Xr airprint-print 1 .\n"
  }

  /// Returns a list in which a flag and its opposite are one entry.
  private func list(_ arguments: [ArgumentInfo]) -> String {
    var text = ".Bl -tag -width Ds\n"
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      text += ".It \(argument.heading)"
      if let opposite = rest.first, opposite.isOpposite(of: argument) {
        text += " , \(opposite.heading)"
        rest.removeFirst()
      }
      text += "\n\(sentences(argument.abstract ?? ""))\n"
    }
    return text + ".El\n"
  }

  private var profiles: String {
    let rows = ProfileTable.rows.map { row in
      ".It Cm \(mdoc(row[0])) Ta \(row.dropFirst().map(mdoc).joined(separator: " Ta "))\n"
    }
    let widths = ProfileTable.columns.indices.map { column in
      let cells = ProfileTable.rows.map { $0[column] } + [ProfileTable.columns[column]]
      return "\"\(cells.max { $0.count < $1.count } ?? "")\""
    }
    let heads = ProfileTable.columns.dropFirst().map { "Em \(mdoc($0))" }.joined(separator: " Ta ")
    let trays = ProfileTable.trays.map { entry in
      let papers = entry.trays.map { ".Em \($0.0) :\n\(mdoc($0.1))\n" }
      return ".It Cm \(mdoc(entry.profile))\n\(papers.joined(separator: ".br\n"))"
    }
    return """
      .Bl -column \(widths.joined(separator: " "))
      .It Ta \(heads)
      \(rows.joined()).El
      .Pp
      What is loaded, and what else their trays hold:
      .Bl -tag -width save-original
      \(trays.joined()).El

      """
  }

  private var commands: String {
    let items = command.commands.map { command in
      ".It Xr \(name)-\(command.commandName) 1\n\(sentences(command.abstract ?? ""))\n"
    }
    return ".Bl -tag -width Ds\n\(items.joined()).El\n"
  }
}

extension Sequence where Element: Hashable {
  /// Returns the elements without duplicates, in the order of their first occurrence.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
