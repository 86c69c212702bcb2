import Glibc
import TestSupport
import Testing

/// `jobs` and `cancel`.
@Suite(.inTurn) struct JobsTests {
  @Test func `no jobs are an empty array and 0`() async throws {
    let person = try await Person.anybody()
    let jobs = try await person.airprint("jobs", "--json")
    #expect(jobs.code == 0)
    #expect(try jobs.json == .array([]))
    let words = try await person.airprint("jobs")
    #expect(words.code == 0 && words.stdout.isEmpty && words.stderr == "There are no jobs.\n")
  }

  @Test func `a list that is kept up to date fits the terminal, the newest at its top`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint(
      ["print", "-d", printer.uri] + Array(repeating: file, count: 8))
    #expect(printed.code == 0, "\(printed.report)")
    let session = try person.terminal("jobs", "--watch", rows: 8)
    try await session.wait(for: "3 more jobs: airprint jobs --all")
    #expect(session.screen.lines.first?.hasPrefix("JOB") == true, "\(session.screen.text)")
    session.type(Key.interrupt)
    #expect(await session.end().end == .signalled(SIGINT))
    await printer.stop()
  }

  @Test func `what is missing from a page is told later, too`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let damaged = RawPDF().with {
      $0.stream(4, "/Filter /FlateDecode", Array("no such data".utf8))
    }
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--format", "pwg", "--json",
      try person.document(damaged.bytes, "damaged.pdf"))
    #expect(printed.stderr.contains("Page 1 has damaged data"), "\(printed.report)")
    let warnings = try printed.json.warnings?.strings
    #expect(warnings?.count { $0.contains("Page 1 has damaged data") } == 1, "\(printed.report)")
    let id = try #require(
      try await person.airprint("jobs", "--json").json.array?.first?.job?.string)
    let plan = try await person.airprint("jobs", id, "--json").json.plan?.strings
    #expect(plan?.count { $0.contains("Page 1 has damaged data") } == 1, "\(plan ?? [])")
    await printer.stop()
  }

  @Test func `every job that was sent, oldest first, and how it ended`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let broken = try await person.office("Broken", command: "exit 1")
    let file = try person.document(PDF().bytes)
    for (uri, name) in [(printer.uri, "one"), (broken.uri, "two"), (printer.uri, "three")] {
      _ = try await person.airprint("print", "-d", uri, "-t", name, "--format", "pdf", file)
    }
    let json = try await person.airprint("jobs", "--json")
    #expect(json.code == 0)
    let jobs = try #require(try json.json.array)
    #expect(jobs.map { $0.name?.string } == ["one", "two", "three"])
    #expect(jobs.map { $0.state?.string } == ["completed", "aborted", "completed"])
    #expect(jobs.map { $0.exitCode?.number } == [0, 80, 0])
    #expect(jobs.map { $0.printer?.string } == ["Office", "Broken", "Office"])
    #expect(jobs.map { $0.jobId?.number } == [1, 1, 2])
    for job in jobs {
      #expect(
        job.keys.isSuperset(of: [
          "job", "name", "printer", "uri", "jobId", "state", "reasons", "impressions", "exitCode",
        ]))
      #expect(job.job?.string?.count == 5)
      #expect(job.reasons?.strings != nil)
    }
    // For other programs: active jobs first, then the newest; with tabs, and no heading.
    let table = try await person.airprint("jobs")
    let rows = table.stdout.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    #expect(rows.map { $0[4] } == ["three", "two", "one"], "\(table.stdout)")
    #expect(rows.allSatisfy { $0.count == 8 }, "\(table.stdout)")
    let newest = try await person.airprint("jobs", "-n", "1", "--json").json.array
    #expect(newest?.map { $0.name?.string } == ["three"])
    // Shows one job, with all its details.
    let id = try #require(jobs[1].job?.string)
    let details = try await person.airprint("jobs", id)
    #expect(details.stdout.contains("state       aborted"), "\(details.report)")
    #expect(details.stdout.contains("paper: A4"), "\(details.report)")
    let object = try await person.airprint("jobs", id, "--json").json
    #expect(object.createdAt?.string?.hasSuffix("Z") == true, "\(object)")
    #expect(
      object.endedAt?.string?.hasSuffix("Z") == true && object.plan?.strings?.isEmpty == false)
    let unknown = try await person.airprint("jobs", "xxxxx")
    #expect(
      unknown.code == 69
        && unknown.stderr.contains(
          "No job or printer \"xxxxx\" (see airprint jobs, airprint printers)."),
      "\(unknown.report)")
    let one = try await person.airprint("jobs", printer.uri, "--json").json.array
    #expect(one?.map { $0.name?.string } == ["one", "three"])
    await printer.stop()
    await broken.stop()
  }

  @Test func `a job that is not over is asked for at its printer, and canceled by its ID`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.simulate("laser", "--fault", "cover-open")
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint("print", "-d", printer.uri, "--no-wait", "--json", file)
    let id = try #require(try printed.jsonLines.first?.job?.string)
    try await eventually("the job waits at the printer") {
      let waiting = try await person.airprint("jobs", "--json").json.array
      return waiting?.map { $0.state?.string } == ["processing-stopped"]
    }
    // Without an argument, the only active job is canceled.
    let canceled = try await person.airprint("cancel", "--json")
    #expect(canceled.code == 0, "\(canceled.report)")
    let report = try #require(try canceled.jsonLines.first)
    #expect(report.job == .string(id))
    #expect(report.name == .string("page.pdf"))
    #expect(report.state == .string("canceled"))
    let over = try await person.airprint("jobs", "--json").json.array
    #expect(over?.map { $0.state?.string } == ["canceled"])
    #expect(over?.map { $0.exitCode?.number } == [81])
    for key in ["created", "createdAt", "ended", "exitCode", "message"] {
      #expect(report[key] != .null && report[key] == over?.first?[key], "\(key): \(report)")
    }
    // The job is already over.
    let again = try await person.airprint("cancel", id)
    #expect(again.code == 76, "\(again.report)")
    #expect(again.stderr.contains("has already ended"))
    let none = try await person.airprint("cancel")
    #expect(none.code == 64, "\(none.report)")
    #expect(none.stderr.contains("No job is active"), "\(none.stderr)")
    _ = await printer.end()
  }

  @Test func `a job is canceled by PRINTER and number, whoever sent it`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: person.busy)
    _ = try await person.airprint("pick", printer.uri)
    let file = try person.document(PDF().bytes)
    let sent = try await person.bench.run([
      "ipptool", "-f", file, "-d", "filetype=application/pdf", printer.uri, "print-job.test",
    ])
    #expect(sent.code == 0, "\(sent.report)")
    let listed = try await person.airprint("jobs", "Office", "--json").json.array
    #expect(listed?.map { $0.jobId?.number } == [1])
    #expect(listed?.first?.job == .null)
    let table = try await person.airprint("jobs", "Office")
    #expect(table.stdout.contains("Office/1\tprocessing"), "\(table.stdout)")
    #expect(try await person.airprint("cancel", "Office/1").code == 75)
    try person.finish()
    let canceled = try await person.airprint("cancel", "Office/1", "--json")
    #expect(canceled.code == 0, "\(canceled.report)")
    let report = try #require(try canceled.jsonLines.first)
    // A job of the printer's first second has no time (RFC 8011 §5.3.14).
    let hasTime = listed?.first?.createdAt?.string != nil
    #expect(
      report.exitCode == .number(81) && (report.createdAt?.string != nil) == hasTime, "\(report)")
    #expect(try await person.state(ofJob: 1, at: printer).contains("cancel"))
    let byURI = try await person.airprint("cancel", "\(printer.uri)/77")
    #expect(byURI.code == 69 && byURI.stderr.contains(" has no job 77."), "\(byURI.report)")
    await printer.stop()
  }

  @Test func `69: a job that nobody knows; the worst of several counts`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: person.busy)
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--no-wait", "--json", "--format", "pdf", file)
    let id = try #require(try printed.jsonLines.first?.job?.string)
    let unknown = try await person.airprint("cancel", "zzzzz")
    #expect(unknown.code == 69, "\(unknown.report)")
    #expect(unknown.stderr.contains("airprint jobs"))
    for job in ["../../etc", "/", "Office/x"] {
      #expect(try await person.airprint("cancel", job).code == 69, "\(job)")
    }
    let number = "\(printer.uri)/99"
    for command in [
      ["cancel"], ["wait"], ["release"], ["reprint"], ["jobs"], ["queue", "show"],
      ["queue", "remove"], ["queue", "run"],
    ] {
      for job in ["zzzzz", number] {
        let none = try await person.airprint(command + [job, "--json"])
        #expect(none.code == 69, "\(none.report)")
        #expect(try none.jsonLines.map(\.reason) == [.string("unknown-job")], "\(none.report)")
      }
    }
    let moved = try await person.airprint("move", "zzzzz", printer.uri, "--json")
    #expect(
      moved.code == 69 && moved.stdout.contains("\"reason\":\"unknown-job\""), "\(moved.report)")
    #expect(try await person.airprint("cancel", id).code == 75)
    try person.finish()
    // Every argument is tried.
    let several = try await person.airprint("cancel", "zzzzz", id)
    #expect(several.code == 69)
    #expect(several.stderr.contains("Canceled page.pdf"), "\(several.stderr)")
    #expect(try await person.airprint("cancel").code == 64)
    await printer.stop()
  }

  @Test func `another printer at the address of a job's is not sent it`() async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    func change(_ number: Int) {
      printer.with {
        $0.attributes = [
          ("printer-uuid", ["urn:uuid:6fd4a2d0-0000-4000-8000-00000000000\(number)"])
        ]
      }
    }
    change(1)
    let file = try person.document(PDF().bytes)
    for words in [["print", "-d", printer.uri, file], ["reprint"]] {
      let printed = try await person.airprint(words)
      #expect(printed.code == 0, "\(printed.report)")
    }
    change(2)
    let again = try await person.airprint("reprint")
    #expect(again.code == 69, "\(again.report)")
    #expect(again.stderr.contains("another printer answers at its address"), "\(again.report)")
    #expect(printer.documents.count == 2)
    printer.close()
  }

  /// `jobs` and `reprint` mean the journal's job, also one that has ended; another program's is the printer's.
  @Test func `PRINTER/NUMBER names a job wherever a job is named`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.simulate("laser")
    let file = try person.document(PDF().bytes)
    _ = try await person.airprint("pick", printer.uri, "--as", "Till")
    let printed = try await person.airprint("print", "--json", file)
    let id = try #require(try printed.jsonLines.first?.job?.string)
    let number = "Till/\(Int(try #require(try printed.jsonLines.first?.jobId?.number)))"
    let shown = try await person.airprint("jobs", number, "--json").json
    #expect(shown.job == .string(id) && shown.printed == .string("all"), "\(shown)")
    let again = try await person.airprint("reprint", number, "--json")
    #expect(again.code == 0, "\(again.report)")
    // The journal forgets it, the printer does not.
    _ = try await person.shell("rm -r \(person.path("state/airprint/jobs/\(id)"))")
    let other = try await person.airprint("jobs", number, "--json").json
    #expect(other.job == .null && other.state == .string("completed"), "\(other)")
    #expect(other.printed == .string("all") && other.left == .boolean(false), "\(other)")
    let refused = try await person.airprint("reprint", number)
    #expect(refused.code == 69 && refused.stderr.contains("has no copy"), "\(refused.report)")
    _ = await printer.end()
  }

  /// A detached job has nobody who tells why it was not printed but `wait` and `jobs`.
  @Test func `wait and jobs tell what print would have told`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.simulate("receipt")
    let file = try person.document(PDF().bytes)
    let detached = try await person.airprint(
      "print", "--detach", "-d", printer.uri, "--paper", "A4", "--json", file)
    let id = try #require(try detached.jsonLines.first?.job?.string)
    let waited = try await person.airprint("wait", id, "--json")
    #expect(waited.code == 64, "\(waited.report)")
    for line in [try waited.jsonLines[0], try await person.airprint("jobs", id, "--json").json] {
      #expect(line.reason == .string("not-supported"), "\(line)")
      #expect(line.printed == .string("no") && line.left == .boolean(false), "\(line)")
    }
    _ = await printer.end()
  }

  @Test func `what a job waits for is said in the words of show`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.simulate("laser", "--fault", "cover-open@1")
    let file = try person.document(PDF().bytes)
    let sent = try await person.airprint("print", "-d", printer.uri, "--no-wait", file)
    #expect(sent.code == 0, "\(sent.report)")
    try await eventually("the job says what to do") {
      let table = try await person.airprint("jobs", "--all").stdout
      return table.contains("processing-stopped") && table.contains("close the cover")
    }
    _ = await printer.end()
  }

  @Test func `how long a job took is never cut`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes)
    _ = try await person.airprint(
      "print", "-d", printer.uri, "--format", "pdf", "-t", "A report with a title for two", file)
    let id = try #require(
      try await person.airprint("jobs", "--json").json.array?.first?.job?.string)
    let path = person.path("state/airprint/jobs/\(id)/job.json")
    let record = String(decoding: try bytes(of: path), as: UTF8.self)
    let ended = try #require(record.firstMatch(of: /"ended" ?: ?([0-9.]+)/)?.1)
    let earlier = try #require(Double(ended)) - 873
    let changed = record.replacing(/"created" ?: ?[0-9.]+/, with: "\"created\" : \(earlier)")
    try Array(changed.utf8).write(to: path)
    let session = try person.terminal("jobs", columns: 72)
    try await session.wait(for: "14 min 33 s")
    _ = await session.end()
    await printer.stop()
  }

  @Test func `a job that is over is never processing`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes)
    _ = try await person.airprint("print", "-d", printer.uri, "--format", "pdf", file)
    let id = try #require(
      try await person.airprint("jobs", "--json").json.array?.first?.job?.string)
    let path = person.path("state/airprint/jobs/\(id)/job.json")
    let record = String(decoding: try bytes(of: path), as: UTF8.self)
    for (code, state, word) in [
      (82, "processing", "forgotten"), (74, "processing", "in doubt"),
      (81, "processing", "canceled"),
      (80, "pending", "aborted"),
    ] {
      let changed = record.replacing("\"completed\"", with: "\"\(state)\"")
        .replacing(/"exitCode" ?: ?0/, with: "\"exitCode\" : \(code)")
      try Array(changed.utf8).write(to: path)
      let listed = try await person.airprint("jobs")
      #expect(listed.stdout.contains("\t\(word)\t"), "\(listed.stdout)")
      let json = try await person.airprint("jobs", "--json").json.array?.first?.state
      #expect(json != .string(state), "\(code)")
    }
    await printer.stop()
  }

  @Test func `69: the printer of a job is gone; its end is soon`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: person.busy)
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--no-wait", "--json", "--format", "pdf", file)
    let id = try #require(try printed.jsonLines.first?.job?.string)
    await printer.stop()
    let canceled = try await person.airprint("cancel", id)
    #expect(canceled.code == 69, "\(canceled.report)")
    let jobs = try await person.airprint("jobs", "--json")
    #expect(jobs.code == 0)
    #expect(try jobs.json.array?.count == 1)
  }

  @Test func `the journal is a folder a job, which people can read`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--json", "--format", "pdf", file)
    let id = try #require(try printed.jsonLines.first?.job?.string)
    let record = try JSON(try bytes(of: person.path("state/airprint/jobs/\(id)/job.json")))
    #expect(record.name == .string("page.pdf"))
    #expect(record.uri == .string(printer.uri))
    #expect(record.jobId == .number(1))
    #expect(record.state == .string("completed"))
    await printer.stop()
  }
}
