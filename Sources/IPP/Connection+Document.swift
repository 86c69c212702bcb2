internal import CCups
internal import Glibc
internal import Logging
internal import PrintModel
internal import System

extension Connection {
  /// True if the server got a part of the document and refused it until it gets something else first, and has got no
  /// byte of it since.
  package var isRefused: Bool { attempts.isRefused }

  /// Bytes passed to libcups at once.
  static let pieceLength = 64 << 10

  /// Sends a piece of the document.
  ///
  /// False if the printer has already answered, which means that it refuses: skip the rest, and call `finish` for the
  /// answer.
  ///
  /// libcups' cupsWriteRequestData checks for an answer only after a write, and a printer that has refused may stop
  /// reading. So nothing is written before the socket has room for it. Throws `.silent`, `.broken` or `.interrupted`.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(IPPError) -> Bool {
    guard let spool else { return try send(bytes) }
    try spool.append(bytes)
    return true
  }

  func send(_ bytes: UnsafeRawBufferPointer) throws(IPPError) -> Bool {
    guard earlyStatus == nil else { return false }
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      wait.restart(timeout)
      guard try awaitRoom() else { return false }
      let count = min(rest.count, Connection.pieceLength)
      // libcups writes a chunk in three writes; send them in one packet (tcp(7)).
      setOption(Int32(IPPROTO_TCP), TCP_CORK, 1)
      defer { setOption(Int32(IPPROTO_TCP), TCP_CORK, 0) }
      hasSentDocument = true
      attempts.isRefused = false
      guard httpWrite2(http, base.assumingMemoryBound(to: CChar.self), count) >= 0,
        httpFlushWrite(http) >= 0
      else {
        // If the printer refuses and closes, its answer has often arrived before the broken connection is noticed.
        if isReadable(), try hearsAnswer() { return false }
        throw lost("while the document was being sent")
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return true
  }

  /// Ends the document and reads the answer, which may take `grace` longer after an interruption.
  ///
  /// Returns nil if the server wants the document again, in another form that was agreed here: encrypted, with
  /// credentials, or with its length. That happens once for a document.
  ///
  /// `whenUnanswered` is called when the last byte has been passed to the network and no answer has come for a moment:
  /// a write to disk here would otherwise delay the end of every job.
  package func finish(
    grace: Duration = .zero, _ whenUnanswered: () -> Void = {}
  ) throws(IPPError) -> Response? {
    defer {
      hold(.zero)
      isDelivered = hasEndedDocument && isAcknowledged
    }
    let isInChunks = spool == nil
    let isEarly = isInChunks && earlyStatus != nil
    // The last chunk is empty: an answer instead of it is behind the last byte, if there is one.
    let isWhole = isInChunks && earlyStatus == nil && hasSentDocument
    if isInChunks { try endChunks() } else { hasEndedDocument = try sendSpool() }
    let response: Response
    do {
      response = try answer(grace, whenUnanswered)
    } catch {
      guard error.kind != .interrupted,
        try isWantedAgain(insteadOfChunks: isInChunks, isWhole: isWhole || hasEndedDocument)
      else { throw error }
      return nil
    }
    guard hasEndedDocument || isEarly || !response.status.isSuccess else {
      throw IPPError(.broken, "answered before it had the whole document", of: uri.host)
    }
    if hasEndedDocument { documentEnd = connections }
    return response
  }

  /// Meets the demand of a server that refused the document by HTTP; false if it can't be met, or was met before.
  ///
  /// A server that asks for another form has handed nothing on; but behind the last byte, only what the printer says of
  /// the job proves that. Other refusals of chunks prove less: a job that exists takes one document, but a second
  /// Print-Job would be a second job.
  private func isWantedAgain(insteadOfChunks: Bool, isWhole: Bool) throws(IPPError) -> Bool {
    hold(.zero)
    let status = httpGetStatus(http)
    // Behind the last byte of a Print-Job, no HTTP status proves that there is no job.
    guard !attempts.makesJob || !isWhole else { return false }
    let isProof = RequestAttempts.isMended(status)
    if hasSentDocument { attempts.isRefused = isProof }
    if isWhole { attempts.isDoubtful = true }
    if isProof, !attempts.isDoubtful { hasSentDocument = false }
    guard !attempts.isRepeated else { return false }
    if insteadOfChunks, RequestAttempts.mayRefuseChunks(status), isProof || !attempts.makesJob {
      needsLength = true
      if !isProof { attempts.isDoubtful = true }
    } else {
      guard try mend(status, &attempts) else { return false }
    }
    attempts.isRepeated = true
    repetition = attempts
    return true
  }

  private func endChunks() throws(IPPError) {
    wait.restart(timeout)
    setDeadline()
    guard earlyStatus == nil, try awaitRoom() else { return }
    guard httpWrite2(http, "", 0) >= 0 else {
      if isReadable(), try hearsAnswer() { return }
      throw lost("while the document was being sent")
    }
    hasEndedDocument = true
  }

  private func answer(
    _ grace: Duration, _ whenUnanswered: () -> Void
  ) throws(IPPError) -> Response {
    hold(grace)
    if hasEndedDocument, !answersPromptly() { whenUnanswered() }
    return try receive()
  }

  /// True if all written bytes have left (SIOCOUTQ, tcp(7)), and the other end has not reset the connection, as it does
  /// when it closes before it has read everything (RFC 1122 §4.2.2.13).
  private var isAcknowledged: Bool {
    var count: Int32 = 0
    guard ioctl(httpGetFd(http), UInt(TIOCOUTQ), &count) == 0 else { return false }
    return count <= 1 && httpError(http) != ECONNRESET
  }

  /// Waits until something can be sent; false if an answer came first.
  ///
  /// There is room while less than a piece is unsent: a socket is writable while its unsent bytes are fewer than half
  /// of TCP_NOTSENT_LOWAT (tcp(7)). libcups checks for room again before each part of a chunk, and must not find the
  /// socket full because of the piece itself.
  private func awaitRoom() throws(IPPError) -> Bool {
    setOption(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 2 * Connection.pieceLength)
    defer { setOption(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 64 * Connection.pieceLength) }
    while true {
      // An answer that came in one packet with 100 Continue does not make the socket readable.
      if httpGetReady(http) > 0, try hearsAnswer() { return false }
      var socket = pollfd(
        fd: httpGetFd(http), events: Int16(POLLIN) | Int16(POLLOUT), revents: 0)
      let count = poll(&socket, 1, Int32(SocketWait.tick * 1000))
      if count == 0 || wait.cancellation.isRaised || wait.isOver {
        if let verdict = wait.tickedVerdict { throw verdict }
      }
      // 100 Continue may come late; anything else is an answer, or the end.
      if count > 0, socket.revents & ~Int16(POLLOUT) != 0 {
        if try hearsAnswer() { return false }
        continue
      }
      if socket.revents & Int16(POLLOUT) != 0 { return true }
    }
  }

  /// Reads the beginning of an answer that comes at once; false for none, for `100 Continue`, and for a connection that
  /// ends.
  private func answersPromptly() -> Bool {
    guard isReadable(within: Connection.promptAnswer) else { return false }
    watchdog.watch(until: deadline)
    defer { watchdog.watch(until: nil) }
    let status = httpUpdate(http)
    if status != HTTP_STATUS_CONTINUE { firstStatus = status }
    return status != HTTP_STATUS_CONTINUE && status != HTTP_STATUS_ERROR
  }

  /// Milliseconds in which most printers answer the last byte of a document.
  private static let promptAnswer: Int32 = 100

  /// - `limit`: milliseconds.
  private func isReadable(within limit: Int32 = 0) -> Bool {
    httpGetReady(http) > 0 || waitForInput(on: [httpGetFd(http)], milliseconds: limit) == [true]
  }

  private func hearsAnswer() throws(IPPError) -> Bool {
    setDeadline()
    watchdog.watch(until: deadline)
    defer { watchdog.watch(until: nil) }
    let status = httpUpdate(http)
    log.debug("while the document is sent: HTTP \(status.rawValue)")
    if status == HTTP_STATUS_CONTINUE { return false }
    guard status != HTTP_STATUS_ERROR else { throw lost("while the document was being sent") }
    earlyStatus = status
    return true
  }
}

