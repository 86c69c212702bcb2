import PrintModel
import Testing
import PrintOptions

@Suite struct PrintOptionTests {
  /// Returns the request after an option is set to a value.
  private func request(_ option: PrintOption, _ text: String) throws -> PrintRequest {
    var request = PrintRequest()
    try option.apply(text, to: &request)
    return request
  }

  // MARK: Good values

  @Test func `blanks around a value are none of it, but of a file's name or words`() throws {
    #expect(try request(.copies, " 2").copies == 2)
    #expect(try request(.sides, "long ").sides == request(.sides, "long").sides)
    #expect(try request(.pages, " 1 , 3 ").pages?.indices(of: 3) == [0, 2])
    #expect(try request(.borderless, "\tyes").borderless == true)
    #expect(try request(.assets, " a").assets == " a")
    #expect(try request(.title, " a").title == " a")
  }

  @Test(arguments: [("1", 1), ("9999", 9_999), ("007", 7)])
  func `copies`(_ text: String, _ count: Int) throws {
    #expect(try request(.copies, text).copies == count)
  }

  @Test func `pages and papers`() throws {
    #expect(try request(.pages, "2-").pages?.indices(of: 3) == [1, 2])
    #expect(
      try request(.paper, "A4,80mm,best").paper
        == [
          .sheet(MediaSize(width: 21_000, length: 29_700), asked: "A4"),
          .roll(width: 8_000, asked: "80mm"), .best,
        ])
  }

  @Test func `words that a printer has are taken as they are`() throws {
    #expect(try request(.tray, "tray-2").tray == "tray-2")
    #expect(try request(.mediaType, "labels-continuous").mediaType == "labels-continuous")
  }

  @Test(arguments: PrintRequest.SidesOption.allCases)
  func `sides`(_ wish: PrintRequest.SidesOption) throws {
    #expect(try request(.sides, wish.rawValue.uppercased()).sides == wish)
  }

  @Test(arguments: PrintRequest.ColorOption.allCases)
  func `color`(_ wish: PrintRequest.ColorOption) throws {
    #expect(try request(.color, wish.rawValue).color == wish)
  }

  @Test(arguments: Scaling.allCases)
  func `scaling`(_ scaling: Scaling) throws {
    #expect(try request(.scaling, scaling.rawValue).scaling == scaling)
  }

  @Test(arguments: PrintRequest.OrientationOption.allCases)
  func `orientation`(_ wish: PrintRequest.OrientationOption) throws {
    #expect(try request(.orientation, wish.rawValue).orientation == wish)
  }

  @Test(arguments: [
    (PrintRequest.FormatOption.auto, nil), (.pdf, "application/pdf"), (.urf, "image/urf"),
    (.pwg, "image/pwg-raster"), (.jpeg, "image/jpeg"), (.ps, "application/postscript"),
  ])
  func `format`(_ wish: PrintRequest.FormatOption, _ mediaType: String?) throws {
    #expect(try request(.format, wish.rawValue).format == wish)
    #expect(wish.mediaType == mediaType)
  }

  @Test(arguments: [("draft", Quality.draft), ("Normal", .normal), ("high", .high)])
  func `quality`(_ text: String, _ quality: Quality) throws {
    #expect(try request(.quality, text).quality == quality)
  }

  @Test(arguments: [
    ("300", 300, 300), ("600dpi", 600, 600), ("600x1200dpi", 600, 1200), ("600X1200", 600, 1200),
  ])
  func `resolution`(_ text: String, _ x: Int, _ y: Int) throws {
    #expect(try request(.resolution, text).resolution == Resolution(x: x, y: y))
  }

  @Test(arguments: [("true", true), ("YES", true), ("on", true), ("false", false), ("no", false)])
  func `borderless`(_ text: String, _ flag: Bool) throws {
    #expect(try request(.borderless, text).borderless == flag)
  }

  @Test(arguments: [
    ("auto", PrintRequest.CutLength.auto), ("max", .max), ("120mm", .length(12_000)),
    ("5mm", .length(500)), ("50000mm", .length(5_000_000)), ("12CM", .length(12_000)),
  ])
  func `cut length`(_ text: String, _ length: PrintRequest.CutLength) throws {
    #expect(try request(.cutLength, text).cutLength == length)
  }

  @Test(arguments: [
    ("36pt", [1_270, 1_270, 1_270, 1_270]), ("1in,20mm", [2_540, 2_000, 2_540, 2_000]),
    ("1mm,2mm,3mm,4cm", [100, 200, 300, 4_000]), ("0", [0, 0, 0, 0]),
  ])
  func `margins: top, right, bottom, left`(_ text: String, _ sides: [Int]) throws {
    let margins = try #require(try request(.margins, text).margins)
    #expect([margins.top, margins.right, margins.bottom, margins.left].map(\.count) == sides)
  }

  @Test func `a header that is empty is none`() throws {
    var request = PrintRequest()
    try PrintOption.header.apply("x", to: &request)
    #expect(request.header != nil)
    try PrintOption.header.apply("", to: &request)
    #expect(request.header == nil)
  }

  @Test(arguments: [
    (PrintOption.sides, "Both"), (.sides, "duplex"), (.sides, "two-sided-long-edge"),
    (.color, "grey"), (.color, "BW"), (.quality, "best"), (.align, "centre"), (.position, "centre"),
  ])
  func `other words for a value are understood`(_ option: PrintOption, _ word: String) throws {
    var request = PrintRequest()
    try option.apply(word, to: &request)
    let meant: [PrintOption: Bool] = [
      .sides: request.sides == .long, .color: request.color == .gray,
      .quality: request.quality == .high, .align: request.text.alignment == .center,
      .position: request.position == .center,
    ]
    #expect(meant[option] == true)
  }

  // MARK: Bad values

  @Test(arguments: [("10", "10mm"), ("10,0", "10mm,0"), ("2.5", "2.5mm")])
  func `margins without their unit are told so`(_ text: String, _ guess: String) {
    let failure = #expect(throws: Failure.self) { _ = try request(.margins, text) }
    #expect(failure?.message == "--margins \(text): a length needs its unit (\(guess)).")
  }

  @Test(arguments: [
    (PrintOption.copies, "takes a number from 1 to 9999", ["0", "10000", "-1", "1.5", "", "two"]),
    (.sides, "takes one, long, short or auto", ["", "three", "left"]),
    (.color, "takes auto, color or gray", ["", "purple"]),
    (.scaling, "takes auto, auto-fit, fit, fill or none", ["", "autofit", "wide"]),
    (.orientation, "takes auto, portrait or landscape", ["", "3", "seascape"]),
    (.rotate, "takes 90, 180 or 270 degrees clockwise, or 0", ["", "45", "-90", "360", "left"]),
    (
      .poster, "takes columns and rows of sheets (2x2, 3x1), 20 at most, or 1x1",
      ["", "2", "0x2", "2x21", "2x2x2", "ax1", "-1x2"]
    ),
    (.format, "takes auto, pdf, urf, pwg, jpeg or ps", ["", "jpg", "image/urf"]),
    (.quality, "takes draft, normal or high", ["", "5", "finest"]),
    (
      .resolution, "takes dots per inch (300, 600dpi or 600x1200dpi)",
      ["", "9", "9601", "0", "300x", "x300", "300x300x300", "300x0", "dpi", "-300", "fine"]
    ),
    (.borderless, "takes true or false", ["", "1", "maybe"]),
    (
      .cutLength, "takes auto, max or a length from 5mm to 5000cm, such as 120mm",
      ["", "120", "4mm", "0mm", "50001mm", "-120mm", "min"]
    ),
    (
      .margins,
      "takes lengths with their unit (36pt, 10mm, 0.5in): one for all sides, two (top and bottom, "
        + "left and right) or four (top, right, bottom, left); separated by commas",
      ["", "-5mm", "10mm,", "1mm,2mm,3mm", "1,2,3", "1mm,2mm,3mm,4mm,5mm", "wide"]
    ),
  ])
  func `a value that makes no sense is refused with what would`(
    _ option: PrintOption, _ accepted: String, _ texts: [String]
  ) {
    for text in texts {
      let failure = #expect(throws: Failure.self) { try request(option, text) }
      let typed = text.isEmpty ? "\"\"" : text
      #expect(failure == Failure(.usage, "--\(option.rawValue) \(typed): \(accepted)."))
    }
  }

  /// With other programs, `--color` is about the terminal.
  @Test(arguments: ["never", "always", "Never"])
  func `colors of the terminal are not ink`(_ text: String) {
    let failure = #expect(throws: Failure.self) { try request(.color, text) }
    #expect(failure?.message.contains("NO_COLOR=1") == true)
  }

  @Test(arguments: ["", ",", ",,"])
  func `a paper must be named`(_ text: String) {
    let failure = #expect(throws: Failure.self) { try request(.paper, text) }
    #expect(failure?.message == "--paper: name at least one paper, such as A4 or best.")
  }

  @Test func `one bad paper spoils the list`() {
    let failure = #expect(throws: Failure.self) { try request(.paper, "A4,papyrus,best") }
    #expect(failure?.message.hasPrefix("--paper papyrus: no such paper.") == true)
  }

  @Test func `nothing is changed by a value that is refused`() {
    // Only a printer, a folder or a font can validate these values.
    let free: Set<PrintOption> = [
      .pages, .tray, .firstPageTray, .mediaType, .assets, .header, .footer, .font, .renderer,
      .overlay, .underlay, .from, .labelMode, .mediaTracking, .outputBin, .preset,
    ]
    for option in PrintOption.allCases where !free.contains(option) {
      var request = PrintRequest()
      #expect(throws: Failure.self) { try option.apply("\u{1}", to: &request) }
      #expect(request == PrintRequest(), "\(option)")
    }
  }

  /// A setting applies to all jobs, but page numbers to one document.
  @Test func `all but pages, types and alternates can be set`() {
    let ofOneDocument: Set<PrintOption> = [.pages, .pageSet, .from, .alternate]
    #expect(Set(PrintOption.settings) == Set(PrintOption.allCases).subtracting(ofOneDocument))
  }
}
