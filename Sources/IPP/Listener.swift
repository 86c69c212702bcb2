internal import CCups
internal import Glibc
package import PrintModel
internal import System

/// The sockets of a simulated printer, and all of its open connections.
///
/// Each connection has its own thread, as libcups requires (an `http_t` belongs to one).
package final class Listener: Sendable {
  /// Interfaces from which clients may connect.
  package enum Reach: String, Sendable, CaseIterable {
    /// This machine only.
    case loopback = "lo"
    case all
  }

  /// The TCP port, the same on all addresses.
  package let port: Int
  private let sockets: [Int32]
  private let state = Monitor(State())

  private struct State {
    /// Open connections by descriptor, each with the time since which its client owes a request; nil while a request is
    /// served.
    var connections: [Int32: ContinuousClock.Instant?] = [:]
    /// Number of connections, including those not yet in `connections`.
    var count = 0
    /// True while a client that was disconnected to make room is not gone yet.
    var isHangingUp = false
    /// True while a connection that has left waits to return memory to the system.
    var isTrimming = false
    var isStopped = false
  }

  /// Largest number of connections.
  ///
  /// For one more, the client that has owed a request for longest is disconnected, so that a crowd of silent clients
  /// does not lock out others.
  private static let most = 256

  /// Binds a port; 0 lets the kernel choose.
  ///
  /// Exit 69 if the port is in use or not allowed.
  package init(port: Int, reach: Reach) throws(Failure) {
    // libcups ignores SIGPIPE only after it has been a client.
    signal(SIGPIPE, SIG_IGN)
    // Each connection has a thread. If each also had a heap, memory freed by one could not be used by others.
    mallopt(M_ARENA_MAX, 2)
    // Otherwise glibc raises its thresholds with each large piece that is freed, up to 64 MB, and keeps as much at the
    // end of each heap, which malloc_trim does not return.
    mallopt(M_MMAP_THRESHOLD, 128 << 10)
    var port = port
    var sockets: [Int32] = []
    // On all addresses, an IPv6 socket serves IPv4 as well.
    let families = reach == .all ? [AF_INET6, AF_INET] : [AF_INET, AF_INET6]
    for family in families where reach == .loopback || sockets.isEmpty {
      let socket = Listener.open(family, port, reach)
      if socket < 0 {
        let why = SystemError().description
        // Serve a machine without IPv6 over IPv4 only.
        if family == AF_INET6, errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL { continue }
        for socket in sockets { close(socket) }
        throw Failure(
          .unavailable,
          "Can't listen on port \(port): \(why). Try another one: --port NUMBER, or 0 for any "
            + "that is free.")
      }
      sockets.append(socket)
      if port == 0 { port = Listener.boundPort(socket) }
    }
    self.port = port
    self.sockets = sockets
  }

  deinit { for socket in sockets { close(socket) } }

  /// Accepts connections until `stop`, and passes each to `serve` on its own thread.
  package func run(_ serve: @escaping @Sendable (ServedConnection) -> Void) {
    while !state.withLock({ $0.isStopped }) {
      var waiting = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&waiting, nfds_t(waiting.count), -1) > 0 else { continue }
      for socket in waiting where socket.revents & Int16(POLLIN) != 0 {
        guard let http = httpAcceptConnection(socket.fd, 1) else {
          // Without a free descriptor, the connection stays in the queue, and poll(2) would return immediately.
          usleep(100_000)
          continue
        }
        guard makeRoom() else {
          httpClose(http)
          continue
        }
        nonisolated(unsafe) let accepted = http  // from here on the new thread's alone
        detachThread { [self] in admit(accepted, serve) }
      }
    }
  }

  /// Returns false if every client is being served, or if a disconnected one is not gone within a second.
  private func makeRoom() -> Bool {
    let isTaken = state.wait(until: .now + .seconds(1)) { state -> Bool? in
      guard state.count >= Listener.most else {
        state.count += 1
        return true
      }
      if state.isHangingUp { return nil }
      let waiting = state.connections.compactMapValues { $0 }
      guard let longest = waiting.min(by: { $0.value < $1.value }) else { return false }
      state.isHangingUp = true
      state.connections[longest.key] = .some(nil)
      shutdown(longest.key, Int32(SHUT_RDWR))
      return nil
    }
    if isTaken == nil { state.withLock { $0.isHangingUp = false } }
    return isTaken == true
  }

  /// Removes a connection.
  ///
  /// A second later, memory freed by it, and by others that have left meanwhile, is returned to the system.
  private func leave() {
    let isFirst = state.withLock { state in
      state.count -= 1
      state.isHangingUp = false
      defer { state.isTrimming = true }
      return !state.isTrimming
    }
    guard isFirst else { return }
    sleep(1)
    state.withLock { $0.isTrimming = false }
    Listener.returnMemory()
  }

  /// Returns the memory that was freed to the system, which free(3) does for large pieces only.
  package static func returnMemory() { malloc_trim(0) }

  private func admit(_ http: OpaquePointer, _ serve: (ServedConnection) -> Void) {
    let descriptor = httpGetFd(http)
    defer { leave() }
    defer { httpClose(http) }
    let isAdmitted = state.withLock { state in
      guard !state.isStopped else { return false }
      state.connections[descriptor] = .some(.now)
      return true
    }
    guard isAdmitted else { return }
    // Do this before the descriptor is closed and its number is reused.
    defer { state.withLock { _ = $0.connections.removeValue(forKey: descriptor) } }
    serve(
      ServedConnection(http) { [self] isWaiting in
        state.withLock { $0.connections[descriptor] = .some(isWaiting ? .now : nil) }
      })
  }

  /// Ends `run` and cuts every connection.
  package func stop() {
    state.withLock { state in
      state.isStopped = true
      for descriptor in state.connections.keys { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
    // This also ends a poll for connections.
    for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  private static func open(_ family: Int32, _ port: Int, _ reach: Reach) -> Int32 {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return -1 }
    var (yes, only) = (Int32(1), Int32(reach == .all ? 0 : 1))
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    if family == AF_INET6 {
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &only, size)
    }
    guard bind(descriptor, family, port, reach), listen(descriptor, SOMAXCONN) == 0 else {
      let problem = errno
      close(descriptor)
      errno = problem
      return -1
    }
    return descriptor
  }

  private static func bind(
    _ descriptor: Int32, _ family: Int32, _ port: Int, _ reach: Reach
  ) -> Bool {
    let loopback: [UInt8] =
      family == AF_INET ? [127, 0, 0, 1] : [UInt8](repeating: 0, count: 15) + [1]
    return SocketAddress(
      reach == .all ? loopback.map { _ in 0 } : loopback, port: UInt16(clamping: port)
    ).apply { Glibc.bind(descriptor, $0, $1) == 0 }
  }

  private static func boundPort(_ descriptor: Int32) -> Int {
    let address = SocketAddress { getsockname(descriptor, $0, $1) == 0 }
    return Int(address?.port ?? 0)
  }
}

