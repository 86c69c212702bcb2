internal import CCups
internal import Glibc
internal import LateLibraries
internal import Logging
internal import PrintModel
package import System

/// Log of what goes over the wire, for `--verbose`.
let log = Logger(label: "ipp")

/// A connection to one printer, kept open from request to request.
///
/// It belongs to the thread that made it: libcups keeps its last error, user and callbacks per thread
/// (cups/usersys.c). Whatever it waits for, a raised `Cancellation` ends it within a tenth of a second.
package final class Connection {
  package let uri: PrinterURI
  /// Time the printer may neither take nor give a byte before an exchange fails as silent.
  package var patience: Duration
  /// Certificate that the printer showed in the last handshake; nil when the connection is not
  /// encrypted.
  package private(set) var certificate: Certificate?
  /// With the pin that holds now: one that was not known is what the first handshake showed.
  package private(set) var security: Security
  /// A new one for every connection that is made: libcups would make others by itself with one that has
  /// seen a refusal (http_send), and show them the request before anybody has looked at the certificate.
  private(set) var http: OpaquePointer
  let wait: SocketWait
  let watchdog: Watchdog
  private let addresses: AddressList
  /// Encryption was agreed on before the printer asked for it, or for a password: by the URI, by the pin, by
  /// a user.
  package let isAgreed: Bool
  /// HTTP status that came while a document was still being sent: the rest is not wanted.
  var earlyStatus: http_status_t?
  /// The answer has begun with the head of the request already.
  var firstStatus: http_status_t?
  /// The last byte of the document that was begun last has been handed to the network.
  package internal(set) var hasEndedDocument = false
  /// Every byte of the document begun last has been acknowledged at the other end, which did not reset
  /// the connection after it: with a whole answer, or without one.
  package internal(set) var isDelivered = false
  /// Something of the request that was sent last, or is being sent, may have got to the printer.
  package private(set) var mayHaveAsked = false
  /// The request-id of the request that was sent last.
  var requestID: Int32 = 0
  /// Something is left of the last exchange; the next one needs a new connection.
  var isSpoiled = false
  /// The printer has asked for encryption (426), or for a password that needs it.
  var isUpgraded = false
  /// The printer's challenge for credentials, as far as it may be answered.
  var challenge: Challenge?
  /// Asked for once for each certificate: who encrypts now may be another than who did not.
  var credentials: (shown: Fingerprint?, found: Credentials?)?

  /// Connects to `uri`, at `addresses` (numeric) if there are any, else wherever its host name leads.
  ///
  /// All addresses are tried side by side, 0.1 s apart. A host that refuses ends the attempt at once;
  /// only silence is waited for: a sleeping printer may need 18 s (home-assistant#180543).
  ///
  /// At every handshake, the first and all later ones, the printer's certificate is compared with
  /// `security` before anything else is sent.
  ///
  /// `upgrading` asks a printer at an `ipp` URI to encrypt (RFC 8010 §8.2); one that does not is `.insecure`.
  /// Otherwise it throws `.unresolved`, `.refused` or `.silent` for a host that is not there, `.insecure`,
  /// `.outdated` or `.untrusted` after a handshake, and `.interrupted`.
  package init(
    to uri: PrinterURI, at addresses: [String] = [], security: Security = Security(),
    upgrading: Bool = false, patience: Duration, cancellation: Cancellation
  ) throws(IPPError) {
    self.uri = uri
    self.patience = patience
    self.security = security
    isAgreed =
      uri.isSecure || security.pin != nil || upgrading || security.trustsUpgrade
      || security.isAttended
    NetworkLibraries.load()
    cupsSetUserAgent("airprint")
    // Without a callback libcups would ask for a password on the terminal.
    cupsSetPasswordCB2({ _, _, _, _, _ in nil }, nil)
    let list = try AddressList(uri.host, port: uri.port, at: addresses)
    let wait = SocketWait(cancellation)
    isUpgraded = upgrading
    let http = Connection.unconnected(uri, list, isUpgraded: false, wait)
    self.http = http
    self.addresses = list
    self.wait = wait
    watchdog = Watchdog(http, cancellation)
    try connect()
    log.debug("connected to \(uri.text) at \(address ?? "an unknown address")")
  }

  deinit {
    watchdog.end()
    Connection.close(http)
  }

  /// Called four times a second while the printer neither takes nor gives a byte, from the thread that
  /// waits: the place to ask the printer, over another connection, what holds it up.
  package var whenStalled: (() -> Void)? {
    get { wait.whenStalled }
    set { wait.whenStalled = newValue }
  }

  /// The numeric address at the other end: `192.0.2.7`, `2001:db8::7`, `fe80::7%eth0`.
  package var address: String? {
    guard let address = httpGetAddress(http) else { return nil }
    var text = [CChar](repeating: 0, count: 256)
    httpAddrString(address, &text, Int32(text.count))
    // libcups writes an IPv6 address as in a URI: `[v1.fe80::7+eth0]`.
    let written = text.text
    guard written.hasPrefix("[v1."), written.hasSuffix("]") else { return written }
    return String(written.dropFirst(4).dropLast()).replacing("+", with: "%")
  }

  /// Sends a request that carries no document and returns the printer's answer, whatever its status.
  ///
  /// With `grace` the answer is waited for so long after an interruption: it has what is needed to undo the
  /// request. Throws `.silent`, `.broken` or `.nonsense` where no answer comes, `.unauthorized` where no
  /// credentials serve, `.interrupted`, and what a new connection throws.
  package func exchange(_ request: Request, grace: Duration = .zero) throws(IPPError) -> Response {
    let begun = ContinuousClock.now
    let message = request.encode()
    defer {
      hold(.zero)
      ippDelete(message)
    }
    var attempts = RequestAttempts()
    while true {
      try begin(message, length: ippLength(message), grace: grace, &attempts)
      do {
        let response = try receive()
        log.debug(
          "\(request.name): \(response.status), \(begun.duration(to: .now).milliseconds) ms")
        return response
      } catch {
        hold(.zero)
        let status = httpGetStatus(http)
        if RequestAttempts.isMended(status) { mayHaveAsked = false }
        guard error.kind != .interrupted, try mend(status, &attempts) else { throw error }
      }
    }
  }

  /// Starts a request that carries a document of unknown length; `write` and `finish` follow.
  ///
  /// One with `compression` gzip or deflate packs what is written. Throws as `exchange` does.
  package func beginDocument(_ request: Request) throws(IPPError) {
    log.debug("\(request.name): the document follows")
    let message = request.encode()
    defer { ippDelete(message) }
    var attempts = RequestAttempts()
    try begin(message, length: Int(CUPS_LENGTH_VARIABLE), &attempts)
    if let method = request.compression, method != "none" {
      // From here on, without another header: by that attribute, only the document is compressed.
      httpSetField(http, HTTP_FIELD_CONTENT_ENCODING, method)
    }
  }

  /// From now on, an interruption takes effect this much later.
  func hold(_ grace: Duration) {
    wait.isHeld = grace > .zero
    watchdog.hold(grace)
  }

  /// Cuts the connection, so that the printer sees it at once.
  ///
  /// The next request makes another one.
  package func shutDown() {
    isSpoiled = true
    Watchdog.cut(http)
  }

  /// Sends the head and the attributes of a request, until the printer takes them.
  private func begin(
    _ message: OpaquePointer, length: Int, grace: Duration = .zero,
    _ attempts: inout RequestAttempts
  ) throws(IPPError) {
    mayHaveAsked = false
    requestID = ippGetRequestId(message)
    try freshen()
    while true {
      hold(grace)
      wait.restart(patience)
      earlyStatus = nil
      firstStatus = nil
      hasEndedDocument = false
      isDelivered = false
      // Until its answer is read whole.
      isSpoiled = true
      mayHaveAsked = true
      // A head that never ends is never silent.
      watchdog.watch(until: .now + patience + Connection.longestAnswer)
      defer { watchdog.watch(until: nil) }
      let status = try post(message, length: length, attempts)
      if status == HTTP_STATUS_CONTINUE { return }
      if status == HTTP_STATUS_OK {
        // Of a document nothing is wanted then.
        if length == Int(CUPS_LENGTH_VARIABLE) {
          earlyStatus = status
        } else {
          firstStatus = status
        }
        return
      }
      if RequestAttempts.isMended(status) { mayHaveAsked = false }
      hold(.zero)
      guard try mend(status, &attempts) else { throw unsent(status) }
    }
  }

  /// Printers drop connections that idle.
  ///
  /// A readable socket between two requests is one that was closed; connecting anew before the next
  /// request keeps a Create-Job from getting lost in it.
  private func freshen() throws(IPPError) {
    var socket = pollfd(fd: httpGetFd(http), events: Int16(POLLIN), revents: 0)
    let closes = httpGetField(http, HTTP_FIELD_CONNECTION).map { String(cString: $0) }
    // libcups itself would connect again on a failing status, which would go unnoticed.
    let status = httpGetStatus(http).rawValue
    let isRefused = status == HTTP_STATUS_ERROR.rawValue || status >= 400
    guard
      isSpoiled || isRefused || httpGetFd(http) < 0 || closes?.lowercased() == "close"
        || poll(&socket, 1, 0) > 0
    else { return }
    log.debug("connecting to \(uri.host) again")
    try connect()
  }
}

