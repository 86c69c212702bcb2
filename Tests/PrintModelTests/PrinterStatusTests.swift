@testable import PrintModel
import Testing

@Suite struct PrinterStatusTests {
  private func read(_ attributes: Attribute...) -> PrinterStatus {
    PrinterStatus(reading: AttributeSet(attributes))
  }

  private func supply(_ text: String) -> Attribute {
    Attribute("printer-supply", .octets(Array(text.utf8)))
  }

  @Test func `a printer is read from its attributes`() {
    let status = read(
      Attribute("printer-state", .enumeration(5)),
      Attribute("printer-state-reasons", .keyword("media-empty-error"), .keyword("none")),
      Attribute("printer-state-message", .text("Load paper")),
      Attribute("printer-is-accepting-jobs", .boolean(false)),
      Attribute("queued-job-count", .integer(2)))
    #expect(
      status
        == PrinterStatus(
          state: .stopped, reasons: ["media-empty-error"], message: "Load paper",
          isAcceptingJobs: false, queuedJobs: 2))
  }

  @Test func `what it tells people in its own words`() {
    let status = read(
      Attribute("printer-state", .enumeration(5)),
      Attribute("printer-state-reasons", .keyword("other-error")),
      Attribute("printer-state-message", .text("Service")),
      Attribute("printer-message-from-operator", .text("Call 4711")),
      Attribute("printer-detailed-status-messages", .text("Service"), .text(" "), .text("Fan")),
      Attribute(
        "printer-alert", .octets(Array("index=1;severity=critical;code=coverOpen".utf8)),
        .octets(Array("code=jam".utf8)), .octets(Array("code=other".utf8))),
      Attribute("printer-alert-description", .text(""), .text("Tray 2: jam")))
    #expect(status.messages == ["Call 4711", "Fan", "cover open", "Tray 2: jam"])
    #expect(status.trouble(isLoaded: true) == "Service")
    let alerts = read(
      Attribute(
        "printer-alert", .octets(Array("code=markerInkLow;severity=warning".utf8)),
        .octets(Array("severity=critical;code=jam".utf8)), .integer(1)),
      Attribute("printer-alert-description", .text("Ink is low"), .text("Jam"), .text("Idle")))
    #expect(alerts.messages == ["Jam", "Ink is low", "Idle"])
    let silent = read(
      Attribute("printer-state", .enumeration(5)),
      Attribute("printer-alert-description", .text(String(repeating: "x", count: 900))))
    #expect(silent.messages.map(\.count) == [255])
    #expect(silent.trouble(isLoaded: true)?.hasPrefix("it reports \"xxx") == true)
    let many = Attribute("printer-alert-description", (0..<500).map { .text("\($0)") })
    #expect(read(many).messages.count == 10)
  }

  @Test func `one that says nothing is idle and takes jobs`() {
    #expect(read() == PrinterStatus(state: .idle, reasons: []))
    let vague = read(
      Attribute("printer-state", .enumeration(99)), Attribute("printer-state-message", .text("")),
      Attribute("printer-is-accepting-jobs", .none))
    #expect(vague == PrinterStatus(state: .idle, reasons: []))
  }

  @Test func `one that is out of paper says so once`() {
    let reasons = ["media-needed", "media-empty-error", "cover-open"]
    let status = PrinterStatus(state: .stopped, reasons: reasons)
    #expect(status.reasonsInWords == ["out of paper", "close the cover"])
    #expect(status.trouble(isLoaded: false) == "out of paper")
    let asking = PrinterStatus(state: .stopped, reasons: ["media-needed"])
    #expect(asking.reasonsInWords == ["load the paper that the job asks for"])
  }

  /// The trays without paper, the paper that they are set for, and the sentence.
  @Test(arguments: [
    (["auto", "main"], ["main": "A4"], "the main tray is out of paper: load A4"),
    (["tray-1", "by-pass-tray"], ["tray-1": "A4"], "tray 1 is out of paper: load A4"),
    (["by-pass-tray"], [:], "the by-pass tray is out of paper"),
    (["tray-1"], ["main": "A4"], "tray 1 is out of paper"),
    (
      ["tray-1", "main"], ["tray-1": "A4", "main": "A5"],
      "tray 1 and the main tray are out of paper: load A4 or A5"
    ),
    ([], ["main": "A4"], "out of paper: load A4"),
    ([], ["main": "A4", "tray-1": "A5"], "out of paper"), ([], [:], "out of paper"),
  ])
  func `empty trays and their paper are named where they are reported`(
    _ empty: [String], _ set: [String: String], _ words: String
  ) {
    let sources = ["auto", "tray-1", "by-pass-tray", "main"]
    let sizes = ["A4": (21_000, 29_700), "A5": (14_800, 21_000)]
    var printer = Capabilities()
    printer.reportsReady = true
    printer.ready = set.compactMap { source, title in
      sizes[title].map { width, length in
        Paper(
          name: "", size: MediaSize(width: Hundredths(width), length: Hundredths(length)),
          margins: .zero, source: source, isReady: true)
      }
    }
    let status = printer.namingPaper(
      of: read(
        Attribute("printer-state", .enumeration(5)),
        Attribute("printer-state-reasons", .keyword("media-empty-error")),
        Attribute("media-source-supported", sources.map { .keyword($0) }),
        Attribute(
          "printer-input-tray",
          sources.map {
            .octets(Array("level=\(empty.contains($0) ? "0" : "-2");name=\($0);".utf8))
          })))
    #expect(status.emptyTrays.map(\.source) == empty.filter { $0 != "auto" })
    #expect(status.reasonsInWords == [words] && status.trouble(isLoaded: true) == words)
  }

  // MARK: marker-*

  @Test func `markers are parallel lists`() {
    let status = read(
      Attribute("marker-names", .name("Black"), .name("Cyan"), .name("Waste")),
      Attribute("marker-types", .keyword("toner"), .keyword("toner")),
      Attribute("marker-levels", .integer(80), .integer(0), .integer(100)))
    #expect(
      status.supplies == [
        .init(name: "Black", type: "toner", level: 80),
        .init(name: "Cyan", type: "toner", level: 0),
        .init(name: "Waste", type: "unknown", level: 100),
      ])
  }

  /// CUPS: unavailable, unknown, some left.
  @Test(arguments: [-1, -2, -3, -4, 101, Int(Int32.max), Int(Int32.min)])
  func `a level that is no percentage is unknown`(_ level: Int) {
    let status = read(
      Attribute("marker-names", .name("Ink")), Attribute("marker-levels", .integer(level)))
    #expect(status.supplies == [.init(name: "Ink", type: "unknown", level: nil)])
  }

  /// The assignment of levels to names would be a guess, and a wrong one reports the wrong ink.
  @Test func `lists of different lengths say nothing`() {
    let names = Attribute("marker-names", .name("Black"), .name("Cyan"))
    let levels = Attribute("marker-levels", .integer(80))
    #expect(read(names, levels).supplies == [])
    #expect(
      read(names, levels, supply("type=toner;level=50;colorantname=black;")).supplies
        == [.init(name: "black", type: "toner", level: 50)])
  }

  // MARK: printer-supply

  @Test(arguments: [
    (
      "index=1;class=supplyThatIsConsumed;type=toner;unit=percent;maxcapacity=100;level=75;"
        + "colorantname=black;", "black", "toner", 75 as Int?
    ),
    ("type=ink;maxcapacity=200;level=50;colorantname=cyan", "cyan", "ink", 25),
    ("type=wasteToner;maxcapacity=-2;level=3", "wasteToner", "wasteToner", nil),
    ("type=ink;level=-3;maxcapacity=100", "ink", "ink", nil),
    ("type=ink;maxcapacity=0;level=0", "ink", "ink", nil),
    ("type=ink;maxcapacity=100;level=101", "ink", "ink", nil),
    ("TYPE=ink;Level=7;type=toner", "ink", "ink", 7),
    ("type=ink", "ink", "ink", nil),
    // The largest number, and a larger one.
    ("type=ink;maxcapacity=100;level=9223372036854775807", "ink", "ink", nil),
    ("type=ink;maxcapacity=9223372036854775807;level=9223372036854775807", "ink", "ink", 100),
    ("type=ink;maxcapacity=1;level=99999999999999999999999", "ink", "ink", nil),
    ("type=ink;level=50;maxcapacity=-9223372036854775808", "ink", "ink", nil),
  ])
  func `octets are fields`(_ text: String, _ name: String, _ type: String, _ level: Int?) {
    #expect(read(supply(text)).supplies == [.init(name: name, type: type, level: level)])
  }

  @Test(arguments: ["", ";;;", "=", "type", "level=50;", "\u{FFFD}"])
  func `octets without a type are no supply`(_ text: String) {
    #expect(read(supply(text)).supplies == [])
  }

  @Test func `bytes that are no text, or too many, do no harm`() {
    let wild = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(read(Attribute("printer-supply", .octets(wild))).supplies == [])
    let long = Array("type=ink;".utf8) + Array(repeating: UInt8(ascii: "x"), count: 100_000)
    #expect(read(Attribute("printer-supply", .octets(long))).supplies.first?.type == "ink")
    #expect(read(Attribute("printer-supply", .integer(3))).supplies == [])
  }
}