/// One client's connection to a printer that is served here, with or without TLS.
///
/// It implements RFC 8010, RFC 8011 §4, and RFC 2817 for the upgrade that libcups requests. Confined to the thread that
/// made it.
package final class ServedConnection {
  /// The client's request.
  package enum ClientRequest {
    case ipp(ReceivedRequest)
    /// A GET of this path.
    case page(String)
  }

  /// The document's next bytes.
  package enum DocumentChunk {
    case bytes(Int)
    case end
    /// The client disconnected before the end.
    case lost
    /// The document is not compressed as stated; the rest can't be read.
    case damaged
  }

  private let http: OpaquePointer
  private var request: ReceivedRequest?
  /// Name of the certificate and the key in the folder of `ServedCertificates`; nil for the shared one.
  ///
  /// Letters, digits and hyphens, starting with a letter.
  package var certificateName: String?

  /// Time in seconds after which a silent client is disconnected.
  private static let timeout = 60.0

  private var isDamaged = false

  /// Called with true when the client owes a request, with false when it has sent one.
  private let waits: (Bool) -> Void

  init(_ http: OpaquePointer, waits: @escaping (Bool) -> Void) {
    self.http = http
    self.waits = waits
    httpSetTimeout(http, Self.timeout, { _, _ in 0 }, nil)
  }

  /// The host and port by which the client addresses the printer: `till.local:8631`.
  ///
  /// Valid until the request is answered.
  package var host: String { field(HTTP_FIELD_HOST) }

  package var isSecure: Bool { httpIsEncrypted(http) != 0 }

  /// Name and password of HTTP's Basic scheme (RFC 7617); nil if the client sent none.
  package var credentials: Credentials? {
    let header = field(HTTP_FIELD_AUTHORIZATION)
    guard header.hasPrefix("Basic ") else { return nil }
    var decoded = [CChar](repeating: 0, count: 1024)
    var length = Int32(decoded.count)
    httpDecode64_2(&decoded, &length, String(header.dropFirst(6)))
    let parts = decoded.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    return Credentials(user: String(parts[0]), password: String(parts[1]))
  }

  /// Reads the next request; nil if the client has disconnected, or sends neither HTTP nor IPP.
  package func next() -> ClientRequest? {
    request = nil
    waits(true)
    defer { waits(false) }
    while true {
      guard startTLS() else { return nil }
      guard let (method, path) = readRequest() else { return nil }
      switch method {
      case HTTP_STATE_OPTIONS, HTTP_STATE_HEAD:
        // libcups asks for TLS with OPTIONS: it waits for this answer after the handshake (RFC 2817 §3.3), and then
        // sends the request itself.
        guard upgrade() != false, respond(HTTP_STATUS_OK) else { return nil }
      case HTTP_STATE_GET:
        guard upgrade() != false else { return nil }
        return .page(path)
      case HTTP_STATE_POST:
        // An upgrade may be ignored (RFC 9110 §7.8); answering it would discard the request's fields.
        guard goOn(), let request = readMessage() else { return nil }
        self.request = request
        return .ipp(request)
      default:
        respond(HTTP_STATUS_BAD_REQUEST)
        return nil
      }
    }
  }

  /// Reads the next request's header, and returns its method and path.
  private func readRequest() -> (http_state_t, String)? {
    var path = [CChar](repeating: 0, count: 1024)
    var method = HTTP_STATE_WAITING
    // Empty lines may precede a request (RFC 9112 §2.2).
    for _ in 0..<16 where method == HTTP_STATE_WAITING {
      method = httpReadRequest(http, &path, path.count)
    }
    guard method.rawValue > HTTP_STATE_WAITING.rawValue else { return nil }
    // After an unknown method or version, libcups keeps waiting for a request, and httpUpdate then returns "continue"
    // immediately and endlessly.
    guard httpGetState(http) != HTTP_STATE_WAITING, httpUpdate(http) == HTTP_STATUS_OK else {
      respond(HTTP_STATUS_BAD_REQUEST)
      return nil
    }
    return (method, path.text)
  }

  /// Starts TLS if the client sends a handshake, whose first byte starts no HTTP method.
  ///
  /// False if that failed.
  private func startTLS() -> Bool {
    guard httpIsEncrypted(http) == 0, httpGetReady(http) == 0 else { return true }
    var first: UInt8 = 0
    let timeout = Int32(Self.timeout * 1000)
    guard waitForInput(on: [httpGetFd(http)], milliseconds: timeout) == [true],
      recv(httpGetFd(http), &first, 1, Int32(MSG_PEEK)) == 1
    else { return false }
    guard first == 0x16 else { return true }
    return encrypt(HTTP_ENCRYPTION_ALWAYS)
  }

  private func encrypt(_ encryption: http_encryption_t) -> Bool {
    ServedCertificates.showing(certificateName ?? ServedCertificates.shared) {
      TLSVersions.allowing(TLSVersion.usual.orNewer) { httpEncryption(http, encryption) == 0 }
    }
  }

  /// Switches to TLS if the client asks for it; nil if it does not, false if that failed.
  private func upgrade() -> Bool? {
    guard !isSecure, field(HTTP_FIELD_CONNECTION).lowercased().contains("upgrade"),
      field(HTTP_FIELD_UPGRADE).contains("TLS/")
    else { return nil }
    let protocols = [
      (HTTP_FIELD_CONNECTION, "Upgrade"), (HTTP_FIELD_UPGRADE, "TLS/1.2,TLS/1.1,TLS/1.0"),
    ]
    guard respond(HTTP_STATUS_SWITCHING_PROTOCOLS, protocols) else { return false }
    return encrypt(HTTP_ENCRYPTION_REQUIRED)
  }

  private func goOn() -> Bool {
    guard httpGetExpect(http) == HTTP_STATUS_CONTINUE else { return true }
    return httpWriteResponse(http, HTTP_STATUS_CONTINUE) == 0
  }

  /// Reads an IPP request; nil for anything else, also for one with invalid attributes.
  private func readMessage() -> ReceivedRequest? {
    // The document starts after the message.
    var reader = ByteReader(readsAhead: false) { [http] room in
      httpRead2(http, room.baseAddress?.assumingMemoryBound(to: CChar.self), room.count)
    }
    guard field(HTTP_FIELD_CONTENT_TYPE).hasPrefix("application/ipp"),
      let message = try? ReceivedMessage(from: &reader), message.omissions.isEmpty
    else {
      respond(HTTP_STATUS_BAD_REQUEST)
      return nil
    }
    return ReceivedRequest(message)
  }

  private func field(_ field: http_field_t) -> String {
    httpGetField(http, field).map { String(cString: $0) } ?? ""
  }
}

