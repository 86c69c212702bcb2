import CCups
@testable import IPP
import PrintModel
import TestSupport
import Testing

/// Servers that need a document's length before its first byte (RFC 9112 §6.1), and printers that accept only their own
/// URI for themselves.
@Suite struct ChunklessServerTests {
  /// Some servers refuse what they have just asked for.
  @Test(arguments: [0, 1, 1_000_000], ["", "HTTP/1.1 100 Continue\r\n\r\n"])
  func `a document that is refused in chunks is sent with its length`(
    _ length: Int, _ beforehand: String
  ) async throws {
    let server = try ScriptedServer { client in
      guard client.number > 1 else {
        _ = try client.readHead()
        return try client.send(
          Array(beforehand.utf8) + IPPAnswer.http([], status: "411 Length Required"))
      }
      try client.send(IPPAnswer(to: try client.readRequest()).http)
    }
    let document = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let status = try await connected(to: server.uri) { (connection) throws(IPPError) in
      // A refusal behind the whole document would prove nothing.
      connection.continueLimit = 60_000
      return try send(document, over: connection, pieces: 4_001).status
    }
    #expect(status == .ok)
    let request = try #require(server.requests.last)
    #expect(request.field("Transfer-Encoding") == nil)
    #expect(request.field("Content-Length") == "\(request.body.count)")
    #expect(request.document == document)
  }

