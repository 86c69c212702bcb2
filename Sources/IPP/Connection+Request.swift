internal import CCups
internal import Glibc
internal import Logging
internal import PrintModel

/// Attempts to send one request.
struct RequestAttempts {
  /// True if the printer has to confirm that it needs the body (RFC 9110 §10.1.1).
  var expectsContinue = true
  /// Number of times that the printer asked for credentials and received them.
  var answers = 0

  /// Returns true for a status that asks for a changed request; the printer has done nothing yet.
  static func isMended(_ status: http_status_t) -> Bool {
    [HTTP_STATUS_UNAUTHORIZED, HTTP_STATUS_EXPECTATION_FAILED, HTTP_STATUS_UPGRADE_REQUIRED]
      .contains(status)
  }
}

extension Connection {
  /// Sends the head and the attributes of a request, and returns the HTTP status so far.
  ///
  /// It replaces cupsSendRequest, which reconnects by itself after a refusal, and sends the request with its password
  /// and PIN to whichever host then answers. Here, `connect` makes every connection, and checks the certificate first.
  func post(
    _ message: OpaquePointer, length: Int, _ attempts: RequestAttempts
  ) throws(IPPError) -> http_status_t {
    let authorization = try answer()
    httpClearFields(http)
    httpSetExpect(http, attempts.expectsContinue ? HTTP_STATUS_CONTINUE : HTTP_STATUS_NONE)
    httpSetField(http, HTTP_FIELD_CONTENT_TYPE, "application/ipp")
    httpSetField(http, HTTP_FIELD_DATE, date)
    httpSetLength(http, length)
    if let authorization { httpSetField(http, HTTP_FIELD_AUTHORIZATION, authorization) }
    guard httpPost(http, uri.resource) == 0 else { return HTTP_STATUS_ERROR }
    ippSetState(message, IPP_STATE_IDLE)
    var status: http_status_t?
    while true {
      let state = ippWrite(http, message)
      if state == IPP_STATE_DATA { break }
      if httpCheck(http) != 0 {
        let now = httpUpdate(http)
        status = now
        if now.rawValue >= 300 || now == HTTP_STATUS_ERROR { break }
      }
      if state == IPP_STATE_ERROR { return HTTP_STATUS_ERROR }
    }
    // As in libcups: send the body if the printer does not answer within a second.
    if status == nil, httpWait(http, attempts.expectsContinue ? 1000 : 0) != 0 {
      status = httpUpdate(http)
    }
    return status ?? HTTP_STATUS_CONTINUE
  }

  private var date: String {
    var text = [CChar](repeating: 0, count: 256)
    return String(cString: httpGetDateString2(time(nil), &text, Int32(text.count)))
  }

  /// Reconnects for another attempt that meets the printer's demand; false if it can't be met.
  func mend(_ status: http_status_t, _ attempts: inout RequestAttempts) throws(IPPError) -> Bool {
    switch status {
    case HTTP_STATUS_EXPECTATION_FAILED where attempts.expectsContinue:
      attempts.expectsContinue = false
    case HTTP_STATUS_UPGRADE_REQUIRED where certificate == nil && !isUpgraded:
      isUpgraded = true
    case HTTP_STATUS_UNAUTHORIZED:
      guard try takeChallenge(attempts.answers) else { return false }
      // Reconnecting only for encryption is not an answer yet.
      if challenge != nil { attempts.answers += 1 }
    default: return false
    }
    log.debug("HTTP \(status.rawValue): connecting to \(uri.host) again")
    do {
      try connect()
    } catch {
      // The encryption that was to protect a password failed.
      guard status == HTTP_STATUS_UNAUTHORIZED, error.kind == .insecure else { throw error }
      throw IPPError(
        .unauthorized,
        "\(uri.host) asks for a password over a connection that is not encrypted; none was sent.")
    }
    return true
  }
}

// MARK: - Credentials

extension Connection {
  /// The error if the printer asks for credentials and there are none.
  var unauthorized: IPPError {
    IPPError(
      .unauthorized,
      "\(uri.host) asks for a user name and a password. Save them with: \(security.login)")
  }

  /// The error if the printer rejects the credentials that it received.
  private var refused: IPPError {
    IPPError(
      .unauthorized,
      "\(uri.host) does not accept the user name and the password. Save others with: "
        + security.login)
  }

  /// Makes the error for a challenge that can't be answered.
  ///
  /// For Negotiate alone (RFC 4559) a ticket is missing; libcups requests one only for a host name with a dot in it
  /// (cups/auth.c).
  private func unanswered(_ asked: Challenge) -> IPPError {
    if asked.takesPasswords { return unauthorized }
    return IPPError(
      .unauthorized,
      "\(uri.host) asks for a Kerberos ticket and accepted none: get one with kinit, "
        + "and use the printer's full host name, with a dot in it.")
  }

  /// True if the printer has asked for credentials and received them.
  package var isAuthenticated: Bool { challenge != nil }

