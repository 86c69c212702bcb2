import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `queue run`: which jobs are printed, which are still waiting, and why; also concurrently, and after a crash.
@Suite(.inTurn) struct QueueRunTests {
  @Test func `one printer's trouble does not hold another's jobs`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let silent = try Door.silent()
    let dead = "ipp://localhost:\(silent.port)/ipp/print"
    var left: [String] = []
    for _ in 0..<3 { left.append(try await person.add("-d", dead, "--timeout", "15")) }
    for name in ["a", "b"] { _ = try await person.add("-d", printer.uri, "-t", name) }
    let run = try person.start("queue", "run", "--json")
    // The live printer's jobs finish while the dead one is still timing out.
    let done = try await printer.jobs(atLeast: 2)
    #expect(run.isRunning, "the dead printer was given up before the other had printed")
    #expect(done.map { $0["job-name"] } == ["a", "b"])
    let outcome = await run.end()
    #expect(outcome.code == 69, "\(outcome.report)")
    #expect(outcome.stderr.contains("is still waiting"), "\(outcome.stderr)")
    #expect(outcome.stderr.contains("2 more jobs are waiting"), "\(outcome.stderr)")
    let waiting = try outcome.jsonLines.filter { $0.left == .boolean(true) }
    #expect(waiting.compactMap { $0.job?.string } == left, "\(waiting)")
    #expect(
      waiting.allSatisfy {
        $0.exitCode == .null && $0.reason == .string("no-answer") && $0.uri == .string(dead)
      }, "\(waiting)")
    let jobs = try await person.airprint("jobs", "--json").json.array ?? []
    #expect(jobs.filter { $0.ended == .null }.map(\.exitCode) == [.null, .null, .null], "\(jobs)")
    #expect(try await person.queue() == left)
    let rows = try await person.airprint("queue", "list", "--json").json.array ?? []
    #expect(rows.allSatisfy { $0.exitCode == .number(69) })
    #expect(rows.allSatisfy { $0.message?.string?.contains("does not answer") == true })
    silent.shut()
    await printer.stop()
  }

  /// cron mails what each run writes.
  @Test func `with --quiet, a reason to wait is written once`() async throws {
    let person = try await Person.anybody()
    let closed = try Door.silent()
    closed.shut()
    _ = try await person.add("-d", "ipp://localhost:\(closed.port)/ipp/print")
    let first = try await person.airprint("queue", "run", "--quiet")
    #expect(first.code == 69 && first.stderr.contains("is still waiting"), "\(first.report)")
    let second = try await person.airprint("queue", "run", "--quiet")
    #expect(second.code == 69 && second.stderr.isEmpty, "\(second.report)")
    let told = try await person.airprint("queue", "run")
    #expect(told.stderr.contains("is still waiting"), "\(told.report)")
  }

  @Test func `a job that the printer holds is not waited for, and stops no other job`() async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.simulate("laser")
    let held = try await person.add("-d", printer.uri, "--hold", "--timeout", "20")
    let other = try await person.add("-d", printer.uri)
    let run = try await person.airprint("queue", "run", "--json")
    #expect(run.code == 0, "\(run.report)")
    let rows = try await person.airprint("jobs", "--json").json.array ?? []
    let states = Dictionary(uniqueKeysWithValues: rows.map { ($0.job?.string, $0.state?.string) })
    #expect(states == [held: "pending-held", other: "completed"], "\(rows)")
  }

  /// Its paper ran out after it had begun, and it counts 0: nobody could tell if a sheet is out.
  @Test(arguments: [true, false])
  func `75: a job that the printer has begun is left to it, unless it is to be canceled`(
    _ isLeft: Bool
  ) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    printer.with { $0.ending = (6, ["printer-stopped"], 0) }
    let options =
      ["-d", printer.uri, "--timeout", "1"] + (isLeft ? [] : ["--on-timeout", "cancel"])
    let added = try await person.airprint(
      ["queue", "add"] + options + [person.document(PDF().bytes)])
    let id = added.stdout.trimmed
    let run = try await person.airprint("queue", "run")
    #expect(run.code == 75, "\(run.report)")
    #expect(run.stderr.contains("left at the printer and may still print") == isLeft)
    #expect(printer.count(OddPrinter.cancelJob) == (isLeft ? 0 : 1))
    #expect(try await person.queue() == [])
    if isLeft {
      printer.with {
        $0.jobs[1]?.state = 9
        $0.jobs[1]?.impressions = 1
      }
    }
    let waited = try await person.airprint("wait", id)
    #expect(waited.code == (isLeft ? 0 : 75), "\(waited.report)")
    printer.close()
  }

  /// It prints at once, and forgets the job, or does not answer meanwhile.
  @Test func `a job is left only to a printer that says that it holds it`() async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter { request, printer in
      let isOver = printer.jobs[1]?.documents.isEmpty == false
      return isOver && request.operation == OddPrinter.getJobAttributes
        ? .answer(status: 0x0406) : .usual
    }
    printer.with {
      $0.attributes = [("job-hold-until-supported", ["no-hold", "indefinite"])]
      $0.operations += [0x0C, 0x0D]
    }
    _ = try await person.add("-d", printer.uri, "--hold")
    let run = try await person.airprint("queue", "run", "--json")
    #expect(run.code == 82, "\(run.report)")
    #expect(try run.jsonLines.first?.state != .string("pending-held"), "\(run.report)")
    printer.close()
  }

  @Test func `75: paper that is not loaded stops no other job, and waits`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let left = try await person.add("-d", printer.uri, "--paper", "A3")
    _ = try await person.add("-d", printer.uri)
    let run = try await person.airprint("queue", "run")
    #expect(run.code == 75, "\(run.report)")
    #expect(run.stderr.contains("A3"))
    #expect(try printer.jobs().count == 1)
    #expect(try await person.queue() == [left])
    await printer.stop()
  }

  @Test func `a printer that was forgotten: the job waits, and says so`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    _ = try await person.airprint("pick", printer.uri, "--as", "Desk")
    // Of which the name that the job keeps is a part.
    _ = try await person.airprint("pick", printer.uri, "--as", "Corner Desk", "--type", "photo")
    let named = try await person.add("-d", "Desk")
    let usual = try await person.add()
    let forgotten = try await person.airprint("forget", "Desk")
    #expect(forgotten.stderr.contains("Still queued for Desk: \(named)."), "\(forgotten.report)")
    let run = try await person.airprint("queue", "run")
    #expect(run.code == 69, "\(run.report)")
    #expect(run.stderr.contains("No printer called \"Desk\""), "\(run.stderr)")
    #expect(run.stderr.contains("airprint pick"), "\(run.stderr)")
    #expect(try await person.queue() == [named, usual])
    #expect(try printer.jobs().isEmpty)
    // Once it is saved again, it is found.
    _ = try await person.airprint("pick", printer.uri, "--as", "Desk")
    #expect(try await person.airprint("queue", "run").code == 0)
    #expect(try printer.jobs().count == 2)
    await printer.stop()
  }

  @Test func `a job keeps the whole name of the printer of which a part was typed`() async throws {
    let person = try await Person.anybody()
    _ = try await person.airprint(
      "pick", "ipp://localhost:9/ipp/print", "--as", "Desk", "--no-contact")
    for (typed, kept) in [
      ("esk", "Desk"), ("DESK", "DESK"),
      ("ipp://localhost:9/ipp/print", "ipp://localhost:9/ipp/print"),
    ] {
      let job = try await person.airprint("queue", "show", person.add("-d", typed), "--json").json
      #expect(job.printers?.array == [.string(kept)], "\(job)")
    }
  }

  @Test func `74 and 80 are final; nothing of which a part has left is sent again`() async throws {
    let person = try await Person.anybody()
    let broken = try await person.office("Broken", command: "exit 1")
    let id = try await person.add("-d", broken.uri)
    let run = try await person.airprint("queue", "run")
    #expect(run.code == 80, "\(run.report)")
    #expect(try await person.queue() == [])
    let jobs = try await person.airprint("jobs", "--json").json.array
    #expect(jobs?.map { $0.job } == [.string(id)] && jobs?.first?.exitCode == .number(80))
    #expect(try await person.airprint("queue", "run").code == 0)
    #expect(try broken.jobs().count == 1)
    await broken.stop()
  }

  @Test func `two runs at once print each of 20 jobs once`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes)
    let files = Array(repeating: file, count: 20)
    let added = try await person.airprint(
      ["queue", "add", "-d", printer.uri, "--format", "pdf"] + files)
    #expect(added.code == 0 && added.stdout.split(separator: "\n").count == 20)
    async let first = person.airprint("queue", "run", "--json")
    async let second = person.airprint("queue", "run", "--json")
    let outcomes = try await [first, second]
    #expect(outcomes.map(\.code) == [0, 0], "\(outcomes.map(\.report))")
    let printed = try outcomes.flatMap { try $0.jsonLines.compactMap { $0.job?.string } }
    #expect(Set(printed).count == 20 && printed.count == 20)
    #expect(try printer.jobs().count == 20)
    #expect(try await person.queue() == [])
    await printer.stop()
  }

  @Test func `kill -9 in the middle, then again: everything once`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: "sleep 0.3")
    let file = try person.document(PDF().bytes)
    _ = try await person.airprint(
      ["queue", "add", "-d", printer.uri, "--format", "pdf"] + Array(repeating: file, count: 5))
    let run = try person.start("queue", "run")
    _ = try await printer.jobs(atLeast: 2)
    run.signal(SIGKILL)
    _ = await run.end()
    let again = try await person.airprint("queue", "run")
    // One job may be in doubt; it is reported and not printed again.
    let jobs = try await person.airprint("jobs", "--json").json.array ?? []
    let codes = jobs.compactMap { $0.exitCode?.number }
    #expect(codes.count == 5 && Set(codes).isSubset(of: [0, 74]), "\(codes) \(again.report)")
    #expect(codes.count { $0 == 74 } <= 1)
    let printed = try printer.jobs().count
    #expect((codes.count { $0 == 0 }...5).contains(printed), "\(printed) for \(codes)")
    #expect(try await person.queue() == [])
    await printer.stop()
  }

  @Test func `Ctrl-C leaves what was not sent in the queue`() async throws {
    let person = try await Person.anybody()
    let silent = try Door.silent()
    let id = try await person.add("-d", "ipp://localhost:\(silent.port)/ipp/print")
    let run = try person.start("queue", "run")
    try await eventually("it waits for the printer") { silent.callers > 0 }
    run.signal(SIGINT)
    let outcome = await run.end()
    #expect(outcome.end == .signalled(SIGINT), "\(outcome.report)")
    #expect(try await person.queue() == [id])
    silent.shut()
  }

  @Test func `75: a job that another process is printing, if it is named`() async throws {
    let person = try await Person.anybody()
    let silent = try Door.silent()
    let id = try await person.add("-d", "ipp://localhost:\(silent.port)/ipp/print")
    let run = try person.start("queue", "run")
    try await eventually("it waits for the printer") { silent.callers > 0 }
    let second = try await person.airprint("queue", "run", id, "--json")
    #expect(second.code == 75, "\(second.report)")
    #expect(second.stderr.contains("(job \(id)) is being printed right now"), "\(second.report)")
    let all = try await person.airprint("queue", "run")
    #expect(all.code == 0 && all.stderr == "There is nothing to print.\n", "\(all.report)")
    run.signal(SIGINT)
    _ = await run.end()
    silent.shut()
  }

  @Test func `Ctrl-C ends the job at the printer, and names the command that prints it again`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.simulate("laser", "--fault", "cover-open")
    let id = try await person.add("-d", printer.uri)
    let run = try person.start("queue", "run")
    try await run.wait(for: "Close the cover")
    run.signal(SIGINT)
    let outcome = await run.end()
    #expect(outcome.end == .signalled(SIGINT), "\(outcome.report)")
    #expect(
      outcome.stderr.hasSuffix(
        "canceled. Nothing was printed. Print it again with: airprint reprint \(id)\n"),
      "\(outcome.stderr)")
    #expect(try await person.queue() == [])
    _ = await printer.end()
  }

  @Test func `a corrupt record is set aside with a message, the rest goes on`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let bad = try await person.add("-d", printer.uri)
    _ = try await person.add("-d", printer.uri)
    let folder = person.path("state/airprint/jobs/\(bad)")
    try Array("{ \"id\": 7".utf8).write(to: "\(folder)/job.json")
    let run = try await person.airprint("queue", "run")
    // Exits with 73 once, so that the caller learns that a document will not be printed.
    #expect(run.code == 73, "\(run.report)")
    #expect(run.stderr.contains("set aside as job.json.corrupt"), "\(run.stderr)")
    #expect(exists("\(folder)/job.json.corrupt") && exists("\(folder)/document.pdf"))
    #expect(try printer.jobs().count == 1)
    await printer.stop()
  }

  @Test(.enabled(if: getuid() == 0, "needs root")) func `73: a journal of somebody else's`()
    async throws
  {
    let person = try await Person.anybody()
    let id = try await person.add()
    chown(person.path("state/airprint/jobs"), 65_534, 65_534)
    let file = try person.document(PDF().bytes)
    for command in [["add", file], ["list"], ["run"], ["show", id]] {
      let refused = try await person.airprint(["queue"] + command)
      #expect(refused.code == 73, "\(command): \(refused.report)")
      #expect(refused.stderr.contains("belongs to another user"), "\(refused.stderr)")
    }
  }

  /// Adds 100 jobs, or 1,000 if AIRPRINT_LONG_TESTS is set.
  @Test func `many jobs: listed fast, held back fast`() async throws {
    let person = try await Person.anybody()
    let isLong = ProcessInfo.processInfo.environment["AIRPRINT_LONG_TESTS"] != nil
    let count = isLong ? 1_000 : 100
    let id = try await person.add("-d", "ipp://localhost:9/ipp/print")
    let jobs = person.path("state/airprint/jobs")
    let letters = Array("23456789bcdfghjkmnpqrstvwxyz")
    for number in 1..<count {
      let name = "9" + String([letters[number / 28 % 28], letters[number % 28]])
      let place = "\(jobs)/\(name)\(letters[number / 784])"
      try FileManager.default.copyItem(atPath: "\(jobs)/\(id)", toPath: place)
    }
    let list = try await person.airprint("queue", "list", "--json")
    #expect(try list.json.array?.count == count)
    let run = try await person.airprint("queue", "run")
    #expect(run.code == 69)
    #expect(run.stderr.contains("\(count - 1) more jobs are waiting"), "\(run.stderr)")
    #expect(try await person.queue().count == count)
  }
}

