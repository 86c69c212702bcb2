import TestSupport
import Testing

/// Jobs that airprint has given up, but their printers still have.
@Suite(.inTurn) struct LeftJobsTests {
  /// Prints three pages on a printer that jams, and gives the job up.
  private func leave(_ person: Person, _ simulation: Simulation) async throws -> String {
    let document = try person.document(PageShape.a5.landmarks(pages: 3), "report.pdf")
    let printed = try await person.airprint(
      "print", "-d", simulation.uri, "--resolution", "300", "--timeout", "10",
      "--on-timeout", "leave", "--json", document)
    #expect(printed.code == 75, "\(printed.report)")
    #expect(printed.stderr.contains("was left at the printer"), "\(printed.report)")
    let listed = try await person.airprint("jobs", "--json").json.array
    #expect(listed?.map { $0.state?.string } == ["processing-stopped"])
    #expect(listed?.map { $0.exitCode } == [.null])
    return try #require(try printed.jsonLines.first?.job?.string)
  }

  @Test func `it is listed as its printer says, and how it ended is found out`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--fault", "media-jam@1")
    let id = try await leave(person, simulation)
    let cleared = try await person.airprint("simulate", "clear", simulation.name, "media-jam")
    #expect(cleared.code == 0, "\(cleared.report)")
    let waited = try await person.airprint("wait", id)
    #expect(waited.code == 0, "\(waited.report)")
    let over = try await person.airprint("jobs", "--json").json.array
    #expect(over?.map { $0.state?.string } == ["completed"])
    #expect(over?.map { $0.impressions?.number } == [3] && over?.first?.exitCode == .number(0))
    _ = await simulation.end()
  }

  @Test(arguments: ["ID", "NAME", "NUMBER"])
  func `it is canceled by its ID, without one, and by its number`(_ how: String) async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--fault", "media-jam@1")
    let id = try await leave(person, simulation)
    let words = ["ID": [id], "NAME": [], "NUMBER": ["\(simulation.uri)/1"]][how] ?? []
    let canceled = try await person.airprint(["cancel"] + words)
    #expect(canceled.code == 0, "\(canceled.report)")
    #expect(canceled.stderr.contains("Canceled report.pdf on "), "\(canceled.report)")
    let over = try await person.airprint("jobs", "--json").json.array
    #expect(over?.map { $0.state?.string } == ["canceled"])
    #expect(over?.map { $0.exitCode?.number } == [81])
    _ = await simulation.end()
  }

  /// The printer counts from 1 again.
  @Test func `another program's job is listed, whatever job had its number`() async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter { _, _ in .usual }
    let file = try person.document(PDF().bytes)
    #expect(try await person.airprint("print", "-d", printer.uri, file).code == 0)
    printer.with { $0.jobs = [1: OddPrinter.Job(name: "other.pdf", state: 3, reasons: ["none"])] }
    let listed = try await person.airprint("jobs", "--json", printer.uri).json.array
    #expect(listed?.map { $0.name?.string } == ["page.pdf", "other.pdf"])
    printer.close()
  }

  @Test(arguments: [OddPrinter.getPrinterAttributes, OddPrinter.getJobAttributes])
  func `wait ends in time for a job that its number names, if the printer is silent`(
    _ silent: Int
  ) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter { request, _ in
      request.operation == silent ? .silence : .usual
    }
    printer.with { $0.jobs[2] = OddPrinter.Job(name: "other.pdf", state: 5) }
    let begun = ContinuousClock.now
    let waited = try await person.airprint("wait", "--timeout", "1", "\(printer.uri)/2")
    #expect(waited.code == (silent == OddPrinter.getJobAttributes ? 75 : 69), "\(waited.report)")
    #expect(begun.duration(to: .now) < .seconds(9), "\(waited.report)")
    printer.close()
  }

  /// Only the printer has the time of the end, and this one does not report it.
  @Test func `the end of a job that nobody watched is not the moment that somebody looks`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try OddPrinter { _, _ in .usual }
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--no-wait", try person.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    let job = try await person.airprint("jobs", "--json").json.array?.first
    #expect(job?.state == .string("completed") && job?.exitCode == .number(0), "\(job as Any)")
    #expect(job?.ended == .null && job?.endedAt == .null, "\(job as Any)")
  }
}
