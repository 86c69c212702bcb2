import Glibc
@testable import IPP
import PrintModel
import System
import TestSupport
import Testing

/// Ports on this machine, at which any user may listen.
@Suite struct PortOwnerTests {
  /// A printer on USB that is unplugged leaves its port to everybody.
  @Test func `another user's program at a port is asked nothing`() async throws {
    let server = try ScriptedServer { client in
      while true { try client.send(IPPAnswer(to: client.readRequest()).http) }
    }
    let uri = try #require(PrinterURI(server.uri))
    @Sendable func ask(
      of user: uid_t, at host: String? = nil, home: Security.Home = .anywhere, from first: Int = 0
    ) async throws(IPPError) {
      let uri = host.flatMap { PrinterURI("ipp://\($0):\(uri.port)/ipp/print") } ?? uri
      try await onThread { () throws(IPPError) in
        var security = Security()
        (security.listeners, security.home) = ([user], home)
        security.firstUSBPort = uri.port + first
        let connection = try Connection(
          to: uri, security: security, timeout: endlessly, cancellation: Cancellation())
        _ = try connection.exchange(question(uri))
      }
    }
    try await ask(of: getuid())
    let found = await failure { () throws(IPPError) in try await ask(of: getuid() + 1) }
    #expect(found.kind == .refused, "\(found.message)")
    // A name is no way around it.
    let named = await failure { () throws(IPPError) in
      try await ask(of: getuid() + 1, at: "LOCALHOST")
    }
    #expect(named.kind == .refused, "\(named.message)")
    #expect(server.requests.count == 1)
    try await ask(of: getuid(), home: .thisMachine, from: 1)
    let moved = await failure { () throws(IPPError) in
      try await ask(of: getuid(), home: .usb, from: 1)
    }
    #expect(moved.kind == .refused, "it has moved to a port of anybody's: \(moved.message)")
    #expect(server.requests.count == 2)
    server.close()
  }
}
