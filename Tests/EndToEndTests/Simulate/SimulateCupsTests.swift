import FoundationEssentials
import TestSupport
import Testing

/// CUPS' own programs, which find simulated printers, create queues for them and print.
@Suite(.inTurn) struct SimulateCupsTests {
  /// The profiles, each with the default size of its queue.
  private static let sizes = [
    "laser": "A4", "inkjet": "A4", "photo": "4x6", "receipt": "80x297mm", "label": "62x297mm",
    "envelope": "Env10", "large-format": "609.6x297mm", "save-original": "A4", "office": "Letter",
    "labels-gap": "4x6",
  ]

  @Test func `a queue is made of every profile, and lp prints through it`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("all")
    let queue = try await CupsQueue(leadingTo: simulation.uri, of: person)
    let picture = try person.document(try Picture(width: 80, height: 20).jpeg(), "line.jpg")
    let profiles = simulation.printers.compactMap(\.profile?.string)
    #expect(Set(profiles) == Set(Self.sizes.keys))
    for (profile, printer) in zip(profiles, simulation.printers) {
      let made = try await person.bench.run([
        "lpadmin", "-h", queue.server, "-p", profile, "-E", "-v", printer.uri?.string ?? "", "-m",
        "everywhere",
      ])
      #expect(made.code == 0, "\(made.report)")
      try await eventually("\(profile) has its size: \(queue.ppd(profile))") {
        queue.ppd(profile).contains("*DefaultPageSize: \(Self.sizes[profile] ?? "")\n")
      }
      let sent = try await person.bench.run(["lp", "-h", queue.server, "-d", profile, picture])
      #expect(sent.code == 0, "\(sent.report)")
    }
    for profile in profiles {
      try await eventually("\(profile) has printed") {
        (try? simulation.job(1, of: profile).record.state) == .string("completed")
      }
      #expect(try simulation.job(1, of: profile).pages == 1, "\(profile)")
    }
    await queue.close()
    _ = await simulation.end()
  }

  @Test func `copies on both sides, held, released and canceled by lp; and by airprint`()
    async throws
  {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let queue = try await CupsQueue(leadingTo: simulation.uri, of: person)
    let made = try await person.bench.run([
      "lpadmin", "-h", queue.server, "-p", "laser", "-E", "-v", simulation.uri, "-m", "everywhere",
    ])
    #expect(made.code == 0, "\(made.report)")
    let file = try person.document(PageShape.a5.landmarks(pages: 2))
    func lp(_ options: String...) async throws -> Outcome {
      try await person.bench.run(["lp", "-h", queue.server] + options)
    }
    func printed(_ number: Int) async throws -> Simulation.Job {
      try await eventually("job \(number) is printed") {
        (try? simulation.job(number, of: "laser").record.state) == .string("completed")
      }
      return try simulation.job(number, of: "laser")
    }
    let held = try await lp("-d", "laser", "-H", "hold", file)
    let doomed = try await lp("-d", "laser", "-H", "hold", file)
    let twice = try await lp("-d", "laser", "-n", "2", "-o", "sides=two-sided-long-edge", file)
    #expect([held, doomed, twice].allSatisfy { $0.code == 0 }, "\(twice.report)")
    let first = try await printed(1)
    #expect(first.pages == 4, "\(first.record)")
    #expect(first.record.pages?.array?.map { $0.sheet?.number } == [1, 1, 2, 2])
    let canceled = try await person.bench.run(["cancel", "-h", queue.server, "laser-2"])
    #expect(canceled.code == 0, "\(canceled.report)")
    #expect(try await lp("-i", "laser-1", "-H", "resume").code == 0)
    #expect(try await printed(2).pages == 2)
    // A queue with a PPD is also a printer for airprint.
    let uri = "ipp://\(queue.server)/printers/laser"
    let through = try await person.airprint("print", "-d", uri, "--sides", "long", file)
    #expect(through.code == 0, "\(through.report)\n\(queue.log)")
    #expect(try await printed(3).pages == 2)
    await queue.close()
    _ = await simulation.end()
  }

  @Test func `ippfind finds it`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("receipt")
    try await eventually("ippfind names it") {
      try await person.bench.run([
        "ippfind", "_ipp._tcp", "--literal-name", simulation.name, "-T", "10",
      ]).stdout.contains(":\(simulation.port)/ipp/print")
    }
    _ = await simulation.end()
  }

  /// Run like cups-browsed and desktop settings run it: it creates a PPD for each printer.
  @Test(.needsDriverless) func `driverless makes a PPD of every profile`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("all")
    let driverless = try #require(driverless)
    for printer in simulation.printers {
      let profile = printer.profile?.string ?? ""
      let ppd = try await person.bench.run(driverless + ["cat", printer.uri?.string ?? ""])
      #expect(ppd.code == 0, "\(profile)\n\(ppd.report)")
      #expect(
        ppd.stdout.contains("*DefaultPageSize: \(Self.sizes[profile] ?? "")\n"),
        "\(profile)\n\(ppd.stdout)")
    }
    _ = await simulation.end()
  }

  /// One printer: ippfind, which driverless runs, ends when no printer has been added for a moment, and on a busy
  /// machine it ends before it has all of ten.
  @Test(.needsDriverless) func `driverless lists it`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("receipt")
    let driverless = try #require(driverless)
    try await eventually("driverless lists \(simulation.name)") {
      let name = simulation.name.replacing(" ", with: "%20")
      return try await person.bench.run(driverless).stdout.contains("\(name)._ipp")
    }
    _ = await simulation.end()
  }
}
