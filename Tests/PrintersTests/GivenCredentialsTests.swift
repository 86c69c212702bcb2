import AirprintContext
import FoundationEssentials
import Glibc
import IPP
import PrintModel
import Submission
import TestSupport
import Testing

@testable import Printers

/// Credentials that are given to one command, and what a printer without encryption may ask for.
@Suite struct GivenCredentialsTests {
  private func context(_ variables: [String: String] = [:]) -> Context {
    let home = "\(Scratch.shared.path)/\(UUID().uuidString)"
    return Context(environment: variables.merging(["HOME": home]) { $1 })
  }

  private func job(_ certificate: Fingerprint?, _ file: String? = nil) throws -> JobRecord {
    var job = JobRecord(
      name: "d", file: "d", printer: "A", uri: "ipps://192.0.2.7/ipp/print", addresses: [],
      user: "kay", created: 0)
    job.certificate = certificate
    var typed = context()
    typed.passwordFile = file
    try give(typed, to: &job, certificate)
    return job
  }

  private func give(
    _ context: Context, to job: inout JobRecord, _ certificate: Fingerprint?
  ) throws {
    let target = try PrinterReference(uri: job.uri)
    if let certificate { try PrinterTrust(context).pin(certificate, to: target) }
    job.give(context, to: [target])
  }

  private func key(_ byte: UInt8) -> Fingerprint? {
    Fingerprint(bytes: Array(repeating: byte, count: 32))
  }

  private func file(_ text: String) throws -> String {
    let file = "\(Scratch.shared.path)/\(UUID().uuidString)"
    try Data(text.utf8).write(to: URL(filePath: file))
    return file
  }

  /// What the job's printer is told.
  private func password(
    of job: JobRecord, _ context: Context, isNamed: Bool = false, over shown: UInt8 = 7
  ) throws -> String? {
    let target = try PrinterReference(of: job, isNamed: isNamed, context)
    return try CredentialSource(context, target, pin: key(shown)).credentials(for: key(shown))?
      .password
  }

  @Test(arguments: [
    ["AIRPRINT_PASSWORD_FILE": "FOLDER/airprint-password"], ["CREDENTIALS_DIRECTORY": "FOLDER"],
    [:],
  ])
  func `those for one printer are none for another one's job`(_ variables: [String: String]) throws
  {
    let folder = "\(Scratch.shared.path)/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("b".utf8).write(to: URL(filePath: "\(folder)/airprint-password"))
    var context = context(variables.mapValues { $0.replacing("FOLDER", with: folder) })
    if variables.isEmpty { context.passwordFile = "\(folder)/airprint-password" }
    var named = try job(key(7))
    try give(context, to: &named, key(7))
    #expect(named.givenPasswords.map(\.path) == ["\(folder)/airprint-password"])
    let own = try file("kay:a")
    #expect(try password(of: job(key(7)), context) == nil)
    #expect(try password(of: job(key(7), own), context) == "a")
    // Without a key, nothing proves that it is still the printer.
    #expect(try password(of: job(nil, own), context) == nil)
    // Nor with that of another one.
    #expect(try password(of: job(key(7), own), context, over: 8) == nil)
  }

  /// `move` names another printer, whose password the environment may name.
  @Test func `a job's own file comes before what the environment names, while it has the same`()
    throws
  {
    let own = try file("kay:a")
    let other = context(["AIRPRINT_PASSWORD_FILE": try file("kay:other")])
    var typed = other
    typed.passwordFile = try file("kay:typed")
    let job = try job(key(7), own)
    #expect(try password(of: job, other, isNamed: true) == "a")
    #expect(try password(of: job, typed, isNamed: true) == "typed")
    #expect(try password(of: job, typed) == "a")
    #expect(try password(of: job, context(), isNamed: true) == "a")
    // What serves only where nothing else does is not the job's.
    var again = job
    let target = try PrinterReference(of: job, isNamed: true, other)
    again.give(other, to: [target])
    #expect(again == job)
    again.give(typed, to: [target])
    #expect(again.givenPasswords.map(\.path) == [typed.passwordFile])
    try Data("kay:b".utf8).write(to: URL(filePath: own))
    #expect(try password(of: job, other, isNamed: true) == "other")
    #expect(throws: Failure.self) { try password(of: job, other) }
    try FileManager.default.removeItem(atPath: own)
    #expect(try password(of: job, other, isNamed: true) == "other")
  }

