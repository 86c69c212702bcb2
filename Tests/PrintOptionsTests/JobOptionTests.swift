import PrintModel
import Testing
import PrintOptions

/// `-o NAME=VALUE`, with the same meaning as for `lp`.
@Suite struct JobOptionTests {
  private func request(_ text: String) throws -> PrintRequest {
    var request = PrintRequest()
    try PrintOption.option.apply(text, to: &request)
    return request
  }

  /// Options about drawing pages are airprint's own options, in both forms.
  @Test(arguments: [
    ("copies=3", PrintOption.copies, "3"),
    ("media=a4", .paper, "a4"),
    ("media=iso_a5_148x210mm", .paper, "iso_a5_148x210mm"),
    ("page-ranges=1-2,5-", .pages, "1-2,5-"),
    ("sides=one-sided", .sides, "one"),
    ("sides=two-sided-long-edge", .sides, "long"),
    ("sides=two-sided-short-edge", .sides, "short"),
    ("duplex", .sides, "long"), ("noduplex", .sides, "one"),
    ("print-color-mode=monochrome", .color, "gray"),
    ("print-color-mode=color", .color, "color"),
    ("print-color-mode=auto", .color, "auto"),
    ("print-quality=3", .quality, "draft"),
    ("print-quality=4", .quality, "normal"),
    ("print-quality=5", .quality, "high"),
    ("print-quality=high", .quality, "high"),
    ("print-scaling=auto-fit", .scaling, "auto-fit"),
    ("printer-resolution=600dpi", .resolution, "600"),
    ("printer-resolution=600x1200dpi", .resolution, "600x1200"),
    ("orientation-requested=3", .orientation, "portrait"),
    ("orientation-requested=4", .orientation, "landscape"),
    ("orientation-requested=6", .rotate, "180"),
    ("media-source=tray-2", .tray, "tray-2"), ("media-col.media-source=tray-2", .tray, "tray-2"),
    ("media-type=labels", .mediaType, "labels"),
    ("landscape", .orientation, "landscape"), ("output-bin=face-up", .outputBin, "face-up"),
    ("fit-to-page", .scaling, "fit"),
    ("fit-to-page=true", .scaling, "fit"),
    ("nofit-to-page", .scaling, "auto"),
    ("fill", .scaling, "fill"),
    ("natural-scaling=100", .scaling, "none"),
    ("number-up=2", .numberUp, "2"),
    ("position=top", .position, "top"),
    ("PageSize=A4", .paper, "A4"),
    ("media=Custom.10x15cm", .paper, "Custom.10x15cm"),
    ("InputSlot=Tray2", .tray, "tray-2"),
    ("MediaType=Glossy", .mediaType, "photographic-glossy"),
    ("Duplex=DuplexNoTumble", .sides, "long"),
    ("Duplex=None", .sides, "one"),
    ("ColorModel=Gray", .color, "gray"),
    ("ColorModel=RGB", .color, "color"),
    ("output-mode=monochrome", .color, "gray"),
    ("cupsPrintQuality=High", .quality, "high"),
    ("Resolution=300x600dpi", .resolution, "300x600"),
    ("page-left=72", .margins, "0,0,0,1in"),
  ])
  func `an attribute that airprint has an option for is that option`(
    _ text: String, _ option: PrintOption, _ value: String
  ) throws {
    var expected = PrintRequest()
    if text.hasPrefix("media=Custom") {
      expected.paper = [.sheet(MediaSize(width: 10_000, length: 15_000), asked: value)]
      expected.give(option.rawValue, from: nil)
    } else {
      try option.apply(value, to: &expected)
    }
    #expect(try request(text) == expected)
  }

  /// CUPS' media has size, tray and medium in any order.
  @Test(arguments: [
    ("media=A4,Tray2", ["A4"], "tray-2", nil),
    ("media=Upper,Transparency,Letter", ["Letter"], "top", "transparency"),
    ("media=Tray3", [], "tray-3", nil),
    ("media=iso_a4_210x297mm,A5", ["iso_a4_210x297mm", "A5"], nil, nil),
    ("PageSize=w288h432", ["w288h432"], nil, nil),
  ])
  func `media names size, tray and medium`(
    _ text: String, _ papers: [String], _ tray: String?, _ type: String?
  ) throws {
    let request = try request(text)
    #expect(request.paper.map(\.asked) == papers)
    #expect(request.tray == tray)
    #expect(request.mediaType == type)
  }

