package import PrintModel

/// Facts that a connection needs about the printer before it sends it anything.
package struct Security: Sendable {
  /// The certificate that it must show at every handshake.
  ///
  /// nil: whatever it shows first; from then on that. A printer with a pin is never spoken to
  /// without TLS.
  package var pin: Fingerprint?
  /// The host for which an authority may vouch in the pin's place: the one that a user chose, not
  /// one that the network announced.
  ///
  /// nil: none may.
  package var host: String?
  /// The request is anonymous: the printer gets no password and no ticket.
  ///
  /// For printers that were not named by the user.
  package var isAnonymous = false
  /// True when a printer at an `ipp` URI that has no pin may ask for encryption, and for a password
  /// over it: at the first contact.
  ///
  /// One that was used without encryption before could be somebody else by now.
  package var trustsUpgrade = true
  /// A user is at the terminal and means the printer that answers now, as when one is picked.
  package var isAttended = false
  /// No older version of TLS is spoken with it.
  package var lowestTLS: TLSVersion
  /// Called when the printer asks for a password, with the certificate that it shows, nil when it does not encrypt;
  /// once for each.
  ///
  /// A failure is a sentence.
  package var credentials: @Sendable (_ shown: Fingerprint?) throws(Failure) -> Credentials?
  /// The command that accepts another certificate, for messages.
  package var remedy: String
  /// The command that keeps credentials, for messages.
  package var login: String

  package init(
    pin: Fingerprint? = nil, host: String? = nil, lowestTLS: TLSVersion = .usual,
    remedy: String = "airprint trust PRINTER", login: String = "airprint login PRINTER",
    credentials: @escaping @Sendable (_ shown: Fingerprint?) throws(Failure) -> Credentials? = {
      (_) throws(Failure) in nil
    }
  ) {
    self.pin = pin
    self.host = host
    self.lowestTLS = lowestTLS
    self.remedy = remedy
    self.login = login
    self.credentials = credentials
  }
}

extension Security {
  /// The other end showed `shown`, nil when it does not encrypt, and is not what was pinned.
  func refusal(of shown: Fingerprint?, _ host: String) -> IPPError {
    guard let shown else {
      return IPPError(
        .untrusted,
        "\(host) no longer uses encryption. It may have been reset, or someone may "
          + "be intercepting the connection. It was known by the certificate (SHA-256)\n"
          + "  \(pin?.text ?? "none")\nNothing was sent. If you expected this, run: \(remedy)")
    }
    return IPPError(
      .untrusted,
      "\(host)'s certificate has changed. It may have been renewed, or someone may be intercepting the "
        + "connection. SHA-256 of the two:\n  before  \(pin?.text ?? "none")\n"
        + "  now     \(shown.text)\nNothing was sent. If you expected this, run: \(remedy)")
  }
}