/// A document whose request follows its last byte, with its length: for servers that do not read chunks.
final class DocumentSpool {
  fileprivate let request: Request
  /// A file without a name.
  fileprivate let file: UnsafeMutablePointer<FILE>

  /// The request leaves out compression, which libcups does only in chunks.
  init(_ request: Request) throws(IPPError) {
    var request = request
    request.operationAttributes.removeAll { $0.name == "compression" }
    self.request = request
    guard let file = tmpfile() else { throw DocumentSpool.full }
    self.file = file
  }

  deinit { fclose(file) }

  private static var full: IPPError {
    IPPError(.broken, "the document can't be stored in /tmp: \(SystemError())")
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(IPPError) {
    guard fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count else {
      throw DocumentSpool.full
    }
  }

  /// Ends the document, for reading; returns its length in bytes.
  fileprivate func end() throws(IPPError) -> Int {
    guard fflush(file) == 0 else { throw DocumentSpool.full }
    defer { rewind(file) }
    return ftell(file)
  }
}

extension Connection {
  /// Sends the request and its document with a Content-Length; false if the printer answered before the last byte.
  func sendSpool() throws(IPPError) -> Bool {
    guard let spool else { return false }
    self.spool = nil
    var left = try spool.end()
    log.debug("\(spool.request.name): the document follows, \(left) bytes")
    let message = spool.request.encode()
    setDeadline()
    try begin(message, length: message.bytes.count + left, &attempts)
    let piece = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Connection.pieceLength, alignment: 1)
    defer { piece.deallocate() }
    while left > 0 {
      let count = fread(piece.baseAddress, 1, piece.count, spool.file)
      guard count > 0 else { throw IPPError(.broken, "the stored document can't be read") }
      guard try send(UnsafeRawBufferPointer(rebasing: piece[..<count])) else { return false }
      left -= count
    }
    setDeadline()
    return earlyStatus == nil
  }
}
