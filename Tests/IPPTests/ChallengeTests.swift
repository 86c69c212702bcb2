import CCups
import FoundationEssentials
import Glibc
import IPP
import PrintModel
import Synchronization
import TestSupport
import Testing
import System

/// Credentials: the schemes that a printer may request, and the connections that they may be sent over.
@Suite struct ChallengeTests {
  private static let credentials = Credentials(user: "kay", password: "geheim, \"und\" lang")

  private func asked(
    _ uri: String, _ credentials: Credentials?, pin: Fingerprint? = nil,
    trustsFirst: Bool = true, isAnonymous: Bool = false
  ) async throws(IPPError) -> Response {
    try await asked(uri, pin: pin, trustsFirst: trustsFirst, isAnonymous: isAnonymous) {
      credentials
    }
  }

  private func asked(
    _ uri: String, pin: Fingerprint? = nil, trustsFirst: Bool = true, isAnonymous: Bool = false,
    giving credentials: @escaping @Sendable () -> Credentials?
  ) async throws(IPPError) -> Response {
    try await onThread { () throws(IPPError) in
      guard let uri = PrinterURI(uri) else { throw IPPError(.unresolved, "\(uri) is no URI") }
      var security = Security { (_) throws(Failure) in credentials() }
      security.pin = pin
      security.trustsFirst = trustsFirst
      security.isAnonymous = isAnonymous
      let connection = try Connection(
        to: uri, security: security, timeout: endlessly, cancellation: Cancellation())
      let first = try connection.exchange(question(connection.uri))
      return first.status == .ok ? try connection.exchange(question(connection.uri)) : first
    }
  }

  /// Checks libcups' Digest against its definition (RFC 7616 §3.4.1): each request has a different count.
  @Test func `Digest is answered without encryption, and the password does not leave`() async throws
  {
    let counts = Mutex<[String]>([])
    let server = try ScriptedServer { client in
      while true {
        let request = try client.readRequest(tellsToGoOn: false)
        guard let field = request.field("Authorization"), let answer = DigestAnswer(field) else {
          let field =
            "WWW-Authenticate: Basic realm=\"a, b\", Digest realm=\"a, b\", nonce=\"n1\", algorithm=MD5, qop=\"auth\""
          try client.send(
            IPPAnswer.http([], status: "401 Unauthorized", fields: [field]))
          continue
        }
        let isRight = answer.isRight(for: ChallengeTests.credentials)
        counts.withLock { $0.append(answer["nc"]) }
        try client.send(IPPAnswer(to: request, status: isRight ? 0 : 0x0400).http)
      }
    }
    let response = try await asked(server.uri, ChallengeTests.credentials)
    #expect(response.status == .ok)
    let nonces = counts.withLock { $0 }
    #expect(nonces.count == 2 && Set(nonces).count == 2, "\(nonces)")
    let heads = server.requests.map(\.head).joined()
    #expect(!heads.contains("Basic "), "\(heads)")
    server.close()
  }

  /// A server that ends the connection with the request's body unread resets it, and may lose its answer by that.
  @Test func `a refusal that a reset took along is heard before the body is sent again`()
    async throws
  {
    let connections = Mutex(0)
    let body = Mutex<[UInt8]?>(nil)
    let server = try ScriptedServer { client in
      switch connections.withLock({
        $0 += 1; return $0
      }) {
      case 1:
        _ = try client.readHead()
        _ = try client.read(1)
        client.reset()
      case 2:
        _ = try client.readHead()
        let field =
          "WWW-Authenticate: Digest realm=\"a\", nonce=\"n1\", algorithm=MD5, qop=\"auth\""
        try client.send(IPPAnswer.http([], status: "401 Unauthorized", fields: [field]))
        let sent = client.readToEnd()
        body.withLock { $0 = sent }
      default:
        while true { try client.send(IPPAnswer(to: client.readRequest()).http) }
      }
    }
    let response = try await asked(server.uri, ChallengeTests.credentials)
    #expect(response.status == .ok)
    #expect(body.withLock { $0 } == [])
    #expect(connections.withLock { $0 } == 3)
    server.close()
  }

  /// The printer may have done it: a second one would be refused, as if nothing had been done.
  @Test(arguments: [Capabilities.Operation.createJob, .cancelJob, .releaseJob, .cupsMoveJob])
  func `what changes something is not sent again after a reset`(
    _ operation: Capabilities.Operation
  ) async throws {
    let count = Mutex(0)
    let server = try ScriptedServer { client in
      _ = try client.readHead()
      count.withLock { $0 += 1 }
      _ = try client.read(1)
      client.reset()
    }
    let found = await failure { () throws(IPPError) in
      _ = try await connected(to: server.uri) { (connection) throws(IPPError) in
        try connection.exchange(question(connection.uri, operation)).status
      }
    }
    #expect(found.kind == .broken, "\(found.message)")
    #expect(count.withLock { $0 } == 1)
    server.close()
  }

