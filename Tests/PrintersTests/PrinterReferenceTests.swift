import AirprintContext
import FoundationEssentials
@testable import PrintModel
import Submission
import TestSupport
import Testing

@testable import Printers

/// The printer that a user means by a word.
@Suite struct PrinterReferenceTests {
  private static let store = {
    var file = PrinterStore.File()
    func device(_ name: String, _ own: String, _ settings: [String: String]) -> SavedPrinter {
      SavedPrinter(
        name: name, uri: "ipp://\(own.lowercased())/",
        service: ServiceName(instance: own, domain: "local"),
        uuid: "id-\(own.lowercased())", settings: settings)
    }
    file.printers = [
      SavedPrinter(
        name: "Office Laser", uri: "ipps://laser.local/ipp/print",
        service: ServiceName(instance: "HP LaserJet [1]", domain: "local"), uuid: "1234-ab"),
      SavedPrinter(name: "Office Inkjet", uri: "ipp://192.0.2.7/ipp/print"),
      SavedPrinter(name: "Till", uri: "ipp://till/"),
      SavedPrinter(name: "Till 2", uri: "ipp://till2/"),
      SavedPrinter(name: "Küche~", uri: "ipp://kitchen/"),
      device("Aa", "Mailer", ["copies": "2"]), device("Mailer", "Mailer", ["quality": "draft"]),
      device("bag-tags", "Zebra", ["copies": "2"]), device("pouches", "Zebra", ["copies": "3"]),
      device("Brother (2)", "Brother", ["copies": "4"]),
    ]
    return PrinterStore(user: file, system: PrinterStore.File())
  }()

  /// Not with the settings of another one, whose address is the same.
  @Test(arguments: [("Draft", "Draft"), ("Office", "Office"), ("Lab", nil)])
  func `a job is sent again under its own name`(_ name: String, _ role: String?) throws {
    let home = "\(Scratch.shared.path)/\(UUID().uuidString)"
    let folder = "\(home)/.config/airprint"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let uri = "ipp://192.0.2.7/ipp/print"
    let book = ["Draft", "Office"].map { "[printers.\($0)]\nuri = \"\(uri)\"\n" }.joined()
    try Data(book.utf8).write(to: URL(filePath: "\(folder)/printers.toml"))
    let job = JobRecord(
      name: "d", file: "d", printer: name, uri: uri, addresses: [], user: "kay", created: 0)
    let target = try PrinterReference(of: job, Context(environment: ["HOME": home]))
    #expect(target.name == name && target.role?.name == role && target.saved != nil)
  }

  @Test(arguments: [
    // A saved name, with the settings that are kept with it.
    ("office laser", "Office Laser", "Office Laser"), ("aa", "Aa", "Aa"),
    ("MAILER", "Mailer", "Mailer"), ("bag-tags", "bag-tags", "bag-tags"),
    ("K%C3%BCche%7E", "Küche~", "Küche~"), ("brother (2)", "Brother (2)", "Brother (2)"),
    // A full name takes precedence over a part of another.
    ("till", "Till", "Till"), ("till 2", "Till 2", "Till 2"),
    // The URI, the UUID and the DNS-SD name are the printer's: not a role's.
    ("ipps://laser.local/ipp/print", "HP LaserJet [1]", nil), ("1234-AB", "HP LaserJet [1]", nil),
    ("urn:uuid:1234-ab", "HP LaserJet [1]", nil), ("hp laserjet [1]", "HP LaserJet [1]", nil),
    ("zebra", "Zebra", nil), ("id-zebra", "Zebra", nil), ("ipp://zebra/", "Zebra", nil),
    ("ipp://192.0.2.7/ipp/print", "192.0.2.7", nil),
    // They are also those of the printer that is saved under its own name.
    ("ipp://mailer/", "Mailer", "Mailer"), ("id-mailer", "Mailer", "Mailer"),
    ("brother", "Brother (2)", "Brother (2)"),
    // Parts, of either.
    ("INK", "Office Inkjet", "Office Inkjet"), ("laserjet", "HP LaserJet [1]", nil),
    ("ebr", "Zebra", nil), ("bag", "bag-tags", "bag-tags"), ("mail", "Mailer", "Mailer"),
    ("fax", nil, nil), ("ipp://192.0.2.8/ipp/print", nil, nil),
  ])
  func `a word means one printer, and the settings of one name, or none`(
    _ word: String, _ name: String?, _ role: String?
  ) throws {
    let meant = try Self.store.find(word)
    #expect(meant?.name == name && meant?.role?.name == role)
    // Whatever it is called, it is known.
    #expect((meant?.saved != nil) == (name != nil))
    // It is found again by what is kept of it.
    let again = try meant.flatMap { try Self.store.find($0.words) }
    #expect(again?.name == name && again?.role?.name == role)
  }

