internal import ForeignText

/// Facts that a progress line shows.
package struct ProgressState: Sendable, Equatable {
  /// The activity, or what is waited for.
  package var text: String
  /// Number done; counted only when `total` is known.
  package var done = 0
  /// Of how many; nil for work of unknown length.
  package var total: Int?
  /// Unit counted: "pages".
  package var unit: String
  /// Since the text was set.
  package var seconds = 0.0

  package init(_ text: String, of total: Int? = nil, unit: String = "") {
    self.text = cleaned(text)
    self.total = total
    self.unit = cleaned(unit)
  }

  /// The line, in at most `width` columns.
  ///
  /// Work of unknown length turns a spinner: `⠙ Waiting for Office Laser … 12 s`. Counted work has a
  /// bar: `Printing ━━━━━━──── 12/20 pages  8 s`. In a narrow window the bar goes first, then the text
  /// is cut, then the time goes.
  package func draw(width: Int, colors: Bool, glyphs: Glyphs = .unicode) -> String {
    guard let total, total > 0 else { return drawSpinner(width, colors, glyphs) }
    let done = min(max(0, done), total)
    let count = " \(done)/\(total)" + (unit.isEmpty ? "" : " \(unit)")
    let time = time(before: "  ")
    let room = width - text.displayWidth - count.displayWidth - time.displayWidth - 1
    if room >= ProgressState.shortestBar {
      let bar = min(room, ProgressState.longestBar)
      let full = bar * done / total
      return line(
        of: [
          Cell(text + " "), Cell(String(repeating: glyphs.barDone, count: full), .cyan),
          Cell(String(repeating: glyphs.barLeft, count: bar - full), .dim), Cell(count),
          Cell(time, .dim),
        ], width: width, colors: colors)
    }
    return drawShort(end: count, time: time, width, colors)
  }

  private static let shortestBar = 8
  private static let longestBar = 30

  private func drawSpinner(_ width: Int, _ colors: Bool, _ glyphs: Glyphs) -> String {
    let frame = glyphs.spinner[Int(seconds * 10) % glyphs.spinner.count]
    let time = time(before: " … ")
    guard width > 4 else {
      return line(of: [Cell(String(frame), .cyan)], width: width, colors: colors)
    }
    return String(frame).styled([.cyan], if: colors) + " "
      + drawShort(end: "", time: time, width - 2, colors)
  }

  /// Text, `end` and time; the text is cut down to a few columns, then the time goes.
  private func drawShort(end: String, time: String, _ width: Int, _ colors: Bool) -> String {
    let fewest = min(8, text.displayWidth)
    let keepsTime = width >= fewest + end.displayWidth + time.displayWidth
    let room = width - end.displayWidth - (keepsTime ? time.displayWidth : 0)
    return line(
      of: [Cell(text.truncated(to: max(1, room))), Cell(end), Cell(keepsTime ? time : "", .dim)],
      width: width, colors: colors)
  }

  /// The first second is no wait.
  private func time(before separator: String) -> String {
    seconds < 1 ? "" : separator + elapsed(seconds: Int(seconds))
  }
}
