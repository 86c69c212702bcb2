import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// Ctrl-C and SIGTERM at any moment: the job is canceled at the printer, then the signal has its default effect.
@Suite(.inTurn) struct PrintSignalsTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func `while the printer prints`(_ signal: Int32) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: person.busy)
    let file = try person.document(PDF().bytes)
    let printing = try person.start(
      "print", "-d", printer.uri, "--json", "--format", "pdf", file)
    _ = try await printer.jobs(atLeast: 1)
    // timeout(1) sends it to the process and to its group.
    for _ in 0..<2 { printing.signal(signal) }
    let printed = await printing.end()
    #expect(printed.end == .signalled(signal), "\(printed.report)")
    #expect(printed.stderr.contains("the job was canceled"), "\(printed.stderr)")
    #expect(try printed.jsonLines.first?.exitCode == .number(Double(128 + signal)))
    #expect(try await person.state(ofJob: 1, at: printer).contains("cancel"))
    await printer.stop()
  }

  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func `a shell sees 128 and the signal`(_ signal: String, _ code: Int) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: person.busy)
    let file = try person.document(PDF().bytes)
    let print = "\"$airprint\" print -d \(printer.uri) --format pdf \(file)"
    // Without job control, a shell starts background programs with SIGINT ignored.
    let outcome = try await person.shell(
      """
      set -m
      \(print) &
      while [ ! -e \(printer.jobsFolder)/1 ]; do sleep 0.05; done
      kill -\(signal) $!
      wait $!
      echo "code $?"
      """)
    #expect(outcome.stdout.contains("code \(code)"), "\(outcome.report)")
    await printer.stop()
  }

  @Test func `SIGINT that was ignored at the start stays so`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: "sleep 1")
    let file = try person.document(PDF().bytes)
    let outcome = try await person.shell(
      """
      "$airprint" print -d \(printer.uri) --format pdf \(file) &
      while [ ! -e \(printer.jobsFolder)/1 ]; do sleep 0.05; done
      kill -INT $!
      wait $!
      echo "code $?"
      """)
    #expect(outcome.stdout.contains("code 0"), "\(outcome.report)")
    await printer.stop()
  }

  @Test(arguments: [0.0, 0.02, 0.05, 0.1, 0.3])
  func `at any moment nothing is left at the printer`(_ moment: Double) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: person.busy)
    let file = try person.document(PDF(pages: Array(repeating: .a4(), count: 20)).bytes)
    let printing = try person.start("print", "-d", printer.uri, file)
    try await Task.sleep(for: .seconds(moment))
    printing.signal(SIGINT)
    let printed = await printing.end()
    #expect(printed.end == .signalled(SIGINT), "\(printed.report)")
    let state = try await person.state(ofJob: 1, at: printer)
    #expect(state.isEmpty || state.contains("cancel") || state.contains("abort"), "\(state)")
    await printer.stop()
  }

  @Test func `while the printer says nothing`() async throws {
    let person = try await Person.anybody()
    let door = try Door.silent()
    let printing = try person.start("print", "-d", door.uri, try person.document(PDF().bytes))
    try await eventually("a caller") { door.callers > 0 }
    printing.signal(SIGINT)
    let printed = await printing.end()
    #expect(printed.end == .signalled(SIGINT), "\(printed.report)")
    door.shut()
  }

  @Test func `while the printer takes no more of the document`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    // The connection to the printer stalls after the first bytes of the document.
    let door = try Door.leading(to: printer.port, stallsAfter: 100_000)
    let file = try person.document(PDF(ballast: 8_000_000).bytes)
    let printing = try person.start("print", "-d", door.uri, "--format", "pdf", file)
    try await eventually("the document stalls") { door.isStalled }
    printing.signal(SIGINT)
    let printed = await printing.end()
    #expect(printed.end == .signalled(SIGINT), "\(printed.report)")
    door.shut()
    await printer.stop()
  }

  @Test func `a closed terminal cancels what has not been sent, and leaves what has`() async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office(command: person.busy)
    let temporary = person.path("temporary")
    try FileManager.default.createDirectory(
      atPath: temporary, withIntermediateDirectories: false)
    let door = try Door.leading(to: printer.port, stallsAfter: 100_000)
    let large = try person.document(PDF(ballast: 8_000_000).bytes, "large.pdf")
    let sending = try person.bench.start(
      ["airprint", "print", "-d", door.uri, "--format", "pdf", large],
      adding: person.variables.merging(["TMPDIR": temporary]) { $1 })
    try await eventually("the document stalls") { door.isStalled }
    // The kernel and the shell each send one.
    sending.signal(SIGHUP)
    sending.signal(SIGHUP)
    let sent = await sending.end()
    #expect(sent.end == .signalled(SIGHUP), "\(sent.report)")
    #expect(sent.stderr.contains("Interrupted"), "\(sent.stderr)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    door.shut()
    let other = try await person.office(command: person.busy)
    let printing = try person.start(
      "print", "-d", other.uri, "--format", "pdf", try person.document(PDF().bytes))
    _ = try await other.jobs(atLeast: 1)
    printing.signal(SIGHUP)
    let left = await printing.end()
    #expect(left.end == .signalled(SIGHUP), "\(left.report)")
    #expect(try await !person.state(ofJob: 1, at: other).contains("cancel"))
    await other.stop()
    await printer.stop()
  }

  @Test(arguments: [OddPrinter.createJob, OddPrinter.printJob], ["--json", "--no-wait"])
  func `the printer is about to give the job its number`(
    _ operation: Int, _ option: String
  ) async throws {
    let person = try await Person.anybody()
    let isTime = Atomic<Bool>(false)
    let printer = try OddPrinter { request, _ in
      request.operation == operation ? .late { isTime.load(ordering: .relaxed) } : .usual
    }
    if operation == OddPrinter.printJob {
      printer.with {
        $0.operations.removeAll { $0 == OddPrinter.createJob }
        $0.ending = (5, ["job-printing"], 0)
      }
    }
    let file = try person.document(PDF().bytes)
    let printing = try person.start(
      "print", "-d", printer.uri, file, option)
    try await eventually("a job") { printer.count(operation) == 1 }
    printing.signal(SIGINT)
    try await Task.sleep(for: .milliseconds(300))
    isTime.store(true, ordering: .relaxed)
    let printed = await printing.end()
    #expect(printed.end == .signalled(SIGINT), "\(printed.report)")
    #expect(printed.stderr.contains("the job was canceled"), "\(printed.report)")
    #expect(printer.with { $0.jobs[1]?.state } == 7)
    printer.close()
  }

  @Test func `the printer never gives the job its number`() async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter { request, state in
      guard request.operation == OddPrinter.createJob, state.jobs.isEmpty else { return .usual }
      _ = state.usual(request)
      return .silence
    }
    let file = try person.document(PDF().bytes)
    let printing = try person.start("print", "-d", printer.uri, file)
    try await eventually("a job") { printer.count(OddPrinter.createJob) == 1 }
    printing.signal(SIGINT)
    let printed = await printing.end()
    #expect(printed.end == .signalled(SIGINT), "\(printed.report)")
    #expect(printed.stderr.contains("the next print cancels it"), "\(printed.report)")
    #expect(try await person.airprint(["print", "-d", printer.uri, file]).code == 0)
    #expect(printer.with { [$0.jobs[1]?.state, $0.jobs[2]?.state] } == [7, 9])
    printer.close()
  }

  @Test func `the printer wants the job encrypted, and then says nothing`() async throws {
    let person = try await Person.anybody()
    let isAsked = Atomic<Bool>(false)
    let printer = try OddPrinter { request, _ in
      if request.head.hasPrefix("OPTIONS") {
        isAsked.store(true, ordering: .relaxed)
        return .silence
      }
      guard request.operation == OddPrinter.createJob else { return .usual }
      return .bytes(Array("HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n".utf8))
    }
    let file = try person.document(PDF().bytes)
    let printing = try person.start("print", "-d", printer.uri, file)
    try await eventually("the upgrade") { isAsked.load(ordering: .relaxed) }
    printing.signal(SIGINT)
    let printed = await printing.end()
    #expect(printed.end == .signalled(SIGINT), "\(printed.report)")
    // The refused request left no job.
    #expect(printed.stderr.contains("Interrupted. Nothing was printed."), "\(printed.report)")
    let jobs = try await person.shell("cat \(person.folder)/state/airprint/jobs/*/job.json")
    #expect(jobs.stdout.contains("\"ended\"") && !jobs.stdout.contains("orphans"), "\(jobs.report)")
    printer.close()
  }

  @Test func `a second signal does not wait for the printer`() async throws {
    let person = try await Person.anybody()
    let started = Mutex<Program?>(nil)
    // It neither reads the document nor answers Cancel-Job, for which airprint would wait some seconds.
    let printer = try OddPrinter(stopsReading: 100_000) { request, _ in
      guard request.operation == OddPrinter.cancelJob else { return .usual }
      started.withLock { $0?.signal(SIGINT) }
      return .silence
    }
    let file = try person.document(PDF(ballast: 20_000_000).bytes)
    let printing = try person.start("print", "-d", printer.uri, file)
    started.withLock { $0 = printing }
    try await eventually("the document") { printer.count(OddPrinter.createJob) == 1 }
    printing.signal(SIGINT)
    let printed = await printing.end()
    #expect(printed.end == .signalled(SIGINT), "\(printed.report)")
    // There was no time to report that.
    #expect(!printed.stderr.contains("may still print"), "\(printed.report)")
    printer.close()
  }

  @Test func `the rest of several files is left`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: person.busy)
    let file = try person.document(PDF().bytes)
    let printing = try person.start(
      "print", "-d", printer.uri, "--json", "--format", "pdf", file, file, file)
    _ = try await printer.jobs(atLeast: 1)
    // As timeout(1) does.
    printing.signal(SIGTERM)
    printing.signal(SIGTERM)
    let printed = await printing.end()
    #expect(printed.end == .signalled(SIGTERM), "\(printed.report)")
    #expect(try printed.jsonLines.count == 1)
    await printer.stop()
  }
}
