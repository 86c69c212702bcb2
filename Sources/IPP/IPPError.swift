// IPP: libcups' connections, requests and answers as Swift values. The only module that sees CCups.
// It speaks the protocol (RFC 8010, RFC 8011) and knows nothing of what an attribute is for.

/// Why an exchange with a printer failed, by what a caller does about it.
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
    /// The printer is not the one that was trusted: another certificate, or none any more. Nothing was
    /// sent; the message is whole sentences.
    case untrusted
    /// The connection ended while a request or its answer was under way.
    case broken
    /// HTTP 401: the printer wants credentials.
    case unauthorized
    /// What came back is not IPP, or an HTTP status that IPP has no word for.
    case nonsense
    /// The `Interruption` was raised.
    case interrupted
    /// The printer's own refusal.
    case status(Status)
  }

  package var kind: Kind
  /// What happened, as part of a sentence and without a full stop.
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The printer never heard of it, or said no before it took anything: trying again repeats nothing.
  package var status: Status? {
    if case .status(let status) = kind { status } else { nil }
  }
}

extension IPPError: CustomStringConvertible {
  package var description: String { message }
}
