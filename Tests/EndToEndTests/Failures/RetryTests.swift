import Glibc
import Synchronization
import TestSupport
import Testing

/// Refusals and retries: each line of the status table, with a printer that responds that way.
///
/// Exit 0 means one complete document at the printer; every other code but 74, 75 and 82 means none.
@Suite(.inTurn) struct RetryTests {
  /// Prints `bytes` unchanged: the printer prefers PDF.
  private func print(
    _ printer: OddPrinter, _ options: String..., document bytes: [UInt8] = PDF().bytes
  ) async throws -> (outcome: Outcome, person: Person) {
    let person = try await Person.anybody()
    let file = try person.document(bytes)
    let outcome = try await person.airprint(["print", "-d", printer.uri] + options + [file])
    return (outcome, person)
  }

  @Test(arguments: [0x0507, 0x0502, 0x0404, 0x0505, 0x050B], [false, true])
  func `a printer that is busy is asked again, until it takes the job`(
    _ status: Int, _ isTheDocument: Bool
  ) async throws {
    let operation = isTheDocument ? OddPrinter.sendDocument : OddPrinter.createJob
    let printer = try OddPrinter { request, state in
      request.operation == operation && state.log.filter { $0 == operation }.count == 1
        ? .answer(status: status) : .usual
    }
    let (printed, _) = try await print(printer)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stderr.contains("Odd: busy"))
    #expect(printer.documents.count == 1)
    #expect(printer.with { $0.jobs.values.allSatisfy { $0.state >= 7 } })
    printer.close()
  }

  @Test func `what is drawn on the pages is drawn on those that are sent again`() async throws {
    let printer = try OddPrinter { request, state in
      request.operation == OddPrinter.sendDocument
        && state.log.filter { $0 == OddPrinter.sendDocument }.count == 1
        ? .answer(status: 0x0507) : .usual
    }
    let person = try await Person.anybody()
    let mark = PDF.Mark(x: 0, y: 0, width: 100, height: 100, color: "1 0 0 rg")
    let red = PDF(pages: [PDF.Page(width: 100, height: 100, marks: [mark])])
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--overlay", try person.document(red.bytes, "red.pdf"),
      try person.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    let (sent, drawn) = (
      try person.document(printer.documents[0], "sent.pdf"), person.path("o.pwg")
    )
    let output = try await person.airprint(
      "render", sent, "-o", drawn, "--resolution", "72", "--color", "color")
    #expect(output.code == 0, "\(output.report)")
    let sheet = try #require(try Sheet.read(drawn).first)
    #expect(sheet.dot(Double(sheet.width) / 2, Double(sheet.height) / 2) == [255, 0, 0])
    printer.close()
  }

  /// Each time as a whole, then for its description, and then by IPP 1.1.
  @Test(arguments: [1, 4, 20])
  func `a garbled answer to the first question is asked for twice more`(_ count: Int) async throws {
    let garbled =
      "HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: 25\r\n\r\n"
      + "of which IPP knows nought"
    let printer = try OddPrinter { request, state in
      state.log.count <= count ? .bytes(Array(garbled.utf8)) : .usual
    }
    let (printed, _) = try await print(printer)
    #expect(printed.code == (count < 9 ? 0 : 76), "\(printed.report)")
    #expect(printer.documents.count == (count < 9 ? 1 : 0))
    #expect(count < 9 || printer.with { $0.log.count } == 9)
    printer.close()
  }

  /// Checks the number of documents and the message: every refusal is either overcome, or reported as not printed.
  @Test(arguments: [
    0x0400, 0x0402, 0x0404, 0x0406, 0x0408, 0x040B, 0x0411, 0x0500, 0x0503, 0x0505, 0x0507,
  ])
  func `74: a document that was taken and refused all the same is not sent again`(
    _ status: Int
  ) async throws {
    for operations in [[2, 4, 5, 6, 8, 9, 10, 11], [2, 4, 8, 9, 10, 11]] {
      let printer = try OddPrinter { request, _ in
        [OddPrinter.sendDocument, OddPrinter.printJob].contains(request.operation)
          ? .doneBut(status: status) : .usual
      }
      printer.with { $0.operations = operations }
      let (printed, _) = try await print(printer)
      #expect(printed.code == 74, "\(printed.report)")
      #expect(printed.stderr.contains("refused the document"), "\(printed.stderr)")
      #expect(!printed.stderr.contains("Nothing was printed"), "\(printed.stderr)")
      #expect(printer.documents.count == 1)
      printer.close()
    }
  }

  @Test func `a document that was refused and printed all the same is told by its pages`()
    async throws
  {
    for (impressions, code) in [(1, 0), (0, 74)] as [(Int32, Int32)] {
      let printer = try OddPrinter { request, _ in
        request.operation == OddPrinter.sendDocument ? .doneBut(status: 0x0500) : .usual
      }
      printer.with { $0.ending = (9, ["job-completed-successfully"], impressions) }
      let (printed, _) = try await print(printer)
      #expect(printed.code == code, "\(printed.report)")
      #expect(printer.documents.count == 1)
      printer.close()
    }
  }

  /// What the printer says of the job decides, not the HTTP status: it printed, or waits for a document.
  @Test(
    arguments: ["401 Unauthorized", "411 Length Required", "417 No", "426 Upgrade Required"],
    [(1, 0), (nil, 74), (-1, 76)] as [(Int32?, Int32)])
  func `a document that was refused by HTTP behind its last byte`(
    _ status: String, _ end: (impressions: Int32?, code: Int32)
  ) async throws {
    let printer = try OddPrinter { request, state in
      guard request.operation == OddPrinter.sendDocument else { return .usual }
      if end.impressions != -1 { _ = state.usual(request) }
      return .bytes(IPPAnswer.http([], status: status))
    }
    printer.with { $0.ending.impressions = end.impressions }
    let (printed, _) = try await print(printer)
    // A server that wants encryption closes: what its printer counts does not say that it has the whole document.
    let codes: [Int32: Int32] =
      status.hasPrefix("401") ? [76: 77] : status.hasPrefix("426") ? [0: 74] : [:]
    #expect(printed.code == codes[end.code, default: end.code], "\(printed.report)")
    #expect(printed.stderr.contains("Nothing was printed") == (end.code == 76), "\(printed.report)")
    #expect(printer.with { $0.jobs.values.allSatisfy { $0.state >= 7 } })
    printer.close()
  }

  @Test func `74: refused, and printing when the time is over`() async throws {
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.sendDocument ? .doneBut(status: 0x0507) : .usual
    }
    printer.with { $0.ending = (5, ["job-printing"], 0) }
    let (printed, _) = try await print(printer, "--timeout", "2")
    #expect(printed.code == 74, "\(printed.report)")
    #expect(printer.documents.count == 1)
    printer.close()
  }

  @Test func `a job that the printer gave up with no sheet out is made anew`() async throws {
    let printer = try OddPrinter { request, state in
      guard request.operation == OddPrinter.sendDocument else { return .usual }
      let isFirst = state.log.filter { $0 == OddPrinter.sendDocument }.count == 1
      state.ending = isFirst ? (8, ["aborted-by-system"], 0) : (9, ["none"], 1)
      return isFirst ? .doneBut(status: 0x0505) : .usual
    }
    let (printed, _) = try await print(printer)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printer.documents.count == 2)
    printer.close()
  }

  @Test func `HTTP 503 is busy too, before the document`() async throws {
    let printer = try OddPrinter { request, state in
      // Refuses every second request of a kind. Behind a document, it may have passed on a part of it.
      request.operation != OddPrinter.sendDocument
        && state.log.filter { $0 == request.operation }.count % 2 == 1
        ? .bytes(IPPAnswer.http([], status: "503 Service Unavailable", type: "text/html")) : .usual
    }
    let (printed, _) = try await print(printer)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printer.documents.count == 1)
    printer.close()
  }

  @Test func `75: busy all the time`() async throws {
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.createJob ? .answer(status: 0x0507) : .usual
    }
    let (printed, _) = try await print(printer, "--timeout", "2")
    #expect(printed.code == 75, "\(printed.report)")
    #expect(printed.stderr.contains("Nothing was printed."))
    #expect(printer.documents.isEmpty)
    printer.close()
  }

  @Test func `75: not accepting jobs is said at once`() async throws {
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.createJob ? .answer(status: 0x0506) : .usual
    }
    let (printed, _) = try await print(printer, "--timeout", "30")
    #expect(printed.code == 75, "\(printed.report)")
    #expect(printed.stderr.contains("is not accepting jobs"))
    #expect(printer.count(OddPrinter.createJob) == 1)
    printer.close()
  }

  @Test func `a format that the printer can't read is replaced by raster, once`() async throws {
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.sendDocument
        && request.text("document-format") == "application/pdf"
        ? .answer(status: 0x0411) : .usual
    }
    let (printed, _) = try await print(printer)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stderr.contains("sending raster instead"), "\(printed.stderr)")
    #expect(printer.documents.count == 1)
    #expect(printer.documents.first?.starts(with: Array("UNIRAST".utf8)) == true)
    printer.close()
  }

  @Test func `the same when it aborts the job before it has begun with it`() async throws {
    let printer = try OddPrinter { request, state in
      let isPDF = request.text("document-format") == "application/pdf"
      if request.operation == OddPrinter.sendDocument {
        state.ending =
          isPDF
          ? (8, ["document-format-error", "aborted-by-system"], 0)
          : (9, ["job-completed-successfully"], 1)
      }
      return .usual
    }
    let (printed, _) = try await print(printer, "--json")
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printed.jsonLines.map { $0.state?.string } == ["completed"])
    #expect(printer.documents.count == 2)
    printer.close()
  }

  @Test(arguments: [(1, 74), (0, 80), (nil, 80)] as [(Int32?, Int32)])
  func `what was aborted is not sent again if a sheet is out, or may be`(
    _ impressions: Int32?, _ code: Int32
  ) async throws {
    let printer = try OddPrinter { _, state in
      (state.ending, state.statesBeginning) = ((8, ["document-format-error"], impressions), false)
      return .usual
    }
    let (printed, _) = try await print(printer)
    #expect(printed.code == code, "\(printed.report)")
    #expect(printer.documents.count == 1)
    printer.close()
  }

  @Test func `76: a raster that is refused is not replaced, and --strict replaces nothing`()
    async throws
  {
    for option in [["--format", "urf"], ["--strict"]] {
      let printer = try OddPrinter { request, _ in
        request.operation == OddPrinter.sendDocument ? .answer(status: 0x040A) : .usual
      }
      let person = try await Person.anybody()
      let printed = try await person.airprint(
        ["print", "-d", printer.uri] + option + [try person.document(PDF().bytes)])
      #expect(printed.code == 76, "\(option): \(printed.report)")
      #expect(printer.count(OddPrinter.sendDocument) == 1)
      #expect(printer.with { $0.jobs.values.allSatisfy { $0.state >= 7 } })
      printer.close()
    }
  }

  @Test(arguments: [0x040F, 0x0410])
  func `what can't be unpacked is sent unpacked`(_ status: Int) async throws {
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.sendDocument && request.text("compression") == "gzip"
        ? .answer(status: status) : .usual
    }
    let (printed, _) = try await print(printer, "-o", "compression=gzip")
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stderr.contains("sending it uncompressed"))
    #expect(printer.documents == [PDF().bytes])
    printer.close()
  }

  @Test func `76: with --strict nothing is dropped`() async throws {
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.createJob
        ? .answer(status: 0x040B, unsupported: ["sides", "media"]) : .usual
    }
    let (printed, _) = try await print(printer, "--strict")
    #expect(printed.code == 76, "\(printed.report)")
    #expect(printed.stderr.contains("sides and media"), "\(printed.stderr)")
    #expect(printer.count(OddPrinter.createJob) == 1)
    printer.close()
  }

  @Test(arguments: [0x040B, 0x040E])
  func `attributes that the printer refuses are dropped, once, and named`(
    _ status: Int
  ) async throws {
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.createJob && request.value("sides") != nil
        ? .answer(status: status, unsupported: ["sides"]) : .usual
    }
    let (printed, _) = try await print(printer)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(
      printed.stderr.contains("does not support sides; printing without"), "\(printed.stderr)")
    #expect(printer.documents.count == 1)
    printer.close()
  }

  @Test func `a paper that is refused as a collection is asked for by its name`() async throws {
    let asked = Mutex<[String?]>([])
    let printer = try OddPrinter { request, _ in
      guard request.operation == OddPrinter.createJob else { return .usual }
      asked.withLock { $0.append(request.text("media")) }
      return request.value("media-col") != nil
        ? .answer(status: 0x040B, unsupported: ["media-col"]) : .usual
    }
    printer.with { $0.attributes = [("media-col-supported", ["media-size"])] }
    let (printed, _) = try await print(printer)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(asked.withLock { $0 } == [nil, "iso_a4_210x297mm"])
    // The paper is the same, so only --verbose mentions it.
    #expect(!printed.stderr.contains("media-col"), "\(printed.stderr)")
    printer.close()
  }

  @Test(arguments: [0x0400, 0x0500])
  func `once more with short names in ASCII and IPP 1.1`(_ status: Int) async throws {
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.createJob && request.body[0] == 2
        ? .answer(status: status) : .usual
    }
    let (printed, _) = try await print(printer, "-t", "Käse 🧀" + String(repeating: "x", count: 200))
    #expect(printed.code == 0, "\(printed.report)")
    let name = "K_se _" + String(repeating: "x", count: 57)
    #expect(printer.with { $0.jobs.values.map(\.name) } == [name])
    printer.close()
  }

  @Test(arguments: [
    (0x0401, 77), (0x0403, 77), (0x041C, 77), (0x041F, 77), (0x0508, 81), (0x0408, 76),
  ])
  func `refusals that nothing mends`(_ status: Int, _ code: Int32) async throws {
    for operation in [OddPrinter.createJob, OddPrinter.sendDocument] {
      let printer = try OddPrinter { request, _ in
        request.operation == operation ? .answer(status: status) : .usual
      }
      let (printed, _) = try await print(printer)
      #expect(printed.code == code, "\(printed.report)")
      #expect(printer.count(operation) == 1)
      #expect(printer.with { $0.jobs.values.allSatisfy { $0.state >= 7 } })
      printer.close()
    }
  }

  @Test func `76: what the printer insists on is named before anything is sent`() async throws {
    let printer = try OddPrinter()
    printer.with {
      $0.attributes = [("printer-mandatory-job-attributes", ["job-name", "job-account-id"])]
    }
    let (printed, _) = try await print(printer)
    #expect(printed.code == 76, "\(printed.report)")
    #expect(printed.stderr.contains("requires job-account-id"), "\(printed.stderr)")
    #expect(printer.count(OddPrinter.createJob) == 0)
    printer.close()
  }

  @Test func `an empty job that the printer gave up is made anew`() async throws {
    let printer = try OddPrinter { request, state in
      guard request.operation == OddPrinter.sendDocument,
        state.log.filter({ $0 == OddPrinter.sendDocument }).count == 1
      else { return .usual }
      return .answer(status: 0x0406)
    }
    let (printed, _) = try await print(printer)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printer.documents.count == 1)
    printer.close()
  }

  @Test(arguments: [true, false])
  func `a job whose number got lost is canceled before another one is made`(
    _ isBusyWithIt: Bool
  ) async throws {
    let printer = try OddPrinter { request, state in
      guard request.operation == OddPrinter.createJob else { return .usual }
      if state.log.filter({ $0 == OddPrinter.createJob }).count == 1 { return .mute }
      // Like ippeveprinter, it only accepts one job at a time, even an empty one.
      return isBusyWithIt && state.jobs.values.contains { $0.state < 7 }
        ? .answer(status: 0x0507) : .usual
    }
    let (printed, _) = try await print(printer)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printer.documents.count == 1)
    #expect(printer.with { $0.jobs.mapValues(\.state) } == [1: 7, 2: 9])
    printer.close()
  }

  @Test func `301: a printer that has moved is not followed with a document`() async throws {
    let person = try await Person.anybody()
    let door = try Door.saying(
      "HTTP/1.1 301 Moved\r\nLocation: http://192.0.2.9/ipp\r\nContent-Length: 0\r\n\r\n")
    let printed = try await person.airprint(
      "print", "-d", door.uri, try person.document(PDF().bytes))
    #expect(printed.code == 76, "\(printed.report)")
    #expect(printed.stderr.contains("moved to http://192.0.2.9/ipp"), "\(printed.stderr)")
    door.shut()
  }
}
