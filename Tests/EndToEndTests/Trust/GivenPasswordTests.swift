import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// Passwords that are given to a command, and the printers for which they are.
@Suite(.inTurn) struct GivenPasswordTests {
  /// A printer that asks everyone for a password, over TLS, and notes what it is told.
  struct AskingPrinter: Sendable {
    private final class Notes: Sendable {
      let told = Mutex<Set<String>>([])
      let certificate: Mutex<String>
      init(_ certificate: String) { self.certificate = Mutex(certificate) }
    }

    private let notes: Notes
    private let printer: OddPrinter
    private let door: EncryptedDoor

    /// - `certificate`: the one that it presents.
    /// - `accepted`: the only password that it accepts; nil: any.
    init(_ certificate: String, accepts accepted: String? = nil) throws {
      let notes = Notes(certificate)
      self.notes = notes
      printer = try OddPrinter { request, _ in
        let field = (request.field("Authorization") ?? "").replacing("Basic ", with: "")
        let told = Data(base64Encoded: field).map { String(decoding: $0, as: UTF8.self) } ?? ""
        if !told.isEmpty { notes.told.withLock { _ = $0.insert(told) } }
        guard told.isEmpty || accepted.map({ $0 != told }) == true else { return .usual }
        let asked = "WWW-Authenticate: Basic realm=\"x\""
        return .bytes(IPPAnswer.http([], status: "401 Unauthorized", fields: [asked]))
      }
      let port = printer.port
      door = try EncryptedDoor(["a": port, "b": port, "c": port]) { _ in
        notes.certificate.withLock { $0 }
      }
    }

    var uri: String { door.uri }
    /// The passwords that it was told.
    var passwords: Set<String> { notes.told.withLock { $0 } }

    /// Makes another printer of it, which was told nothing.
    func become(_ certificate: String) {
      notes.told.withLock { $0 = [] }
      notes.certificate.withLock { $0 = certificate }
    }

    /// Lets its jobs print forever.
    func printForever() { printer.with { $0.ending = (5, ["job-printing"], nil) } }

    func close() {
      door.close()
      printer.close()
    }
  }

  private func queue(
    _ printers: AskingPrinter..., by person: Person, giving secret: String? = nil
  ) async throws -> String {
    let file = try person.document(PDF().bytes)
    let queued = try await person.airprint(
      ["print", "--later", "-d", printers.map(\.uri).joined(separator: ","), file],
      adding: secret.map { ["AIRPRINT_PASSWORD_FILE": $0] } ?? [:])
    return try #require(queued.stdout.split(separator: "\n").first.map(String.init))
  }

  /// Another printer, another password and a mistake do not change that.
  @Test func `a queued job is printed with the password that was given for it`() async throws {
    let person = try await Person.anybody()
    let printer = try AskingPrinter("a", accepts: "kay:own")
    let other = try AskingPrinter("b", accepts: "kay:none")
    let own = try person.document(Array("kay:own\n".utf8), "own")
    let wrong = try person.document(Array("kay:wrong\n".utf8), "wrong")
    let job = try await queue(printer, by: person, giving: own)
    let elsewhere = try await person.airprint(
      "queue", "run", "-d", other.uri, adding: ["AIRPRINT_PASSWORD_FILE": wrong])
    #expect(elsewhere.code == 77, "\(elsewhere.report)")
    let unasked = try await person.airprint("queue", "run", "-d", other.uri)
    #expect(unasked.code == 77, "\(unasked.report)")
    let run = try await person.airprint(
      "queue", "run", job, adding: ["AIRPRINT_PASSWORD_FILE": wrong])
    #expect(run.code == 0, "\(run.report)")
    #expect(printer.passwords == ["kay:own"] && other.passwords == ["kay:wrong"])
    printer.close()
    other.close()
  }

  @Test func `the environment's password reaches no printer that a run of the queue does not name`()
    async throws
  {
    let person = try await Person.anybody()
    let printers = [try AskingPrinter("a"), try AskingPrinter("b")]
    let jobs = [
      try await queue(printers[0], by: person), try await queue(printers[1], by: person),
    ]
    let variables = [
      "AIRPRINT_PASSWORD_FILE": try person.document(Array("kay:hers\n".utf8), "hers")
    ]
    let all = try await person.airprint("queue", "run", adding: variables)
    #expect(all.code == 77, "\(all.report)")
    #expect(printers.map(\.passwords) == [[], []])
    let one = try await person.airprint("queue", "run", jobs[0], adding: variables)
    #expect(one.code == 0, "\(one.report)")
    #expect(printers[0].passwords == ["kay:hers"] && printers[1].passwords.isEmpty)
    // It may be another printer's.
    #expect(try !person.text("state/airprint/jobs/\(jobs[0])/job.json").contains("hers"))
    for printer in printers { printer.close() }
  }

