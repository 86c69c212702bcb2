import Glibc
import Testing

/// The parts that touch a terminal, as a program on a pseudo-terminal.
@Suite struct OnTerminalTests {
  private static let list = "o|Office|Floor 2|document,,ready|✓ saved;l|Label||label,,ready"
  /// What takes the terminal back: styles off, paste as keys, wrapping, cursor, the person's screen.
  private static let restored = "\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private func picker(start: String? = nil) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(["pick"] + [start].compactMap(\.self))
    terminal.expect("\u{1B}[?1049h")
    terminal.expect("Looking for printers … 0 s")
    return terminal
  }

  @Test func `arrows and Enter choose from a live list`() throws {
    let terminal = try picker()
    #expect(!terminal.echoes)
    terminal.feed(OnTerminalTests.list)
    terminal.expect("✓ saved")
    terminal.type("\u{1B}[B")
    terminal.expect("❯\u{1B}[0m \u{1B}[1mLabel")
    terminal.feed("a|Another;" + OnTerminalTests.list)
    terminal.expect("3 found")
    terminal.type("\r")
    terminal.expect(OnTerminalTests.restored)
    #expect(terminal.result() == "chosen(\"l\")\n")
    #expect(terminal.isAsBefore)
  }

  @Test func `typing filters, Esc leaves`() throws {
    let terminal = try picker()
    terminal.feed(OnTerminalTests.list)
    terminal.type("läb")
    terminal.expect("1 of 2")
    terminal.type("\u{1B}")
    terminal.expect(OnTerminalTests.restored)
    #expect(terminal.result() == "left\n")
    #expect(terminal.isAsBefore)
  }

  @Test func `Esc leaves while the list keeps changing`() throws {
    let terminal = try picker()
    terminal.type("\u{1B}")
    for number in 0..<100 where !terminal.shown.contains("?1049l") {
      terminal.feed("p|Printer \(number)")
      _ = terminal.collect(milliseconds: 10)
    }
    #expect(terminal.shown.contains("?1049l"), "a second of news put it off")
    terminal.expect(OnTerminalTests.restored)
    #expect(terminal.result() == "left\n")
  }

  @Test func `it opens on the saved row`() throws {
    let terminal = try picker(start: "l")
    terminal.feed(OnTerminalTests.list)
    terminal.expect("❯\u{1B}[0m \u{1B}[1mLabel")
    terminal.type("\u{3}")
    #expect(terminal.result() == "interrupted(signal: 2)\n")
    #expect(terminal.isAsBefore)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT])
  func `a signal gives the terminal back`(signal: Int32) throws {
    let terminal = try picker()
    kill(terminal.process, signal)
    terminal.expect(OnTerminalTests.restored)
    #expect(terminal.result() == "interrupted(signal: \(signal))\n")
    #expect(terminal.isAsBefore)
  }

  /// Nobody could continue a job without a shell, so the system does not stop it: out and in again.
  @Test func `Ctrl-Z gives the terminal to the shell and takes it again`() throws {
    let terminal = try picker()
    terminal.feed(OnTerminalTests.list)
    terminal.expect("✓ saved")
    terminal.type("\u{1A}")
    terminal.expect(OnTerminalTests.restored)
    terminal.expect("\u{1B}[?1049h")
    terminal.expect("Esc leaves")
    #expect(!terminal.echoes)
    terminal.type("\r")
    #expect(terminal.result() == "chosen(\"o\")\n")
    #expect(terminal.isAsBefore)
  }

  @Test(arguments: ["pick", "secret", "confirm"])
  func `without a controlling terminal nobody is asked`(what: String) throws {
    let terminal = try PseudoTerminal([what], isControlling: false)
    #expect(terminal.result() == "error: There is no terminal to ask on.\n")
    #expect(terminal.collect(milliseconds: 50) == "")
  }

  @Test func `a window that is closed ends it`() throws {
    let terminal = try picker()
    terminal.hangUp()
    // The system tells the reader first and signals then, which may be after the picker has ended.
    let result = terminal.result()
    #expect(result == "interrupted(signal: 1)\n" || terminal.fatalSignal == SIGHUP)
  }

  @Test func `a new size draws anew`() throws {
    let terminal = try picker()
    terminal.feed(OnTerminalTests.list)
    terminal.expect("✓ saved")
    terminal.resize(width: 20, height: 3)
    terminal.expect("\u{1B}[2J")
    terminal.expect("\u{1B}[3;1H\u{1B}[2K  Label")
    terminal.type("\u{1B}")
    #expect(terminal.result() == "left\n")
  }

  @Test func `a list that has ended can still be chosen from`() throws {
    let terminal = try picker()
    terminal.feed(OnTerminalTests.list)
    terminal.endInput()
    terminal.expect("✓ saved")
    terminal.type("\r")
    #expect(terminal.result() == "chosen(\"o\")\n")
  }

  @Test func `a list that ends empty says so`() throws {
    let terminal = try picker()
    terminal.endInput()
    terminal.expect("No printer found.")
    terminal.type("\u{1B}")
    #expect(terminal.result() == "left\n")
  }

  @Test func `a terminal that can't place text has no picker`() throws {
    let terminal = try PseudoTerminal(["pick"], environment: ["TERM=dumb"])
    #expect(terminal.result().hasPrefix("error: This terminal can't show a list"))
    #expect(terminal.isAsBefore)
  }

  @Test func `a secret is not shown`() throws {
    let terminal = try PseudoTerminal(["secret"])
    terminal.expect("Password: ")
    #expect(!terminal.echoes)
    terminal.type("hunter3\u{7F}2\n")
    #expect(terminal.result() == "hunter2\n")
    #expect(!terminal.shown.contains("hunter"))
    #expect(terminal.isAsBefore)
  }

  @Test func `an interrupted secret gives the echo back`() throws {
    let terminal = try PseudoTerminal(["secret"])
    terminal.expect("Password: ")
    terminal.type("hun\u{3}")
    #expect(terminal.result() == "error: Interrupted by signal 2.\n")
    #expect(terminal.isAsBefore)
  }

  @Test(arguments: [
    ("y\n", "true"), ("YES\n", "true"), ("\n", "false"), ("no\n", "false"),
    ("what?\ny\n", "true"), ("\u{4}", "false"),
  ])
  func `a question takes yes or no`(typed: String, answer: String) throws {
    let terminal = try PseudoTerminal(["confirm"])
    for line in typed.split(separator: "\n", omittingEmptySubsequences: false)
    where line != "" || typed == "\n" {
      terminal.expect("Go on? [y/N] ")
      terminal.type(line == "\u{4}" ? "\u{4}" : line + "\n")
      if typed == "\n" { break }
    }
    #expect(terminal.result() == answer + "\n")
    #expect(terminal.isAsBefore)
  }

  @Test func `progress redraws its line and leaves nothing, even on an error`() throws {
    let terminal = try PseudoTerminal(["progress"])
    terminal.expect("\r\u{1B}[2K\u{1B}[36m⠹\u{1B}[0m Waiting for Office")
    terminal.expect("\r\u{1B}[2KOffice is awake.\r\n")
    terminal.expect("\u{1B}[2m")
    terminal.expect(" 3/4 pages")
    #expect(terminal.result() == "error: Failed()\n")
    #expect(terminal.collect(milliseconds: 100).hasSuffix("\r\u{1B}[2K"))
  }

  @Test func `progress that nobody can see is only what was said`() throws {
    let terminal = try PseudoTerminal(["progress"], environment: ["TERM=dumb"])
    #expect(terminal.result() == "error: Failed()\n")
    #expect(terminal.collect(milliseconds: 100) == "Office is awake.\r\n")
  }
}
