internal import CCups
internal import Glibc
package import PrintModel
internal import System

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
  private static let patience = 60.0

  private var isDamaged = false

  /// Called with true when the client owes a request, with false when it has sent one.
  private let waits: (Bool) -> Void

  init(_ http: OpaquePointer, waits: @escaping (Bool) -> Void) {
    self.http = http
    self.waits = waits
    httpSetTimeout(http, Self.patience, { _, _ in 0 }, nil)
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
    let patience = Int32(Self.patience * 1000)
    guard waitForInput(on: [httpGetFd(http)], milliseconds: patience) == [true],
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
    guard respond(HTTP_STATUS_SWITCHING_PROTOCOLS) else { return false }
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
    var patience = linger(l_onoff: 1, l_linger: 0)
    let descriptor = httpGetFd(http)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &patience, socklen_t(MemoryLayout<linger>.size))
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
    let message = response.encode(answering: request)
    defer { ippDelete(message) }
    guard begin("application/ipp", length: ippLength(message)) else { return false }
    ippSetState(message, IPP_STATE_IDLE)
    var state = IPP_STATE_IDLE
    repeat {
      state = ippWrite(http, message)
    } while state != IPP_STATE_DATA && state != IPP_STATE_ERROR
    guard state == IPP_STATE_DATA, httpFlushWrite(http) >= 0 else { return false }
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

  /// Answers a GET.
  @discardableResult
  package func answer(_ body: [UInt8], mediaType: String) -> Bool {
    guard begin(mediaType, length: body.count) else { return false }
    let isSent = body.withUnsafeBytes { bytes in
      bytes.isEmpty
        || httpWrite2(http, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
          >= 0
    }
    return isSent && httpFlushWrite(http) >= 0
  }

  /// Answers with HTTP 404.
  @discardableResult
  package func answerNotFound() -> Bool { respond(HTTP_STATUS_NOT_FOUND) }

  /// Answers with HTTP 401, which asks for a name and password for `realm`.
  @discardableResult
  package func askForPassword(realm: String) -> Bool {
    flush()
    httpClearFields(http)
    httpSetField(http, HTTP_FIELD_WWW_AUTHENTICATE, "Basic realm=\"\(realm)\"")
    httpSetLength(http, 0)
    return httpWriteResponse(http, HTTP_STATUS_UNAUTHORIZED) == 0 && httpFlushWrite(http) >= 0
  }

  /// Reads the rest of an unwanted document, at most 64 MB of it.
  private func flush() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    for _ in 0..<1024 {
      guard case .bytes = buffer.withUnsafeMutableBytes({ read(into: $0) }) else { return }
    }
  }

  private func begin(_ mediaType: String, length: Int) -> Bool {
    httpClearFields(http)
    httpSetField(http, HTTP_FIELD_CONTENT_TYPE, mediaType)
    httpSetLength(http, length)
    return httpWriteResponse(http, HTTP_STATUS_OK) == 0
  }

  @discardableResult
  private func respond(_ status: http_status_t) -> Bool {
    httpClearFields(http)
    if status == HTTP_STATUS_SWITCHING_PROTOCOLS {
      httpSetField(http, HTTP_FIELD_CONNECTION, "Upgrade")
      httpSetField(http, HTTP_FIELD_UPGRADE, "TLS/1.2,TLS/1.1,TLS/1.0")
    }
    httpSetLength(http, 0)
    return httpWriteResponse(http, status) == 0 && httpFlushWrite(http) >= 0
  }
}
