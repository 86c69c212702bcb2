package import Glibc
internal import Synchronization

/// The start of a program: airprint's only use of posix_spawn(3).
///
/// A program gets only the named descriptors, no blocked signals unless requested, and the default action for SIGPIPE:
/// airprint ignores that signal, and ignored signals stay ignored across exec(3).
package struct ProgramStart {
  /// The file to run; without a slash, it is looked up in this process' PATH.
  package var program: String
  /// The arguments, of which the first is the program's name for itself.
  package var arguments: [String]
  /// Environment; nil: that of this process.
  package var environment: [String: String]?
  /// The program's descriptors by number.
  ///
  /// Descriptors up to 2 that are not named are inherited; others are not.
  package var descriptors: [Int32: Descriptor] = [:]
  package var group = ProcessGroup.inherited
  /// Sets SIGINT and SIGTERM to their default, even if this process ignores them.
  package var isInterruptible = false
  /// Keeps the signal mask of the thread that starts it.
  ///
  /// Ctrl-C signals the terminal's whole process group: a worker of airprint has it blocked until it ignores it, and is
  /// ended by its parent.
  package var keepsSignalMask = false

  /// The file behind a program's descriptor.
  package enum Descriptor {
    case null
    case copy(of: Int32)
  }

  /// The process group of the program.
  package enum ProcessGroup {
    case inherited
    /// A new one, so that kill(2) reaches all of its processes.
    case own
    /// A new session, without a terminal.
    case session
  }

  /// Makes a start of a program with its arguments, including its name.
  package init(_ arguments: [String], program: String? = nil, environment: [String: String]? = nil)
  {
    self.program = program ?? arguments.first ?? ""
    self.arguments = arguments
    self.environment = environment
  }

  /// Starts the program, and returns its process, which the caller waits for (`ExitStatus.wait`).
  package func start() throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let first = max(3, (descriptors.keys.max() ?? 0) + 1)
    let copies = try arrange(&actions, from: first)
    defer { for copy in copies { close(copy) } }
    // The parent process of airprint may have left others open.
    for number in 3..<first where descriptors[number] == nil {
      posix_spawn_file_actions_addclose(&actions, number)
    }
    closeDescriptors(from: first, in: &actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    set(&attributes)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      (environment ?? [:]).map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    let problem =
      environment == nil
      ? posix_spawnp(&process, program, &actions, &attributes, &words, environ)
      : posix_spawnp(&process, program, &actions, &attributes, &words, &variables)
    guard problem == 0 else { throw SystemError(problem) }
    return process
  }

  /// Arranges the program's descriptors; returns the copies to close after the start.
  private func arrange(
    _ actions: inout posix_spawn_file_actions_t, from first: Int32
  ) throws(SystemError) -> [Int32] {
    var copies: [Int32] = []
    for (number, descriptor) in descriptors.sorted(by: { $0.key < $1.key }) {
      switch descriptor {
      case .null:
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      case .copy(let source):
        // Above all named ones, so that none is overwritten before it is copied, and with another number, because a
        // descriptor that is copied to itself stays closed on exec.
        let copy = fcntl(source, F_DUPFD_CLOEXEC, first)
        guard copy >= 0 else {
          let problem = SystemError()
          for copy in copies { close(copy) }
          throw problem
        }
        copies.append(copy)
        posix_spawn_file_actions_adddup2(&actions, copy, number)
      }
    }
    return copies
  }

  private func set(_ attributes: inout posix_spawnattr_t) {
    var flags = POSIX_SPAWN_SETSIGDEF
    var usual = sigset_t()
    sigemptyset(&usual)
    if !keepsSignalMask {
      posix_spawnattr_setsigmask(&attributes, &usual)
      flags |= POSIX_SPAWN_SETSIGMASK
    }
    for number in isInterruptible ? [SIGPIPE, SIGINT, SIGTERM] : [SIGPIPE] {
      sigaddset(&usual, number)
    }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    switch group {
    case .inherited: break
    case .own:
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= POSIX_SPAWN_SETPGROUP
    case .session: flags |= 0x80  // POSIX_SPAWN_SETSID, which Swift's Glibc hides
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }
}

/// Makes a program started by posix_spawn(3) close every descriptor from `first` on.
///
/// It uses posix_spawn_file_actions_addclosefrom_np of glibc 2.34, which is missing in Swift's Glibc; with an older C
/// library, they stay open.
private func closeDescriptors(
  from first: Int32, in actions: UnsafeMutablePointer<posix_spawn_file_actions_t>
) {
  typealias Function =
    @convention(c) (
      UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
    ) -> Int32
  guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
  _ = unsafeBitCast(symbol, to: Function.self)(actions, first)
}

/// A program that runs beside this one: a notification that waits for an answer, or a command of the configuration.
package final class ChildProgram: Sendable {
  private let pid: pid_t
  private let isOver = Mutex(false)

  /// Starts a program, looked up in PATH; its standard output is read, standard input is empty.
  ///
  /// `ended` is called on another thread with its output, at most 4 kB, and its exit status, nil for a signal.
  ///
  /// - `isQuiet`: discards its standard error.
  ///
  /// The failure is the reason why it can't be started.
  package init(
    _ arguments: [String], adding variables: [String: String] = [:],
    _ environment: [String: String], isQuiet: Bool = false,
    ended: @escaping @Sendable (_ output: String, _ status: Int32?) -> Void
  ) throws(SystemError) {
    let ends = try SocketPair()
    let reader = ends.own
    defer { close(ends.other) }
    var start = ProgramStart(arguments, environment: environment.merging(variables) { $1 })
    start.descriptors = [0: .null, 1: .copy(of: ends.other)]
    if isQuiet { start.descriptors[2] = .null }
    // notify-send removes its notification on SIGINT.
    start.isInterruptible = true
    do throws(SystemError) {
      pid = try start.start()
    } catch {
      close(reader)
      throw error
    }
    detachThread { [self] in
      let output = shortText(from: reader) ?? ""
      close(reader)
      ended(output, reap())
    }
  }

  /// Asks it to end; notify-send then removes its notification.
  package func interrupt() {
    isOver.withLock { if !$0 { _ = kill(pid, SIGINT) } }
  }

  private func reap() -> Int32? {
    // Its ID stays in use until this process has recorded its end.
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return isOver.withLock { isOver in
      isOver = true
      guard case .exit(let code) = ExitStatus.wait(for: pid) else { return nil }
      return code
    }
  }
}

/// Result of a process.
package enum ExitStatus: Equatable, Sendable {
  case exit(Int32)
  case signal(Int32)

  /// Decodes wait(2)'s status, whose macros Swift does not have.
  package init(waitStatus status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
  }

  /// The code as in a shell: the exit status, or 128 plus the signal.
  package var code: Int32 {
    switch self {
    case .exit(let code): code
    case .signal(let number): 128 + number
    }
  }

  /// Waits on this thread until a child ends, and returns its result.
  @discardableResult
  package static func wait(for process: pid_t) -> ExitStatus {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return ExitStatus(waitStatus: status)
  }

  /// Returns a child's result; nil while it runs.
  package static func poll(_ process: pid_t) -> ExitStatus? {
    var status: Int32 = 0
    return waitpid(process, &status, WNOHANG) == process ? ExitStatus(waitStatus: status) : nil
  }
}
