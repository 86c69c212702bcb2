internal import ForeignText
import Glibc
internal import System

/// A question on the terminal, regardless of stdin and stdout.
///
/// Every function throws `.noTerminal` immediately if there is no controlling terminal (exit 77 for a password, else
/// 73), and `.interrupted` if a signal such as Ctrl-C ended it (exit 130 or 143). The terminal has then been restored;
/// handling the signal is left to the caller.
package struct Prompt: Sendable {
  /// Number of invalid answers after which it counts as no.
  private static let timeout = 5

  package init() {}

  /// Asks a yes/no question: `Trust this printer? [y/N] `.
  ///
  /// Enter alone is `default`; the end of input is no, and so are five invalid answers.
  package func confirm(
    _ question: String, default usual: Bool
  ) async throws(TerminalError) -> Bool {
    for _ in 0..<Prompt.timeout {
      let text = "\(question) \(usual ? "[Y/n]" : "[y/N]") "
      guard let answer = try await ask(text, echo: true) else { return false }
      if let verdict = Prompt.verdict(answer, default: usual) { return verdict }
    }
    return false
  }

  /// Asks for a line that is not echoed; nil at the end of input (Ctrl-D).
  package func secret(_ question: String) async throws(TerminalError) -> String? {
    try await ask("\(question): ", echo: false)
  }

  /// Asks for a line; nil at the end of input (Ctrl-D).
  package func line(_ question: String) async throws(TerminalError) -> String? {
    try await ask("\(question): ", echo: true)
  }

  /// Parses an answer; nil if it is neither yes nor no.
  static func verdict(_ answer: String, default usual: Bool) -> Bool? {
    switch folded(answer).split(separator: " ").joined(separator: " ") {
    case "": usual
    case "y", "yes": true
    case "n", "no": false
    default: nil
    }
  }

  private func ask(_ text: String, echo: Bool) async throws(TerminalError) -> String? {
    let text = cleaned(text)
    return try await ProgressLine.holding { () throws(TerminalError) in
      try await onThread { () throws(TerminalError) in try askAndWait(text, echo: echo) }
    }
  }

  private func askAndWait(_ text: String, echo: Bool) throws(TerminalError) -> String? {
    let session = try TerminalSession(.line(echo: echo))
    defer { session.close() }
    // Write the question after setting the mode, so that an immediate answer is not lost.
    try session.write(text)
    while true {
      let wake = try session.wait(milliseconds: nil)
      for signal in wake.signals {
        switch signal {
        case SIGWINCH: continue
        case SIGTSTP: try session.suspend()
        case SIGCONT: try session.enter()
        default:
          try session.write("\n")
          throw .interrupted(signal: signal)
        }
        try session.write(text)
      }
      if wake.hasEnded { return nil }
      // The system returns whole lines, of at most 4095 bytes.
      if !wake.bytes.isEmpty {
        return String(decoding: wake.bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      }
    }
  }
}