  @Test func `a watch of the queue gives each printer only what was given for it`() async throws {
    let person = try await Person.anybody()
    let printers = [try AskingPrinter("a"), try AskingPrinter("b")]
    let own = try person.document(Array("kay:own\n".utf8), "own")
    let hers = try person.document(Array("kay:hers\n".utf8), "hers")
    _ = try await queue(printers[0], by: person, giving: own)
    let waiting = try await queue(printers[1], by: person)
    let watch = try person.bench.start(
      ["airprint", "queue", "watch", "--print"],
      adding: person.variables.merging(["AIRPRINT_PASSWORD_FILE": hers]) { $1 })
    try await eventually("one is printed") { try await person.queue() == [waiting] }
    try await watch.wait(for: "asks for a user name and a password")
    watch.signal(SIGTERM)
    let outcome = await watch.end()
    #expect(outcome.code == 0, "\(outcome.report)")
    #expect(printers.map(\.passwords) == [["kay:own"], []])
    for printer in printers { printer.close() }
  }

  /// Another printer has got the address, and the user has accepted that.
  @Test func `a job's password is sent over its own printer's certificate`() async throws {
    let person = try await Person.anybody()
    let printer = try AskingPrinter("a")
    printer.printForever()
    let own = try person.document(Array("kay:own\n".utf8), "own")
    let file = try person.document(PDF().bytes)
    let sent = try await person.airprint(
      "print", "-d", printer.uri, "--no-wait", "--json", "--password-file", own, file)
    let job = try #require(try sent.jsonLines.first?.job?.string, "\(sent.report)")
    #expect(printer.passwords == ["kay:own"])
    _ = try await person.airprint("jobs")
    printer.become("b")
    #expect(try await person.airprint("trust", printer.uri, "--yes").code == 0)
    _ = try await person.airprint("jobs")
    let wait = try await person.airprint("wait", job, "--timeout", "0")
    #expect(wait.code == 77, "\(wait.report)")
    #expect(printer.passwords.isEmpty)
    // The user names the job, and what is given for its printer.
    let new = try person.document(Array("kay:new\n".utf8), "new")
    let named = try await person.airprint(
      "wait", job, "--timeout", "0", adding: ["AIRPRINT_PASSWORD_FILE": new])
    #expect(named.code == 75, "\(named.report)")
    #expect(printer.passwords == ["kay:new"])
    printer.close()
  }

  /// It waits, because the printer asks for another one: that was the first contact.
  @Test func `a queued job's password is sent over the certificate that got it first`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try AskingPrinter("a", accepts: "kay:other")
    let own = try person.document(Array("kay:own\n".utf8), "own")
    _ = try await queue(printer, by: person, giving: own)
    #expect(try await person.airprint("queue", "run").code == 77)
    #expect(printer.passwords == ["kay:own"])
    printer.become("b")
    #expect(try await person.airprint("trust", printer.uri, "--yes").code == 0)
    #expect(try await person.airprint("queue", "run").code == 77)
    #expect(printer.passwords.isEmpty)
    printer.close()
  }

  @Test func `of several printers, each that was named gets the password, and no other`()
    async throws
  {
    let person = try await Person.anybody()
    let printers = [
      try AskingPrinter("a"), try AskingPrinter("b", accepts: "kay:own"), try AskingPrinter("c"),
    ]
    let own = try person.document(Array("kay:own\n".utf8), "own")
    _ = try await queue(printers[0], printers[1], by: person, giving: own)
    let other = try await person.airprint("queue", "run", "-d", printers[2].uri)
    #expect(other.code == 77 && printers[2].passwords.isEmpty, "\(other.report)")
    printers[0].close()
    let run = try await person.airprint("queue", "run")
    #expect(run.code == 0, "\(run.report)")
    #expect(printers[1].passwords == ["kay:own"])
    for printer in printers[1...] { printer.close() }
  }
}
