import Glibc
import Synchronization
import System

/// A misbehaving server: it sends nonsense, stops in the middle, or resets connections.
///
///     let server = try ScriptedServer { client in
///       let request = try client.readRequest()
///       try client.send(IPPAnswer(to: request).http)
///     }
///
/// Every connection runs the script on its own thread. Its socket is closed when the script ends or throws, and when
/// the server is deallocated.
package final class ScriptedServer: Sendable {
  package let port: Int
  private let listener: Int32
  private let accepts: Bool
  private let state = Mutex(State())

  private struct State {
    var sockets: [Int: Int32] = [:]
    var accepted = 0
    var requests: [Request] = []
    var isClosed = false
  }

  /// - `accepts`: if false, only the kernel accepts connections, and nothing is ever read.
  /// - `backlog`: the number of connections that the kernel then accepts before it stops answering.
  package init(
    accepts: Bool = true, backlog: Int32 = 16,
    _ script: @escaping @Sendable (Client) throws -> Void = { _ in }
  ) throws {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    listener = socket(AF_INET, Int32(kind), 0)
    guard listener >= 0 else { throw Missing("a socket") }
    port = try Self.listen(at: listener, backlog)
    self.accepts = accepts
    guard accepts else { return }
    let listener = listener
    detachThread { [weak self] in
      defer { Glibc.close(listener) }
      while true {
        guard let socket = Self.accept(at: listener) else { return }
        guard let self, let number = self.take(socket) else {
          Glibc.close(socket)
          return
        }
        detachThread {
          // A script throws when the other side is gone, which the test notices itself.
          try? script(Client(socket: socket, number: number, server: self))
          self.release(number)
        }
      }
    }
  }

  deinit { close() }

  package var uri: String { "ipp://127.0.0.1:\(port)/ipp/print" }
  package var secureURI: String { "ipps://127.0.0.1:\(port)/ipp/print" }

  /// The number of connections so far.
  package var connections: Int { state.withLock { $0.accepted } }
  /// The requests read so far, of all connections, in order.
  package var requests: [Request] { state.withLock { $0.requests } }

  /// Ends every connection, and accepts no more.
  package func close() {
    state.withLock {
      guard !$0.isClosed else { return }
      $0.isClosed = true
      for socket in $0.sockets.values { shutdown(socket, Int32(SHUT_RDWR)) }
      // Wakes up accept(), whose thread then closes the listener.
      shutdown(listener, Int32(SHUT_RDWR))
      if !accepts { Glibc.close(listener) }
    }
  }

  private func take(_ socket: Int32) -> Int? {
    state.withLock {
      guard !$0.isClosed else { return nil }
      $0.accepted += 1
      $0.sockets[$0.accepted] = socket
      return $0.accepted
    }
  }

  fileprivate func release(_ number: Int) {
    state.withLock {
      if let socket = $0.sockets.removeValue(forKey: number) { Glibc.close(socket) }
    }
  }

  static func connect(to port: Int) throws -> Int32 {
    let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, length)
      }
    }
    guard status == 0 else {
      Glibc.close(descriptor)
      throw Missing("a server at port \(port)")
    }
    return descriptor
  }

  fileprivate func note(_ request: Request) { state.withLock { $0.requests.append(request) } }

  /// Accepts the next connection; returns nil when the listener is shut down.
  private static func accept(at listener: Int32) -> Int32? {
    while true {
      var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, -1)
      // Swift's Glibc hides accept4, so no program may be started until the socket is close-on-exec.
      let socket = spawning.withLock { _ in
        let socket = Glibc.accept(listener, nil, nil)
        if socket >= 0 { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
        return socket
      }
      if socket >= 0 { return socket }
      guard [EINTR, EAGAIN, ECONNABORTED].contains(errno) else { return nil }
    }
  }

  private static func listen(at listener: Int32, _ backlog: Int32) throws -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    // Of the kernel's, those from 60000 on are ipp-usb's.
    address.sin_port = UInt16(try freePort()).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && Glibc.listen(listener, backlog) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard status else { throw Missing("a port to listen at") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}

// MARK: - One connection

extension ScriptedServer {
  /// An HTTP request as it was received, with the IPP content of its body.
  package struct Request: Sendable {
    /// The request line, such as `POST /ipp/print HTTP/1.1`, and the fields below it.
    package var head: String
    package var body: [UInt8]

    package init(head: String = "", body: [UInt8] = []) {
      self.head = head
      self.body = body
    }

    package var operation: Int { body.count > 3 ? Int(body[2]) << 8 | Int(body[3]) : 0 }
    package var id: [UInt8] { body.count > 7 ? Array(body[4..<8]) : [0, 0, 0, 1] }
    /// The data after the attributes.
    package var document: [UInt8] {
      IPPAnswer.end(of: body).map { Array(body[$0...]) } ?? []
    }

    package func field(_ name: String) -> String? {
      let line = head.split(whereSeparator: \.isNewline).first {
        $0.lowercased().hasPrefix("\(name.lowercased()):")
      }
      return line.map { String($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) }
    }
  }