  @Test func `a server may refuse chunks in three ways`() {
    let refusals = [400, 411, 501].map { http_status_t(rawValue: $0) }
    #expect(refusals.allSatisfy(RequestAttempts.mayRefuseChunks))
    #expect(
      ![401, 403, 404, 417, 426, 500, 503].map { http_status_t(rawValue: $0) }
        .contains(where: RequestAttempts.mayRefuseChunks))
  }

  /// It said "100 Continue" before it looked at the fields, or read some of the document, or all of it.
  @Test(
    arguments: ["411 Length Required", "400 Bad Request", "501 Not Implemented"], [0, 1, 2, 99])
  func `a late refusal of chunks is heard`(_ status: String, _ chunks: Int) async throws {
    let server = try ScriptedServer { client in
      guard client.number == 1 else {
        return try client.send(IPPAnswer(to: try client.readRequest()).http)
      }
      _ = try client.readHead()
      try client.send("HTTP/1.1 100 Continue\r\n\r\n")
      var isWhole = false
      for _ in 0..<chunks where !isWhole { isWhole = try client.readChunk().isEmpty }
      try client.send(IPPAnswer.http([], status: status))
      while !isWhole { isWhole = try client.readChunk().isEmpty }
    }
    let document = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let found = try await connected(to: server.uri) { (connection) throws(IPPError) in
      try send(document, over: connection, by: .sendDocument).status
    }
    #expect(found == .ok)
    #expect(server.requests.count == 1 && server.requests.last?.document == document)
  }

  /// A second Print-Job would be a second job, and a server may refuse what its printer has.
  @Test(arguments: ["411 Length Required", "400 Bad Request", "426 Upgrade Required"])
  func `a Print-Job that may have made a job is not sent again`(_ status: String) async throws {
    let server = try ScriptedServer { client in
      _ = try client.readRequest()
      try client.send(IPPAnswer.http([], status: status))
    }
    let found = await failure { () throws(IPPError) in
      _ = try await connected(to: server.uri) { (connection) throws(IPPError) in
        try send([1, 2, 3], over: connection)
      }
    }
    #expect(found.message.contains("HTTP \(status.prefix(3))") || status.hasPrefix("426"))
    #expect(server.requests.count == 1)
  }

  /// apple/cups#2683.
  @Test func `a server that answers as HTTP 1_0 gets no chunks`() async throws {
    let server = try ScriptedServer { client in
      let answer = IPPAnswer(to: try client.readRequest()).http
      let line = Array("HTTP/1.0".utf8)
      try client.send(line + answer.dropFirst(line.count))
    }
    let status = try await connected(to: server.uri) { (connection) throws(IPPError) in
      var request = question(connection.uri, .printJob)
      _ = try connection.exchange(question(connection.uri))
      request.operationAttributes.append(Attribute("compression", .keyword("gzip")))
      try connection.beginDocument(request)
      _ = try write([1, 2, 3][...], to: connection)
      #expect(!connection.hasSentDocument)
      return try connection.finish()?.status
    }
    #expect(status == .ok)
    let request = try #require(server.requests.last)
    #expect(request.field("Content-Length") == "\(request.body.count)")
    #expect(request.field("Content-Encoding") == nil)
    #expect(request.document == [1, 2, 3], "not compressed")
  }

  /// Its refusal may come while its end is on its way.
  @Test(arguments: [true, false])
  func `a document was read to its end if another request behind it is answered`(
    _ keepsOpen: Bool
  ) async throws {
    let server = try ScriptedServer { client in
      repeat { try client.send(IPPAnswer(to: try client.readRequest()).http) } while keepsOpen
    }
    let uri = try #require(PrinterURI(server.uri))
    let found = try await connected(to: server.uri) { (connection) throws(IPPError) in
      _ = try send([1, 2, 3], over: connection, by: .sendDocument)
      let before = connection.hasReadDocument
      _ = try connection.exchange(question(uri))
      return [before, connection.hasReadDocument]
    }
    #expect(found == [false, keepsOpen])
  }

  @Test func `success before the whole document is no success`() async throws {
    let server = try ScriptedServer { client in
      guard client.number > 1 else {
        _ = try client.readHead()
        return try client.send(IPPAnswer.http([], status: "411 Length Required"))
      }
      let head = try client.readHead()
      let begun = ScriptedServer.Request(head: head, body: try client.read(100))
      try client.send(IPPAnswer(to: begun).http)
      client.stall()
    }
    let found = await failure { () throws(IPPError) in
      _ = try await connected(to: server.uri) { (connection) throws(IPPError) in
        connection.continueLimit = 60_000
        return try send([UInt8](repeating: 1, count: 20_000_000), over: connection)
      }
    }
    #expect(found.kind == .broken, "\(found.message)")
    #expect(found.message.contains("before it had the whole document"), "\(found.message)")
  }

  /// OpenPrinting/cups#203.
  @Test(arguments: [0x0400, 0x0406, 0x040C])
  func `a printer is asked by the URI that it knows`(_ refusal: Int) async throws {
    let own = "ipp://192.0.2.55/ipp/print"
    let server = try ScriptedServer { client in
      while true {
        let request = try client.readRequest()
        let isKnown = request.body.firstRange(of: Array(own.utf8)) != nil
        let isQuestion = request.operation == Capabilities.Operation.getPrinterAttributes.rawValue
        var answer = IPPAnswer(to: request, status: isKnown || isQuestion ? 0 : refusal)
        answer.group(0x04)
        answer.add(0x45, "printer-uri-supported", own)
        try client.send(answer.http)
      }
    }
    let found = try await connected(to: server.uri) { (connection) throws(IPPError) in
      _ = try connection.exchange(question(connection.uri))
      let created = try connection.exchange(question(connection.uri, .createJob)).status
      try connection.beginDocument(question(connection.uri, .printJob))
      return [created, try connection.finish()?.status]
    }
    #expect(found == [.ok, .ok])
    #expect(server.requests.count == 4)
  }

  /// A printer that makes a job and answers that it is unknown.
  @Test func `a job is asked for by one other URI at most`() async throws {
    let server = try ScriptedServer { client in
      while true {
        let request = try client.readRequest()
        let isQuestion = request.operation == Capabilities.Operation.getPrinterAttributes.rawValue
        var answer = IPPAnswer(to: request, status: isQuestion ? 0 : 0x0406)
        answer.group(0x04)
        for number in 1...4 {
          let name = number == 1 ? "printer-uri-supported" : ""
          answer.add(0x45, name, "ipp://192.0.2.\(number)/ipp/print")
        }
        try client.send(answer.http)
      }
    }
    let status = try await connected(to: server.uri) { (connection) throws(IPPError) in
      _ = try connection.exchange(question(connection.uri))
      return try connection.exchange(question(connection.uri, .createJob)).status
    }
    #expect(status == .notFound && server.requests.count == 3)
  }

  @Test func `another queue of the server is not asked`() async throws {
    let server = try ScriptedServer { client in
      while true {
        let request = try client.readRequest()
        let isQuestion = request.operation == Capabilities.Operation.getPrinterAttributes.rawValue
        var answer = IPPAnswer(to: request, status: isQuestion ? 0 : 0x0406)
        answer.group(0x04)
        answer.add(0x45, "printer-uri-supported", "ipp://127.0.0.1:631/ipp/back")
        try client.send(answer.http)
      }
    }
    let status = try await connected(to: server.uri) { (connection) throws(IPPError) in
      _ = try connection.exchange(question(connection.uri))
      return try connection.exchange(question(connection.uri, .createJob)).status
    }
    #expect(status == .notFound && server.requests.count == 2)
  }

  @Test func `a printer with another name is asked by its address, once`() async throws {
    let server = try ScriptedServer { client in
      while true {
        let request = try client.readRequest()
        let isKnown = request.body.firstRange(of: Array("ipp://127.0.0.1".utf8)) != nil
        try client.send(IPPAnswer(to: request, status: isKnown ? 0 : 0x0406).http)
      }
    }
    let uri = "ipp://localhost:\(server.port)/ipp/print"
    let found = try await connected(to: uri) { (connection) throws(IPPError) in
      [
        try connection.exchange(question(connection.uri)).status,
        try connection.exchange(question(connection.uri)).status,
      ]
    }
    #expect(found == [.ok, .ok])
    #expect(server.requests.count == 3)
  }
}
