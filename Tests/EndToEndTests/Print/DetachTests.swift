import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `print --detach`, `wait` and `reprint`: jobs that continue without the command that started them.
@Suite(.inTurn) struct DetachTests {
  @Test func `the ID alone on standard output, and the job is printed without its parent`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office(command: "sleep 2")
    let file = try person.document(PDF().bytes)
    let detached = try await person.airprint(
      "print", "--detach", "-d", printer.uri, "--format", "pdf", file)
    #expect(detached.code == 0, "\(detached.report)")
    let id = detached.stdout.split(separator: "\n").joined()
    #expect(id.count == 5 && detached.stdout == "\(id)\n")
    #expect(detached.stderr.isEmpty)
    // The job uses a copy of the document.
    unlink(file)
    let waited = try await person.airprint("wait", id, "--json")
    #expect(waited.code == 0, "\(waited.report)")
    let line = try #require(try waited.jsonLines.first)
    #expect(line.job == .string(id) && line.state == .string("completed"))
    #expect(line.exitCode == .number(0))
    #expect(try printer.jobs().map(\.document) == [PDF().bytes])
    // Jobs that have ended can also be waited for.
    #expect(try await person.airprint("wait", id).code == 0)
    await printer.stop()
  }

  @Test func `it survives the terminal, and is in a session of its own`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(
      command: "until [ -e '\(person.path("go"))' ]; do sleep 0.1; done")
    let file = try person.document(PDF().bytes)
    let terminal = try person.shellTerminal(
      "\"$airprint\" print --detach -d \(printer.uri) --format pdf \(file) > \(person.path("id")); "
        + "echo done; sleep 60")
    try await terminal.expect("done")
    terminal.hangUp()
    _ = await terminal.end()
    let id = String(decoding: try bytes(of: person.path("id")), as: UTF8.self).prefix(5)
    let process = try #require(worker(on: String(id)), "nobody prints \(id)")
    let numbers = try #require(sessionAndTerminal(of: process))
    #expect(numbers.session == process && numbers.terminal == 0)
    // The process ends by itself once it has printed: `wait` would resume a job that no process works on.
    try writeFile([], to: person.path("go"))
    try await eventually("\(process) ends") { worker(on: String(id)) == nil }
    #expect(try printer.jobs().count == 1)
    let waited = try await person.airprint("wait", String(id))
    #expect(waited.code == 0, "\(waited.report)")
    await printer.stop()
  }

  @Test(arguments: [Int32(80), 75])
  func `wait exits as print would have`(_ code: Int32) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    printer.with { state in
      guard code == 75 else { return state.ending = (8, ["aborted-by-system"], nil) }
      state.ending = (6, ["printer-stopped"], 0)
      state.reasons = ["media-empty-error"]
      (state.printerState, state.numbers) = (5, [("printer-state-change-time", [5])])
    }
    let file = try person.document(PDF().bytes)
    let detached = try await person.airprint(
      "print", "--detach", "--timeout", "2", "-d", printer.uri, file)
    let waited = try await person.airprint("wait", detached.line)
    #expect(waited.code == code, "\(waited.report)")
    #expect(try await person.airprint("wait").code == code)
    if code == 75 {
      #expect(waited.stderr.contains("Out of paper: load A4"), "\(waited.stderr)")
      #expect(waited.stderr.contains("Nothing was printed."), "\(waited.stderr)")
    }
    printer.close()
  }

  @Test func `wait is 69 for a printer that is not there, and for an unknown job`() async throws {
    let person = try await Person.anybody()
    let none = try await person.airprint("wait")
    #expect(none.code == 0 && none.stderr.contains("no job"), "\(none.report)")
    let file = try person.document(PDF().bytes)
    let detached = try await person.airprint(
      "print", "--detach", "-d", "ipp://localhost:\(try freePort())/ipp/print", file)
    #expect(detached.code == 0, "\(detached.report)")
    #expect(try await person.airprint("wait", detached.line).code == 69)
    #expect(try await person.airprint("wait", "zzzzz").code == 69)
    #expect(try await person.airprint("wait").code == 69)
  }

  @Test func `what can't be printed is said before there is a job`() async throws {
    let person = try await Person.anybody()
    let uri = "ipp://localhost:9/"
    let nothing = try await person.airprint("print", "--detach", "-d", uri, "/no/such/file.pdf")
    #expect(nothing.code == 66 && nothing.stdout.isEmpty, "\(nothing.report)")
    let locked = try person.document(PDF(isLocked: true).bytes)
    #expect(try await person.airprint("print", "--detach", "-d", uri, locked).code == 65)
    #expect(try await person.airprint("jobs", "--json").json == .array([]))
  }

  @Test func `a detached job is canceled in every phase`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(
      command: "while [ ! -e \(person.path("go")) ]; do sleep 0.1; done")
    let file = try person.document(PDF().bytes)
    // The second job waits because the printer is busy with the first; the third is in line.
    var ids: [String] = []
    for _ in 0..<3 {
      ids.append(
        try await person.airprint(
          "print", "--detach", "-d", printer.uri, "--format", "pdf", file
        ).line)
      if ids.count == 1 { _ = try await printer.jobs(atLeast: 1) }
    }
    for id in ids.reversed() {
      let canceled = try await person.airprint("cancel", id)
      // The first one's program still runs.
      #expect(canceled.code == (id == ids[0] ? 75 : 0), "\(canceled.report)")
    }
    try [UInt8]().write(to: person.path("go"))
    for id in ids { #expect(try await person.airprint("wait", id).code == 81) }
    #expect(try printer.jobs().count == 1)
    await printer.stop()
  }

  @Test func `who works on a job may be the first to cancel it`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("receipt", "--fault", "cover-open")
    let port = simulation.uri.split(separator: "/")[1].split(separator: ":").last
    let door = try Door.leading(to: try #require(port.flatMap { Int($0) }))
    let detached = try await person.airprint(
      "print", "--detach", "-d", door.uri, try person.document(PDF().bytes))
    try await simulation.wait(for: "received")
    let callers = door.callers
    door.delay = .seconds(4)
    let cancelling = try person.bench.start(
      ["airprint", "cancel", detached.line], adding: person.variables)
    try await eventually("it calls") { door.callers > callers }
    door.delay = .zero
    let canceled = await cancelling.end()
    #expect(canceled.code == 0, "\(canceled.report)")
    #expect(try await person.airprint("wait", detached.line).code == 81)
    door.shut()
    _ = await simulation.end()
  }

  @Test func `--no-wait is followed by wait, until the printer says how it ended`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: "sleep 2; exit 1")
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint(
      "print", "--no-wait", "--json", "-d", printer.uri, "--format", "pdf", file)
    #expect(printed.code == 0, "\(printed.report)")
    let id = try #require(try printed.jsonLines.first?.job?.string)
    #expect(try await person.airprint("wait", id).code == 80)
    #expect(try await person.airprint("wait", "\(printer.uri)/1").code == 80)
    #expect(try await person.airprint("wait", "\(printer.uri)/7").code == 69)
    await printer.stop()
  }

  @Test func `Ctrl-C ends the wait and not the job`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: person.busy)
    let file = try person.document(PDF().bytes)
    let id = try await person.airprint(
      "print", "--detach", "-d", printer.uri, "--format", "pdf", file
    ).line
    _ = try await printer.jobs(atLeast: 1)
    let waiting = try person.start("wait", id)
    try await Task.sleep(for: .milliseconds(300))
    waiting.signal(SIGINT)
    #expect(await waiting.end().end == .signalled(SIGINT))
    try person.finish()
    #expect(try await person.airprint("wait", id).code == 0)
    await printer.stop()
  }

  @Test func `reprint prints the journal's copy, with its options or others`() async throws {
    let person = try await Person.anybody()
    let front = try await person.office("Front")
    let back = try await person.office("Back")
    let document = PDF(pages: [.a4(), .a4(), .a4()]).bytes
    let file = try person.document(document, "report.pdf")
    #expect(try await person.airprint("reprint").code == 64)
    let printed = try await person.airprint(
      "print", "-d", front.uri, "--json", "--format", "pdf", "--sides", "one", file)
    let id = try #require(try printed.jsonLines.first?.job?.string)
    unlink(file)
    let again = try await person.airprint("reprint", "--json")
    #expect(again.code == 0, "\(again.report)")
    let line = try #require(try again.jsonLines.first)
    #expect(line.file == .string(file) && line.job?.string != id)
    #expect(try front.jobs().map(\.document) == [document, document])
    #expect(try front.jobs().map { $0["sides"] } == ["one-sided", "one-sided"])
    #expect(try front.jobs().map { $0["job-name"] } == ["report.pdf", "report.pdf"])
    let absent = "ipp://localhost:\(try freePort())/"
    let elsewhere = try await person.airprint(
      "reprint", id, "-d", "\(absent),\(back.uri)", "-P", "2")
    #expect(elsewhere.code == 0, "\(elsewhere.report)")
    #expect(try back.jobs().count == 1)
    #expect(try back.jobs().first?["page-ranges"]?.hasPrefix("2") == true)
    #expect(try await person.airprint("reprint", "zzzzz").code == 69)
    let trial = try await person.airprint("reprint", id, "--dry-run", "--paper", "A4", "-n", "3")
    #expect(trial.code == 0 && trial.stdout.contains("copies"), "\(trial.report)")
    #expect(try front.jobs().count == 2)
    await front.stop()
    await back.stop()
  }

  @Test func `a protected document is printed detached, and its password is gone then`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let password = try person.document(Array("secret\n".utf8), "password")
    let file = try person.document(PDF().bytes)
    let id = try await person.airprint(
      "print", "--detach", "-d", printer.uri, "--document-password-file", password, file
    ).line
    #expect(try await person.airprint("wait", id).code == 0)
    let folder = person.path("state/airprint/jobs/\(id)")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let text = String(decoding: try bytes(of: "\(folder)/\(name)"), as: UTF8.self)
      #expect(!text.contains("secret"), "\(name)")
    }
    await printer.stop()
  }
}

extension Outcome {
  /// The only line on standard output.
  var line: String { stdout.split(separator: "\n").joined() }
}

/// Returns the process that prints a job of the journal: `airprint __job ID`.
private func worker(on id: String) -> Int? {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
  return names.compactMap(Int.init).first { process in
    let bytes = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
    return String(decoding: bytes, as: UTF8.self) == "airprint\0__job\0\(id)\0"
  }
}

/// Returns the sixth and seventh field of /proc/PID/stat: the session, and the terminal or 0 (proc(5)).
private func sessionAndTerminal(of process: Int) -> (session: Int, terminal: Int)? {
  let bytes = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
  // The program's name is in parentheses, and may contain anything.
  let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(
    separator: " ")
  guard let fields, fields.count > 4, let session = Int(fields[3]), let terminal = Int(fields[4])
  else { return nil }
  return (session, terminal)
}
