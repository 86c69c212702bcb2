// Terminal: the user interface. It makes text safe and measures it in columns, and implements colors, tables, a
// progress line, the live picker and questions. It does not depend on printing: it takes strings and returns lines,
// keys and answers. Logic and drawing are values without I/O; only `Screen`, `ProgressLine`, `pickRow` and `Prompt` use
// a descriptor.

import Glibc

/// A reason why a stream or a terminal could not be used.
///
/// Each case names the exit status of a command that does not catch the error.
package enum TerminalError: Error, Equatable {
  /// The process has no controlling terminal, so it can't ask questions: exit 73, or 77 for a password.
  case noTerminal
  /// A picker or a prompt is already open: exit 73.
  case busy
  /// The stream's reader is gone (EPIPE) and needs no more output: exit 0, without a message.
  case closed
  /// A signal ended a prompt, which has restored the terminal: exit 130 or 143.
  case interrupted(signal: Int32)
  /// A system call failed: exit 73.
  case system(call: String, errno: Int32)
}

extension TerminalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noTerminal: "There is no terminal to ask on."
    case .busy: "The terminal is in use for another question."
    case .closed: "The output was closed by its reader."
    case .interrupted(let signal): "Interrupted by signal \(signal)."
    case .system("write", let errno):
      "The output can't be written: \(String(cString: strerror(errno)))."
    case .system(let call, let errno): "\(call): \(String(cString: strerror(errno)))"
    }
  }
}

/// Style of a piece of text, as ECMA-48's SGR number, which all current terminals support.
package enum TerminalStyle: Int, Sendable, Hashable {
  case bold = 1
  case dim = 2
  case inverse = 7
  case red = 31
  case green = 32
  case yellow = 33
  case cyan = 36
}

extension String {
  /// Returns the text in `styles`, with a reset at its end; unchanged if `allowed` is false (`Screen.hasColors`).
  package func styled(_ styles: [TerminalStyle], if allowed: Bool) -> String {
    guard allowed, !styles.isEmpty, !isEmpty else { return self }
    let numbers = styles.map { "\($0.rawValue)" }.joined(separator: ";")
    return "\u{1B}[\(numbers)m\(self)\u{1B}[0m"
  }
}
