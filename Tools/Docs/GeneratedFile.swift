internal import AirprintCommands
internal import FoundationEssentials

/// A generated file of the repository.
package struct GeneratedFile: Sendable {
  /// The path from the repository's root.
  package let path: String
  package let text: String

  /// Returns all files, as they should be now.
  ///
  /// - `root`: the repository with the templates.
  package static func all(in root: String) throws -> [GeneratedFile] {
    let airprint = try CommandInfo.all()
    let pages =
      [ManualPage(name: "airprint", command: airprint)]
      + airprint.commands.map { ManualPage(name: "airprint-\($0.commandName)", command: $0) }
    let manual = try pages.map { page in
      let template = "man/templates/\(page.name).1.in"
      guard let data = FileManager.default.contents(atPath: "\(root)/\(template)") else {
        throw DocsError("\(template) is missing: every command has a page.")
      }
      return GeneratedFile(
        path: "man/\(page.name).1",
        text: try page.text(template: String(decoding: data, as: UTF8.self), template))
    }
    let formats = try FormatPage.all(in: root).map { page in
      let file = "\(page.name).\(page.section)"
      let template = "man/templates/\(file).in"
      let data = FileManager.default.contents(atPath: "\(root)/\(template)") ?? Data()
      return GeneratedFile(
        path: "man/\(file)",
        text: try page.text(
          template: String(decoding: data, as: UTF8.self), template, in: root))
    }
    return manual + formats
  }
}