  /// A printer of which no certificate was known is the one at its URI, with its UUID, until it presents one.
  @Test func `a queued job's own file is for the printers that were named with it`() throws {
    let own = try file("kay:a")
    var job = try job(nil, own)
    func password(_ target: PrinterReference, over shown: UInt8?) throws -> String? {
      let pin = shown.flatMap(key)
      return try CredentialSource(context(), target.of(job), pin: pin).credentials(for: pin)?
        .password
    }
    let (named, moved) = (
      try PrinterReference(uri: job.uri), try PrinterReference(uri: "ipps://192.0.2.8/ipp/print")
    )
    #expect(try password(named, over: 7) == "a" && password(moved, over: 7) == nil)
    try give(context(), to: &job, key(7))
    #expect(try password(named, over: 7) == "a" && password(named, over: 8) == nil)
    #expect(try password(named, over: nil) == nil)
    // It is followed by its certificate.
    #expect(try password(moved, over: 7) == "a")
  }

  /// Several printers, and several threads, ask for what was given.
  @Test func `a pipe is read once for all`() throws {
    let pipe = "\(Scratch.shared.path)/\(UUID().uuidString)"
    #expect(mkfifo(pipe, 0o600) == 0)
    let writer = open(pipe, O_RDWR | O_CLOEXEC)
    #expect(write(writer, "kay:secret\n", 11) == 11)
    var given = context()
    given.passwordFile = pipe
    for _ in 0..<2 {
      #expect(try Credentials(in: given.givenCredentials, given)?.password == "secret")
    }
    close(writer)
  }

  /// Its name, `/dev/fd/63`, is another pipe's in the next command.
  @Test func `a pipe is not recorded`() throws {
    let pipe = "\(Scratch.shared.path)/\(UUID().uuidString)"
    #expect(mkfifo(pipe, 0o600) == 0)
    for file in [pipe, "\(pipe)-missing"] {
      var context = context()
      context.passwordFile = file
      var job = try job(nil)
      try give(context, to: &job, nil)
      #expect(job.givenPasswords.isEmpty, "\(file)")
      // Nor can a job be moved with it, which another process prints.
      #expect(throws: Failure.self) { try refuseFleetingPassword(context) }
    }
  }

  @Test
  func `a printer of this machine is not followed to another one, nor one on USB to another port`()
    throws
  {
    func home(_ uri: String) throws -> Security.Home {
      try PrinterTrust(context()).security(of: PrinterReference(uri: uri)).home
    }
    for host in ["localhost", "127.0.0.1", "[::1]"] {
      #expect(try home("ipp://\(host):60000/ipp/print") == .usb)
      #expect(try home("ipp://\(host):631/printers/Office") == .thisMachine)
    }
    #expect(try home("ipp://192.0.2.7:60000/ipp/print") == .anywhere)
    // The printer of a job that is looked after later.
    var job = try job(nil)
    job.uri = "ipp://localhost:60000/ipp/print"
    let security = try PrinterTrust(context()).security(of: PrinterReference(of: job, context()))
    #expect(security.home == .usb && security.listeners == [0, geteuid()])
  }

  /// It is accepted by the printer's name, or by the address where it has the job.
  @Test(arguments: [true, false])
  func `a certificate that was accepted since a job was sent counts for it`(
    _ isByName: Bool
  ) throws {
    let keys = [UInt8(7), 8].map { Fingerprint(bytes: Array(repeating: $0, count: 32)) }
    var job = try job(keys[0])
    job.service = ServiceName(instance: "Till", domain: "local")
    job.printerUUID = "12345678-9abc-def0-1234-56789abcdef0"
    var found = PrinterReference(name: "Till", uri: job.uri)
    found.found = PrinterReference.DNSSDIdentity(
      word: "till", service: job.service, uuid: job.printerUUID)
    let context = context()
    let trust = PrinterTrust(context)
    try trust.pin(keys[0], to: found)
    let target = try PrinterReference(of: job, context)
    #expect(try trust.pin(of: target) == keys[0])
    try trust.pin(keys[1], to: isByName ? found : PrinterReference(uri: job.uri))
    #expect(try trust.pin(of: target) == keys[1])
    #expect(try trust.security(of: target).remedy == "airprint trust Till")
    // It still has to state its UUID.
    #expect(target.statedUUID == job.printerUUID && target.words == "Till")
  }

