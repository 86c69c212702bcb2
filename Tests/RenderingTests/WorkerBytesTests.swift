import Documents
@testable import PrintModel
import Raster
import Testing

@testable import Rendering

/// Values sent between a parent and its worker arrive unchanged.
@Suite struct WorkerBytesTests {
  private static let side = {
    var placement = PagePlacement(
      page: 41, transform: Transform(xx: 1.5, yx: -2, xy: 3, yy: 4, x0: 5, y0: -0.125))
    placement.clip = Rectangle(x: 1, y: 2, width: 3, height: 4)
    placement.lines = [
      RunningLine(
        left: "links", center: "中", right: "", frame: Rectangle(x: 9, y: 8, width: 7, height: 6),
        transform: .translation(3, 1), size: 9.5, isAtBottom: true)
    ]
    placement.border = BorderedFrame(
      area: Rectangle(x: 5, y: 6, width: 7, height: 8), style: .doubleThick)
    placement.marks = [Rectangle(x: 1, y: 2, width: 0.5, height: 4)]
    return SheetSide(
      placements: [placement, PagePlacement(page: 0, transform: .identity)], isBack: true,
      length: 12_345, isFirst: true)
  }()

  private static let opening = {
    var opening = OpeningOptions(mediaType: "application/pdf")
    opening.attachments = [
      OpeningOptions.Attachment(name: "logo.png", mediaType: "image/png", isMade: true)
    ]
    opening.pageResolution = Resolution(x: 600, y: 1200)
    opening.password = "pass\u{0}wörd"
    opening.folder = "/tmp/a b"
    opening.refusesFiles = true
    opening.stamps = [
      OpeningOptions.Stamping(Stamp(source: .text("DRAFT"), isBelow: true), attachment: 3)
    ]
    return opening
  }()

  private static let box = {
    var style = TextStyle()
    style.family = "Noto Serif"
    style.size = 11.5
    style.alignment = .justify
    style.color = TextStyle.Ink(red: 1, green: 2, blue: 255)
    style.numbersLines = true
    return PageBox(
      size: PageSize(width: 595, height: 842),
      content: Rectangle(x: 50, y: 51, width: 400, height: 700), isRoll: true, isOnePiece: false,
      hasAskedMargins: true,
      resolution: Resolution(203), text: style, arrangement: .envelopeOfNorthAmerica)
  }()

  private static let info = {
    var info = DocumentInfo(
      mediaType: "image/jpeg", title: "Tïtle",
      pages: [
        DocumentInfo.Page(
          size: PageSize(width: 595.276, height: 841.89), contentHeight: 12.5, label: "iv"),
        DocumentInfo.Page(size: PageSize(width: 1, height: 2)),
      ],
      image: DocumentInfo.Image(
        width: 4000, height: 3000,
        jpeg: DocumentInfo.JPEG(
          isBaseline: true, components: 4, hasProfile: true, orientation: 6, octets: 99_999),
        isFlat: true), reflows: true)
    info.pages[0].marks = Rectangle(x: 1, y: 2, width: 3, height: 4)
    info.pages[1].problem = "Page 2 can't be read."
    (info.keepsScale, info.sides, info.copies) = (true, .shortEdge, 3)
    info.raster = DocumentInfo.Raster(
      resolution: Resolution(x: 300, y: 600), isGray: true, sides: .shortEdge, turnsBacks: true)
    info.isLocked = true
    info.canBeDrawn = false
    info.losses = [Loss(.damage, page: 2, "one"), Loss(.font, "")]
    return info
  }()

  private func again<Value: WorkerValue>(_ value: Value) throws -> Value {
    try Value(workerBytes: value.workerBytes)
  }

  @Test func `documents, sides and pages arrive with every member`() throws {
    #expect(try again(Self.side) == Self.side)
    #expect(try again(Self.opening) == Self.opening)
    #expect(try again(Self.box) == Self.box)
    #expect(try again(Self.info) == Self.info)
    #expect(try again(OpeningOptions(mediaType: "")) == OpeningOptions(mediaType: ""))
  }

