internal import CCups
internal import ForeignText
internal import Glibc
internal import System

extension Connection {
  /// Longest time for reading an answer once it has started.
  static let longestAnswer = Duration.seconds(20)

  /// Reads the answer.
  ///
  /// It replaces cupsGetResponse, which can't distinguish a truncated answer from one that is not IPP, and treats a
  /// pause of a quarter of a second within an answer as its end.
  func receive() throws(IPPError) -> Response {
    watchdog.watch(until: .now + patience + Connection.longestAnswer)
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
    guard let message = ippNew() else { fatalError("libcups has no memory") }
    defer { ippDelete(message) }
    let body = AnswerBody(http, wait, patience)
    guard body.read(into: message) else {
      throw body.hasBytesLeft || isWhole ? verdict ?? garbled : lost("in the answer")
    }
    // Bytes of a rejected document, or the end of the answer, are still on their way.
    isSpoiled = !body.skipToEnd() || earlyStatus != nil
    let response = Response(decoding: message)
    // RFC 8011 §4.1.1. A server that refuses a request it could not parse may not have read its ID.
    guard !response.status.isSuccess || ippGetRequestId(message) == requestID else {
      isSpoiled = true
      throw IPPError(
        .nonsense, "\(uri.host) answered a different request")
    }
    return response
  }

  /// True if an answer that can't be parsed is complete, or if its type states that it is not IPP.
  private var isWhole: Bool {
    let type = httpGetField(http, HTTP_FIELD_CONTENT_TYPE).map { String(cString: $0) } ?? ""
    if !type.isEmpty, !type.lowercased().hasPrefix("application/ipp") { return true }
    let length = httpGetField(http, HTTP_FIELD_CONTENT_LENGTH).map { String(cString: $0) }
    if length == "0" || httpGetState(http) == HTTP_STATE_WAITING { return true }
    // Bytes are left or will come, so parsing did not fail because they ended.
    var byte: CChar = 0
    return httpPeek(http, &byte, 1) > 0
  }
}

/// The body of an answer as ippReadIO requires it: as many bytes as requested, or the end.
///
/// ippReadIO requests each tag, length and value separately, and libcups would make two system calls for each: a
/// printer's attributes are thousands. So bytes are read as they arrive, and buffered here until they are requested.
private final class AnswerBody {
  private let http: OpaquePointer
  private let wait: SocketWait
  private let patience: Duration
  private var left = AnswerBody.longest
  private var message = MessageGuard()
  private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
  /// The part of `room` that has not been requested yet.
  private var kept = 0..<0

  /// Longest body, 16 MB: a printer with 4,000 media in its database needs 2.
  private static let longest = 16 << 20

  init(_ http: OpaquePointer, _ wait: SocketWait, _ patience: Duration) {
    self.http = http
    self.wait = wait
    self.patience = patience
  }

  deinit { room.deallocate() }

  /// True if bytes have arrived that were not requested.
  var hasBytesLeft: Bool { !kept.isEmpty }

  /// Reads the message at the start of the body; false if it is invalid or truncated.
  func read(into message: OpaquePointer) -> Bool {
    let context = Unmanaged.passUnretained(self).toOpaque()
    return ippReadIO(
      context,
      { context, buffer, length in
        guard let context, let buffer else { return -1 }
        return Unmanaged<AnswerBody>.fromOpaque(context).takeUnretainedValue().read(buffer, length)
      }, 1, nil, message) == IPP_STATE_DATA
  }

  private func read(_ buffer: UnsafeMutablePointer<UInt8>, _ length: Int) -> Int {
    guard length <= left else { return -1 }
    left -= length
    var done = 0
    while done < length {
      if kept.isEmpty {
        wait.restart(patience)
        guard takeMore() else { break }
      }
      let part = room[kept.prefix(length - done)]
      UnsafeMutableRawBufferPointer(start: buffer + done, count: part.count)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
      kept = kept.dropFirst(part.count)
      done += part.count
    }
    return message.allows(UnsafeBufferPointer(start: buffer, count: done)) ? done : -1
  }

  /// Waits for more bytes and buffers them; false at the end, or if none arrive.
  private func takeMore() -> Bool {
    guard httpGetState(http) != HTTP_STATE_WAITING else { return false }
    let count = httpRead2(http, room.baseAddress?.assumingMemoryBound(to: CChar.self), room.count)
    guard count > 0 else { return false }
    kept = 0..<count
    return true
  }

  /// Reads the rest of the body, usually the last chunk (RFC 9112 §7.1), which would otherwise be read as the start of
  /// the next answer.
  ///
  /// False if it does not arrive at once, or is long.
  func skipToEnd() -> Bool {
    wait.restart(.milliseconds(100))
    for _ in 0..<4 {
      // libcups also reports a timeout as the end.
      guard takeMore() else {
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
    if watchdog.hasCut { return IPPError(.silent, "\(uri.host) never finishes its answer") }
    return wait.verdict
  }

  private var nonsense: IPPError {
    IPPError(.nonsense, "\(uri.host) answered with something that is not IPP")
  }

  /// The error for an answer that can't be parsed.
  private var garbled: IPPError {
    let type = httpGetField(http, HTTP_FIELD_CONTENT_TYPE).map { String(cString: $0) } ?? ""
    var error = nonsense
    error.isGarbled = type.lowercased().hasPrefix("application/ipp")
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
      return unauthorized
    }
    let place = httpGetField(http, HTTP_FIELD_LOCATION).map { String(cString: $0) } ?? ""
    guard (300..<400).contains(status.rawValue), !place.isEmpty else {
      return IPPError(http: status, uri.host)
    }
    return IPPError(
      .nonsense,
      "\(uri.host) reports that the printer has moved to \(place.onOneLine): pick it there")
  }
}

extension IPPError {
  fileprivate init(http status: http_status_t, _ host: String) {
    switch status {
    case HTTP_STATUS_FORBIDDEN:
      self.init(.unauthorized, "\(host) does not allow it (HTTP 403)")
    case HTTP_STATUS_NOT_FOUND:
      self.init(.status(.notFound), "\(host) has no printer at this address")
    case HTTP_STATUS_SERVICE_UNAVAILABLE:
      self.init(.status(.serviceUnavailable), "\(host) is busy (HTTP 503)")
    case HTTP_STATUS_REQUEST_TIMEOUT:
      self.init(.status(.timeout), "\(host) did not get the request in time (HTTP 408)")
    case HTTP_STATUS_CUPS_PKI_ERROR:
      self.init(.insecure, "no secure connection to \(host) could be made")
    default:
      let words = httpStatus(status).map { String(cString: $0) } ?? "unknown status"
      self.init(.nonsense, "\(host) answered HTTP \(status.rawValue) (\(words)) instead of IPP")
    }
  }
}
