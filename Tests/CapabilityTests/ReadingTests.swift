import Capability
import PrintModel
import Testing

/// Malformed responses: meaningless values are left out, and nothing is made up.
@Suite struct ReadingTests {
  private func reading(_ attributes: Attribute...) -> Capabilities {
    Capabilities(reading: AttributeSet(attributes))
  }

  /// Returns a media-col with these numbers; nil omits a member.
  private static func column(
    _ width: Attribute.Value?, _ length: Attribute.Value?, margins: [Int] = [300, 300, 300, 300],
    _ more: Attribute...
  ) -> Attribute.Value {
    var size: [Attribute] = []
    if let width { size.append(Attribute("x-dimension", width)) }
    if let length { size.append(Attribute("y-dimension", length)) }
    let sides = zip(["top", "bottom", "left", "right"], margins).map {
      Attribute("media-\($0)-margin", .integer($1))
    }
    return .collection([Attribute("media-size", .collection(size))] + sides + more)
  }

  @Test func `nothing at all is no printer of anything`() {
    let capabilities = reading()
    #expect(capabilities.types.isEmpty && capabilities.formats.isEmpty)
    #expect(
      capabilities.ready.isEmpty && !capabilities.reportsReady && capabilities.possible.isEmpty)
    #expect(capabilities.urf == nil && capabilities.pwg == nil && capabilities.copies == nil)
    #expect(!capabilities.isColor && !capabilities.isDuplex && !capabilities.isQueue)
  }

  @Test(arguments: [
    ("ink-cartridge", [0, 300, 1_270, 2_200], 1_270), ("inkCartridge", [300], 300),
    ("toner", [300, 1_270], 0), ("toner", [], 0),
  ])
  func `a printer with ink may hold two-sided sheets at their ends`(
    _ marker: String, _ margins: [Int], _ widest: Int
  ) {
    let capabilities = reading(
      Attribute("marker-types", .keyword(marker)),
      Attribute("media-top-margin-supported", .integer(300)),
      Attribute("media-bottom-margin-supported", margins.map { .integer($0) }))
    #expect(capabilities.duplexMargin == Hundredths(widest))
  }

  @Test(arguments: [
    column(.integer(0), .integer(29_700)), column(.integer(-21_000), .integer(29_700)),
    column(.integer(Int(Int32.max)), .integer(29_700)), column(.integer(21_000), nil),
    column(nil, nil),
    column(.keyword("21000"), .integer(29_700)), column(.integer(999), .integer(29_700)),
    column(.integer(21_000), .integer(29_700), margins: [-1, 0, 0, 0]),
    column(.integer(21_000), .integer(29_700), margins: [0, 0, 10_500, 10_500]),
    column(.integer(21_000), .integer(29_700), margins: [29_700, 0, 0, 0]),
    .keyword("iso_a4_210x297mm"), .integer(3), .none, .collection([]),
  ])
  func `a medium that can't be is left out, its neighbour stays`(_ value: Attribute.Value) {
    let good = Self.column(.integer(21_000), .integer(29_700))
    let capabilities = reading(Attribute("media-col-ready", value, good))
    #expect(capabilities.ready.map(\.name) == ["iso_a4_210x297mm"])
  }

  @Test(arguments: [
    // y-dimension 0, a range, tracking, a type, a name: each makes it a roll
    (column(.integer(8_000), .integer(0)), 254...40_000),
    (column(.integer(8_000), .range(2_540...200_000)), 2_540...200_000),
    (
      column(
        .integer(8_000), .integer(30_000), Attribute("media-tracking", .keyword("continuous"))),
      254...40_000
    ),
    (
      column(
        .integer(8_000), .integer(30_000), Attribute("media-type", .keyword("labels-continuous"))),
      254...40_000
    ),
    (
      column(
        nil, nil, Attribute("media-size-name", .keyword("roll_current_8.5x0in"))), 254...107_950
    ),
    // LPrint, with a roll in place of labels
    (
      column(
        .integer(10_160), .integer(100_584),
        Attribute("media-size-name", .keyword("roll_max_4x39.6in")),
        Attribute("media-tracking", .keyword("mark"))), 254...100_584
    ),
    // Beyond what is possible: limited to 50 m, and to an inch
    (column(.integer(8_000), .range(0...Int(Int32.max))), 254...5_000_000),
  ])
  func `a roll is known by any of its signs`(
    _ value: Attribute.Value, _ cuts: ClosedRange<Int>
  ) throws {
    let paper = try #require(reading(Attribute("media-col-ready", value)).ready.first)
    #expect(paper.isRoll)
    #expect(paper.cuts == Hundredths(cuts.lowerBound)...Hundredths(cuts.upperBound))
    #expect(paper.size.length.count == cuts.upperBound)
  }

  /// LPrint and PAPPL feed die-cut labels from `main-roll`.
  @Test(arguments: [
    [Attribute("media-source", .keyword("main-roll"))],
    [
      Attribute("media-source", .keyword("main-roll")), Attribute("media-type", .keyword("labels")),
      Attribute("media-tracking", .keyword("web")),
    ],
    [
      Attribute("media-size-name", .keyword("roll_current_4x6in")),
      Attribute("media-tracking", .keyword("mark")),
    ],
    [Attribute("media-type", .keyword("continuous-long"))],
  ])
  func `a label of one size is no roll`(_ members: [Attribute]) throws {
    guard case .collection(let size) = Self.column(.integer(10_160), .integer(15_240)) else {
      return
    }
    let ready = reading(Attribute("media-col-ready", .collection(size + members))).ready
    let paper = try #require(ready.first)
    #expect(!paper.isRoll && paper.size == MediaSize(width: 10_160, length: 15_240))
  }

  @Test func `custom sizes are no medium`() {
    let value = Self.column(.range(7_620...21_590), .range(12_700...35_560))
    let printer = reading(Attribute("media-col-database", value))
    #expect(printer.possible.isEmpty && printer.customSizes.map(\.widths) == [7_620...21_590])
  }

  /// As Canon's D570 states them.
  @Test func `custom sizes are between two names`() throws {
    let printer = reading(
      Attribute(
        "media-supported", .keyword("iso_a4_210x297mm"), .keyword("custom_min_76.2x127mm"),
        .keyword("custom_max_8.5x14in")))
    let sizes = try #require(printer.customSizes.first)
    #expect(printer.customSizes.count == 1 && printer.possible.count == 1)
    let paper = sizes.paper(of: MediaSize(width: 12_000, length: 18_000))
    #expect(paper?.name == "custom_120x180mm_120x180mm" && paper?.isReady == false)
    #expect(sizes.paper(of: MediaSize(width: 7_620, length: 35_560)) != nil)
    let turned = sizes.paper(of: MediaSize(width: 35_560, length: 7_620))
    #expect(turned?.size == MediaSize(width: 7_620, length: 35_560))
    #expect(sizes.paper(of: MediaSize(width: 7_600, length: 18_000)) == nil)
    #expect(sizes.paper(of: MediaSize(width: 12_000, length: 36_000)) == nil)
  }

  @Test func `a narrow range is a sheet`() throws {
    let value = Self.column(.range(20_900...21_000), .range(29_600...29_700))
    let paper = try #require(reading(Attribute("media-col-ready", value)).ready.first)
    #expect(!paper.isRoll && paper.size == MediaSize(width: 21_000, length: 29_700))
  }

  @Test func `a sheet whose size may vary is the one that people know`() throws {
    let value = Self.column(.range(20_900...21_100), .range(29_600...29_800))
    let paper = try #require(reading(Attribute("media-col-ready", value)).ready.first)
    #expect(!paper.isRoll && paper.size == MediaSize(width: 21_000, length: 29_700))
    #expect(paper.margins.areStated)
  }

  @Test func `margins that nobody states are none that are known`() throws {
    let value = Self.column(.integer(10_160), .integer(15_240), margins: [])
    let paper = try #require(reading(Attribute("media-col-ready", value)).ready.first)
    #expect(paper.margins.top == 0 && !paper.margins.areStated && !paper.isBorderless)
    let named = reading(Attribute("media-ready", .keyword("na_index-4x6_4x6in")))
    #expect(named.ready.first?.isBorderless == false && named.types.contains(.photo))
  }

  /// Reported sizes, with a name or without, and the sizes in hundredths of a millimeter.
  @Test(arguments: [
    (210_000, 297_000, nil, 21_000, 29_700), (210_000, 297_000, "iso_a4_210x297mm", 21_000, 29_700),
    (612, 792, "na_letter_8.5x11in", 21_590, 27_940),
    (210, 297, "iso_a4_210x297mm", 21_000, 29_700),
    (8_500, 11_000, "na_letter_8.5x11in", 21_590, 27_940),
    // A name with a different shape, or that only nearly matches, does not determine the unit.
    (84_100, 118_900, "iso_a4_210x320mm", 84_100, 118_900),
    (21_500, 28_000, "na_letter_8.5x11in", 21_500, 28_000),
    (91_400, 121_900, nil, 91_400, 121_900),
  ])
  func `sizes in another unit`(
    _ width: Int, _ length: Int, _ name: String?, _ trueWidth: Int, _ trueLength: Int
  ) throws {
    let value = Self.column(
      .integer(width), .integer(length),
      name.map { Attribute("media-size-name", .keyword($0)) } ?? Attribute("media-type", .none))
    let paper = try #require(reading(Attribute("media-col-ready", value)).ready.first)
    #expect(paper.size.width.count == trueWidth && paper.size.length.count == trueLength)
    // The margin is 3 mm, whatever the unit of the size.
    #expect((300...800).contains(paper.margins.top.count))
  }

  @Test func `a list without an end has one`() {
    let columns = (0..<5_000).map {
      Self.column(.integer(10_000 + $0), .integer(20_000))
    }
    #expect(reading(Attribute("media-col-database", columns)).possible.count == 2_000)
  }

  @Test func `twins are one, siblings are two`() {
    let twin = Self.column(.integer(21_000), .integer(29_700))
    let sibling = Self.column(
      .integer(21_000), .integer(29_700), Attribute("media-source", .keyword("tray-2")))
    #expect(reading(Attribute("media-col-ready", twin, twin, sibling)).ready.count == 2)
  }

  @Test func `the margins that an entry leaves out are the smallest that are not 0`() throws {
    let value = Self.column(.integer(21_000), .integer(29_700), margins: [])
    let capabilities = reading(
      Attribute("media-top-margin-supported", .integer(0), .integer(423), .integer(300)),
      Attribute("media-left-margin-supported", .integer(-5), .integer(0)),
      Attribute("media-col-ready", value))
    #expect(capabilities.ready.first?.margins == Margins(top: 300))
  }

  @Test(arguments: [
    (
      ["W8", "RS300-600", "DM1"],
      RasterSupport(
        gray: true, color: false, resolutions: [Resolution(300), Resolution(600)],
        sheetBack: .normal)
    ),
    (
      ["w8", "srgb24", "rs203"],
      RasterSupport(gray: true, color: true, resolutions: [Resolution(203)], sheetBack: nil)
    ),
    (
      ["SRGB24", "RS0-300-99999", "DM9"],
      RasterSupport(gray: false, color: true, resolutions: [Resolution(300)], sheetBack: nil)
    ),
    (
      ["W8-16", "RS600", "DM4", "DMx"],
      RasterSupport(
        gray: true, color: false, resolutions: [Resolution(600)], sheetBack: .manualTumble)
    ),
    (["W8"], nil), (["RS300"], nil), (["V1.4", "CP1", "RS"], nil), ([], nil),
    (
      ["W8", "RS300", "CP99"],
      {
        var support = RasterSupport(
          gray: true, color: false, resolutions: [Resolution(300)], sheetBack: nil)
        support.copies = 99
        return support
      }()
    ),
    (
      ["W8", "RS300-"],
      RasterSupport(gray: true, color: false, resolutions: [Resolution(300)], sheetBack: nil)
    ),
  ])
  func `urf-supported`(_ tokens: [String], _ support: RasterSupport?) {
    let capabilities = reading(Attribute("urf-supported", tokens.map { .keyword($0) }))
    #expect(capabilities.urf == support)
  }

  /// By default, ippeveprinter 3.0 reports nothing else about its raster.
  @Test(arguments: [
    ([], [Resolution(300)]), ([Resolution(600)], [Resolution(600)]),
    ([Resolution(x: 300, y: 600)], [Resolution(300)]),
  ])
  func `PWG Raster that is listed without its types is sRGB`(
    _ stated: [Resolution], _ read: [Resolution]
  ) throws {
    let capabilities = reading(
      Attribute(
        "document-format-supported", .mediaType("image/pwg-raster"), .mediaType("image/urf")),
      Attribute("printer-resolution-supported", stated.map { .resolution($0) }))
    let pwg = try #require(capabilities.pwg)
    #expect(pwg.isAssumed && pwg.color && !pwg.gray && !pwg.bitonal)
    #expect(pwg.resolutions == read && pwg.sheetBack == .normal)
    #expect(capabilities.urf == nil)
  }

  @Test func `numbers beyond sense are left out`() {
    let capabilities = reading(
      Attribute(
        "printer-resolution-supported", .resolution(Resolution(0)), .resolution(Resolution(300)),
        .resolution(Resolution(x: 600, y: Int(Int32.max))), .integer(600)),
      Attribute("copies-supported", .range(0...0)),
      Attribute("jpeg-k-octets-supported", .range(0...Int.max)),
      Attribute("print-quality-supported", .enumeration(4), .integer(5), .enumeration(77)),
      Attribute("landscape-orientation-requested-preferred", .enumeration(6)),
      Attribute("sides-supported", .keyword("one-sided"), .keyword("three-sided"), .boolean(true)))
    #expect(capabilities.resolutions == [Resolution(300)])
    #expect(capabilities.copies == nil && capabilities.jpeg.maximumOctets == nil)
    #expect(capabilities.qualities == [.normal, .high])
    #expect(capabilities.landscapeOrientation == nil)
    #expect(capabilities.sides == [.oneSided])
  }

  @Test(
    arguments: [
      (
        [
          Attribute(
            "printer-kind", .keyword("document"), .keyword("large-format"), .keyword("toaster"))
        ], [.document, .largeFormat]
      ),
      ([Attribute("printer-kind", .keyword("PHOTO"))], [.photo]),
      ([Attribute("media-supported", .keyword("iso_a4_210x297mm"))], [.document]),
      ([Attribute("media-supported", .keyword("iso_a3_297x420mm"))], [.document]),
      ([Attribute("media-supported", .keyword("iso_a2_420x594mm"))], [.document, .largeFormat]),
      ([Attribute("media-supported", .keyword("na_number-10_4.125x9.5in"))], [.envelope]),
      (
        [
          Attribute("media-top-margin-supported", .integer(300)),
          Attribute("media-supported", .keyword("jpn_hagaki_100x148mm")),
        ], [.postcard]
      ),
      ([Attribute("media-type-supported", .keyword("photographic-glossy"))], [.photo]),
      ([Attribute("media-type-supported", .keyword("com.example.advanced-photo"))], [.photo]),
      ([Attribute("media-type-supported", .keyword("labels"))], [.label]),
      // A label printer's queue with a driver
      (
        [
          Attribute("media-type-supported", .keyword("saved"), .keyword("thermal")),
          Attribute("media-default", .keyword("custom_4x5in_4x5in")),
          Attribute(
            "media-supported", .keyword("iso_a4_210x297mm"), .keyword("custom_4x5in_4x5in")),
        ], [.label]
      ),
      (
        [
          Attribute("media-top-margin-supported", .integer(300)),
          Attribute("media-default", .keyword("custom_25.4x54.02mm_25.4x54.02mm")),
          Attribute("media-supported", .keyword("custom_25.4x54.02mm_25.4x54.02mm")),
        ], [.label]
      ),
      // Shipping labels by default, through CUPS without a driver
      (
        [
          Attribute("media-top-margin-supported", .integer(150)),
          Attribute("media-default", .keyword("na_index-4x6_4x6in")),
          Attribute(
            "media-supported", .keyword("na_index-4x6_4x6in"), .keyword("custom_2x1in_2x1in"),
            .keyword("custom_1.25x3.5in_1.25x3.5in")),
        ], [.label]
      ),
      (
        [
          Attribute("media-top-margin-supported", .integer(150)),
          Attribute("media-default", .keyword("na_index-4x6_4x6in")),
          Attribute(
            "media-supported", .keyword("na_index-4x6_4x6in"), .keyword("custom_2x1in_2x1in"),
            .keyword("iso_a4_210x297mm"), .keyword("custom_1.25x3.5in_1.25x3.5in")),
        ], [.document]
      ),
      // Larger than A3 only by trim: not a plotter
      ([Attribute("media-supported", .keyword("na_super-b_13x19in"))], [.document]),
      ([Attribute("media-ready", .keyword("roll_current_80x0mm"))], [.receipt, .roll]),
      (
        [
          Attribute("printer-kind", .keyword("label")),
          Attribute("media-ready", .keyword("oe_3.125-receipt_80x1000mm")),
        ], [.label, .receipt]
      ),
      ([Attribute("media-ready", .keyword("roll_current_36x0in"))], [.largeFormat, .roll]),
    ] as [([Attribute], Set<JobType>)])
  func `types are stated, or inferred from media`(_ attributes: [Attribute], _ types: Set<JobType>)
  {
    #expect(Capabilities(reading: AttributeSet(attributes)).types == types)
  }

  @Test func `a queue's list is not what is loaded`() {
    let capabilities = reading(
      Attribute("cups-version", .text("2.4.2")),
      Attribute("media-col-ready", Self.column(.integer(21_000), .integer(29_700))))
    #expect(capabilities.isQueue && !capabilities.reportsReady)
    #expect(capabilities.ready.map(\.isReady) == [false])
  }

  @Test func `who it is`() {
    let capabilities = reading(
      Attribute("printer-name", .name("q1")), Attribute("printer-dns-sd-name", .name("Office")),
      Attribute("printer-uuid", .uri("urn:uuid:4509A320-00A0-008F-00B6-00559A327D32")),
      Attribute("printer-info", .text("")), Attribute("printer-location", .none),
      Attribute("color-supported", .keyword("yes")),
      Attribute("print-color-mode-supported", .keyword("color")))
    #expect(capabilities.name == "Office" && capabilities.info == nil)
    #expect(capabilities.uuid == "4509a320-00a0-008f-00b6-00559a327d32")
    #expect(capabilities.location == nil && capabilities.isColor)
  }

  /// Logins and certificates are found by it, and by addresses and names.
  @Test(arguments: [
    "192.0.2.7:631", "name=office", "--label", "urn:uuid:", "urn:uuid:1234",
    "urn:uuid:00000000-0000-0000-0000-000000000000",
  ])
  func `what is no UUID is none`(_ text: String) {
    #expect(reading(Attribute("printer-uuid", .uri(text))).uuid == nil)
  }
}