  /// Printers of one model may state one UUID and one name, and anybody can announce them.
  @Test(arguments: ["A", "B"])
  func `a certificate of another printer of that UUID is not the job's`(_ name: String) throws {
    let keys = [UInt8(7), 8].map { Fingerprint(bytes: Array(repeating: $0, count: 32)) }
    let uuid = "12345678-9abc-def0-1234-56789abcdef0"
    var job = try job(keys[0])
    job.printerUUID = uuid
    let context = context()
    let folder = context.directories.configuration
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let key = try #require(keys[1]).text
    let entry = [
      "[printers.\(name)]", "uri = \"ipps://192.0.2.8/ipp/print\"", "uuid = \"\(uuid)\"",
      "certificate = \"\(key)\"",
    ]
    try Data(entry.joined(separator: "\n").utf8).write(to: URL(filePath: "\(folder)/printers.toml"))
    var lobby = PrinterReference(name: "Lobby", uri: "ipps://192.0.2.9/ipp/print")
    lobby.found = PrinterReference.DNSSDIdentity(word: "lobby", service: nil, uuid: uuid)
    try PrinterTrust(context).pin(keys[1], to: lobby)
    let target = try PrinterReference(of: job, context)
    #expect(target.saved == nil && target.uri == job.uri)
    #expect(try PrinterTrust(context).pin(of: target) == keys[0])
  }

  @Test func `trust in no encryption ends the first contact`() throws {
    let target = try PrinterReference(uri: "ipp://192.0.2.7/ipp/print")
    let context = context()
    let key = Fingerprint(bytes: Array(repeating: UInt8(7), count: 32))
    let question = TrustQuestion(
      printer: "A", uri: target.uri, before: key, now: nil, isVouchedFor: false)
    #expect(try trust(question, target, system: false, context).isChanged)
    #expect(try !PrinterTrust(context).security(of: target).trustsFirst)
  }

  /// Printers of one model may state one UUID, and anybody can state it.
  @Test(arguments: [("192.0.2.8", nil, false), ("192.0.2.7", nil, true), ("192.0.2.8", 9, true)])
  func `a certificate counts for another name only of one device`(
    _ host: String, _ former: UInt8?, _ isShared: Bool
  ) throws {
    let context = context()
    let before = former.flatMap { Fingerprint(bytes: Array(repeating: $0, count: 32)) }
    let pinned = before.map { "certificate = \"\($0.text)\"\n" } ?? ""
    let folder = context.directories.configuration
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let uuid = "uuid = \"6fd4a2d0-0000-4000-8000-000000000001\"\n"
    let book = [("M", "192.0.2.7"), ("P", host)].map {
      "[printers.\($0)]\nuri = \"ipp://\($1)/ipp/print\"\n\(uuid)\(pinned)"
    }
    try Data(book.joined(separator: "\n").utf8).write(to: URL(filePath: "\(folder)/printers.toml"))
    let target = PrinterReference(
      try #require(try context.settings.printers().printer(named: "M")))
    let key = Fingerprint(bytes: Array(repeating: UInt8(7), count: 32))
    try PrinterTrust(context).pin(key, to: target)
    let printers = try SettingsFiles(context.directories).printers()
    #expect(printers.printer(named: "M")?.certificate == key)
    #expect(printers.printer(named: "P")?.certificate == (isShared ? key : before))
  }

  /// Also if it can't be stored; what is stored counts, and who is only looked at is not accepted.
  @Test func `what a run has accepted of a printer is one value`() throws {
    let context = context()
    let target = try PrinterReference(uri: "ipps://192.0.2.7/ipp/print")
    func used(_ target: PrinterReference, _ context: Context) throws -> UsedChannel {
      try PrinterTrust(context).security(of: target).used
    }
    let first = try used(target, context)
    #expect(try used(target, context) === first)
    #expect(try used(target, context.lookingAround) !== first)
    #expect(try used(PrinterReference(uri: "ipps://192.0.2.8/ipp/print"), context) !== first)
    try PrinterTrust(context).pin(
      Fingerprint(bytes: Array(repeating: UInt8(7), count: 32)), to: target)
    #expect(try used(target, context) !== first)
  }

  @Test func `a document that goes out without encryption ends the first contact`() throws {
    let target = try PrinterReference(uri: "ipp://192.0.2.7/ipp/print")
    let context = context()
    let security = try PrinterTrust(context).security(of: target)
    #expect(security.trustsFirst)
    try security.whenTold?(nil)
    #expect(try !PrinterTrust(context).security(of: target).trustsFirst)
  }
}
