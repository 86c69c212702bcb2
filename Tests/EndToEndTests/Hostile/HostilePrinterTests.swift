import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// Malicious devices on the network: whatever one answers, airprint reports in one sentence that it did not print,
/// and ends soon.
///
/// `AIRPRINT_HOSTILE=1000` tries that many of each kind.
@Suite(.inTurn) struct HostilePrinterTests {
  private static let count =
    getenv("AIRPRINT_HOSTILE").flatMap { Int(String(cString: $0)) } ?? 15
  private static let each = 5
  /// The count and the longest duration of each kind and exit code.
  private static let tally = Mutex([String: (count: Int, longest: Duration)]())

  /// Recorded responses of printers (the fuzz targets' corpus).
  private static let answers: [[UInt8]] = {
    let tests = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/\($1)" }
    let folder = "\(tests)/FuzzTargets/Corpus/answer"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
      .map { Array($0) }
  }()

  private enum Kind: String, CaseIterable {
    /// Random bytes instead of HTTP, and random bytes instead of IPP.
    case noise, body
    /// A truncated response.
    case cut
    /// A response with changes.
    case mutated

    /// A changed response may still accept the document, so it may have been printed (74, 82).
    var codes: Set<Int32> { self == .mutated ? [69, 74, 75, 76, 82] : [69, 76] }
  }

  @Test(arguments: Kind.allCases, 0..<(count + each - 1) / each)
  private func `bytes for answers`(_ kind: Kind, _ batch: Int) async throws {
    #expect(Self.answers.count > 10)
    let person = try await Person.anybody()
    let file = try person.document(PDF(pages: [.a4()]).bytes)
    for index in batch * Self.each..<(batch + 1) * Self.each {
      var mutator = Mutator(seeds: Self.answers, number: index)
      let bytes =
        switch kind {
        case .noise: mutator.noise(0...3_000)
        case .body: IPPAnswer.http(mutator.noise(0...3_000))
        case .cut: mutator.cut(IPPAnswer.http(Self.answers[index % Self.answers.count]))
        case .mutated: IPPAnswer.http(mutator.next())
        }
      let printed = try await print(file, at: person) { client in
        repeat {
          _ = try client.readRequest(tellsToGoOn: false)
          // For the other kinds, the connection then ends.
          try client.send(bytes)
        } while kind == .mutated || kind == .body
      }
      let code = try #require(printed.code, "\(kind) \(index): \(printed.report)")
      #expect(kind.codes.contains(code), "\(kind) \(index): \(printed.report)")
      Self.tally.withLock {
        let former = $0["\(kind.rawValue) \(code)"] ?? (0, .zero)
        $0["\(kind.rawValue) \(code)"] = (former.count + 1, max(former.longest, printed.wallTime))
      }
    }
    if Self.count > 15 { Swift.print(Self.tally.withLock { "\($0)" }) }
  }

  private enum Flood: String, CaseIterable {
    case chunks, packed, fields, line, goOn, moved, deep, slow, upgrade
  }

  @Test(arguments: Flood.allCases)
  private func `answers without an end`(_ flood: Flood) async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF(pages: [.a4()]).bytes)
    let packed = try await flood == .packed ? Self.bomb(person) : []
    let printed = try await print(file, at: person) { client in
      _ = try client.readRequest(tellsToGoOn: false)
      try HostilePrinterTests.send(flood, packed, to: client)
    }
    #expect([69, 76].contains(printed.code), "\(flood): \(printed.report)")
    #expect(printed.stderr.split(separator: "\n").count == 1, "\(printed.stderr)")
    #expect(!printed.stderr.contains("\u{1B}"))
  }

  private func print(
    _ file: String, at person: Person,
    _ script: @escaping @Sendable (ScriptedServer.Client) throws -> Void
  ) async throws -> Outcome {
    let server = try ScriptedServer(script)
    defer { server.close() }
    return try await person.airprint(
      "print", "-d", server.uri, "--timeout", "1", file)
  }

  private static func send(
    _ flood: Flood, _ packed: [UInt8], to client: ScriptedServer.Client
  ) throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\n"
    var answer = begun
    switch flood {
    case .chunks:
      try client.send(head + "Transfer-Encoding: chunked\r\n\r\n")
      let begun = Array(answer.message.dropLast())
      try client.send("\(String(begun.count, radix: 16))\r\n")
      try client.send(begun + [13, 10])
      let values = Array(repeating: value, count: 60).flatMap(\.self)
      while true {
        try client.send("\(String(values.count, radix: 16))\r\n")
        try client.send(values + [13, 10])
      }
    case .packed:
      try client.send(
        head + "Content-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
      try client.send(packed)
      client.stall()
    case .fields:
      try client.send("HTTP/1.1 200 OK\r\n")
      while true {
        try client.send("X-Field: \(String(repeating: "x", count: 500))\r\n")
        client.wait(.milliseconds(5))
      }
    case .line:
      try client.send("HTTP/1.1 200 OK\r\nX-Field: ")
      while true { try client.send(value) }
    case .goOn:
      while true {
        try client.send("HTTP/1.1 100 Continue\r\n\r\n")
        client.wait(.milliseconds(5))
      }
    case .moved:
      try client.send(
        "HTTP/1.1 301 Moved\r\nLocation: file:///etc/passwd\u{1B}[2J\r\nContent-Length: 0\r\n\r\n")
    case .deep:
      answer.add(0x34, "media-col", [])
      for _ in 0..<200_000 { answer.add(raw: [0x4A, 0, 0, 0, 1, 0x63, 0x34, 0, 0, 0, 0]) }
      try client.send(answer.http)
    case .slow: try client.send(answer.http, pause: .milliseconds(500))
    case .upgrade:
      try client.send(
        "HTTP/1.1 426 Upgrade Required\r\nUpgrade: TLS/1.2\r\nConnection: Upgrade\r\n"
          + "Content-Length: 0\r\n\r\n")
    }
  }

  /// Returns 100 MB of values in 100 KB.
  private static func bomb(_ person: Person) async throws -> [UInt8] {
    try Array(begun.message.dropLast()).write(to: person.path("head"))
    try Array(repeating: value, count: 1_000).flatMap(\.self).write(to: person.path("values"))
    _ = try await person.shell(
      "cd '\(person.folder)' && { cat head; for i in $(seq 100); do cat values; done; } "
        + "| gzip -c > bomb")
    return try bytes(of: person.path("bomb"))
  }

  private static let begun: IPPAnswer = {
    var answer = IPPAnswer(to: ScriptedServer.Request())
    answer.group(4)
    answer.add(0x44, "media-supported", "first")
    return answer
  }()
  /// Another value for the same attribute.
  private static let value: [UInt8] =
    [0x44, 0, 0, 4, 0] + [UInt8](repeating: 0x61, count: 1_024)
}
