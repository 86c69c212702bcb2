import TestSupport
import Testing

/// Messages while a printer prints, or does not.
@Suite(.inTurn) struct WatchingTests {
  /// Creates a printer that gradually becomes ready for its job, one step per query about it.
  private func printer(
    _ steps: [(state: Int, reasons: [String], printer: [String])]
  ) throws -> OddPrinter {
    let steps = steps.map { Step(state: $0.state, reasons: $0.reasons, printer: $0.printer) }
    let printer = try OddPrinter { request, state in
      if request.operation == OddPrinter.getJobAttributes, state.jobs[1]?.documents.isEmpty == false
      {
        // The first query is about the job before it has its document.
        let asked = state.log.filter { $0 == OddPrinter.getJobAttributes }.count - 1
        // Each step lasts for two queries, because a state between two polls is never seen.
        let step = steps[min(asked / 2, steps.count - 1)]
        if state.jobs[1]?.state ?? 9 < 7 {
          state.jobs[1]?.state = step.state
          state.jobs[1]?.reasons = step.reasons
          state.jobs[1]?.impressions = Int32(asked / 2)
        }
        state.reasons = step.printer
      }
      return .usual
    }
    printer.with { $0.ending = (3, ["none"], 0) }
    return printer
  }

  private struct Step: Sendable {
    var state: Int
    var reasons: [String]
    var printer: [String]
  }

