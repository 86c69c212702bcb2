package import Glibc

/// End of a process.
package enum ExitStatus: Equatable, Sendable {
  case exit(Int32)
  case signal(Int32)

  /// Of wait(2)'s status, whose macros Swift does not have.
  package init(waitStatus status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
  }

  /// As a shell has it: the exit status, or 128 plus the signal.
  package var code: Int32 {
    switch self {
    case .exit(let code): code
    case .signal(let number): 128 + number
    }
  }

  /// Waits on this thread until a child ends, and returns how it did.
  @discardableResult
  package static func wait(for process: pid_t) -> ExitStatus {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return ExitStatus(waitStatus: status)
  }

  /// End of a child; nil while it runs.
  package static func poll(_ process: pid_t) -> ExitStatus? {
    var status: Int32 = 0
    return waitpid(process, &status, WNOHANG) == process ? ExitStatus(waitStatus: status) : nil
  }
}
