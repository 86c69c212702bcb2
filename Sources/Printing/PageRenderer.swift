internal import AirprintContext
internal import Conversion
internal import Glibc
internal import Layout
internal import PrintModel
internal import PrintOptions
internal import Rendering
internal import Settings
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
  /// Exit 64 if the program does not exist.
  init(
    _ name: String, _ configuration: Configuration, _ context: Context
  ) throws(Failure) {
    let known = configuration.renderer(named: name)
    let words = known?.command ?? [name]
    let path = context.environment["PATH"] ?? ""
    guard let program = words.first.flatMap({ ProgramPath.find($0, in: path) }) else {
      let there = configuration.rendererNames
      throw Failure(
        .usage,
        "--renderer \(name): program \(words.first ?? name) not found\(there.suggestion(for: name))."
      )
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
    let program = PageProgram(
      command: command, environment: environment, timeLimit: timeLimit,
      temporary: context.temporary)
    return try program.run(on: data, cancellation: cancellation)
  }
}

extension Ticket {
  /// The paper as its reader holds it, in points, with the origin at the top left; on a roll, as long as it can be cut.
  var environment: [String: String] {
    let box = PageBox(self)
    var margins = paper.margins
    if box.isTurned(from: paper) {
      margins =
        turnsClockwise
        ? Margins(
          top: margins.right, bottom: margins.left, left: margins.top, right: margins.bottom)
        : Margins(
          top: margins.left, bottom: margins.right, left: margins.bottom, right: margins.top)
    }
    let lengths = [
      "AIRPRINT_PAPER_WIDTH": box.size.width, "AIRPRINT_PAPER_HEIGHT": box.size.height,
      "AIRPRINT_PRINTABLE_X": margins.left.points, "AIRPRINT_PRINTABLE_Y": margins.top.points,
      "AIRPRINT_PRINTABLE_WIDTH": box.size.width - (margins.left + margins.right).points,
      "AIRPRINT_PRINTABLE_HEIGHT": box.size.height - (margins.top + margins.bottom).points,
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

extension PageBox {
  fileprivate func isTurned(from paper: Paper) -> Bool {
    !paper.isRoll && abs(size.width - paper.size.width.points) > 1
  }
}
