internal import CCups
internal import Glibc
internal import Logging
internal import PrintModel

/// Attempts to send one request.
struct RequestAttempts {
  /// True if the printer has to confirm that it needs the body (RFC 9110 §10.1.1).
  var expectsContinue = true
  /// True if the body waits for that, or for a second: a server that refuses the head, and ends the connection with the
  /// body unread, resets it, and its refusal may be lost by that.
  var awaitsContinue = false
  /// True for a request that may be sent twice: it changes nothing.
  var isRepeatable = false
  /// The operations of those.
  static let questions: Set<Int> = Set(
    [
      Capabilities.Operation.getPrinterAttributes, .getJobAttributes, .getJobs, .validateJob,
      .getPrinters, .cupsGetPrinters, .validateDocument, .getUserPrinterAttributes,
    ].map(\.rawValue))
  /// Number of times that the printer asked for credentials and received them.
  var answers = 0
  /// True for a request that makes a job: a second one would make another.
  var makesJob = false
  /// True if the server has refused the whole request, or part of its document, and gets it once more.
  var isRepeated = false
  /// True if that refusal did not prove that nothing of it reached the printer.
  var isDoubtful = false
  /// True if it asked for another form of the request when it had a part of the document, and has got no byte since.
  var isRefused = false

  /// Returns true for a status that asks for a changed request, whatever is in it; the printer has done nothing yet (RFC
  /// 9110 §15.5).
  static func isMended(_ status: http_status_t) -> Bool {
    [
      HTTP_STATUS_UNAUTHORIZED, HTTP_STATUS_LENGTH_REQUIRED, HTTP_STATUS_EXPECTATION_FAILED,
      HTTP_STATUS_UPGRADE_REQUIRED,
    ].contains(status)
  }

  /// Returns true for a status by which a server may refuse chunks: it needs a length, or does not know them (RFC 9112
  /// §6.1), or takes them for garbage.
  static func mayRefuseChunks(_ status: http_status_t) -> Bool {
    [HTTP_STATUS_LENGTH_REQUIRED, HTTP_STATUS_NOT_IMPLEMENTED, HTTP_STATUS_BAD_REQUEST]
      .contains(status)
  }
}

extension Connection {
  /// Sends the head and the attributes of a request until the printer accepts them, or refuses chunks.
  ///
  /// - `length`: bytes of the attributes and the document, or CUPS_LENGTH_VARIABLE.
  func begin(
    _ message: WrittenMessage, length: Int, grace: Duration = .zero,
    _ attempts: inout RequestAttempts
  ) throws(IPPError) {
    mayHaveAsked = false
    requestID = message.id
    let isAlone = length == message.bytes.count
    try freshen()
    while true {
      if !isAlone {
        if peer == nil { try record() }
        try whenDocumentBegins?(connections)
      }
      hold(grace)
      wait.restart(silence)
      earlyStatus = nil
      firstStatus = nil
      isDelivered = false
      // Until the whole answer has been read.
      isSpoiled = true
      mayHaveAsked = true
      watchdog.watch(until: deadline)
      defer { watchdog.watch(until: nil) }
      let status = try post(message, length: length, attempts)
      let refusesChunks =
        length == Int(CUPS_LENGTH_VARIABLE) && RequestAttempts.mayRefuseChunks(status)
      if refusesChunks || RequestAttempts.isMended(status) {
        mayHaveAsked = false
      } else if peer == nil, !attempts.isRepeatable {
        security.used.goPlain()
      }
      if status == HTTP_STATUS_CONTINUE { return }
      if status == HTTP_STATUS_OK {
        // The printer answers without the document.
        if isAlone { firstStatus = status } else { earlyStatus = status }
        return
      }
      hold(.zero)
      if refusesChunks {
        needsLength = true
        return
      }
      guard try mend(status, &attempts) else { throw unsent(status) }
    }
  }