  @Test func `more pages than there are come from no worker of ours`() throws {
    var info = Self.info
    let page = info.pages[1]
    info.pages = Array(repeating: page, count: DocumentInfo.Page.most)
    #expect(try again(info).pages.count == DocumentInfo.Page.most)
    info.pages.append(page)
    #expect(throws: MalformedBytes.self) { try again(info) }
  }

  @Test func `no pages, or pages of less than nothing, come from no worker of ours`() throws {
    var info = Self.info
    info.pages = []
    #expect(throws: MalformedBytes.self) { try again(info) }
    for size in [PageSize(width: -1e-300, height: 1), PageSize(width: 1, height: -1)] {
      info.pages = [DocumentInfo.Page(size: size)]
      #expect(throws: MalformedBytes.self) { try again(info) }
    }
    info.pages = [DocumentInfo.Page(size: PageSize(width: 0, height: 1e300))]
    #expect(try again(info) == info)
  }

  @Test func `what is said of a document begins no line of its own`() throws {
    var info = Self.info
    info.losses = ["one\nPrinted", "two\u{2028}\r\n"].map { Loss(.damage, $0) }
    info.pages[1].problem = "Page 2\u{85}Printed"
    #expect(try again(info).losses.map(\.message) == ["one Printed", "two"])
    #expect(try again(info).pages[1].problem == "Page 2 Printed")
  }

  @Test(arguments: [(1 << 40, 3), (3, -1), (.max, .max)])
  func `a picture of no size that there is comes from no worker of ours`(
    _ width: Int, _ height: Int
  ) {
    let image = DocumentInfo.Image(width: width, height: height, jpeg: nil, isFlat: nil)
    #expect(throws: MalformedBytes.self) { try again(image) }
  }

  @Test(arguments: FailureReason.allCases)
  func `a worker ends no command as if it had printed`(_ reason: FailureReason) throws {
    let failure = try again(WireFailure(Failure(reason, "fine"))).failure
    // Only a few can be caused by a document.
    let expected = [.document, .usage].contains(reason.exitCode) ? reason : .fault
    #expect(failure == Failure(expected, "fine"))
  }

  @Test func `an unknown reason is no failure of a genuine worker`() {
    let said = "printed".workerBytes + "fine".workerBytes + String?.none.workerBytes
    #expect(throws: MalformedBytes.self) { try WireFailure(workerBytes: said) }
  }

  @Test func `a page that is decoded arrives, and nothing that is none`() throws {
    var page = RasterPage(
      width: 300, height: 400, resolution: Resolution(x: 300, y: 600), pixels: .black1)
    page.sides = .shortEdge
    page.sizeName = "iso_a5_148x210mm"
    (page.pageWidth, page.pageLength, page.totalPages) = (420, 595, 7)
    page.mediaPosition = 21
    let told = DecodedPage(page, channels: 3, announcedPages: 9)
    let heard = try again(told)
    page.pixels = .srgb24
    #expect(heard.page == page && heard.announcedPages == 9)
    var bytes = told.workerBytes
    bytes[16] = 2
    #expect(throws: MalformedBytes.self) { try DecodedPage(workerBytes: bytes) }
  }

  /// Returns settings in which every member differs from the default.
  private func setup(_ output: SheetSetup.Output) throws -> SheetSetup {
    // The bytes follow the order of the members, because the only other initializer takes a ticket.
    var bytes = output.rawValue.workerBytes
    for length in [21_000, 29_700] { length.write(to: &bytes) }
    "iso_a4_210x297mm".write(to: &bytes)
    Rectangle(x: 1, y: 2, width: 3, height: 4).write(to: &bytes)
    Resolution(x: 600, y: 300).write(to: &bytes)
    for flag in [true, false, true, true] { flag.write(to: &bytes) }
    Rotation.half.write(to: &bytes)
    Sides.longEdge.write(to: &bytes)
    SheetBack.manualTumble.write(to: &bytes)
    5.write(to: &bytes)
    "photographic".write(to: &bytes)
    "stationery-letterhead".write(to: &bytes)
    21.write(to: &bytes)
    "photo".write(to: &bytes)
    true.write(to: &bytes)
    77.write(to: &bytes)
    SheetSetup.MemorySaving.half.write(to: &bytes)
    return try SheetSetup(workerBytes: bytes)
  }

