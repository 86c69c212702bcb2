internal import CCups
internal import Glibc
internal import Logging
internal import System

extension Connection {
  /// Bytes that are handed to libcups at once.
  static let pieceLength = 64 << 10

  /// Sends a piece of the document.
  ///
  /// False when the printer has answered already, which it does to refuse: the rest need not be
  /// sent, `finish` brings the answer.
  ///
  /// libcups' cupsWriteRequestData looks for an answer only after a write, and a printer that has refused may not
  /// read on. So nothing is written before the socket has room for it. Throws `.silent`, `.broken` or
  /// `.interrupted`.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(IPPError) -> Bool {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      wait.restart(patience)
      guard try awaitRoom() else { return false }
      let count = min(rest.count, Connection.pieceLength)
      // A chunk is three writes of libcups': they leave in one packet (tcp(7)).
      setOption(Int32(IPPROTO_TCP), TCP_CORK, 1)
      defer { setOption(Int32(IPPROTO_TCP), TCP_CORK, 0) }
      guard httpWrite2(http, base.assumingMemoryBound(to: CChar.self), count) >= 0,
        httpFlushWrite(http) >= 0
      else {
        // The answer of a printer that refuses and closes has often arrived before the broken connection is noticed.
        if isReadable(), try hearsAnswer() { return false }
        throw lost("while the document was being sent")
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return true
  }

  /// Ends the document and reads the answer, which has as much time as `grace` after an interruption.
  ///
  /// `whenUnanswered` is called when the last byte has been handed to the network and no answer has come for a moment:
  /// what it writes to a disk would otherwise hold up the end of every job.
  package func finish(
    grace: Duration = .zero, _ whenUnanswered: () -> Void = {}
  ) throws(IPPError) -> Response {
    wait.restart(patience)
    let hasRoom = earlyStatus == nil ? try awaitRoom() : false
    hold(grace)
    defer {
      hold(.zero)
      isDelivered = hasEndedDocument && isAcknowledged
    }
    if hasRoom {
      guard httpWrite2(http, "", 0) >= 0 else { throw lost("while the document was being sent") }
      hasEndedDocument = true
      if !isReadable(within: Connection.promptAnswer) { whenUnanswered() }
    }
    return try receive()
  }

  /// Nothing that was written is still on its way (SIOCOUTQ, tcp(7)), and the other end has not thrown
  /// the connection away: it does so when it closes before it has read everything (RFC 1122 §4.2.2.13).
  private var isAcknowledged: Bool {
    var count: Int32 = 0
    guard ioctl(httpGetFd(http), UInt(TIOCOUTQ), &count) == 0 else { return false }
    return count <= 1 && httpError(http) != ECONNRESET
  }

  /// Waits until something can be sent; false when an answer came first.
  ///
  /// Room is less than a piece that has not left yet: a socket is writable while its unsent bytes are
  /// fewer than half of TCP_NOTSENT_LOWAT (tcp(7)). libcups, which asks for room again before
  /// each part of a chunk, must not find none because of the piece itself.
  private func awaitRoom() throws(IPPError) -> Bool {
    setOption(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 2 * Connection.pieceLength)
    defer { setOption(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 64 * Connection.pieceLength) }
    while true {
      var socket = pollfd(
        fd: httpGetFd(http), events: Int16(POLLIN) | Int16(POLLOUT), revents: 0)
      let count = poll(&socket, 1, Int32(SocketWait.tick * 1000))
      if count == 0 || wait.cancellation.isRaised {
        if let verdict = wait.tickedVerdict { throw verdict }
      }
      // 100 Continue may come late; all else is an answer, or the end.
      if count > 0, socket.revents & ~Int16(POLLOUT) != 0, try hearsAnswer() { return false }
      if socket.revents & Int16(POLLOUT) != 0 { return true }
    }
  }

  /// Milliseconds in which most printers answer the last byte of a document.
  private static let promptAnswer: Int32 = 100

  /// - `limit`: milliseconds.
  private func isReadable(within limit: Int32 = 0) -> Bool {
    var socket = pollfd(fd: httpGetFd(http), events: Int16(POLLIN), revents: 0)
    return poll(&socket, 1, limit) > 0
  }

  private func hearsAnswer() throws(IPPError) -> Bool {
    let status = httpUpdate(http)
    log.debug("while the document is sent: HTTP \(status.rawValue)")
    if status == HTTP_STATUS_CONTINUE { return false }
    guard status != HTTP_STATUS_ERROR else { throw lost("while the document was being sent") }
    earlyStatus = status
    return true
  }
}