  @Test func `out of paper in the middle, then refilled: it goes on by itself`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(
      command: """
        echo 'ATTR: job-impressions-completed=1' >&2; sleep 1
        echo 'STATE: +media-empty' >&2; sleep 3
        echo 'STATE: -media-empty' >&2
        echo 'ATTR: job-impressions-completed=3' >&2; sleep 1
        """)
    let file = try person.document(PDF(pages: [.a4(), .a4(), .a4()]).bytes)
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--timeout", "30", "--json", "--format", "pdf", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(
      printed.stderr.contains("Office: The main tray is out of paper after page 1: load A4."),
      "\(printed.stderr)")
    #expect(try printer.jobs().count == 1)
    await printer.stop()
  }

  @Test func `each reason in words, with the supply that is low, and each once`() async throws {
    let person = try await Person.anybody()
    let printer = try printer([
      (5, ["job-printing"], ["marker-supply-low-warning"]),
      (6, ["printer-stopped"], ["cover-open", "marker-supply-low-warning"]),
      (6, ["printer-stopped"], ["media-jam-error"]),
      (5, ["job-printing"], ["none"]), (9, ["job-completed-successfully"], ["none"]),
    ])
    printer.with {
      $0.attributes = [
        ("marker-names", ["Cyan Ink", "Black Ink Cartridge"]),
        ("marker-types", ["ink-cartridge", "ink-cartridge"]),
      ]
      $0.numbers = [("marker-levels", [80, 6])]
    }
    let printed = try await person.airprint(
      "print", "-d", printer.uri, try person.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    let lines = printed.stderr.split(separator: "\n").map(String.init)
    for line in [
      "Odd: Low on black ink; printing continues.", "Odd: Close the cover.",
      "Odd: Paper jam after page 2: clear it.",
    ] { #expect(lines.filter { $0 == line }.count == 1, "\(line) in \(lines)") }
    // Supplies stay low for weeks, so one message a day is enough.
    printer.with {
      $0.log = []
      $0.jobs = [:]
      $0.next = 1
    }
    let next = try await person.airprint(
      "print", "-d", printer.uri, try person.document(PDF().bytes))
    #expect(next.code == 0, "\(next.report)")
    #expect(next.stderr.contains("Odd: Close the cover."), "\(next.stderr)")
    #expect(!next.stderr.contains("Low on"), "\(next.stderr)")
    printer.close()
  }

  @Test(arguments: [
    ("job-release-wait", "release it at the printer"),
    ("job-password-wait", "enter the PIN at the printer to print it"),
    ("job-held-for-button-press", "press the button on the printer to print it"),
  ])
  func `a job that the printer holds is named at once`(
    _ reason: String, _ words: String
  ) async throws {
    let person = try await Person.anybody()
    let printer = try printer([
      (4, [reason], ["none"]), (4, [reason], ["none"]),
      (9, ["job-completed-successfully"], ["none"]),
    ])
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "-t", "Payroll", try person.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stderr.contains("\"Payroll\" is held: \(words)"), "\(printed.stderr)")
    printer.close()
  }

  @Test(arguments: [
    ("cancel", 0, "canceled. Nothing was printed."),
    ("cancel", nil, "canceled; the printer does not report whether a page of it was printed"),
    ("leave", nil, "left at the printer and may still print"),
  ])
  func `75: what is left at the printer, in words and in JSON`(
    _ wish: String, _ impressions: Int32?, _ words: String
  ) async throws {
    let person = try await Person.anybody()
    let stuck = try OddPrinter { _, state in
      state.reasons = ["media-empty-error"]
      return .usual
    }
    stuck.with {
      $0.ending = (6, ["printer-stopped"], impressions)
      ($0.printerState, $0.numbers) = (5, [("printer-state-change-time", [5])])
    }
    let printed = try await person.airprint(
      "print", "-d", stuck.uri, "--timeout", "1", "--on-timeout", wish, "--json",
      try person.document(PDF().bytes))
    #expect(printed.code == 75, "\(printed.report)")
    let line = try #require(try printed.jsonLines.first)
    let state = wish == "leave" ? "processing-stopped" : "canceled"
    #expect(line.state == .string(state))
    #expect(line.reasons?.strings?.contains("media-empty-error") == true)
    #expect(printed.stderr.contains(words))
    #expect(printed.stderr.contains("oad A4"))
    #expect(stuck.with { $0.jobs[1]?.state } == (wish == "leave" ? 6 : 7))
    let listed = try await person.airprint("jobs")
    #expect(listed.stdout.contains("\t\(state)\t"), "\(listed.report)")
    stuck.close()
  }

  @Test func `75: a sheet is out, so the rest is left`() async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter { _, state in
      state.reasons = ["media-empty"]
      return .usual
    }
    printer.with { $0.ending = (6, ["printer-stopped"], 1) }
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--timeout", "1",
      try person.document(PDF(pages: [.a4(), .a4()]).bytes))
    #expect(printed.code == 75, "\(printed.report)")
    #expect(printed.stderr.contains("Part of the job is printed; the rest was left"))
    #expect(printer.with { $0.jobs[1]?.state } == 6)
    printer.close()
  }

  @Test func `reasons that come and go are no progress`() async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter { request, state in
      if request.operation == OddPrinter.getJobAttributes, state.jobs[1]?.state != 7 {
        let isOdd = state.log.filter { $0 == OddPrinter.getJobAttributes }.count % 2 == 1
        state.jobs[1]?.reasons = [isOdd ? "media-needed" : "media-empty"]
      }
      return .usual
    }
    printer.with { $0.ending = (6, ["printer-stopped"], 0) }
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--timeout", "2", try person.document(PDF().bytes))
    #expect(printed.code == 75, "\(printed.report)")
    printer.close()
  }

  @Test(arguments: [true, false])
  func `82: a printer that was switched off counts from 1 again, and that job is not ours`(
    _ hasUUIDs: Bool
  ) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter { request, state in
      let asked = state.log.filter { $0 == OddPrinter.getJobAttributes }.count
      if hasUUIDs { state.jobs[1]?.uuid = asked < 3 ? "urn:uuid:ours" : "urn:uuid:theirs" }
      if asked >= 3 {
        state.jobs[1]?.state = 9
        if !hasUUIDs { state.jobs[1]?.name = "Payroll.pdf" }
      }
      return .usual
    }
    printer.with { $0.ending = (5, ["job-printing"], 0) }
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--timeout", "20", try person.document(PDF().bytes))
    #expect(printed.code == 82, "\(printed.report)")
    printer.close()
  }
}
