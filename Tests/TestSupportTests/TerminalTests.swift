import Glibc
import TestSupport
import Testing

@Suite struct TerminalTests {
  @Test func `a program in a terminal is typed to and read`() async throws {
    let session = try TerminalSession(
      ["sh", "-c", "stty size; test -t 0 && test -t 1 && test -t 2 && read -r x && echo \"<$x>\""])
    try await session.wait(for: "24 80")
    session.type("hello\(Key.enter)")
    try await session.wait(for: "<hello>")
    #expect(await session.end().code == 0)
    #expect(session.screen.lines.prefix(3) == ["24 80", "hello", "<hello>"])
  }

  @Test func `a prompt finds the terminal, whatever standard input is`() async throws {
    let session = try TerminalSession(
      ["sh", "-c", "echo piped | { read -r x < /dev/tty; echo \"<$x>\"; }"])
    session.type("typed\(Key.enter)")
    try await session.wait(for: "<typed>")
    #expect(await session.end().code == 0)
  }

  @Test func `a resized terminal tells its program`() async throws {
    let session = try TerminalSession(
      ["sh", "-c", "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.05; done"])
    try await session.wait(for: "ready")
    session.resize(columns: 40, rows: 10)
    try await session.wait(for: "10 40")
    #expect(session.screen.columns == 40)
    #expect(session.screen.rows == 10)
    #expect(await session.end().code == 0)
  }

  @Test func `Ctrl-C is a signal`() async throws {
    let session = try TerminalSession(["sh", "-c", "echo ready; exec sleep 60"])
    try await session.wait(for: "ready")
    session.type(Key.interrupt)
    #expect(await session.end().end == .signalled(SIGINT))
  }

  @Test func `what does not come is told with what is there`() async throws {
    let session = try TerminalSession(["echo", "here"])
    let problem = await #expect(throws: Missing.self) { try await session.wait(for: "there") }
    #expect(problem?.description.contains("\nhere") == true)
  }
}

@Suite struct EmulatedScreenTests {
  @Test(arguments: [
    ("one⏎two", "one|two"),
    ("abc␍X", "Xbc"),
    ("abc\u{8}\u{8}X", "aXc"),
    ("a\tb", "a       b"),
    // Wraps only when the next character is written.
    ("0123456789", "0123456789"),
    ("0123456789A", "0123456789|A"),
    ("0123456789⏎A", "0123456789|A"),
    // Scrolls.
    ("1⏎2⏎3⏎4⏎5", "2|3|4|5"),
    // Colors and titles are not text.
    ("␛[1;31mred␛[0m", "red"),
    ("␛]0;title␇text", "text"),
    ("␛]8;;https://example.org␛\\link␛]8;;␛\\", "link"),
    // Moves the cursor.
    ("abc␛[2;3HX", "abc|  X"),
    ("abc␛[2DX", "aXc"),
    ("abc␛[1GX", "Xbc"),
    ("a⏎b␛[AX", "aX|b"),
    ("a⏎b⏎c␛[2FX", "X|b|c"),
    ("␛[99;99HX", "|||         X"),
    ("ab␛7␛[3;1Hc␛8X", "abX||c"),
    // Erases.
    ("abcdef␛[3G␛[K", "ab"),
    ("abcdef␛[3G␛[1K", "   def"),
    ("abc⏎def␛[2K", "abc"),
    ("abc⏎def⏎ghi␛[2;2H␛[J", "abc|d"),
    ("abc␛[2J", ""),
    ("abcdef␛[2G␛[2P", "adef"),
    ("a⏎b⏎c␛[2;1H␛[L", "a||b|c"),
    ("a⏎b⏎c␛[2;1H␛[M", "a|c"),
    // Wide characters and combining marks.
    ("印刷X", "印刷X"),
    ("印刷␛[5GX", "印刷X"),
    ("e\u{301}X", "e\u{301}X"),
    // The alternate screen.
    ("first␛[?1049h␛[Hsecond", "second"),
    ("first␛[?1049hsecond␛[?1049l!", "first!"),
    // An incomplete sequence has no effect.
    ("abc␛[2", "abc"),
  ])
  func `output is drawn as a terminal draws it`(_ output: String, _ text: String) {
    var screen = Screen(columns: 10, rows: 4)
    screen.write(escaping(output))
    #expect(screen.text.replacing("\n", with: "|") == text)
  }

  @Test func `the cursor and its hiding are known`() {
    var screen = Screen(columns: 10, rows: 4)
    screen.write(escaping("ab\r\nc␛[?25l"))
    #expect(screen.isCursorHidden)
    #expect((screen.row, screen.column) == (1, 1))
    screen.write(escaping("␛[?25h"))
    #expect(!screen.isCursorHidden)
  }

  @Test func `a smaller screen loses what does not fit`() {
    var screen = Screen(columns: 10, rows: 4)
    screen.write("0123456789\r\n1\r\n2\r\n3")
    screen.resize(columns: 5, rows: 2)
    #expect(screen.text == "01234\n1")
    screen.resize(columns: 8, rows: 3)
    screen.write(escaping("␛[3;7Hxy"))
    #expect(screen.text == "01234\n1\n      xy")
  }

  /// Decodes readable escapes: the test runner would print real ones in a table.
  private func escaping(_ output: String) -> String {
    output.replacing("␛", with: "\u{1B}").replacing("␇", with: "\u{7}")
      .replacing("␍", with: "\r").replacing("⏎", with: "\r\n")
  }
}
