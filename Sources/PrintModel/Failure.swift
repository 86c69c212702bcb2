/// The reason why something failed, in words for the user, with the equivalent exit code for scripts.
///
/// The message is one or more complete sentences: what failed, at which printer or file, and what to do next. It may
/// quote strings from a network or a document; the code that writes it to a terminal sanitizes it.
package struct Failure: Error, Sendable, Equatable {
  package var code: ExitCode
  package var message: String

  package init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension Failure {
  /// The failure to contact a printer in few words, for a list: `does not answer`, `certificate has changed`.
  package func inShort(at printer: String) -> String {
    guard code != .unavailable else { return "does not answer" }
    var words = message.hasSuffix(".") ? message.dropLast() : message[...]
    for start in ["\(printer)'s ", "\(printer): ", "\(printer) "] where words.hasPrefix(start) {
      words = words.dropFirst(start.count)
      break
    }
    return String(words[..<(words.firstRange(of: ". ")?.lowerBound ?? words.endIndex)])
  }
}

extension Failure: CustomStringConvertible {
  package var description: String { message }
}
