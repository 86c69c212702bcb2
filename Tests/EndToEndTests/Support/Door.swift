import Glibc
import Synchronization
import TestSupport
import System

/// A TCP port on loopback that does with its callers what no good printer does.
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
  /// How many connections there were.
  var callers: Int { state.withLock { $0.callers } }

  /// - `serve`: what a caller gets, on a thread of its own; the connection is closed after it.
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

  /// Nobody is let in any more, and who is in is put out.
  func shut() {
    state.withLock {
      $0.isClosed = true
      for caller in $0.open { shutdown(caller, Int32(SHUT_RDWR)) }
    }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  var isShut: Bool { state.withLock { $0.isClosed } }

  /// How long those who come from now on are kept waiting before anything is passed on.
  var delay: Duration {
    get { state.withLock { $0.delay } }
    set { state.withLock { $0.delay = newValue } }
  }

  private func hangUp(_ caller: Int32) {
    state.withLock { _ = $0.open.remove(caller) }
    close(caller)
  }

  /// A caller is kept waiting with part of what he had to say.
  var isStalled: Bool { state.withLock { $0.isStalled } }

  private func stall() {
    state.withLock { $0.isStalled = true }
    while !isShut { usleep(20_000) }
  }

  // MARK: Kinds of doors

  /// Lets callers in and says nothing.
  static func silent() throws -> Door {
    try Door { _, caller in while receive(caller) != nil {} }
  }

  /// Answers whatever it is asked with the same bytes, and hangs up.
  static func saying(_ answer: String) throws -> Door {
    try Door { _, caller in
      _ = receive(caller)
      send(Array(answer.utf8)[...], to: caller)
      shutdown(caller, Int32(SHUT_WR))
      // What is not read when a connection is closed makes a reset of the end.
      while receive(caller) != nil {}
    }
  }

  /// Leads to another port.
  ///
  /// - `delay`: of the first callers.
  /// - `breaks`: after so many bytes of one caller the connection is reset, once.
  /// - `stalls`: after so many bytes of one caller no more is taken of him.
  static func leading(
    to port: Int, after delay: Duration = .zero, breaksAfter breaks: Int? = nil,
    stallsAfter stalls: Int? = nil
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
        passed += piece.count
        if let breaks, passed > breaks, hasBroken.withLock({ once(&$0) }) {
          reset(caller)
          break
        }
        if let stalls, passed > stalls { door.stall() }
        send(piece[...], to: printer)
      }
      shutdown(printer, Int32(SHUT_RDWR))
      // Neither descriptor may become somebody else's while it is in use.
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

/// A free port may be somebody else's before it is listened at.
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

/// The next caller; nil when the listener was shut.
private func admit(from listener: Int32) -> Int32? {
  var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
  while poll(&waiting, 1, -1) < 0, errno == EINTR {}
  // No program that is started now may keep the connection open.
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

/// The next bytes; nil at the end.
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

/// Makes the end of the connection a reset, as a cable that was pulled and plugged in again does.
func reset(_ descriptor: Int32) {
  var patience = linger(l_onoff: 1, l_linger: 0)
  setsockopt(
    descriptor, SOL_SOCKET, SO_LINGER, &patience, socklen_t(MemoryLayout<linger>.size))
}
