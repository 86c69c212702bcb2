internal import ForeignText
import Glibc
internal import System

/// A size in character cells: columns and lines.
package struct ScreenSize: Sendable, Hashable {
  package var width: Int
  package var height: Int
}

/// An output stream for a user: its kind, its width, and its support for colors.
package struct Screen: Sendable {
  package let descriptor: Int32
  package let isTerminal: Bool
  /// False for `NO_COLOR` (not empty), else true for `CLICOLOR_FORCE` (not empty, not `0`), else true for a terminal
  /// that is not dumb.
  package let hasColors: Bool
  /// True if lines can be redrawn: a terminal that is not dumb.
  package let canRedraw: Bool
  package let glyphs: Glyphs
  private let columns: Int?

  /// - `isTerminal`: nil: asks the descriptor.
  package init(descriptor: Int32, environment: [String: String], isTerminal: Bool? = nil) {
    self.descriptor = descriptor
    let isTerminal = isTerminal ?? (isatty(descriptor) == 1)
    self.isTerminal = isTerminal
    canRedraw = isTerminal && !Screen.isDumb(environment)
    let forcesColors = !["", "0"].contains(environment["CLICOLOR_FORCE"] ?? "")
    hasColors = environment["NO_COLOR", default: ""].isEmpty && (forcesColors || canRedraw)
    glyphs = Glyphs(environment: environment)
    columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap {
      (1...10_000).contains($0) ? $0 : nil
    }
  }

  /// True for a terminal that can't position text, as its type says.
  package static func isDumb(_ environment: [String: String]) -> Bool {
    ["", "dumb"].contains(environment["TERM"] ?? "")
  }

  /// The current size of the window; 80x24 if unknown.
  ///
  /// Drawing in place must not use `COLUMNS`, which does not change with the window.
  package var size: ScreenSize {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return ScreenSize(width: 80, height: 24) }
    return ScreenSize(width: Int(window.ws_col), height: Int(window.ws_row))
  }

  /// The width for lines printed one after another (`COLUMNS` takes precedence); nil if this is not a terminal: then
  /// nothing is cut.
  package var lineWidth: Int? { isTerminal ? columns ?? size.width : nil }

  /// Makes untrusted `text` safe for this screen: cleaned, at most 20,000 scalars of it, and on a terminal with
  /// right-to-left text isolated.
  package func shown(_ text: String, keepingLines: Bool = false) -> String {
    let clean = cleaned(text, keepingLines: keepingLines, upTo: 20_000)
    return isTerminal ? isolated(glyphs.spelling(clean)) : clean
  }

  /// Wraps lines that are too long for the terminal between words.
  ///
  /// Continuation lines are indented by two columns. If this is not a terminal, nothing is wrapped.
  package func folded(_ text: String) -> String {
    guard let width = lineWidth, width > 20, text.utf8.count > width else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let depth = min(line.prefix { $0 == " " }.count, width / 2) + 2
      return String(line).wrapped(to: width, rest: depth)
        .joined(separator: "\n" + String(repeating: " ", count: depth))
    }
    return lines.joined(separator: "\n")
  }

  /// Writes `line` and a newline.
  package func print(_ line: String) throws(TerminalError) { try write(line + "\n") }

  /// Writes all of `text`.
  ///
  /// - Throws: `.closed` if its reader is gone (exit 0), provided that the process ignores SIGPIPE
  ///   (`Screen.ignoreClosedPipes`); `.system` if it can't be written (exit 73).
  package func write(_ text: String) throws(TerminalError) {
    try write(Array((isTerminal ? glyphs.replacing(in: text) : text).utf8))
  }

  /// Writes all of `bytes` unchanged.
  package func write(_ bytes: [UInt8]) throws(TerminalError) {
    try writeAll(bytes, to: descriptor)
  }

  /// Makes writes to a pipe without a reader fail with `TerminalError.closed` instead of killing the process, which may
  /// hold a job at a printer.
  ///
  /// Programs started later inherit this.
  package static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }
}

/// Writes every byte, even if the system interrupts or delays calls.
///
/// - Throws: `.closed` if the reader is gone (exit 0), else `.system` (exit 73).
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(TerminalError) {
  guard writeAll(bytes[...], to: descriptor) else {
    throw errno == EPIPE ? .closed : .system(call: "write", errno: errno)
  }
}
