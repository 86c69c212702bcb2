import TestSupport
import Testing

/// `cancel --all`, and `wait` and `release` without a job.
@Suite(.inTurn) struct OnlyJobTests {
  @Test func `every active job is canceled`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let file = try person.document(PDF().bytes)
    for _ in 0..<2 {
      let sent = try await person.airprint(
        "print", "-d", simulation.uri, "--hold", "--no-wait", file)
      #expect(sent.code == 0, "\(sent.report)")
    }
    // Two jobs are held, so none is chosen.
    let released = try await person.airprint("release")
    #expect(
      released.code == 64 && released.stderr.contains("2 jobs are held"), "\(released.report)")
    let both = try await person.airprint("cancel", "--all", "xxxxx")
    #expect(both.code == 64, "\(both.report)")
    let canceled = try await person.airprint("cancel", "--all")
    #expect(canceled.code == 0, "\(canceled.report)")
    let jobs = try await person.airprint("jobs", "--json").json.array
    #expect(jobs?.map { $0.state?.string } == ["canceled", "canceled"])
    let none = try await person.airprint("cancel", "--all")
    #expect(none.code == 0 && none.stderr.contains("No job is active"), "\(none.report)")
    _ = try await person.add("-d", simulation.uri)
    let added = try #require(try await person.queue().first)
    let early = try await person.airprint("release", added)
    #expect(early.code == 64 && early.stderr.contains("queue run \(added)"), "\(early.report)")
    let queued = try await person.airprint("cancel")
    #expect(
      queued.code == 64
        && queued.stderr.contains("nothing to cancel (1 job is queued; see airprint queue)"),
      "\(queued.report)")
    // The queue does not print by itself, so its job is not meant, unless it is named.
    let waited = try await person.airprint("wait")
    #expect(waited.code == 81 && waited.stderr.contains("was canceled"), "\(waited.report)")
    let id = try #require(try await person.queue().first)
    let late = try await person.airprint("wait", id, "--timeout", "0", "--json")
    #expect(late.code == 75 && late.stderr.contains("airprint queue run \(id)"), "\(late.report)")
    #expect(try late.jsonLines.map(\.job?.string) == [id], "\(late.report)")
    _ = await simulation.end()
  }

  /// It accepts Release-Job, and holds the job still, or gives it up.
  @Test(arguments: [(4, 75), (8, 80)] as [(Int, Int32)])
  func `a job that is not printed after its release is not called released`(
    _ state: Int, _ code: Int32
  ) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter { request, printer in
      guard request.operation == 0x0D else { return .usual }
      printer.jobs[1]?.state = state
      return .answer(status: 0)
    }
    printer.with {
      $0.ending = (4, ["job-hold-until-specified"], 0)
      $0.operations += [0x0C, 0x0D]
    }
    let file = try person.document(PDF().bytes)
    let held = try await person.airprint("print", "-d", printer.uri, "--no-wait", "--json", file)
    #expect(try held.jsonLines.first?.state == .string("pending-held"), "\(held.report)")
    let released = try await person.airprint("release")
    #expect(released.code == code, "\(released.report)")
    printer.close()
  }

  @Test func `the only job is released, and waited for`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let file = try person.document(PageShape.a5.landmarks())
    let sent = try await person.airprint(
      "print", "-d", simulation.uri, "--resolution", "300", "--hold", "--no-wait", "--json", file)
    let id = try #require(try sent.jsonLines.first?.job?.string)
    let waiting = try person.start("wait")
    try await waiting.wait(for: "To let it print, run: airprint release \(id)")
    let byNumber = try person.start("wait", "\(simulation.uri)/1")
    try await byNumber.wait(for: "To let it print, run: airprint release \(id)")
    let released = try await person.airprint("release", "--all")
    #expect(released.code == 0, "\(released.report)")
    #expect(await waiting.end().code == 0)
    #expect(await byNumber.end().code == 0)
    let waited = try await person.airprint("wait", id)
    #expect(waited.code == 0, "\(waited.report)")
    let again = try await person.airprint("release", "\(simulation.uri)/1")
    #expect(again.code == 76 && again.stderr.contains("does not hold job 1"), "\(again.report)")
    let none = try await person.airprint("release")
    #expect(none.code == 64 && none.stderr.contains("No job is"), "\(none.report)")
    let all = try await person.airprint("release", "--all")
    #expect(all.code == 0 && all.stderr.contains("No job is held"), "\(all.report)")
    let last = try await person.airprint("wait", "--json")
    #expect(last.code == 0, "\(last.report)")
    #expect(try last.jsonLines.map(\.job?.string) == [id], "\(last.report)")
    _ = await simulation.end()
  }

  @Test func `a job that waits behind another one names it`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--fault", "media-empty@1")
    let file = try person.document(PageShape.a5.landmarks())
    for title in ["First", "Second"] {
      let sent = try await person.airprint(
        "print", "-d", simulation.uri, "--resolution", "300", "--no-wait", "-t", title, file)
      #expect(sent.code == 0, "\(sent.report)")
    }
    let troubles = try await person.airprint("jobs", "--json").json.array?.map {
      $0.trouble?.string ?? ""
    }
    #expect(troubles?.first?.contains("out of paper") == true, "\(troubles ?? [])")
    #expect(troubles?.last == "waiting for \"First\" (\(troubles?.first ?? ""))")
    _ = await simulation.end()
  }
}
