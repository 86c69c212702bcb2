import Glibc
@testable import IPP
import PrintModel
import TestSupport
import Testing
import System

/// No server, no response, and cancellation.
@Suite struct SilenceTests {
  /// libcups reads on after a TLS session ticket only then.
  @Test func `a wait leaves no error behind`() {
    let wait = SocketWait(Cancellation())
    wait.restart(endlessly)
    wait.whenStalled = { errno = ENOENT }
    #expect(SocketWait.goesOn(wait.pointer) == 1)
    #expect(errno == 0)
  }

  // MARK: No server

  @Test(arguments: ["ipp", "ipps"])
  func `a refused connection ends at once`(_ scheme: String) async throws {
    let port = try freePort()
    let found = await failure { () throws(IPPError) in
      _ = try await ask("\(scheme)://127.0.0.1:\(port)/ipp/print", timeout: endlessly)
    }
    #expect(found.kind == .refused, "\(found.message)")
    #expect(found.time < soon)
  }

  @Test func `a name without an address ends at once`() async throws {
    // Labels are limited to 63 bytes, so no resolver is asked.
    let host = String(repeating: "a", count: 64) + ".invalid"
    let found = await failure { () throws(IPPError) in
      _ = try await ask("ipp://\(host)/ipp/print", timeout: endlessly)
    }
    #expect(found.kind == .unresolved)
    #expect(found.time < soon)
  }

  // MARK: No response

  @Test(arguments: ["ipp", "ipps"])
  func `a silent port is waited for as long as was allowed`(_ scheme: String) async throws {
    let server = try ScriptedServer(accepts: false)
    defer { server.close() }
    let found = await failure { () throws(IPPError) in
      _ = try await ask("\(scheme)://127.0.0.1:\(server.port)/", timeout: .seconds(1))
    }
    #expect(found.kind == .silent, "\(String(describing: found.kind)): \(found.message)")
    #expect(found.time >= .milliseconds(900))
    #expect(found.time < soon)
  }

  @Test func `a host that takes no connection is waited for too`() async throws {
    let queue = try FullQueue()
    let found = await failure { () throws(IPPError) in
      _ = try await ask(queue.server.uri, timeout: .seconds(1))
    }
    #expect(found.kind == .silent, "\(found.message)")
    #expect(found.time >= .milliseconds(900))
    #expect(found.time < soon)
  }

  @Test func `an answer that stops in the middle is waited for as long as was allowed`()
    async throws
  {
    let server = try ScriptedServer { client in
      let answer = IPPAnswer(to: try client.readRequest()).http
      try client.send(Array(answer.dropLast(3)))
      client.stall()
    }
    let found = await failure { () throws(IPPError) in
      _ = try await ask(server.uri, timeout: .seconds(1))
    }
    #expect(found.kind == .silent, "\(found.message)")
    #expect(found.time < soon)
  }

