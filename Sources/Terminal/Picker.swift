import Dispatch
import Glibc
import Synchronization

/// A key that does something with the selected row, and leaves the list open.
package enum PickerAction: Sendable, Hashable {
  case tab, controlB, controlT
}

/// A live list on the terminal, from which a user picks one.
///
/// Arrows (or Ctrl-P, Ctrl-N), Page Up and Down, Home and End move; typing filters by words in title,
/// subtitle, mark and columns; Ctrl-U clears, Enter chooses, Esc leaves. It draws on the terminal's
/// other screen, so that nothing of it is left afterwards, and restores the terminal on every way out.
package struct Picker: Sendable {
  private let text: PickerText
  private let start: String?
  private let filter: String
  private let environment: [String: String]
  private let act: @Sendable (PickerAction, String?) -> String?

  /// `filter` is as if it had been typed.
  ///
  /// `act` is called on the picker's thread with the id of the selected row, and returns a new title, if it wants
  /// one. `start` is the id of the row to begin on; the cursor goes there when that row appears, unless the user
  /// was quicker. `environment` has TERM and NO_COLOR.
  package init(
    _ text: PickerText, start: String? = nil, filter: String = "", environment: [String: String],
    act: @escaping @Sendable (PickerAction, String?) -> String? = { _, _ in nil }
  ) {
    self.text = text
    self.start = start
    self.filter = filter
    self.environment = environment
    self.act = act
  }

  /// Shows `rows`, each element being the whole list in order, until one is chosen or the user
  /// leaves.
  ///
  /// The list stays when the stream ends. Canceling the task leaves like Ctrl-C. The stream is not
  /// read on when this returns.
  ///
  /// - Throws: `.noTerminal` at once without a controlling terminal, `.dumbTerminal` where the list can't be shown
  ///   (exit 73 both).
  package func pick(
    from rows: AsyncStream<[PickerRow]>
  ) async throws(TerminalError) -> PickerResult {
    let news = PickerNews()
    let reading = Task {
      for await list in rows { news.post(list) }
      news.postEnd()
    }
    defer { reading.cancel() }
    let result: Result<PickerResult, TerminalError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A thread of its own: it blocks in poll.
        DispatchQueue(label: "picker").async {
          continuation.resume(
            returning: Result { () throws(TerminalError) in try show(news) })
        }
      }
    } onCancel: {
      news.postCancel()
    }
    return try result.get()
  }

  private func show(_ news: PickerNews) throws(TerminalError) -> PickerResult {
    let session = try TerminalSession(.screen)
    defer { session.close() }
    let screen = Screen(descriptor: session.descriptor, environment: environment)
    guard screen.canRedraw else { throw .dumbTerminal }
    var loop = PickerLoop(
      session: session, screen: screen, news: news,
      state: PickerState(text, start: start, filter: filter, size: screen.size), act: act)
    do throws(TerminalError) {
      return try loop.run()
    } catch .system(_, EIO) {
      // The terminal went away; SIGHUP is on its way, or was ignored.
      return .interrupted(signal: SIGHUP)
    }
  }
}

/// Rows that the stream's reader has for the picker's thread.
private final class PickerNews: Sendable {
  struct Pending {
    var rows: [PickerRow]?
    var hasEnded = false
    var isCancelled = false
  }

  private let pending = Mutex(Pending())

  func post(_ rows: [PickerRow]) { put { $0.rows = rows } }
  func postEnd() { put { $0.hasEnded = true } }
  func postCancel() { put { $0.isCancelled = true } }

  private func put(_ change: (inout Pending) -> Void) {
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

/// The picker's thread: waits, lets the state decide, draws what changed.
private struct PickerLoop {
  let session: TerminalSession
  let screen: Screen
  let news: PickerNews
  var state: PickerState
  let act: @Sendable (PickerAction, String?) -> String?
  var reader = KeyReader()
  /// Contents of the screen; nil when that is not known.
  var shown: [String]?
  let began = ContinuousClock.now
  var lastTyped = ContinuousClock.now
  /// Longer than between the bytes of one key.
  private static let silence = Duration.milliseconds(50)

  mutating func run() throws(TerminalError) -> PickerResult {
    if let result = collect() { return result }
    while true {
      try draw()
      let wake = try session.wait(milliseconds: patience)
      for signal in wake.signals {
        if let result = try take(signal) { return result }
      }
      if wake.hasEnded { return .interrupted(signal: SIGHUP) }
      // Keys before news: they were pressed on the list that is on the screen.
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

  /// Milliseconds until something changes by itself; nil: never.
  private var patience: Int? {
    if reader.waitsForMore {
      return 1 + max(0, milliseconds(PickerLoop.silence - (.now - lastTyped)))
    }
    return state.isSearching ? 1000 - milliseconds(.now - began) % 1000 : nil
  }

  private func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }

  /// News that came before the session was open made no sound.
  private mutating func collect() -> PickerResult? {
    let pending = news.collect()
    if pending.isCancelled { return .interrupted(signal: SIGINT) }
    if let rows = pending.rows { state.apply(rows: rows) }
    if pending.hasEnded { state.applyEnd() }
    return nil
  }

  private mutating func take(_ key: KeyPress) -> PickerResult? {
    switch key {
    // To the whole job, as the terminal does; here it comes back as a signal.
    case .suspend: kill(0, SIGTSTP)
    case .redraw: shown = nil
    case .action(let action):
      if let title = act(action, state.selectedID) { state.apply(title: title) }
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
    state.apply(seconds: Int((ContinuousClock.now - began) / .seconds(1)))
    let lines = state.draw(colors: screen.hasColours, glyphs: screen.glyphs)
    let change = redrawing(shown, as: lines)
    shown = lines
    if !change.isEmpty { try session.write(change) }
  }
}

/// Bytes that make a screen that shows `old` (nil: anything) show `new`: the lines that differ, in
/// one synchronized update, which terminals that know none ignore.
func redrawing(_ old: [String]?, as new: [String]) -> String {
  var change = old == nil ? "\u{1B}[2J" : ""
  let old = old ?? []
  for index in 0..<max(old.count, new.count) {
    let line = index < new.count ? new[index] : ""
    guard index >= old.count || old[index] != line else { continue }
    // Erased before it is written: erasing after a full line takes its last character.
    change += "\u{1B}[\(index + 1);1H\u{1B}[2K" + line
  }
  return change.isEmpty ? "" : "\u{1B}[?2026h" + change + "\u{1B}[?2026l"
}
