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
