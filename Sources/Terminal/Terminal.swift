// Terminal: what a person looks at. Text made safe and measured in columns, colors, tables, a line of
// progress, the live picker and questions. It knows nothing of printing: it takes strings and gives
// lines, keys and answers. What decides and what draws are values without I/O; only `Screen`,
// `ProgressLine`, `Picker` and `Prompt` touch a descriptor.

import Glibc

/// The reason a stream or a terminal could not be used.
package enum TerminalError: Error, Equatable {
  /// The process has no controlling terminal: nobody can be asked.
  case noTerminal
  /// The terminal can't place text (TERM is `dumb` or not set): no picker.
  case dumbTerminal
  /// A picker or a prompt is open already.
  case busy
  /// The stream's reader went away (EPIPE): nothing to report, the output is not wanted any more.
  case closed
  /// The signal that ended a prompt, which has put the terminal right again.
  case interrupted(signal: Int32)
  /// A system call failed.
  case system(call: String, errno: Int32)
}

extension TerminalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noTerminal: "There is no terminal to ask on."
    case .dumbTerminal: "This terminal can't show a list to pick from (TERM is dumb or not set)."
    case .busy: "The terminal is in use for another question."
    case .closed: "The output was closed by its reader."
    case .interrupted(let signal): "Interrupted by signal \(signal)."
    case .system(let call, let errno): "\(call): \(String(cString: strerror(errno)))"
    }
  }
}
