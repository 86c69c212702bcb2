/// The reason something could not be done, in words for the user who asked, with the exit code
/// that means the same to a script.
///
/// The message is one or more whole sentences: what failed, at which printer or file, and what to do
/// next. It may quote strings from a network or a document; the code that writes it to a terminal cleans it.
package struct Failure: Error, Sendable, Equatable {
  package var code: ExitCode
  package var message: String

  package init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension Failure: CustomStringConvertible {
  package var description: String { message }
}
