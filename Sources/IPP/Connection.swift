internal import CCups
internal import Glibc
internal import Logging
package import Threading

/// What goes over the wire, for `--verbose`.
private let log = Logger(label: "ipp")

/// A connection to one printer, kept open from request to request.
///
/// It belongs to the thread that made it: libcups keeps its last error, user and callbacks per thread
/// (cups/usersys.c). Every wait looks at the `Interruption` four times a second.
package final class Connection {
  package let uri: PrinterURI
  /// How long the printer may neither take nor give a byte before an exchange fails as silent.
  package var patience: Duration
  private let http: OpaquePointer
  private let wait: Wait

  /// Connects to `uri`, at `addresses` (numeric) if there are any, else wherever its host name leads.
  ///
  /// All addresses are tried side by side, 0.1 s apart. A host that says no ends the attempt at once;
  /// only silence is waited for: a sleeping printer may need 18 s (home-assistant#180543).
  package init(
    to uri: PrinterURI, at addresses: [String] = [], patience: Duration, interruption: Interruption
  ) throws(IPPError) {
    self.uri = uri
    self.patience = patience
    wait = Wait(interruption)
    cupsSetUserAgent("airprint")
    // Without a callback libcups would ask for a password on the terminal.
    cupsSetPasswordCB2({ _, _, _, _, _ in nil }, nil)
    let list = try AddressList(uri.host, port: uri.port, at: addresses)
    http = try Connection.open(uri, list, until: .now + patience, interruption)
    httpBlocking(http, 1)
    httpSetTimeout(http, Wait.tick, { _, data in Wait.goesOn(data) }, wait.pointer)
    log.debug("connected to \(uri.text) at \(address ?? "an unknown address")")
  }

  deinit { httpClose(http) }

  /// Called four times a second while the printer neither takes nor gives a byte, from the thread that
  /// waits: the place to ask the printer, over another connection, what holds it up.
  package var whenStalled: (() -> Void)? {
    get { wait.whenStalled }
    set { wait.whenStalled = newValue }
  }

  /// The numeric address at the other end.
  package var address: String? {
    guard let address = httpGetAddress(http) else { return nil }
    var text = [CChar](repeating: 0, count: 256)
    httpAddrString(address, &text, Int32(text.count))
    return text.text
  }

  /// Sends a request that carries no document and returns the printer's answer, whatever its status.
  package func exchange(_ request: Request) throws(IPPError) -> Response {
    let begun = ContinuousClock.now
    try begin(request, isFollowedByData: false)
    let response = try finish()
    log.debug(
      "\(request.name): \(response.status), \(begun.duration(to: .now).milliseconds) ms")
    return response
  }

  /// Starts a request that carries a document of unknown length; `write` and `finish` follow.
  package func beginDocument(_ request: Request) throws(IPPError) {
    log.debug("\(request.name): the document follows")
    try begin(request, isFollowedByData: true)
  }

  /// Sends a piece of the document. False when the printer has answered already, which it does to
  /// refuse: the rest need not be sent, `finish` brings the answer.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(IPPError) -> Bool {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return true }
    wait.restart(patience)
    let status = cupsWriteRequestData(http, base.assumingMemoryBound(to: CChar.self), bytes.count)
    if status == HTTP_STATUS_CONTINUE { return true }
    if status == HTTP_STATUS_ERROR { throw lost("while the document was being sent") }
    return false
  }

  /// Ends the request and reads the answer.
  package func finish() throws(IPPError) -> Response {
    wait.restart(patience)
    guard let message = cupsGetResponse(http, uri.resource) else { throw unanswered() }
    defer { ippDelete(message) }
    return Response(decoding: message)
  }

  /// Cuts the connection, so that the printer sees it at once. Nothing can be sent afterwards.
  package func shutDown() { httpShutdown(http) }

  private func begin(_ request: Request, isFollowedByData: Bool) throws(IPPError) {
    let message = request.encode()
    defer { ippDelete(message) }
    wait.restart(patience)
    try freshen()
    let length = isFollowedByData ? Int(CUPS_LENGTH_VARIABLE) : ippLength(message)
    let status = cupsSendRequest(http, message, uri.resource, length)
    guard status == HTTP_STATUS_CONTINUE || status == HTTP_STATUS_OK else { throw unsent(status) }
  }

  /// Printers drop connections that idle. A readable socket between two requests is one that was
  /// closed; connecting anew before the next request keeps a Create-Job from getting lost in it.
  private func freshen() throws(IPPError) {
    var socket = pollfd(fd: httpGetFd(http), events: Int16(POLLIN), revents: 0)
    guard poll(&socket, 1, 0) > 0 else { return }
    let milliseconds = Int32(clamping: patience.milliseconds)
    guard httpReconnect2(http, milliseconds, wait.interruption.flag) == 0 else {
      throw lost("and could not be made again")
    }
  }
}