  @Test func `commands arrive as they were given`() throws {
    for command in [
      .inspect(Self.opening, memory: 256 << 20), .measure([3, 20], atLeast: 2), .layOut(Self.box),
      .draw(try setup(.urf), [Self.side]), .draw(try setup(.previewSixel), [Self.side]),
      .decode(memory: 1 << 28), .nextPage,
      .lines,
    ] as [WorkerCommand] {
      #expect("\(try again(command))" == "\(command)")
    }
    let setup = try setup(.pwg)
    #expect(setup.output == .pwg && setup.width == 21_000 && setup.length == 29_700)
    #expect(setup.isGray && !setup.isRasterGray && setup.isBitonal && setup.isCMYK)
    #expect(setup.allSides == 77 && setup.rotation == .half && setup.firstTray == 21)
    #expect(setup.mediaType == "photographic" && setup.contentOptimize == "photo")
  }

  /// A new member has to be added to the encoding, and here.
  ///
  /// No worker tells `DocumentInfo.isRaw`, of what none opens, `scale`, which a converter does, and `namesFiles`, which
  /// is known by the type.
  @Test func `no type has a member that is not told`() throws {
    let setup = try setup(.urf)
    let members: [(Any, Int)] = [
      (Self.opening, 8), (Self.opening.attachments[0], 3), (setup, 21), (Self.side, 4),
      (Self.side.placements[0], 6), (Self.side.placements[0].lines[0], 7),
      (BorderedFrame(area: Rectangle(x: 0, y: 0, width: 0, height: 0), style: .none), 2),
      (Self.box, 8), (Self.box.text, 5), (Self.box.text.color, 3), (Self.info, 15),
      (Self.info.pages[0], 5), (DocumentInfo.Image(width: 0, height: 0), 4),
      (
        DocumentInfo.JPEG(
          isBaseline: true, components: 1, hasProfile: true, orientation: 1, octets: 1), 5
      ),
      (
        DocumentInfo.Raster(
          resolution: Resolution(1), isGray: true, sides: .oneSided, turnsBacks: true), 4
      ),
      (Transform(), 6), (Rectangle(x: 0, y: 0, width: 0, height: 0), 4), (Resolution(1), 2),
      (PageSize(width: 1, height: 1), 2), (Hundredths(1), 1),
    ]
    for (value, count) in members {
      #expect(Mirror(reflecting: value).children.count == count, "\(type(of: value))")
    }
  }

  @Test func `what is cut, too long or no number is refused`() {
    let bytes = Self.info.workerBytes
    for count in bytes.indices {
      #expect(throws: MalformedBytes.self) {
        try DocumentInfo(workerBytes: Array(bytes[..<count]))
      }
    }
    #expect(throws: MalformedBytes.self) {
      try DocumentInfo(workerBytes: bytes + [0])
    }
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(throws: MalformedBytes.self) {
        try PageSize(workerBytes: PageSize(width: 1, height: number).workerBytes)
      }
    }
    // Counts that are too large, and negative ones.
    for count in [3, -1, .max, .min] {
      #expect(throws: MalformedBytes.self) {
        try [Bool](workerBytes: count.workerBytes + [1, 1])
      }
      #expect(throws: MalformedBytes.self) {
        try String(workerBytes: count.workerBytes + [65, 65])
      }
    }
    #expect(throws: MalformedBytes.self) { try Bool(workerBytes: [2]) }
    #expect(throws: MalformedBytes.self) { try WorkerCommand(workerBytes: [4]) }
    #expect(throws: MalformedBytes.self) {
      try Sides(workerBytes: "three-sided".workerBytes)
    }
  }
}
