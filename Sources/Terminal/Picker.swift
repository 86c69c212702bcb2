import Glibc
import Synchronization
internal import System

/// A key with an action for the selected row, which leaves the list open.
package enum PickerAction: Sendable, Hashable {
  case tab, controlB, controlT
}

/// Shows `rows` as a live list on the terminal, each element being the complete list in order, until the user chooses one
/// or leaves.
///
/// Arrows (or Ctrl-P, Ctrl-N), Page Up and Down, Home and End move the selection; typing filters by words in title,
/// subtitle, mark and columns; Ctrl-U clears the filter, Enter chooses, Esc leaves. It draws on the terminal's
/// alternate screen, so that nothing remains afterwards, and always restores the terminal.
///
/// The list stays when the stream ends. On a terminal that can't position text, it is printed then, with numbers.
/// Canceling the task acts like Ctrl-C. The stream is not read further when this returns.
///
/// - `start`: the ID of the initial row; it is selected when it appears, unless the user was faster.
/// - `filter`: acts as if it had been typed.
/// - `environment`: contains TERM and NO_COLOR.
/// - `act`: called on the picker's thread with the ID of the selected row; may return a new title.
/// - Throws: `.noTerminal` immediately if there is no controlling terminal (exit 73).
package func pickRow(
  from rows: AsyncStream<[PickerRow]>, _ text: PickerText, start: String? = nil,
  filter: String = "", environment: [String: String],
  act: @escaping @Sendable (PickerAction, String?) -> String? = { _, _ in nil }
) async throws(TerminalError) -> PickerResult {
  if Screen.isDumb(environment) { return try await pickByNumber(from: rows, text, environment) }
  let news = PickerNews()
  let reading = Task {
    for await list in rows { news.post { $0.rows = list } }
    news.post { $0.hasEnded = true }
  }
  defer { reading.cancel() }
  @Sendable func show() throws(TerminalError) -> PickerResult {
    let session = try TerminalSession(.screen)
    defer { session.close() }
    let screen = Screen(descriptor: session.descriptor, environment: environment)
    var loop = PickerLoop(
      session: session, screen: screen, news: news,
      state: PickerState(text, start: start, filter: filter, size: screen.size), act: act)
    do throws(TerminalError) {
      return try loop.run()
    } catch .system(_, EIO) {
      // The terminal is gone; SIGHUP follows, or was ignored.
      return .interrupted(signal: SIGHUP)
    }
  }
  let result: Result<PickerResult, TerminalError> = await withTaskCancellationHandler {
    // A separate thread, because it blocks in poll.
    await onThread { () throws(Never) in Result { () throws(TerminalError) in try show() } }
  } onCancel: {
    news.post { $0.isCanceled = true }
  }
  return try result.get()
}

/// Prints the last of `rows` as a numbered list, and asks for a number.
private func pickByNumber(
  from rows: AsyncStream<[PickerRow]>, _ text: PickerText, _ environment: [String: String]
) async throws(TerminalError) -> PickerResult {
  // Without a terminal, that is known before the search.
  try TerminalSession(.line(echo: true)).close()
  let screen = Screen(descriptor: 2, environment: environment)
  try screen.print("\(text.title). \(text.searching) …")
  var list: [PickerRow] = []
  for await rows in rows { list = rows }
  guard !list.isEmpty else { return .left }
  for (index, row) in list.enumerated() {
    let facts = [row.title, row.mark ?? ""] + row.columns
    let line = facts.filter { !$0.isEmpty }.joined(separator: ", ")
    try screen.print(screen.folded(screen.shown("\(index + 1). \(line)")))
  }
  let numbers = "1 to \(list.count)"
  for _ in 0..<5 {
    let answer: String?
    do throws(TerminalError) {
      answer = try await Prompt().line("Number, \(numbers), or Enter to leave")
    } catch .interrupted(let signal) {
      return .interrupted(signal: signal)
    }
    guard let answer, !answer.isEmpty else { return .left }
    let index = (Int(answer.filter { $0 != " " }) ?? 0) - 1
    if list.indices.contains(index) { return .chosen(list[index].id) }
    try screen.print(screen.shown("\(answer) is not on the list."))
  }
  return .left
}

/// Rows passed from the stream's reader to the picker's thread.
private final class PickerNews: Sendable {
  struct Pending {
    var rows: [PickerRow]?
    var hasEnded = false
    var isCanceled = false
  }

