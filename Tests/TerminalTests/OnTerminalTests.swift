import Glibc
import TestSupport
import Testing

/// The parts that use a terminal, as a program on a pseudo-terminal.
@Suite struct OnTerminalTests {
  private static let list = "o|Office|Floor 2|document,,ready|✓ saved;l|Label||label,,ready"
  /// The sequence that restores the terminal: styles off, bracketed paste off, wrapping, cursor, the primary screen.
  private static let restored = "\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Starts the driver with a terminal for its messages; lists are its standard input, and the results its standard
  /// output.
  private func driver(
    _ arguments: String..., term: String = "xterm", isControlling: Bool = true
  ) throws -> TerminalSession {
    let environment = Scratch.shared.environment.merging(["TERM": term]) { $1 }
    return try TerminalSession(
      ["TerminalDriver"] + arguments, environment: environment, columns: 60, rows: 12,
      streams: .errors(isControlling: isControlling))
  }

  private func picker(start: String = "") async throws -> TerminalSession {
    let terminal = try start.isEmpty ? driver("pick") : driver("pick", start)
    try await terminal.expect("\u{1B}[?1049h")
    try await terminal.expect("Looking for printers … 0 s")
    return terminal
  }

  @Test func `arrows and Enter choose from a live list`() async throws {
    let terminal = try await picker()
    #expect(!terminal.echoes)
    terminal.program.send(OnTerminalTests.list + "\n")
    try await terminal.expect("✓ saved")
    terminal.type("\u{1B}[B")
    try await terminal.expect("❯\u{1B}[0m \u{1B}[1mLabel")
    terminal.program.send("a|Another;" + OnTerminalTests.list + "\n")
    try await terminal.expect("3 found")
    terminal.type("\r")
    try await terminal.expect(OnTerminalTests.restored)
    #expect(await terminal.end().stdout == "chosen(\"l\")\n")
    #expect(terminal.isAsBefore)
  }

  @Test func `typing filters, Esc leaves`() async throws {
    let terminal = try await picker()
    terminal.program.send(OnTerminalTests.list + "\n")
    terminal.type("läb")
    try await terminal.expect("1 of 2")
    terminal.type("\u{1B}")
    try await terminal.expect(OnTerminalTests.restored)
    #expect(await terminal.end().stdout == "left\n")
    #expect(terminal.isAsBefore)
  }

