internal import CCups
internal import Glibc
internal import Logging
internal import PrintModel

/// Attempts made to get one request through.
struct RequestAttempts {
  /// True when the printer is to say that it wants the rest (RFC 9110 §10.1.1).
  var expectsContinue = true
  /// Number of times the printer asked for credentials and got them.
  var answers = 0

  /// True for a status that asks for the request in another way: nothing was done with it.
  static func isMended(_ status: http_status_t) -> Bool {
    [HTTP_STATUS_UNAUTHORIZED, HTTP_STATUS_EXPECTATION_FAILED, HTTP_STATUS_UPGRADE_REQUIRED]
      .contains(status)
  }
}

extension Connection {
  /// Sends the head and the attributes of a request, and returns the HTTP status so far.
  ///
  /// It stands for cupsSendRequest, which connects anew by itself after a refusal, and sends the request
  /// with its password and PIN to whoever answers then. Here every connection is made by `connect`,
  /// which looks at the certificate first.
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
    // As libcups does: a printer that does not answer within a second wants the rest.
    if status == nil, httpWait(http, attempts.expectsContinue ? 1000 : 0) != 0 {
      status = httpUpdate(http)
    }
    return status ?? HTTP_STATUS_CONTINUE
  }

  private var date: String {
    var text = [CChar](repeating: 0, count: 256)
    return String(cString: httpGetDateString2(time(nil), &text, Int32(text.count)))
  }

  /// Makes a new connection for another attempt with what the printer has asked for; false when it asked
  /// for nothing that could be given.
  func mend(_ status: http_status_t, _ attempts: inout RequestAttempts) throws(IPPError) -> Bool {
    switch status {
    case HTTP_STATUS_EXPECTATION_FAILED where attempts.expectsContinue:
      attempts.expectsContinue = false
    case HTTP_STATUS_UPGRADE_REQUIRED where certificate == nil && !isUpgraded:
      isUpgraded = true
    case HTTP_STATUS_UNAUTHORIZED:
      guard try takeChallenge(attempts.answers) else { return false }
      // A new connection only for encryption is no answer yet.
      if challenge != nil { attempts.answers += 1 }
    default: return false
    }
    log.debug("HTTP \(status.rawValue): connecting to \(uri.host) again")
    do {
      try connect()
    } catch {
      // Encryption was to protect a password, and did not come about.
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
  /// The printer asks for credentials that are not to be had.
  var unauthorized: IPPError {
    IPPError(
      .unauthorized,
      "\(uri.host) asks for a user name and a password. Save them with: \(security.login)")
  }

  /// The printer has seen what it asked for, and wants none of it.
  private var refused: IPPError {
    IPPError(
      .unauthorized,
      "\(uri.host) does not accept the user name and the password. Save others with: "
        + security.login)
  }

  /// Nobody has what the printer asks for.
  ///
  /// For Negotiate alone (RFC 4559) that is a ticket; libcups asks for one only in the name of a host with a dot in
  /// it (cups/auth.c).
  private func unanswered(_ asked: Challenge) -> IPPError {
    if asked.takesPasswords { return unauthorized }
    return IPPError(
      .unauthorized,
      "\(uri.host) asks for a Kerberos ticket and accepted none: get one with kinit, "
        + "and use the printer's full host name, with a dot in it.")
  }

  /// True when the printer has asked for credentials, and got them.
  package var isAuthenticated: Bool { challenge != nil }

  /// True when a password itself may go over this connection: it is encrypted, and that was agreed
  /// before a stranger asked for it.
  private var tellsPasswords: Bool { certificate != nil && isAgreed }

  /// The printer wants the password itself, and to be encrypted for that by a certificate that nobody knows.
  private var unagreed: IPPError {
    IPPError(
      .unauthorized,
      "\(uri.host) did not encrypt before, and now asks for the password itself, over a certificate "
        + "that was never accepted. Nothing was sent. If you expected this, run: \(security.remedy)"
    )
  }

  /// Takes note of how the printer asks for credentials; false when there are none to give.
  private func takeChallenge(_ answers: Int) throws(IPPError) -> Bool {
    guard !security.isAnonymous else { return false }
    let asked = Challenge(
      httpGetField(http, HTTP_FIELD_WWW_AUTHENTICATE).map { String(cString: $0) } ?? "")
    let usable = asked.answerable(tellsPasswords: tellsPasswords)
    if let given = challenge {
      // A nonce may have grown old (RFC 7616 §3.3); a password does not.
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

  /// The user's credentials for the server at the other end now.
  private func known() throws(IPPError) -> Credentials? {
    let shown = certificate?.fingerprint
    if let credentials, credentials.shown == shown { return credentials.found }
    do {
      let found = try security.credentials(shown)
      credentials = (shown, found)
      return found
    } catch {
      throw IPPError(.unauthorized, error.message, code: error.code)
    }
  }

  /// The field Authorization, where the printer wants one; libcups computes it: Negotiate, Digest with
  /// its counted nonces, Basic.
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
    // Digest names the user of the thread, whenever it was asked for (cups/http-support.c).
    cupsSetUser(secret.user)
    let parts = challenge.answerable(tellsPasswords: tellsPasswords).parts
    for part in parts where secret.user != nil || part.scheme == "negotiate" {
      if let field = withExtendedLifetime(secret, { answer(to: part) }) { return field }
    }
    self.challenge = nil
    throw unanswered(challenge)
  }

  /// libcups' answer to one scheme; nil when it has none, or one that was not asked for.
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

/// Credentials while libcups may ask for them.
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

  /// The password, for as long as this lives.
  ///
  /// The user name is set here: libcups takes one that the server names in its challenge until then
  /// (cups/auth.c).
  func told() -> UnsafePointer<CChar>? {
    cupsSetUser(user)
    return password.map { UnsafePointer($0) }
  }
}
