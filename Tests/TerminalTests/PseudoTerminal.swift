import Glibc
import Testing

// Swift's Glibc has neither posix_openpt and its friends nor POSIX_SPAWN_SETSID. These are TIOCSPTLCK,
// TIOCGPTN (asm-generic/ioctls.h) and that flag (spawn.h).
private let unlockTerminal: UInt = 0x4004_5431
private let numberOfTerminal: UInt = 0x8004_5430
private let inOwnSession: Int32 = 0x80

/// TerminalDriver on a terminal of its own, that the test types on and watches.
final class PseudoTerminal {
  /// What the program wrote to its terminal so far.
  private(set) var shown = ""
  private let main: Int32
  private let terminal: Int32
  private let input: Int32
  private let output: Int32
  let process: pid_t
  /// How the terminal was before the program had it.
  private let former: tcflag_t

  /// Starts `TerminalDriver arguments…` as a session of its own: the terminal is its stderr and, unless
  /// told otherwise, its controlling one; stdin and stdout lead to the test.
  init(
    _ arguments: [String], environment: [String] = ["TERM=xterm"], isControlling: Bool = true
  ) throws {
    main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var lock: Int32 = 0
    var number: UInt32 = 0
    try #require(ioctl(main, unlockTerminal, &lock) == 0)
    try #require(ioctl(main, numberOfTerminal, &number) == 0)
    let path = "/dev/pts/\(number)"
    terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(terminal >= 0)
    var size = winsize(ws_row: 12, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(main, UInt(TIOCSWINSZ), &size) == 0)
    former = PseudoTerminal.flags(of: terminal)
    // Not pipe(), whose ends a program that another test starts now would keep open.
    var stdin: [Int32] = [0, 0]
    var stdout: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &stdin) == 0)
    try #require(socketpair(AF_UNIX, kind, 0, &stdout) == 0)

    process = try PseudoTerminal.start(
      arguments, environment, stdin[0], stdout[1], path, isControlling)
    close(stdin[0])
    close(stdout[1])
    input = stdin[1]
    output = stdout[0]
  }

  private static func start(
    _ arguments: [String], _ environment: [String], _ stdin: Int32, _ stdout: Int32,
    _ path: String, _ isControlling: Bool
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, stdin, 0)
    posix_spawn_file_actions_adddup2(&actions, stdout, 1)
    posix_spawn_file_actions_addopen(&actions, 2, path, O_RDWR | (isControlling ? 0 : O_NOCTTY), 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The thread of a test may have signals blocked, and a child would have them so too.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(inOwnSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let command = [driver] + arguments
    var argv = command.map { strdup($0) } + [nil]
    var envp = environment.map { strdup($0) } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var process = pid_t()
    try #require(
      posix_spawn(&process, driver, &actions, &attributes, &argv, &envp) == 0)
    return process
  }

  deinit {
    for descriptor in [output, terminal] { close(descriptor) }
    endInput()
    if !isHungUp { close(main) }
    if !hasEnded {
      kill(process, SIGKILL)
      var status: Int32 = 0
      waitpid(process, &status, 0)
    }
  }

  private var isHungUp = false
  private var isInputOpen = true
  private var hasEnded = false
  /// What killed the program; 0 when it ended by itself.
  private(set) var fatalSignal: Int32 = 0

  // MARK: The person

  func type(_ text: String) { _ = text.withCString { write(main, $0, strlen($0)) } }

  func resize(width: UInt16, height: UInt16) {
    var size = winsize(ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(main, UInt(TIOCSWINSZ), &size)
  }

  /// Closes the window.
  func hangUp() {
    isHungUp = true
    close(main)
  }

  /// Waits until `text` is on the terminal and forgets what was written up to it.
  func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
      if let range = shown.firstRange(of: text) {
        shown.removeSubrange(..<range.upperBound)
        return
      }
      guard receive(within: 200) else { break }
    }
    Issue.record(
      "no \(text.debugDescription) in \(shown.debugDescription)", sourceLocation: sourceLocation)
  }

  /// Everything that is written within `milliseconds`.
  func collect(milliseconds: Int) -> String {
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    while ContinuousClock.now < deadline, receive(within: 20) {}
    return shown
  }

  /// False when nothing can come any more.
  private func receive(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return true }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(main, &buffer, buffer.count)
    guard count > 0 else { return false }
    shown += String(decoding: buffer.prefix(count), as: UTF8.self)
    return true
  }

  // MARK: The program

  /// Gives the program a line on stdin.
  func feed(_ line: String) {
    _ = (line + "\n").withCString { send(input, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
  }

  /// Gives the program the end of stdin.
  func endInput() {
    if isInputOpen { close(input) }
    isInputOpen = false
  }

  /// Waits for the program's end and gives what it wrote to stdout.
  func result() -> String {
    var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    var text = ""
    while poll(&entry, 1, 10_000) > 0 {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { break }
      text += String(decoding: buffer.prefix(count), as: UTF8.self)
    }
    if entry.revents == 0 { kill(process, SIGKILL) }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    hasEnded = true
    fatalSignal = status & 0x7F
    return text
  }

  /// Whether keys come as lines and are shown, as before the program began.
  var isAsBefore: Bool { PseudoTerminal.flags(of: terminal) == former }
  var echoes: Bool { PseudoTerminal.flags(of: terminal) & tcflag_t(ECHO) != 0 }

  private static func flags(of terminal: Int32) -> tcflag_t {
    var settings = termios()
    tcgetattr(terminal, &settings)
    return settings.c_lflag
  }

  /// Beside the bundle that the tests are in.
  private static let driver: String = {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
    return bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + "/TerminalDriver"
  }()
}
