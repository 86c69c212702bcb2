import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// A certificate that was never seen: it is told no password if the printer did not encrypt before, and it replaces
/// none that was accepted meanwhile.
@Suite(.inTurn) struct FirstCertificateTests {
  /// A printer without encryption, at whose port a stranger answers later, who encrypts and asks for the password
  /// itself.
  private struct Replaced {
    let person: Person
    let printer: OddPrinter
    let door: EncryptedDoor
    let file: String
    let secret: String
    private let isReplaced = Flag()

    /// Something that is changed once.
    final class Flag: Sendable { let value = Mutex(false) }

    var uri: String { "ipp" + door.uri.dropFirst(4) }
    /// Passwords that arrived.
    let passwords: Passwords
    final class Passwords: Sendable { let fields = Mutex<[String]>([]) }

    /// - `challenge`: what it asks for, before it is replaced; `answer`: the HTTP status if it gets that.
    init(asking challenge: String? = nil, _ answer: String? = nil) async throws {
      person = try await Person.anybody()
      file = try person.document(PDF().bytes)
      secret = try person.document(Array("alice:kept-secret\n".utf8), "secret")
      let passwords = Passwords()
      let flag = isReplaced
      self.passwords = passwords
      printer = try OddPrinter { request, _ in
        let isReplaced = flag.value.withLock { $0 }
        let asked = challenge.map { "WWW-Authenticate: \($0)" }
        if let field = request.field("Authorization") {
          passwords.fields.withLock { $0.append(field) }
          guard let answer, !isReplaced else { return .usual }
          return .bytes(IPPAnswer.http([], status: answer, fields: [asked].compactMap { $0 }))
        }
        if isReplaced { return .bytes(FirstCertificateTests.asking) }
        return asked.map { .bytes(IPPAnswer.http([], status: "401 Unauthorized", fields: [$0])) }
          ?? .usual
      }
      door = try EncryptedDoor(["stranger": printer.port], plain: printer.port) { _ in "stranger" }
    }

    func replace() { isReplaced.value.withLock { $0 = true } }

    func airprint(_ arguments: String...) async throws -> Outcome {
      try await person.airprint(arguments, adding: ["AIRPRINT_PASSWORD_FILE": secret])
    }

    /// Expects that `word`, with which the printer was known, is told no password by any command before `trust`.
    func expectTrust(_ word: String) async throws {
      for command in [
        ["print", "-d", word, file], ["login", word, "--password-file", secret],
        ["pick", word, "--as", "P"],
      ] {
        let refused = try await person.airprint(
          command, adding: ["AIRPRINT_PASSWORD_FILE": secret])
        #expect(refused.code == 77, "\(command): \(refused.report)")
        #expect(refused.stderr.contains("run: airprint trust"), "\(command): \(refused.report)")
      }
      #expect(passwords.fields.withLock { $0 }.isEmpty)
      let trusted = try await airprint("trust", "--yes", word)
      #expect(trusted.code == 0, "\(trusted.report)")
      let printed = try await airprint("print", "-d", word, file)
      #expect(printed.code == 0, "\(printed.report)")
      #expect(!passwords.fields.withLock { $0 }.isEmpty)
    }

    func end() {
      door.close()
      printer.close()
    }
  }

  private static let asking = Array(
    "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"
      .utf8)

  /// It got the password by Digest, and accepted it, refused it, or broke; the contact may leave nothing else behind.
  @Test(arguments: [
    ("show", nil), ("print", "401 Unauthorized"), ("login", "401 Unauthorized"),
    ("pick", "401 Unauthorized"), ("show", "401 Unauthorized"), ("print", "502 Bad Gateway"),
  ])
  func `a printer that got credentials without encryption is told no password before trust`(
    _ command: String, _ answer: String?
  ) async throws {
    let challenge = "Digest realm=\"x\", nonce=\"abc\", qop=\"auth\""
    let known = try await Replaced(asking: challenge, answer)
    let rest = [
      "print": ["--timeout", "3", "-d", known.uri, known.file], "pick": [known.uri, "--as", "P"],
      "login": [known.uri, "--password-file", known.secret], "show": [known.uri],
    ]
    let used = try await known.person.airprint(
      [command] + (rest[command] ?? []), adding: ["AIRPRINT_PASSWORD_FILE": known.secret])
    #expect((used.code == 0) == (answer == nil), "\(used.report)")
    let fields = known.passwords.fields.withLock { fields in
      defer { fields = [] }
      return fields
    }
    #expect(!fields.isEmpty && fields.allSatisfy { $0.hasPrefix("Digest ") }, "\(fields)")
    known.replace()
    try await known.expectTrust(known.uri)
    known.end()
  }

