import Dispatch
import Glibc
import Testing

@testable import Terminal

@Suite struct ScreenTests {
  @Test(arguments: [
    (true, ["TERM": "xterm"], true),
    (false, ["TERM": "xterm"], false),
    (true, ["TERM": "dumb"], false),
    (true, [:], false),
    (true, ["TERM": "xterm", "NO_COLOR": "1"], false),
    (true, ["TERM": "xterm", "NO_COLOR": ""], true),
    (false, ["TERM": "xterm", "CLICOLOR_FORCE": "1"], true),
    (false, ["TERM": "xterm", "CLICOLOR_FORCE": "0"], false),
    (false, ["TERM": "xterm", "CLICOLOR_FORCE": ""], false),
    (true, ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true),
    (true, ["TERM": "xterm", "CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
  ])
  func `colors follow the terminal and the environment`(
    isTerminal: Bool, environment: [String: String], expected: Bool
  ) {
    let screen = Screen(descriptor: -1, environment: environment, isTerminal: isTerminal)
    #expect(screen.hasColors == expected)
  }

  @Test(arguments: [
    (["TERM": "linux"], Glyphs.ascii), (["LC_ALL": "C"], .ascii), (["LANG": "de_DE"], .ascii),
    (["LANG": "C", "LC_ALL": "C.utf8"], .unicode), (["LANG": "de_DE.UTF-8"], .unicode),
    (["LC_ALL": "", "LC_CTYPE": "POSIX", "LANG": "C.UTF-8"], .ascii), ([:], .unicode),
  ])
  func `signs follow the locale`(_ environment: [String: String], _ glyphs: Glyphs) {
    #expect(Screen(descriptor: -1, environment: environment, isTerminal: true).glyphs == glyphs)
    #expect(
      glyphs.replacing(in: "✓ Büro …") == (glyphs == .ascii ? "* Büro ." : "✓ Büro …"))
    // What is not drawn in columns may be longer.
    #expect(
      Screen(descriptor: -1, environment: environment, isTerminal: true).shown("2D:…:92")
        == (glyphs == .ascii ? "2D:...:92" : "2D:…:92"))
  }

  @Test func `a long message is broken between words, on a terminal alone`() {
    let text =
      "airprint: Till does not answer: it refuses\n  before  A B C D E F G H I J K L M N O P"
    func folded(isTerminal: Bool) -> String {
      Screen(descriptor: -1, environment: ["COLUMNS": "30"], isTerminal: isTerminal).folded(text)
    }
    #expect(folded(isTerminal: false) == text)
    #expect(
      folded(isTerminal: true) == """
        airprint: Till does not
          answer: it refuses
          before  A B C D E F G H I J
            K L M N O P
        """)
  }

  @Test(arguments: [
    (true, [:], 80), (true, ["COLUMNS": "132"], 132), (true, ["COLUMNS": "0"], 80),
    (true, ["COLUMNS": "wide"], 80), (true, ["COLUMNS": "99999999999999999999"], 80),
    (false, ["COLUMNS": "132"], nil),
  ])
  func `only a terminal limits a line`(
    isTerminal: Bool, environment: [String: String], width: Int?
  ) {
    let screen = Screen(descriptor: -1, environment: environment, isTerminal: isTerminal)
    #expect(screen.lineWidth == width)
    #expect(screen.size == ScreenSize(width: 80, height: 24))
  }

  @Test func `styles are numbers between escapes, or nothing`() {
    #expect("x".styled([.bold, .red], if: true) == "\u{1B}[1;31mx\u{1B}[0m")
    #expect("x".styled([.bold, .red], if: false) == "x")
    #expect("".styled([.bold], if: true) == "")
  }

  @Test func `a pipe that nobody reads is closed, not an error of ours`() throws {
    Screen.ignoreClosedPipes()
    let (readEnd, writeEnd) = try makePipe()
    close(readEnd)
    defer { close(writeEnd) }
    let screen = Screen(descriptor: writeEnd, environment: [:])
    #expect(!screen.isTerminal)
    #expect(throws: TerminalError.closed) { try screen.print("gone") }
    #expect(throws: TerminalError.system(call: "write", errno: EBADF)) {
      try Screen(descriptor: -1, environment: [:]).print("nowhere")
    }
  }

  @Test func `a full non-blocking pipe is waited for`() async throws {
    let (readEnd, writeEnd) = try makePipe()
    defer { close(readEnd) }
    #expect(fcntl(writeEnd, F_SETFL, O_NONBLOCK) == 0)
    // More than a socket buffer holds.
    let text = String(repeating: "0123456789abcdef", count: 65_536)
    async let sent: Void = withCheckedContinuation { continuation in
      DispatchQueue(label: "writer").async {
        try? Screen(descriptor: writeEnd, environment: [:]).write(text)
        close(writeEnd)
        continuation.resume()
      }
    }
    usleep(50_000)
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(readEnd, &buffer, buffer.count), count > 0 {
      received += buffer.prefix(count)
    }
    await sent
    #expect(String(decoding: received, as: UTF8.self) == text)
  }

  private func makePipe() throws -> (readEnd: Int32, writeEnd: Int32) {
    // Unlike pipe(), this sets close-on-exec at once, so that no program that another test starts keeps the ends
    // open.
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    return (ends[0], ends[1])
  }
}
