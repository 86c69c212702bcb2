import FoundationEssentials
import TestSupport
import Testing

/// Certificates that an authority vouches for, by the machine's own list in /etc/ssl/certs.
@Suite(.inTurn) struct AuthorityTests {
  @Test(.needsNamespaces) func `an authority's word is as good as the pin, for the name it names`()
    async throws
  {
    let person = try await Person.anybody()
    let authority = try await Authority(person)
    let machine = try Machine(person)
    try machine.put(authority.certificate, at: "ssl/certs/ca-certificates.crt")
    let printer = try await person.office()
    #expect(try await person.airprint("pick", printer.secureURI, "--as", "Till").code == 0)
    let pin = try person.tillPin

    let strangers: [(name: String, days: Int)] = [("elsewhere", 2), ("localhost", -1)]
    for stranger in strangers {
      try await authority.certify(printer, as: stranger.name, days: stranger.days)
      let refused = try await machine.airprint("show", "Till")
      #expect(refused.code == 77, "\(stranger): \(refused.report)")
      #expect(try person.tillPin == pin, "\(stranger)")
    }
    try await authority.certify(printer, as: "localhost", days: 2)
    // A machine that does not know the authority.
    #expect(try await person.airprint("show", "Till").code == 77)
    let file = try person.document(PDF().bytes)
    let printed = try await machine.airprint("print", "-d", "Till", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stderr.contains("an authority vouches for it"), "\(printed.stderr)")
    #expect(try printer.jobs().count == 1)
    // What it vouched for is the pin from now on.
    #expect(try person.tillPin != pin)
    #expect(try await person.airprint("show", "Till").code == 0)
    await printer.stop()
  }
}

extension Person {
  /// The certificate of the only printer in printers.toml.
  fileprivate var tillPin: String {
    get throws {
      let line = try text("config/airprint/printers.toml").split(separator: "\n")
        .first { $0.hasPrefix("certificate") }
      return String(try #require(line))
    }
  }
}

/// A certificate authority of a test's own, by openssl.
private struct Authority {
  let person: Person
  let certificate: [UInt8]

  private static let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

  init(_ person: Person) async throws {
    self.person = person
    try await Self.shell(
      "openssl req -x509 \(Self.key) -keyout ca.key -out ca.crt -subj '/CN=An authority' -days 2",
      person)
    certificate = try bytes(of: person.path("ca.crt"))
  }

  /// Gives the printer a certificate for `name`, in the place of the one that it made itself.
  /// - Parameter days: how long it holds; less than 0: it has run out.
  func certify(_ printer: VirtualPrinter, as name: String, days: Int) async throws {
    try await Self.shell(
      """
      openssl req \(Self.key) -keyout leaf.key -out leaf.csr -subj /CN=\(name) \
        -addext subjectAltName=DNS:\(name) -addext extendedKeyUsage=serverAuth
      openssl x509 -req -in leaf.csr -out leaf.crt -CA ca.crt -CAkey ca.key -days \(days) \
        -copy_extensions copy
      """, person)
    let names = try FileManager.default.contentsOfDirectory(atPath: printer.keysFolder)
    #expect(names.contains { $0.hasSuffix(".crt") } && names.contains { $0.hasSuffix(".key") })
    for name in names {
      let file = name.hasSuffix(".key") ? "leaf.key" : "leaf.crt"
      try bytes(of: person.path(file)).write(to: "\(printer.keysFolder)/\(name)")
    }
  }

  private static func shell(_ script: String, _ person: Person) async throws {
    let made = try await person.bench.run(["sh", "-ec", "cd \(person.path(""))\n\(script)"])
    try #require(made.code == 0, "\(made.report)")
  }
}
