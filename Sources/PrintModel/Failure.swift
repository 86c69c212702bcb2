/// A failure: its reason for programs, and sentences for the user.
///
/// The sentences say what failed, at which printer or file, and what to do next. They may quote strings from a network
/// or a document; the code that writes them to a terminal sanitizes them.
package struct Failure: Error, Sendable, Equatable {
  package var reason: FailureReason
  /// The printer's name, the file or the page that it is about, as the user knows it; nil if no one needs to know.
  package var subject: String?
  /// The event, as one or more complete sentences.
  package var event: String
  /// The next step, a complete sentence each; may be empty.
  package var hints: [String]

  package init(
    _ reason: FailureReason, _ event: String, hints: [String] = [], about subject: String? = nil
  ) {
    self.reason = reason
    self.subject = subject
    self.event = event
    self.hints = hints
  }

  /// The exit status of a command that ends with it.
  package var code: ExitCode { reason.exitCode }

  /// All sentences.
  package var message: String { ([event] + hints).joined(separator: " ") }

  /// Returns the same failure of a part of something larger, such as one of several files: `FILE: event`.
  package func of(_ subject: String) -> Failure {
    Failure(reason, "\(subject): \(event)", hints: hints, about: self.subject)
  }

  /// Returns the same failure with one more sentence.
  package func adding(_ hint: String) -> Failure {
    Failure(reason, event, hints: hints + [hint], about: subject)
  }
}

extension Failure {
  /// The failure to contact a printer in few words, for a list: `does not answer`, `certificate has changed`.
  package func inShort(at printer: String) -> String {
    guard code != .unavailable else { return "does not answer" }
    var words = event.hasSuffix(".") ? event.dropLast() : event[...]
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
