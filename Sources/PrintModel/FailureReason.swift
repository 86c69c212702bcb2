/// The reason why something failed, as a word that programs can read: `reason` of `print --json`.
///
/// The words are an API, as the exit codes are; each belongs to one exit code. Code that decides what to do after a
/// failure decides by this, never by the words of a message.
package enum FailureReason: String, Sendable, Codable, CaseIterable {
  /// Nothing matched, or the user left the picker.
  case nothing = "nothing-found"

  /// The command line is invalid.
  case usage = "invalid-request"
  /// It requests something that this printer does not support; another one may.
  case notSupported = "not-supported"
  /// The name is part of several printers' names.
  case ambiguousPrinter = "ambiguous-printer"
  /// The host has several printers.
  case severalPrinters = "several-printers"

  /// The document is malformed, empty, of an unknown type, beyond a limit, or its converter or renderer failed.
  case document = "document-error"
  /// The document is protected by a password, and there is none, or a wrong one.
  case documentPassword = "document-password-needed"
  /// A page takes more memory than `page-memory` allows.
  case memoryShortage = "document-too-large"

  /// The file can't be read.
  case unreadable = "file-unreadable"

  /// The printer does not answer.
  case unavailable = "no-answer"
  /// No printer with this name is saved or on the network.
  case unknownPrinter = "unknown-printer"
  /// No job has this ID or number, or no longer has.
  case unknownJob = "unknown-job"
  /// No printer is saved, or none for this type.
  case noPrinterSaved = "no-printer-saved"

  /// An internal error of airprint.
  case fault = "internal-error"
  /// The machine, the shell or the service limits airprint more than its work allows.
  case machineLimit = "machine-limit"

  /// An output, the job journal or a settings file can't be written.
  case cannotWrite = "not-writable"
  /// The connection broke while the document was being sent: it may have printed.
  case inDoubt = "in-doubt"
  /// Not now: paper not loaded or out, cover open, busy or held until the time was over.
  case notNow = "not-now"
  /// The paper that the job needs is not loaded, or has run out.
  case mediaEmpty = "media-empty"
  /// The printer refused the job or sent an invalid response.
  case refused = "refused"
  /// Credentials are missing or wrong.
  case notAllowed = "not-allowed"
  /// The printer's certificate changed, or it no longer encrypts.
  case untrusted = "certificate-changed"
  /// The configuration is invalid.
  case configuration = "invalid-configuration"
  /// The printer aborted the job.
  case aborted = "aborted"
  /// The job was canceled, at the printer or here.
  case canceled = "canceled"
  /// The printer accepted the job and forgot it before reporting how it ended.
  case forgotten = "forgotten"
  /// SIGINT.
  case interrupted = "interrupted"
  /// SIGTERM.
  case terminated = "terminated"

  /// The exit status of a command that ends for this reason.
  package var exitCode: ExitCode {
    switch self {
    case .nothing: .nothing
    case .usage, .notSupported, .ambiguousPrinter, .severalPrinters: .usage
    case .document, .documentPassword, .memoryShortage: .document
    case .unreadable: .unreadable
    case .unavailable, .unknownPrinter, .unknownJob, .noPrinterSaved: .unavailable
    case .fault, .machineLimit: .fault
    case .cannotWrite: .cannotWrite
    case .inDoubt: .inDoubt
    case .notNow, .mediaEmpty: .notNow
    case .refused: .refused
    case .notAllowed, .untrusted: .notAllowed
    case .configuration: .configuration
    case .aborted: .aborted
    case .canceled: .canceled
    case .forgotten: .forgotten
    case .interrupted: .interrupted
    case .terminated: .terminated
    }
  }

  /// Makes the reason of work that a signal ended: SIGTERM, else Ctrl-C.
  package init(signal: Int32?) {
    let status = signal.map { 128 + $0 }
    self = status == ExitCode.terminated.rawValue ? .terminated : .interrupted
  }
}

extension FailureReason {
  /// Makes the most general reason with this exit status, the first one above; nil for success.
  package init?(_ exitCode: ExitCode) {
    guard let general = FailureReason.allCases.first(where: { $0.exitCode == exitCode }) else {
      return nil
    }
    self = general
  }
}