  /// Bytes that never end an answer, each of which interrupts the silence.
  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      ("", "HTTP/1.1 100 Continue\r\n\r\n"),
      ("HTTP/1.1 200 OK\r\n", "X-A: yyyyyyyyyyyyyyyyyyyyyyyy\r\n"),
      (
        "HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nTransfer-Encoding: chunked\r\n\r\n",
        "1\r\n\u{2}\r\n"
      ),
    ])
  func `a server that only appears to make progress is not waited for`(
    _ head: String, _ rest: String
  ) async throws {
    let server = try ScriptedServer { client in
      _ = try client.readRequest(tellsToGoOn: false)
      try client.send(head)
      while true {
        try client.send(rest)
        client.wait(.milliseconds(20))
      }
    }
    let timeout = Duration.seconds(1)
    let found = await failure { () throws(IPPError) in
      _ = try await ask(server.uri, timeout: timeout)
    }
    #expect(found.kind == .silent, "\(found)")
    // Not the twenty seconds more that a patient user's printer gets.
    #expect(found.time < .seconds(15), "\(found)")
    server.close()
  }

  @Test(arguments: [(1, 2), (10, 20), (20, 30), (30, 30), (60, 60)])
  func `one question has one time, and so has the first contact`(
    _ timeout: Int, _ limit: Int
  ) async throws {
    let server = try ScriptedServer { $0.stall() }
    defer { server.close() }
    try await connected(to: server.uri, timeout: .seconds(timeout)) {
      (connection) throws(IPPError) in
      #expect(connection.deadline <= .now + .seconds(limit))
      #expect(connection.deadline > .now + .seconds(limit - 1))
      let first = connection.deadline
      try connection.makeContact { (connection) throws(IPPError) in
        usleep(10_000)
        connection.setDeadline()
        #expect(connection.deadline == first)
        // A password is typed.
        _ = try? connection.waitForUser { () throws(Failure) in usleep(10_000) }
        connection.setDeadline()
        #expect(connection.deadline >= first + .milliseconds(10))
      }
      connection.setDeadline()
      #expect(connection.deadline <= .now + .seconds(limit))
    }
  }

  // MARK: Cancellation

  /// The phase in which the cancellation happens.
  enum Moment: String, CaseIterable, Sendable {
    case connecting, shakingHands, waiting, reading, sending
  }

  @Test(arguments: Moment.allCases)
  func `a cancellation ends whatever is under way`(_ moment: Moment) async throws {
    let queue = try FullQueue()
    let silent = try ScriptedServer(accepts: false)
    let server = try ScriptedServer { client in
      if moment == .sending {
        _ = try client.readHead()
        try client.send("HTTP/1.1 100 Continue\r\n\r\n")
      } else {
        let answer = IPPAnswer(to: try client.readRequest()).http
        if moment == .reading { try client.send(Array(answer.dropLast(3))) }
      }
      client.stall()
    }
    defer { for server in [silent, server] { server.close() } }
    let uri =
      switch moment {
      case .connecting: queue.server.uri
      case .shakingHands: silent.secureURI
      default: server.uri
      }
    let cancellation = Cancellation()
    let raised = ContinuousClock.now + .milliseconds(400)
    detachThread {
      pause(ContinuousClock.now.duration(to: raised))
      cancellation.raise()
    }
    let found = await failure { () throws(IPPError) in
      _ = try await connected(to: uri, timeout: endlessly, cancellation: cancellation) {
        (connection) throws(IPPError) in
        moment == .sending
          ? try send([UInt8](repeating: 7, count: 50_000_000), over: connection)
          : try connection.exchange(question(connection.uri))
      }
    }
    #expect(found.kind == .interrupted, "\(found.message)")
    #expect(found.time >= .milliseconds(350))
    #expect(found.time < soon)
  }

  @Test(arguments: ["ipp", "ipps"])
  func `nothing is begun after a cancellation`(_ scheme: String) async throws {
    let server = try ScriptedServer(accepts: false)
    defer { server.close() }
    let cancellation = Cancellation()
    cancellation.raise()
    let found = await failure { () throws(IPPError) in
      _ = try await ask(
        "\(scheme)://127.0.0.1:\(server.port)/", timeout: endlessly, cancellation: cancellation)
    }
    #expect(found.kind == .interrupted)
    #expect(found.time < soon)
  }

  @Test func `whoever waits can look elsewhere meanwhile`() async throws {
    let server = try ScriptedServer { client in
      let request = try client.readRequest()
      client.wait(.milliseconds(900))
      try client.send(IPPAnswer(to: request).http)
    }
    let ticks = try await connected(to: server.uri) { (connection) throws(IPPError) -> Int in
      var ticks = 0
      connection.whenStalled = { ticks += 1 }
      _ = try connection.exchange(question(connection.uri))
      connection.whenStalled = nil
      return ticks
    }
    #expect(ticks >= 2)
  }
}

/// Blocks the current thread.
func pause(_ duration: Duration) {
  usleep(UInt32(max(0, duration / .microseconds(1))))
}

/// A port whose queue of connections is full: the kernel answers no further ones.
private final class FullQueue: Sendable {
  let server: ScriptedServer
  private let fillers: [Int32]

  init() throws {
    let server = try ScriptedServer(accepts: false, backlog: 0)
    self.server = server
    fillers = (0..<4).map { _ in
      let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
      let filler = socket(AF_INET, Int32(kind), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      address.sin_port = UInt16(server.port).bigEndian
      withUnsafePointer(to: &address) {
        _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      return filler
    }
  }

  deinit {
    for filler in fillers { close(filler) }
    server.close()
  }
}
