import Glibc
import Synchronization

/// The controlling terminal, opened to ask something, in a mode of its own until `close`.
///
/// /dev/tty and not stdin, which may be the document, nor stdout, which may be a pipe. Used by one
/// thread, which may block. There is one session at a time, because signals belong to the process.
final class TerminalSession {
  enum Mode {
    /// Every key at once, on a screen of its own.
    case screen
    /// A line at a time, edited by the system.
    case line(echo: Bool)
    /// Every byte at once, where the lines are: for what the terminal itself answers.
    case keys
  }

  /// The reason `wait` returned; everything empty: the time is over.
  struct Wake {
    var bytes: [UInt8] = []
    var signals: [Int32] = []
    /// Ctrl-D at the start of a line, or the terminal is gone.
    var hasEnded = false
  }

  let descriptor: Int32
  private let mode: Mode
  private var former: termios
  private let signals: CaughtSignals
  private var isOpen = true
  private static let isInUse = Atomic(false)

  init(_ mode: Mode) throws(TerminalError) {
    guard !TerminalSession.isInUse.exchange(true, ordering: .acquiring) else { throw .busy }
    do throws(TerminalError) {
      _ = try SignalPipe.drain()
      (descriptor, former) = try TerminalSession.openTerminal()
    } catch {
      TerminalSession.isInUse.store(false, ordering: .releasing)
      throw error
    }
    self.mode = mode
    // First, so that no signal finds the terminal changed and nobody to put it right.
    signals = CaughtSignals([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH])
    do throws(TerminalError) {
      try enter()
    } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  private static func openTerminal() throws(TerminalError) -> (Int32, termios) {
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw .noTerminal }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      Glibc.close(descriptor)
      throw .noTerminal
    }
    return (descriptor, settings)
  }

  // MARK: Modes

  /// Alternate screen, no cursor, no wrapping (a width that the terminal sees otherwise must not move
  /// the lines below), pasted text in brackets.
  private static let screenOn = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[2J"
  private static let screenOff = "\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Takes the terminal, at the start and when the process is continued.
  ///
  /// What was typed before the question was read is no answer to it.
  func enter() throws(TerminalError) {
    var settings = former
    switch mode {
    case .screen:
      cfmakeraw(&settings)
    case .keys:
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    case .line(let echo):
      settings.c_iflag |= tcflag_t(ICRNL)
      settings.c_lflag |= tcflag_t(ICANON | ISIG | ECHO | ECHOE | ECHOK | ECHONL)
      if !echo { settings.c_lflag &= ~tcflag_t(ECHO) }
    }
    try set(settings, TCSAFLUSH)
    if case .screen = mode { try write(TerminalSession.screenOn) }
  }

  /// Restores the terminal.
  private func leave() throws(TerminalError) {
    if case .screen = mode { try write(TerminalSession.screenOff) }
    try set(former, TCSADRAIN)
  }

  private func set(_ settings: termios, _ when: Int32) throws(TerminalError) {
    var settings = settings
    while tcsetattr(descriptor, when, &settings) != 0 {
      guard errno == EINTR else { throw .system(call: "tcsetattr", errno: errno) }
    }
  }

  /// Stops the process as Ctrl-Z would, with the terminal as it was; comes back when it is continued.
  func suspend() throws(TerminalError) {
    try leave()
    CaughtSignals.stopProcess()
    tcgetattr(descriptor, &former)
    try enter()
  }

  /// Restores the terminal for good.
  ///
  /// One that is gone needs nothing.
  func close() {
    guard isOpen else { return }
    isOpen = false
    try? leave()
    signals.release()
    Glibc.close(descriptor)
    TerminalSession.isInUse.store(false, ordering: .releasing)
  }

  // MARK: Reading and writing

  func write(_ text: String) throws(TerminalError) {
    try writeAll(Array(text.utf8), to: descriptor)
  }

  /// Blocks until something was typed, a signal came, there is news, or the time is over (nil: never).
  func wait(milliseconds: Int?) throws(TerminalError) -> Wake {
    var entries = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: try SignalPipe.readEnd(), events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&entries, 2, Int32(clamping: milliseconds ?? -1))
    guard count >= 0 || errno == EINTR else { throw .system(call: "poll", errno: errno) }
    var wake = Wake()
    guard count > 0 else { return wake }
    if entries[1].revents != 0 {
      let posted = try SignalPipe.drain()
      wake.signals = posted.filter { $0 != SignalPipe.news }.map(Int32.init)
    }
    if entries[0].revents != 0 { readTyped(into: &wake) }
    return wake
  }

  private func readTyped(into wake: inout Wake) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 {
      wake.bytes = Array(buffer.prefix(count))
    } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
      wake.hasEnded = true
    }
  }
}