  /// nil: it is not saved.
  @Test(arguments: [["pick"], ["pick", "--no-contact"], nil])
  func `a printer that did not encrypt is told no password before trust`(_ pick: [String]?)
    async throws
  {
    let known = try await Replaced()
    if let pick {
      let picked = try await known.person.airprint(pick + [known.uri, "--as", "P"])
      #expect(picked.code == 0, "\(picked.report)")
    }
    let word = pick == nil ? known.uri : "P"
    let printed = try await known.airprint("print", "-d", word, known.file)
    #expect(printed.code == 0, "\(printed.report)")
    known.replace()
    try await known.expectTrust(word)
    known.end()
  }

  /// It asked for none when it was saved: that does not leave open who gets it.
  @Test func `a login that was saved without encryption is sent to no certificate`() async throws {
    let known = try await Replaced()
    let saved = try await known.person.airprint(
      "login", known.uri, "--password-file", known.secret)
    #expect(saved.code == 0, "\(saved.report)")
    known.replace()
    for command in [["show", known.uri], ["print", "-d", known.uri, known.file]] {
      let refused = try await known.person.airprint(command)
      #expect(refused.code == 77, "\(refused.report)")
    }
    #expect(known.passwords.fields.withLock { $0 }.isEmpty)
    known.end()
  }

