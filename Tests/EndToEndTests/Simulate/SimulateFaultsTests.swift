import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Faults of a simulated printer: requested ones, and those caused by bad input.
@Suite(.inTurn) struct SimulateFaultsTests {
  /// The printer stops in the middle of a job, like a real one, and continues once the fault is cleared.
  @Test func `out of paper before page 2`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--fault", "media-empty@2")
    let document = try person.document(PageShape.a5.landmarks(pages: 2))
    let printing = try person.start(
      "print", "-d", simulation.uri, "--resolution", "300", document)
    let stopped = try await simulation.wait(for: "stopped")
    #expect(stopped.reasons?.strings == ["media-empty-error"])
    let state = try await simulation.attributes("get-printer-attributes.test")
    #expect(state.contains("printer-state (enum) = stopped"))
    #expect(state.contains("printer-state-reasons (keyword) = media-empty-error"))
    let jobs = try await simulation.attributes("get-jobs.test")
    #expect(jobs.contains("job-state (enum) = processing-stopped"), "\(jobs)")
    #expect(jobs.contains("job-state-reasons (keyword) = printer-stopped"))
    #expect(jobs.contains("job-impressions-completed (integer) = 1"))
    try await printing.wait(for: "out of paper")
    let cleared = try await person.airprint("simulate", "clear", simulation.name, "media-empty")
    #expect(cleared.code == 0, "\(cleared.report)")
    let printed = await printing.end()
    #expect(printed.code == 0, "\(printed.report)")
    try await simulation.wait(for: "resumed")
    #expect(try simulation.job(1, of: "laser").pages == 2)
    _ = await simulation.end()
  }

  /// The printer waits for paper that a job needs and that is not loaded.
  @Test func `paper is loaded while it runs`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let document = try person.document(PageShape.a5.landmarks())
    let printing = try person.start(
      "print", "-d", simulation.uri, "--resolution", "300", "--paper", "A5", "--force", document)
    let stopped = try await simulation.wait(for: "stopped")
    #expect(stopped.reasons?.strings == ["media-needed-error"])
    #expect(stopped.message == .string("Load A5."))
    let wrong = try await person.airprint("simulate", "load", simulation.name, "main=80mm")
    #expect(wrong.code == 64 && wrong.stderr.contains("can't hold 80mm"), "\(wrong.report)")
    let loaded = try await person.airprint("simulate", "load", simulation.name, "main=A5")
    #expect(loaded.code == 0, "\(loaded.report)")
    #expect(loaded.stderr == "\(simulation.name): loaded main=A5.\n", "\(loaded.report)")
    let printed = await printing.end()
    #expect(printed.code == 0, "\(printed.report)")
    let page = try simulation.job(1, of: "laser").record.pages?.array?.first
    #expect(page?.paper == .string("A5") && page?.tray == .string("main"))
    _ = await simulation.end()
  }

  /// Faults with the possible exit codes of `print`, and the job's last state at the printer.
  ///
  /// If the connection breaks, the printer aborts the job. It reports that if it is asked before it receives the
  /// cancel.
  static let faults: [(fault: String, codes: [Int32], state: String?)] = [
    ("cancel@1", [81], "canceled"), ("abort", [80], "aborted"), ("forget", [82], "completed"),
    ("drop@2k", [74, 80], nil), ("busy:1s", [0], "completed"), ("toner-low", [0], "completed"),
    ("slow:50k/s", [0], "completed"), ("sleep:1s", [0], "completed"),
    ("miscount:2", [0], "completed"), ("print-job-only", [0], "completed"),
    ("one-bit", [0], "completed"),
  ]

  @Test(arguments: faults)
  func `a fault is what it says`(_ fault: String, _ codes: [Int32], _ state: String?) async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--fault", fault)
    let noise = try Picture(width: 200, height: 280, isNoise: true).png()
    let printed = try await person.airprint(
      "print", "-d", simulation.uri, "--resolution", "300", "--type", "document", "-o",
      "compression=none", try person.document(noise, "noise.png"))
    #expect(codes.contains(printed.code ?? -1), "\(fault): \(printed.report)")
    let ended = try await simulation.wait(for: "ended")
    if let state { #expect(ended.state == .string(state), "\(ended)") }
    _ = await simulation.end()
  }

  @Test func `a printer that restarts knows no job any more, and counts from 1`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let file = try person.document(PageShape.a5.landmarks())
    let held = try person.start("print", "-d", simulation.uri, "--hold", file)
    try await held.wait(for: "run: airprint release ")
    let told = try await person.airprint("simulate", "fault", simulation.name, "restart")
    #expect(told.code == 0, "\(told.report)")
    let ended = await held.end()
    #expect(ended.code == 82, "\(ended.report)")
    let printed = try await person.airprint("print", "-d", simulation.uri, "--json", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printed.jsonLines.first?.jobId == .number(1))
    // The pages of the job that was printed before are still there.
    #expect(try simulation.job(2, of: "laser").pages == 1)
    _ = await simulation.end()
  }

  @Test func `a new certificate is another one, of one printer`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let other = try await person.simulate("laser", "--name", "Other")
    let keys = person.path("state/airprint/simulate")
    let document = try person.document(PDF().bytes)
    func codes() async throws -> [Int32?] {
      var codes: [Int32?] = []
      for printer in [simulation, other] {
        codes.append(try await person.airprint("print", "-d", printer.secureURI, document).code)
      }
      return codes
    }
    #expect(try await codes() == [0, 0])
    let told = try await person.airprint("simulate", "fault", simulation.name, "new-certificate")
    #expect(told.code == 0, "\(told.report)")
    #expect(try await codes() == [77, 0])
    _ = await simulation.end()
    _ = await other.end()
    let left = try FileManager.default.contentsOfDirectory(atPath: keys)
    #expect(left.filter { $0.hasSuffix(".crt") }.count == 1, "\(left)")
  }

  @Test func `a new certificate is of one printer among those that run together`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("all")
    let printers = simulation.printers.prefix(2)
    func codes() async throws -> [Int32?] {
      var codes: [Int32?] = []
      for printer in printers {
        let uri = "ipps" + (printer.uri?.string ?? "").dropFirst(3)
        codes.append(try await person.airprint("show", uri).code)
      }
      return codes
    }
    #expect(try await codes() == [0, 0])
    let told = try await person.airprint(
      "simulate", "fault", printers[1].name?.string ?? "", "new-certificate")
    #expect(told.code == 0, "\(told.report)")
    #expect(try await codes() == [0, 77])
    _ = await simulation.end()
  }

  @Test func `a password is asked for`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--require-password")
    let password = try #require(simulation.printers[0].password?.string)
    #expect(password.count == 6)
    let printed = try await person.airprint(
      "print", "-d", simulation.uri, try person.document(PDF().bytes))
    #expect(printed.code == 77, "\(printed.report)")
    #expect(try await person.airprint("show", simulation.uri).code == 77)
    let picked = try await person.airprint("pick", simulation.uri, "--as", "Closed", "--no-contact")
    #expect(picked.code == 0, "\(picked.report)")
    // It answers, but would not print.
    let doctor = try await person.airprint("doctor", "Closed")
    #expect(doctor.code == 77, "\(doctor.report)")
    #expect(doctor.stdout.contains("airprint login Closed\n"), "\(doctor.stdout)")
    let file = person.path("login")
    try Array("me:\(password)\n".utf8).write(to: file)
    let knowing = try await person.airprint(
      ["doctor", "Closed"], adding: ["AIRPRINT_PASSWORD_FILE": file])
    #expect(knowing.code == 0, "\(knowing.report)")
    _ = await simulation.end()
  }

  /// Truncated raster: the printer shows the part that arrived, and aborts the job with a reason.
  @Test func `a raster that is cut off`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let whole = person.path("whole.pwg")
    let rendered = try await person.airprint(
      "render", try person.document(PageShape.a4.landmarks(pages: 2)), "-o", whole, "--paper", "A4",
      "--color", "gray", "--resolution", "150")
    #expect(rendered.code == 0, "\(rendered.report)")
    let raster = try bytes(of: whole)
    let test = try person.document(Array(Self.printJob.utf8), "print.test")
    for (number, document) in [Array(raster.dropLast(40)), Array("RaS2 and nothing else".utf8)]
      .enumerated()
    {
      let file = try person.document(document, "broken.pwg")
      _ = try await person.bench.run(["ipptool", "-tf", file, simulation.uri, test])
      let ended = try await simulation.wait(for: "ended", count: number + 1)
      #expect(ended.state == .string("aborted"))
      #expect(ended.reasons?.strings?.contains("document-format-error") == true, "\(ended)")
    }
    let job = try simulation.job(1, of: "laser")
    #expect(job.pages == 2)
    let sheet = try job.sheet(2)
    #expect(sheet.ink != nil, "the part that came")
    #expect(sheet.height == 29_700 * 150 / 2540)
    let message = try #require(ended(simulation)?.message?.string)
    #expect(message.contains("page 2"), "\(message)")
    _ = await simulation.end()
  }

  private func ended(_ simulation: Simulation) -> JSON? {
    simulation.events.first { $0.event?.string == "ended" }
  }

  private static let printJob = """
    {
      OPERATION Print-Job
      GROUP operation-attributes-tag
      ATTR charset attributes-charset utf-8
      ATTR naturalLanguage attributes-natural-language en
      ATTR uri printer-uri $uri
      ATTR mimeMediaType document-format image/pwg-raster
      FILE $filename
    }
    """

  // MARK: Impossible requests

  static let mistakes: [(arguments: [String], code: Int32, words: String)] = [
    (["lazer"], 64, "No such profile: lazer"),
    (["laser", "--fault", "fire"], 64, "No such fault: fire"),
    (["laser", "--fault", "media-empty@x"], 64, "media-empty@3"),
    (["laser", "--load", "main=80mm"], 64, "can't hold 80mm"),
    (["laser", "--load", "attic=A4"], 64, "has no tray attic"),
    (["laser", "--supply", "blue=8"], 64, "has no supply blue"),
    (["laser", "--listen", "wifi"], 64, "takes lo or all"),
    (["laser", "receipt", "--name", "Two"], 64, "for one printer"),
    (["laser", "--output", "/proc/nowhere"], 73, "can't be written"),
    (["--like", "/etc/hostname"], 65, "does not hold a printer's attributes"),
    (["load", "Nobody", "main=A4"], 69, "No printer called \"Nobody\""),
  ]

  @Test(arguments: mistakes)
  func `a mistake is said`(_ arguments: [String], _ code: Int32, _ words: String) async throws {
    let person = try await Person.anybody()
    let output = arguments.contains("--output") ? [] : ["--output", person.path("pages")]
    let outcome = try await person.airprint(
      ["simulate"] + arguments + (arguments[0] == "load" ? [] : ["--port", "0"] + output))
    #expect(outcome.code == code && outcome.stderr.contains(words), "\(outcome.report)")
  }

  @Test func `a printer's name without quotes`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--name", "Big Laser")
    for (action, example) in [("load", " main=legal"), ("fault", " media-empty@3"), ("clear", "")] {
      let typo = try await person.airprint("simulate", action, "big", "laser", "main=A5")
      #expect(typo.code == 64, "\(typo.report)")
      #expect(
        typo.stderr.hasSuffix(
          "quote it, as in airprint simulate \(action) 'Big Laser'\(example)\n"),
        "\(typo.report)")
    }
    _ = await simulation.end()
  }

  @Test func `a port in use`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let port = try #require(simulation.uri.split(separator: ":")[2].split(separator: "/").first)
    let outcome = try await person.airprint("simulate", "receipt", "--port", String(port))
    #expect(outcome.code == 69 && outcome.stderr.contains("port \(port)"), "\(outcome.report)")
    _ = await simulation.end()
  }

  @Test func `without Avahi it is not listed, and says so`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate(
      "laser", adding: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(person.path("nothing"))"])
    try await simulation.wait(for: "unlisted")
    #expect(simulation.printers[0].listedAs == .null)
    let shown = try await person.airprint("show", simulation.uri)
    #expect(shown.code == 0, "\(shown.report)")
    _ = await simulation.end()
  }
}

extension Simulation {
  /// Returns the output of one of CUPS' ipptool files.
  func attributes(_ test: String) async throws -> String {
    try await person.bench.run(["ipptool", "-tv", uri, test]).stdout
  }
}