  @Test func `a part of several names is exit 64, with all of them`() {
    #expect { try Self.store.find("office") } throws: { error in
      let failure = error as? Failure
      return failure?.reason == .ambiguousPrinter
        && failure?.message.contains("Office Inkjet, Office Laser") == true
    }
    // Names of the network are listed as what they are.
    #expect { try Self.store.find("b") } throws: {
      ($0 as? Failure)?.message.contains("bag-tags, Brother (2), Zebra") == true
    }
  }

  @Test func `candidates are listed in natural order`() {
    #expect {
      try PrinterReference.only(["Printer 10", "Printer 2"], "printer") { $0 }
    } throws: { error in
      (error as? Failure)?.message
        == "\"printer\" matches several printers: Printer 2, Printer 10. Type more of the name."
    }
  }

  @Test func `a reason that two addresses share is told once`() {
    let refused = "till refuses connections on port 9"
    let failure = noPrinter(
      at: "till:9",
      [
        FailedAddress(uri: "ipps://till:9/", reason: refused),
        FailedAddress(uri: "ipp://till:9/", reason: refused),
        FailedAddress(uri: "ipp://till:9/x", reason: "not found"),
      ])
    #expect(failure.code == .unavailable)
    #expect(
      failure.message.contains(
        "Tried ipps://till:9/ and ipp://till:9/ (\(refused)) and ipp://till:9/x (not found)."),
      "\(failure.message)")
  }

  @Test func `a server without the printer has answered`() {
    let failure = noPrinter(
      at: "till:9/x", [FailedAddress(uri: "ipp://till:9/x", reason: "gone", hasAnswered: true)])
    #expect(failure.reason == .unknownPrinter)
    #expect(
      failure.message == "There is no printer at till:9/x. Tried ipp://till:9/x. "
        + "To list those there, run: airprint discover till:9")
  }

  @Test func `every address of a row is a place where the printer may be`() {
    let (other, own) = ("ipps://other.local/ipp/print", "ipps://till.example.test/ipp/print")
    let printer = DiscoveredPrinter(
      service: ServiceName(instance: "Till", domain: "local"), name: "Till",
      endpoints: [
        Endpoint(uri: other, address: "192.0.2.9"), Endpoint(uri: own, address: "198.51.100.2"),
        Endpoint(uri: other, address: "192.0.2.10"),
      ])
    #expect(printer.places.map(\.uri) == [other, own])
    #expect(printer.places.map(\.addresses) == [["192.0.2.9", "192.0.2.10"], ["198.51.100.2"]])
  }

  @Test(arguments: ["", " ", "   "])
  func `no word at all is exit 64`(_ word: String) {
    #expect { try Self.store.find(word) } throws: { ($0 as? Failure)?.code == .usage }
  }

  @Test(arguments: [
    ("ipp://192.0.2.7/ipp/print", "192.0.2.7"), ("ipps://till.example:8631/", "till.example"),
  ])
  func `an address is a printer named by its host`(_ uri: String, _ name: String) throws {
    let printer = try PrinterReference(uri: uri)
    #expect(printer.name == name && printer.uri == uri && printer.words == uri)
    #expect(printer.chosenHost == name)
  }

  /// Each way to a printer at an `ipps` URI, and if a user chose its scheme and its host: the table in SECURITY.md.
  private func ways() throws -> [(way: String, scheme: Bool, host: Bool, PrinterReference)] {
    let uri = "ipps://till.example:8631/ipp/print"
    let saved = SavedPrinter(
      name: "Till", uri: uri, service: ServiceName(instance: "Till", domain: "local"), uuid: "1-2")
    var picked = saved
    picked.service = nil
    let found = DiscoveredPrinter(
      service: ServiceName(instance: "Till", domain: "local"), name: "Till",
      endpoints: [Endpoint(uri: uri, address: nil)])
    var job = PrinterReference(name: "Till", uri: uri)
    job.found = PrinterReference.DNSSDIdentity(uuid: "1-2")
    return [
      ("typed", true, true, try PrinterReference(uri: uri)),
      ("saved by its URI", true, true, PrinterReference(picked)),
      ("saved from the network", true, false, PrinterReference(saved)),
      ("found at a host", false, true, PrinterReference(name: "till.example", uri: uri)),
      ("listed by a server", false, true, try PrinterReference(listed: found)),
      ("announced", false, false, PrinterReference(found)),
      ("announced, and typed by its name", false, false, PrinterReference(found, word: "till")),
      ("in a job's record", false, false, job),
    ]
  }

  @Test
  func `only a user chooses to encrypt, and a host that an authority may vouch for`() throws {
    for (way, scheme, host, printer) in try ways() {
      #expect(printer.isChosenEncrypted == scheme, "\(way)")
      #expect((printer.chosenHost != nil) == host, "\(way)")
      // A command to copy doesn't choose for its user.
      #expect(
        !printer.commandWord.contains("ipps:") || scheme, "\(way): \(printer.commandWord)")
      var plain = printer
      plain.uri = "ipp://till.example/"
      plain.saved?.uri = plain.uri
      #expect(!plain.isChosenEncrypted, "\(way)")
    }
  }

  @Test(arguments: [
    ("ipps://till:8631/ipp/print", "till:8631/ipp/print"), ("ipps://till/ipp", "http://till/ipp"),
    ("ipps://[2001:db8::1]/ipp", "[2001:db8::1]/ipp"), ("ipp://till/ipp", "ipp://till/ipp"),
  ])
  func `an address without its scheme is the same one`(_ uri: String, _ word: String) throws {
    #expect(TypedAddress.word(for: uri) == word)
    guard let address = TypedAddress(word), uri.hasPrefix("ipps:") else { return }
    #expect(address.candidates("ipps") == [uri] && address.schemes == ["ipps", "ipp"])
  }

  /// Chosen by its name, or from the list of `pick`, which show no difference.
  @Test(arguments: [
    (nil, "1-2", "192.0.2.9", true), (nil, "1-2", "192.0.2.7", false),
    ("AB", "1-2", "192.0.2.9", false), (nil, "3-4", "192.0.2.9", false),
  ])
  func `a printer that claims elsewhere to be one without a certificate does not prove it`(
    _ certificate: String?, _ uuid: String, _ address: String, _ isClaim: Bool
  ) {
    var file = PrinterStore.File()
    file.printers = [
      SavedPrinter(
        name: "Till", uri: "ipp://till.local:631/ipp/print", addresses: ["192.0.2.7"], uuid: "1-2",
        certificate: certificate.flatMap { Fingerprint(String(repeating: $0, count: 32)) })
    ]
    let found = DiscoveredPrinter(
      service: ServiceName(instance: "Till", domain: "local"), name: "Till",
      endpoints: [Endpoint(uri: "ipp://till.local/ipp/print", address: address)], uuid: uuid)
    let store = PrinterStore(user: file, system: PrinterStore.File())
    let picked = PrinterReference(found).heedingClaim(of: found, store)
    #expect(picked.isUnproven == isClaim && picked.uri == found.uri)
  }

  @Test(arguments: ["ipp://", "lpd://till", "till"])
  func `what is no printer's URI is exit 64`(_ text: String) {
    #expect { try PrinterReference(uri: text) } throws: { ($0 as? Failure)?.code == .usage }
  }

  @Test(arguments: [
    ("socket://192.0.2.7:9100", "; try ipp://192.0.2.7/ipp/print"),
    ("lpd://till/queue", "; try ipp://till/ipp/print"), ("usb://HP/LaserJet", ""),
  ])
  func `another protocol is refused with the address to try`(_ text: String, _ hint: String) {
    #expect { try PrinterReference.refuseOtherScheme(text) } throws: { error in
      let failure = error as? Failure
      return failure?.code == .usage
        && failure?.message.contains(
          "(ipp and ipps) and not over \(text.prefix { $0 != ":" })\(hint).") == true
    }
  }

  @Test(arguments: ["Office Laser", "http://192.0.2.7", "HTTPS://till.example/", "till:631"])
  func `what may be an address or a name is not refused`(_ text: String) throws {
    try PrinterReference.refuseOtherScheme(text)
  }

  @Test func `a printer is told by the word that finds it again`() {
    let saved = PrinterReference(Self.store.printers[4])
    #expect(saved.words == "Küche~" && saved.chosenHost == "kitchen")
    let found = DiscoveredPrinter(
      service: ServiceName(instance: "Label Maker", domain: "local"), name: "Label Maker",
      endpoints: [
        Endpoint(uri: "ipps://l.local/ipp/print", address: "192.0.2.9"),
        Endpoint(uri: "ipp://l.local/ipp/print", address: "192.0.2.10"),
      ])
    let picked = PrinterReference(found)
    #expect(picked.words == "Label Maker" && picked.commandWord == "'Label Maker'")
    // Only the addresses of the selected URI.
    #expect(picked.uri == "ipps://l.local/ipp/print" && picked.addresses == ["192.0.2.9"])
    // A part of the name may be one of another printer's tomorrow.
    #expect(PrinterReference(found, word: "label").words == "Label Maker")
    #expect(PrinterReference(found, word: "label maker").words == "label maker")
    // The host comes from the network, not from the user.
    #expect(picked.chosenHost == nil)
  }
}

