import Glibc
import Synchronization
import TestSupport
import Testing

/// `move`: a job goes to another printer, never to both.
@Suite(.inTurn) struct MoveTests {
  @Test func `a job of the queue waits for the other printer`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let other = try await person.office("Back")
    let queued = try await person.airprint(
      "queue", "add", "-d", printer.uri, try person.document(PDF().bytes), "--json")
    let id = try #require(try queued.jsonLines.first?.job?.string)
    let moved = try await person.airprint("move", id, other.uri, "--json")
    #expect(moved.code == 0, "\(moved.report)")
    #expect(try moved.jsonLines.first?.job == .string(id))
    // It is already there.
    let again = try await person.airprint("move", id, other.uri)
    #expect(again.code == 64 && again.stderr.contains("already"), "\(again.report)")
    let run = try await person.airprint("queue", "run")
    #expect(run.code == 0, "\(run.report)")
    #expect(try await other.jobs(atLeast: 1).count == 1)
    #expect(try printer.jobs().isEmpty)
    let over = try await person.airprint("move", id, printer.uri)
    #expect(over.code == 76 && over.stderr.contains("has already ended"), "\(over.report)")
    #expect(try await person.airprint("move", "nobody", printer.uri).code == 69)
    await printer.stop()
    await other.stop()
  }

  @Test func `a held job is canceled here and held there, whether somebody waits for it or not`()
    async throws
  {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let other = try await person.simulate("laser")
    let file = try person.document(PageShape.a4.landmarks())
    let sent = try await person.airprint(
      "print", "-d", simulation.uri, "--hold", "--no-wait", "--json", file)
    let id = try #require(try sent.jsonLines.first?.job?.string)
    // A job that the other printer can't print stays.
    let gone = try await person.airprint("move", id, "ipp://localhost:1/ipp/print")
    #expect(gone.code == 69 && gone.stderr.contains("Job \(id) stays on"), "\(gone.report)")
    let locked = try await person.simulate("laser", "--require-password")
    let barred = try await person.airprint("move", id, locked.uri)
    #expect(barred.code == 77 && barred.stderr.contains("Job \(id) stays on"), "\(barred.report)")
    let moved = try await person.airprint("move", "\(simulation.uri)/1", other.uri, "--json")
    #expect(moved.code == 0, "\(moved.report)")
    #expect(try moved.jsonLines.first?.job == .string(id))
    #expect(try moved.jsonLines.first?.uri == .string(other.uri))
    try await isHeld(id, person)
    #expect(try await simulation.attributes("get-jobs.test").contains("job-id (integer)") == false)
    // The process that moved the job now waits for it.
    let back = try await person.airprint("move", id, simulation.uri)
    #expect(back.code == 0, "\(back.report)")
    try await isHeld(id, person)
    #expect(try await other.attributes("get-jobs.test").contains("job-id (integer)") == false)
    #expect(try await person.airprint("release", id).code == 0)
    let printed = try await person.airprint("wait", id)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try simulation.job(2, of: "laser").pages == 1)
    // If the job was printed elsewhere, the process that waited for it cancels it.
    let waiting = try person.start("print", "-d", simulation.uri, "--hold", file)
    try await waiting.wait(for: "run: airprint release ")
    let held = try await person.airprint("jobs", "--json").json.array?
      .first { $0.state == .string("pending-held") }?.job?.string
    let table = try await person.airprint("jobs").stdout
    #expect(table.contains("held") && !table.contains("pending-held"), "\(table)")
    let taken = try await person.airprint("move", try #require(held), other.uri)
    #expect(taken.code == 0, "\(taken.report)")
    #expect(await waiting.end().code == 81)
    _ = await simulation.end()
    _ = await other.end()
  }

  @Test func `a job that waits for an earlier one of its user is moved`() async throws {
    let person = try await Person.anybody()
    let slow = try await person.simulate("laser", "--fault", "slow:1k/s")
    let other = try await person.simulate("laser")
    let long = try person.document(PageShape.a4.landmarks(pages: 99), "long.pdf")
    let file = try person.document(PageShape.a4.landmarks(), "short.pdf")
    let first = try await person.airprint("print", "--detach", "-d", slow.uri, long)
    #expect(first.code == 0, "\(first.report)")
    try await eventually("the first is being sent") {
      try await person.airprint("jobs").stdout.contains("processing")
    }
    let second = try await person.airprint("print", "--detach", "-d", slow.uri, file)
    let id = second.stdout.filter { !$0.isNewline }
    try await eventually("the second waits") {
      try await person.airprint("jobs", id).stdout.contains("waiting for \"long.pdf\"")
    }
    let moved = try await person.airprint("move", id, other.uri)
    #expect(moved.code == 0, "\(moved.report)")
    let printed = try await person.airprint("wait", id)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try other.job(1, of: "laser").pages == 1)
    _ = try await person.airprint("cancel", "--all")
    _ = await slow.end()
    _ = await other.end()
  }

  private func isHeld(_ id: String, _ person: Person) async throws {
    try await eventually("\(id) is held") {
      // The job is held from Create-Job on; it can be moved once the printer has its document.
      let file = "\(person.folder)/state/airprint/jobs/\(id)/job.json"
      let record = try await person.shell("cat \(file)").stdout
      guard record.contains("\"sent\"") else { return false }
      return try await person.airprint("jobs", id, "--json").json.state == .string("pending-held")
    }
  }

  @Test func `who waits for a job that is moved hears that it may still print`() async throws {
    let person = try await Person.anybody()
    let empty = try await person.simulate("laser", "--fault", "media-empty")
    let other = try await person.simulate("laser")
    let run = try person.start(
      "print", "--json", "-d", empty.uri, try person.document(PageShape.a4.landmarks()))
    try await run.wait(for: "out of paper")
    let id = try #require(
      try await person.airprint("jobs", "--json").json.array?.first?.job?.string)
    let moved = try await person.airprint("move", id, other.uri)
    #expect(moved.code == 0, "\(moved.report)")
    let printed = await run.end()
    let line = try #require(try printed.jsonLines.last)
    #expect(printed.code == 81 && line.printed == .string("no"), "\(printed.report)")
    #expect(line.left == .boolean(true), "\(printed.report)")
    #expect(try await person.airprint("wait", id).code == 0)
    _ = await empty.end()
    _ = await other.end()
  }

  @Test func `a job can be released as soon as it was moved`() async throws {
    let person = try await Person.anybody()
    let printers = [
      try OddPrinter(),
      try OddPrinter { request, state in
        if request.operation == 0x0D { state.jobs[1]?.state = 9 }
        return request.operation == 0x0D ? .answer(status: 0) : .usual
      },
    ]
    for printer in printers {
      printer.with { $0.ending = (4, ["job-hold-until-specified"], 0) }
    }
    let sent = try await person.airprint(
      "print", "-d", printers[0].uri, "--no-wait", "--json", try person.document(PDF().bytes))
    let id = try #require(try sent.jsonLines.first?.job?.string, "\(sent.report)")
    let moved = try await person.airprint("move", id, printers[1].uri)
    #expect(moved.code == 0, "\(moved.report)")
    let released = try await person.airprint("release", id)
    #expect(released.code == 0, "\(released.report)")
    #expect(try await person.airprint("wait", id).code == 0)
    for printer in printers { printer.close() }
  }

  /// The job's state and page count before the cancel and after it, the exit code, and a word from the reason.
  static let refused:
    [(state: Int, pages: Int32?, canceled: Int?, after: Int32?, code: Int32, why: String)] = [
      (5, 0, 7, 0, 76, "already printing"), (6, nil, 7, 0, 76, "already printing"),
      (6, 1, 7, 1, 76, "already printing"), (9, 1, 9, 1, 76, "has already ended"),
      (4, 0, nil, 0, 76, "did not cancel the job"), (3, 0, 9, 1, 76, "before it could be moved"),
      (4, 0, 7, 1, 81, "after 1 page"),
    ]

  @Test(arguments: refused)
  func `a job of which something may be on paper is not sent again`(
    _ state: Int, _ pages: Int32?, _ canceled: Int?, _ after: Int32?, _ code: Int32, _ why: String
  ) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter { request, printer in
      guard request.operation == OddPrinter.cancelJob else { return .usual }
      guard let canceled else { return .answer(status: 0x0404) }
      printer.jobs[1]?.state = canceled
      printer.jobs[1]?.impressions = after
      return .answer(status: 0)
    }
    printer.with { $0.ending = (state, ["none"], pages) }
    let other = try OddPrinter()
    let sent = try await person.airprint(
      "print", "-d", printer.uri, "--no-wait", "--json", try person.document(PDF().bytes))
    let id = try #require(try sent.jsonLines.first?.job?.string, "\(sent.report)")
    let moved = try await person.airprint("move", id, other.uri)
    #expect(moved.code == code && moved.stderr.contains(why), "\(moved.report)")
    #expect(other.documents.isEmpty)
    printer.close()
    other.close()
  }

  /// The printer confirms the move's cancellation once the user has canceled the job.
  @Test(arguments: ["--no-wait", "--detach"])
  func `a job that its user cancels while it is moved is not sent`(_ way: String) async throws {
    let person = try await Person.anybody()
    let folder = Mutex("")
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.cancelJob
        ? .late { folder.withLock { access("\($0)/cancel", F_OK) == 0 } } : .usual
    }
    printer.with { $0.ending = (3, ["none"], 0) }
    let other = try OddPrinter()
    let sent = try await person.airprint(
      "print", "-d", printer.uri, way, "--json", try person.document(PDF().bytes))
    let id = try #require(try sent.jsonLines.first?.job?.string, "\(sent.report)")
    folder.withLock { $0 = "\(person.folder)/state/airprint/jobs/\(id)" }
    let record = "\(person.folder)/state/airprint/jobs/\(id)/job.json"
    try await eventually("it is sent") {
      try await person.shell("cat \(record)").stdout.contains("\"phase\" : \"sent\"")
    }
    let move = try person.start("move", id, other.uri)
    try await eventually("it is moved") { printer.count(OddPrinter.cancelJob) > 0 }
    let canceled = try await person.airprint("cancel", id)
    #expect(canceled.code == 0, "\(canceled.report)")
    let moved = await move.end()
    #expect(moved.code == 76 && moved.stderr.contains("is being canceled"), "\(moved.report)")
    #expect(try await person.airprint("wait", id).code == 81)
    #expect(other.documents.isEmpty)
    printer.close()
    other.close()
  }

  /// The printer receives the cancel, but is gone before it answers.
  @Test func `a job whose cancellation nobody confirms is not sent again`() async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.cancelJob ? .hangUp : .usual
    }
    printer.with { $0.ending = (3, ["none"], 0) }
    let other = try OddPrinter()
    let sent = try await person.airprint(
      "print", "-d", printer.uri, "--no-wait", "--json", try person.document(PDF().bytes))
    let id = try #require(try sent.jsonLines.first?.job?.string, "\(sent.report)")
    let moved = try await person.airprint("move", id, other.uri)
    #expect(moved.code == 75, "\(moved.report)")
    #expect(moved.stderr.contains("has not confirmed that job \(id)"), "\(moved.report)")
    #expect(other.documents.isEmpty)
    #expect(try await person.airprint("jobs", id, "--json").json.state == .string("pending"))
    printer.close()
    other.close()
  }

  /// A job that is being waited for may have no copy on disk.
  @Test func `a job whose document can't be brought to disk stays where it is`() async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    printer.with { $0.ending = (3, ["none"], 0) }
    let other = try OddPrinter()
    let sent = try await person.airprint(
      "print", "-d", printer.uri, "--no-wait", "--json", try person.document(PDF().bytes))
    let id = try #require(try sent.jsonLines.first?.job?.string, "\(sent.report)")
    let faults = try await FaultLibrary(person)
    let moved = try await person.airprint(
      "move", id, other.uri, adding: faults.environment(["FAULTS": "fsync:100"]))
    #expect(moved.code == 73, "\(moved.report)")
    #expect(moved.stderr.contains("Job \(id) stays on"), "\(moved.report)")
    #expect(printer.count(OddPrinter.cancelJob) == 0)
    #expect(other.documents.isEmpty)
    printer.close()
    other.close()
  }

  /// When the printer stopped, before it had the job and now.
  @Test(arguments: [(5, 5), (5, 6)] as [(Int32, Int32)])
  func `a job that has stopped before its first page is moved if its end can prove that`(
    _ before: Int32, _ now: Int32
  ) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter { request, printer in
      if request.operation == OddPrinter.sendDocument {
        printer.numbers = [("printer-state-change-time", [now])]
      }
      return .usual
    }
    printer.with {
      $0.ending = (6, ["printer-stopped"], 0)
      ($0.printerState, $0.numbers) = (5, [("printer-state-change-time", [before])])
    }
    let other = try OddPrinter()
    let sent = try await person.airprint(
      "print", "-d", printer.uri, "--no-wait", "--json", try person.document(PDF().bytes))
    let id = try #require(try sent.jsonLines.first?.job?.string, "\(sent.report)")
    let moved = try await person.airprint("move", id, other.uri)
    if before == now {
      #expect(moved.code == 0, "\(moved.report)")
      #expect(try await person.airprint("wait", id).code == 0)
      #expect(other.documents == printer.documents)
      #expect(printer.with { $0.jobs[1]?.state } == 7)
    } else {
      #expect(moved.code == 76, "\(moved.report)")
      #expect(
        moved.stderr.contains("run: airprint cancel \(id) && airprint reprint \(id) -d "),
        "\(moved.report)")
      #expect(printer.count(OddPrinter.cancelJob) == 0 && other.documents.isEmpty)
    }
    printer.close()
    other.close()
  }
}