  /// True if the password itself may be sent over this connection: it is encrypted, and that was agreed before a
  /// stranger asked for the password.
  private var tellsPasswords: Bool { certificate != nil && isAgreed }

  /// The error if the printer asks for the password itself over encryption with an unknown certificate.
  private var unagreed: IPPError {
    IPPError(
      .unauthorized,
      "\(uri.host) did not encrypt before, and now asks for the password itself, over a certificate "
        + "that was never accepted. Nothing was sent. If you expected this, run: \(security.remedy)"
    )
  }

  /// Stores the printer's challenge for credentials; false if there are no credentials to send.
  private func takeChallenge(_ answers: Int) throws(IPPError) -> Bool {
    guard !security.isAnonymous else { return false }
    let asked = Challenge(
      httpGetField(http, HTTP_FIELD_WWW_AUTHENTICATE).map { String(cString: $0) } ?? "")
    let usable = asked.answerable(tellsPasswords: tellsPasswords)
    if let given = challenge {
      // A nonce can expire (RFC 7616 §3.3); a password can't.
      guard answers == 0, given != asked, usable.has("digest") else {
        challenge = nil
        throw try known() == nil ? unanswered(asked) : refused
      }
    }
    guard !asked.isEmpty else { return false }
    if asked.takesPasswords {
      let isKnown = try known() != nil
      guard isKnown || usable.has("negotiate") else { return false }
      if isKnown, !usable.takesPasswords, asked.answerable(tellsPasswords: true).has("basic") {
        guard isAgreed || usable.has("negotiate") else { throw unagreed }
        // Over encryption, the password may be sent.
        if isAgreed, certificate == nil, !isUpgraded {
          isUpgraded = true
          return true
        }
      }
    }
    guard !usable.isEmpty else {
      throw IPPError(
        .unauthorized,
        "\(uri.host) asks for a kind of credentials that airprint does not support "
          + "(\(asked.parts.map(\.scheme).joined(separator: ", "))).")
    }
    challenge = asked
    return true
  }

  /// Returns the user's credentials for the server that is connected now.
  private func known() throws(IPPError) -> Credentials? {
    let shown = certificate?.fingerprint
    if let credentials, credentials.shown == shown { return credentials.found }
    do {
      let found = try security.credentials(shown)
      credentials = (shown, found)
      return found
    } catch {
      throw IPPError(.unauthorized, error.message, reason: error.reason)
    }
  }

  /// Returns the Authorization field if the printer requires one; libcups computes it: Negotiate, Digest with its nonce
  /// count, Basic.
  private func answer() throws(IPPError) -> String? {
    guard let challenge else { return nil }
    let secret = OfferedCredentials(try known())
    cupsSetPasswordCB2(
      { _, _, _, _, data in
        data.flatMap { Unmanaged<OfferedCredentials>.fromOpaque($0).takeUnretainedValue().told() }
      }, Unmanaged.passUnretained(secret).toOpaque())
    defer {
      cupsSetPasswordCB2({ _, _, _, _, _ in nil }, nil)
      cupsSetUser(nil)
    }
    // Digest uses the user name of the thread (cups/http-support.c), even if the password was requested earlier.
    cupsSetUser(secret.user)
    let parts = challenge.answerable(tellsPasswords: tellsPasswords).parts
    for part in parts where secret.user != nil || part.scheme == "negotiate" {
      if let field = withExtendedLifetime(secret, { answer(to: part) }) { return field }
    }
    self.challenge = nil
    throw unanswered(challenge)
  }

  /// Returns libcups' answer to one scheme; nil if there is none, or if it is for another scheme.
  private func answer(to part: Challenge.SchemeChallenge) -> String? {
    guard let asked = part.field else { return nil }
    httpSetField(http, HTTP_FIELD_WWW_AUTHENTICATE, asked)
    guard cupsDoAuthentication(http, "POST", uri.resource) == 0, let field = httpGetAuthString(http)
    else { return nil }
    let text = String(cString: field)
    let scheme = String(decoding: text.utf8.prefix { $0 != 0x20 }, as: UTF8.self).lowercased()
    guard scheme == part.scheme, scheme != "basic" || tellsPasswords else { return nil }
    return text
  }
}

/// Credentials for the time in which libcups may ask for them.
private final class OfferedCredentials {
  let user: String?
  private let password: UnsafeMutablePointer<CChar>?

  init(_ credentials: Credentials?) {
    user = credentials?.user
    password = credentials.flatMap { strdup($0.password) }
  }

  deinit {
    guard let password else { return }
    explicit_bzero(password, strlen(password))
    free(password)
  }

  /// Returns the password, valid for as long as this object lives.
  ///
  /// It also sets the user name: until then, libcups uses one that the server names in its challenge (cups/auth.c).
  func told() -> UnsafePointer<CChar>? {
    cupsSetUser(user)
    return password.map { UnsafePointer($0) }
  }
}
