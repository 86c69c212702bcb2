// IPP: libcups' connections, requests and answers as Swift values. Only this module imports CCups. It implements the
// protocol (RFC 8010, RFC 8011), and does not depend on the meaning of attributes.

package import PrintModel

/// A reason why an exchange with a printer failed, by what a caller does about it.
///
/// Its exit status is that of `PrinterConnection.failure` before there is a job (69, 75, 76 or 77), and that of
/// `JobSubmission.failure` afterwards.
package struct IPPError: Error, Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The host name has no address.
    case unresolved
    /// The host answered that nothing listens on the port.
    case refused
    /// No answer within the time allowed, or no route to the host.
    case silent
    /// The TLS handshake failed.
    case insecure
    /// The printer supports only TLS versions older than allowed.
    case outdated
    /// The printer is not the trusted one: it presents another certificate, or no longer encrypts.
    ///
    /// Nothing was sent to it over this connection; the message is whole sentences.
    case untrusted
    /// The connection ended during a request or its answer.
    case broken
    /// HTTP 401: the printer requires credentials.
    ///
    /// The message is whole sentences.
    case unauthorized
    /// The answer is not IPP, or an HTTP status that has no equivalent in IPP.
    case nonsense
    /// The `Cancellation` was raised.
    case interrupted
    /// The printer's own refusal.
    case status(Status)
  }

  package var kind: Kind
  /// The host that the description is about; nil if it is about something else.
  package var host: String?
  /// Description of the event: part of a sentence and without a full stop, except for `untrusted` and `unauthorized`.
  ///
  /// What follows the host, if there is one, with its space.
  private var words: String
  /// Set if a file of credentials could not be read.
  private var reason: FailureReason?
  /// The next step, as a sentence that ends with the command `fix`, if there is one.
  private var hint: String?
  private var fix: String?
  /// True if an answer of IPP's media type could not be parsed.
  ///
  /// It may have been garbled by accident: a request that changes nothing may be sent again.
  package var isGarbled = false
  /// True if it is an HTTP status of an error that says no more than that (4xx, 5xx).
  package var isHTTPError = false

  /// - `words`: what happened, without the `host` that it happened to: `refuses connections`, `'s certificate has …`.
  package init(_ kind: Kind, _ words: String, of host: String? = nil) {
    self.kind = kind
    self.host = host
    self.words = host == nil || words.hasPrefix("'") ? words : " " + words
  }

  /// - `hint`: the next step, or the words before the command `fix`, which is it.
  init(_ kind: Kind, _ words: String, of host: String, hint: String, fix: String? = nil) {
    self.init(kind, words, of: host)
    (self.hint, self.fix) = (fix.map { "\(hint) \($0)" } ?? hint, fix)
  }

  /// Makes the error for credentials that could not be read.
  init(_ failure: Failure) {
    self.init(.unauthorized, failure.message)
    reason = failure.reason
  }

  /// The whole description, with the next step.
  package var message: String { failure((host ?? "") + words).message }

  /// Makes the failure for a printer called `name`, where the message is whole sentences.
  package func failure(at name: String) -> Failure { failure(sentence(of: name)) }

  private func failure(_ event: String) -> Failure {
    Failure(
      reason ?? (kind == .untrusted ? .untrusted : .notAllowed), event,
      hints: hint.map { [$0] } ?? [], fix: fix)
  }

  /// Returns the description with the printer's name, which may be its host's.
  package func sentence(of name: String) -> String {
    host == nil ? "\(name): \(words)" : name + words
  }

  /// Returns why a printer does not answer, after its name; a printer without a name is called by its host.
  package func reason(at name: String) -> String { host == name ? "it" + words : message }

  /// True if waiting can't change it: a person has to.
  package var needsPerson: Bool { [.untrusted, .unauthorized].contains(kind) }

  /// The status with which the printer refused the request; nil for other errors.
  package var status: Status? {
    if case .status(let status) = kind { status } else { nil }
  }
}

extension IPPError: CustomStringConvertible {
  package var description: String { message }
}
