import Dispatch
internal import ForeignText
import Glibc
import Synchronization

/// A line on stderr that shows progress; it is redrawn in place and erased at the end.
///
/// It is only shown on a terminal, and only while the process is in its foreground. It draws at most 20 times a second,
/// and nothing in the first 0.2 s, so that quick work does not flicker. Where it can't be redrawn, it is a line for each
/// phase that takes longer than 2 s.
package final class ProgressLine: Sendable {
  private struct LineState {
    var state: ProgressState
    var began: ContinuousClock.Instant
    /// Line on the terminal; empty if nothing is drawn.
    var drawn = ""
    /// True once a terminal that can't redraw it has the phase's line.
    var isSaid = false
    var hasEnded = false
    /// Number of open questions on the terminal for which the line pauses.
    var holds = 0
  }

  /// The lines of this process, for questions from anywhere.
  private static let living = Mutex<[Weak]>([])
  private struct Weak { weak var progress: ProgressLine? }

  private let screen: Screen
  private let line: Mutex<LineState>
  private let born = ContinuousClock.now
  private static let period = 50
  private static let delay = Duration.milliseconds(200)

  /// Shows `text` until `end`.
  package init(_ text: String, on screen: Screen) {
    self.screen = screen
    line = Mutex(LineState(state: ProgressState(text), began: .now))
    guard screen.isTerminal else { return }
    ProgressLine.living.withLock { living in
      living.removeAll { $0.progress == nil }
      living.append(Weak(progress: self))
    }
    startTicking()
  }

  deinit { end() }

  /// Starts the next phase: new text, with count and time reset.
  package func begin(_ text: String) {
    line.withLock {
      if $0.state.text != ProgressState(text).text { $0.isSaid = false }
      $0.state = ProgressState(text)
      $0.began = .now
    }
  }

  /// Sets the number done, and the total if it has become known.
  package func advance(to done: Int, of total: Int?, timeLeft: String? = nil) {
    line.withLock {
      $0.state.done = done
      $0.state.timeLeft = timeLeft
      if let total { $0.state.total = total }
    }
  }

  /// Runs `body`, which may write lines to the same terminal (rows on stdout), with the line erased.
  package func aside<Value, Problem: Error>(
    _ body: () throws(Problem) -> Value
  ) throws(Problem) -> Value {
    try line.withLock { (line) throws(Problem) in
      erase(&line)
      return try body()
    }
  }

  /// Runs `body`, a question on the terminal, while no progress line of this process is drawn.
  ///
  /// The lines keep counting, and updates don't wait for the answer.
  static func holding<Value, Problem: Error>(
    _ body: () async throws(Problem) -> Value
  ) async throws(Problem) -> Value {
    let held = living.withLock { $0.compactMap(\.progress) }
    for progress in held {
      progress.line.withLock {
        progress.erase(&$0)
        $0.holds += 1
      }
    }
    defer { for progress in held { progress.line.withLock { $0.holds -= 1 } } }
    return try await body()
  }

  /// Erases the line permanently.
  package func end() {
    line.withLock {
      erase(&$0)
      $0.hasEnded = true
    }
  }

  /// Starts the timer, which does not retain the progress line, and stops by itself.
  private func startTicking() {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "progress"))
    timer.schedule(
      deadline: .now() + .milliseconds(ProgressLine.period),
      repeating: .milliseconds(ProgressLine.period))
    timer.setEventHandler { [weak self] in
      if self?.tick() != true { timer.cancel() }
    }
    timer.activate()
  }

  /// Draws changes; false if there will be no more.
  private func tick() -> Bool {
    line.withLock { line in
      guard !line.hasEnded else { return false }
      let now = ContinuousClock.now
      // A job in the background must not write over the shell's output.
      let group = tcgetpgrp(screen.descriptor)
      guard now - born >= ProgressLine.delay, line.holds == 0, group < 0 || group == getpgrp()
      else { return true }
      line.state.seconds = (now - line.began) / .seconds(1)
      if !screen.canRedraw {
        guard !line.isSaid, line.state.seconds >= 2 else { return true }
        line.isSaid = true
        return write(screen.shown("\(line.state.text) …\n", keepingLines: true), drawn: "", &line)
      }
      // A terminal wraps when the last column is filled; two are for the ^C that it echoes.
      let text = line.state.draw(
        width: max(1, screen.size.width - 3), colors: screen.hasColors, glyphs: screen.glyphs)
      guard text != line.drawn else { return true }
      return write("\r\u{1B}[2K" + text, drawn: text, &line)
    }
  }

  private func erase(_ line: inout LineState) {
    guard !line.drawn.isEmpty else { return }
    _ = write("\r\u{1B}[2K", drawn: "", &line)
  }

  /// Writes to the terminal; if that is gone, the progress ends, since there is no other place for it.
  private func write(_ text: String, drawn: String, _ line: inout LineState) -> Bool {
    line.drawn = drawn
    do {
      try screen.write(text)
    } catch {
      line.hasEnded = true
    }
    return !line.hasEnded
  }
}

extension ProgressLine? {
  /// Runs `body` with the line erased, if there is one.
  package func aside<Value, Problem: Error>(
    _ body: () throws(Problem) -> Value
  ) throws(Problem) -> Value {
    if let self { try self.aside(body) } else { try body() }
  }
}

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

/// Formats a time that a user waits: `8 s`, `1 min 05 s`, `2 h 03 min`.
package func elapsed(seconds: Int) -> String {
  let seconds = max(0, seconds)
  return switch seconds {
  case ..<60: "\(seconds) s"
  case ..<3600: "\(seconds / 60) min \(twoDigits(seconds % 60)) s"
  default: "\(seconds / 3600) h \(twoDigits(seconds / 60 % 60)) min"
  }
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
