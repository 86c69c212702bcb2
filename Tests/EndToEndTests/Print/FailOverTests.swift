import TestSupport
import Testing

/// `-d front,back`: the next printer is used if one is away, stopped or out of paper before the first byte of the
/// document, never after.
@Suite(.inTurn) struct FailOverTests {
  struct Trouble: Sendable {
    var state: Int32
    var reason: String
  }

  private func isAway() throws -> String { "ipp://localhost:\(try freePort())/ipp/print" }

  @Test func `away: the next one prints`() async throws {
    let person = try await Person.anybody()
    let back = try await person.office("Back")
    let printed = try await person.airprint(
      "print", "-d", "\(try isAway()),\(back.uri)", "--json", try person.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stderr.contains("Trying the next printer."), "\(printed.stderr)")
    #expect(try printed.jsonLines.map { $0.printer?.string } == ["Back"])
    #expect(try printed.jsonLines.map { $0.uri?.string } == [back.uri])
    await back.stop()
  }

  /// Someone has to look at it.
  @Test func `77: a password that is missing; no other one prints`() async throws {
    let person = try await Person.anybody()
    let locked = try await person.simulate("laser", "--require-password")
    let back = try await person.office("Back")
    let refused = try await person.airprint(
      "print", "-d", "\(locked.uri),\(back.uri)", "--json", try person.document(PDF().bytes))
    #expect(refused.code == 77, "\(refused.report)")
    #expect(try back.jobs().isEmpty)
    _ = await locked.end()
    await back.stop()
  }

  @Test func `paper that a printer can't have: the next one prints`() async throws {
    let person = try await Person.anybody()
    let (till, back) = (try await person.simulate("receipt"), try await person.office("Back"))
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint(
      "print", "-d", "\(till.uri),\(back.uri)", "--paper", "A4", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stderr.contains("does not support A4 paper."), "\(printed.stderr)")
    let refused = try await person.airprint(
      "print", "-d", till.uri, "--paper", "A4", "--json", file)
    #expect(refused.code == 64, "\(refused.report)")
    #expect(try refused.jsonLines.map { $0.reason?.string } == ["not-supported"])
    _ = await till.end()
    await back.stop()
  }

