import FoundationEssentials
import IPP
import PrintModel
import Synchronization
import System
import TestSupport
import Testing

/// Another certificate, at whichever connection it is presented, receives nothing, whatever the printer asks for.
@Suite struct PeerTests {
  /// A port that encrypts from the first byte on, at a URI that does not say so: it ends the connection, or answers
  /// HTTP 400.
  @Test(arguments: [nil, "400 Bad Request"])
  func `an ipp URI of a port for TLS is answered`(_ refusal: String?) async throws {
    let printer = try ScriptedServer { client in
      while true { try client.send(IPPAnswer(to: try client.readRequest()).http) }
    }
    let door = try EncryptedDoor(["a": printer.port], refusal: refusal ?? "") { _ in "a" }
    let uri = "ipp://127.0.0.1:\(door.port)/ipp/print"
    let answers = try await connected(to: uri) { (connection) throws(IPPError) in
      let first = try connection.exchange(question(connection.uri)).status
      return [first, try connection.exchange(question(connection.uri, .createJob)).status]
    }
    #expect(answers == [.ok, .ok])
    #expect(door.handshakes == ["a"] && [2, 3].contains(door.connections))
    door.close()
    printer.close()
  }

  private static let credentials = Credentials(user: "DOMAIN\\ada", password: "secret")

