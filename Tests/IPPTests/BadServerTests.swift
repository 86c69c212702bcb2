import IPP
import PrintModel
import TestSupport
import Testing

/// Misbehaving servers.
@Suite struct BadServerTests {
  private func kind(
    timeout: Duration = endlessly,
    _ script: @escaping @Sendable (ScriptedServer.Client) throws -> Void
  ) async throws -> (kind: IPPError.Kind?, message: String, time: Duration) {
    let server = try ScriptedServer(script)
    defer { server.close() }
    return await failure { () throws(IPPError) in _ = try await ask(server.uri, timeout: timeout)
    }
  }

  @Test(arguments: [
    ("404 Not Found", IPPError.Kind.status(.notFound)),
    ("401 Unauthorized", .unauthorized), ("403 Forbidden", .unauthorized),
    ("500 Internal Server Error", .nonsense), ("400 Bad Request", .nonsense),
    ("301 Moved Permanently", .nonsense), ("503 Service Unavailable", .status(.serviceUnavailable)),
    ("299 Whatever", .nonsense),
  ])
  func `an HTTP status that is no success`(
    _ status: String, _ expected: IPPError.Kind
  ) async throws {
    let found = try await kind { client in
      while true {
        _ = try client.readRequest()
        try client.send(
          IPPAnswer.http(
            Array("<html>".utf8), status: status, type: "text/html",
            fields: ["WWW-Authenticate: Basic realm=\"printer\"", "Location: http://127.0.0.1:1/"]))
      }
    }
    #expect(found.kind == expected, "\(found.message)")
    #expect(!found.message.hasSuffix(".") || expected == .unauthorized)
    #expect(found.time < soon)
  }

  @Test func `the place to which it sends is on one line`() async throws {
    let found = try await kind { client in
      _ = try client.readRequest()
      try client.send(
        IPPAnswer.http(
          [], status: "302 Found", type: "text/html",
          fields: ["Location: http://x/\u{B}Printed a.pdf\u{2028}."]))
    }
    #expect(found.message.contains("moved to http://x/ Printed a.pdf ."), "\(found.message)")
  }

  @Test(arguments: [
    "<html><body>Hello</body></html>", "", "\u{1}\u{1}", "x",
    String(repeating: "not IPP ", count: 10_000),
  ])
  func `a body that is not IPP`(_ body: String) async throws {
    let found = try await kind { client in
      _ = try client.readRequest()
      try client.send(IPPAnswer.http(Array(body.utf8)))
      client.stall()
    }
    #expect(found.kind == .nonsense, "\(found.message)")
    #expect(found.time < soon)
  }

  @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "220 ftp ready\r\n\r\n", "\0\0\0\0\r\n\r\n"])
  func `a server of another kind`(_ greeting: String) async throws {
    let found = try await kind(timeout: .seconds(1)) { client in
      try client.send(greeting)
      _ = try client.readRequest()
      try client.send(greeting)
    }
    #expect(found.kind == .nonsense || found.kind == .broken, "\(String(describing: found.kind))")
    #expect(found.time < soon)
  }

  @Test(arguments: [true, false], [0, 1, 40, 100, 200])
  func `an answer that is cut in the middle`(_ isReset: Bool, _ length: Int) async throws {
    let found = try await kind { client in
      let request = try client.readRequest()
      var answer = IPPAnswer(to: request)
      answer.group(4)
      answer.add(0x41, "printer-info", "Office")
      let bytes = answer.http
      try client.send(Array(bytes.prefix(min(length, bytes.count - 1))))
      // The data must arrive before the end of the connection.
      client.wait(.milliseconds(50))
      if isReset { client.reset() }
    }
    #expect(found.kind == .broken, "\(String(describing: found.kind)): \(found.message)")
    #expect(found.time < soon)
  }

  /// Where its last chunk is missing, so may be attributes.
  @Test(arguments: [true, false])
  func `an answer in chunks that is cut is none, and a complete one may lack the end's tag`(
    _ isCut: Bool
  ) async throws {
    let found = try await kind { client in
      var answer = IPPAnswer(to: try client.readRequest())
      answer.group(4)
      answer.add(0x41, "printer-info", "Office")
      let bytes = Array(answer.message.dropLast())
      try client.send(
        "HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nTransfer-Encoding: chunked\r\n\r\n"
          + String(bytes.count, radix: 16) + "\r\n")
      try client.send(bytes + Array((isCut ? "\r\n" : "\r\n0\r\n\r\n").utf8))
      client.wait(.milliseconds(50))
    }
    #expect((found.kind == nil) != isCut, "\(String(describing: found.kind)): \(found.message)")
  }

  @Test func `an answer that comes byte by byte is an answer`() async throws {
    let server = try ScriptedServer { client in
      let request = try client.readRequest()
      var answer = IPPAnswer(to: request)
      answer.group(4)
      answer.add(0x41, "printer-info", "Office")
      try client.send(answer.http, pause: .milliseconds(1))
    }
    #expect(try await ask(server.uri).printer.string("printer-info") == "Office")
  }

  /// Not every server sends `HTTP/1.1 100 Continue`.
  @Test func `nobody waits long to be told to go on`() async throws {
    let server = try ScriptedServer { client in
      try client.send(IPPAnswer(to: try client.readRequest(tellsToGoOn: false)).http)
    }
    #expect(try await ask(server.uri).status == .ok)
  }

  /// A printer may print a request twice, so none is sent twice.
  @Test(arguments: [true, false])
  func `a request whose answer is lost is not sent again`(_ isReset: Bool) async throws {
    let server = try ScriptedServer { client in
      _ = try client.readRequest()
      if isReset { client.reset() }
    }
    let found = await failure { () throws(IPPError) in
      _ = try await connected(to: server.uri) { (connection) throws(IPPError) in
        try connection.exchange(question(connection.uri, .createJob))
      }
    }
    #expect(found.kind == .broken)
    #expect(server.requests.count == 1)
  }

  /// Printers close idle connections; the next request must not get lost.
  @Test func `a connection that the printer closed is made again`() async throws {
    let server = try ScriptedServer { client in
      let request = try client.readRequest()
      try client.send(IPPAnswer(to: request).http)
    }
    let statuses = try await connected(to: server.uri) {
      (connection) throws(IPPError) -> [Status] in
      var statuses: [Status] = []
      for _ in 0..<5 {
        statuses.append(try connection.exchange(question(connection.uri, .createJob)).status)
        pause(.milliseconds(50))
      }
      return statuses
    }
    #expect(statuses == Array(repeating: .ok, count: 5))
    #expect(server.connections == 5)
    #expect(server.requests.count == 5)
  }

  @Test func `a connection that stays open is used again`() async throws {
    let server = try ScriptedServer { client in
      while true { try client.send(IPPAnswer(to: try client.readRequest()).http) }
    }
    try await connected(to: server.uri) { (connection) throws(IPPError) in
      for _ in 0..<5 { _ = try connection.exchange(question(connection.uri)) }
    }
    #expect(server.connections == 1)
    #expect(server.requests.count == 5)
  }
}
