internal import Glibc
internal import PrintModel
internal import Synchronization
internal import System

/// A program beside this one: a notification that waits for an answer, or a command of the configuration.
final class ChildProgram: Sendable {
  private let pid: pid_t
  private let isOver = Mutex(false)

  /// Starts a program, looked up in PATH; its standard output is read, standard input is empty. `ended`
  /// gets what it wrote, at most 4 kB, and how it exited, nil for a signal, on another thread.
  ///
  /// - Parameter isQuiet: what it says to standard error is nobody's business.
  ///
  /// The failure says why it can't be started.
  init(
    _ arguments: [String], adding variables: [String: String] = [:],
    _ environment: [String: String], isQuiet: Bool = false,
    ended: @escaping @Sendable (_ output: String, _ status: Int32?) -> Void
  ) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw Failure(.fault, "Can't create a socket: \(String(cString: strerror(errno))).") }
    let (reader, writer) = (ends[0], ends[1])
    defer { close(writer) }
    var process: pid_t = 0
    let merged = environment.merging(variables) { $1 }.map { "\($0.key)=\($0.value)" }
    let problem = ChildProgram.spawn(&process, arguments, merged, output: writer, isQuiet)
    guard problem == 0 else {
      close(reader)
      throw Failure(
        .fault, "\(arguments[0]) can't be started: \(String(cString: strerror(problem))).")
    }
    pid = process
    detachThread { [self] in
      let output = ChildProgram.everything(from: reader)
      close(reader)
      let status = reap()
      ended(output, status)
    }
  }

  /// Asks it to end; notify-send then takes its notification away.
  func interrupt() {
    isOver.withLock { if !$0 { _ = kill(pid, SIGINT) } }
  }

  private func reap() -> Int32? {
    // Its number stays taken until it is known here that it is over.
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return isOver.withLock { isOver in
      isOver = true
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }
  }

  private static func everything(from descriptor: Int32) -> String {
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1024)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: output, as: UTF8.self) }
      if output.count < 4096 { output += piece[..<count] }
    }
  }

  private static func spawn(
    _ process: inout pid_t, _ arguments: [String], _ environment: [String], output: Int32,
    _ isQuiet: Bool
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    closeDescriptors(from: 3, in: &actions)
    if isQuiet { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    return posix_spawnp(&process, arguments[0], &actions, &attributes, &words, &variables)
  }
}
