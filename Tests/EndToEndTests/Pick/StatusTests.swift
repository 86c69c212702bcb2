import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `status`: a printer at a glance, from the cache, which is updated in the background.
@Suite(.inTurn) struct StatusTests {
  @Test func `it answers from the cache, and one process at a time asks anew`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [
      "octetString printer-supply "
        + "\"index=1;type=toner;maxcapacity=100;level=7;colorantname=black;\","
        + "\"index=2;type=wasteToner;maxcapacity=100;level=3;colorantname=waste;\""
    ])
    _ = try await person.airprint("pick", printer.uri)
    let first = try await person.airprint("status")
    #expect(first.code == 0 && first.stderr.isEmpty, "\(first.report)")
    #expect(first.stdout.hasPrefix("Office: ready, low: black toner 7 %"), "\(first.stdout)")
    await printer.stop()

    // The cache is fresh, so the printer is not asked.
    let cached = try await person.airprint("status").stdout
    #expect(cached.hasPrefix("Office: ready, low: black toner 7 %"), "\(cached)")
    let report = try await person.airprint("status", "--json").json
    #expect(
      report.keys == [
        "name", "uri", "available", "state", "stateReasons", "reason", "trouble", "messages",
        "acceptingJobs",
        "jobs", "queued", "supplies", "low", "asked", "age",
      ])
    #expect(report.low?.strings == ["black"] && report.state == .string("idle"), "\(report)")

    // The cache is old: the answer still comes from it, with its age. While one process updates it, no other does.
    let cache = try #require(try cacheFile(of: person))
    try age(cache, by: 600)
    let lock = open(String(cache.dropLast(5)) + ".lock", O_RDWR | O_CLOEXEC)
    #expect(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
    let old = "Office: ready, low: black toner 7 % (10 min ago)\n"
    #expect(try await person.airprint("status").stdout == old)
    try await Task.sleep(for: .milliseconds(500))
    #expect(try await person.airprint("status").stdout == old)
    close(lock)
    #expect(try await person.airprint("status").stdout == old)
    try await eventually("the printer is asked behind the answer") {
      try await person.airprint("status").stdout.hasPrefix("Office: does not answer")
    }
    // As `print` would end; a bar hides a module that fails.
    #expect(try await person.airprint("status").code == 69)
    let shown = try await person.airprint("status", "--waybar")
    #expect(shown.code == 0, "\(shown.report)")
    let bar = try shown.json
    #expect(bar.class == .string("away") && bar.text == .string("does not answer"), "\(bar)")
    // What it answered last stays.
    #expect(bar.percentage == .number(7), "\(bar)")
  }

  @Test func `show and print tell the cache what they hear`() async throws {
    let person = try await Person.anybody()
    let till = try await person.simulate("receipt")
    #expect(try await person.airprint("pick", till.uri, "--as", "Till").code == 0)
    func status() async throws -> String { try await person.airprint("status").stdout }
    let first = try await status()
    #expect(first.hasPrefix("Till: ready"), "\(first)")
    // From here on, no process updates the cache in the background.
    let cache = try #require(try cacheFile(of: person))
    let lock = open(String(cache.dropLast(5)) + ".lock", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    try await eventually("nobody asks") { flock(lock, LOCK_EX | LOCK_NB) == 0 }
    _ = try await person.airprint("simulate", "load", till.name, "main-roll=none")
    _ = try await person.airprint("show")
    let shown = try await status()
    #expect(shown.contains("the main roll is out of paper"), "\(shown)")
    // Shows why a job waits, and that it is over.
    _ = try await person.airprint("simulate", "load", till.name, "main-roll=80mm")
    _ = try await person.airprint("simulate", "fault", till.name, "cover-open@1")
    let file = try person.document(Array("#receipt\ntitle: A\n".utf8), "a.receipt")
    let stopped = try await person.airprint("print", "--timeout", "2", file)
    #expect(stopped.code == 75, "\(stopped.report)")
    let waiting = try await status()
    #expect(waiting.contains("close the cover"), "\(waiting)")
    _ = await till.end()
    #expect(try await person.airprint("print", file).code == 69)
    let away = try await status()
    #expect(away.hasPrefix("Till: does not answer"), "\(away)")
  }

  /// The journal is here, whatever the age of the printer's answer.
  @Test func `the queue here is counted at once`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    _ = try await person.airprint("pick", printer.uri, "--as", "Laser")
    #expect(try await person.airprint("status").stdout == "Laser: ready\n")
    let file = try person.document(PDF().bytes)
    let added = try await person.airprint("queue", "add", "-d", "Laser", file)
    #expect(added.code == 0, "\(added.report)")
    let waiting = try await person.airprint("status").stdout
    #expect(waiting == "Laser: ready, 1 in the queue here\n")
    #expect(try await person.airprint("status", "--json").json.queued == .number(1))
    let run = try await person.airprint("queue", "run")
    #expect(run.code == 0, "\(run.report)")
    let done = try await person.airprint("status").stdout
    #expect(!done.contains("queue"), "\(done)")
    await printer.stop()
  }

  /// Before the job, its plan warns of an empty tray; a job that is watched tells it itself.
  @Test(arguments: [false, true])
  func `an empty roll is told once`(_ leaves: Bool) async throws {
    let person = try await Person.anybody()
    let till = try await person.simulate("receipt")
    _ = try await person.airprint("simulate", "load", till.name, "main-roll=none")
    let file = try person.document(Array("#receipt\ntitle: A\n".utf8), "a.receipt")
    let printed = try await person.airprint(
      ["print", "-d", till.uri, "--force", "--timeout", "2"] + (leaves ? ["--no-wait"] : [])
        + [file])
    // Once while it waits, once in the sentence of its end.
    let waiting = printed.stderr.split(separator: "\n").filter { $0.contains("out of paper") }
    #expect(waiting.filter { !$0.contains("No progress") }.count == 1, "\(printed.report)")
    #expect(!printed.stderr.contains("is empty"), "\(printed.report)")
    _ = await till.end()
  }

  @Test func `a bar gets one line that it can read`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [
      "octetString printer-supply \"type=ink;maxcapacity=100;level=40;colorantname=\u{600}<cyan>\u{301};\""
    ])
    let outcome = try await person.airprint("status", "--waybar", printer.uri)
    #expect(outcome.stdout.split(separator: "\n").count == 1, "\(outcome.report)")
    let bar = try outcome.json
    #expect(bar.keys == ["text", "tooltip", "class", "percentage"])
    #expect(bar.class == .string("ready") && bar.percentage == .number(40), "\(bar)")
    #expect(
      bar.tooltip?.string?.contains("\u{FFFD}&lt;cyan&gt;\u{FFFD} ink 40 %") == true, "\(bar)")
    await printer.stop()
  }

  @Test func `a slip finds the printer and the command that were meant`() async throws {
    let person = try await Person.anybody()
    _ = try await person.airprint(
      "pick", "ipp://localhost:\(try freePort())/ipp/print", "--no-contact", "--as", "Office Laser")
    let lonely = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"]
    for variables in [[:], lonely] {
      let shown = try await person.airprint(["show", "Ofice"], adding: variables)
      #expect(shown.code == 69, "\(shown.report)")
      #expect(
        shown.stderr.lowercased().contains("did you mean \"office laser\"?"), "\(shown.report)")
    }
    let queue = try await person.airprint("queue", "lst")
    #expect(queue.code == 64 && queue.stderr.contains("did you mean \"list\"?"), "\(queue.report)")
    #expect(try await person.airprint("queue", "--help").code == 0)
  }

  @Test func `69 when no printer is saved, 64 for two kinds of JSON`() async throws {
    let person = try await Person.anybody()
    let nothing = try await person.airprint("status")
    #expect(nothing.code == 69 && nothing.stderr.contains("airprint pick"), "\(nothing.report)")
    #expect(try await person.airprint("status", "--json", "--waybar").code == 64)
  }

  private func cacheFile(of person: Person) throws -> String? {
    let folder = "\(person.folder)/cache/airprint/status"
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .first { $0.hasSuffix(".json") }.map { "\(folder)/\($0)" }
  }

  /// Makes the cache older by this many seconds.
  private func age(_ path: String, by seconds: Double) throws {
    let text = String(decoding: try bytes(of: path), as: UTF8.self)
    let parts = text.split(separator: "\"asked\":")
    let number = parts[1].prefix { $0.isNumber || $0 == "." }
    let older = try #require(Double(number)) - seconds
    try Array("\(parts[0])\"asked\":\(older)\(parts[1].dropFirst(number.count))".utf8)
      .write(to: path)
  }
}
