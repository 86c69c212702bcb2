internal import CCups
internal import Glibc
internal import Logging
package import Threading

/// What goes over the wire, for `--verbose`.
let log = Logger(label: "ipp")

/// A connection to one printer, kept open from request to request.
///
/// It belongs to the thread that made it: libcups keeps its last error, user and callbacks per thread
/// (cups/usersys.c). Whatever it waits for, a raised `Interruption` ends it within a tenth of a second.
package final class Connection {
  package let uri: PrinterURI
  /// How long the printer may neither take nor give a byte before an exchange fails as silent.
  package var patience: Duration
  let http: OpaquePointer
  let wait: Wait
  let watchdog: Watchdog
  private let addresses: AddressList
  /// What HTTP said while a document was still being sent: the rest is not wanted.
  var earlyStatus: http_status_t?
  /// The last byte of the document that was begun last has been handed to the network.
  package internal(set) var hasEndedDocument = false
  /// Every byte of the document begun last has been acknowledged at the other end, which did not reset
  /// the connection after it: with a whole answer, or without one.
  package internal(set) var isDelivered = false
  /// Something is left of the last exchange; the next one needs a new connection.
  var isSpoiled = false

  /// Connects to `uri`, at `addresses` (numeric) if there are any, else wherever its host name leads.
  ///
  /// All addresses are tried side by side, 0.1 s apart. A host that says no ends the attempt at once;
  /// only silence is waited for: a sleeping printer may need 18 s (home-assistant#180543).
  package init(
    to uri: PrinterURI, at addresses: [String] = [], patience: Duration, interruption: Interruption
  ) throws(IPPError) {
    self.uri = uri
    self.patience = patience
    cupsSetUserAgent("airprint")
    // Without a callback libcups would ask for a password on the terminal.
    cupsSetPasswordCB2({ _, _, _, _, _ in nil }, nil)
    let list = try AddressList(uri.host, port: uri.port, at: addresses)
    let encryption = uri.isSecure ? HTTP_ENCRYPTION_ALWAYS : HTTP_ENCRYPTION_IF_REQUESTED
    // 0 ms: it connects later, when the watchdog has it.
    guard
      let http = httpConnect2(
        uri.host, Int32(uri.port), list.first, AF_UNSPEC, encryption, 1, 0, nil)
    else { throw IPPError(.unresolved, "no connection to \(uri.host) can be made") }
    self.http = http
    self.addresses = list
    wait = Wait(interruption)
    watchdog = Watchdog(http, interruption)
    httpSetTimeout(http, Wait.tick, { _, data in Wait.goesOn(data) }, wait.pointer)
    try connect()
    log.debug("connected to \(uri.text) at \(address ?? "an unknown address")")
  }

  deinit {
    watchdog.end()
    // TLS says goodbye, and must not wait for the printer's: it may be gone.
    let socket = httpGetFd(http)
    if socket >= 0 { shutdown(socket, Int32(SHUT_RD)) }
    httpClose(http)
  }

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
    let response = try receive()
    log.debug(
      "\(request.name): \(response.status), \(begun.duration(to: .now).milliseconds) ms")
    return response
  }

  /// Starts a request that carries a document of unknown length; `write` and `finish` follow. One with
  /// `compression` gzip or deflate packs what is written.
  package func beginDocument(_ request: Request) throws(IPPError) {
    log.debug("\(request.name): the document follows")
    try begin(request, isFollowedByData: true)
    if let method = request.compression, method != "none" {
      // From here on, without another header: as the attribute says, the document alone is packed.
      httpSetField(http, HTTP_FIELD_CONTENT_ENCODING, method)
    }
  }

  /// Cuts the connection, so that the printer sees it at once. The next request makes another one.
  package func shutDown() {
    isSpoiled = true
    Watchdog.cut(http)
  }

  private func begin(_ request: Request, isFollowedByData: Bool) throws(IPPError) {
    let message = request.encode()
    defer { ippDelete(message) }
    try freshen()
    wait.restart(patience)
    earlyStatus = nil
    hasEndedDocument = false
    isDelivered = false
    // Until its answer is read whole.
    isSpoiled = true
    let length = isFollowedByData ? Int(CUPS_LENGTH_VARIABLE) : ippLength(message)
    let status = cupsSendRequest(http, message, uri.resource, length)
    guard status == HTTP_STATUS_CONTINUE || status == HTTP_STATUS_OK else { throw unsent(status) }
  }

  /// Printers drop connections that idle. A readable socket between two requests is one that was
  /// closed; connecting anew before the next request keeps a Create-Job from getting lost in it.
  private func freshen() throws(IPPError) {
    var socket = pollfd(fd: httpGetFd(http), events: Int16(POLLIN), revents: 0)
    let closes = httpGetField(http, HTTP_FIELD_CONNECTION).map { String(cString: $0) }
    guard isSpoiled || closes?.lowercased() == "close" || poll(&socket, 1, 0) > 0 else { return }
    log.debug("connecting to \(uri.host) again")
    httpClearFields(http)
    try connect()
  }
}

// MARK: - Opening

extension Connection {
  /// Connects until it succeeds, is refused or interrupted, or the patience is at an end.
  private func connect() throws(IPPError) {
    let deadline = ContinuousClock.now + patience
    while true {
      // A new attempt every ten seconds: a printer that wakes up meanwhile misses no more than that.
      let end = min(deadline, .now + .seconds(10))
      if attempt(until: end) { break }
      if wait.interruption.isRaised { throw IPPError(.interrupted, "interrupted") }
      // A handshake that took all of its time met silence.
      if cupsLastError() == IPP_STATUS_ERROR_CUPS_PKI, ContinuousClock.now < end {
        let words = lastWords
        throw IPPError(.insecure, "no secure connection to \(uri.host) could be made: \(words)")
      }
      if addresses.isRefused {
        throw IPPError(.refused, "\(uri.host) refuses connections on port \(uri.port)")
      }
      guard ContinuousClock.now < deadline else {
        throw IPPError(.silent, "\(uri.host) does not answer on port \(uri.port)")
      }
      usleep(100_000)
    }
    isSpoiled = false
    // Room for a piece behind one that has not left yet, and no write is stuck (see `write`).
    setOption(SOL_SOCKET, SO_SNDBUF, 4 * Connection.pieceLength)
  }

  func setOption(_ level: Int32, _ name: Int32, _ value: Int) {
    var value = Int32(value)
    setsockopt(httpGetFd(http), level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private func attempt(until end: ContinuousClock.Instant) -> Bool {
    watchdog.watch(until: end)
    let milliseconds = max(1, ContinuousClock.now.duration(to: end).milliseconds)
    let status = httpReconnect2(http, Int32(clamping: milliseconds), wait.interruption.flag)
    defer { watchdog.watch(until: nil) }
    return status == 0 && !watchdog.hasCut && !wait.interruption.isRaised
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
