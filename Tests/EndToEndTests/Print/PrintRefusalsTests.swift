import FoundationEssentials
import TestSupport
import Testing

/// Documents that can't be printed: refused before any printer is contacted.
@Suite(.inTurn) struct PrintRefusalsTests {
  /// Documents, each with a text that the message must contain.
  static let documents: [(name: String, bytes: [UInt8], words: String)] = [
    ("locked.pdf", PDF(isLocked: true).bytes, "password"),
    ("malformed.pdf", Array("%PDF-1.7\nthis is no PDF at all\n".utf8), ""),
    ("cut.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16], ""),
    ("cut.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], ""),
    ("empty.pdf", [], "empty"),
    ("unknown.bin", [0, 1, 2, 3, 0xFE, 0xFF, 0, 0], "type"),
  ]

  @Test(arguments: documents.map(\.name))
  func `65, and nobody was asked`(_ name: String) async throws {
    let case_ = try #require(Self.documents.first { $0.name == name })
    let person = try await Person.anybody()
    let door = try Door.silent()
    let file = try person.document(case_.bytes, name)
    let printed = try await person.airprint("print", "-d", door.uri, "--json", file)
    #expect(printed.code == 65, "\(printed.report)")
    #expect(printed.stderr.contains(case_.words), "\(printed.stderr)")
    #expect(try printed.jsonLines.first?.exitCode == .number(65))
    #expect(door.callers == 0)
    let piped = try await person.airprint("print", "-d", door.uri, input: case_.bytes)
    #expect(piped.code == 65, "\(piped.report)")
    #expect(door.callers == 0)
    door.shut()
  }

  @Test(
    arguments: [
      (["print", "-d", "Nowhere", "a.txt", "b.txt"], ["a.txt", "b.txt"], 69, "unknown-printer"),
      (["a.txt"], ["a.txt"], 69, "no-printer-saved"), (["print"], ["-"], 69, "no-printer-saved"),
      (["a.txt", "none.txt"], ["a.txt", "none.txt"], 69, "no-printer-saved"),
      (["print", "--bogus", "a.txt"], [nil], 64, "invalid-request"),
      (["print", "--type", "recipe", "a.txt"], ["a.txt"], 64, "invalid-request"),
      (["print", "-d", "Nowhere", "--dry-run", "a.txt"], ["a.txt"], 69, "unknown-printer"),
      (["queue", "add", "none.txt"], ["none.txt"], 66, "file-unreadable"),
      (["reprint"], [nil], 64, "invalid-request"), (["none.txt"], [nil], 66, "file-unreadable"),
    ] as [([String], [String?], Int32, String)])
  func `a line of JSON for every failure`(
    _ arguments: [String], _ files: [String?], _ code: Int32, _ reason: String
  ) async throws {
    let person = try await Person.anybody()
    _ = try person.document(Array("A".utf8), "a.txt")
    _ = try person.document(Array("B".utf8), "b.txt")
    let words = arguments.map { $0.hasSuffix(".txt") ? person.path("documents/\($0)") : $0 }
    let printed = try await person.airprint(words + ["--json"], input: [0x41])
    #expect(printed.code == code, "\(printed.report)")
    let lines = try printed.jsonLines
    #expect(
      lines.map(\.file?.string)
        == files.map { $0?.hasSuffix(".txt") == true ? person.path("documents/\($0 ?? "")") : $0 })
    for line in lines {
      #expect(line.exitCode == .number(Double(code)) && line.reason == .string(reason), "\(line)")
      #expect(line.printed == .string("no") && line.left == .boolean(false), "\(line)")
      #expect(line.message?.string.map { printed.stderr.contains($0.prefix(20)) } == true)
    }
  }

  @Test(
    arguments: [
      (["cancel"], 64, "invalid-request"), (["cancel", "zzzzz"], 69, "unknown-job"),
      (["queue", "run", "k7q2m"], 69, "unknown-job"),
      (["paper", "-d", "Nowhere"], 69, "unknown-printer"), (["show"], 69, "no-printer-saved"),
      (["default", "Nowhere"], 69, "unknown-printer"),
      (["preview", "none.txt", "-o", "none.png"], 66, "file-unreadable"),
      (["identify", "ipp://localhost:9/ipp/print"], 69, "no-answer"),
      (["jobs", "--bogus"], 64, "invalid-request"),
    ] as [([String], Int32, String)])
  func `an object of JSON for every other failure`(
    _ arguments: [String], _ code: Int32, _ reason: String
  ) async throws {
    let person = try await Person.anybody()
    let failed = try await person.airprint(arguments + ["--json"])
    #expect(failed.code == code, "\(failed.report)")
    let lines = try failed.jsonLines
    #expect(lines.map(\.exitCode) == [.number(Double(code))], "\(failed.report)")
    #expect(lines.first?.reason == .string(reason), "\(failed.report)")
    let message = try #require(lines.first?.message?.string)
    #expect(failed.stderr.contains(message), "\(failed.report)")
    // A document that has been written stays the only one.
    let shown = try await person.airprint("show", "ipp://localhost:9/ipp/print", "--json")
    #expect(try shown.code == 69 && shown.json.available == .boolean(false), "\(shown.report)")
  }

  @Test func `66: a directory, a missing file, one that nobody may read`() async throws {
    let person = try await Person.anybody()
    let door = try Door.silent()
    let link = person.path("link.pdf")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: person.path("missing.pdf"))
    for (file, words) in [
      (person.folder, "It is a directory: name files in it."),
      (person.path("missing.pdf"), "No such file"), ("/proc/self/mem", "can't be read"),
      (link, "The link leads to a file that does not exist."),
    ] {
      let printed = try await person.airprint("print", "-d", door.uri, file)
      #expect(printed.code == 66, "\(file): \(printed.report)")
      #expect(printed.stderr.contains(words), "\(printed.stderr)")
    }
    #expect(door.callers == 0)
    door.shut()
  }

