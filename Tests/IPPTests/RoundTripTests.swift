import IPP
import PrintModel
import Testing

/// What we write is what libcups and we read.
@Suite struct RoundTripTests {
  /// Returns the attributes of a job after encoding and decoding.
  private func roundTrip(_ attributes: [Attribute]) throws -> [Attribute] {
    let request = Request(.createJob, operationAttributes: [], jobAttributes: attributes)
    return try #require(Response(recorded: Wire.bytes(of: request))).jobs.first?.all ?? []
  }

  @Test(
    arguments: [
      [.integer(0)], [.integer(-1), .integer(Int(Int32.max)), .integer(Int(Int32.min))],
      [.enumeration(4)], [.enumeration(3), .enumeration(20), .enumeration(0x3FFF_FFFF)],
      [.boolean(true)], [.boolean(false)], [.boolean(true), .boolean(false), .boolean(true)],
      [.keyword("one-sided")], [.keyword("a"), .keyword("b-c_d.1")],
      [.name("Küche 🖨")], [.name("a"), .name("b")], [.text("Zeile"), .text("")],
      [.uri("ipp://h:631/ipp/print")], [.string(.uriScheme, "ipp")], [.string(.charset, "utf-8")],
      [.string(.naturalLanguage, "de-ch")],
      [.mediaType("image/urf"), .mediaType("application/pdf")],
      [.octets([0, 1, 254, 255])], [.octets([1]), .octets([]), .octets([2, 0, 3])],
      [.range(1...1)], [.range(1...3), .range(7...7), .range(9...Int(Int32.max))],
      [.resolution(Resolution(600))],
      [.resolution(Resolution(300)), .resolution(Resolution(x: 600, y: 1200))],
      [.dateTime([7, 234, 11, 20, 14, 3, 0, 0, 43, 1, 0])],
      [
        .dateTime([7, 234, 11, 20, 14, 3, 0, 0, 43, 1, 0]),
        .dateTime([7, 208, 1, 1, 0, 0, 0, 0, 45, 12, 0]),
      ],
      [.none],
    ] as [[Attribute.Value]])
  func `values of every kind`(_ values: [Attribute.Value]) throws {
    #expect(try roundTrip([Attribute("x-test", values)]) == [Attribute("x-test", values)])
  }

  @Test func `collections, and collections in collections`() throws {
    func size(_ width: Int, _ length: Int) -> Attribute {
      Attribute(
        "media-size",
        .collection([
          Attribute("x-dimension", .integer(width)), Attribute("y-dimension", .integer(length)),
        ]))
    }
    let column = Attribute(
      "media-col",
      .collection([
        size(21_000, 29_700), Attribute("media-source", .keyword("main")),
        Attribute("media-top-margin", .integer(300)), Attribute("x-empty", .collection([])),
        Attribute("x-colors", .name("Schwarz"), .name("Weiß")),
        Attribute("x-span", .range(1...2)), Attribute("x-dpi", .resolution(Resolution(203))),
        Attribute("x-flag", .boolean(true)), Attribute("x-nothing", .none),
        Attribute("x-raw", .octets([9, 0, 9])),
      ]),
      .collection([size(10_160, 15_240)]), .collection([]))
    #expect(try roundTrip([column]) == [column])
  }

  @Test func `order is kept`() throws {
    let attributes = ["sides", "copies", "zz", "aa"].map { Attribute($0, .integer(1)) }
    #expect(try roundTrip(attributes) == attributes)
  }

  @Test func `the operation attributes come first, the job's after them`() throws {
    let request = Request(
      .printJob,
      operationAttributes: [
        Attribute("printer-uri", .uri("ipp://h/")), Attribute("job-name", .name("x")),
      ], jobAttributes: [Attribute("copies", .integer(2))])
    let bytes = try Wire.bytes(of: request)
    #expect(Array(bytes[0..<4]) == [2, 0, 0, 2])
    let names = [
      "attributes-charset", "attributes-natural-language", "printer-uri", "job-name", "copies",
    ]
    let places = names.map { name in bytes.firstRange(of: Array(name.utf8))?.lowerBound ?? -1 }
    #expect(places == places.sorted() && !places.contains(-1), "\(places)")
    #expect(bytes[8] == 0x01)
    #expect(bytes.last == 0x03)
  }

  @Test func `IPP 1_1 for those who know no better`() throws {
    var request = Request(.getPrinterAttributes, operationAttributes: [])
    request.version = .v1_1
    #expect(try Array(Wire.bytes(of: request)[0..<4]) == [1, 1, 0, 0x0B])
  }

  /// Our code never creates these, but they must do no harm.
  @Test func `what IPP can't carry is left out`() throws {
    let mixed = Attribute("x", .keyword("a"), .integer(1), .keyword("b"))
    #expect(try roundTrip([mixed]) == [Attribute("x", .keyword("a"), .keyword("b"))])
    #expect(
      try roundTrip([Attribute("x", .integer(.max), .integer(.min))])
        == [Attribute("x", .integer(Int(Int32.max)), .integer(Int(Int32.min)))])
    #expect(try roundTrip([Attribute("x", .dateTime([1, 2, 3]))]) == [Attribute("x", .none)])
    #expect(try roundTrip([Attribute("x", [])]) == [Attribute("x", .none)])
  }
}
