// IPP: libcups' connections, requests and answers as Swift values. The only module that sees CCups.
// It speaks the protocol (RFC 8010, RFC 8011) and knows nothing of what an attribute is for.

package import PrintModel

/// The reason an exchange with a printer failed, by what a caller does about it.
///
/// Its exit status is that of `PrinterConnection.failure` before there is a job (69, 75, 76 or 77), and of
/// `JobSubmission.failure` afterwards.
package struct IPPError: Error, Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The host name has no address.
    case unresolved
    /// The host answered that nothing listens there.
    case refused
    /// No answer within the time allowed, or no way to the host.
    case silent
    /// The TLS handshake failed.
    case insecure
    /// The printer supports only TLS versions older than allowed.
    case outdated
    /// The printer is not the one that was trusted: another certificate, or none any more. Nothing was
    /// sent; the message is whole sentences.
    case untrusted
    /// The connection ended while a request or its answer was under way.
    case broken
    /// HTTP 401: the printer wants credentials. The message is whole sentences.
    case unauthorized
    /// The answer is not IPP, or an HTTP status that IPP has no word for.
    case nonsense
    /// The `Cancellation` was raised.
    case interrupted
    /// The printer's own refusal.
    case status(Status)
  }

  package var kind: Kind
  /// The event: part of a sentence and without a full stop, but for `untrusted` and `unauthorized`.
  package var message: String
  /// The reason there are no credentials, where a file of them could not be read.
  package var code: ExitCode?
  /// An answer called itself IPP and could not be read.
  ///
  /// What garbled it may have been an accident: a question that changes nothing may be asked again.
  package var isGarbled = false

  package init(_ kind: Kind, _ message: String, code: ExitCode? = nil) {
    self.kind = kind
    self.message = message
    self.code = code
  }

  /// The sentences of `untrusted` and `unauthorized`, with the printer's name, which may be its host's.
  package func sentence(of name: String, at uri: String = "") -> String {
    if message.hasPrefix(name) { return message }
    // "printer.local asks for …": the host's part is the printer's name.
    if let host = PrinterURI(uri)?.host, message.hasPrefix(host) {
      let rest = message.dropFirst(host.count)
      if rest.hasPrefix(" ") || rest.hasPrefix("'s ") { return name + rest }
    }
    return "\(name): \(message)"
  }

  /// The printer never got it, or refused it before taking anything: trying again repeats nothing.
  package var status: Status? {
    if case .status(let status) = kind { status } else { nil }
  }
}

extension IPPError: CustomStringConvertible {
  package var description: String { message }
}
