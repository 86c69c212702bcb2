import Terminal
import Testing

@Suite struct KeyReaderTests {
  @Test(arguments: [
    ("\u{1B}[A", [KeyPress.up]), ("\u{1B}OB", [.down]), ("\u{10}\u{0E}", [.up, .down]),
    ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\u{1B}[H\u{1B}[4~", [.home, .end]),
    ("\u{1B}OH\u{1B}[7~\u{1B}[8~", [.home, .home, .end]), ("\r", [.enter]), ("\n", [.enter]),
    ("\u{7F}\u{8}", [.backspace, .backspace]), ("\u{15}\u{17}", [.clear, .deleteWord]),
    ("\u{3}\u{1A}\u{0C}", [.interrupt, .suspend, .redraw]),
    ("aé写🎉", [.text("a"), .text("é"), .text("写"), .text("🎉")]),
    // Ctrl-Right, Delete, F1 of xterm and of the console, a mouse report, Alt-x.
    ("\u{1B}[1;5Ca", [.text("a")]), ("\u{1B}[3~a", [.text("a")]), ("\u{1B}OPa", [.text("a")]),
    ("\u{1B}[[Aa", [.text("a")]), ("\u{1B}[<0;1;1Ma", [.text("a")]), ("\u{1B}xa", [.text("a")]),
    ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1}\u{4}", []),
    ("\u{2}\u{9}\u{14}", [.action(.controlB), .action(.tab), .action(.controlT)]),
  ])
  func `bytes are keys, whole or one by one`(bytes: String, keys: [KeyPress]) {
    var whole = KeyReader()
    #expect(whole.read(bytes.utf8) == keys)
    #expect(!whole.waitsForMore)
    var split = KeyReader()
    #expect(bytes.utf8.flatMap { split.read([$0]) } == keys)
  }

  @Test func `Esc is known by the silence after it`() {
    var reader = KeyReader()
    #expect(reader.read([0x1B]) == [])
    #expect(reader.waitsForMore)
    #expect(reader.silence() == [.escape])
    #expect(!reader.waitsForMore)
    // An arrow key that a slow connection split does not count as Esc, which would leave the picker.
    #expect(reader.read([0x1B, 0x5B]) == [])
    #expect(reader.silence() == [])
    #expect(reader.read([0x41]) == [.text("A")])
  }

  @Test func `a pasted line break is a space`() {
    var reader = KeyReader()
    #expect(
      reader.read("\u{1B}[200~a\r\u{3}".utf8) == [.text("a"), .text(" "), .text(" ")])
    #expect(reader.read("\u{1B}[201~\r".utf8) == [.enter])
    #expect(reader.read("\u{1B}[200~a".utf8) == [.text("a")])
    #expect(reader.waitsForMore)
    #expect(reader.silence() == [])
    #expect(
      reader.read([0x03]) == [.interrupt], "a paste that does not end must not lock anyone in")
  }

  @Test func `what is no UTF-8 and what does not end is left out`() {
    var reader = KeyReader()
    #expect(reader.read([0xFF, 0xC0, 0x80, 0xE5, 0x61, 0xED, 0xA0, 0x80]) == [.text("a")])
    #expect(reader.read(Array("\u{1B}[".utf8) + Array(repeating: 0x31, count: 100)) == [])
    #expect(!reader.waitsForMore)
  }
}