// MARK: - Documents

extension ServedConnection {
  /// Sets the compression of the document that follows: gzip or deflate, from the request's `compression`.
  package func unpack(_ method: String) {
    httpSetField(http, HTTP_FIELD_CONTENT_ENCODING, method)
  }

  /// Reads the document's next bytes, decompressed.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> DocumentChunk {
    guard httpGetState(http) == HTTP_STATE_POST_RECV else { return .end }
    let count = httpRead2(
      http, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    if count > 0 { return .bytes(count) }
    // At the end libcups has changed its state; it also does so when a client disconnects after or within a chunk.
    let problem = httpError(http)
    isDamaged = problem == EIO
    if isDamaged { return .damaged }
    let isAtEnd = count == 0 && problem == 0 && httpGetState(http) != HTTP_STATE_POST_RECV
    return isAtEnd ? .end : .lost
  }

  /// True if a document follows the request.
  package var hasDocument: Bool {
    guard httpGetState(http) == HTTP_STATE_POST_RECV else { return false }
    var byte: CChar = 0
    return httpPeek(http, &byte, 1) > 0
  }

  /// Ends the connection like a printer that loses power: the client receives a reset.
  package func cut() {
    var ending = linger(l_onoff: 1, l_linger: 0)
    let descriptor = httpGetFd(http)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &ending, socklen_t(MemoryLayout<linger>.size))
    // Skip the TLS close alert: the number stays in use until libcups closes it.
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    dup2(nothing, descriptor)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    close(nothing)
  }
}

