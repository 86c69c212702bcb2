internal import ForeignText

/// Contents of a progress line.
package struct ProgressState: Sendable, Equatable {
  /// The activity, or the reason for the wait.
  package var text: String
  /// Number done; only shown if `total` is known.
  package var done = 0
  /// Total number; nil for work of unknown length.
  package var total: Int?
  /// Seconds since the text was set.
  package var seconds = 0.0
  /// The time until the end, `about 3 min`.
  package var timeLeft: String?

  package init(_ text: String) { self.text = cleaned(text) }

  /// Draws the line in at most `width` columns.
  ///
  /// Work of unknown length has a spinner: `⠙ Waiting for Office Laser … 12 s`. Counted work has a bar: `Printing
  /// ━━━━━━──── 12/20  8 s`. In a narrow window, first the bar is removed, then the text is cut, then the time is
  /// removed.
  package func draw(width: Int, colors: Bool, glyphs: Glyphs = .unicode) -> String {
    guard let total, total > 0 else { return drawSpinner(width, colors, glyphs) }
    let done = min(max(0, done), total)
    let count = " \(done)/\(total)"
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

  /// Draws text, `end` and time; the text is cut to a few columns before the time is removed.
  private func drawShort(end: String, time: String, _ width: Int, _ colors: Bool) -> String {
    let fewest = min(8, text.displayWidth)
    let keepsTime = width >= fewest + end.displayWidth + time.displayWidth
    let room = width - end.displayWidth - (keepsTime ? time.displayWidth : 0)
    return line(
      of: [Cell(text.truncated(to: max(1, room))), Cell(end), Cell(keepsTime ? time : "", .dim)],
      width: width, colors: colors)
  }

  /// Returns the time, which is not shown in the first second.
  private func time(before separator: String) -> String {
    seconds < 1
      ? "" : separator + elapsed(seconds: Int(seconds)) + (timeLeft.map { ", \($0) left" } ?? "")
  }
}
