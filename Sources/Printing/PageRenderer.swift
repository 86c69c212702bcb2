internal import AirprintContext
internal import Conversion
internal import ForeignText
internal import Glibc
internal import Layout
internal import PrintModel
internal import PrintOptions
internal import System

/// A renderer that the user chose: a program that makes pages for the paper described in its environment
/// (UIPrintPageRenderer for the shell).
package struct PageRenderer: Sendable, Equatable {
  /// The program, as a path, and its arguments.
  var command: [String]
  /// Longest run time, in seconds.
  var timeLimit: Int

  /// Finds a renderer: by its name in the configuration, else a program on the user's PATH, else a path.
  ///
  /// Exit 64 if the program does not exist or is not executable.
  init(
    _ name: String, _ configuration: Configuration, _ context: Context
  ) throws(Failure) {
    let known = configuration.renderer(named: name)
    let words = known?.command ?? [name]
    let path = context.environment["PATH"] ?? ""
    guard let program = words.first.flatMap({ ProgramPath.find($0, in: path) }) else {
      let word = words.first ?? name
      let file = ProgramPath.unexecutable(word, in: path)
      let fault = file.map { "\($0) is not executable" } ?? "program \(word) not found"
      let meant = file == nil ? configuration.rendererNames.suggestion(for: name) : ""
      throw Failure(
        .usage, "--renderer \(name): \(fault)\(meant).",
        hints: file.map { ["Fix it with: chmod +x \(ShellWord.quoted($0))"] } ?? [])
    }
    command = [program] + words.dropFirst()
    timeLimit = known?.timeLimit ?? 60
  }

  /// Makes the pages for a ticket's paper.
  func run(
    on data: Int32, for ticket: Ticket, _ context: Context, _ cancellation: Cancellation
  ) throws(Failure) -> ConvertedDocument {
    var environment = context.environment
    environment.merge(ticket.environment) { $1 }
    environment["AIRPRINT"] = Context.program
    return try makePages(
      of: data, by: command, environment: environment, timeLimit: timeLimit,
      temporary: context.temporary, cancellation: cancellation)
  }
}

extension Ticket {
  /// The paper as its reader holds it, in points, with the origin at the top left; on a roll, as long as it can be cut.
  var environment: [String: String] {
    let layout = SheetLayout(self)
    let (sheet, printable) = (layout.box.size, layout.readersPrintable)
    let lengths = [
      "AIRPRINT_PAPER_WIDTH": sheet.width, "AIRPRINT_PAPER_HEIGHT": sheet.height,
      "AIRPRINT_PRINTABLE_X": printable.x, "AIRPRINT_PRINTABLE_Y": printable.y,
      "AIRPRINT_PRINTABLE_WIDTH": printable.width, "AIRPRINT_PRINTABLE_HEIGHT": printable.height,
    ]
    var environment = lengths.mapValues(Conversion.points)
    environment["AIRPRINT_ROLL"] = paper.isRoll ? "1" : "0"
    environment["AIRPRINT_RESOLUTION"] =
      resolution.isSquare ? "\(resolution.x)" : "\(resolution.x)x\(resolution.y)"
    environment["AIRPRINT_COLOR"] = color == .gray ? "gray" : "color"
    environment["AIRPRINT_TYPE"] = type.rawValue
    return environment
  }
}
