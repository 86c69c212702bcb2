import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Recovery by `jobs` from the journal that a crash left, phase by phase.
///
/// The records are those of a killed airprint; FaultTests really kills it.
@Suite(.inTurn) struct RecoveryTests {
  /// Writes a job's record as if its airprint process were gone.
  private func leave(
    _ person: Person, _ id: String, _ phase: String, at uri: String, jobId: Int? = nil,
    kept: Bool = false, later: Bool = false, sides: Int? = nil, created: Double = 1_795_000_000,
    before: [Int]? = nil
  ) throws {
    let folder = person.path("state/airprint/jobs/\(id)")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try PDF().bytes.write(to: "\(folder)/document.pdf")
    let text = """
      {"addresses": ["127.0.0.1"], "created": \(created), "file": "lost.pdf", "id": "\(id)",
       "name": "lost.pdf", "phase": "\(phase)", "printer": "Odd", "reasons": [], "uri": "\(uri)",
       "user": "root", "kept": \(kept), "later": \(later),
       \(jobId.map { "\"jobId\": \($0)," } ?? "") \(sides.map { "\"sides\": \($0)," } ?? "")
       \(before.map {
         "\"search\": {\"name\": \"lost.pdf\", \"user\": \"root\", \"since\": \(created), \"before\": \($0)},"
       } ?? "")
       "document": {"path": "lost.pdf", "copy": "document.pdf"},
       "request": {"options": [], "printers": ["\(uri)"]}}
      """
    try Array(text.utf8).write(to: "\(folder)/job.json")
  }

  private func settled(_ person: Person) async throws -> JSON {
    let jobs = try await person.airprint("jobs", "--json")
    #expect(jobs.code == 0, "\(jobs.report)")
    return try #require(try jobs.json.array?.first)
  }

  @Test(arguments: ["accepted", "creating", "created"])
  func `nothing had left: it is said not to be printed, and no empty job stays`(
    _ phase: String
  ) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    printer.with { state in
      state.jobs[1] = OddPrinter.Job(name: "lost.pdf")
      state.next = 2
    }
    try leave(
      person, "bbbbb", phase, at: printer.uri, jobId: phase == "created" ? 1 : nil,
      created: wall() - 60)
    let job = try await settled(person)
    #expect(job.exitCode == .number(81))
    #expect(job.message?.string?.contains("Nothing was printed.") == true)
    #expect(printer.documents.isEmpty)
    if phase != "accepted" { #expect(printer.with { $0.jobs[1]?.state } == 7) }
    printer.close()
  }

  @Test func `queue run does not report how a job ended that was none of the queue's`()
    async throws
  {
    for command in [["queue", "run"], ["jobs"]] {
      let person = try await Person.anybody()
      let printer = try OddPrinter()
      try leave(person, "bbbbb", "accepted", at: printer.uri, created: wall() - 60)
      let run = try await person.airprint(command)
      #expect(run.code == 0, "\(run.report)")
      #expect(run.stderr.contains("Nothing was printed.") == (command == ["jobs"]), "\(run.report)")
      #expect(try await settled(person).exitCode == .number(81))
      printer.close()
    }
  }

