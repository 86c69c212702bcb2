internal import CCups
internal import Glibc
internal import LateLibraries
internal import Logging
internal import PrintModel
package import System

/// Log of the IPP traffic, for `--verbose`.
let log = Logger(label: "ipp")

/// A connection to one printer, kept open between requests.
///
/// Confined to the thread that made it: libcups keeps its last error, user and callbacks per thread (cups/usersys.c). A
/// raised `Cancellation` ends any wait within a tenth of a second.
package final class Connection {
  package let uri: PrinterURI
  /// Time without a byte sent or received after which an exchange fails as silent.
  package var timeout: Duration
  /// The printer's certificate, once it was compared with what is known about the printer; nil if the connection is not
  /// encrypted, or not made yet.
  package private(set) var peer: VerifiedPeer?
  /// The certificate by which the printer was known when this connection was made first.
  private let known: Fingerprint?
  /// The security settings with the current pin: if there was none, the certificate of the first handshake.
  package private(set) var security: Security
  /// libcups' connection, a new one each time: after a refusal, libcups would reconnect by itself (http_send), and send
  /// the request before the certificate is checked.
  private(set) var http: OpaquePointer
  /// Number of times that it began to connect: while that stays the same, the connection does.
  package private(set) var connections = 0
  /// The last of those over which a request was answered.
  var answered = 0
  let wait: SocketWait
  let watchdog: Watchdog
  private let addresses: AddressList
  /// True if a pin, a user or the first contact stands for the certificate: only then is it kept, or told a password.
  ///
  /// The first contact ends with the first request that the printer may have taken without encryption.
  package private(set) var isAgreed: Bool
  /// HTTP status received while a document was still being sent: the printer rejects the rest.
  var earlyStatus: http_status_t?
  /// HTTP status received together with the head of the request: the start of the answer.
  var firstStatus: http_status_t?
  /// True if the printer may have a byte of the current document.
  package internal(set) var hasSentDocument = false
  /// True if the last byte of the current document has been passed to the network.
  package internal(set) var hasEndedDocument = false
  /// True if the server has read it to its end: it has answered another request behind it, over the same connection.
  package internal(set) var hasReadDocument = false
  /// The connection, of `connections`, over which the whole document was answered.
  var documentEnd: Int?
  /// True if the other end acknowledged every byte of the current document and did not reset the connection afterwards,
  /// with or without a complete answer.
  package internal(set) var isDelivered = false
  /// Milliseconds after which a body is sent although the printer has not asked for it (100 Continue); libcups' number.
  var continueLimit: Int32 = 1000
  /// True if any part of the last request may have reached the printer.
  package internal(set) var mayHaveAsked = false
  /// The time at which the exchange ends, whatever arrives: only the progress of a document, and what the user does
  /// meanwhile, move it.
  var deadline = ContinuousClock.now
  /// The time at which the first contact ends, while it lasts.
  var contactEnd: ContinuousClock.Instant?
  /// True if an answer that ends too early is taken as far as it goes.
  package var takesPart = false
  /// The request-id of the last request.
  var requestID = 0
  /// printer-uri of the requests.
  package var target: String
  /// Other values for it: the printer's own (printer-uri-supported), and the one with its address instead of its name.
  var otherTargets: [String] = []
  /// True if the server is not known to read chunks: it answered as HTTP/1.0, or refused one (RFC 9112 §6.1).
  var needsLength = false
  /// The document, if the server needs its length before its first byte.
  var spool: DocumentSpool?
  /// Attempts to send the current document.
  var attempts = RequestAttempts()
  /// The attempts of a document that the server wants again, in another form.
  var repetition: RequestAttempts?
  /// Called with the number, of `connections`, of a connection before a document's request is sent over it; what it
  /// throws is thrown instead.
  package var whenDocumentBegins: ((Int) throws(IPPError) -> Void)?
  /// True if the last exchange is incomplete; the next one needs a new connection.
  var isSpoiled = false
  /// True if the printer has requested encryption (426), or for a password that requires it.
  var isUpgraded = false
  /// True if the printer encrypts an `ipp` URI's port from the first byte on, and does not upgrade (python-ipp#2).
  private var startsEncrypted = false
  /// True if the printer has answered a request.
  private var hasAnswered = false
  /// The parts of the printer's challenge for credentials that may be answered.
  var challenge: Challenge?
  /// Number of requests that answered `challenge`.
  var requestCount = 0
  /// False if there is no Kerberos ticket for this host, or the printer has refused it.
  var hasTicket = true
  /// The credentials, requested once per certificate: a host that now encrypts may not be the one that did not.
  var credentials: (shown: Fingerprint?, found: Credentials?)?

  /// Connects to `uri`, at the numeric `addresses` if there are any, else at those of its host name.
  ///
  /// All addresses are tried in parallel, 0.1 s apart. A host that refuses ends the attempt immediately. Only silence
  /// is waited for: a sleeping printer may need 18 s (home-assistant#180543).
  ///
  /// At every handshake, the printer's certificate is compared with `security` before anything else is sent.
  ///
  /// `upgrading` asks a printer at an `ipp` URI to encrypt (RFC 8010 §8.2); one that does not is `.insecure`. Otherwise
  /// it throws `.unresolved`, `.refused` or `.silent` for a host that can't be reached, `.insecure`, `.outdated` or
  /// `.untrusted` after a handshake, and `.interrupted`.
  package init(
    to uri: PrinterURI, at addresses: [String] = [], security: Security = Security(),
    upgrading: Bool = false, timeout: Duration, cancellation: Cancellation
  ) throws(IPPError) {
    self.uri = uri
    target = uri.text
    self.timeout = timeout
    self.security = security
    known = security.pin
    isAgreed = security.pin != nil || upgrading || security.trustsFirst
    NetworkLibraries.load()
    cupsSetUserAgent("airprint")
    // Without a callback, libcups would ask for a password on the terminal.
    cupsSetPasswordCB2({ _, _, _, _, _ in nil }, nil)
    let list = try AddressList(
      uri.host, port: uri.port, at: addresses, timeout: timeout, cancellation)
    let wait = SocketWait(cancellation)
    isUpgraded = upgrading
    let http = Connection.unconnected(uri, list, isUpgraded: false, wait)
    self.http = http
    self.addresses = list
    self.wait = wait
    watchdog = Watchdog(http, cancellation)
    setDeadline()
    heedOthers()
    try connect()
    otherTargets = numericTarget.map { [$0] } ?? []
    log.debug("connected to \(uri.text) at \(address ?? "an unknown address")")
  }

  deinit {
    watchdog.end()
    Connection.close(http)
  }

  /// Called four times a second while no byte is sent or received, on the waiting thread: use it to ask the printer
  /// over another connection why it stalls.
  package var whenStalled: (() -> Void)? {
    get { wait.whenStalled }
    set { wait.whenStalled = newValue }
  }

  /// The peer's numeric address: `192.0.2.7`, `2001:db8::7`, `fe80::7%eth0`.
  package var address: String? {
    guard let address = httpGetAddress(http) else { return nil }
    var text = [CChar](repeating: 0, count: 256)
    httpAddrString(address, &text, Int32(text.count))
    // libcups writes an IPv6 address as in a URI: `[v1.fe80::7+eth0]`.
    let written = text.text
    guard written.hasPrefix("[v1."), written.hasSuffix("]") else { return written }
    return String(written.dropFirst(4).dropLast()).replacing("+", with: "%")
  }

  /// True if the other end is at an address that only this machine has.
  private var isOnThisMachine: Bool {
    guard let address = httpGetAddress(http) else { return false }
    let isUnspecified = ["0.0.0.0", "::"].contains(self.address ?? "")
    return httpAddrLocalhost(address) != 0 || isUnspecified
      || self.address?.hasPrefix("::ffff:127.") == true
  }

  /// Sends a request without a document and returns the printer's answer, whatever its status.
  ///
  /// After an interruption, it still waits for `grace` for the answer, which contains what is needed to undo the
  /// request. Throws `.silent`, `.broken` or `.nonsense` if there is no valid answer, `.unauthorized` if no credentials
  /// are accepted, `.interrupted`, and the errors of a new connection.
  package func exchange(_ request: Request, grace: Duration = .zero) throws(IPPError) -> Response {
    let addressed = request.addressed(uri, as: target)
    setDeadline()
    let response: Response
    do { response = try exchange(addressed, grace) } catch {
      guard request.operation == Capabilities.Operation.getPrinterAttributes.rawValue,
        try encrypts(after: error)
      else { throw error }
      response = try exchange(addressed, grace)
    }
    if contactEnd != nil, !hasAnswered { contactEnd = .now + allowance }
    hasAnswered = true
    learnTargets(from: response)
    guard Connection.refusalsOfURI.contains(response.status) else { return response }
    return try exchangeWithOtherTarget(request, grace) ?? response
  }

  func exchange(_ request: Request, _ grace: Duration) throws(IPPError) -> Response {
    heedOthers()
    let begun = ContinuousClock.now
    let message = request.encode()
    defer { hold(.zero) }
    var attempts = RequestAttempts(
      isRepeatable: RequestAttempts.questions.contains(request.operation))
    while true {
      try begin(message, length: message.bytes.count, grace: grace, &attempts)
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
  /// Also starts it again if `finish` returned nil. If its `compression` is gzip or deflate, written bytes are
  /// compressed. Throws as `exchange` does. For a server that does not read chunks, nothing is sent before `finish`.
  package func beginDocument(_ request: Request) throws(IPPError) {
    let request = request.addressed(uri, as: target)
    if repetition == nil {
      hasSentDocument = false
      heedOthers()
    }
    attempts = repetition ?? RequestAttempts()
    attempts.makesJob = request.operation == Capabilities.Operation.printJob.rawValue
    repetition = nil
    (hasEndedDocument, hasReadDocument, documentEnd) = (false, false, nil)
    spool = nil
    if !needsLength { try beginChunks(request) }
    if needsLength { spool = try DocumentSpool(request) }
  }

  private func beginChunks(_ request: Request) throws(IPPError) {
    log.debug("\(request.name): the document follows")
    setDeadline()
    try begin(request.encode(), length: Int(CUPS_LENGTH_VARIABLE), &attempts)
    if let method = request.compression, method != "none" {
      // Set now, so that no header is sent: with that attribute, only the document is compressed.
      httpSetField(http, HTTP_FIELD_CONTENT_ENCODING, method)
    }
  }

  /// Cuts the connection in a way that the printer notices at once.
  ///
  /// The next request makes a new one.
  package func shutDown() {
    isSpoiled = true
    Watchdog.cut(http)
  }

  /// Takes over what another request, or another connection, has settled about the channel: between that and the next
  /// request, a stranger may have replaced the printer.
  func heedOthers() {
    switch security.used.value {
    case .unencrypted?: isAgreed = false
    case .encrypted(let certificate)?: security.pin = security.pin ?? certificate
    case nil: break
    }
  }

  /// True if libcups would make a connection of its own with the next request (http_send in cups/http.c).
  var isAboutToReconnect: Bool {
    let status = httpGetStatus(http)
    return httpGetFd(http) < 0 || status == HTTP_STATUS_ERROR || status.rawValue >= 400
      || httpFlushWrite(http) < 0
  }

  /// True if the printer closes the connection after the answer that was received (RFC 9112 §9.3).
  private var isLast: Bool {
    let persistence = field(HTTP_FIELD_CONNECTION).lowercased()
    return persistence == "close" || isOld && persistence != "keep-alive"
  }

  /// Returns a field of the last answer; empty if it has none.
  func field(_ field: http_field_t) -> String {
    httpGetField(http, field).map { String(cString: $0) } ?? ""
  }

  /// True if the last answer was HTTP/1.0.
  var isOld: Bool { httpGetVersion(http).rawValue < HTTP_VERSION_1_1.rawValue }

  /// Reconnects if the printer has closed the idle connection, or sent what nobody asked for.
  ///
  /// Both make it readable between two requests. Reconnecting before the next request prevents the loss of a Create-Job,
  /// and that a second answer to one request is taken for that to the next (RFC 9112 §9.2).
  func freshen() throws(IPPError) {
    guard
      isSpoiled || isAboutToReconnect || isLast || httpGetReady(http) > 0
        || waitForInput(on: [httpGetFd(http)], milliseconds: 0) == [true]
    else { return }
    log.debug("connecting to \(uri.host) again")
    try connect()
  }
}

// MARK: - Opening

extension Connection {
  /// Connects until that succeeds, is refused or interrupted, or times out, and then checks the certificate.
  func connect() throws(IPPError) {
    peer = nil
    let deadline = min(self.deadline, .now + timeout)
    var handshakeFailure: String?
    var failures = 0
    while true {
      // Make a new attempt every ten seconds: a printer that wakes up in the meantime loses no more than that.
      let isTrial = startsEncrypted && handshakeFailure != nil
      let end = min(deadline, .now + (isTrial ? .seconds(3) : .seconds(10)))
      if attempt(until: end) { break }
      try heedInterruption()
      // A handshake that used all of its time met silence, also from a server that waits for the rest of a line.
      let isLate = ContinuousClock.now >= end
      if cupsLastError() == IPP_STATUS_ERROR_CUPS_PKI && !isLate || isTrial && isLate {
        let words = handshakeFailure ?? lastWords
        failures += 1
        // A temporary condition, as with a printer that accepts one TLS connection at a time, may have ended by now.
        guard failures < (uri.isSecure ? 2 : 3) else { throw try unencrypted(words, until: end) }
        if !uri.isSecure { startsEncrypted.toggle() }
        handshakeFailure = words
        usleep(250_000)
        continue
      }
      if addresses.isRefused {
        throw IPPError(.refused, "refuses connections on port \(uri.port)", of: uri.host)
      }
      guard ContinuousClock.now < deadline else {
        throw handshakeFailure.map(unencrypted)
          ?? IPPError(.silent, "does not answer on port \(uri.port)", of: uri.host)
      }
      usleep(100_000)
    }
    try verify()
  }

  private func verify() throws(IPPError) {
    do { peer = try verifiedPeer() } catch {
      shutDown()
      throw error
    }
    isSpoiled = false
    // Room for a piece while another one is still unsent, so that no write blocks (see `write`).
    setOption(SOL_SOCKET, SO_SNDBUF, 4 * Connection.pieceLength)
  }

  /// Encrypts from the first byte on if the other end does not take a first request without that, by an end of the
  /// connection or HTTP 400, as servers do at a port for TLS; false if it does not encrypt either.
  ///
  /// Its certificate is treated like that of a printer that asks for encryption (426).
  private func encrypts(after error: IPPError) throws(IPPError) -> Bool {
    guard peer == nil, !isUpgraded, !hasAnswered,
      error.kind == .broken || httpGetStatus(http) == HTTP_STATUS_BAD_REQUEST
    else { return false }
    log.debug("\(error.message); trying \(uri.host) with TLS")
    startsEncrypted = true
    isUpgraded = attempt(until: min(deadline, .now + .seconds(3)))
    startsEncrypted = isUpgraded
    isSpoiled = true
    if isUpgraded { try verify() }
    return isUpgraded
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
    connections += 1
    http = Connection.unconnected(
      uri, addresses, isUpgraded: isUpgraded || security.pin != nil,
      startsEncrypted: startsEncrypted, wait)
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
  /// Makes libcups' object for a connection without connecting, so that the watchdog has it in time.
  fileprivate static func unconnected(
    _ uri: PrinterURI, _ addresses: AddressList, isUpgraded: Bool, startsEncrypted: Bool = false,
    _ wait: SocketWait
  ) -> OpaquePointer {
    let encryption =
      uri.isSecure || startsEncrypted
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
    // TLS sends its close alert, but must not wait for the printer's: it may be gone.
    let socket = httpGetFd(http)
    if socket >= 0 { shutdown(socket, Int32(SHUT_RD)) }
    httpClose(http)
  }

  /// Compares the certificate of the handshake with what is known about the printer, and pins an accepted one.
  private func verifiedPeer() throws(IPPError) -> VerifiedPeer? {
    let isOnUSB = isOnThisMachine && uri.port >= security.firstUSBPort
    switch security.home {
    case .thisMachine where !isOnThisMachine && security.pin == nil, .usb where !isOnUSB:
      throw IPPError(.refused, "is not where the printer was, on this machine", of: uri.host)
    default: break
    }
    if isOnUSB, listeningUsers()[uri.port]?.isSubset(of: security.listeners) != true {
      throw IPPError(
        .refused, "has another user's program at port \(uri.port), and no printer", of: uri.host)
    }
    let peer = try security.verify(
      Certificate(of: http), known: known, needsEncryption: uri.isSecure || startsEncrypted,
      at: uri.host)
    // The printer upgraded and then refused.
    guard peer == nil || httpGetStatus(http).rawValue < 400 else {
      throw unencrypted("it refused what follows (HTTP \(httpGetStatus(http).rawValue))")
    }
    // Encryption without verification proves nothing, and does not identify the printer.
    if let peer, security.pin != nil || isAgreed {
      security.pin = peer.fingerprint
      security.used.encrypt(peer.fingerprint)
    }
    return peer
  }

  /// Returns the reason why no handshake succeeds.
  ///
  /// Further handshakes, after which nothing is sent, test if the printer supports an older TLS than allowed, which is
  /// a separate error (cups#403).
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
      "only supports TLS \(version.rawValue)\(why). Nothing was sent; to accept this, "
        + "pick it with --tls \(version.rawValue)", of: uri.host)
  }

  /// Makes the error for a failed TLS handshake.
  ///
  /// It is `untrusted` if the printer presented a certificate before.
  private func unencrypted(_ words: String) -> IPPError {
    if security.pin != nil, !uri.isSecure { return security.refusal(of: nil, uri.host) }
    guard security.pin == nil else {
      return IPPError(
        .untrusted,
        "can no longer make a secure connection: \(words).", of: uri.host)
    }
    return IPPError(.insecure, "can't make a secure connection: \(words)", of: uri.host)
  }
}

/// libcups' last error message, without the full stop that some of them have.
private var lastWords: String {
  (cupsLastErrorString().map { String(cString: $0) } ?? "no reason given").withoutFullStop
}
