import IPP
import PrintModel
import TestSupport
import Testing

/// Chunked responses (RFC 9112 §7.1), as cupsd and many printers send them.
@Suite struct ChunkedAnswerTests {
  /// Returns a response with a name, in chunks of this many bytes.
  private static func answer(
    to request: ScriptedServer.Request, chunks: Int, isEnded: Bool = true
  ) -> [UInt8] {
    var answer = IPPAnswer(to: request)
    answer.group(4)
    answer.add(0x42, "printer-name", "Chunky")
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nTransfer-Encoding: chunked\r\n\r\n"
    var bytes = Array(head.utf8)
    var rest = answer.message[...]
    while !rest.isEmpty {
      let chunk = rest.prefix(chunks)
      bytes += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
      rest = rest.dropFirst(chunk.count)
    }
    return isEnded ? bytes + Array("0\r\n\r\n".utf8) : bytes
  }

  private func names(from server: ScriptedServer) async throws -> [String] {
    try await connected(to: server.uri) { (connection) throws(IPPError) -> [String] in
      var names: [String] = []
      for _ in 0..<5 {
        names += try connection.exchange(question(connection.uri)).printer.strings("printer-name")
      }
      return names
    }
  }

  /// The last chunk arrives with them: no part of it may be read as the next response.
  @Test(arguments: [10_000, 100, 1])
  func `questions follow one another on one connection`(chunks: Int) async throws {
    let server = try ScriptedServer { client in
      while true { try client.send(Self.answer(to: client.readRequest(), chunks: chunks)) }
    }
    #expect(try await names(from: server) == Array(repeating: "Chunky", count: 5))
    #expect(server.connections == 1)
    server.close()
  }

  /// On the same connection, the end of the last response could be read as the next one.
  @Test func `after an answer that is not ended the next question takes another connection`()
    async throws
  {
    let server = try ScriptedServer { client in
      while true {
        try client.send(Self.answer(to: client.readRequest(), chunks: 10_000, isEnded: false))
      }
    }
    #expect(try await names(from: server) == Array(repeating: "Chunky", count: 5))
    #expect(server.connections == 5)
    server.close()
  }
}
