import FoundationEssentials
import TestSupport
import Testing

/// Servers with more printers than they put into one answer.
@Suite(.inTurn) struct LongListTests {
  @Test(arguments: [1_000, 2_500])
  func `all of a server's queues are listed`(_ count: Int) async throws {
    let person = try await Person.anybody()
    let names = (0..<count).map { "queue\(1_000_000 + $0)" }
    let server = try ScriptedServer { client in
      while true {
        let request = try client.readRequest()
        let body = String(decoding: request.body, as: UTF8.self)
        var answer = IPPAnswer(to: request)
        // As cupsd does, with the first one repeated.
        let start =
          body.contains("first-printer-name")
          ? names.firstIndex { body.contains("first-printer-name\0\u{C}\($0)") } ?? count : 0
        for name in names[start..<min(start + 1_000, count)] {
          answer.group(4)
          answer.add(0x42, "printer-name", name)
          answer.add(0x45, "printer-uri-supported", "ipp://server/printers/\(name)")
          answer.add(0x49, "document-format-supported", "application/pdf")
        }
        try client.send(answer.http)
      }
    }
    let listed = try await person.airprint("discover", "127.0.0.1:\(server.port)")
    #expect(listed.code == 0, "\(listed.stderr)")
    let lines = listed.stdout.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    #expect(lines.sorted() == names)
    #expect(server.requests.count { $0.operation == 0x4002 } == (count + 998) / 999)
    server.close()
  }
}
