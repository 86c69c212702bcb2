@testable import PrintModel
import Testing

@Suite struct JobStatusTests {
  private func status(_ state: JobState, _ reasons: String...) -> JobStatus {
    JobStatus(id: 1, state: state, reasons: reasons)
  }

  @Test func `a job is read from its attributes`() throws {
    let status = try #require(
      JobStatus(
        reading: AttributeSet([
          Attribute("job-id", .integer(42)),
          Attribute("job-name", .name("Küche")),
          Attribute("job-originating-user-name", .name("anna")),
          Attribute("job-state", .enumeration(6)),
          Attribute("job-state-reasons", .keyword("media-needed"), .keyword("none")),
          Attribute("job-state-message", .text("")),
          Attribute("job-printer-state-message", .text("Load A4")),
          Attribute("job-impressions-completed", .integer(3)),
          Attribute("time-at-creation", .integer(60)),
          Attribute("time-at-completed", .integer(93)),
          Attribute("job-printer-up-time", .integer(100)),
        ])))
    var expected = JobStatus(
      id: 42, state: .stopped, reasons: ["media-needed"], message: "Load A4", impressions: 3)
    (expected.name, expected.user) = ("Küche", "anna")
    (expected.created, expected.age, expected.ended) = (60, 40, 7)
    // Only other jobs of the printer show that.
    #expect(status == expected)
  }

  @Test(
    arguments: [
      ([7, 0xEA, 11, 23, 16, 30, 5, 0, 0x2B, 0, 0], 1_795_451_405),
      ([7, 0xEA, 11, 23, 16, 30, 5, 9, 0x2D, 5, 30], 1_795_451_405 + 19_800),
      ([7, 0xB2, 1, 1, 0, 0, 0, 0, 0x2B, 0, 0], 0),
      ([7, 0xD0, 2, 29, 0, 0, 0, 0, 0x2B, 1, 0], 951_778_800),
      ([7, 0xEA, 0, 23, 16, 30, 5, 0, 0x2B, 0, 0], nil), ([7, 0xEA, 11, 23], nil), ([], nil),
      ([0xFF, 0xFF, 13, 99, 99, 99, 99, 0, 0, 99, 99], nil),
    ] as [([UInt8], Int?)])
  func `the moment at which the printer's clock says that a job ended`(
    _ octets: [UInt8], _ seconds: Int?
  ) {
    let status = JobStatus(
      reading: AttributeSet([
        Attribute("job-id", .integer(1)), Attribute("job-state", .enumeration(9)),
        Attribute("date-time-at-completed", .dateTime(octets)),
      ]))
    #expect(status?.completedAt == seconds && status?.ended == nil)
  }

  /// RFC 8011 §5.3.14: no-value is not yet; printers without a clock send 0.
  @Test(
    arguments: [
      (Attribute.Value.none, false), (.unknown, nil), (.integer(40), true), (.integer(0), nil),
      (.integer(-1), nil),
      (nil, nil),
    ] as [(Attribute.Value?, Bool?)])
  func `only no-value says that a job was never begun`(
    _ value: Attribute.Value?, _ isStarted: Bool?
  ) {
    let status = JobStatus(
      reading: AttributeSet(
        [Attribute("job-id", .integer(1)), Attribute("job-state", .enumeration(7))]
          + (value.map { [Attribute("time-at-processing", $0)] } ?? [])))
    #expect(status?.isStarted == isStarted)
  }

  /// number-of-intervening-jobs, time-at-completed-estimated at the time 100, and the words: of a job that waits, and
  /// of one that is being printed, before which there is none.
  @Test(
    arguments: [
      (3, 220, "3 jobs ahead, about 2 min"), (1, nil, "1 job ahead"), (0, 110, "about 1 min"),
      (0, nil, nil), (-1, 100, nil), (nil, Int.min, nil), (nil, 1_000_000, nil),
    ] as [(Int?, Int?, String?)])
  func `what comes before a job`(_ ahead: Int?, _ end: Int?, _ words: String?) throws {
    let estimates = [("number-of-intervening-jobs", ahead), ("time-at-completed-estimated", end)]
    func outlook(_ state: Int) -> String? {
      JobStatus(
        reading: AttributeSet(
          [
            Attribute("job-id", .integer(1)), Attribute("job-state", .enumeration(state)),
            Attribute("job-printer-up-time", .integer(100)),
          ] + estimates.compactMap { name, value in value.map { Attribute(name, .integer($0)) } }))?
        .outlook
    }
    #expect(outlook(3) == words && outlook(4) == nil && outlook(6) == nil)
    if ahead == 0 { #expect(outlook(5) == words) }
  }

  /// date-time-at-completed-estimated, by a clock that is wrong: 30 s after the creation, which was 10 s ago.
  @Test(arguments: [(30, 110, 20), (30, 100, 30), (5, 110, nil), (30, nil, nil), (30, 0, nil)])
  func `the date at which a job will end`(_ second: UInt8, _ now: Int?, _ left: Int?) throws {
    func date(_ second: UInt8) -> Attribute.Value {
      .dateTime([7, 0xEA, 1, 1, 0, 0, second, 0, 0x2B, 0, 0])
    }
    let status = JobStatus(
      reading: AttributeSet(
        [
          Attribute("job-id", .integer(1)), Attribute("job-state", .enumeration(5)),
          Attribute("time-at-creation", .integer(100)),
          Attribute("date-time-at-creation", date(0)),
          Attribute("date-time-at-completed-estimated", date(second)),
        ] + (now.map { [Attribute("job-printer-up-time", .integer($0))] } ?? [])))
    #expect(status?.secondsLeft == left)
  }

  @Test(
    arguments: [
      (.none, .integer(2), 2), (.integer(0), .integer(3), 3), (.integer(5), .integer(3), 5),
      (.integer(0), .none, 0), (.integer(-1), .integer(0), 0), (.integer(-1), .none, nil),
    ] as [(Attribute.Value, Attribute.Value, Int?)])
  func `sheets stand in for impressions, integers for enums`(
    _ impressions: Attribute.Value, _ sheets: Attribute.Value, _ count: Int?
  ) throws {
    let status = try #require(
      JobStatus(
        reading: AttributeSet([
          Attribute("job-id", .integer(1)), Attribute("job-state", .integer(9)),
          Attribute("job-impressions-completed", impressions),
          Attribute("job-media-sheets-completed", sheets),
        ])))
    #expect(status.state == .completed && status.impressions == count)
    #expect(status.countsSheets == [2, 3].contains(count))
  }

  /// They are written to the journal and to JSON.
  @Test func `of endless reasons and words, as many are kept as a standard allows`() throws {
    let reasons = (0..<60_000).map { Attribute.Value.keyword("toner-low-\($0)-warning") }
    let long = Attribute.Value.keyword(String(repeating: "x", count: 256))
    let words = Attribute.Value.text(String(repeating: "ü", count: 32_000))
    let job = try #require(
      JobStatus(
        reading: AttributeSet([
          Attribute("job-id", .integer(1)), Attribute("job-state", .enumeration(5)),
          Attribute("job-state-reasons", [long] + reasons), Attribute("job-state-message", words),
        ])))
    let printer = PrinterStatus(
      reading: AttributeSet([
        Attribute("printer-state-reasons", [long] + reasons),
        Attribute("printer-state-message", words),
      ]))
    #expect(job.reasons.count == 100 && job.reasons == printer.reasons)
    #expect(job.reasons.first == "toner-low-0-warning")
    #expect(job.message?.count == 1023 && job.message == printer.message)
  }

  @Test(arguments: [
    [Attribute("job-id", .integer(1))],
    [Attribute("job-state", .enumeration(5))],
    [Attribute("job-id", .integer(1)), Attribute("job-state", .enumeration(2))],
    [Attribute("job-id", .integer(1)), Attribute("job-state", .none)],
    [Attribute("job-id", .keyword("1")), Attribute("job-state", .enumeration(5))],
  ])
  func `without a number and a state it is no job`(_ attributes: [Attribute]) {
    #expect(JobStatus(reading: AttributeSet(attributes)) == nil)
  }

  @Test(arguments: [
    ([], true), (["job-completed-successfully"], true), (["job-completed-with-warnings"], true),
    (["media-low-warning", "processing-to-stop-point"], true),
    // A printer that could not read the document may still report the job as completed (cups#1703).
    (["document-format-error"], false), (["document-unprintable-error"], false),
    (["compression-error"], false), (["aborted-by-system"], false),
    (["unsupported-document-format"], false), (["unsupported-compression"], false),
    (["job-canceled-by-user"], false), (["job-canceled-at-device"], false),
    (["job-completed-with-errors"], false), (["errors-detected"], false),
    (["job-completed-successfully", "document-format-error-report"], false),
  ])
  func `completed is success unless a reason speaks against it`(
    _ reasons: [String], _ isSuccess: Bool
  ) {
    let status = JobStatus(id: 1, state: .completed, reasons: reasons)
    #expect(status.isSuccess == isSuccess)
  }

  @Test(arguments: JobState.allCases)
  func `states have keywords and an end`(_ state: JobState) {
    #expect(JobState(keyword: state.keyword) == state)
    #expect(state.isOver == [.canceled, .aborted, .completed].contains(state))
    #expect(state == .completed || !status(state).isSuccess)
  }

  @Test func `what is asked is what is read`() {
    #expect(Set(JobStatus.attributes).count == JobStatus.attributes.count)
    #expect(JobStatus.attributes.contains("job-state-reasons"))
  }
}
