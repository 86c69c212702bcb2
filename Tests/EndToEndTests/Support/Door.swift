import Glibc
import Synchronization
import TestSupport
import System

/// A TCP port on loopback with faults that no good printer has.
final class Door: Sendable {
  let port: Int
  private let listener: Int32
  private let state = Mutex(State())

  private struct State {
    var callers = 0
    var open: Set<Int32> = []
    var isClosed = false
    var isStalled = false
    var delay = Duration.zero
  }

  var uri: String { "ipp://localhost:\(port)/ipp/print" }
  /// The number of connections so far.
  var callers: Int { state.withLock { $0.callers } }

  /// - `serve`: handles a connection, on its own thread; the connection is then closed.
  init(serve: @escaping @Sendable (Door, Int32) -> Void) throws {
    (port, listener) = try listenSomewhere()
    detachThread { [self] in
      while true {
        guard let caller = admit(from: listener) else { break }
        state.withLock {
          $0.callers += 1
          $0.open.insert(caller)
        }
        detachThread { [self] in
          serve(self, caller)
          hangUp(caller)
        }
      }
      close(listener)
    }
  }

  /// Stops accepting connections, and ends the open ones.
  func shut() {
    state.withLock {
      $0.isClosed = true
      for caller in $0.open { shutdown(caller, Int32(SHUT_RDWR)) }
    }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  var isShut: Bool { state.withLock { $0.isClosed } }

  /// The delay before anything is forwarded, for connections from now on.
  var delay: Duration {
    get { state.withLock { $0.delay } }
    set { state.withLock { $0.delay = newValue } }
  }

  private func hangUp(_ caller: Int32) {
    state.withLock { _ = $0.open.remove(caller) }
    close(caller)
  }

  /// True if a connection has stalled with part of its data unread.
  var isStalled: Bool { state.withLock { $0.isStalled } }

  private func stall() {
    state.withLock { $0.isStalled = true }
    while !isShut { usleep(20_000) }
  }

  // MARK: Kinds of ports

  /// Accepts connections and sends nothing.
  static func silent() throws -> Door {
    try Door { _, caller in while receive(caller) != nil {} }
  }

  /// Answers every request with the same bytes, and closes the connection.
  static func saying(_ answer: String) throws -> Door {
    try Door { _, caller in
      _ = receive(caller)
      send(Array(answer.utf8)[...], to: caller)
      shutdown(caller, Int32(SHUT_WR))
      // Closing a connection with unread data would reset it.
      while receive(caller) != nil {}
    }
  }

  /// Forwards connections to another port.
  ///
  /// - `delay`: the delay of the first connections.
  /// - `breaks`: resets one connection after this many bytes, once.
  /// - `stalls`: stops reading from a connection after this many bytes.
  /// - `keepsBack`: stops forwarding one connection before a piece with these bytes, once.
  /// - `withoutTLS`: keeps a TLS handshake waiting, as a cupsd without a certificate does.
  static func leading(
    to port: Int, after delay: Duration = .zero, breaksAfter breaks: Int? = nil,
    stallsAfter stalls: Int? = nil, keepsBack marker: [UInt8]? = nil, withoutTLS: Bool = false
  ) throws -> Door {
    let hasBroken = Mutex(false)
    let door = try Door { door, caller in
      let end = ContinuousClock.now + door.delay
      while ContinuousClock.now < end, !door.isShut { usleep(20_000) }
      guard let printer = connected(to: port) else { return }
      let isAnswered = Atomic<Bool>(false)
      detachThread {
        while let piece = receive(printer) { send(piece[...], to: caller) }
        shutdown(caller, Int32(SHUT_RDWR))
        isAnswered.store(true, ordering: .releasing)
      }
      var passed = 0
      while let piece = receive(caller) {
        // The type of a handshake's record.
        if withoutTLS, passed == 0, piece.first == 22 {
          while receive(caller) != nil {}
          break
        }
        passed += piece.count
        if let breaks, passed > breaks, hasBroken.withLock({ once(&$0) }) {
          reset(caller)
          break
        }
        if let stalls, passed > stalls { door.stall() }
        if let marker, piece.contains(marker), hasBroken.withLock({ once(&$0) }) { door.stall() }
        send(piece[...], to: printer)
      }
      shutdown(printer, Int32(SHUT_RDWR))
      // Neither descriptor may be reused while the other thread uses it.
      while !isAnswered.load(ordering: .acquiring) { usleep(1_000) }
      close(printer)
    }
    door.delay = delay
    return door
  }
}

private func once(_ flag: inout Bool) -> Bool {
  defer { flag = true }
  return !flag
}

// MARK: - Sockets

/// Finds a free port, and tries again if another program takes it first.
private func listenSomewhere() throws -> (port: Int, listener: Int32) {
  var last = Missing("a port")
  for _ in 0..<10 {
    let port = try freePort()
    do {
      return (port, try listen(at: port))
    } catch {
      last = error
    }
  }
  throw last
}

private func listen(at port: Int) throws(Missing) -> Int32 {
  let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var (yes, no): (Int32, Int32) = (1, 0)
  let size = socklen_t(MemoryLayout<Int32>.size)
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
  setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, size)
  var address = sockaddr_in6()
  address.sin6_family = sa_family_t(AF_INET6)
  address.sin6_port = UInt16(port).bigEndian
  let isBound = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
    }
  }
  guard isBound, Glibc.listen(descriptor, 32) == 0 else { throw Missing("port \(port)") }
  return descriptor
}

/// Accepts the next connection; returns nil when the listener is shut down.
private func admit(from listener: Int32) -> Int32? {
  var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
  while poll(&waiting, 1, -1) < 0, errno == EINTR {}
  // A program that is started now must not inherit the connection.
  return spawning.withLock { _ in
    let caller = accept(listener, nil, nil)
    guard caller >= 0 else { return nil }
    _ = fcntl(caller, F_SETFD, FD_CLOEXEC)
    return caller
  }
}

func connected(to port: Int) -> Int32? {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(port).bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let status = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard status == 0 else {
    close(descriptor)
    return nil
  }
  return descriptor
}

/// Returns the next bytes; nil at the end.
func receive(_ descriptor: Int32) -> [UInt8]? {
  let piece = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
    count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
  }
  return piece.isEmpty ? nil : piece
}

func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
  var rest = bytes
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}

/// Resets the connection, as after a cable was pulled and plugged in again.
func reset(_ descriptor: Int32) {
  var timeout = linger(l_onoff: 1, l_linger: 0)
  setsockopt(
    descriptor, SOL_SOCKET, SO_LINGER, &timeout, socklen_t(MemoryLayout<linger>.size))
}
