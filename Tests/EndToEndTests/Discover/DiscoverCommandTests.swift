import TestSupport
import Testing

/// `discover` on a network with printers of all kinds.
@Suite(.inTurn, .needsNamespaces) struct DiscoverCommandTests {
  @Test func `every printer is a line of eight fields, without a heading`() async throws {
    let person = try await Street.person()
    let found = try await person.airprint("discover")
    #expect(found.code == 0, "\(found.report)")
    let lines = found.stdout.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    #expect(Set(lines.map { String($0[0]) }) == Set(Street.names.filter { $0 != "Plotter" }))
    #expect(lines.count == Street.names.count - 1)
    #expect(lines.allSatisfy { $0.count == 8 && $0[6].hasPrefix("ipp") }, "\(found.stdout)")
    // Standard output contains only data, and nothing that moves the cursor.
    #expect(found.stderr.isEmpty)
    #expect(!found.stdout.contains("\u{1B}"))
  }

  @Test func `JSON is an array, sorted by name, with every key`() async throws {
    let person = try await Street.person()
    let found = try await person.airprint("discover", "--json")
    #expect(found.code == 0, "\(found.report)")
    let printers = try #require(try found.json.array)
    #expect(printers.map { $0.name } == Street.names.filter { $0 != "Plotter" }.map { .string($0) })
    for printer in printers {
      #expect(
        printer.keys == [
          "name", "uri", "uuid", "makeAndModel", "location", "types", "color", "duplex", "formats",
          "secure", "authentication", "saved", "endpoints",
        ])
      #expect(printer.name?.string != nil && printer.uri?.string != nil)
      #expect(printer.types?.strings != nil && printer.formats?.strings != nil)
      #expect(printer.secure?.bool != nil)
      #expect(printer.saved?.isNull == true)
      for endpoint in printer.endpoints?.array ?? [] {
        #expect(endpoint.keys == ["uri", "address"])
      }
    }
  }

  @Test func `what a record says is what JSON has`() async throws {
    let person = try await Street.person()
    let found = try await person.airprint("discover", "--json", "--name", "Labels")
    let printer = try #require(try found.json.array?.first)
    #expect(printer.uri == .string("ipp://bench.local:9100/ipp/labels"))
    #expect(printer.uuid == .string("0f6a0000-1111-2222-3333-444455556666"))
    #expect(printer.makeAndModel == .string("Example Labels 62"))
    #expect(printer.location == .string("Dispatch"))
    #expect(printer.types?.strings == ["label", "roll"])
    #expect(printer.color == .boolean(false))
    #expect(printer.duplex == .boolean(false))
    #expect(printer.formats?.strings == ["image/urf", "image/pwg-raster"])
    #expect(printer.secure == .boolean(false))
    #expect(printer.authentication == .string("username,password"))
  }

  @Test func `a printer that speaks both protocols on all addresses is one`() async throws {
    let person = try await Street.person()
    let found = try await person.airprint("discover", "--json", "--name", "Office")
    let printers = try #require(try found.json.array)
    #expect(printers.count == 1)
    // Of two URIs, the encrypted one is used.
    let uri = try #require(printers[0].uri?.string)
    #expect(uri.hasPrefix("ipps://bench.local:"))
    #expect(printers[0].secure == .boolean(true))
    #expect(printers[0].color == .boolean(true))
    #expect(printers[0].duplex == .boolean(true))
    let endpoints = Set(
      (printers[0].endpoints?.array ?? []).compactMap { endpoint in
        endpoint.uri?.string.map { "\($0.prefix { $0 != ":" }) \(endpoint.address?.string ?? "")" }
      })
    #expect(endpoints.isSuperset(of: ["ipps 127.0.0.1", "ipp 127.0.0.1"]), "\(endpoints)")
  }

  @Test(arguments: [
    (["--color-only"], ["Office"]),
    (["--duplex-only"], ["Office"]),
    (["--format", "image/pwg-raster"], ["Labels", "Office", "Till"]),
    (["--format", "IMAGE/URF", "--format", "image/jpeg"], ["Office"]),
    (["--name", "*I*"], ["Office", "Till"]),
    (["--name", "[lo]*"], ["Labels", "Office"]),
    (["--name", "T?ll"], ["Till"]),
    (["--name", "ill"], []),
    (["--model", "*Office 7"], ["Office"]),
    (["--location", "room *"], ["Office", "Photos"]),
    (["--location", "Dispatch", "--color-only"], []),
    (["--type", "label"], ["Labels"]),
    (["--type", "label,roll"], ["Labels"]),
    (["--type", "label", "--type", "photo"], []),
    // If the record doesn't state it, the printer is asked.
    (["--type", "receipt"], ["Till"]),
    (["--type", "roll"], ["Labels", "Till"]),
    // `Photos` states no kind and does not answer: an unknown kind is no match.
    (["--type", "photo"], ["Office"]),
    (["--type", "disc"], []),
    (["--all", "--name", "P*"], ["Photos", "Plotter"]),
    (["--domain", "local", "--name", "Till"], ["Till"]),
  ])
  func `every filter must hold`(_ filters: [String], _ names: [String]) async throws {
    let person = try await Street.person()
    let found = try await person.airprint(["discover", "--json"] + filters)
    #expect(found.code == (names.isEmpty ? 1 : 0), "\(found.report)")
    #expect(try found.json.array?.map { $0.name } == names.map { .string($0) })
  }

  @Test func `types that were learned by contact are shown`() async throws {
    let person = try await Street.person()
    let found = try await person.airprint("discover", "--json", "--type", "receipt")
    #expect(try found.json.array?.first?.types?.strings == ["receipt", "roll"])
    let row = try await person.airprint("discover", "--type", "receipt")
    #expect(row.stdout.contains("receipt, roll"), "\(row.stdout)")
  }

  @Test func `in a narrow terminal a column is left out rather than cut to a few letters`()
    async throws
  {
    let person = try await Street.person()
    let session = try person.terminal("discover", "--timeout", "600", columns: 50)
    #expect(await session.end().code == 0)
    let text = session.screen.text
    #expect(text.contains("NAME") && text.contains("label, roll"), "\(text)")
    #expect(!text.contains("MODEL") && !text.contains("…"), "\(text)")
  }

  @Test func `a printer that is saved says under which name`() async throws {
    let person = try await Street.person()
    _ = try await person.airprint("pick", "Till", "--as", "counter")
    let found = try await person.airprint("discover", "--json", "--name", "Till")
    #expect(try found.json.array?.first?.saved == .string("counter"))
    // Its name on the network may be another printer's by now.
    let book = try person.text("config/airprint/printers.toml")
    try person.configure(
      book.replacing("service = 'Till'", with: "service = 'Labels'"), in: "printers.toml")
    let other = try await person.airprint("discover", "--json", "--name", "Labels")
    #expect(try other.json.array?.map { $0.saved?.isNull } == [true], "\(other.report)")
  }

  @Test(arguments: [
    ["--type", "recipt"], ["--timeout", "0"], ["--timeout", "-3"], ["--timeout", "4000"],
    ["--timeout", "soon"], ["extra"],
  ])
  func `64: what makes no sense`(_ arguments: [String]) async throws {
    let person = try await Street.person()
    let found = try await person.airprint(["discover"] + arguments)
    #expect(found.code == 64, "\(found.report)")
    #expect(found.stdout.isEmpty)
  }

  @Test func `-q leaves the rows and nothing else`() async throws {
    let person = try await Street.person()
    let found = try await person.airprint("discover", "-q", "--name", "Nobody")
    #expect(found.code == 1)
    #expect(found.output.isEmpty && found.errors.isEmpty)
  }
}

