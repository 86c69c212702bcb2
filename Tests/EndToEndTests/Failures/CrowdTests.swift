import Glibc
import TestSupport
import Testing

/// Many jobs at once, and state folders that are not writable.
@Suite(.inTurn) struct CrowdTests {
  @Test(arguments: [(100, 1), (30, 3)])
  func `so many prints at once, to so many printers: each comes out once`(
    _ jobs: Int, _ count: Int
  ) async throws {
    let person = try await Person.anybody()
    var printers: [VirtualPrinter] = []
    for index in 0..<count { printers.append(try await person.office("Office \(index)")) }
    var running: [Program] = []
    for index in 0..<jobs {
      let file = try person.document(PDF(title: "crowd \(index)").bytes, "\(index).pdf")
      running.append(
        try person.start(
          "print", "-d", printers[index % count].uri, "--format", "pdf", "--timeout", "120", file))
    }
    for program in running {
      let printed = await program.end()
      #expect(printed.code == 0, "\(printed.report)")
    }
    for (index, printer) in printers.enumerated() {
      let names = try printer.jobs().compactMap { $0["job-name"] }
      #expect(Set(names) == Set((0..<jobs).filter { $0 % count == index }.map { "\($0).pdf" }))
      #expect(names.count == Set(names).count)
      await printer.stop()
    }
  }

  @Test func `first come, first served, also when the first are killed`() async throws {
    let person = try await Person.anybody()
    // The first job prints until the others are in line.
    let printer = try await person.office(
      command: "[ $IPP_JOB_ID -gt 1 ] || while [ ! -e \(person.path("go")) ]; do sleep 0.1; done")
    let file = try person.document(PDF().bytes)
    var running: [Program] = []
    for index in 0..<8 {
      running.append(
        try person.start(
          "print", "-d", printer.uri, "--format", "pdf", "-t", "\(index)", file))
      if index == 0 {
        _ = try await printer.jobs(atLeast: 1)
        continue
      }
      let tickets = "ls \(person.path("state/airprint/turns"))/*/[0-9]* 2>/dev/null | wc -l"
      try await eventually("ticket \(index)") {
        try await person.shell(tickets).stdout.contains("\(index)")
      }
    }
    // These two are waiting in line.
    for index in [5, 6] { running[index].signal(SIGKILL) }
    try [UInt8]().write(to: person.path("go"))
    for index in [0, 1, 2, 3, 4, 7] {
      let printed = await running[index].end()
      #expect(printed.code == 0, "\(printed.report)")
    }
    #expect(try printer.jobs().compactMap { $0["job-name"] } == ["0", "1", "2", "3", "4", "7"])
    await printer.stop()
  }

  /// Prints with a state folder of this size.
  private func printing(
    _ size: String, _ options: String, _ prepare: String = "true", at printer: VirtualPrinter
  ) async throws -> Outcome {
    let person = try await Person.anybody()
    let file = try person.document(PDF(ballast: 6_000).bytes)
    let state = person.path("state")
    let script = """
      mkdir -p \(state) && mount -t tmpfs -o size=\(size),mode=700 none \(state) && \(prepare) || exit 99
      exec "$airprint" print \(options) -d \(printer.uri) --format pdf \(file)
      """
    return try await person.bench.run(
      Namespaces.available.unshare("--mount") + ["sh", "-c", script],
      adding: person.variables.merging(["airprint": try locate("airprint"), "state": state]) { $1 })
  }

  @Test(.needsNamespaces, arguments: ["4k", "8k", "12k", "16k"])
  func `73: a full disk, before anything is sent`(_ size: String) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    for options in ["", "--detach"] {
      let printed = try await printing(size, options, at: printer)
      // The space was enough for the journal entry; the job is printed when there is more.
      if printed.code == 0, options == "--detach" || size == "16k" { continue }
      #expect(printed.code == 73, "\(size) \(options): \(printed.report)")
      #expect(try printer.jobs().isEmpty)
    }
    // No empty job is left in the way.
    let after = try await person.airprint(
      "print", "-d", printer.uri, "--timeout", "5", "--format", "pdf",
      try person.document(PDF().bytes))
    #expect(after.code == 0, "\(after.report)")
    await printer.stop()
  }

  @Test(.needsNamespaces) func `73: a state folder that can only be read`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let printed = try await printing(
      "1m", "", "mount -o remount,ro \"$state\"", at: printer)
    #expect(printed.code == 73, "\(printed.report)")
    #expect(printed.stderr.contains("Nothing was sent."))
    #expect(try printer.jobs().isEmpty)
    await printer.stop()
  }

  @Test(.needsNamespaces) func `73: a state folder of somebody else's`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let printed = try await printing(
      "1m", "", "mkdir -p \"$state/airprint/jobs\" && chown 65534 \"$state/airprint/jobs\"",
      at: printer)
    if getuid() == 0 {
      #expect(printed.code == 73, "\(printed.report)")
      #expect(printed.stderr.contains("belongs to another user"))
      #expect(try printer.jobs().isEmpty)
    }
    await printer.stop()
  }
}