  @Test func `among several files the worst code wins, and every file is tried`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let locked = try person.document(PDF(isLocked: true).bytes, "locked.pdf")
    let good = try person.document(PDF().bytes, "good.pdf")
    // 65 is worse than 66, which is worse than success.
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--json", "--format", "pdf", "missing.pdf", good, locked, good)
    #expect(printed.code == 65, "\(printed.report)")
    #expect(
      try printed.jsonLines.map { $0.exitCode } == [66, 0, 65, 0].map { .number($0) })
    #expect(try printer.jobs().count == 2)
    await printer.stop()
  }

  @Test func `--stop-on-error leaves the rest`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let good = try person.document(PDF().bytes, "good.pdf")
    // A missing file is detected before anything is printed.
    let missing = try await person.airprint(
      "print", "-d", printer.uri, "--stop-on-error", "--format", "pdf", good, "missing.pdf", good)
    #expect(missing.code == 66, "\(missing.report)")
    #expect(try printer.jobs().isEmpty)
    let locked = try person.document(PDF(isLocked: true).bytes, "locked.pdf")
    let printed = try await person.airprint(
      "print", "-d", printer.uri, "--stop-on-error", "--format", "pdf", good, locked, good)
    #expect(printed.code == 65, "\(printed.report)")
    #expect(try printer.jobs().count == 1)
    await printer.stop()
  }

  @Test(arguments: [
    ["--type", "recipt"], ["-n", "0"], ["-n", "many"], ["-P", "0"], ["-P", "3-1"],
    ["--paper", "A99"], ["--sides", "three"], ["--color", "blue"], ["--quality", "finest"],
    ["--resolution", "fine"], ["--scaling", "huge"], ["--orientation", "up"],
    ["--format", "docx"], ["-o", "novalue"], ["--on-timeout", "wait"],
  ])
  func `64: an option that makes no sense, before a file or a printer is touched`(
    _ options: [String]
  ) async throws {
    let person = try await Person.anybody()
    let door = try Door.silent()
    let printed = try await person.airprint(
      ["print", "-d", door.uri] + options + ["/no/such/file.pdf"])
    #expect(printed.code == 64, "\(printed.report)")
    #expect(printed.stdout.isEmpty)
    #expect(!printed.stderr.isEmpty)
    #expect(door.callers == 0)
    door.shut()
  }

  @Test func `64: pages that the document has not`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint("print", "-d", printer.uri, "-P", "7", file)
    #expect(printed.code == 64, "\(printed.report)")
    #expect(try printer.jobs().isEmpty)
    await printer.stop()
  }

  @Test func `64: a value that the printer does not list is never sent`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes)
    for option in ["finishings=99", "no-such-attribute=1"] {
      let printed = try await person.airprint("print", "-d", printer.uri, "-o", option, file)
      #expect(printed.code == 64, "\(printed.report)")
    }
    #expect(try printer.jobs().isEmpty)
    await printer.stop()
  }

  @Test func `64: nothing to print on a terminal`() async throws {
    let person = try await Person.anybody()
    let session = try person.terminal("print", "-d", "ipp://localhost:9/ipp/print")
    #expect(await session.end().code == 64)
    #expect(session.screen.text.contains("name a file, or pipe a document in"))
  }
}
