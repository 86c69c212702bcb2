package import Glibc

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
