internal import AirprintCommands
internal import FoundationEssentials

/// A page of the manual that is not about a command, but about a file format (section 5) or the output of commands
/// (section 7).
///
/// All of it is in its template, except for these:
///
/// - `@HEAD@`: date, name and version
/// - `@FILE name@`: the contents of a file in the repository
struct FormatPage {
  /// The name of the page, such as `airprint-receipt`.
  let name: String
  let section: Character

  /// Returns the pages that have a template.
  static func all(in root: String) throws -> [FormatPage] {
    try FileManager.default.contentsOfDirectory(atPath: "\(root)/man/templates").sorted()
      .compactMap { file in
        guard let section = file.dropLast(3).last, "57".contains(section) else { return nil }
        return FormatPage(name: String(file.dropLast(5)), section: section)
      }
  }

  /// Returns the page; throws with the problem if the template, `file`, is wrong.
  func text(template: String, _ file: String, in root: String) throws(DocsError) -> String {
    var lines: [Substring] = []
    for line in template.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("@FILE "), line.hasSuffix("@") else {
        lines.append(line)
        continue
      }
      let name = line.dropFirst(6).dropLast()
      guard let data = FileManager.default.contents(atPath: "\(root)/\(name)") else {
        throw DocsError("\(name), which \(file) shows, is missing.")
      }
      let shown = String(decoding: data, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      lines += shown.map { $0.isEmpty ? "" : "  \($0)" }
    }
    let text = typeset(lines) { line in
      guard line == "@HEAD@" else { return nil }
      return """
        .Dd \(ManualPage.date)
        .ds doc-volume-operating-system airprint
        .Dt \(name.uppercased()) \(section)
        .Os airprint \(version)

        """
    }
    return ".\\\" Made from \(file): edit this, and run make generate.\n" + text
  }
}