  /// A printer's behavior.
  struct Habit: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The challenges, one field each; none for a printer that asks for nothing.
    var challenges: [String] = []
    var knowsPassword = true
    /// Number of requests after which a nonce is too old.
    var nonceLives = Int.max
    /// The status instead of an answer, for every request.
    var status: String?
    var fields: [String] = []
    /// Number of requests after which a connection is closed.
    var connectionLives = Int.max
    /// True if every request succeeds in the end.
    var works = true
  }

  private static let digest = "Digest realm=\"x\", qop=\"auth\", nonce="

  static let habits: [Habit] = [
    Habit(testDescription: "nothing asked for"),
    Habit(testDescription: "Basic", challenges: ["Basic realm=\"x\""]),
    Habit(testDescription: "Digest", challenges: [digest]),
    Habit(testDescription: "a nonce for two requests", challenges: [digest], nonceLives: 2),
    // IIS (apple/cups#4503).
    Habit(testDescription: "Negotiate and Basic", challenges: ["Negotiate", "Basic realm=\"x\""]),
    Habit(testDescription: "Negotiate and Digest", challenges: ["Negotiate", digest]),
    Habit(testDescription: "NTLM and Basic", challenges: ["NTLM", "Basic realm=\"x\""]),
    Habit(
      testDescription: "Negotiate, Digest and Basic",
      challenges: ["Negotiate", digest, "Basic realm=\"x\""]),
    Habit(testDescription: "Negotiate alone", challenges: ["Negotiate"], works: false),
    Habit(
      testDescription: "Negotiate and Basic without a password",
      challenges: ["Negotiate", "Basic realm=\"x\""], knowsPassword: false, works: false),
    Habit(
      testDescription: "Basic without a password", challenges: ["Basic realm=\"x\""],
      knowsPassword: false, works: false),
    Habit(testDescription: "426", status: "426 Upgrade Required", works: false),
    Habit(
      testDescription: "a redirect", status: "301 Moved Permanently",
      fields: ["Location: ipps://127.0.0.1:9/ipp/print"], works: false),
    Habit(testDescription: "401 without a challenge", status: "401 Unauthorized", works: false),
    Habit(testDescription: "403", status: "403 Forbidden", works: false),
    Habit(testDescription: "500", status: "500 Internal Server Error", works: false),
    Habit(testDescription: "closed after each answer", connectionLives: 1),
    Habit(
      testDescription: "Negotiate and Basic, closed after each answer",
      challenges: ["Negotiate", "Basic realm=\"x\""], connectionLives: 1),
  ]

  /// Starts an unencrypted server with this habit.
  private static func server(_ habit: Habit) throws -> ScriptedServer {
    let served = Mutex(0)
    return try ScriptedServer { client in
      for _ in 0..<min(habit.connectionLives, 100) {
        let request = try client.readRequest(tellsToGoOn: false)
        if let status = habit.status {
          try client.send(IPPAnswer.http([], status: status, fields: habit.fields))
          continue
        }
        let nonce = "n\(served.withLock { $0 } / habit.nonceLives)"
        let given = request.field("Authorization") ?? ""
        let basic = "Basic " + Data("DOMAIN\\ada:secret".utf8).base64EncodedString()
        let isRight =
          habit.challenges.isEmpty || given == basic
          || given.hasPrefix("Digest ") && given.contains("nonce=\"\(nonce)\"")
        guard !isRight else {
          served.withLock { $0 += 1 }
          let ends = habit.connectionLives == 1 ? ["Connection: close"] : []
          try client.send(
            IPPAnswer.http(IPPAnswer(to: request).message, status: "200 OK", fields: ends))
          continue
        }
        let fields = habit.challenges.map { challenge in
          "WWW-Authenticate: \(challenge.hasSuffix("nonce=") ? challenge + "\"\(nonce)\"" : challenge)"
        }
        try client.send(IPPAnswer.http([], status: "401 Unauthorized", fields: fields))
      }
    }
  }

  private struct Outcome: Sendable {
    var successes = 0
    var kinds: [IPPError.Kind] = []
    var first: Fingerprint?
    /// The certificates that could have been kept, and pinned, after each step.
    var peers: Set<String> = []
    var pins: Set<String> = []
  }

  /// Makes three requests and sends a document, over one connection.
  private static func use(_ uri: String, _ habit: Habit) async throws -> Outcome {
    try await onThread { () throws(IPPError) -> Outcome in
      // A full name, for which libcups looks for a ticket.
      let host = "print.example.test"
      guard let uri = PrinterURI(uri.replacing("127.0.0.1", with: host)) else {
        throw IPPError(.unresolved, "no URI")
      }
      let found = habit.knowsPassword ? Self.credentials : nil
      var security = Security()
      security.host = host
      security.credentials = { (_) throws(Failure) in found }
      let connection = try Connection(
        to: uri, at: ["127.0.0.1"], security: security, timeout: endlessly,
        cancellation: Cancellation())
      var outcome = Outcome()
      outcome.first = connection.peer?.fingerprint
      for step in 0..<4 {
        do throws(IPPError) {
          let response =
            step < 3
            ? try connection.exchange(question(connection.uri))
            : try send(Array("%PDF".utf8), over: connection)
          if response.status == .ok { outcome.successes += 1 }
        } catch {
          outcome.kinds.append(error.kind)
        }
        if let peer = connection.peer { outcome.peers.insert(peer.fingerprint.text) }
        if let pin = connection.security.pin { outcome.pins.insert(pin.text) }
      }
      return outcome
    }
  }

  @Test(arguments: habits)
  func `the printer alone`(_ habit: Habit) async throws {
    let printer = try Self.server(habit)
    let door = try EncryptedDoor(["a": printer.port]) { _ in "a" }
    let outcome = try await Self.use(door.uri, habit)
    #expect(outcome.successes == (habit.works ? 4 : 0), "\(outcome.kinds)")
    let heads = printer.requests.map(\.head)
    #expect(habit.knowsPassword || heads.allSatisfy { !$0.contains("Authorization:") })
    // No more connections than requests and challenges explain.
    #expect(door.connections <= 2 + 2 * printer.requests.count, "\(door.connections)")
    #expect(outcome.peers == Set([outcome.first].compactMap { $0?.text }))
    door.close()
    printer.close()
  }

  @Test(arguments: habits, [false, true])
  func `another certificate at one connection, or from one on`(
    _ habit: Habit, _ stays: Bool
  ) async throws {
    for swap in 2...6 {
      let printer = try Self.server(habit)
      let stranger = try Self.server(habit)
      let door = try EncryptedDoor(["a": printer.port, "b": stranger.port]) {
        $0 == swap || stays && $0 > swap ? "b" : "a"
      }
      let outcome = try await Self.use(door.uri, habit)
      #expect(stranger.requests.isEmpty, "\(swap): \(stranger.requests.map(\.head))")
      let first = try #require(outcome.first?.text)
      #expect(outcome.peers.isSubset(of: [first]) && outcome.pins == [first], "\(swap)")
      if door.handshakes.contains("b"), outcome.kinds.isEmpty {
        Issue.record("\(swap): the other certificate was met without a word")
      }
      door.close()
      printer.close()
      stranger.close()
    }
  }

  /// Epson XP-6000: it asks for an upgrade, and then does not upgrade (python-ipp#2).
  @Test func `a server that asks for TLS and has it from the first byte on`() async throws {
    let printer = try ScriptedServer { client in
      while true { try client.send(IPPAnswer(to: try client.readRequest()).http) }
    }
    let door = try EncryptedDoor(["a": printer.port], asks: true) { _ in "a" }
    let isSecure = try await connected(to: "ipp://127.0.0.1:\(door.port)/ipp/print") {
      (connection) throws(IPPError) in
      for _ in 0..<2 {
        _ = try connection.exchange(question(connection.uri))
        connection.shutDown()
      }
      return connection.peer != nil
    }
    #expect(isSecure && printer.requests.count == 2 && door.handshakes == ["a", "a"])
    door.close()
    printer.close()
  }

  /// A connection that turns to TLS by itself (101) was not checked: nothing more goes over it.
  @Test func `a server that switches to TLS unasked`() async throws {
    let server = try ScriptedServer { client in
      _ = try client.readRequest(tellsToGoOn: false)
      try client.send(
        IPPAnswer.http(
          [], status: "101 Switching Protocols",
          fields: ["Upgrade: TLS/1.2", "Connection: Upgrade"])
      )
      // A ClientHello would be a record of this type.
      let next = try client.read(1)
      guard next.first != 0x16 else { throw Missing("an unencrypted request") }
    }
    let found = await failure { () throws(IPPError) in _ = try await ask(server.uri, timeout: soon)
    }
    #expect(found.kind == .broken || found.kind == .insecure, "\(found)")
    server.close()
  }
}