// MARK: - Answers

extension ServedConnection {
  /// Answers the IPP request; false if the client has disconnected, or has sent a document of which the rest can't be
  /// read.
  @discardableResult
  package func answer(_ response: Response) -> Bool {
    guard let request else { return false }
    flush()
    guard answer(response.encode(answering: request).bytes, mediaType: "application/ipp") else {
      return false
    }
    if isDamaged { hangUp() }
    return !isDamaged
  }

  /// Ends the connection after the answer, and discards up to 64 MB that the client still sends: its system would
  /// discard the answer if they were left.
  private func hangUp() {
    let descriptor = httpGetFd(http)
    shutdown(descriptor, Int32(SHUT_WR))
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    for _ in 0..<1024 {
      guard waitForInput(on: [descriptor], milliseconds: 2_000) == [true],
        recv(descriptor, &buffer, buffer.count, 0) > 0
      else { return }
    }
  }

  /// Answers with a body of this type, such as a GET.
  @discardableResult
  package func answer(_ body: [UInt8], mediaType: String) -> Bool {
    begin(HTTP_STATUS_OK, [(HTTP_FIELD_CONTENT_TYPE, mediaType)], length: body.count)
      && http.send(body) && httpFlushWrite(http) >= 0
  }

  /// Answers with HTTP 404.
  @discardableResult
  package func answerNotFound() -> Bool { respond(HTTP_STATUS_NOT_FOUND) }

  /// Answers with HTTP 401, which asks for a name and password for `realm`.
  @discardableResult
  package func askForPassword(realm: String) -> Bool {
    flush()
    return respond(
      HTTP_STATUS_UNAUTHORIZED, [(HTTP_FIELD_WWW_AUTHENTICATE, "Basic realm=\"\(realm)\"")])
  }

  /// Reads the rest of an unwanted document, at most 64 MB of it.
  private func flush() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    for _ in 0..<1024 {
      guard case .bytes = buffer.withUnsafeMutableBytes({ read(into: $0) }) else { return }
    }
  }

  @discardableResult
  private func respond(
    _ status: http_status_t, _ fields: [(http_field_t, String)] = []
  ) -> Bool {
    begin(status, fields, length: 0) && httpFlushWrite(http) >= 0
  }

  /// Sends the head of an answer; its body, of `length` bytes, follows.
  private func begin(
    _ status: http_status_t, _ fields: [(http_field_t, String)], length: Int
  ) -> Bool {
    httpClearFields(http)
    for (field, value) in fields { httpSetField(http, field, value) }
    httpSetLength(http, length)
    return httpWriteResponse(http, status) == 0
  }
}

/// libcups' connection.
extension OpaquePointer {
  /// Sends a part of a body; false if the connection broke.
  func send(_ bytes: [UInt8]) -> Bool {
    bytes.isEmpty
      || bytes.withUnsafeBytes { bytes in
        httpWrite2(self, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count) >= 0
      }
  }
}