// MARK: - Opening

extension Connection {
  /// Connects until it succeeds, is refused or interrupted, or the patience is at an end; and looks at
  /// what the printer shows.
  func connect() throws(IPPError) {
    let deadline = ContinuousClock.now + patience
    var handshakeFailure: String?
    while true {
      // A new attempt every ten seconds: a printer that wakes up meanwhile misses no more than that.
      let end = min(deadline, .now + .seconds(10))
      if attempt(until: end) { break }
      try heedInterruption()
      // A handshake that took all of its time met silence.
      if cupsLastError() == IPP_STATUS_ERROR_CUPS_PKI, ContinuousClock.now < end {
        let words = lastWords
        // A condition that passes, as with a printer that takes one such connection at a time, may
        // have passed now.
        guard handshakeFailure == nil else { throw try unencrypted(words, until: end) }
        handshakeFailure = words
        usleep(250_000)
        continue
      }
      if addresses.isRefused {
        throw IPPError(.refused, "\(uri.host) refuses connections on port \(uri.port)")
      }
      guard ContinuousClock.now < deadline else {
        throw handshakeFailure.map(unencrypted)
          ?? IPPError(.silent, "\(uri.host) does not answer on port \(uri.port)")
      }
      usleep(100_000)
    }
    try checkPeer()
    isSpoiled = false
    // Room for a piece behind one that has not left yet, and no write is stuck (see `write`).
    setOption(SOL_SOCKET, SO_SNDBUF, 4 * Connection.pieceLength)
  }