  /// Without encryption, the password is never sent; here the server refuses the upgrade, or does not react to it.
  ///
  /// `airprint login` or `trust` would not help: neither is named, and nobody is asked for a password.
  @Test(arguments: [true, false], [true, false])
  func `Basic is never answered without encryption`(trustsFirst: Bool, ends: Bool) async throws {
    let heads = Mutex<[String]>([])
    let isAsked = Mutex(false)
    let server = try ScriptedServer { client in
      while true {
        let head = try client.readHead()
        heads.withLock { $0.append(head) }
        if ends, head.hasPrefix("OPTIONS") { return }
        let field = "WWW-Authenticate: Basic realm=\"printer\""
        try client.send(IPPAnswer.http([], status: "401 Unauthorized", fields: [field]))
      }
    }
    let found = await failure { () throws(IPPError) in
      _ = try await asked(server.uri, trustsFirst: trustsFirst) {
        isAsked.withLock { $0 = true }
        return ChallengeTests.credentials
      }
    }
    #expect(found.kind == .unauthorized, "\(found.message)")
    #expect(found.message.contains("does not encrypt"), "\(found.message)")
    #expect(
      !found.message.contains("run: ") && !found.message.contains("airprint login"),
      "\(found.message)")
    #expect(!isAsked.withLock { $0 })
    let said = heads.withLock { $0 }
    #expect(said.count { $0.hasPrefix("POST") } == 1, "\(said)")
    #expect(said.allSatisfy { !$0.contains("Authorization:") })
    server.close()
  }

  /// Fields where airprint sees one challenge and libcups two, and where a combining mark hides a quote.
  @Test(arguments: [
    "Digest realm=\"r\", nonce=\"n\", algorithm=SHA-512-256 Basic realm=\"r\"",
    "Digest realm=\"r\", nonce=\"n\u{301}\" Basic realm=\"r\"",
    "Digest realm=\"r\\\" Basic realm=\\\"r\", nonce=\"n\", algorithm=MD5",
    "Digest Basic realm=\"r\"", "Basic,Digest", "\"x Basic realm=\"r\"",
  ])
  func `no way of asking gets Basic without encryption`(_ challenge: String) async throws {
    let heads = Mutex<[String]>([])
    let server = try ScriptedServer { client in
      while true {
        let head = try client.readHead()
        heads.withLock { $0.append(head) }
        let field = "WWW-Authenticate: \(challenge)"
        try client.send(IPPAnswer.http([], status: "401 Unauthorized", fields: [field]))
      }
    }
    let found = await failure { () throws(IPPError) in
      _ = try await asked(server.uri, ChallengeTests.credentials)
    }
    #expect(found.kind == .unauthorized, "\(found.message)")
    let said = heads.withLock { $0 }
    #expect(!said.isEmpty && !said.joined().contains("Basic"), "\(said)")
    server.close()
  }

  /// A printer that was found but not named gets no password, and no ticket.
  @Test(arguments: ["Digest realm=\"r\", nonce=\"n\"", "Negotiate"])
  func `a stranger is told nothing`(_ challenge: String) async throws {
    let server = try ScriptedServer { client in
      while true {
        _ = try client.readRequest(tellsToGoOn: false)
        try client.send(
          IPPAnswer.http([], status: "401 Unauthorized", fields: ["WWW-Authenticate: \(challenge)"])
        )
      }
    }
    let found = await failure { () throws(IPPError) in
      _ = try await asked(server.uri, ChallengeTests.credentials, isAnonymous: true)
    }
    #expect(found.kind == .unauthorized, "\(found.message)")
    #expect(server.requests.count == 1)
    #expect(server.requests.allSatisfy { $0.field("Authorization") == nil })
    server.close()
  }

  /// The printer may have taken a job; who then asks for the password over TLS may be another host.
  @Test(arguments: [Capabilities.Operation.createJob, .printJob, .getJobs], [true, false])
  func `after a request that was not encrypted, only a question leaves the password`(
    _ operation: Capabilities.Operation, isSame: Bool
  ) async throws {
    let fields = Mutex<[String]>([])
    let count = Mutex(0)
    let server = try ScriptedServer { client in
      while true {
        let request = try client.readRequest()
        if let field = request.field("Authorization") { fields.withLock { $0.append(field) } }
        if count.withLock({
          $0 += 1; return $0
        }) == 1 || request.field("Authorization") != nil {
          try client.send(IPPAnswer(to: request).http)
          continue
        }
        try client.send(
          IPPAnswer.http(
            [], status: "401 Unauthorized", fields: ["WWW-Authenticate: Basic realm=\"x\""]))
      }
    }
    let door = try EncryptedDoor(["stranger": server.port], plain: server.port) { _ in "stranger" }
    let uri = try #require(PrinterURI("ipp" + door.uri.dropFirst(4)))
    let plain = Mutex(0)
    let found = await failure { () throws(IPPError) in
      try await onThread { () throws(IPPError) in
        var security = Security { (_) throws(Failure) in ChallengeTests.credentials }
        security.whenTold = { (shown) throws(Failure) in
          if shown == nil { plain.withLock { $0 += 1 } }
        }
        let first = try Connection(
          to: uri, security: security, timeout: endlessly, cancellation: Cancellation())
        if operation == .printJob {
          _ = try send(Array("%PDF".utf8), over: first)
        } else {
          _ = try first.exchange(question(uri, operation))
        }
        let next =
          isSame
          ? first
          : try Connection(
            to: uri, security: security, timeout: endlessly, cancellation: Cancellation())
        #expect(try next.exchange(question(uri)).status == .ok)
      }
    }
    let isQuestion = operation == .getJobs
    #expect(found.kind == (isQuestion ? nil : .unauthorized), "\(found.message)")
    #expect(fields.withLock { $0.isEmpty } == !isQuestion)
    #expect(plain.withLock { $0 } == (operation == .printJob ? 1 : 0))
    door.close()
    server.close()
  }

  /// A printer may ask as late as with the job, which it has not taken then.
  @Test func `who refuses a job without encryption gets it, and the password, with it`()
    async throws
  {
    let server = try ScriptedServer { client in
      while true {
        let request = try client.readRequest()
        guard request.field("Authorization") == nil else {
          try client.send(IPPAnswer(to: request).http)
          continue
        }
        try client.send(
          IPPAnswer.http(
            [], status: "401 Unauthorized", fields: ["WWW-Authenticate: Basic realm=\"x\""]))
      }
    }
    let door = try EncryptedDoor(["printer": server.port], plain: server.port) { _ in "printer" }
    let uri = try #require(PrinterURI("ipp" + door.uri.dropFirst(4)))
    let isKept = try await onThread { () throws(IPPError) in
      let connection = try Connection(
        to: uri, security: Security { (_) throws(Failure) in ChallengeTests.credentials },
        timeout: endlessly, cancellation: Cancellation())
      #expect(try connection.exchange(question(uri, .createJob)).status == .ok)
      return connection.isAgreed && connection.peer != nil
    }
    #expect(isKept)
    door.close()
    server.close()
  }

  /// There is no ticket for a host without a dot in its name; if the printer also accepts a password, that would
  /// work.
  @Test(arguments: [
    ("Negotiate", "kinit"), ("Negotiate, Digest realm=\"r\", nonce=\"n\"", "airprint login"),
  ])
  func `who has no ticket hears what is missing`(_ asked: String, _ help: String) async throws {
    let server = try ScriptedServer { client in
      while true {
        _ = try client.readHead()
        try client.send(
          IPPAnswer.http([], status: "401 Unauthorized", fields: ["WWW-Authenticate: \(asked)"]))
      }
    }
    let found = await failure { () throws(IPPError) in _ = try await self.asked(server.uri, nil) }
    #expect(found.kind == .unauthorized && found.message.contains(help), "\(found.message)")
    server.close()
  }

  /// The DNS decides for which host Kerberos' libraries get a ticket; its realm may be named like the host.
  @Test(arguments: [
    ("printer.corp.example", "printer.corp.example", true),
    ("Printer.Corp.Example.", "printer.corp.example", true),
    (
      String(repeating: "long.", count: 30) + "example",
      String(repeating: "long.", count: 30) + "example", true
    ),
    ("printer.corp.example", "intranet.corp.example", false),
    ("corp.example", "intranet.corp.example", false),
    ("corp.example", "printer.corp.example", false),
  ])
  func `a ticket is for the host that was named`(_ named: String, _ host: String, _ isFor: Bool)
    throws
  {
    func der(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
      [tag] + (body.count < 0x80 ? [] : [0x81]) + [UInt8(body.count)] + body
    }
    let names = der(0x30, der(0x1B, Array("HTTP".utf8)) + der(0x1B, Array(host.utf8)))
    let token = der(0xA1, der(0x1B, Array("CORP.EXAMPLE".utf8))) + der(0xA1, names) + [0x1B]
    var security = Security()
    security.host = named
    let proof = try #require(security.named(named))
    for scheme in ["Negotiate", "Local"] {
      let ticket = KerberosTicket("\(scheme) \(Data(token).base64EncodedString())", for: proof)
      #expect((ticket != nil) == (isFor && scheme == "Negotiate"))
    }
  }

  @Test func `wrong credentials are tried once`() async throws {
    let tries = Mutex(0)
    let server = try ScriptedServer { client in
      while true {
        let request = try client.readRequest(tellsToGoOn: false)
        if request.field("Authorization") != nil { tries.withLock { $0 += 1 } }
        let field = "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\(tries.withLock { $0 })\""
        try client.send(IPPAnswer.http([], status: "401 Unauthorized", fields: [field]))
      }
    }
    let found = await failure { () throws(IPPError) in
      _ = try await asked(server.uri, ChallengeTests.credentials)
    }
    #expect(found.kind == .unauthorized)
    #expect(found.message.contains("does not accept the user name and the password"))
    // A second time, because the nonce may have been too old.
    #expect(tries.withLock { $0 } <= 2)
    let none = await failure { () throws(IPPError) in _ = try await asked(server.uri, nil) }
    #expect(none.kind == .unauthorized)
    #expect(none.message.contains("asks for a user name and a password"), "\(none.message)")
    server.close()
  }

  /// The server asks for credentials only after it has read the document: what its printer has of that, it can't tell.
  @Test(
    arguments: [
      (ChallengeTests.credentials, nil, 2),
      (Credentials(user: "kay", password: "wrong"), .unauthorized, 2), (nil, .unauthorized, 1),
    ] as [(Credentials?, IPPError.Kind?, Int)])
  func `a document that needs a password is sent again, once`(
    _ credentials: Credentials?, _ expected: IPPError.Kind?, _ attempts: Int
  ) async throws {
    let server = try ScriptedServer { client in
      while true {
        let request = try client.readRequest()
        let answer = request.field("Authorization").flatMap { DigestAnswer($0) }
        guard answer?.isRight(for: ChallengeTests.credentials) == true else {
          let field = "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", algorithm=MD5"
          try client.send(IPPAnswer.http([], status: "401 Unauthorized", fields: [field]))
          continue
        }
        try client.send(IPPAnswer(to: request).http)
      }
    }
    let document = [UInt8](repeating: 7, count: 3_000_000)
    let (found, hasSent, isRefused) = try await sending(document, to: server.uri, credentials)
    #expect(found == expected)
    #expect(hasSent && isRefused == (expected != nil))
    #expect(server.requests.map(\.document.count) == Array(repeating: 3_000_000, count: attempts))
  }

  /// Only the last chunk is missing, which is empty: the printer may have the document.
  @Test(arguments: [(Capabilities.Operation.printJob, false), (.sendDocument, true)])
  func `a refusal instead of the last chunk is one behind the last byte`(
    _ operation: Capabilities.Operation, _ isWantedAgain: Bool
  ) async throws {
    let document = [UInt8](repeating: 7, count: 1_000)
    let hasRefused = Atomic<Bool>(false)
    let server = try ScriptedServer { client in
      _ = try client.readHead()
      try client.send("HTTP/1.1 100 Continue\r\n\r\n")
      var body: [UInt8] = []
      while !body.suffix(document.count).elementsEqual(document) { body += try client.readChunk() }
      let field = "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", algorithm=MD5"
      try client.send(IPPAnswer.http([], status: "401 Unauthorized", fields: [field]))
      hasRefused.store(true, ordering: .relaxed)
      client.stall()
    }
    let uri = try #require(PrinterURI(server.uri))
    let (isWanted, hasSent) = try await onThread { () throws(IPPError) -> (Bool, Bool) in
      let connection = try Connection(
        to: uri, security: Security { (_) throws(Failure) in ChallengeTests.credentials },
        timeout: endlessly, cancellation: Cancellation())
      try connection.beginDocument(question(uri, operation))
      #expect(try write(document[...], to: connection))
      for _ in 0..<60_000 where !hasRefused.load(ordering: .relaxed) { usleep(1_000) }
      do throws(IPPError) {
        return (try connection.finish() == nil, connection.hasSentDocument)
      } catch {
        guard error.kind == .unauthorized else { throw error }
        return (false, connection.hasSentDocument)
      }
    }
    #expect(isWanted == isWantedAgain)
    #expect(hasSent)
    server.close()
  }

  /// It asks for encryption after it has read the document, and then can't encrypt.
  @Test func `a document that needs encryption is refused`() async throws {
    let server = try ScriptedServer { client in
      _ = try client.readRequest()
      try client.send(IPPAnswer.http([], status: "426 Upgrade Required"))
    }
    let (found, hasSent, isRefused) = try await sending([1, 2, 3], to: server.uri, nil)
    #expect(found == .insecure && hasSent && isRefused)
    #expect(server.requests.filter { $0.head.hasPrefix("POST") }.count == 1)
  }

  /// Returns the error, if there is one, if the printer may have a byte of the document, and if its server refused it.
  private func sending(
    _ document: [UInt8], to uri: String, _ credentials: Credentials?
  ) async throws -> (IPPError.Kind?, Bool, Bool) {
    try await onThread { () throws(IPPError) in
      guard let uri = PrinterURI(uri) else { throw IPPError(.unresolved, "\(uri) is no URI") }
      let security = Security { (_) throws(Failure) in credentials }
      let connection = try Connection(
        to: uri, security: security, timeout: endlessly, cancellation: Cancellation())
      do throws(IPPError) {
        _ = try send(document, over: connection, by: .sendDocument)
        return (nil, connection.hasSentDocument, connection.isRefused)
      } catch {
        return (error.kind, connection.hasSentDocument, connection.isRefused)
      }
    }
  }

  /// Nothing is sent in response to an answer that was not requested.
  @Test func `with a pin, a server without encryption hears nothing of a request`() async throws {
    let heads = Mutex<[String]>([])
    let server = try ScriptedServer { client in
      while true {
        let head = try client.readHead()
        heads.withLock { $0.append(head) }
        try client.send(IPPAnswer.http([], status: "400 Bad Request"))
      }
    }
    // An answer to a ClientHello that is not TLS.
    let plain = try ScriptedServer { client in
      _ = try client.read(5)
      try client.send(IPPAnswer.http([], status: "400 Bad Request"))
    }
    let pin = try #require(Fingerprint(bytes: Array(0..<32)))
    for uri in [server.uri, plain.secureURI] {
      let found = await failure { () throws(IPPError) in
        _ = try await asked(uri, ChallengeTests.credentials, pin: pin)
      }
      #expect(found.kind == .untrusted, "\(uri): \(found.message)")
    }
    let found = await failure { () throws(IPPError) in
      _ = try await asked(plain.secureURI, nil)
    }
    #expect(found.kind == .insecure, "\(found.message)")
    #expect(heads.withLock { $0 }.allSatisfy { !$0.hasPrefix("POST") })
    #expect(heads.withLock { $0 }.contains { $0.hasPrefix("OPTIONS * ") })
    plain.close()
    server.close()
  }
}