  @Test func `a PPD's borderless size is borderless`() throws {
    let request = try request("PageSize=A4.Borderless")
    #expect(request.borderless == true)
    #expect(
      request.paper
        == [.sheet(MediaSize(width: 21_000, length: 29_700), asked: "A4.Borderless")])
  }

  /// lp accepts several options in one argument; a printer's own name keeps its spaces.
  @Test func `one argument may hold several`() throws {
    var expected = PrintRequest()
    try PrintOption.paper.apply("A4", to: &expected)
    try PrintOption.orientation.apply("landscape", to: &expected)
    #expect(try request("media=A4 landscape") == expected)
    #expect(try request(" media=A4  landscape ") == expected)
    #expect(try request("media=A4 -o landscape") == expected)
    #expect(try request("job-message=media=A4 -o landscape").options.count == 1)
    #expect(try request(" landscape ") == request("landscape"))
    #expect(try request("job-message=media=A4 landscape").options.count == 1)
    // In quotes, as cupsParseOptions(3) reads them.
    #expect(try request(#"media="A4" landscape"#) == expected)
    #expect(try request("media='A4' landscape") == expected)
    for text in [
      #"job-message="Print  it""#, #"job-message='Print  it'"#, #"job-message=Print\ \ it"#,
    ] {
      #expect(try request(text).options.map(\.value) == ["Print  it"])
    }
    #expect(try request("job-message=It's  here").options.map(\.value) == ["It's  here"])
    // Braces keep theirs.
    #expect(try request("job-sheets-col={a={b='c d'}}").options.map(\.value) == ["{a={b='c d'}}"])
  }

  @Test(arguments: [
    "collate=true", "outputorder=normal", "page-set=all", "wrap", "job-sheets=none",
    "job-hold-until=no-hold", "number-up-layout=lrtb", "nomirror", "noraw",
    "multiple-document-handling=separate-documents-collated-copies",
  ])
  func `what is done anyway is asked for in vain`(_ text: String) throws {
    var request = try request(text)
    for option in request.given { request.give(option, from: nil, isWish: false) }
    #expect(request == PrintRequest())
  }

  @Test(arguments: [
    ("page-set=some", "even"), ("outputorder=backwards", "reverse"),
    ("collate=x", "true or false"), ("scaling=50", "percentages"),
    ("natural-scaling=50", "percentages"),
    ("scaling=50%", "percentages"), ("orientation-requested=5", "--rotate 180"),
    ("raw=maybe", "true or false"), ("mirror", "mirrored"),
    ("prettyprint", "--header"), ("cpi=12", "--font"),
    ("job-name=x", "--title"), ("job-hold-until-time=18:00", "--hold 18:00"),
    ("page-left=wide", "--margins"), ("brightness=120", "colors"),
    ("media-col={}", "media-col.media-top-offset"), ("media-top-margin=0", "--borderless"),
    ("media-col.media-size.x-dimension=1", "--paper"),
  ])
  func `what can't be is refused with what can`(_ text: String, _ word: String) {
    let failure = #expect(throws: Failure.self) { try request(text) }
    #expect(failure?.code == .usage)
    #expect(failure?.message.contains(word) == true, "\(failure?.message ?? "")")
  }

  @Test(arguments: [
    "nocollate", "collate=false", "sheet-collate=uncollated",
    "multiple-document-handling=separate-documents-uncollated-copies",
  ])
  func `all copies of a page may come together`(_ text: String) throws {
    var expected = PrintRequest()
    expected.isUncollated = true
    #expect(try request(text) == expected)
  }

  @Test func `raw is asked for by lp's word`() throws {
    #expect(try request("raw").isRaw && request("raw=true").isRaw)
    #expect(try !request("noraw").isRaw)
    #expect(try request("document-format=application/vnd.cups-raw").isRaw)
  }

  @Test func `the type of the document is stated by IPP's name`() throws {
    var expected = PrintRequest()
    expected.from = "application/vnd.hp-PCL"
    #expect(try request("document-format=application/vnd.hp-PCL") == expected)
    expected.isRaw = true
    #expect(try request("raw=application/vnd.hp-PCL") == expected)
    #expect(try request("document-format=application/octet-stream") == PrintRequest())
  }

  @Test func `what was typed is no setting any more`() throws {
    var request = PrintRequest()
    request.fromSettings = ["sides": "config.toml"]
    try PrintOption.option.apply("sides=one-sided", to: &request)
    #expect(request.fromSettings.isEmpty)
  }

  @Test(arguments: [
    ("job-hold-until=indefinite", "job-hold-until", "indefinite"),
    ("finishings=20,78", "finishings", "20,78"),
    ("job-message=a=b", "job-message", "a=b"),
  ])
  func `any other goes to the printer`(_ text: String, _ name: String, _ value: String) throws {
    #expect(try request(text).options == [PrintRequest.JobOption(name: name, value: value)])
  }

  @Test func `they are kept in their order`() throws {
    var request = PrintRequest()
    for text in ["b=1", "a=2", "b=3"] { try PrintOption.option.apply(text, to: &request) }
    #expect(request.options.map(\.name) == ["b", "a", "b"])
  }

  @Test(arguments: ["", "=", "finishings", "finishings=", "=20", "notes"])
  func `a name and a value are wanted`(_ text: String) {
    let failure = #expect(throws: Failure.self) { try request(text) }
    let typed = text.isEmpty ? "\"\"" : text
    #expect(
      failure
        == Failure(.usage, "-o \(typed): takes NAME=VALUE, a job attribute and its value."))
  }

  @Test(arguments: [
    ("sides=three", "--sides three: takes one, long, short or auto."),
    ("copies=0", "--copies 0: takes a number from 1 to 9999."),
    ("orientation-requested=7", "--orientation 7: takes auto, portrait or landscape."),
    ("print-color-mode=bi-level", "--color bi-level: takes auto, color or gray."),
  ])
  func `a bad value is refused in the words of the option`(_ text: String, _ message: String) {
    #expect(throws: Failure(.usage, message)) { try request(text) }
  }

  /// `media=Custom.10x15cm` once printed nothing and was reported as completed (apple/cups#5367).
  @Test func `a medium that is none is an error`() {
    #expect(throws: Failure.self) { try request("media=Custom.wide") }
    #expect(throws: Failure.self) { try request("media=A4,Tray") }
  }
}
