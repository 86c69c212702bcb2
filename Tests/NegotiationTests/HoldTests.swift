import Negotiation
import PrintModel
import PrintOptions
import Testing

/// `--hold 18:00` and `--hold night`, depending on the printer's support for holding.
@Suite struct HoldTests {
  private func hold(
    _ value: String, until end: Int?, stated: [Attribute]
  ) throws -> [Attribute] {
    var printer = Capabilities()
    printer.formats = [DocumentFormat.pdf]
    printer.attributes = AttributeSet(stated)
    var request = PrintRequest()
    try PrintOption.option.apply("job-hold-until=\(value)", to: &request)
    request.holdEnd = end
    let page = DocumentInfo.Page(size: PageSize(width: 595, height: 842))
    let ticket = try negotiate(
      request, document: DocumentInfo(mediaType: DocumentFormat.pdf, pages: [page]), with: printer,
      region: Region(environment: ["LC_ALL": "de_DE.UTF-8"]))
    let attributes = ticket.attributes.filter { $0.name.hasPrefix("job-hold") }
    #expect(ticket.asked.isSuperset(of: attributes.map(\.name)))
    return attributes
  }

  private static let words = Attribute(
    "job-hold-until-supported", .keyword("no-hold"), .keyword("indefinite"), .keyword("night"))
  private static let cups = Attribute("cups-version", .string(.text, "2.4.2"))
  /// 2026-11-22 17:00:00 UTC.
  private static let evening = 1_795_366_800

  @Test func `a time is a moment where the printer has those`() throws {
    for stated in [
      Attribute("job-hold-until-time-supported", .boolean(true)),
      Attribute("job-hold-until-time-supported", .range(0...86_400)),
    ] {
      #expect(
        try hold(
          "18:00", until: HoldTests.evening, stated: [HoldTests.words, HoldTests.cups, stated])
          == [
            Attribute(
              "job-hold-until-time", .dateTime([7, 234, 11, 22, 17, 0, 0, 0, 0x2B, 0, 0]))
          ])
    }
  }

  @Test func `CUPS has the time of the day in UTC`() throws {
    #expect(
      try hold("18:00", until: HoldTests.evening, stated: [HoldTests.words, HoldTests.cups])
        == [Attribute("job-hold-until", .name("17:00:00"))])
  }

  @Test func `words are the printer's own`() throws {
    #expect(
      try hold("night", until: nil, stated: [HoldTests.words])
        == [Attribute("job-hold-until", .keyword("night"))])
  }

  @Test(arguments: [
    (
      "18:00", [HoldTests.words, Attribute("job-hold-until-time-supported", .boolean(false))],
      "--hold 18:00: the printer can't hold jobs until a given time. Queue it (airprint queue add), and have "
        + "cron, at or a timer run airprint queue run then."
    ),
    (
      "weekend", [HoldTests.words],
      "--hold weekend: the printer supports no-hold, indefinite or night. Queue it (airprint queue add), and "
        + "have cron, at or a timer run airprint queue run then."
    ),
    (
      "night", [],
      "--hold night: the printer doesn't hold jobs. airprint queue add keeps documents for later."
    ),
  ])
  func `64: what it does not know`(
    _ value: String, _ stated: [Attribute], _ message: String
  ) throws {
    let failure = #expect(throws: Failure.self) {
      try hold(value, until: HoldTests.evening, stated: stated)
    }
    #expect(failure?.code == .usage && failure?.message == message)
  }

  @Test(arguments: [
    (0, "1970-1-1 00:00:00"), (951_782_400, "2000-2-29 00:00:00"), (-1, "1969-12-31 23:59:59"),
    (1_798_761_599, "2026-12-31 23:59:59"), (4_107_542_400, "2100-3-1 00:00:00"),
  ])
  func `moments are days of the calendar`(_ seconds: Int, _ text: String) {
    let time = UTCTime(seconds: seconds)
    #expect("\(time.year)-\(time.month)-\(time.day) \(time.clock)" == text)
  }

  @Test func `what is a time of the day, and what is none`() {
    #expect(ClockTime("18:00") == ClockTime("18:00:00") && ClockTime("7:05:09")?.second == 9)
    for text in ["", "18", "24:00", "18:60", "18:0a", "18:000", "1:2:3:4", "+1:00", ":30"] {
      #expect(ClockTime(text) == nil, "\(text)")
    }
  }
}
