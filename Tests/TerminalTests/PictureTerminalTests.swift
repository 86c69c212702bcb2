import Glibc
import Testing

@testable import Terminal

@Suite struct PictureTerminalTests {
  @Test(arguments: [
    ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c", PictureTerminal.Way.kitty),
    ("\u{1B}[?62;4;22c", .sixel), ("\u{1B}[?4c", .sixel),
    ("\u{1B}[?64;14;22c", nil), ("\u{1B}[?62;4", nil), ("\u{1B}[?1;2c", nil), ("", nil),
    ("\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\\u{1B}[?62c", nil), ("4c", nil),
  ])
  func `a terminal shows pictures if it says so`(
    _ answer: String, _ way: PictureTerminal.Way?
  ) {
    #expect(PictureTerminal.way(of: Array(answer.utf8)) == way)
  }

  @Test func `nothing of a picture leaves its frame`() {
    func shown(_ way: PictureTerminal.Way, _ picture: String, _ base64: String) -> String {
      let terminal = PictureTerminal(way: way, width: 800, height: 600)
      return String(
        decoding: terminal.showing(Array(picture.utf8), base64: base64), as: UTF8.self)
    }
    #expect(shown(.sixel, "#1~\u{1B}\\\u{1B}]0;x\u{7}-", "") == "\u{1B}Pq#1~\\]0;x-\u{1B}\\\n")
    #expect(
      shown(.iTerm, "abc", "YWJj") == "\u{1B}]1337;File=inline=1;size=3:YWJj\u{7}\n")
    let long = String(repeating: "A", count: 5_000)
    #expect(
      shown(.kitty, "", long)
        == "\u{1B}_Ga=T,f=100,q=2,m=1;\(long.prefix(4_096))\u{1B}\\"
        + "\u{1B}_Gm=0;\(long.prefix(904))\u{1B}\\\n")
  }

  /// A warning about the picture must not push its top off the screen.
  @Test func `a picture leaves room for its caption, two warnings and a prompt`() {
    let known = winsize(ws_row: 40, ws_col: 90, ws_xpixel: 810, ws_ypixel: 760)
    #expect(PictureTerminal.room(in: known) == (810, 684))
    let unknown = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    #expect(PictureTerminal.room(in: unknown) == (640, 320))
    #expect(PictureTerminal.room(in: winsize()).height > 0)
  }

  @Test func `no terminal is not asked`() {
    let screen = Screen(descriptor: -1, environment: ["TERM": "xterm"], isTerminal: false)
    #expect(PictureTerminal.detect(screen, environment: ["TERM": "xterm"]) == nil)
  }
}
