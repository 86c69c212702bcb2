import FoundationEssentials
import TestSupport
import Testing

/// A queue of a real cupsd, which is a printer like any other: `ipp://localhost:PORT/printers/NAME`.
@Suite struct CupsQueueTests {
  @Test func `a PDF goes through a queue to the printer behind it`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let queue = try await CupsQueue(leadingTo: printer.uri, of: person)

    let shown = try await person.airprint("show", queue.uri, "--json")
    #expect(shown.code == 0, "\(shown.report)")
    let words = try await person.airprint("show", queue.uri)
    #expect(words.stdout.contains("a CUPS queue: what is loaded is not known"), "\(words.report)")

    // cupsd has the filters, and PDF is the best input for them.
    let document = PDF(pages: [.a4(), .a4()]).bytes
    let printed = try await person.airprint(
      "print", "-d", queue.uri, "--json", try person.document(document))
    #expect(printed.code == 0, "\(printed.report)\n\(queue.log)")
    let job = try #require(try await printer.jobs(atLeast: 1).first)
    #expect(job.contentType == "application/pdf")
    #expect(job.document == document)

    // It has no driver, and no IPP printer behind it, so the formats that it accepts are unknown.
    let sink = person.path("sink")
    try [UInt8]().write(to: sink)
    let raw = try await person.bench.run([
      "lpadmin", "-h", queue.server, "-p", "raw", "-E", "-v", "file://\(sink)", "-m", "raw",
    ])
    #expect(raw.code == 0, "\(raw.report)")
    let uri = "ipp://\(queue.server)/printers/raw"
    let refused = try await person.airprint("print", "-d", uri, try person.document(document))
    #expect(refused.code == 76 && refused.stderr.contains("a raw CUPS queue"), "\(refused.report)")
    let codes: [UInt8] = [0x1B, 0x40] + Array("till\n".utf8) + [0, 0xFF]
    let sent = try await person.airprint(
      "print", "-d", uri, "-o", "raw", try person.document(codes, "till.bin"))
    #expect(sent.code == 0 && sent.stderr.contains("unchecked"), "\(sent.report)")
    #expect(sent.stderr.contains("as is.\n"), "\(sent.report)")
    // The documents as cupsd keeps them.
    let spool = person.path("cups/spool")
    let kept = try FileManager.default.contentsOfDirectory(atPath: spool)
    #expect(
      kept.contains { $0.hasPrefix("d") && (try? bytes(of: "\(spool)/\($0)")) == codes },
      "\(kept)")

    let gone = try await person.airprint(
      "print", "-d", queue.uri + "x", try person.document(document))
    #expect(
      gone.code == 69 && gone.stderr.contains("run: airprint discover \(queue.server)\n"),
      "\(gone.report)")
    let listed = try await person.airprint("discover", queue.server, "--all")
    #expect(listed.stdout.contains(queue.uri), "\(listed.report)")
    await queue.close()
    await printer.stop()
  }

  @Test func `a server of many: two clients, held jobs, canceled at the server, history`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let queue = try await CupsQueue(leadingTo: printer.uri, of: person)
    let other = try Person(at: person.bench)
    // Without a path, the server lists its queues.
    let second = try await person.bench.run([
      "lpadmin", "-h", queue.server, "-p", "second", "-E", "-v", printer.uri, "-m", "raw",
    ])
    #expect(second.code == 0, "\(second.report)")
    let listed = try await person.airprint("discover", queue.server, "--all", "--json")
    let uris = try listed.json.array?.compactMap { $0.uri?.string }
    #expect(
      uris == ["behind", "second"].map { "ipp://\(queue.server)/printers/\($0)" },
      "\(listed.report)")
    let several = try await person.airprint("pick", queue.server)
    #expect(several.code == 64, "\(several.report)")
    #expect(several.stderr.contains("second (ipp://\(queue.server)/printers/second)"))

    let document = PDF(pages: [.a4()]).bytes
    let clients = [person, other]
    var running: [Program] = []
    for (index, client) in clients.enumerated() {
      for number in 0..<3 {
        let file = try client.document(document, "\(index)-\(number).pdf")
        running.append(try client.start("print", "-d", queue.uri, "--timeout", "60", file))
      }
    }
    for program in running {
      let printed = await program.end()
      #expect(printed.code == 0, "\(printed.report)\n\(queue.log)")
    }
    #expect(try printer.jobs().count == 6)
    for client in clients {
      let jobs = try await client.airprint("jobs", "--json").json.array
      #expect(jobs?.count == 3)
      #expect(jobs?.allSatisfy { $0.state == .string("completed") } == true)
    }
    // The server's history, available to anyone.
    #expect(try await other.airprint("wait", "\(queue.uri)/1").code == 0)

    // Held until it is released.
    let held = try person.start(
      "print", "-d", queue.uri, "-t", "Payroll", "--hold", "--priority", "80", "--timeout", "600",
      try person.document(document))
    try await held.wait(
      for: "\"Payroll\" is held: to let it print, run: airprint release")
    let waiting = try #require(
      try await person.airprint("jobs", "--json").json.array?.first {
        $0.state == .string("pending-held")
      })
    let id = try #require(waiting.job?.string)
    let question = try person.question(
      "Get-Job-Attributes",
      "ATTR integer job-id 7\nATTR keyword requested-attributes job-name,job-priority",
      named: "priority")
    let said = try await person.bench.run(["ipptool", "-tv", queue.uri, question]).stdout
    #expect(said.contains("= Payroll") && said.contains("job-priority (integer) = 80"), "\(said)")
    // Until "night" is no time at all at night, and until "day-time" by day.
    let changed = try await person.airprint(
      "change", id, "--priority", "91", "--hold", halfADayAway)
    #expect(changed.code == 0, "\(changed.report)")
    let after = try await person.bench.run(["ipptool", "-tv", queue.uri, question]).stdout
    #expect(after.contains("job-priority (integer) = 91"), "\(after)")
    #expect(try await person.airprint("change", id, "--priority", "101").code == 64)
    let release = try await person.airprint("release", id)
    #expect(release.code == 0, "\(release.report)")
    #expect(release.stderr.contains("Released Payroll on "), "\(release.report)")
    let released = await held.end()
    #expect(released.code == 0, "\(released.report)")

    // Canceled by the server's administrator.
    let doomed = try person.start(
      "print", "-d", queue.uri, "-o", "job-hold-until=indefinite", "--timeout", "60",
      try person.document(document))
    try await doomed.wait(for: " is held")
    let cancel = try await person.bench.run(["cancel", "-h", queue.server, "behind-8"])
    #expect(cancel.code == 0, "\(cancel.report)")
    #expect(await doomed.end().code == 81)
    let late = try await person.airprint("release", "\(queue.uri)/8")
    #expect(late.code == 76, "\(late.report)")
    #expect(try printer.jobs().count == 7)
    // Held until a time, which follows the option, as with lp.
    let tonight = try await person.airprint(
      "print", "-d", queue.uri, "--no-wait", "--hold", halfADayAway, "--json",
      try person.document(document))
    #expect(tonight.code == 0, "\(tonight.report)")
    #expect(try tonight.jsonLines.first?.state == .string("pending-held"))
    let night = try #require(try tonight.jsonLines.first?.job?.string)
    #expect(
      try await person.airprint("jobs", night, "--json").json.state == .string("pending-held"))
    #expect(try await person.airprint("cancel", night).code == 0)

    // The server moves another program's job from queue to queue.
    let lp = try await person.bench.run([
      "lp", "-h", queue.server, "-d", "behind", "-H", "hold", try person.document(document),
    ])
    #expect(lp.code == 0, "\(lp.report)")
    let ended = try await person.airprint("move", "\(queue.uri)/1", uris?.last ?? "")
    #expect(ended.code == 76 && ended.stderr.contains("has already ended"), "\(ended.report)")
    let moved = try await person.airprint("move", "\(queue.uri)/10", uris?.last ?? "")
    #expect(moved.code == 0, "\(moved.report)")
    let places = try await person.bench.run(["lpstat", "-h", queue.server, "-o"])
    #expect(places.stdout.hasPrefix("second-10 "), "\(places.report)")
    await queue.close()
    await printer.stop()
  }

  /// A job that its printer gives up may have printed: cupsd counts no page of what it passes on.
  @Test func `76: the server's job has begun before`() async throws {
    let person = try await Person.anybody()
    let silent = try Door.silent()
    let queue = try await CupsQueue(
      leadingTo: "ipp://localhost:\(silent.port)/ipp/print", of: person)
    for command in [
      ["lpadmin", "-h", queue.server, "-p", "second", "-E", "-v", queue.uri, "-m", "raw"],
      ["lp", "-h", queue.server, "-d", "behind", try person.document(PDF().bytes)],
    ] {
      let done = try await person.bench.run(command)
      #expect(done.code == 0, "\(done.report)")
    }
    func state() async throws -> String {
      try await person.bench.run(["lpstat", "-h", queue.server, "-p", "behind"]).stdout
    }
    try await eventually("it prints") { try await state().contains("now printing") }
    #expect(try await person.bench.run(["cupsdisable", "-h", queue.server, "behind"]).code == 0)
    try await eventually("it is stopped") { try await state().contains("disabled since") }
    let second = queue.uri.replacing("behind", with: "second")
    let moved = try await person.airprint("move", "\(queue.uri)/1", second)
    #expect(moved.code == 76, "\(moved.report)")
    #expect(moved.stderr.contains("has begun job 1"), "\(moved.report)")
    await queue.close()
    silent.shut()
  }

  /// cupsd stops such a job, and its printer stays idle.
  @Test func `75: the queue's filter fails`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let queue = try await CupsQueue(leadingTo: printer.uri, of: person)
    let broken = CupsQueue.laser.replacing("vnd.cups-pdf 0 -", with: "vnd.cups-pdf 0 /bin/false")
    let description = try person.document(Array(broken.utf8), "broken.ppd")
    let made = try await person.bench.run([
      "lpadmin", "-h", queue.server, "-p", "broken", "-E", "-v", printer.uri, "-P", description,
    ])
    #expect(made.code == 0, "\(made.report)")
    let printed = try await person.airprint(
      "print", "-d", "ipp://\(queue.server)/printers/broken", "--timeout", "10",
      try person.document(PDF(pages: [.a4()]).bytes))
    #expect(printed.code == 75, "\(printed.report)\n\(queue.log)")
    #expect(
      printed.stderr.contains("(The job has stopped: Filter failed). The job was canceled"),
      "\(printed.report)")
    await queue.close()
    await printer.stop()
  }
}
