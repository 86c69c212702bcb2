import Glibc
import Synchronization

/// The controlling terminal, opened for a question, in a separate mode until `close`.
///
/// It is /dev/tty, because stdin may be the document, and stdout a pipe. Used by one thread, which may block. There is
/// only one session at a time, because signals belong to the process.
final class TerminalSession {
  enum Mode {
    /// Single keys, on the alternate screen.
    case screen
    /// Whole lines, edited by the system.
    case line(echo: Bool)
    /// Single bytes, on the normal screen: for the terminal's own answers.
    case keys
  }

  /// The reason why `wait` returned; all empty: the time is over.
  struct Wake {
    var bytes: [UInt8] = []
    var signals: [Int32] = []
    /// True at Ctrl-D at the start of a line, or if the terminal is gone.
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
    // Before the mode is set, so that every signal finds a handler that restores the terminal.
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

  /// Alternate screen, hidden cursor, no wrapping (if the terminal measures a width differently, lines below must not
  /// move), bracketed paste.
  private static let screenOn = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[2J"
  private static let screenOff = "\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Takes over the terminal, at the start and when the process is continued.
  ///
  /// Input typed before the question is discarded.
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

  /// Stops the process like Ctrl-Z, with the terminal restored; returns when it is continued.
  func suspend() throws(TerminalError) {
    try leave()
    CaughtSignals.stopProcess()
    tcgetattr(descriptor, &former)
    try enter()
  }

  /// Restores the terminal permanently.
  ///
  /// Errors are ignored, as the terminal may be gone.
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

  /// Blocks until there is input, a signal or news, or until the time is over (nil: no limit).
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

/// The pipe through which signals and other threads wake the thread that waits for keys.
///
/// A handler may only write a byte. The pipe is created once and never closed, so that a late handler never writes to
/// another descriptor.
enum SignalPipe {
  /// The byte that is not a signal: there are news.
  static let news: UInt8 = 0

  private static let writeEnd = Atomic<Int32>(-1)
  private static let ends = Result { () throws(TerminalError) in
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system(call: "pipe", errno: errno) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    writeEnd.store(ends[1], ordering: .relaxed)
    return ends[0]
  }

  /// Returns the end to wait on.
  static func readEnd() throws(TerminalError) -> Int32 { try ends.get() }

  /// Posts a byte; safe in a signal handler once `readEnd` was called.
  ///
  /// A full pipe also wakes its reader.
  static func post(_ byte: UInt8) {
    let saved = errno
    var byte = byte
    _ = Glibc.write(writeEnd.load(ordering: .relaxed), &byte, 1)
    errno = saved
  }

  /// Returns the messages posted since the last call.
  static func drain() throws(TerminalError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(try readEnd(), &buffer, buffer.count)
    return count > 0 ? Array(buffer.prefix(count)) : []
  }
}

/// Signals that are temporarily sent through `SignalPipe`, and their previous actions.
struct CaughtSignals {
  private var former: [(number: Int32, action: sigaction)] = []

  /// Catches the signals; an ignored signal stays ignored, as requested by `nohup` and shells.
  init(_ numbers: [Int32]) {
    for number in numbers {
      var action = sigaction()
      sigaction(number, nil, &action)
      if action.__sigaction_handler.sa_handler.map({ unsafeBitCast($0, to: Int.self) }) == 1 {
        continue
      }
      former.append((number, action))
      CaughtSignals.catchSignal(number)
    }
  }

  func release() {
    for (number, action) in former {
      var action = action
      sigaction(number, &action, nil)
    }
  }

  /// Installs a handler that writes `number` to the pipe.
  static func catchSignal(_ number: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { SignalPipe.post(UInt8(truncatingIfNeeded: $0)) }
    action.sa_flags = SA_RESTART
    sigaction(number, &action, nil)
  }

  /// Stops this process like Ctrl-Z; returns when it is continued.
  ///
  /// In an orphaned process group, the system does not stop it. SIGTSTP may be blocked on the thread, as on Dispatch's
  /// threads.
  static func stopProcess() {
    signal(SIGTSTP, SIG_DFL)
    // The process stops here, so it needs no handler to notice that it was continued.
    signal(SIGCONT, SIG_DFL)
    var wanted = sigset_t()
    var former = sigset_t()
    sigemptyset(&wanted)
    sigaddset(&wanted, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &wanted, &former)
    pthread_kill(pthread_self(), SIGTSTP)
    pthread_sigmask(SIG_SETMASK, &former, nil)
    catchSignal(SIGTSTP)
    catchSignal(SIGCONT)
  }
}
