import TestSupport
import Testing

/// Desktop notifications of a job's end, and of what it waits for: `--notify`, and `notify` in the settings.
@Suite(.inTurn) struct NoticeTests {
  @Test func `the desktop hears how jobs ended, when it was requested`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let desktop = try await Desktop(at: bench)
    let variables = Desktop.variables(bench)
    let printer = try await person.office()
    let file = try person.document(PDF(pages: [.a4(), .a4()]).bytes, "a <b>.pdf")
    let broken = try person.document(
      Array("%PDF-1.7 nothing".utf8), "broken \u{600}<i>\u{301}\u{202E}.pdf")
    func print(_ arguments: String...) async throws -> Outcome {
      try await person.airprint(["print", "-d", printer.uri] + arguments, adding: variables)
    }
    func heard(_ words: String...) async throws {
      try await eventually("the desktop hears \(words)") {
        desktop.shown.contains { line in words.allSatisfy { line.contains($0) } }
      }
    }
    #expect(try await print(file).code == 0)
    #expect(try await print("--notify", file).code == 0)
    try await heard("Printed a <b>.pdf on ", "2 pages")
    #expect(try await print("--notify", broken).code == 65)
    // The title is plain text, the body is markup (Desktop Notifications Specification).
    try await heard("broken \u{FFFD}<i>\u{FFFD}.pdf was not printed", "The PDF is damaged")
    let nobody = try await person.airprint(["print", "--notify", file], adding: variables)
    #expect(nobody.code == 69)
    try await heard("Nothing was printed", "airprint pick")
    #expect(desktop.shown.count == 3, "\(desktop.shown)")

    try person.configure("notify = true")
    let detached = try await print("--detach", "-t", "Detached", file)
    #expect(detached.code == 0, "\(detached.report)")
    try await heard("Printed Detached on ")
    try person.configure("notify = false")
    #expect(try await print(file).code == 0)
    #expect(desktop.shown.count == 4, "\(desktop.shown)")
    await printer.stop()

    let forgetful = try await person.simulate("laser", "--fault", "forget")
    let forgotten = try await person.airprint(
      ["print", "-d", forgetful.uri, "--notify", "-t", "Receipt 7", file], adding: variables)
    #expect(forgotten.code == 82, "\(forgotten.report)")
    try await heard("Receipt 7 may have been printed on \(forgetful.name)")
    _ = await forgetful.end()
    await bench.close()
  }

  @Test func `the desktop hears what a job waits for, and of a file that is missing`() async throws
  {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let desktop = try await Desktop(at: bench)
    let printer = try await person.simulate("laser", "--fault", "cover-open")
    let file = try person.document(PDF(pages: [.a4()]).bytes, "bill.pdf")
    func heard(_ words: String) async throws {
      try await eventually("the desktop hears \(words)") {
        desktop.shown.contains { $0.contains(words) }
      }
    }
    let job = try bench.start(
      ["airprint", "print", "-d", printer.uri, "--notify", file],
      adding: person.variables.merging(Desktop.variables(bench)) { $1 })
    try await heard("bill.pdf is waiting on \(printer.name) | Close the cover.")
    _ = try await person.airprint("simulate", "clear", printer.name)
    #expect(await job.end().code == 0)
    try await heard("Printed bill.pdf on \(printer.name)")
    #expect(desktop.shown.count == 2, "\(desktop.shown)")
    for options in [["--notify"], ["--notify", "--detach"], ["--notify", "--dry-run"]] {
      let missing = try await person.airprint(
        ["print", "-d", printer.uri] + options + ["gone.pdf"], adding: Desktop.variables(bench))
      #expect(missing.code == 66, "\(missing.report)")
    }
    try await eventually("both are told") { desktop.shown.count == 4 }
    try await heard("gone.pdf was not printed")
    try await heard(" | No such file.")
    _ = await printer.end()
    await bench.close()
  }
}