  @Test func `Esc leaves while the list keeps changing`() async throws {
    let terminal = try await picker()
    terminal.type("\u{1B}")
    for number in 0..<100 where !terminal.rest.contains("?1049l") {
      terminal.program.send("p|Printer \(number)" + "\n")
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(terminal.rest.contains("?1049l"), "a second of news put it off")
    try await terminal.expect(OnTerminalTests.restored)
    #expect(await terminal.end().stdout == "left\n")
  }

  @Test func `it opens on the saved row`() async throws {
    let terminal = try await picker(start: "l")
    terminal.program.send(OnTerminalTests.list + "\n")
    try await terminal.expect("❯\u{1B}[0m \u{1B}[1mLabel")
    terminal.type("\u{3}")
    #expect(await terminal.end().stdout == "interrupted(signal: 2)\n")
    #expect(terminal.isAsBefore)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT])
  func `a signal gives the terminal back`(signal: Int32) async throws {
    let terminal = try await picker()
    terminal.program.signal(signal)
    try await terminal.expect(OnTerminalTests.restored)
    #expect(await terminal.end().stdout == "interrupted(signal: \(signal))\n")
    #expect(terminal.isAsBefore)
  }

  /// Without a shell, nothing could continue a stopped process, so the system does not stop it.
  ///
  /// The picker leaves the screen and enters it again.
  @Test func `Ctrl-Z gives the terminal to the shell and takes it again`() async throws {
    let terminal = try await picker()
    terminal.program.send(OnTerminalTests.list + "\n")
    try await terminal.expect("✓ saved")
    terminal.type("\u{1A}")
    try await terminal.expect(OnTerminalTests.restored)
    try await terminal.expect("\u{1B}[?1049h")
    try await terminal.expect("Esc leaves")
    #expect(!terminal.echoes)
    terminal.type("\r")
    #expect(await terminal.end().stdout == "chosen(\"o\")\n")
    #expect(terminal.isAsBefore)
  }

  @Test(arguments: ["pick", "secret", "confirm"])
  func `without a controlling terminal nobody is asked`(what: String) async throws {
    let terminal = try driver(what, isControlling: false)
    #expect(await terminal.end().stdout == "error: There is no terminal to ask on.\n")
    #expect(terminal.rest == "")
  }

  @Test func `a window that is closed ends it`() async throws {
    let terminal = try await picker()
    terminal.hangUp()
    // The system first ends the reads and then sends the signal, which may be after the picker has ended.
    let outcome = await terminal.end()
    #expect(outcome.stdout == "interrupted(signal: 1)\n" || outcome.end == .signalled(SIGHUP))
  }

  @Test func `a new size draws anew`() async throws {
    let terminal = try await picker()
    terminal.program.send(OnTerminalTests.list + "\n")
    try await terminal.expect("✓ saved")
    terminal.resize(columns: 20, rows: 3)
    try await terminal.expect("\u{1B}[2J")
    try await terminal.expect("\u{1B}[3;1H\u{1B}[2K  Label")
    terminal.type("\u{1B}")
    #expect(await terminal.end().stdout == "left\n")
  }

  @Test func `a list that has ended can still be chosen from`() async throws {
    let terminal = try await picker()
    terminal.program.send(OnTerminalTests.list + "\n")
    terminal.program.closeInput()
    try await terminal.expect("✓ saved")
    terminal.type("\r")
    #expect(await terminal.end().stdout == "chosen(\"o\")\n")
  }

  @Test func `a list that ends empty says so`() async throws {
    let terminal = try await picker()
    terminal.program.closeInput()
    try await terminal.expect("No printer found.")
    terminal.type("\u{1B}")
    #expect(await terminal.end().stdout == "left\n")
  }

  @Test func `a terminal that can't place text gets a numbered list`() async throws {
    let terminal = try driver("pick", term: "dumb")
    terminal.program.send("b|Büro|2nd floor|laser,A4;t|Till||receipt,80 mm\n")
    terminal.program.closeInput()
    try await terminal.expect("2. Till, receipt, 80 mm")
    try await terminal.expect("Number, 1 to 2, or Enter to leave: ")
    terminal.type("3\n")
    try await terminal.expect("3 is not on the list.")
    try await terminal.expect("Number, 1 to 2")
    terminal.type("2\n")
    #expect(await terminal.end().stdout == "chosen(\"t\")\n")
    #expect(terminal.isAsBefore)
  }

  @Test func `a secret is not shown`() async throws {
    let terminal = try driver("secret")
    try await terminal.expect("Password: ")
    #expect(!terminal.echoes)
    terminal.type("hunter3\u{7F}2\n")
    #expect(await terminal.end().stdout == "hunter2\n")
    #expect(!terminal.rest.contains("hunter"))
    #expect(terminal.isAsBefore)
  }

  @Test func `an interrupted secret gives the echo back`() async throws {
    let terminal = try driver("secret")
    try await terminal.expect("Password: ")
    terminal.type("hun\u{3}")
    #expect(await terminal.end().stdout == "error: Interrupted by signal 2.\n")
    #expect(terminal.isAsBefore)
  }

  @Test(arguments: [
    ("y\n", "true"), ("YES\n", "true"), ("\n", "false"), ("no\n", "false"),
    ("what?\ny\n", "true"), ("\u{4}", "false"),
  ])
  func `a question takes yes or no`(typed: String, answer: String) async throws {
    let terminal = try driver("confirm")
    for line in typed.split(separator: "\n", omittingEmptySubsequences: false)
    where line != "" || typed == "\n" {
      try await terminal.expect("Go on? [y/N] ")
      terminal.type(line == "\u{4}" ? "\u{4}" : line + "\n")
      if typed == "\n" { break }
    }
    #expect(await terminal.end().stdout == answer + "\n")
    #expect(terminal.isAsBefore)
  }

  @Test func `progress redraws its line and leaves nothing, even on an error`() async throws {
    let terminal = try driver("progress")
    // Before it is one of the spinner's characters, any of them.
    try await terminal.expect("\r\u{1B}[2K\u{1B}[36m")
    try await terminal.expect("\u{1B}[0m Waiting for Office")
    try await terminal.expect("\r\u{1B}[2KOffice is awake.\r\n")
    try await terminal.expect("\u{1B}[2m")
    try await terminal.expect(" 3/4")
    #expect(await terminal.end().stdout == "error: Failed()\n")
    #expect(terminal.rest.hasSuffix("\r\u{1B}[2K"))
  }

  @Test func `progress that nobody can see is only what was said`() async throws {
    let terminal = try driver("progress", term: "dumb")
    #expect(await terminal.end().stdout == "error: Failed()\n")
    #expect(terminal.rest == "Office is awake.\r\n")
  }

  @Test func `a long phase is one line where progress can't be redrawn`() async throws {
    let terminal = try driver("wait", term: "dumb")
    try await terminal.expect("Sending five.txt")
    terminal.program.closeInput()
    _ = await terminal.end()
    #expect(!terminal.rest.contains("Sending"))
  }
}
