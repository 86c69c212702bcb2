internal import PrintModel

extension Configuration {
  /// `[renderers.NAME]`: a named program that makes pages.
  package struct RendererCommand: Sendable, Equatable {
    package var command: [String]
    /// Seconds.
    package var timeLimit = 60
    /// The file that contains it.
    package var source: String

    private static let keys = ["command", "timeout"]

    /// Reads a renderer: `command = "receipt.py"` or `command = ["python3", "/srv/receipt.py"]`.
    init(_ name: String, _ value: TOMLFile.Value, _ file: TOMLFile) throws(Failure) {
      let table = "renderers.\(name)"
      guard case .table(let members) = value else {
        throw file.failure(at: name, in: "renderers", "a renderer is written as [\(table)].")
      }
      try file.refuseUnknown(members, but: RendererCommand.keys, in: table)
      let command = members["command"]?.strings ?? []
      guard command.first?.isEmpty == false else {
        throw file.failure(at: table, "a renderer needs a command.")
      }
      self.command = command
      source = file.path
      guard let timeout = members["timeout"] else { return }
      timeLimit = try file.number(timeout, of: "timeout", in: table, "seconds", 1...3_600)
    }
  }
}