/// `print --later`, and the setting that enables it.
@Suite(.inTurn) struct LaterTests {
  @Test func `print --later queues, without asking any printer`() async throws {
    let person = try await Person.anybody()
    let text = try await person.airprint(
      "print", "--later", "--type", "receipt", input: Array("one\ntwo\n".utf8))
    #expect(text.code == 0, "\(text.report)")
    #expect(try await person.queue() == [text.stdout.trimmed])
    let file = try person.document(PDF().bytes)
    for other in ["--dry-run", "--detach"] {
      #expect(try await person.airprint("print", "--later", other, file).code == 64)
    }
  }

  @Test func `later-when-offline queues what a printer does not answer for`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    let gone = "ipp://localhost:9/ipp/print"
    #expect(try await person.airprint("print", "-d", gone, file).code == 69)
    #expect(try await person.queue() == [])
    try person.configure("later-when-offline = true\n")
    let piped = try await person.airprint(
      "print", "-d", gone, "-t", "piped", input: try bytes(of: file))
    #expect(piped.code == 0, "\(piped.report)")
    let id = piped.stdout.trimmed
    #expect(try await person.queue() == [id])
    #expect(piped.stderr.contains("does not answer") && piped.stderr.contains(id))
    let json = try await person.airprint("print", "--json", "-d", gone, file)
    let line = try #require(try json.jsonLines.first, "\(json.report)")
    #expect(line.exitCode == .null && line.jobId == .null && line.job?.string?.count == 5)
    #expect(line.reason == .string("no-answer") && line.left == .boolean(true))
    let detached = try await person.airprint("print", "--detach", "-d", gone, "-t", "behind", file)
    #expect(detached.code == 0, "\(detached.report)")
    try await eventually("it is queued") {
      try await person.queue().contains(detached.stdout.trimmed)
    }
    // Documents that can't be printed and unknown printers are still refused.
    let broken = try person.document(Array("%PDF-1.4 nothing".utf8), "broken.pdf")
    #expect(try await person.airprint("print", "-d", gone, broken).code == 65)

    let printer = try await person.office()
    let run = try await person.airprint("queue", "run", "-d", printer.uri)
    #expect(run.code == 0, "\(run.report)")
    #expect(try printer.jobs().map { $0["job-name"] } == ["piped", "page.pdf", "behind"])
    try person.configure("later-when-offline = \"yes\"\n")
    let wrong = try await person.airprint("print", "-d", gone, file)
    #expect(wrong.code == 78 && wrong.stderr.contains("config.toml:1"), "\(wrong.report)")
    await printer.stop()
  }
}
