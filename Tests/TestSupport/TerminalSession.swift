import Glibc
import Synchronization

/// A program in a terminal, with keys as input and the screen as a person would see it as output.
package final class TerminalSession: Sendable {
  package let program: Program
  private let terminal: PseudoTerminal
  private let streams: Streams
  private let sizes: Mutex<[Size]>
  /// The terminal's flags before the program started.
  private let former: UInt32
  /// The length of the output that `expect` has consumed.
  private let seen = Mutex(0)

  /// A size of the terminal, and the length of the output before that size was set.
  private struct Size: Sendable {
    var start: Int
    var columns: Int
    var rows: Int
  }

  /// The streams of a program that are connected to the terminal.
  package enum Streams: Sendable {
    case all
    /// Standard error, and optionally a controlling terminal; `program.send` writes to standard input, and standard
    /// output is in the outcome.
    case errors(isControlling: Bool)
  }

  /// - `arguments`: as for `Program`.
  package init(
    _ arguments: [String], environment: [String: String] = Scratch.shared.environment,
    columns: Int = 80, rows: Int = 24, streams: Streams = .all
  ) throws {
    let terminal = try PseudoTerminal(columns: columns, rows: rows)
    var environment = environment
    environment["TERM"] = environment["TERM"] ?? "xterm-256color"
    self.terminal = terminal
    sizes = Mutex([Size(start: 0, columns: columns, rows: rows)])
    former = terminal.settings
    self.streams = streams
    program =
      switch streams {
      case .all: try Program(arguments, environment: environment, in: terminal)
      case .errors(let isControlling):
        try Program(
          arguments, environment: environment, errorsOn: terminal, isControlling: isControlling)
      }
  }

  private var output: [UInt8] {
    if case .all = streams { program.output } else { program.errors }
  }

  /// The current screen, drawn from all output so far.
  package var screen: Screen {
    let output = output
    let sizes = sizes.withLock { $0 }
    var screen = Screen(columns: sizes[0].columns, rows: sizes[0].rows)
    for (index, size) in sizes.enumerated() {
      screen.resize(columns: size.columns, rows: size.rows)
      let end = index + 1 < sizes.count ? sizes[index + 1].start : output.count
      screen.write(String(decoding: output[size.start..<end], as: UTF8.self))
    }
    return screen
  }

  /// Types characters, or a `Key`.
  package func type(_ keys: String) { terminal.type(keys) }

  /// Closes the window.
  package func hangUp() {
    if case .all = streams { program.closeInput() }
    program.hangUp()
    terminal.hangUp()
  }

  // MARK: Raw output, with escape sequences

  /// The output after the last expected text.
  package var rest: String {
    String(decoding: output.dropFirst(seen.withLock { $0 }), as: UTF8.self)
  }

  /// Waits until `text` is written, after the text that was expected before.
  package func expect(_ text: String) async throws {
    let wanted = Array(text.utf8)
    do {
      try await eventually("\(text.debugDescription)") {
        let wasRunning = program.isRunning
        let start = seen.withLock { $0 }
        if let range = output.dropFirst(start).firstRange(of: wanted) {
          seen.withLock { $0 = range.upperBound }
          return true
        }
        guard wasRunning else {
          throw Missing("the program ended without \(text.debugDescription)")
        }
        return false
      }
    } catch let problem as Missing {
      throw Missing("\(problem) in \(rest.debugDescription)")
    }
  }

  /// True if keys are echoed as they are typed.
  package var echoes: Bool { terminal.settings & UInt32(ECHO) != 0 }

  /// True if the terminal has the same flags as before the program started.
  package var isAsBefore: Bool { terminal.settings == former }

  /// Changes the size; the program gets SIGWINCH.
  package func resize(columns: Int, rows: Int) {
    sizes.withLock {
      $0.append(Size(start: output.count, columns: columns, rows: rows))
    }
    terminal.resize(columns: columns, rows: rows)
  }

  /// Waits until `text` is on the screen, and returns the screen.
  @discardableResult
  package func wait(
    for text: String, within limit: Duration = timeout
  ) async throws -> Screen {
    try await wait(for: "“\(text)” on the screen", within: limit) { $0.text.contains(text) }
  }

  /// Waits until the screen meets `condition`, and returns the screen.
  @discardableResult
  package func wait(
    for what: String, within limit: Duration = timeout, until condition: (Screen) -> Bool
  ) async throws -> Screen {
    do {
      try await eventually(what, within: limit) {
        let wasRunning = self.program.isRunning
        if condition(self.screen) { return true }
        guard wasRunning else { throw Missing("the program ended before it showed \(what)") }
        return false
      }
    } catch let problem as Missing {
      throw Missing("\(problem); the screen shows:\n\(screen.text)")
    }
    return screen
  }

  /// Waits until the program ends; kills it if that takes too long.
  package func end() async -> Outcome { await program.end() }
}

/// The bytes that a terminal's keys send.
package enum Key {
  package static let up = "\u{1B}[A"
  package static let down = "\u{1B}[B"
  package static let right = "\u{1B}[C"
  package static let left = "\u{1B}[D"
  package static let home = "\u{1B}[H"
  package static let end = "\u{1B}[F"
  package static let pageUp = "\u{1B}[5~"
  package static let pageDown = "\u{1B}[6~"
  package static let escape = "\u{1B}"
  package static let enter = "\r"
  package static let tab = "\t"
  package static let backspace = "\u{7F}"
  package static let interrupt = "\u{3}"
  package static let suspend = "\u{1A}"
}