  private func heedInterruption() throws(IPPError) {
    if wait.cancellation.isRaised { throw IPPError(.interrupted, "interrupted") }
  }

  func setOption(_ level: Int32, _ name: Int32, _ value: Int) {
    var value = Int32(value)
    setsockopt(httpGetFd(http), level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private func attempt(
    until end: ContinuousClock.Instant, speaking version: TLSVersion? = nil
  ) -> Bool {
    let old = http
    http = Connection.unconnected(
      uri, addresses, isUpgraded: isUpgraded || security.pin != nil, wait)
    watchdog.turn(to: http)
    Connection.close(old)
    watchdog.watch(until: end)
    let left = ContinuousClock.now.duration(to: end)
    wait.restart(left)
    let milliseconds = max(1, left.milliseconds)
    let status = TLSVersions.allowing(version.map { [$0] } ?? security.lowestTLS.orNewer) {
      httpReconnect2(http, Int32(clamping: milliseconds), wait.cancellation.flag)
    }
    defer { watchdog.watch(until: nil) }
    return status == 0 && !watchdog.hasCut && !wait.cancellation.isRaised
  }
}

extension Connection {
  /// libcups' side of a connection that is still to be made, so that the watchdog has it then.
  fileprivate static func unconnected(
    _ uri: PrinterURI, _ addresses: AddressList, isUpgraded: Bool, _ wait: SocketWait
  ) -> OpaquePointer {
    let encryption =
      uri.isSecure
      ? HTTP_ENCRYPTION_ALWAYS
      : isUpgraded ? HTTP_ENCRYPTION_REQUIRED : HTTP_ENCRYPTION_IF_REQUESTED
    guard
      let http = httpConnect2(
        uri.host, Int32(uri.port), addresses.first, AF_UNSPEC, encryption, 1, 0, nil)
    else { fatalError("libcups has no memory") }
    httpSetTimeout(http, SocketWait.tick, { _, data in SocketWait.goesOn(data) }, wait.pointer)
    return http
  }

  fileprivate static func close(_ http: OpaquePointer) {
    // TLS sends its close alert, and must not wait for the printer's: it may be gone.
    let socket = httpGetFd(http)
    if socket >= 0 { shutdown(socket, Int32(SHUT_RD)) }
    httpClose(http)
  }

  /// Compares what the printer shows with what is known of it.
  private func checkPeer() throws(IPPError) {
    certificate = Certificate(of: http)
    guard let certificate else {
      guard security.pin == nil, !uri.isSecure else {
        shutDown()
        throw security.refusal(of: nil, uri.host)
      }
      return
    }
    // Upgraded, and then refused: libcups would make another connection with the next request.
    guard httpGetStatus(http).rawValue < 400 else {
      throw unencrypted("it refused what follows (HTTP \(httpGetStatus(http).rawValue))")
    }
    guard let pin = security.pin, pin != certificate.fingerprint else {
      // Encryption without verification proves nothing, and the printer isn't identified by it.
      if isAgreed { security.pin = certificate.fingerprint }
      return
    }
    guard let host = security.host, certificate.isVouchedFor(as: host) else {
      shutDown()
      throw security.refusal(of: certificate.fingerprint, uri.host)
    }
    log.debug("a different certificate, and an authority vouches for \(host)")
    security.pin = certificate.fingerprint
  }

  /// The reason no handshake succeeds.
  ///
  /// Others, after which nothing is sent, find out whether the printer supports an older TLS than it
  /// may: that is a separate error (cups#403).
  private func unencrypted(
    _ words: String, until end: ContinuousClock.Instant
  ) throws(IPPError) -> IPPError {
    let old = security.lowestTLS.older.first { attempt(until: end, speaking: $0) }
    shutDown()
    try heedInterruption()
    return old.map(outdated) ?? unencrypted(words)
  }

  private func outdated(_ version: TLSVersion) -> IPPError {
    let why = TLSVersion.usual.older.contains(version) ? ", which can be broken (RFC 8996)" : ""
    return IPPError(
      .outdated,
      "\(uri.host) only supports TLS \(version.rawValue)\(why). Nothing was sent; to accept this, "
        + "pick it with --tls \(version.rawValue)")
  }

  /// No TLS came about.
  ///
  /// With a printer that has shown a certificate before, that is a matter of trust.
  private func unencrypted(_ words: String) -> IPPError {
    if security.pin != nil, !uri.isSecure { return security.refusal(of: nil, uri.host) }
    guard security.pin == nil else {
      return IPPError(
        .untrusted,
        "no secure connection to \(uri.host) is possible any longer: \(words). Nothing was sent.")
    }
    return IPPError(.insecure, "no secure connection to \(uri.host) could be made: \(words)")
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
