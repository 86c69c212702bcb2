import TestSupport
import Testing

/// Several files: the next one is sent while the printer prints the one before.
@Suite(.inTurn) struct PrintAheadTests {
  private static let page = PDF.Page(width: 595, height: 842, marks: [])

  private func documents(_ count: Int, _ person: Person) throws -> [String] {
    try (1...count).map {
      try person.document(PDF(pages: [Self.page, Self.page]).bytes, "\($0).pdf")
    }
  }

  @Test func `two jobs are at the printer, never three, and results keep the order`() async throws {
    let person = try await Person.anybody()
    // It stops on its first page until the cover is closed.
    let printer = try await person.simulate("laser", "--fault", "cover-open@1")
    let files = try documents(3, person)
    let program = try person.start(
      "print", "-d", printer.uri, "--json", files[0], files[1], files[2])
    try await eventually("the second job is sent while the first one stands") {
      let jobs = try await person.airprint("jobs", "--json").json.array ?? []
      return jobs.map { $0.jobId?.number } == [1, 2]
    }
    let cleared = try await person.airprint("simulate", "clear", printer.name)
    #expect(cleared.code == 0, "\(cleared.report)")
    let outcome = await program.end()
    #expect(outcome.code == 0, "\(outcome.report)")
    let lines = try outcome.jsonLines
    #expect(lines.map { $0.file?.string } == files.map(Optional.some))
    #expect(lines.map { $0.jobId?.number } == [1, 2, 3])
    _ = await printer.end()
  }

  @Test func `a printer that takes one job at a time gets one at a time, and each once`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office(command: "sleep 1")
    let files = try documents(3, person)
    let printed = try await person.airprint(
      ["print", "-d", printer.uri, "--json", "--format", "pdf"] + files)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printed.jsonLines.map { $0.file?.string } == files.map(Optional.some))
    #expect(try printer.jobs().count == 3)
    let jobs = try await person.airprint("jobs", "--json").json.array ?? []
    #expect(jobs.map { $0.state?.string } == ["completed", "completed", "completed"], "\(jobs)")
    await printer.stop()
  }

  @Test func `a bad file between good ones is told in its place`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.simulate("laser")
    let files = try documents(2, person)
    let bad = try person.document(Array("%PDF-1.4 nothing".utf8), "bad.pdf")
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--json", files[0], bad, files[1])
    #expect(printed.code == 65, "\(printed.report)")
    #expect(try printed.jsonLines.map { $0.exitCode?.number } == [0, 65, 0])
    _ = await printer.end()
  }

  @Test func `results of files that fail at once keep the order`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.simulate("laser")
    let files = (1...12).map { "nothing-\($0).pdf" }
    for _ in 0..<5 {
      let printed = try await person.airprint(["print", "-d", printer.uri, "--json"] + files)
      #expect(try printed.jsonLines.map { $0.file?.string } == files.map(Optional.some))
    }
    _ = await printer.end()
  }

  @Test func `Ctrl-C cancels both jobs that are under way`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.simulate("laser", "--fault", "cover-open@1")
    let files = try documents(3, person)
    let program = try person.start("print", "-d", printer.uri, files[0], files[1], files[2])
    try await eventually("two jobs are at the printer") {
      let jobs = try await person.airprint("jobs", "--json").json.array ?? []
      return jobs.count { $0.jobId?.number != nil } == 2
    }
    program.signal(2)
    let outcome = await program.end()
    #expect(outcome.end == .signalled(2), "\(outcome.report)")
    let jobs = try await person.airprint("jobs", "--json").json.array ?? []
    // If its document was cut off, the printer may abort a job before it receives the cancel.
    #expect(jobs.count == 2, "\(jobs)")
    #expect(
      jobs.allSatisfy { ["canceled", "aborted"].contains($0.state?.string) }, "\(jobs)")
    #expect(jobs.allSatisfy { $0.exitCode == .number(130) }, "\(jobs)")
    _ = await printer.end()
  }

  @Test func `a file that is not there is told in its turn, or before anything is printed`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let documents = try documents(2, person)
    let file = documents[0]
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--json", "--format", "pdf", file, "nothing.pdf", documents[1])
    #expect(printed.code == 66, "\(printed.report)")
    #expect(try printed.jsonLines.map { $0.exitCode?.number } == [0, 66, 0])
    #expect(printed.stderr.contains("nothing.pdf: No such file."), "\(printed.report)")
    let stopped = try await person.airprint(
      "print", "-d", printer.uri, "--stop-on-error", "--format", "pdf", file, "nothing.pdf")
    #expect(stopped.code == 66, "\(stopped.report)")
    #expect(try printer.jobs().count == 2)
    await printer.stop()
  }

  @Test func `a saved printer's name is no file, and no range of pages`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    _ = try await person.airprint("pick", printer.uri, "--as", "Till")
    let file = try documents(1, person)[0]
    for words in [["print", file, "till"], ["print", "-P", "Till", file]] {
      let refused = try await person.airprint(words)
      #expect(refused.code == 64, "\(refused.report)")
      #expect(refused.stderr.contains("Till is a printer: -d Till."), "\(refused.report)")
    }
    #expect(try printer.jobs().isEmpty)
    await printer.stop()
  }
}
