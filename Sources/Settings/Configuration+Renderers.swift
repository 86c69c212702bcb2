internal import PrintModel
internal import PrintOptions

extension Configuration {
  /// `[renderers.NAME]`: a program that makes pages, under a name of its own.
  package struct Renderer: Sendable, Equatable {
    package var command: [String]
    /// Seconds.
    package var timeLimit = 60
    /// The file that it stands in.
    package var source: String

    private static let keys = ["command", "timeout"]

    /// `command = "receipt.py"` or `command = ["python3", "/srv/receipt.py"]`.
    init(_ name: String, _ value: TOMLFile.Value, _ file: TOMLFile) throws(Failure) {
      let table = "renderers.\(name)"
      guard case .table(let members) = value else {
        throw file.failure(at: name, in: "renderers", "a renderer is written as [\(table)].")
      }
      for key in members.keys where !Renderer.keys.contains(key) {
        throw file.failure(
          at: key, in: table, "unknown key \"\(key)\"\(Renderer.keys.suggestion(for: key)).")
      }
      let command = members["command"]?.strings ?? []
      guard command.first?.isEmpty == false else {
        throw file.failure(at: table, "a renderer needs a command.")
      }
      self.command = command
      source = file.path
      guard let timeout = members["timeout"] else { return }
      guard case .number(let seconds) = timeout, (1...3_600).contains(seconds) else {
        throw file.failure(
          at: "timeout", in: table, "timeout takes a number of seconds, 1 to 3600.")
      }
      timeLimit = seconds
    }
  }
}