/// A host typed as a printer.
@Suite struct TypedAddressTests {
  @Test(
    arguments: [
      ("192.0.2.7", "192.0.2.7", nil, nil, true), ("till:8631", "till", 8631, nil, true),
      ("printer.example", "printer.example", nil, nil, false),
      ("localhost", "localhost", nil, nil, false),
      ("[2001:db8::1]:8631", "2001:db8::1", 8631, nil, true),
      ("fe80::1", "fe80::1", nil, nil, true),
      ("fe80::1%eth0", "fe80::1%eth0", nil, nil, true),
      ("[fe80::1%eth0]:631", "fe80::1%eth0", 631, nil, true),
      ("http://till/", "till", nil, nil, true),
      ("192.0.2.7/ipp/lp", "192.0.2.7", nil, "/ipp/lp", true),
    ] as [(String, String, Int?, String?, Bool)])
  func `an address is read`(
    _ text: String, _ host: String, _ port: Int?, _ path: String?, _ isCertain: Bool
  ) throws {
    let address = try #require(TypedAddress(text))
    #expect(address.host == host && address.port == port && address.path == path)
    #expect(address.isCertain == isCertain)
  }

  @Test(arguments: [
    ("fe80::1", "fe80::1%"), ("[FE80::1]:631", "[FE80::1%"),
    ("ipp://[fe80::1]/ipp/print", "ipp://[fe80::1%25"), ("http://[febf::1]", "http://[febf::1%25"),
  ])
  func `a link-local address without its interface is refused, with one`(
    _ text: String, _ example: String
  ) throws {
    func failure(_ text: String) -> Failure? {
      do throws(Failure) {
        _ =
          try PrinterReference.isURI(text)
          ? PrinterReference(uri: text).uri : TypedAddress.parse(text)?.host
        return nil
      } catch { return error }
    }
    #expect(failure(text)?.code == .usage)
    #expect(failure(text)?.message.contains("such as \(example)") == true, "\(text)")
    #expect(failure(text.replacing("::1", with: "::1%eth0")) == nil)
    #expect(failure("ipp://[2001:db8::1]/ipp/print") == nil)
  }

