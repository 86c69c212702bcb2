import TestSupport
import Testing

/// The ways a job can end, and the exit code for each: the tests cause every one at the printer.
@Suite(.inTurn) struct PrintEndingsTests {
  @Test func `0: the printer completed the job, and the message says where and on what`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office(
      command: "echo 'ATTR: job-impressions=3 job-impressions-completed=3' >&2")
    let file = try person.document(PDF(pages: [.a4(), .a4(), .a4()]).bytes, "report.pdf")
    let printed = try await person.airprint("print", "-d", printer.uri, "-n", "2", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stdout.isEmpty)
    #expect(printed.stderr.contains("report.pdf on Office: 3 pages, 2 copies on A4."))
    await printer.stop()
  }

  @Test func `0 and a line of JSON that has every key`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--json", "--format", "pdf", file, file)
    #expect(printed.code == 0, "\(printed.report)")
    let lines = try printed.jsonLines
    #expect(lines.count == 2)
    for (index, line) in lines.enumerated() {
      #expect(
        line.keys == [
          "job", "file", "printer", "uri", "jobId", "state", "reasons", "impressions", "exitCode",
          "reason", "message", "printed", "left",
        ])
      #expect(line.file == .string(file))
      #expect(line.printer == .string("Office"))
      #expect(line.uri == .string(printer.uri))
      #expect(line.jobId == .number(Double(index + 1)))
      #expect(line.state == .string("completed"))
      #expect(line.reasons?.strings != nil)
      #expect(line.exitCode == .number(0))
      #expect(line.job?.string?.isEmpty == false)
    }
    #expect(lines[0].job != lines[1].job)
    await printer.stop()
  }

  @Test func `0 with --no-wait as soon as the printer has the document`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: person.busy)
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--no-wait", "--json", "--format", "pdf", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printed.jsonLines.first?.state == .string("processing"))
    let listed = try await person.airprint("jobs", "--json").json.array
    #expect(listed?.first?.state == .string("processing"))
    await printer.stop()
  }

  @Test func `-q says nothing`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let printed = try await person.airprint(
      "print", "-q", "-d", printer.uri, "--format", "pdf", try person.document(PDF().bytes))
    #expect(printed.code == 0 && printed.output.isEmpty && printed.errors.isEmpty)
    await printer.stop()
  }

  @Test func `80: the printer aborted the job`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: "exit 1")
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--json", try person.document(PDF().bytes))
    #expect(printed.code == 80, "\(printed.report)")
    #expect(try printed.jsonLines.first?.state == .string("aborted"))
    #expect(try printed.jsonLines.first?.exitCode == .number(80))
    #expect(printed.stderr.contains("Office aborted the job."))
    await printer.stop()
  }

  @Test func `81: the job was canceled at the printer meanwhile`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: person.busy)
    let file = try person.document(PDF().bytes)
    let printing = try person.start(
      "print", "-d", printer.uri, "--json", "--format", "pdf", file)
    _ = try await printer.jobs(atLeast: 1)
    let canceled = try await person.bench.run([
      "ipptool", "-t", printer.uri, try person.cancelTest(1),
    ])
    #expect(canceled.code == 0, "\(canceled.report)")
    // The printer waits for its command.
    try person.finish()
    let printed = await printing.end()
    #expect(printed.code == 81, "\(printed.report)")
    #expect(try printed.jsonLines.first?.state == .string("canceled"))
    await printer.stop()
  }

  @Test func `81: the job was canceled here meanwhile`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: person.busy)
    let file = try person.document(PDF().bytes)
    let printing = try person.start("print", "-d", printer.uri, "--format", "pdf", file)
    _ = try await printer.jobs(atLeast: 1)
    let jobs = try await person.airprint("jobs", "--json").json.array
    let id = try #require(jobs?.first?.job?.string)
    // Until its program has ended, the job may still print.
    let canceled = try await person.airprint("cancel", id)
    #expect(canceled.code == 75, "\(canceled.report)")
    #expect(canceled.stderr.contains("has not reported that it stopped"), "\(canceled.report)")
    try person.finish()
    #expect(await printing.end().code == 81)
    await printer.stop()
  }

  @Test func `80 with --no-wait if the answer to the document says that the job was aborted`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    printer.with { $0.ending = (8, ["aborted-by-system"], nil) }
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--no-wait", "--json", "--format", "pdf",
      try person.document(PDF().bytes))
    #expect(printed.code == 80, "\(printed.report)")
    #expect(try printed.jsonLines.first?.state == .string("aborted"))
    printer.close()
  }

  @Test(arguments: [[], ["--no-wait"]])
  func `81: the job was canceled here while the printer took no more of the document`(
    _ options: [String]
  ) async throws {
    let person = try await Person.anybody()
    // The printer never reads the rest of the document.
    let printer = try OddPrinter(stopsReading: 100_000)
    let file = try person.document(PDF(ballast: 20_000_000).bytes)
    let printing = try person.bench.start(
      ["airprint", "print", "-d", printer.uri, "--format", "pdf", file, "--json"] + options,
      adding: person.variables)
    try await eventually("a document on its way") {
      let record = try await person.shell("cat \(person.folder)/state/airprint/jobs/*/job.json")
      return record.stdout.contains("\"sending\"")
    }
    let jobs = try await person.airprint("jobs", "--json").json.array
    let canceled = try await person.airprint("cancel", try #require(jobs?.first?.job?.string))
    #expect(canceled.code == 0, "\(canceled.report)")
    let printed = await printing.end()
    #expect(printed.code == 81, "\(printed.report)")
    #expect(try printed.jsonLines.first?.state == .string("canceled"))
    #expect(printer.count(OddPrinter.createJob) == 1 && printer.documents.isEmpty)
    printer.close()
  }

  @Test func `74: the connection broke while the document was being sent`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let door = try Door.leading(to: printer.port, breaksAfter: 300_000)
    // The document is larger than all socket buffers on the way, so its last byte can't have left when the connection
    // breaks.
    let file = try person.document(PDF(ballast: 40_000_000).bytes)
    let printed = try await person.airprint(
      "print", "-d", door.uri, "--json", "--format", "pdf", file)
    #expect(printed.code == 74, "\(printed.report)")
    #expect(printed.stderr.contains("Part of it may have printed; it is not sent again."))
    #expect(try printed.jsonLines.first?.exitCode == .number(74))
    // The document is never sent again, and the job left at the printer is canceled, or over.
    #expect(try printer.jobs().count <= 1)
    let open = try await person.bench.run(["ipptool", "-tv", printer.uri, "get-jobs.test"])
    #expect(!open.stdout.contains("job-state (enum) = pending"), "\(open.stdout)")
    door.shut()
    await printer.stop()
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello",
    "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: 4\r\n\r\n\u{2}\u{0}\u{5}\u{0}",
  ])
  func `76: what answers is no printer`(_ answer: String) async throws {
    let person = try await Person.anybody()
    let door = try Door.saying(answer)
    let printed = try await person.airprint(
      "print", "-d", door.uri, try person.document(PDF().bytes))
    #expect(printed.code == 76, "\(printed.report)")
    door.shut()
  }

  @Test func `77: the printer wants credentials`() async throws {
    let person = try await Person.anybody()
    let door = try Door.saying(
      "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"
    )
    let printed = try await person.airprint(
      "print", "-d", door.uri, try person.document(PDF().bytes))
    #expect(printed.code == 77, "\(printed.report)")
    door.shut()
  }

  @Test func `73: the job journal can't be written, so nothing is sent`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    try [UInt8]().write(to: person.path("state"))
    let printed = try await person.airprint(
      "print", "-d", printer.uri, try person.document(PDF().bytes))
    #expect(printed.code == 73, "\(printed.report)")
    #expect(try printer.jobs().isEmpty)
    await printer.stop()
  }
}
