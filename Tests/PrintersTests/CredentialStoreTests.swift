import AirprintContext
import FoundationEssentials
import Glibc
import PrintModel
import Submission
import TestSupport
import Testing

@testable import Printers

/// Which saved login a printer gets.
@Suite struct CredentialStoreTests {
  private static let uuid = "12345678-9abc-def0-1234-56789abcdef0"

  /// A user who has saved these printers, each with its URI and UUID, and this file of logins.
  private func context(
    _ printers: [(name: String, uri: String, uuid: String)], _ logins: String
  ) throws -> Context {
    let home = "\(Scratch.shared.path)/\(UUID().uuidString)"
    let folder = "\(home)/.config/airprint"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let list = printers.map { "[printers.\($0)]\nuri = \"\($1)\"\nuuid = \"\($2)\"\n" }
    for (name, text) in [("printers", list.joined()), ("passwords", logins)] {
      let path = "\(folder)/\(name).toml"
      try Data(text.utf8).write(to: URL(filePath: path))
      try #require(chmod(path, 0o600) == 0)
    }
    return Context(environment: ["HOME": home])
  }

  private func login(_ account: String) -> String {
    "[printers.\"\(account)\"]\nuser = \"kay\"\npassword = \"secret\"\ncertificate = \"none\"\n"
  }

  private func isGiven(_ printer: String, _ context: Context) throws -> Bool {
    let saved = try #require(try context.settings.printers().printer(named: printer))
    return try CredentialStore(context).credentials(
      of: PrinterReference(saved), shown: nil, pin: nil) != nil
  }

  /// Anyone can state any UUID, and cheap printers of one model have the same.
  @Test func `without encryption, a UUID of two printers is that of none`() throws {
    let till = ("Till", "ipp://192.0.2.7/ipp/print", Self.uuid)
    let logins = login(Self.uuid)
    #expect(try isGiven("Till", context([till], logins)))
    // The same printer under another name.
    let twin = ("Twin", "ipp://192.0.2.7:631/ipp", Self.uuid)
    #expect(try isGiven("Twin", context([till, twin], logins)))
    let lobby = ("Lobby", "ipp://192.0.2.8/ipp/print", Self.uuid)
    let both = try context([till, lobby], logins)
    #expect(try !isGiven("Lobby", both))
    #expect(try !isGiven("Till", both))
    // Each gets one of its own.
    let saved = try #require(try both.settings.printers().printer(named: "Lobby"))
    let own = SavedLogin(
      Credentials(user: "kay", password: "other"), over: SavedLogin.Channel.unencrypted)
    _ = try CredentialStore(both).keep(own, for: PrinterReference(saved))
    #expect(try isGiven("Lobby", both))
    #expect(try !isGiven("Till", both))
  }

  private func target(_ printer: String, _ context: Context) throws -> PrinterReference {
    PrinterReference(try #require(try context.settings.printers().printer(named: printer)))
  }

  /// One that was never given the login states its UUID, starts to encrypt, and is trusted.
  @Test func `a login under the UUID of two printers moves to the certificate of neither`() throws {
    let till = ("Till", "ipp://192.0.2.7/ipp/print", Self.uuid)
    let lobby = ("Lobby", "ipp://192.0.2.8/ipp/print", Self.uuid)
    let shown = try #require(Fingerprint(String(repeating: "AB", count: 32)))
    func isGivenAfterTrust(_ printer: String, _ context: Context) throws -> Bool {
      let (store, target) = (CredentialStore(context), try target(printer, context))
      try store.move(from: .unencrypted, to: .encrypted(shown), of: target)
      return try store.credentials(of: target, shown: shown, pin: shown) != nil
    }
    #expect(try isGivenAfterTrust("Till", context([till], login(Self.uuid))))
    #expect(try !isGivenAfterTrust("Lobby", context([till, lobby], login(Self.uuid))))
  }

  @Test func `a login is forgotten with its printer, whoever states its UUID`() throws {
    let till = ("Till", "ipp://192.0.2.7/ipp/print", Self.uuid)
    for (uri, isKept) in [("ipp://192.0.2.8/ipp/print", false), ("ipp://192.0.2.7:631/ipp", true)] {
      let both = try context([till, ("Twin", uri, Self.uuid)], login(Self.uuid))
      let twin = try #require(try both.settings.printers().printer(named: "Twin"))
      let store = CredentialStore(both)
      #expect(try store.forget(target("Till", both), sparing: [twin]) == !isKept)
      #expect(try store.isKept(for: PrinterReference(twin)) == isKept)
    }
  }

  @Test func `a login under a printer's name is for its jobs, with the key that it had`() throws {
    let keys = [UInt8(7), 8].map { Fingerprint(bytes: Array(repeating: $0, count: 32)) }
    var job = JobRecord(
      name: "d", file: "d", printer: "Lab", uri: "ipps://192.0.2.7/ipp/print", addresses: [],
      user: "kay", created: 0)
    job.service = ServiceName(instance: "Lab", domain: "local")
    var found = PrinterReference(name: "Lab", uri: job.uri)
    found.found = PrinterReference.DNSSDIdentity(word: "lab", service: job.service, uuid: nil)
    for key in [keys[0], nil] {
      let context = try context([], "")
      let store = CredentialStore(context)
      let credentials = Credentials(user: "kay", password: "secret")
      _ = try store.keep(SavedLogin(credentials, over: SavedLogin.Channel(key)), for: found)
      job.certificate = key
      let target = try PrinterReference(of: job, context)
      #expect(try store.credentials(of: target, shown: keys[1], pin: keys[1]) == nil)
      // Without a key, nothing proves that it is still the printer of this name.
      #expect((try store.credentials(of: target, shown: key, pin: key) != nil) == (key != nil))
    }
  }

  @Test func `a name that hides something is encoded for the keyring`() throws {
    let context = try context([], login(#"name=%1B%5B31mlab"#))
    var target = PrinterReference(name: "Lab", uri: "ipp://192.0.2.7/ipp/print")
    target.found = PrinterReference.DNSSDIdentity(
      word: nil, service: ServiceName(instance: "\u{1B}[31mLab", domain: "local"), uuid: nil)
    #expect(
      try CredentialStore(context).credentials(of: target, shown: nil, pin: nil)?.user == "kay")
  }
}