  @Test(arguments: [
    "", "Office", "Office Laser", "kay@printer.example", "till:", "till:0", "till:65536", "till:x",
    "[2001:db8::1", "[::1]x", "1.2", "a..b", "drücker.example", "/ipp/print",
  ])
  func `a name is none`(_ text: String) { #expect(TypedAddress(text) == nil) }

  @Test(arguments: [
    ("till:8631", 8, "ipps://till:8631/ipp/print", "ipp://till:8631/"),
    ("https://till", 4, "ipps://till/ipp/print", "ipps://till/"),
    ("http://till/printers/a", 2, "ipps://till/printers/a", "ipp://till/printers/a"),
    ("fe80::1", 8, "ipps://[fe80::1]/ipp/print", "ipp://[fe80::1]/"),
  ])
  func `encrypted addresses are tried first, at the usual paths`(
    _ text: String, _ count: Int, _ first: String, _ last: String
  ) throws {
    let address = try #require(TypedAddress(text))
    let tried = address.schemes.flatMap { address.candidates($0) }
    #expect(tried.count == count && tried.first == first && tried.last == last)
  }

  @Test(arguments: [
    ("ipp://till", true), ("ipp://till:631", true), ("ipp://till/", false), ("till", false),
  ])
  func `a URI that ends with its host has no path`(_ uri: String, _ isPathless: Bool) {
    #expect(TypedAddress.isPathless(uri) == isPathless)
  }

  @Test func `a stranger's many names come behind the only one of another`() {
    func printer(_ uri: String, _ address: String?) -> PrinterReference {
      PrinterReference(name: "Till", uri: uri, addresses: address.map { [$0] } ?? [])
    }
    let crowd = (0..<300).map { printer("ipp://crowd.local:\(9000 + $0)/ipp/print", "192.0.2.66") }
    let own = printer("ipps://laser.local/ipp/print", "192.0.2.7")
    // Without an address, the URI identifies it.
    let unresolved = printer("ipp://other.local/ipp/print", nil)
    let turns = (crowd + [own, unresolved]).inTurn
    #expect(
      turns.prefix(4).map(\.uri) == [crowd[0].uri, own.uri, unresolved.uri, crowd[1].uri])
    #expect(turns.count == 302)
  }

  @Test func `of a printer's names the typed one counts, whichever was heard of first`() {
    var found = DiscoveredPrinter(
      service: ServiceName(instance: "Laser", domain: "local"), name: "Laser", endpoints: [])
    found.aliases = [ServiceName(instance: "Till", domain: "local")]
    #expect(found.service(called: "tILL").instance == "Till")
    #expect(PrinterReference(found, word: "till").name == "Till")
    for word in ["Laser", "las", nil] {
      #expect(found.service(called: word).instance == "Laser")
      #expect(PrinterReference(found, word: word).name == "Laser")
    }
  }
}