// MARK: - What went wrong

extension Connection {
  private func lost(_ when: String) -> IPPError {
    wait.verdict ?? IPPError(.broken, "the connection to \(uri.host) broke \(when)")
  }

  /// The request could not be sent whole.
  private func unsent(_ status: http_status_t) -> IPPError {
    status == HTTP_STATUS_ERROR || status == HTTP_STATUS_SERVICE_UNAVAILABLE
      ? lost("before the request was sent") : IPPError(http: status, at: uri.host)
  }

  /// The request went out, no IPP came back.
  private func unanswered() -> IPPError {
    let status = httpGetStatus(http)
    if let verdict = wait.verdict { return verdict }
    // After HTTP 200 the body was no IPP; after nothing at all the connection is gone.
    if httpError(http) == EINVAL {
      return IPPError(.nonsense, "\(uri.host) answered with something that is not IPP")
    }
    return status == HTTP_STATUS_ERROR || status == HTTP_STATUS_CONTINUE
      ? lost("before the printer answered") : IPPError(http: status, at: uri.host)
  }
}

extension IPPError {
  fileprivate init(http status: http_status_t, at host: String) {
    switch status {
    case HTTP_STATUS_UNAUTHORIZED, HTTP_STATUS_CUPS_AUTHORIZATION_CANCELED, HTTP_STATUS_FORBIDDEN:
      self.init(.unauthorized, "\(host) asks for a user name and a password")
    case HTTP_STATUS_NOT_FOUND:
      self.init(.status(.notFound), "\(host) has no printer at this address")
    case HTTP_STATUS_CUPS_PKI_ERROR:
      self.init(.insecure, "no secure connection to \(host) could be made")
    default:
      let words = httpStatus(status).map { String(cString: $0) } ?? "unknown status"
      self.init(.nonsense, "\(host) answered HTTP \(status.rawValue) (\(words)) instead of IPP")
    }
  }
}

// MARK: - Opening

extension Connection {
  /// Tries until it is connected, refused, interrupted, or `deadline` has passed.
  private static func open(
    _ uri: PrinterURI, _ list: AddressList, until deadline: ContinuousClock.Instant,
    _ interruption: Interruption
  ) throws(IPPError) -> OpaquePointer {
    let encryption = uri.isSecure ? HTTP_ENCRYPTION_ALWAYS : HTTP_ENCRYPTION_IF_REQUESTED
    while true {
      let left = ContinuousClock.now.duration(to: deadline)
      // A new attempt every ten seconds: a printer that wakes up meanwhile misses no more than that.
      let slice = Int32(clamping: max(1, min(10_000, left.milliseconds)))
      if let http = httpConnect2(
        uri.host, Int32(uri.port), list.first, AF_UNSPEC, encryption, 1, slice, interruption.flag)
      {
        return http
      }
      if interruption.isRaised { throw IPPError(.interrupted, "interrupted") }
      if cupsLastError() == IPP_STATUS_ERROR_CUPS_PKI {
        let words = lastWords
        throw IPPError(.insecure, "no secure connection to \(uri.host) could be made: \(words)")
      }
      if list.isRefused {
        throw IPPError(.refused, "\(uri.host) refuses connections on port \(uri.port)")
      }
      guard ContinuousClock.now < deadline else {
        throw IPPError(.silent, "\(uri.host) does not answer on port \(uri.port)")
      }
      usleep(100_000)
    }
  }
}

/// libcups' last error in words, without the full stop that some of them have.
private var lastWords: String {
  let words = cupsLastErrorString().map { String(cString: $0) } ?? "no reason given"
  return words.hasSuffix(".") ? String(words.dropLast()) : words
}

extension Duration {
  /// Whole milliseconds, cut off.
  var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