  /// Sends the head and the attributes of a request, and returns the HTTP status so far.
  ///
  /// It replaces cupsSendRequest, which reconnects by itself after a refusal, and sends the request with its password
  /// and PIN to whichever host then answers. Here, `connect` makes every connection, and checks the certificate first.
  func post(
    _ message: WrittenMessage, length: Int, _ attempts: RequestAttempts
  ) throws(IPPError) -> http_status_t {
    let authorization = try answer()
    if authorization != nil { try record(areCredentials: true) }
    // Its own connections, which libcups would make now, are not checked (http_send).
    guard !isAboutToReconnect else { return HTTP_STATUS_ERROR }
    httpClearFields(http)
    httpSetExpect(http, attempts.expectsContinue ? HTTP_STATUS_CONTINUE : HTTP_STATUS_NONE)
    httpSetField(http, HTTP_FIELD_CONTENT_TYPE, "application/ipp")
    httpSetField(http, HTTP_FIELD_DATE, date)
    httpSetLength(http, length)
    if let authorization { httpSetField(http, HTTP_FIELD_AUTHORIZATION, authorization) }
    guard httpPost(http, uri.resource) == 0 else { return HTTP_STATUS_ERROR }
    if attempts.awaitsContinue, httpWait(http, continueLimit) != 0,
      case let status = httpUpdate(http),
      status != HTTP_STATUS_CONTINUE
    {
      return status
    }
    guard http.send(message.bytes) else {
      // A refusal may have come before the end.
      let status = httpCheck(http) != 0 ? httpUpdate(http) : HTTP_STATUS_ERROR
      return status.rawValue >= 300 ? status : HTTP_STATUS_ERROR
    }
    let isAnswered = httpWait(http, attempts.expectsContinue ? continueLimit : 0) != 0
    return isAnswered ? httpUpdate(http) : HTTP_STATUS_CONTINUE
  }

  private var date: String {
    var text = [CChar](repeating: 0, count: 256)
    return String(cString: httpGetDateString2(time(nil), &text, Int32(text.count)))
  }

  /// Reconnects for another attempt that meets the printer's demand; false if it can't be met.
  func mend(_ status: http_status_t, _ attempts: inout RequestAttempts) throws(IPPError) -> Bool {
    let wasUpgraded = isUpgraded
    switch status {
    case HTTP_STATUS_ERROR
    where attempts.isRepeatable && !attempts.awaitsContinue && lost("").kind == .broken
      && [ECONNRESET, EPIPE].contains(httpError(http)):
      attempts.awaitsContinue = true
    case HTTP_STATUS_EXPECTATION_FAILED where attempts.expectsContinue:
      attempts.expectsContinue = false
      attempts.awaitsContinue = false
    case HTTP_STATUS_UPGRADE_REQUIRED where peer == nil && !isUpgraded:
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
      guard status == HTTP_STATUS_UNAUTHORIZED, isUpgraded, !wasUpgraded,
        [.insecure, .silent].contains(error.kind)
      else { throw error }
      throw unprotected
    }
    return true
  }
}

// MARK: - Credentials

extension Connection {
  /// The error if the printer asks for credentials and there are none.
  package var unauthorized: IPPError {
    login("asks for a user name and a password.", hint: "Save them with:")
  }

  /// The error if the printer rejects the credentials that it received.
  var refused: IPPError {
    let words = "does not accept the user name and the password"
    guard let source = credentials?.found?.source else {
      return login("\(words).", hint: "Save others with:")
    }
    return IPPError(.unauthorized, "\(words) of \(source).", of: uri.host)
  }

  private func login(_ words: String, hint: String) -> IPPError {
    IPPError(.unauthorized, words, of: uri.host, hint: hint, fix: security.login)
  }

  /// Makes the error for a challenge that can't be answered.
  ///
  /// For Negotiate alone (RFC 4559) a ticket is missing; it is requested only for a host that the user named, and by
  /// libcups only for one with a dot in its name (cups/auth.c).
  private func unanswered(_ asked: Challenge) -> IPPError {
    if asked.takesPasswords { return unauthorized }
    return IPPError(
      .unauthorized,
      "asks for a Kerberos ticket and accepted none: get one with kinit, "
        + "and name the printer by its host's full name, with a dot in it.", of: uri.host)
  }

  /// True if the printer has requested credentials and received them.
  package var isAuthenticated: Bool { challenge != nil }

  /// True if the password itself may be sent over this connection: it is encrypted, and that was agreed before a
  /// stranger asked for the password.
  private var tellsPasswords: Bool { peer != nil && isAgreed }

  /// Returns the parts of a challenge that can be answered here, strongest first.
  private func answerable(_ asked: Challenge) -> Challenge {
    asked.answerable(
      tellsPasswords: tellsPasswords, hasTicket: hasTicket && security.named(uri.host) != nil)
  }

  /// The error if the printer asks for the password itself over encryption with an unknown certificate.
  private var unagreed: IPPError {
    IPPError(
      .unauthorized,
      "did not encrypt before, and now asks for the password itself, over a certificate "
        + "that was never accepted.", of: uri.host, hint: Security.unexpected, fix: security.remedy)
  }

