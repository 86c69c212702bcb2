import Glibc
import TestSupport
import Testing

/// Printers with false information about a job: about another job, in a different order, or without an end.
@Suite(.inTurn) struct LyingPrinterTests {
  private func print(_ printer: OddPrinter, _ options: String...) async throws -> Outcome {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    return try await person.airprint(["print", "-d", printer.uri, "--json"] + options + [file])
  }

  private static func job(
    _ number: Int32, _ state: Int32, to request: ScriptedServer.Request, reason: String = "none",
    impressions: Int32 = 1
  ) -> [UInt8] {
    var answer = IPPAnswer(to: request)
    answer.group(2)
    answer.add(0x21, "job-id", number)
    answer.add(0x23, "job-state", state)
    answer.add(0x44, "job-state-reasons", reason)
    answer.add(0x21, "job-impressions-completed", impressions)
    return answer.http
  }

  @Test func `82: an answer about another job says nothing of this one`() async throws {
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.getJobAttributes
        ? .bytes(Self.job(4711, 9, to: request)) : .usual
    }
    let printed = try await print(printer)
    #expect(printed.code == 82, "\(printed.report)")
    printer.close()
  }

  /// The printer, or a server before it, fails for a while: that says nothing of the job.
  @Test(arguments: ["IPP", "404 Not Found", "503 Service Unavailable"])
  func `a passing fault is no end of a job`(_ fault: String) async throws {
    let printer = try OddPrinter { request, state in
      let count = state.log.count(where: { $0 == OddPrinter.getJobAttributes })
      guard request.operation == OddPrinter.getJobAttributes, (2...8).contains(count) else {
        return .usual
      }
      if count == 8 {
        state.jobs[1]?.state = 9
        state.jobs[1]?.impressions = 1
      }
      return fault == "IPP"
        ? .answer(status: 0x0500)
        : .bytes(Array("HTTP/1.1 \(fault)\r\nContent-Length: 0\r\n\r\n".utf8))
    }
    printer.with { $0.ending = (5, ["job-printing"], 0) }
    let printed = try await print(printer, "--timeout", "20")
    #expect(printed.code == 0, "\(printed.report)")
    printer.close()
  }

  /// A late answer to an earlier request over the same connection.
  @Test func `a refusal of another request is none, and its job is not left behind`() async throws {
    let printer = try OddPrinter { request, state in
      let count = state.log.count(where: { $0 == OddPrinter.createJob })
      guard request.operation == OddPrinter.createJob, count == 1 else { return .usual }
      _ = state.usual(request)
      var other = request
      other.body[7] &-= 1
      return .bytes(IPPAnswer(to: other, status: 0x0400).http)
    }
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    let refused = try await person.airprint("print", "-d", printer.uri, file)
    #expect(refused.code == 76 && printer.documents.isEmpty, "\(refused.report)")
    #expect(refused.stderr.contains("a different request"), "\(refused.report)")
    let printed = try await person.airprint("print", "-d", printer.uri, file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printer.with { $0.jobs[1]?.state } == 7 && printer.documents.count == 1)
    printer.close()
  }

  @Test func `an answer to another request is none`() async throws {
    let printer = try OddPrinter { request, _ in
      guard request.operation == OddPrinter.getJobAttributes else { return .usual }
      var other = request
      other.body[7] &+= 7
      return .bytes(Self.job(1, 9, to: other))
    }
    let printed = try await print(printer, "--timeout", "2")
    #expect(printed.code == 75, "\(printed.report)")
    #expect(printed.stderr.contains("a different request"), "\(printed.stderr)")
    printer.close()
  }

  @Test func `75: new states and new reasons for ever are no progress`() async throws {
    let printer = try OddPrinter { request, state in
      guard request.operation == OddPrinter.getJobAttributes else { return .usual }
      let count = state.log.filter { $0 == OddPrinter.getJobAttributes }.count
      return .bytes(
        Self.job(
          1, [3, 5, 6, 4][count % 4], to: request, reason: "reason-\(count)",
          impressions: Int32.min))
    }
    let printed = try await print(printer, "--timeout", "1")
    #expect(printed.code == 75, "\(printed.report)")
    #expect(try printed.jsonLines.first?.impressions == .null)
    printer.close()
  }

  /// A printer that accepts Cancel-Job, and ends the job when it is asked for the third time after that.
  private func slow(_ state: Int, _ impressions: Int32?) throws -> OddPrinter {
    let printer = try OddPrinter { request, printer in
      if request.operation == OddPrinter.cancelJob {
        printer.jobs[1]?.reasons = ["processing-to-stop-point"]
        return .answer(status: 0)
      }
      let asked = printer.log.lastIndex(of: OddPrinter.cancelJob).map { printer.log.count - $0 }
      if let asked, asked > 3 {
        printer.jobs[1]?.state = state
        printer.jobs[1]?.reasons = ["none"]
        printer.jobs[1]?.impressions = impressions
      }
      return .usual
    }
    printer.with { $0.ending = (5, ["job-printing"], 0) }
    return printer
  }

  /// What a job is said to be after a cancellation that was accepted at once.
  private func canceled(
    at printer: OddPrinter, _ words: String, code: Int32 = 75
  ) async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF(pages: [.a4(), .a4()]).bytes)
    let run = try await person.airprint("print", "-d", printer.uri, "--timeout", "1", file)
    #expect(run.code == code && run.stderr.contains(words), "\(run.report)")
    #expect(printer.documents.count == 1)
  }

  static let unsaid = "does not report whether a page"

  /// The sheet that is on its way when a job is canceled comes out, and is counted then.
  @Test(arguments: [
    (7, Int32?.some(0), Int32(75), unsaid), (7, nil, 75, unsaid),
    (7, 1, 75, "The job was canceled; 1 page of it came out."), (9, 2, 0, "Printed"),
  ])
  func `a job that is canceled too late is not said to be unprinted, and not sent again`(
    _ state: Int, _ impressions: Int32?, _ code: Int32, _ words: String
  ) async throws {
    let printer = try slow(state, impressions)
    // What it counts of another job shows nothing of this one.
    printer.with { $0.jobs[90] = OddPrinter.Job(name: "other", state: 7, impressions: 2) }
    try await canceled(at: printer, words, code: code)
    printer.close()
  }

  /// A printer's own reports: it has begun, and the job waits again, with a sheet out that it does not count.
  @Test func `a job that waits again is not said to be unprinted`() async throws {
    let printer = try OddPrinter { request, state in
      guard request.operation == OddPrinter.getJobAttributes, state.jobs[1]?.state == 5,
        state.log.count(where: { $0 == OddPrinter.getJobAttributes }) > 2
      else { return .usual }
      state.jobs[1]?.state = 3
      return .usual
    }
    printer.with { $0.ending = (5, ["job-printing"], 0) }
    try await canceled(at: printer, Self.unsaid)
    printer.close()
  }

  @Test func `a count does not fall`() async throws {
    let printer = try slow(7, 0)
    printer.with { $0.ending.impressions = 1 }
    let person = try await Person.anybody()
    let file = try person.document(PDF(pages: [.a4(), .a4()]).bytes)
    let run = try person.start("print", "-d", printer.uri, file)
    try await eventually("it is watched") { printer.count(OddPrinter.getJobAttributes) > 3 }
    run.signal(SIGINT)
    let printed = await run.end()
    #expect(printed.stderr.contains("canceled after 1 page"), "\(printed.report)")
    printer.close()
  }

  @Test func `76: airprint cancel comes too late`() async throws {
    let printer = try slow(9, 2)
    let person = try await Person.anybody()
    let file = try person.document(PDF(pages: [.a4(), .a4()]).bytes)
    let sent = try await person.airprint("print", "-d", printer.uri, "--no-wait", "--json", file)
    let id = try #require(try sent.jsonLines.first?.job?.string)
    let canceled = try await person.airprint("cancel", id)
    #expect(canceled.code == 76, "\(canceled.report)")
    #expect(canceled.stderr.contains("before it was canceled: completed"), "\(canceled.report)")
    #expect(try await person.airprint("wait", id).code == 0)
    printer.close()
  }
}
