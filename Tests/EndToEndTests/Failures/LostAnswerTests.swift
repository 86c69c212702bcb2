import Glibc
import TestSupport
import Testing

/// Printers that don't confirm a document that was sent, in part or as a whole: what is known about the paper.
@Suite(.inTurn) struct LostAnswerTests {
  private func print(
    _ printer: OddPrinter, _ options: String..., pages: Int = 2, ballast: Int = 0
  ) async throws -> Outcome {
    let person = try await Person.anybody()
    let file = try person.document(
      PDF(pages: Array(repeating: .a4(), count: pages), ballast: ballast).bytes)
    return try await person.airprint(["print", "-d", printer.uri, "--json"] + options + [file])
  }

  private func mute(_ impressions: Int32?, state: Int = 9) throws -> OddPrinter {
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.sendDocument ? .mute : .usual
    }
    printer.with {
      $0.ending = (state, [state == 9 ? "job-completed-successfully" : "none"], impressions)
    }
    return printer
  }

  @Test func `0: the answer was lost, and the printer counts every page`() async throws {
    let printer = try mute(2)
    let printed = try await print(printer)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stderr.contains("has printed every page, although its answer was lost"))
    #expect(printer.documents.count == 1)
    printer.close()
  }

  @Test(arguments: [Int32?.none, 0, 1])
  func `74: it calls the job completed, and counts fewer pages, or none`(
    _ impressions: Int32?
  ) async throws {
    let printer = try mute(impressions)
    let printed = try await print(printer)
    #expect(printed.code == 74, "\(printed.report)")
    #expect(try printed.jsonLines.first?.state == .string("completed"))
    #expect(printer.documents.count == 1)
    #expect(printer.count(OddPrinter.createJob) == 1)
    printer.close()
  }

  @Test(arguments: [(7, Int32(81)), (8, 80)])
  func `80 and 81: it says that it did not print it`(_ state: Int, _ code: Int32) async throws {
    let printer = try mute(0, state: state)
    let printed = try await print(printer)
    #expect(printed.code == code, "\(printed.report)")
    #expect(printer.documents.count == 1)
    printer.close()
  }

  @Test func `74: it does not know the job`() async throws {
    let printer = try OddPrinter { request, state in
      if request.operation == OddPrinter.getJobAttributes { return .answer(status: 0x0406) }
      return request.operation == OddPrinter.sendDocument ? .mute : .usual
    }
    #expect(try await print(printer).code == 74)
    #expect(printer.documents.count == 1)
    printer.close()
  }

  @Test func `74: it hangs after the last byte, and never says more`() async throws {
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.sendDocument ? .silence : .usual
    }
    let printed = try await print(printer, "--timeout", "2")
    #expect(printed.code == 74, "\(printed.report)")
    // The job is canceled as far as possible.
    #expect(printer.with { $0.jobs.values.map(\.state) } == [7])
    printer.close()
  }

  @Test func `74: it hangs before the last byte`() async throws {
    let printer = try OddPrinter(stopsReading: 200_000)
    let printed = try await print(printer, "--timeout", "2", ballast: 20_000_000)
    #expect(printed.code == 74, "\(printed.report)")
    #expect(printer.with { $0.jobs.values.map(\.state) } == [7])
    printer.close()
  }

  @Test func `82: it took the document, and forgot the job`() async throws {
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.getJobAttributes ? .answer(status: 0x0406) : .usual
    }
    let printed = try await print(printer)
    #expect(printed.code == 82, "\(printed.report)")
    #expect(printed.stderr.contains("does not report what became of it"))
    printer.close()
  }

  @Test(arguments: [("document-format-error", 80), ("job-completed-with-errors", 0)])
  func `completed, but for a reason that says otherwise: the count decides`(
    _ reason: String, _ code: Int32
  ) async throws {
    let printer = try OddPrinter()
    let count: Int32 = code == 0 ? 2 : 1
    printer.with { $0.ending = (9, [reason], count) }
    let printed = try await print(printer, pages: 2)
    #expect(printed.code == code, "\(printed.report)")
    #expect(printed.stderr.contains("Check the paper.") == (code == 0), "\(printed.stderr)")
    #expect(printer.documents.count == 1)
    printer.close()
  }

  @Test func `64: with --strict, nothing is sent to a printer that ignores an attribute`()
    async throws
  {
    for operations in [[2, 4, 5, 6, 8, 9, 10, 11], [2, 4, 8, 9, 10, 11]] {
      let printer = try OddPrinter { request, state in
        let asked = operations.contains(5) ? OddPrinter.createJob : OddPrinter.validateJob
        guard request.operation == asked else { return .usual }
        if operations.contains(5) { _ = state.usual(request) }
        return .answer(
          status: 1, unsupported: ["sides", "job-name"], job: operations.contains(5) ? 1 : nil)
      }
      printer.with { $0.operations = operations }
      let strict = try await print(printer, "--strict", "--sides", "one")
      #expect(strict.code == 64, "\(strict.report)")
      #expect(
        strict.stderr.contains("--strict: Odd ignores sides and job-name. Nothing was printed."))
      #expect(printer.documents.isEmpty)
      #expect(printer.with { $0.jobs.values.allSatisfy { $0.state == 7 } })
      // What nobody asked for may be ignored.
      for option in ["--sides=one", "--strict"] {
        let printed = try await print(printer, option)
        #expect(printed.stderr.contains("Odd ignores sides"), "\(printed.report)")
      }
      printer.close()
    }
  }

  @Test(
    arguments: [
      (OddPrinter.printJob, "media", 3, 0, 64, "Odd ignores media. Nothing was printed."),
      (OddPrinter.sendDocument, "media", 3, 0, 64, "Odd ignores media. Nothing was printed."),
      (OddPrinter.printJob, "media", 9, 1, 74, "Odd ignores media. 1 page of it came out before"),
      (OddPrinter.sendDocument, "document-name", 9, 1, 0, "Odd ignores document-name."),
    ] as [(Int, String, Int, Int32, Int32, String)])
  func `with --strict, a document whose printer ignores an attribute is canceled`(
    _ operation: Int, _ name: String, _ state: Int, _ count: Int32, _ code: Int32, _ words: String
  ) async throws {
    let printer = try OddPrinter { request, state in
      guard request.operation == operation else { return .usual }
      _ = state.usual(request)
      return .answer(status: 1, unsupported: [name], job: 1)
    }
    printer.with {
      $0.ending = (state, ["none"], count)
      if operation == OddPrinter.printJob { $0.operations = [2, 4, 8, 9, 10, 11] }
    }
    let printed = try await print(printer, "--strict")
    #expect(printed.code == code, "\(printed.report)")
    #expect(printed.stderr.contains(words), "\(printed.report)")
    #expect(printer.count(OddPrinter.cancelJob) == (code == 64 ? 1 : 0))
    printer.close()
  }

  @Test(arguments: [
    OddPrinter.getPrinterAttributes, OddPrinter.createJob, OddPrinter.getJobAttributes,
  ])
  func `a second answer to one request is not that to the next`(_ operation: Int) async throws {
    let printer = try OddPrinter { request, state in
      guard request.operation == operation else { return .usual }
      let answer = state.usual(request)
      return .bytes(answer + answer)
    }
    let printed = try await print(printer, "--timeout", "5")
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printer.documents.count == 1)
    printer.close()
  }

  /// It states no UUID, no user and no time, and can't have restarted while the connection lasts.
  @Test func `a job that the printer calls otherwise is followed`() async throws {
    for isWaitedFor in [true, false] {
      let printer = try OddPrinter { request, state in
        if request.operation == OddPrinter.sendDocument { state.jobs[1]?.name = "Document" }
        return .usual
      }
      printer.with { $0.statesAge = false }
      let person = try await Person.anybody()
      let file = try person.document(PDF().bytes)
      let printed = try await person.airprint(
        ["print", "-d", printer.uri, "--json"] + (isWaitedFor ? [] : ["--no-wait"]) + [file])
      #expect(printed.code == 0, "\(printed.report)")
      let id = try #require(try printed.jsonLines.first?.job?.string)
      let waited = try await person.airprint("wait", id)
      #expect(waited.code == 0, "\(waited.report)")
      printer.close()
    }
  }

  /// It states no UUID and no time, and ends every connection: after a restart, the number may be anybody's.
  @Test(
    arguments: [("anonymous", nil, 82), (nil, "Document", 82), (nil, nil, 0)]
      as [(String?, String?, Int32)])
  func `a job that the printer calls otherwise on another connection`(
    _ user: String?, _ name: String?, _ code: Int32
  ) async throws {
    let printer = try OddPrinter { request, state in
      guard request.operation != OddPrinter.getPrinterAttributes else { return .usual }
      if request.operation == OddPrinter.createJob {
        state.user = user ?? request.text("requesting-user-name")
      }
      // A second one, if the first request for it met the end of its connection.
      if let name, request.operation == OddPrinter.sendDocument {
        for number in state.jobs.keys { state.jobs[number]?.name = name }
      }
      return .once
    }
    printer.with { $0.statesAge = false }
    let printed = try await print(printer)
    #expect(printed.code == code, "\(printed.report)")
    #expect(printer.documents.count == 1)
    printer.close()
  }

  /// The server passed nothing of the document on, or a part of it, and the printer has dropped that, printed it, or is
  /// about to.
  @Test(
    arguments: [
      (4, "job-data-insufficient", nil, 74, "may have printed"),
      (4, "job-incoming", nil, 74, "may have printed"),
      (8, "aborted-by-system", 0, 80, "aborted the job"),
      (8, "aborted-by-system", nil, 80, "aborted the job"), (7, "none", nil, 81, "canceled"),
      (9, "job-completed-successfully", 2, 0, "has printed every page"),
      (9, "job-completed-successfully", nil, 74, "may have printed"),
    ] as [(Int, String, Int32?, Int32, String)], [400, 500, 503])
  func `HTTP alone behind the last byte: the printer is asked about the job at once`(
    _ job: (state: Int, reason: String, count: Int32?, code: Int32, words: String), _ status: Int
  ) async throws {
    let printer = try OddPrinter { request, state in
      guard request.operation == OddPrinter.sendDocument else { return .usual }
      _ = state.usual(request)
      return .bytes(Array("HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n".utf8))
    }
    printer.with { $0.ending = (job.state, [job.reason], job.count) }
    let printed = try await print(printer, "--timeout", "600")
    #expect(printed.code == job.code, "\(printed.report)")
    #expect(printed.stderr.contains(job.words), "\(printed.report)")
    #expect(!printed.stderr.contains("Nothing was printed"), "\(printed.report)")
    #expect(printer.count(OddPrinter.createJob) == 1)
    printer.close()
  }

  /// A printer that has stopped for a reason that only it has words for, and a job that others come before.
  @Test func `why a job waits, in the printer's own words`() async throws {
    let printer = try OddPrinter()
    printer.with {
      $0.ending = (5, ["job-printing"], 0)
      ($0.printerState, $0.reasons) = (5, ["other"])
      $0.attributes = [("printer-alert-description", ["Fuser \u{1B}[31mworn out"])]
    }
    let stopped = try await print(printer, "--timeout", "1")
    #expect(stopped.code == 75, "\(stopped.report)")
    #expect(
      stopped.stderr.contains("It reports \"Fuser \u{FFFD}[31mworn out\""), "\(stopped.report)")
    printer.close()
  }

  @Test func `without Create-Job a lost answer is 74, and nothing is sent again`() async throws {
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.printJob ? .mute : .usual
    }
    printer.with { $0.operations = [2, 4, 8, 9, 10, 11] }
    #expect(try await print(printer).code == 74)
    #expect(printer.documents.count == 1)
    printer.close()
  }

  /// Asked before it gets the document, a refusal is sure; afterwards, lists of jobs that lag or show other names are
  /// no proof: some printers printed 22 copies in ten seconds (measured).
  @Test(arguments: [
    (OddPrinter.validateJob, 0x0507, Int32(0)), (OddPrinter.validateJob, 0x0500, 0),
    (OddPrinter.printJob, 0x0507, 74), (OddPrinter.printJob, 0x0500, 74),
  ])
  func `without Create-Job a printer is asked again only before it gets the document`(
    _ operation: Int, _ status: Int, _ code: Int32
  ) async throws {
    let printer = try OddPrinter { request, state in
      let isFirst = state.log.filter { $0 == operation }.count == 1
      if request.operation == OddPrinter.getJobs { state.jobs[2]?.name = "Document" }
      return request.operation == operation && isFirst ? .doneBut(status: status) : .usual
    }
    printer.with { state in
      state.operations = [2, 4, 8, 9, 10, 11]
      state.jobs[1] = OddPrinter.Job(name: "yesterday.pdf", state: 9, reasons: ["none"])
      state.next = 2
    }
    let printed = try await print(printer, "--timeout", "10")
    #expect(printed.code == code, "\(printed.report)")
    #expect(printer.documents.count == 1)
    printer.close()
  }

  @Test func `that a printer can't be asked is a warning, and 64 with --strict`() async throws {
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.validateJob ? .answer(status: 0x0501) : .usual
    }
    let asked = try await print(printer, "--dry-run", "--ask")
    #expect(
      asked.code == 0 && asked.stderr.contains("can't be asked")
        && asked.stdout.contains("can't be asked"), "\(asked.report)")
    #expect(try await print(printer, "--dry-run", "--ask", "--strict").code == 64)
    #expect(printer.documents.isEmpty)
    printer.close()
  }

  @Test func `an end that comes with the cancel counts as it is`() async throws {
    // It completes the job when asked to cancel it.
    let printer = try OddPrinter { request, state in
      if request.operation == OddPrinter.cancelJob {
        state.jobs[1]?.state = 9
        state.jobs[1]?.reasons = ["job-completed-successfully"]
      }
      return .usual
    }
    printer.with { $0.ending = (5, ["job-printing"], 0) }
    let printed = try await print(printer, "--timeout", "1")
    #expect(printed.code == 0, "\(printed.report)")
    printer.close()
  }
}
