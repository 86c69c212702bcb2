/// A failure: its reason for programs, and sentences for the user.
///
/// The sentences say what failed, at which printer or file, and what to do next. They may quote strings from a network
/// or a document; the code that writes them to a terminal sanitizes them.
package struct Failure: Error, Sendable, Hashable {
  package var reason: FailureReason
  /// The printer's name, the file or the page that it is about, as the user knows it; nil if no one needs to know.
  package var subject: String?
  /// The place of a mistake in a file that the user wrote; nil for all others.
  package var place: FilePlace?
  /// The event, as one or more complete sentences.
  package var event: String
  /// The next step, a complete sentence each; may be empty.
  package var hints: [String]
  /// The command that a hint ends with; nil if none does.
  package var fix: String?

  package init(
    _ reason: FailureReason, _ event: String, hints: [String] = [], fix: String? = nil,
    about subject: String? = nil, at place: FilePlace? = nil
  ) {
    self.reason = reason
    self.subject = subject
    self.place = place
    self.event = event
    self.hints = hints
    self.fix = fix
  }

  /// The exit status of a command that ends with it.
  package var code: ExitCode { reason.exitCode }

  /// All sentences.
  package var message: String { ([placedEvent] + hints).joined(separator: " ") }

  private var placedEvent: String { (place.map { "\($0.text): " } ?? "") + event }

  /// Returns the same failure of a part of something larger, such as one of several files: `FILE: event`.
  package func of(_ subject: String) -> Failure {
    Failure(reason, "\(subject): \(placedEvent)", hints: hints, fix: fix, about: self.subject)
  }

  /// Returns the same failure with one more sentence.
  package func adding(_ hint: String) -> Failure {
    Failure(reason, event, hints: hints + [hint], fix: fix, about: subject, at: place)
  }
}

// Failures of which the reason and a sentence say all.

extension Failure {
  package static func usage(_ event: String) -> Failure { Failure(.usage, event) }
  package static func notSupported(_ event: String) -> Failure { Failure(.notSupported, event) }
  package static func document(_ event: String) -> Failure { Failure(.document, event) }
  package static func unreadable(_ event: String) -> Failure { Failure(.unreadable, event) }
  package static func unavailable(_ event: String) -> Failure { Failure(.unavailable, event) }
  package static func fault(_ event: String) -> Failure { Failure(.fault, event) }
  package static func cannotWrite(_ event: String) -> Failure { Failure(.cannotWrite, event) }
  package static func notNow(_ event: String) -> Failure { Failure(.notNow, event) }
  package static func mediaEmpty(_ event: String) -> Failure { Failure(.mediaEmpty, event) }
  package static func refused(_ event: String) -> Failure { Failure(.refused, event) }
  package static func notAllowed(_ event: String) -> Failure { Failure(.notAllowed, event) }
  package static func configuration(_ event: String) -> Failure { Failure(.configuration, event) }
}

/// A line of a file, or the file as a whole.
package struct FilePlace: Sendable, Hashable {
  package var path: String
  /// From 1; nil for the whole file.
  package var line: Int?

  package init(_ path: String, line: Int? = nil) {
    self.path = path
    self.line = line
  }

  /// `path:line`.
  var text: String { path + (line.map { ":\($0)" } ?? "") }
}

extension Failure {
  /// The failure to write a file or a folder: exit 73.
  ///
  /// - `why`: a fragment, such as an error of the system.
  package static func cannotWrite(_ path: String, _ why: some CustomStringConvertible) -> Failure {
    Failure(.cannotWrite, "\(path) can't be written: \(why).", about: path)
  }

  /// The failure of work that a signal ended.
  package static func interrupted(by signal: Int32?, _ words: String = "Interrupted.") -> Failure {
    Failure(FailureReason(signal: signal), words)
  }

  /// The failure to contact a printer in few words, for a list: `does not answer`, `certificate has changed`.
  package func inShort(at printer: String) -> String {
    guard code != .unavailable else { return "does not answer" }
    let words = event.withoutFullStop
    let first = words[..<(words.firstRange(of: ". ")?.lowerBound ?? words.endIndex)]
    return String(first).after(printer, possessive: "")
  }
}

extension String {
  /// Shortens a sentence about a printer for a line that starts with its name.
  ///
  /// - `possessive`: what replaces `NAME's `.
  package func after(_ name: String, possessive: String = "its ") -> String {
    for (start, instead) in [("\(name)'s ", possessive), ("\(name): ", ""), ("\(name) ", "")]
    where hasPrefix(start) { return instead + dropFirst(start.count) }
    return self
  }
}

extension Failure: CustomStringConvertible {
  package var description: String { message }
}