  private let pending = Mutex(Pending())

  func post(_ change: (inout Pending) -> Void) {
    pending.withLock { change(&$0) }
    SignalPipe.post(SignalPipe.news)
  }

  func collect() -> Pending {
    pending.withLock { pending in
      defer { pending.rows = nil }
      return pending
    }
  }
}

/// The picker's loop: waits, updates the state, draws changes.
private struct PickerLoop {
  let session: TerminalSession
  let screen: Screen
  let news: PickerNews
  var state: PickerState
  let act: @Sendable (PickerAction, String?) -> String?
  var reader = KeyReader()
  /// Contents of the screen; nil if unknown.
  var shown: [String]?
  let began = ContinuousClock.now
  var lastTyped = ContinuousClock.now
  /// Longer than the pause between the bytes of one key.
  private static let silence = Duration.milliseconds(50)

  mutating func run() throws(TerminalError) -> PickerResult {
    if let result = collect() { return result }
    while true {
      try draw()
      let wake = try session.wait(milliseconds: timeout)
      for signal in wake.signals {
        if let result = try take(signal) { return result }
      }
      if wake.hasEnded { return .interrupted(signal: SIGHUP) }
      // Handle keys before news: the user pressed them for the list on the screen.
      for key in keys(wake.bytes) {
        if let result = take(key) { return result }
      }
      if let result = collect() { return result }
    }
  }

  private mutating func keys(_ bytes: [UInt8]) -> [KeyPress] {
    if !bytes.isEmpty {
      lastTyped = .now
      return reader.read(bytes)
    }
    let isSilent = reader.waitsForMore && ContinuousClock.now - lastTyped >= PickerLoop.silence
    return isSilent ? reader.silence() : []
  }

  /// Milliseconds until the next change without input; nil: none.
  private var timeout: Int? {
    if reader.waitsForMore {
      return 1 + max(0, milliseconds(PickerLoop.silence - (.now - lastTyped)))
    }
    return state.isSearching ? 1000 - milliseconds(.now - began) % 1000 : nil
  }

  private func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }

  /// Collects the news, including those from before the session was open, which triggered no wake-up.
  private mutating func collect() -> PickerResult? {
    let pending = news.collect()
    if pending.isCanceled { return .interrupted(signal: SIGINT) }
    if let rows = pending.rows { state.apply(rows: rows) }
    if pending.hasEnded { state.hasEnded = true }
    return nil
  }

  private mutating func take(_ key: KeyPress) -> PickerResult? {
    switch key {
    // Signal the whole job, as the terminal does; this process receives it as well.
    case .suspend: kill(0, SIGTSTP)
    case .redraw: shown = nil
    case .action(let action):
      if let title = act(action, state.selectedID) { state.text.title = title }
    default: break
    }
    return state.apply(key)
  }

  private mutating func take(_ signal: Int32) throws(TerminalError) -> PickerResult? {
    switch signal {
    case SIGWINCH: break
    case SIGTSTP: try session.suspend()
    case SIGCONT: try session.enter()
    default: return .interrupted(signal: signal)
    }
    state.apply(size: screen.size)
    shown = nil
    return nil
  }

  private mutating func draw() throws(TerminalError) {
    state.seconds = Int((ContinuousClock.now - began) / .seconds(1))
    let lines = state.draw(colors: screen.hasColors, glyphs: screen.glyphs)
      .map(screen.glyphs.replacing)
    let change = redrawing(shown, as: lines)
    shown = lines
    if !change.isEmpty { try session.write(change) }
  }
}

/// Returns the bytes that change a screen from `old` (nil: unknown) to `new`: the lines that differ, in one
/// synchronized update, which terminals without support ignore.
func redrawing(_ old: [String]?, as new: [String]) -> String {
  var change = old == nil ? "\u{1B}[2J" : ""
  let old = old ?? []
  for index in 0..<max(old.count, new.count) {
    let line = index < new.count ? new[index] : ""
    guard index >= old.count || old[index] != line else { continue }
    // Erase a line before writing it: erasing after a full line removes its last character.
    change += "\u{1B}[\(index + 1);1H\u{1B}[2K" + line
  }
  return change.isEmpty ? "" : "\u{1B}[?2026h" + change + "\u{1B}[?2026l"
}
