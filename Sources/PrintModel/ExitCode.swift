/// Exit status of a command; airprint's exit codes are defined only here.
///
/// They are an API (airprint(1), EXIT STATUS): most follow BSD's `<sysexits.h>`, 80 and up are airprint's own, and 130
/// and 143 are 128 plus the signal.
package enum ExitCode: Int32, Sendable, Encodable, CaseIterable {
  /// The printer completed every job, or the command succeeded.
  case success = 0
  /// Nothing matched, or the user left the picker.
  case nothing = 1
  /// The command line is invalid, or requests something that this printer does not support.
  case usage = 64
  /// The document can't be printed: malformed, empty, password-protected, of an unknown type, beyond a
  /// limit, or its converter or renderer failed.
  case document = 65
  /// The file can't be read.
  case unreadable = 66
  /// No such printer, or it does not answer.
  case unavailable = 69
  /// An internal error of airprint.
  case fault = 70
  /// An output, the job journal or a settings file can't be written.
  case cannotWrite = 73
  /// The connection broke while the document was being sent: it may have printed.
  case inDoubt = 74
  /// Not now: paper not loaded or out, cover open, busy or held until the time was over.
  case notNow = 75
  /// The printer refused the job or sent an invalid response.
  case refused = 76
  /// Credentials are missing or wrong, or the printer's certificate changed.
  case notAllowed = 77
  /// The configuration is invalid.
  case configuration = 78
  /// The printer aborted the job.
  case aborted = 80
  /// The job was canceled, at the printer or here.
  case canceled = 81
  /// The printer accepted the job and forgot it before reporting how it ended.
  case forgotten = 82
  /// SIGINT; the job was canceled at the printer.
  case interrupted = 130
  /// SIGTERM; the job was canceled at the printer.
  case terminated = 143

  /// The codes with the worst first, which decides for several files.
  private static let byWeight: [ExitCode] = [
    .interrupted, .terminated, .fault, .inDoubt, .forgotten, .cannotWrite, .notAllowed, .aborted,
    .canceled, .refused, .notNow, .unavailable, .configuration, .document, .unreadable, .usage,
    .nothing,
  ]

  /// Returns the code that represents all of `codes`; success if there are none.
  package static func worst(of codes: some Sequence<ExitCode>) -> ExitCode {
    let seen = Set(codes)
    return byWeight.first(where: seen.contains) ?? .success
  }
}
