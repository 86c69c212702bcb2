internal import CCups
internal import ForeignText
internal import Glibc
internal import System

extension Connection {
  /// Reads the answer.
  ///
  /// It replaces cupsGetResponse, which can't distinguish a truncated answer from one that is not IPP, and treats a
  /// pause of a quarter of a second within an answer as its end.
  func receive() throws(IPPError) -> Response {
    // Cut within the answer's head, which began before the request's end.
    guard ContinuousClock.now < deadline else { throw endless }
    watchdog.watch(until: deadline)
    defer { watchdog.watch(until: nil) }
    var status = earlyStatus ?? firstStatus ?? HTTP_STATUS_CONTINUE
    while status == HTTP_STATUS_CONTINUE {
      // If libcups expects no answer, it immediately returns "continue", even after the watchdog has cut the
      // connection.
      guard httpGetState(http) != HTTP_STATE_WAITING else { throw verdict ?? nonsense }
      status = httpUpdate(http)
    }
    guard status == HTTP_STATUS_OK else {
      guard status == HTTP_STATUS_ERROR else { throw verdict ?? refusal(status) }
      // EINVAL: the answer is not HTTP.
      throw httpError(http) == EINVAL ? verdict ?? nonsense : lost("before the printer answered")
    }
    if isOld { needsLength = true }
    let message = try readMessage()
    // Bytes of a rejected document, or the end of the answer, are still on their way.
    isSpoiled = !skipsToEnd() || earlyStatus != nil
    let response = Response(message)
    // RFC 8011 §4.1.1. A server that refuses a request it could not parse may not have read its ID; once it has answered
    // another one over this connection, the ID may be that one's.
    let mayLackID =
      message.id == 0 && !response.status.isSuccess
      || answered != connections && [.badRequest, .versionNotSupported].contains(response.status)
    guard message.id == requestID || mayLackID else {
      isSpoiled = true
      throw IPPError(
        .nonsense, "answered a different request", of: uri.host)
    }
    answered = connections
    if documentEnd == connections { hasReadDocument = true }
    return response
  }

  private func readMessage() throws(IPPError) -> ReceivedMessage {
    // A printer that a user named does not wait for others.
    let messages = security.isAnonymous ? LongMessages.all : LongMessages(.max)
    var reader = ByteReader(readsAhead: true, sharing: messages) { [self] room in
      wait.restart(silence)
      return take(into: room)
    }
    do {
      return try ReceivedMessage(from: &reader, takesPart: takesPart) {
        httpGetState(http) == HTTP_STATE_WAITING && httpError(http) == 0 && verdict == nil
      }
    } catch {
      throw error == .foreign || isWhole ? verdict ?? garbled : lost("in the answer")
    }
  }

  /// True if an answer that can't be parsed is complete, or if its type states that it is not IPP.
  private var isWhole: Bool {
    let type = field(HTTP_FIELD_CONTENT_TYPE)
    if !type.isEmpty, !type.lowercased().hasPrefix("application/ipp") { return true }
    return field(HTTP_FIELD_CONTENT_LENGTH) == "0" || httpGetState(http) == HTTP_STATE_WAITING
  }
}

// MARK: - The body of an answer

extension Connection {
  /// Waits for bytes; returns how many have come, at least 1, or 0 or less at the end, or if none come.
  private func take(into room: UnsafeMutableRawBufferPointer) -> Int {
    guard httpGetState(http) != HTTP_STATE_WAITING else { return 0 }
    return httpRead2(http, room.baseAddress?.assumingMemoryBound(to: CChar.self), room.count)
  }

  /// Reads the rest of the body, usually the last chunk (RFC 9112 §7.1), which would otherwise be read as the start of
  /// the next answer.
  ///
  /// False if it does not arrive at once, or is long.
  private func skipsToEnd() -> Bool {
    wait.restart(.milliseconds(100))
    var room = [UInt8](repeating: 0, count: 16 << 10)
    for _ in 0..<4 {
      // libcups also reports a timeout as the end.
      guard room.withUnsafeMutableBytes({ take(into: $0) }) > 0 else {
        return wait.verdict == nil && httpGetState(http) == HTTP_STATE_WAITING
      }
    }
    return false
  }
}

// MARK: - Errors

extension Connection {
  /// The reason why this side ended the wait.
  private var verdict: IPPError? {
    if wait.cancellation.isRaised { return IPPError(.interrupted, "interrupted") }
    if watchdog.hasCut { return endless }
    return wait.verdict
  }

  private var endless: IPPError {
    IPPError(.silent, "never finishes its answer", of: uri.host)
  }

  private var nonsense: IPPError {
    IPPError(.nonsense, "answered with something that is not IPP", of: uri.host)
  }

  /// The error for an answer that can't be parsed.
  private var garbled: IPPError {
    guard field(HTTP_FIELD_CONTENT_TYPE).lowercased().hasPrefix("application/ipp") else {
      return nonsense
    }
    var error = IPPError(.nonsense, "answered with an IPP message that can't be read", of: uri.host)
    error.isGarbled = true
    return error
  }

  func lost(_ when: String) -> IPPError {
    verdict ?? IPPError(.broken, "the connection to \(uri.host) broke \(when)")
  }

  /// Makes the error for a request that could not be sent completely.
  func unsent(_ status: http_status_t) -> IPPError {
    // libcups also reports "service unavailable" for a connection that it can't make.
    let isAnswered = httpGetStatus(http) == status
    return status == HTTP_STATUS_ERROR
      || status == HTTP_STATUS_SERVICE_UNAVAILABLE && !isAnswered
      ? lost("before the request was sent") : verdict ?? refusal(status)
  }

  private func refusal(_ status: http_status_t) -> IPPError {
    // libcups follows no redirects, and airprint does not follow them with a document: a user who picked one printer
    // did not mean another.
    if status == HTTP_STATUS_UNAUTHORIZED || status == HTTP_STATUS_CUPS_AUTHORIZATION_CANCELED {
      return isAuthenticated ? refused : unauthorized
    }
    let place = field(HTTP_FIELD_LOCATION)
    guard (300..<400).contains(status.rawValue), !place.isEmpty else {
      return IPPError(http: status, uri.host)
    }
    return IPPError(
      .nonsense,
      "reports that the printer has moved to \(place.onOneLine): pick it there", of: uri.host)
  }
}

extension IPPError {
  fileprivate init(http status: http_status_t, _ host: String) {
    switch status {
    case HTTP_STATUS_FORBIDDEN:
      self.init(.unauthorized, "does not allow it (HTTP 403)", of: host)
    case HTTP_STATUS_NOT_FOUND:
      self.init(.status(.notFound), "has no printer at this address", of: host)
    case HTTP_STATUS_SERVICE_UNAVAILABLE:
      self.init(.status(.serviceUnavailable), "is busy (HTTP 503)", of: host)
    case HTTP_STATUS_REQUEST_TIMEOUT:
      self.init(.status(.timeout), "did not get the request in time (HTTP 408)", of: host)
    case HTTP_STATUS_CUPS_PKI_ERROR:
      self.init(.insecure, "can't make a secure connection", of: host)
    default:
      let words = httpStatus(status).map { String(cString: $0) } ?? "unknown status"
      self.init(.nonsense, "answered HTTP \(status.rawValue) (\(words)) instead of IPP", of: host)
      isHTTPError = status.rawValue >= 400
    }
  }
}
