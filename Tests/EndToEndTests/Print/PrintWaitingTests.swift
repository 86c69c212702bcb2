import TestSupport
import Testing

/// `--timeout`: limits the wait for a printer that is busy, stopped or silent.
@Suite(.inTurn) struct PrintWaitingTests {
  @Test func `75: paper is out, and the job is taken back`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(
      command: "echo 'STATE: +media-empty' >&2; \(person.busy)")
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--timeout", "2", "--json", "--format", "pdf", file)
    #expect(printed.code == 75, "\(printed.report)")
    #expect(
      printed.stderr.contains("Office: The main tray is out of paper: load A4."),
      "\(printed.stderr)")
    // Its program goes on, so it does not report that it stopped.
    #expect(printed.stderr.contains("has not confirmed that the job is canceled"))
    #expect(try printed.jsonLines.first?.exitCode == .number(75))
    #expect(try await person.state(ofJob: 1, at: printer).contains("cancel"))
    await printer.stop()
  }

  @Test func `75: with --on-timeout leave the job stays`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(
      command: "echo 'STATE: +media-empty' >&2; \(person.busy)")
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--timeout", "1", "--on-timeout", "leave", "--format", "pdf", file
    )
    #expect(printed.code == 75, "\(printed.report)")
    #expect(printed.stderr.contains("left at the printer"), "\(printed.stderr)")
    #expect(!(try await person.state(ofJob: 1, at: printer)).contains("cancel"))
    await printer.stop()
  }

  @Test func `75: the printer is busy with another job all the time`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: person.busy)
    let file = try person.document(PDF().bytes)
    let first = try await person.airprint(
      "print", "-d", printer.uri, "--no-wait", "--format", "pdf", file)
    #expect(first.code == 0, "\(first.report)")
    let second = try await person.airprint(
      "print", "-d", printer.uri, "--timeout", "2", "--format", "pdf", file)
    #expect(second.code == 75, "\(second.report)")
    #expect(second.stderr.contains("Office: busy ("), "\(second.stderr)")
    #expect(second.stderr.contains("Nothing was printed."))
    #expect(try printer.jobs().count == 1)
    await printer.stop()
  }

  @Test func `a busy printer is waited for`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: "sleep 1.5")
    let file = try person.document(PDF().bytes)
    _ = try await person.airprint("print", "-d", printer.uri, "--no-wait", "--format", "pdf", file)
    let second = try await person.airprint("print", "-d", printer.uri, "--format", "pdf", file)
    #expect(second.code == 0, "\(second.report)")
    #expect(try printer.jobs().count == 2)
    await printer.stop()
  }

  @Test func `69: never an answer, within the time that was given`() async throws {
    let person = try await Person.anybody()
    let door = try Door.silent()
    let printed = try await person.airprint(
      "print", "-d", door.uri, "--timeout", "2", try person.document(PDF().bytes))
    #expect(printed.code == 69, "\(printed.report)")
    #expect(printed.wallTime > .milliseconds(1900))
    door.shut()
  }

  @Test func `69: a refused connection ends at once`() async throws {
    let person = try await Person.anybody()
    let uri = "ipp://localhost:\(try freePort())/ipp/print"
    let printed = try await person.airprint("print", "-d", uri, try person.document(PDF().bytes))
    #expect(printed.code == 69, "\(printed.report)")
    #expect(printed.stderr.contains("refuses connections"))
  }

  @Test func `a printer that answers after eight seconds is waited for`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let door = try Door.leading(to: printer.port, after: .seconds(8))
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint("print", "-d", door.uri, "--format", "pdf", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.wallTime > .seconds(8))
    #expect(try printer.jobs().count == 1)
    door.shut()
    await printer.stop()
  }

  @Test(arguments: ["0", "-1", "soon", "1.5"])
  func `a time that is none is 64`(_ timeout: String) async throws {
    let person = try await Person.anybody()
    let printed = try await person.airprint("print", "--timeout", timeout, "x.pdf")
    #expect(printed.code == 64, "\(printed.report)")
  }

  @Test func `what becomes of the job then is one of two things`() async throws {
    let person = try await Person.anybody()
    let printed = try await person.airprint("print", "--on-timeout", "wait", "x.pdf")
    #expect(printed.code == 64, "\(printed.report)")
    #expect(printed.stderr == "airprint: --on-timeout wait: takes cancel or leave.\n")
  }
}
