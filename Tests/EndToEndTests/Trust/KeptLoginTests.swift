import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A password that `login` has saved only goes to the printer that accepted it, whatever other printers claim to be.
@Suite(.inTurn) struct KeptLoginTests {
  /// A printer with a password, and a user who has it in a file.
  private struct Guarded {
    let person: Person
    let simulation: Simulation
    let secret: String
    let file: String
    let uuid: String

    init() async throws {
      person = try await Person.anybody()
      simulation = try await person.simulate("laser", "--require-password")
      let password = try #require(simulation.printers[0].password?.string)
      secret = try person.document(Array("till:\(password)\n".utf8), "secret")
      file = try person.document(PDF().bytes)
      let stated = try #require(simulation.printers[0].uuid?.string)
      uuid = stated.hasPrefix("urn:uuid:") ? String(stated.dropFirst(9)) : stated
    }

    /// Announces a TLS service that leads to it, and returns its URI.
    func publish(_ name: String, uuid: String? = nil) async throws -> (Announcement, String) {
      let port = try #require(Int(simulation.port))
      let path = simulation.uri.split(separator: "/", maxSplits: 2).last ?? ""
      let record = try await person.bench.publish(
        name, type: "_ipps._tcp", port: port,
        txt: ["rp=\(path)", "pdl=image/urf"] + (uuid.map { ["UUID=\($0)"] } ?? []))
      let found = try await person.airprint("discover", "--name", name, "--json")
      let uri = try #require(try found.json.array?.first?.uri?.string, "\(found.report)")
      return (record, uri)
    }

    func logIn(_ printer: String) async throws {
      let login = try await person.airprint("login", printer, "--password-file", secret)
      #expect(login.code == 0, "\(login.report)")
    }

    func print(_ printer: String) async throws -> Outcome {
      try await person.airprint("print", "-d", printer, file)
    }

    /// Replaces the connection saved with the password: `none`, or nothing, as in older versions.
    func note(_ connection: String?) throws {
      let lines = try person.text("config/airprint/passwords.toml").split(separator: "\n")
      var old = lines.filter { !$0.hasPrefix("certificate") }
      if let connection { old.append("certificate = '\(connection)'") }
      try person.configure(old.joined(separator: "\n") + "\n", in: "passwords.toml")
      chmod(person.path("config/airprint/passwords.toml"), 0o600)
    }
  }

  /// Any record can have any host and port.
  @Test(arguments: ["none", nil])
  func `a printer that was found gets no password of an address`(_ connection: String?)
    async throws
  {
    let guarded = try await Guarded()
    let name = "Lobby \(guarded.simulation.port)"
    let (record, uri) = try await guarded.publish(name)
    let plain = "ipp" + uri.dropFirst(4)
    try await guarded.logIn(plain)
    #expect(try await guarded.print(plain).code == 0)
    try guarded.note(connection)
    if connection == nil { #expect(try await guarded.print(plain).code == 0) }
    let refused = try await guarded.print(name)
    #expect(refused.code == 77, "\(refused.report)")
    #expect(refused.stderr.contains("airprint login"), "\(refused.stderr)")
    let picked = try await guarded.person.airprint("pick", name, "--as", "Lobby")
    #expect(picked.code == 77, "\(picked.report)")
    await record.withdraw()
    _ = await guarded.simulation.end()
  }

  /// Any printer can state any UUID.
  @Test func `a printer that encrypts gets no password of one that does not`() async throws {
    let guarded = try await Guarded()
    let person = guarded.person
    let office = """
      [printers.Office]
      uri = "\(guarded.simulation.uri)"
      uuid = "\(guarded.uuid)"

      """
    try person.configure(office, in: "printers.toml")
    #expect(try await person.airprint("trust", "--yes", "Office").code == 0)
    try await guarded.logIn("Office")
    #expect(try await guarded.print("Office").code == 0)
    try guarded.note("none")
    try person.configure(
      office + """
        [printers.Lobby]
        uri = "\(guarded.simulation.secureURI)"
        uuid = "\(guarded.uuid)"

        """, in: "printers.toml")
    let refused = try await guarded.print("Lobby")
    #expect(refused.code == 77, "\(refused.report)")
    // Also a password that an older version saved.
    try person.configure(
      office + """
        [printers.Lobby]
        uri = "\(guarded.simulation.secureURI)"
        uuid = "\(guarded.uuid)"

        """, in: "printers.toml")
    try guarded.note(nil)
    #expect(try await guarded.print("Lobby").code == 77)
    try person.configure(office, in: "printers.toml")
    let picked = try await person.airprint("pick", guarded.simulation.secureURI, "--as", "Office")
    #expect(picked.code == 77, "\(picked.report)")
    _ = await guarded.simulation.end()
  }

  @Test func `a printer keeps its password by its name, saved, and with a new certificate`()
    async throws
  {
    let guarded = try await Guarded()
    let person = guarded.person
    let name = "Till \(guarded.simulation.port)"
    let (record, uri) = try await guarded.publish(name, uuid: guarded.uuid)
    try await guarded.logIn(name)
    #expect(try await guarded.print(name).code == 0)
    let picked = try await person.airprint("pick", name, "--as", "Till")
    #expect(picked.code == 0, "\(picked.report)")
    #expect(try await guarded.print("Till").code == 0)
    await record.withdraw()
    #expect(try await person.airprint("logout", "Till").code == 0)
    #expect(try await guarded.print("Till").code == 77)

    try await guarded.logIn("Till")
    try guarded.note(nil)
    #expect(try await guarded.print("Till").code == 0)
    try await guarded.logIn("Till")
    let renewed = try await person.airprint(
      "simulate", "fault", guarded.simulation.name, "new-certificate")
    #expect(renewed.code == 0, "\(renewed.report)")
    #expect(try await guarded.print("Till").code == 77)
    #expect(try await person.airprint("trust", "--yes", "Till").code == 0)
    let printed = try await guarded.print("Till")
    #expect(printed.code == 0, "\(printed.report), \(uri)")
    _ = await guarded.simulation.end()
  }
}