  /// Server's end of one connection, for the script.
  package final class Client {
    /// The number of the connection, from 1, in the order in which they were accepted.
    package let number: Int
    /// The descriptor; -1 once it is closed.
    fileprivate(set) var socket: Int32
    private let server: ScriptedServer
    private var unread: [UInt8] = []

    fileprivate init(socket: Int32, number: Int, server: ScriptedServer) {
      self.socket = socket
      self.number = number
      self.server = server
    }

    /// Forwards everything to a server on this machine and back, until one side ends.
    package func relay(to port: Int) throws {
      let other = try ScriptedServer.connect(to: port)
      defer { Glibc.close(other) }
      try writeAll(unread, to: other)
      unread = []
      var piece = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        var ends = [
          pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
          pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&ends, 2, 60_000) > 0 else { throw Missing("something to hand on") }
        for (from, to) in [(ends[0], other), (ends[1], socket)] where from.revents != 0 {
          let count = recv(from.fd, &piece, piece.count, 0)
          guard count > 0 else { return }
          try writeAll(Array(piece[..<count]), to: to)
        }
      }
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw Missing("a reader") }
        rest = rest.dropFirst(count)
      }
    }

    // MARK: Reading

    /// Reads a whole request.
    ///
    /// - `tellsToGoOn`: true to send `100 Continue` if the request expects it.
    package func readRequest(tellsToGoOn: Bool = true) throws -> Request {
      let head = try readHead()
      var request = Request(head: head, body: [])
      if tellsToGoOn, request.field("Expect") != nil { try send("HTTP/1.1 100 Continue\r\n\r\n") }
      if let length = request.field("Content-Length").flatMap({ Int($0) }) {
        request.body = try read(length)
      } else if request.field("Transfer-Encoding") != nil {
        while case let chunk = try readChunk(), !chunk.isEmpty { request.body += chunk }
      }
      server.note(request)
      return request
    }

    /// Reads the request line and fields only, and sends no `100 Continue`.
    package func readHead() throws -> String {
      let end = Array("\r\n\r\n".utf8)
      while true {
        if let range = unread.firstRange(of: end) {
          defer { unread.removeSubrange(..<range.upperBound) }
          return String(decoding: unread[..<range.lowerBound], as: UTF8.self)
        }
        try receive()
      }
    }

    /// Reads the next chunk of a chunked body; empty at its end.
    package func readChunk() throws -> [UInt8] {
      let length = Int(try readLine(), radix: 16)
      guard let length else { throw Missing("a chunk") }
      let chunk = try read(length)
      _ = try readLine()
      return chunk
    }

    package func read(_ count: Int) throws -> [UInt8] {
      while unread.count < count { try receive() }
      defer { unread.removeFirst(count) }
      return Array(unread[..<count])
    }

    /// Reads everything until the other side ends.
    package func readToEnd() -> [UInt8] {
      while (try? receive()) != nil {}
      return unread
    }

    /// Reads what comes next; throws at the end.
    package func readSome() throws -> [UInt8] {
      if unread.isEmpty { try receive() }
      defer { unread = [] }
      return unread
    }

    private func readLine() throws -> String {
      let end = Array("\r\n".utf8)
      while true {
        if let range = unread.firstRange(of: end) {
          defer { unread.removeSubrange(..<range.upperBound) }
          return String(decoding: unread[..<range.lowerBound], as: UTF8.self)
        }
        try receive()
      }
    }

    private func receive() throws {
      let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = max(0, recv(socket, buffer.baseAddress, buffer.count, 0))
      }
      guard !chunk.isEmpty else { throw Missing("more bytes") }
      unread += chunk
    }

    // MARK: Answering

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// - `pause`: the time between two bytes.
    package func send(_ bytes: [UInt8], pause: Duration = .zero) throws {
      if pause == .zero { return try write(bytes[...]) }
      for index in bytes.indices {
        try write(bytes[index...index])
        wait(pause)
      }
    }

    private func write(_ bytes: ArraySlice<UInt8>) throws {
      var rest = bytes
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw Missing("a client that reads") }
        rest = rest.dropFirst(count)
      }
    }

    package func wait(_ duration: Duration) {
      usleep(UInt32(duration / .microseconds(1)))
    }

    /// Stops reading and writing until the other side or the server is gone.
    package func stall() {
      var socket = pollfd(fd: socket, events: 0x2000, revents: 0)  // POLLRDHUP
      while poll(&socket, 1, -1) < 0, errno == EINTR {}
    }

    /// Resets the connection: reads and writes of the other side then fail.
    package func reset() {
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
      close()
    }

    /// Closes the connection; the other side reads what was sent before, then end of file.
    package func close() {
      server.release(number)
      socket = -1
    }
  }
}
