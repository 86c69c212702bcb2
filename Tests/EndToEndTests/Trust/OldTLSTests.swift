import FoundationEssentials
import TestSupport
import Testing

/// Printers with only obsolete TLS versions (RFC 8996): nothing older than TLS 1.2 is used, unless the user has
/// allowed it for that printer.
@Suite(.inTurn) struct OldTLSTests {
  /// Starts an office printer whose libcups supports nothing newer than `version` (client.conf(5)).
  private func office(
    upTo version: String, _ person: Person
  ) async throws -> VirtualPrinter {
    let home = person.path("tls-\(version)")
    try FileManager.default.createDirectory(
      atPath: "\(home)/.cups", withIntermediateDirectories: true)
    try writeFile(Array("SSLOptions MaxTLS\(version)\n".utf8), to: "\(home)/.cups/client.conf")
    return try await person.office(surroundings: ["env", "HOME=\(home)"])
  }

  @Test(arguments: ["1.0", "1.1"])
  func `76, and what it is: nothing is sent to a printer that speaks no newer`(
    _ version: String
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await office(upTo: version, person)
    let file = try person.document(PDF().bytes)
    for command in [["print", "-d", printer.secureURI, file], ["pick", printer.secureURI]] {
      let refused = try await person.airprint(command)
      #expect(refused.code == 76, "\(refused.report)")
      #expect(
        refused.stderr.contains(
          "only supports TLS \(version), which can be broken (RFC 8996)"),
        "\(refused.stderr)")
      #expect(refused.stderr.contains("pick it with --tls \(version)"), "\(refused.stderr)")
    }
    // It does encrypt, though.
    let trusted = try await person.airprint("trust", "--yes", printer.uri)
    #expect(trusted.code == 76, "\(trusted.report)")
    #expect(try printer.jobs().isEmpty)

    // The option applies to this printer under any name, and to no other.
    let unseen = try await person.airprint("pick", printer.secureURI, "--as", "A", "--no-contact")
    #expect(unseen.code == 0, "\(unseen.report)")
    let picked = try await person.airprint(
      "pick", printer.secureURI, "--as", "Old", "--tls", version, "--json")
    #expect(picked.code == 0, "\(picked.report)")
    #expect(try picked.json.tls == .string(version))
    #expect(try person.text("config/airprint/printers.toml").contains("tls = '\(version)'"))
    #expect(try await person.airprint("print", "-d", "Old", file).code == 0)
    #expect(try await person.airprint("print", "-d", "A", file).code == 0)
    #expect(try printer.jobs().count == 2)
    let other = try await office(upTo: version, person)
    #expect(try await person.airprint("print", "-d", other.secureURI, file).code == 76)

    // It stays if the printer is picked again, until the option is given again.
    for name in ["Old", printer.secureURI] {
      let again = try await person.airprint("pick", name, "--as", "Old", "--set", "copies=2")
      #expect(again.code == 0, "\(again.report)")
      #expect(try await person.airprint("show", "Old").code == 0)
    }
    let stricter = try await person.airprint("pick", "Old", "--tls", "1.2")
    #expect(stricter.code == 76, "\(stricter.report)")
    #expect(try await person.airprint("show", "Old").code == 0)
    await printer.stop()
    await other.stop()
  }

  @Test func `a printer that speaks TLS 1-2, of which 1-3 is asked`() async throws {
    let person = try await Person.anybody()
    let printer = try await office(upTo: "1.2", person)
    #expect(try await person.airprint("show", printer.secureURI).code == 0)
    let refused = try await person.airprint("pick", printer.secureURI, "--tls", "1.3")
    #expect(refused.code == 76, "\(refused.report)")
    #expect(
      refused.stderr.contains(
        "only supports TLS 1.2. Nothing was sent; to accept this, "
          + "pick it with --tls 1.2"), "\(refused.stderr)")
    await printer.stop()
  }

  @Test func `64 and 78: no version of TLS`() async throws {
    let person = try await Person.anybody()
    let uri = "ipps://localhost:\(try freePort())/ipp/print"
    let refused = try await person.airprint("pick", uri, "--no-contact", "--tls", "3")
    #expect(refused.code == 64, "\(refused.report)")
    #expect(refused.stderr.contains("1.0, 1.1, 1.2 or 1.3"), "\(refused.stderr)")
    #expect(
      try await person.airprint("pick", uri, "--no-contact", "--as", "Unseen", "--tls", "1.0").code
        == 0)
    let listed = try await person.airprint("printers", "--json")
    #expect(try listed.json.array?.first?.tls == .string("1.0"))
    let book = person.path("config/airprint/printers.toml")
    let wrong = try person.text("config/airprint/printers.toml").replacing("1.0", with: "ssl")
    try writeFile(Array(wrong.utf8), to: book)
    let read = try await person.airprint("printers")
    #expect(read.code == 78, "\(read.report)")
    #expect(read.stderr.contains("tls takes"), "\(read.stderr)")
  }
}