  @Test func `queue run reports a job of its own that a killed one was sending`() async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    try leave(person, "bbbbb", "sending", at: printer.uri, jobId: 1, kept: true, later: true)
    let run = try await person.airprint("queue", "run")
    #expect(run.code == 74, "\(run.report)")
    #expect(
      run.stderr.hasPrefix("airprint: lost.pdf (job bbbbb): airprint was stopped while")
        && !run.stderr.contains("nothing to print"), "\(run.stderr)")
    // That is said once.
    #expect(try await person.airprint("queue", "run").code == 0)
    printer.close()
  }

  /// It printed what it had.
  @Test func `a job of which a part was sent is not printed because it was canceled too late`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    printer.with {
      $0.jobs[1] = OddPrinter.Job(name: "lost.pdf", state: 9, reasons: ["none"], impressions: 1)
    }
    try leave(person, "bbbbb", "sending", at: printer.uri, jobId: 1, sides: 1)
    let canceled = try await person.airprint("cancel", "bbbbb")
    #expect(canceled.code == 76, "\(canceled.report)")
    let waited = try await person.airprint("wait", "bbbbb")
    #expect(waited.code == 74, "\(waited.report)")
    printer.close()
  }

  @Test(arguments: ["accepted", "creating", "created"])
  func `a job that was asked to be kept is printed now, once`(_ phase: String) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter { request, state in
      request.operation == OddPrinter.createJob
        && state.jobs.values.contains { $0.state < 7 } ? .answer(status: 0x0507) : .usual
    }
    printer.with { state in
      state.jobs[1] = OddPrinter.Job(name: "lost.pdf")
      state.next = 2
    }
    try leave(
      person, "bbbbb", phase, at: printer.uri, jobId: phase == "created" ? 1 : nil, kept: true,
      created: wall() - 60)
    if phase == "accepted" { printer.with { $0.jobs[1] = nil } }
    let noted = try await person.airprint("jobs")
    #expect(noted.stderr.contains("will be printed now"), "\(noted.report)")
    let waited = try await person.airprint("wait", "bbbbb")
    #expect(waited.code == 0, "\(waited.report)")
    #expect(printer.documents.count == 1)
    #expect(printer.with { $0.jobs.values.allSatisfy { $0.state >= 7 } })
    // It is not printed a second time.
    _ = try await person.airprint("jobs")
    #expect(printer.documents.count == 1)
    printer.close()
  }

  @Test func `the next print clears away what a killed one has left`() async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    printer.with { state in
      state.jobs[1] = OddPrinter.Job(name: "lost.pdf")
      // Job 2 is someone else's, job 3 already has its document.
      state.jobs[2] = OddPrinter.Job(name: "other.pdf")
      state.jobs[3] = OddPrinter.Job(name: "lost.pdf", state: 3, reasons: ["job-queued"])
      state.next = 4
    }
    try leave(person, "bbbbb", "creating", at: printer.uri, created: wall() - 60)
    let next = try await person.airprint(
      "print", "-d", printer.uri, try person.document(PDF().bytes))
    #expect(next.code == 0, "\(next.report)")
    #expect(printer.with { $0.jobs.mapValues(\.state) } == [1: 7, 2: 4, 3: 3, 4: 9])
    printer.close()
  }

  @Test(arguments: [true, false])
  func `bytes may have left: it is in doubt, canceled, and never sent again`(
    _ isKept: Bool
  ) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    printer.with { state in
      state.jobs[1] = OddPrinter.Job(name: "lost.pdf", state: 5, reasons: ["job-printing"])
    }
    try leave(person, "bbbbb", "sending", at: printer.uri, jobId: 1, kept: isKept)
    let job = try await settled(person)
    #expect(job.exitCode == .number(74))
    #expect(printer.with { $0.jobs[1]?.state } == 7)
    #expect(printer.documents.isEmpty && printer.count(OddPrinter.createJob) == 0)
    let table = try await person.airprint("jobs")
    #expect(table.stdout.contains("in doubt"), "\(table.stdout)")
    #expect(try await person.airprint("wait", "bbbbb").code == 74)
    printer.close()
  }

  @Test(arguments: [
    Left(phase: "sent", state: 9, impressions: nil, code: 0),
    Left(phase: "sent", state: 8, impressions: 0, code: 80),
    Left(phase: "sent", state: 7, impressions: 0, code: 81),
    Left(phase: "delivered", state: 9, impressions: 2, code: 0),
    Left(phase: "delivered", state: 9, impressions: 1, code: 74),
    Left(phase: "delivered", state: 9, impressions: nil, code: 74),
  ])
  func `the printer is asked about what it has`(_ left: Left) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    printer.with { state in
      state.jobs[1] = OddPrinter.Job(
        name: "lost.pdf", state: left.state, reasons: ["none"], impressions: left.impressions)
    }
    try leave(person, "bbbbb", left.phase, at: printer.uri, jobId: 1, sides: 2)
    #expect(try await settled(person).exitCode == .number(Double(left.code)))
    printer.close()
  }

  struct Left: Sendable {
    var phase: String
    var state: Int
    var impressions: Int32?
    var code: Int
  }

  @Test(arguments: [("sent", 82), ("delivered", 74), ("sending", 74)])
  func `a printer that has forgotten the job`(_ phase: String, _ code: Int) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    try leave(person, "bbbbb", phase, at: printer.uri, jobId: 9)
    #expect(try await settled(person).exitCode == .number(Double(code)))
    printer.close()
  }

  /// Print-Job, and the answer with the number is lost: another program may have sent one of its name.
  @Test(arguments: [([1], 2, 82), ([1], 1, 74), ([1, 2], 2, 74)])
  func `a job without a number is found in the printer's lists, or in doubt`(
    _ before: [Int], _ impressions: Int32, _ code: Int
  ) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    printer.with { state in
      for number in 1...2 {
        state.jobs[number] = OddPrinter.Job(
          name: "lost.pdf", state: 9, reasons: ["none"], impressions: impressions)
      }
    }
    try leave(person, "bbbbb", "delivered", at: printer.uri, sides: 2, before: before)
    let waited = try await person.airprint("wait", "bbbbb")
    #expect(waited.code == Int32(code), "\(waited.report)")
    printer.close()
  }

  /// The printer was switched off, and counts its jobs from 1 again.
  @Test(arguments: [("cancel", 76), ("release", 76), ("wait", 82)])
  func `the job of someone else that has the number now is left alone`(
    _ command: String, _ code: Int
  ) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    printer.with { $0.ending = (4, ["job-hold-until-specified"], 0) }
    let sent = try await person.airprint(
      "print", "--no-wait", "--json", "-d", printer.uri, try person.document(PDF().bytes))
    let job = try #require(try sent.jsonLines.first?.job?.string, "\(sent.report)")
    printer.with { state in
      state.jobs[1] = OddPrinter.Job(
        name: "Payroll.pdf", state: 4, reasons: ["job-hold-until-specified"], impressions: 3)
    }
    let run = try await person.airprint(command, job)
    #expect(run.code == Int32(code), "\(run.report)")
    #expect(printer.with { $0.jobs[1]?.state } == 4)
    #expect(printer.count(OddPrinter.cancelJob) + printer.count(0x0D) == 0)
    printer.close()
  }

  @Test func `a printer that does not answer: what is known is said, the rest stays open`()
    async throws
  {
    let person = try await Person.anybody()
    let uri = "ipp://localhost:\(try freePort())/ipp/print"
    try leave(person, "bbbbb", "sent", at: uri, jobId: 1)
    #expect(try await settled(person).exitCode == .null)
    let known = try await person.airprint("jobs", uri, "--json")
    #expect(known.code == 0 && known.stderr.contains("does not answer"), "\(known.report)")
    #expect(try known.json.array?.map(\.job) == [.string("bbbbb")])
    let canceled = try await person.airprint("cancel", "bbbbb")
    #expect(canceled.code == 69, "\(canceled.report)")
    try leave(person, "bbbbb", "creating", at: uri)
    #expect(try await settled(person).exitCode == .number(81))
  }

  @Test func `a corrupt record is set aside with a message, and the rest goes on`() async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    try leave(person, "bbbbb", "sent", at: printer.uri, jobId: 1)
    try leave(person, "ccccc", "ended", at: printer.uri)
    try Array("{".utf8).write(to: person.path("state/airprint/jobs/bbbbb/job.json"))
    let jobs = try await person.airprint("jobs", "--json")
    #expect(jobs.code == 0)
    #expect(try jobs.json.array?.count == 1)
    #expect(jobs.stderr.contains("set aside as job.json.corrupt"), "\(jobs.stderr)")
    let printed = try await person.airprint(
      "print", "-d", printer.uri, try person.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    printer.close()
  }

  /// A machine without a battery wakes up in 1970; after a wrong clock is corrected, jobs may be from tomorrow.
  @Test(arguments: [0.0, 4_000_000_000])
  func `a clock that jumps loses no job`(_ created: Double) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter { request, state in
      request.operation == OddPrinter.createJob
        && state.jobs.values.contains { $0.state < 7 } ? .answer(status: 0x0507) : .usual
    }
    printer.with { state in
      state.jobs[1] = OddPrinter.Job(name: "lost.pdf")
      state.next = 2
    }
    try leave(person, "bbbbb", "creating", at: printer.uri, kept: true, created: created)
    _ = try await person.airprint("jobs")
    let waited = try await person.airprint("wait", "bbbbb")
    #expect(waited.code == 0, "\(waited.report)")
    #expect(printer.documents.count == 1)
    printer.close()
  }

  private func wall() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec)
  }
}
