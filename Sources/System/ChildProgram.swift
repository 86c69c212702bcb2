internal import Glibc
internal import Synchronization

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
