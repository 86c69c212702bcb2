import Glibc
import IPP
import PrintModel
import Synchronization
import TestSupport
import Testing

/// Documents in transit, and printers that refuse them.
@Suite struct EarlyAnswerTests {
  @Test(arguments: [0, 1, 1_000_000])
  func `a document arrives in chunks, as it was`(_ length: Int) async throws {
    let server = try ScriptedServer { client in
      try client.send(IPPAnswer(to: try client.readRequest()).http)
    }
    let document = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let status = try await connected(to: server.uri) { (connection) throws(IPPError) in
      try send(document, over: connection, pieces: 4_001).status
    }
    #expect(status == .ok)
    let request = try #require(server.requests.first)
    #expect(request.operation == 0x02)
    #expect(request.field("Transfer-Encoding") == "chunked")
    #expect(request.field("Content-Type") == "application/ipp")
    #expect(request.document == document)
  }

  /// A printer's behavior after a refusal.
  ///
  /// One that closes the connection with bytes unread resets it, and its response may be lost.
  enum Manner: String, CaseIterable, Sendable {
    case readsOn, stopsReading
  }

  @Test(arguments: Manner.allCases)
  func `a refusal in the middle of a document is heard`(_ manner: Manner) async throws {
    let server = try ScriptedServer { client in
      // The second connection is for the next request.
      guard client.number == 1 else {
        return try client.send(IPPAnswer(to: try client.readRequest()).http)
      }
      let head = try client.readHead()
      try client.send("HTTP/1.1 100 Continue\r\n\r\n")
      var body = try client.readChunk()
      while body.count < 200_000 { body += try client.readChunk() }
      let request = ScriptedServer.Request(head: head, body: body)
      try client.send(IPPAnswer(to: request, status: 0x040A, message: "No such format").http)
      switch manner {
      case .readsOn: while !(try client.readChunk().isEmpty) {}
      case .stopsReading: client.stall()
      }
    }
    let outcome = try await connected(to: server.uri, timeout: endlessly) {
      (connection) throws(IPPError) -> (refusal: Response, next: Response) in
      let refusal = try send([UInt8](repeating: 1, count: 20_000_000), over: connection)
      return (refusal, try connection.exchange(question(connection.uri)))
    }
    #expect(outcome.refusal.status == .documentFormatNotSupported)
    #expect(outcome.refusal.message == "No such format")
    #expect(outcome.next.status == .ok, "the connection is good for the next request")
  }

  @Test func `a refusal in one packet with 100 Continue is heard`() async throws {
    let server = try ScriptedServer { client in
      let head = try client.readHead()
      let request = ScriptedServer.Request(head: head, body: try client.readChunk())
      try client.send(
        Array("HTTP/1.1 100 Continue\r\n\r\n".utf8) + IPPAnswer(to: request, status: 0x040A).http)
      client.stall()
    }
    let status = try await connected(to: server.uri) { (connection) throws(IPPError) in
      try send([UInt8](repeating: 1, count: 20_000_000), over: connection).status
    }
    #expect(status == .documentFormatNotSupported)
  }

  /// RFC 9110 §10.1.1: the final status may come instead of 100 Continue.
  @Test(arguments: [
    ("401 Unauthorized", IPPError.Kind.unauthorized),
    ("404 Not Found", .status(.notFound)), ("500 Internal Server Error", .nonsense),
  ])
  func `a document that HTTP refuses is not sent`(
    _ status: String, _ expected: IPPError.Kind
  ) async throws {
    let server = try ScriptedServer { client in
      while true {
        _ = try client.readHead()
        try client.send(
          IPPAnswer.http([], status: status, fields: ["WWW-Authenticate: Basic realm=\"x\""]))
      }
    }
    let found = await failure { () throws(IPPError) in
      _ = try await connected(to: server.uri) { (connection) throws(IPPError) in
        try send([UInt8](repeating: 1, count: 1_000_000), over: connection)
      }
    }
    #expect(found.kind == expected, "\(found.message)")
    #expect(found.time < soon)
  }

  @Test(arguments: [true, false])
  func `a connection that breaks in the middle of a document is broken`(
    _ isReset: Bool
  ) async throws {
    let server = try ScriptedServer { client in
      _ = try client.readHead()
      try client.send("HTTP/1.1 100 Continue\r\n\r\n")
      for _ in 0..<10 { _ = try client.readChunk() }
      if isReset { client.reset() }
    }
    let found = await failure { () throws(IPPError) in
      _ = try await connected(to: server.uri) { (connection) throws(IPPError) in
        try send([UInt8](repeating: 1, count: 20_000_000), over: connection)
      }
    }
    #expect(found.kind == .broken, "\(found.message)")
    #expect(found.message.contains("while the document was being sent"))
    #expect(found.time < soon)
  }

  /// Manners of a printer that has the document and gives no answer to it for now.
  enum Silence: String, CaseIterable, Sendable {
    case silent, continues, closes
  }

  /// The journal has to know before a wait that may be long.
  @Test(arguments: Silence.allCases)
  func `a document that is complete and unanswered is reported`(_ manner: Silence) async throws {
    let server = try ScriptedServer { client in
      let request = try client.readRequest()
      guard manner != .closes else { return }
      if manner == .continues { try client.send("HTTP/1.1 100 Continue\r\n\r\n") }
      usleep(500_000)
      try client.send(IPPAnswer(to: request).http)
    }
    let isReported = Mutex(false)
    let status = try? await connected(to: server.uri) { (connection) throws(IPPError) -> Status in
      try connection.beginDocument(question(connection.uri, .printJob))
      _ = try write([1, 2, 3][...], to: connection)
      let response = try connection.finish { isReported.withLock { $0 = true } }
      return response?.status ?? .notFound
    }
    #expect(isReported.withLock { $0 })
    #expect(status == (manner == .closes ? nil : .ok))
  }

  @Test func `a document that is abandoned ends the connection`() async throws {
    let server = try ScriptedServer { client in
      _ = try client.readHead()
      try client.send("HTTP/1.1 100 Continue\r\n\r\n")
      while !(try client.readChunk().isEmpty) {}
      // Only reached if the client completed the document, which it never does.
      try client.send(IPPAnswer(to: ScriptedServer.Request()).http)
    }
    let found = await failure { () throws(IPPError) in
      _ = try await connected(to: server.uri) { (connection) throws(IPPError) -> Status in
        try connection.beginDocument(question(connection.uri, .printJob))
        _ = try write([UInt8](repeating: 1, count: 100_000)[...], to: connection)
        connection.shutDown()
        return try connection.finish()?.status ?? .ok
      }
    }
    #expect(found.kind == .broken, "\(found.message)")
    #expect(found.time < soon)
  }
}