/// A network with printers of all kinds, which the tests don't change.
///
/// Some are real, others are only announced.
enum Street {
  /// `Plotter` accepts none of the formats that airprint writes.
  static let names = ["Labels", "Office", "Photos", "Plotter", "Till"]

  static func person() async throws -> Person { try Person(at: try await bench.value) }

  private static let bench = Task {
    let bench = try await Bench()
    let owner = try Person(at: bench)
    let visible = ["_print", "_universal"]
    async let office = owner.printer(
      "Office", Attributes.office, subtypes: visible, location: "Room 7")
    async let till = owner.printer("Till", Attributes.till, subtypes: visible)
    async let labels = bench.publish(
      "Labels", port: 9100,
      txt: [
        "txtvers=1", "rp=ipp/labels", "ty=Example Labels 62", "note=Dispatch", "kind=label,roll",
        "Color=F", "Duplex=F", "pdl=image/urf,image/pwg-raster", "URF=W8,RS300",
        "air=username,password",
        "UUID=0F6A0000-1111-2222-3333-444455556666",
      ], subtypes: ["_universal._sub._ipp._tcp"])
    async let photos = bench.publish(
      "Photos", port: 9101,
      txt: ["txtvers=1", "rp=ipp/print", "ty=Example Photo", "note=Room 8", "pdl=image/jpeg"])
    async let plotter = bench.publish(
      "Plotter", port: 9102,
      txt: ["txtvers=1", "rp=ipp/print", "ty=Example Plotter", "pdl=application/vnd.hp-HPGL"])
    _ = try await (office, till, labels, photos, plotter)
    return bench
  }
}