  /// The error if the printer asks for the password itself and does not encrypt.
  private var unprotected: IPPError {
    IPPError(
      .unauthorized, "asks for the password itself, and does not encrypt: none was sent.",
      of: uri.host,
      hint: "Turn on TLS or Digest in the printer's settings; "
        + "if it has TLS at another port, give its ipps:// URI.")
  }

  /// Stores the printer's challenge for credentials; false if there are no credentials to send.
  private func takeChallenge(_ answers: Int) throws(IPPError) -> Bool {
    guard !security.isAnonymous else { return false }
    let asked = Challenge(field(HTTP_FIELD_WWW_AUTHENTICATE))
    if let given = challenge {
      // The ticket was refused; a password may be accepted.
      if answerable(given).has("negotiate") {
        hasTicket = false
      }
      // A nonce can expire (RFC 7616 §3.3); a password can't.
      else if answers > 0 || given == asked || !answerable(asked).has("digest") {
        challenge = nil
        throw try known() == nil ? unanswered(asked) : refused
      }
    }
    if asked != challenge { requestCount = 0 }
    let usable = answerable(asked)
    guard !asked.isEmpty else { return false }
    if asked.takesPasswords {
      let needsEncryption =
        !usable.takesPasswords
        && asked.answerable(tellsPasswords: true, hasTicket: false).has("basic")
      let hasOther = usable.has("negotiate")
      let isOnlyOther = hasOther ? try known() == nil : false
      // Over encryption, the password may be sent: before that, nobody is asked for it.
      if needsEncryption, !isOnlyOther, peer == nil, !isUpgraded {
        (isUpgraded, challenge) = (true, nil)
        return true
      }
      guard isAgreed || !needsEncryption || hasOther else { throw unagreed }
      let mayAnswer = hasOther ? true : try known() != nil
      guard mayAnswer else { return false }
    }
    guard !usable.isEmpty else {
      if asked.has("negotiate") { throw unanswered(asked) }
      throw IPPError(
        .unauthorized,
        "asks for a kind of credentials that airprint does not support "
          + "(\(asked.parts.map(\.scheme).joined(separator: ", "))).", of: uri.host)
    }
    challenge = asked
    return true
  }

  /// Returns the user's credentials for the server that is connected now.
  private func known() throws(IPPError) -> Credentials? {
    let shown = peer?.fingerprint
    if let credentials, credentials.shown == shown { return credentials.found }
    do {
      let found = try waitForUser { () throws(Failure) in try security.credentials(shown) }
      credentials = (shown, found)
      return found
    } catch {
      throw IPPError(error)
    }
  }

  /// Returns the Authorization field if the printer requires one.
  ///
  /// Without a ticket, or if the printer has refused it, a password is the answer.
  private func answer() throws(IPPError) -> String? {
    guard let challenge else { return nil }
    for part in answerable(challenge).parts {
      if part.scheme == "negotiate" {
        guard let host = security.named(uri.host), let ticket = try ticket(for: host) else {
          continue
        }
        return ticket.field
      }
      guard let credentials = try known() else { continue }
      requestCount += 1
      let field = part.answer(
        credentials, method: "POST", resource: uri.resource, count: requestCount)
      if let field { return field }
    }
    self.challenge = nil
    throw unanswered(challenge)
  }

  /// Ends the first contact before the printer is told something: with this certificate, or without any.
  private func record(areCredentials: Bool = false) throws(IPPError) {
    if areCredentials, peer == nil { security.used.goPlain() }
    heedOthers()
    guard peer == nil || isAgreed else { return }
    do { try security.whenTold?(peer?.fingerprint) } catch { throw IPPError(error) }
  }

  /// Returns a Kerberos ticket for the host (RFC 4559), which libcups requests; nil if there is none.
  ///
  /// Then libcups would reconnect by itself, and answer to whoever is there: this connection is replaced by a checked
  /// one.
  private func ticket(for host: NamedHost) throws(IPPError) -> KerberosTicket? {
    httpSetField(http, HTTP_FIELD_WWW_AUTHENTICATE, "Negotiate")
    let isMade = cupsDoAuthentication(http, "POST", uri.resource) == 0
    // For this machine, libcups also has an answer that is not for a printer.
    if isMade, let field = httpGetAuthString(http).map({ String(cString: $0) }),
      let ticket = KerberosTicket(field, for: host)
    {
      return ticket
    }
    hasTicket = false
    try connect()
    return nil
  }
}
