import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// A certificate that was refused is not kept, wherever in a job it was met, and gets neither documents nor passwords.
@Suite struct RefusedCertificateTests {
  /// The operation after which the connection breaks, and the next one meets somebody else.
  @Test(arguments: [
    OddPrinter.createJob, OddPrinter.sendDocument, OddPrinter.getJobAttributes,
  ])
  func `one connection is cut, and another certificate answers once`(_ operation: Int) async throws
  {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    let secret = try person.document(Array("alice:kept-secret\n".utf8), "secret")
    let basic = "Basic " + Data("alice:kept-secret".utf8).base64EncodedString()
    let unauthorized = Array(
      "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"
        .utf8)
    let phase = Mutex("calm")
    let printer = try OddPrinter { request, state in
      guard request.field("Authorization") == basic else { return .bytes(unauthorized) }
      // The printer has done what it was requested, and its answer is lost.
      let isCut = phase.withLock { phase in
        guard phase == "armed", state.log.last == operation else { return false }
        phase = "cut"
        return true
      }
      return isCut ? .mute : .usual
    }
    let heads = Mutex<[String]>([])
    let stranger = try ScriptedServer { client in
      while true {
        let head = try client.readHead()
        heads.withLock { $0.append(head) }
        try client.send(unauthorized)
      }
    }
    let door = try EncryptedDoor(["printer": printer.port, "stranger": stranger.port]) { _ in
      phase.withLock { phase in
        defer { if phase == "cut" { phase = "over" } }
        return ["cut", "taken"].contains(phase) ? "stranger" : "printer"
      }
    }
    _ = try await person.airprint("login", door.uri, "--password-file", secret)
    let picked = try await person.airprint("pick", door.uri, "--as", "Office")
    #expect(picked.code == 0, "\(picked.report)")
    let saved = try person.text("config/airprint/printers.toml")
    let passwords = try person.text("config/airprint/passwords.toml")

    phase.withLock { $0 = "armed" }
    let printed = try await person.airprint("print", "-d", "Office", file)
    #expect(phase.withLock { $0 } == "over", "\(printed.report)")
    #expect(!printed.stderr.contains("vouches"), "\(printed.report)")
    #expect(try person.text("config/airprint/printers.toml") == saved)
    #expect(try person.text("config/airprint/passwords.toml") == passwords)

    // From now on, only the other one answers.
    phase.withLock { $0 = "taken" }
    let refused = try await person.airprint("print", "-d", "Office", file)
    #expect(refused.code == 77, "\(refused.report)")
    #expect(refused.stderr.contains("certificate has changed"), "\(refused.report)")
    #expect(heads.withLock { $0 }.isEmpty)
    #expect(try person.text("config/airprint/printers.toml") == saved)
    #expect(try person.text("config/airprint/passwords.toml") == passwords)
    door.close()
    stranger.close()
    printer.close()
  }
}