  /// Neither `trust` nor `login` helps then: the advice must not send the user there.
  @Test(arguments: [true, false])
  func `who asks for a password without encryption is told to get it`(wasKnown: Bool) async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    let secret = try person.document(Array("alice:kept-secret\n".utf8), "secret")
    let isAsking = Mutex(!wasKnown)
    let printer = try OddPrinter { request, _ in
      #expect(request.field("Authorization") == nil)
      return isAsking.withLock { $0 } ? .bytes(Self.asking) : .usual
    }
    if wasKnown {
      let printed = try await person.airprint("print", "-d", printer.uri, file)
      #expect(printed.code == 0, "\(printed.report)")
      isAsking.withLock { $0 = true }
    }
    for command in [
      ["print", "-d", printer.uri, file],
      ["print", "-d", printer.uri, file, "--password-file", secret],
      ["show", printer.uri], ["pick", printer.uri, "--as", "P"],
      ["login", printer.uri, "--password-file", secret],
    ] {
      let refused = try await person.airprint(command)
      #expect(refused.code == 77, "\(command): \(refused.report)")
      #expect(refused.stderr.contains("does not encrypt: none was sent"), "\(refused.report)")
      #expect(!refused.stderr.contains("airprint trust"), "\(refused.report)")
    }
    printer.close()
  }

  /// Whoever answers there chooses the scheme, and its encryption is no wish of the user's.
  @Test(
    arguments: [true, false],
    ["127.0.0.1:PORT", "http://127.0.0.1:PORT", "ipp://127.0.0.1:PORT/ipp"])
  func `such a printer is known under another form of its address`(isPicked: Bool, _ form: String)
    async throws
  {
    let known = try await Replaced()
    let first =
      isPicked ? ["pick", known.uri, "--as", "P"] : ["print", "-d", known.uri, known.file]
    let used = try await known.person.airprint(first)
    #expect(used.code == 0, "\(used.report)")
    known.replace()
    let word = form.replacing("PORT", with: "\(known.door.port)")
    // The process that prints it reads the address from the journal.
    let detached = try await known.airprint("print", "--detach", "-d", word, known.file)
    let id = try #require(detached.stdout.split(separator: "\n").first.map(String.init))
    let waited = try await known.airprint("wait", id)
    #expect(waited.code == 77, "\(waited.report)")
    try await known.expectTrust(word)
    known.end()
  }

  @Test func `a list saves no certificate of such a printer`() async throws {
    let known = try await Replaced()
    let printed = try await known.airprint("print", "-d", known.uri, known.file)
    #expect(printed.code == 0, "\(printed.report)")
    let room = try EncryptedDoor(["stranger": known.printer.port], asks: true) { _ in "stranger" }
    // The stranger is where the printer was: the mark is that of its host and port.
    let marks = known.person.path("state/airprint/certificates")
    try FileManager.default.copyItem(
      atPath: "\(marks)/none=127.0.0.1:\(known.door.port)",
      toPath: "\(marks)/none=127.0.0.1:\(room.port)")
    let list = try known.person.document(
      Array("[printers.P]\nuri = \"ipp://127.0.0.1:\(room.port)/ipp/print\"\n".utf8), "list.toml")
    let picked = try await known.airprint("pick", "--from", list)
    #expect(picked.code == 77, "\(picked.report)")
    #expect(known.person.printersFile == nil)
    room.close()
    known.end()
  }

  /// Anyone can announce the name, at any address.
  @Test func `a name that was not encrypted is told no password before trust`() async throws {
    let known = try await Replaced()
    let before = try OddPrinter()
    let name = "Plain \(before.port)"
    let txt = ["rp=ipp/print", "pdl=application/pdf,image/urf"]
    let record = try await known.person.bench.publish(name, port: before.port, txt: txt)
    let printed = try await known.airprint("print", "-d", name, known.file)
    #expect(printed.code == 0, "\(printed.report)")
    await record.withdraw()
    try await eventually("the record is gone") {
      try await known.person.airprint("discover", "--name", name).code == 1
    }
    let theirs = try await known.person.bench.publish(
      name, type: "_ipps._tcp", port: known.door.port, txt: txt)
    // It asks for no password yet.
    let picked = try await known.airprint("pick", name, "--as", "P")
    #expect(picked.code == 77, "\(picked.report)")
    #expect(picked.stderr.contains("run: airprint trust"), "\(picked.report)")
    known.replace()
    try await known.expectTrust(name)
    await theirs.withdraw()
    before.close()
    known.end()
  }

  /// The stranger waits with its answer until the user has compared and accepted the printer's certificate.
  @Test(arguments: [
    ("print", false), ("print", true), ("login", false), ("login", true), ("pick", false),
    ("pick", true), ("pick --from", false),
  ])
  func `a certificate accepted meanwhile is not replaced`(_ command: String, asks: Bool)
    async throws
  {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    let secret = try person.document(Array("alice:kept-secret\n".utf8), "secret")
    let printer = try OddPrinter()
    let room = Mutex("stranger")
    let isTime = Mutex(false)
    let passwords = Mutex<[String]>([])
    let stranger = try OddPrinter { request, _ in
      if let field = request.field("Authorization") { passwords.withLock { $0.append(field) } }
      guard asks, isTime.withLock({ $0 }) else { return .late { isTime.withLock { $0 } } }
      return .bytes(Self.asking)
    }
    let door = try EncryptedDoor(["printer": printer.port, "stranger": stranger.port]) { _ in
      room.withLock { $0 }
    }
    #expect(
      try await person.airprint("pick", door.uri, "--as", "P", "--no-contact").code == 0)
    let rest = [
      "print": ["-d", "P", file], "login": ["P", "--password-file", secret], "pick": ["P"],
      "pick --from": [
        try person.document(Array("[printers.P]\nuri = \"\(door.uri)\"\n".utf8), "list.toml")
      ],
    ]
    let first = try person.bench.start(
      ["airprint"] + command.split(separator: " ").map(String.init) + (rest[command] ?? []),
      adding: person.variables.merging(["AIRPRINT_PASSWORD_FILE": secret]) { $1 })
    try await eventually("the stranger is asked") {
      stranger.count(OddPrinter.getPrinterAttributes) > 0
    }
    room.withLock { $0 = "printer" }
    #expect(try await person.airprint("trust", "--yes", "P").code == 0)
    let saved = try person.text("config/airprint/printers.toml")
    room.withLock { $0 = "stranger" }
    isTime.withLock { $0 = true }
    let refused = await first.end()
    #expect(refused.code == 77, "\(refused.report)")
    #expect(refused.stderr.contains("certificate has changed"), "\(refused.report)")
    #expect(try person.text("config/airprint/printers.toml") == saved)
    #expect(stranger.documents.isEmpty && passwords.withLock { $0 }.isEmpty)
    room.withLock { $0 = "printer" }
    let printed = try await person.airprint("print", "-d", "P", file)
    #expect(printed.code == 0, "\(printed.report)")
    door.close()
    stranger.close()
    printer.close()
  }
}
