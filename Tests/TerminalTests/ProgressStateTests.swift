import Terminal
import Testing

@Suite struct ProgressStateTests {
  private func waiting(seconds: Double) -> ProgressState {
    var state = ProgressState("Waiting for Office Laser")
    state.seconds = seconds
    return state
  }

  private func printing(_ done: Int, seconds: Double = 8) -> ProgressState {
    var state = ProgressState("Printing")
    (state.done, state.total) = (done, 20)
    state.seconds = seconds
    return state
  }

  @Test func `waiting turns and counts`() {
    #expect(waiting(seconds: 0.1).draw(width: 79, colors: false) == "⠙ Waiting for Office Laser")
    #expect(
      waiting(seconds: 12.3).draw(width: 79, colors: false)
        == "⠸ Waiting for Office Laser … 12 s")
    #expect(
      waiting(seconds: 65).draw(width: 79, colors: false, glyphs: .ascii)
        == "- Waiting for Office Laser … 1 min 05 s")
  }

  @Test func `counted work has a bar`() {
    #expect(
      printing(12).draw(width: 45, colors: false)
        == "Printing ━━━━━━━━━━━━━━━────────── 12/20  8 s")
    #expect(
      printing(12).draw(width: 45, colors: true)
        == "Printing \u{1B}[36m━━━━━━━━━━━━━━━\u{1B}[0m\u{1B}[2m──────────\u{1B}[0m 12/20"
        + "\u{1B}[2m  8 s\u{1B}[0m")
    #expect(
      printing(99, seconds: 0).draw(width: 200, colors: false)
        == "Printing \(String(repeating: "━", count: 30)) 20/20")
  }

  @Test func `a long job tells when it ends`() {
    var state = printing(12)
    state.timeLeft = "about 3 min"
    #expect(state.draw(width: 79, colors: false).hasSuffix(" 12/20  8 s, about 3 min left"))
    #expect(state.draw(width: 20, colors: false) == "Printing 12/20")
  }

  @Test(arguments: [
    (27, "Printing 12/20  8 s"), (19, "Printing 12/20  8 s"), (18, "Printing 12/20"),
    (9, "Pr… 12/20"), (5, "… 12…"), (1, "…"), (0, ""),
  ])
  func `a narrow window costs the bar, then the time, then the text`(width: Int, line: String) {
    #expect(printing(12).draw(width: width, colors: false) == line)
  }

  @Test(arguments: 0...60)
  func `no line is wider than the window`(width: Int) {
    for state in [waiting(seconds: 0), waiting(seconds: 4000), printing(0), printing(20)] {
      #expect(state.draw(width: width, colors: false).displayWidth <= width)
    }
  }

  @Test func `a total of nothing, and a name with escapes, do no harm`() {
    var state = ProgressState("To \u{1B}[2Jprinter\n")
    (state.done, state.total) = (3, 0)
    #expect(state.draw(width: 40, colors: false) == "⠋ To \u{FFFD}[2Jprinter ")
  }

  @Test(arguments: [
    (-1, "0 s"), (0, "0 s"), (59, "59 s"), (60, "1 min 00 s"), (3599, "59 min 59 s"),
    (7380, "2 h 03 min"),
  ])
  func `times are words`(seconds: Int, words: String) {
    #expect(elapsed(seconds: seconds) == words)
  }
}