  @Test func `what --strict refuses: the next one prints`() async throws {
    let person = try await Person.anybody()
    let (gray, color) = (try await person.simulate("laser"), try await person.simulate("inkjet"))
    let file = try person.document(Array("A".utf8), "a.txt")
    let print = ["print", "--strict", "--color", "color", "--json", file]
    let printed = try await person.airprint(print + ["-d", "\(gray.uri),\(color.uri)"])
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try printed.jsonLines.map { $0.uri?.string } == [color.uri], "\(printed.report)")
    let mistyped = try await person.airprint(print + ["-d", "Nope,\(color.uri)"])
    let warnings = try mistyped.jsonLines.first?.warnings?.array?.compactMap(\.string) ?? []
    #expect(warnings.contains { $0.hasPrefix("No printer called \"Nope\"") }, "\(warnings)")
    let refused = try await person.airprint(print + ["-d", gray.uri])
    #expect(refused.code == 64, "\(refused.report)")
    #expect(try refused.jsonLines.map { $0.reason?.string } == ["not-supported"])
    _ = await gray.end()
    _ = await color.end()
  }

  @Test func `75: paper that one could load, and the other never`() async throws {
    let person = try await Person.anybody()
    let (laser, till) = (try await person.simulate("laser"), try await person.simulate("receipt"))
    let file = try person.document(Array("A".utf8), "a.txt")
    for order in [[laser.uri, till.uri], [till.uri, laser.uri]] {
      let printed = try await person.airprint(
        "print", "-d", order.joined(separator: ","), "--paper", "Legal", "--json", file)
      #expect(printed.code == 75, "\(printed.report)")
      let lines = try printed.jsonLines
      #expect(lines.map { $0.reason?.string } == ["media-empty"], "\(printed.report)")
      #expect(lines.map { $0.uri?.string } == [laser.uri], "\(printed.report)")
    }
    _ = await laser.end()
    _ = await till.end()
  }

  @Test func `69: none of the names is a printer's, and each is named`() async throws {
    let person = try await Person.anybody()
    let uri = "ipp://localhost:9/ipp/print"
    _ = try await person.airprint("pick", uri, "--no-contact", "--as", "Office")
    let file = try person.document(PDF().bytes)
    let text =
      "No printer called \"Ofifce\" or \"Zzz\" is saved or on the network. Did you mean \"Office\"?"
    let lost = try await person.airprint("print", "-d", "Ofifce,Zzz", file)
    #expect(lost.code == 69 && lost.stderr.hasPrefix("airprint: \(text)"), "\(lost.report)")
    let environment = ["AIRPRINT_PRINTER": "Ofifce,Zzz"]
    let set = try await person.airprint("print", file, adding: environment)
    #expect(set.stderr.hasPrefix("airprint: AIRPRINT_PRINTER: \(text)"), "\(set.report)")
  }

  @Test(arguments: [
    Trouble(state: 5, reason: "paused"), Trouble(state: 5, reason: "media-empty-error"),
    Trouble(state: 5, reason: "media-needed"), Trouble(state: 5, reason: "cover-open"),
  ])
  func `stopped or out of paper: the next one prints`(
    _ trouble: Trouble
  ) async throws {
    let person = try await Person.anybody()
    let (front, back) = (try OddPrinter(), try OddPrinter())
    front.with { ($0.printerState, $0.reasons) = (trouble.state, [trouble.reason]) }
    let printed = try await person.airprint(
      "print", "-d", "\(front.uri),\(back.uri)", try person.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    #expect(front.count(OddPrinter.createJob) == 0)
    #expect(back.documents.count == 1)
    let second = try await person.airprint(
      "print", "-d", back.uri, "-d", front.uri, try person.document(PDF().bytes))
    #expect(second.code == 0 && back.documents.count == 2, "\(second.report)")
    front.close()
    back.close()
  }

  /// As `show` says: an empty tray next to a full one stops nothing.
  @Test(arguments: ["toner-low-warning", "media-empty-warning", "media-needed"])
  func `a warning is no trouble`(_ reason: String) async throws {
    let person = try await Person.anybody()
    let back = try OddPrinter()
    let front = try OddPrinter { request, state in
      if request.operation == OddPrinter.getJobAttributes,
        state.log.filter({ $0 == OddPrinter.getJobAttributes }).count == 3
      {
        state.jobs[1]?.state = 9
        state.jobs[1]?.reasons = ["none"]
      }
      return .usual
    }
    front.with {
      $0.reasons = [reason]
      $0.ending = (5, ["job-printing"], nil)
    }
    let printed = try await person.airprint(
      "print", "-d", "\(front.uri),\(back.uri)", try person.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    #expect(front.documents.count == 1 && back.documents.isEmpty)
    if reason == "toner-low-warning" {
      #expect(
        printed.stderr.contains("Odd: Low on toner; printing continues."), "\(printed.stderr)")
    }
    front.close()
    back.close()
  }

  /// Also lines of text, which have to be laid out for each printer.
  @Test(arguments: ["note.pdf", "note.txt"])
  func `gone before the first byte: the next one prints`(_ name: String) async throws {
    let lines = Array(String(repeating: "a line of text\n", count: 2_000).utf8)
    let person = try await Person.anybody()
    let front = try OddPrinter { request, _ in
      request.operation == OddPrinter.createJob ? .answer(status: 0x0506) : .usual
    }
    let back = try OddPrinter()
    let file = try person.document(name == "note.pdf" ? PDF().bytes : lines, name)
    let printed = try await person.airprint("print", "-d", "\(front.uri),\(back.uri)", file)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(front.documents.isEmpty && back.documents.count == 1)
    front.close()
    back.close()
  }

  @Test func `a detached job goes on at the next printer as the same job`() async throws {
    let person = try await Person.anybody()
    let front = try OddPrinter { request, _ in
      request.operation == OddPrinter.createJob ? .answer(status: 0x0506) : .usual
    }
    let back = try OddPrinter()
    let id = try await person.airprint(
      "print", "--detach", "-d", "\(front.uri),\(back.uri)", try person.document(PDF().bytes)
    ).line
    let waited = try await person.airprint("wait", id, "--json")
    #expect(waited.code == 0, "\(waited.report)")
    #expect(try waited.jsonLines.first?.uri == .string(back.uri))
    #expect(try await person.airprint("jobs", "--json").json.array?.count == 1)
    #expect(front.documents.isEmpty && back.documents.count == 1)
    front.close()
    back.close()
  }

  @Test func `74: never after the first byte`() async throws {
    let person = try await Person.anybody()
    let front = try OddPrinter { request, _ in
      request.operation == OddPrinter.sendDocument ? .mute : .usual
    }
    let back = try OddPrinter()
    let printed = try await person.airprint(
      "print", "-d", "\(front.uri),\(back.uri)", try person.document(PDF().bytes))
    #expect(printed.code == 74, "\(printed.report)")
    #expect(back.count(OddPrinter.createJob) == 0)
    front.close()
    back.close()
  }

  @Test func `none is ready: the first that answers is waited for`() async throws {
    let person = try await Person.anybody()
    let front = try OddPrinter()
    front.with { ($0.printerState, $0.reasons) = (5, ["media-empty"]) }
    let printed = try await person.airprint(
      "print", "-d", "\(front.uri),\(try isAway())", try person.document(PDF().bytes))
    // This printer prints anyway.
    #expect(printed.code == 0, "\(printed.report)")
    #expect(front.documents.count == 1)
    front.close()
  }

  @Test func `75: all are out of paper, and the one that has the job is named`() async throws {
    let person = try await Person.anybody()
    let front = try await person.simulate("laser", "--fault", "media-empty")
    let back = try await person.simulate("laser", "--fault", "media-empty")
    let printed = try await person.airprint(
      "print", "-d", "\(front.uri),\(back.uri)", "--resolution", "300", "--timeout", "1", "--json",
      try person.document(PDF().bytes))
    #expect(printed.code == 75, "\(printed.report)")
    #expect(printed.stderr.contains("No progress on \(front.name) for 1 s"), "\(printed.report)")
    #expect(!printed.stderr.contains("No progress on \(back.name)"), "\(printed.report)")
    #expect(try printed.jsonLines.map { $0.uri?.string } == [front.uri], "\(printed.report)")
    #expect(!exists("\(back.folder)/laser/job-1"))
    _ = await front.end()
    _ = await back.end()
  }

  @Test func `one that does not print the type is no choice, and neither is a mistyped name`()
    async throws
  {
    let person = try await Person.anybody()
    let till = try await person.simulate("receipt")
    let labels = try await person.simulate("label")
    _ = try await person.airprint("pick", till.uri, "--as", "Till")
    _ = try await person.airprint("pick", labels.uri, "--as", "Labels")
    _ = try await person.airprint("simulate", "fault", till.name, "cover-open")
    let file = try person.document(Array("#receipt\ntitle: A\n".utf8), "a.receipt")
    let waiting = try await person.airprint(
      "print", "-d", "Till,Labels", "--type", "receipt", "--timeout", "2", file)
    #expect(waiting.code == 75 && waiting.stderr.contains("cover"), "\(waiting.report)")
    let note = try person.document(Array("A".utf8), "a.txt")
    let mistyped = try await person.airprint("print", "--dry-run", "-d", "nosuch,Labels", note)
    #expect(mistyped.code == 0, "\(mistyped.report)")
    #expect(mistyped.stderr.contains("\"nosuch\""), "\(mistyped.report)")
    // The shell divides a name that is not quoted.
    _ = try await person.airprint("pick", labels.uri, "--as", "Office Labels")
    let divided = try await person.airprint("print", "-d", "Office", "Labels", note)
    #expect(divided.code == 64, "\(divided.report)")
    #expect(
      divided.stderr.contains("Quote the printer's name: -d 'Office Labels'."), "\(divided.report)")
    _ = await till.end()
    _ = await labels.end()
  }

  @Test func `69: none answers`() async throws {
    let person = try await Person.anybody()
    let printed = try await person.airprint(
      "print", "-d", "\(try isAway()),\(try isAway())", try person.document(PDF().bytes))
    #expect(printed.code == 69, "\(printed.report)")
  }

  @Test func `a saved name with a comma in it is one name`() async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    // The printers that the name would refer to if it were a list.
    let parts = [try OddPrinter(), try OddPrinter()]
    for (uri, name) in [
      (printer.uri, "Till, left"), (parts[0].uri, "Till"), (parts[1].uri, "left"),
    ] {
      let picked = try await person.airprint("pick", uri, "--as", name)
      try #require(picked.code == 0, "\(picked.report)")
    }
    let printed = try await person.airprint(
      "print", "-d", "Till, left", try person.document(PDF().bytes))
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printer.documents.count == 1)
    #expect(parts.allSatisfy { $0.documents.isEmpty })
    for printer in parts + [printer] { printer.close() }
  }
}