/// The parameters of an `Authorization: Digest …` field.
private struct DigestAnswer {
  private var parts: [String: String] = [:]

  init?(_ field: String) {
    guard field.hasPrefix("Digest ") else { return nil }
    var rest = field.dropFirst(7)
    while let equals = rest.firstIndex(of: "=") {
      let name = rest[..<equals].drop { $0 == " " || $0 == "," }
      rest = rest[rest.index(after: equals)...]
      let isQuoted = rest.first == "\""
      if isQuoted { rest = rest.dropFirst() }
      let value = rest.prefix { isQuoted ? $0 != "\"" : $0 != "," }
      rest = rest.dropFirst(value.count + (isQuoted ? 1 : 0))
      parts[String(name)] = String(value)
    }
  }

  subscript(_ name: String) -> String { parts[name] ?? "" }

  func isRight(for credentials: Credentials) -> Bool {
    let one = md5("\(credentials.user):\(self["realm"]):\(credentials.password)")
    let two = md5("POST:\(self["uri"])")
    let middle =
      parts["qop"] == nil
      ? self["nonce"]
      : [self["nonce"], self["nc"], self["cnonce"], self["qop"]].joined(separator: ":")
    return credentials.user == self["username"]
      && self["response"] == md5("\(one):\(middle):\(two)")
  }

  private func md5(_ text: String) -> String {
    var hash = [UInt8](repeating: 0, count: 16)
    _ = cupsHashData("md5", text, text.utf8.count, &hash, hash.count)
    return hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension Security {
  /// Makes settings with which the printer is told these credentials.
  fileprivate init(
    _ credentials: @escaping @Sendable (_ shown: Fingerprint?) throws(Failure) -> Credentials?
  ) {
    self.init()
    self.credentials = credentials
  }
}
