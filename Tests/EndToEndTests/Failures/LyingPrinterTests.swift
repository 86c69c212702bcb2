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
}
