import Glibc
import Synchronization

/// The pipe through which signals, and other threads, wake the thread that waits for keys.
///
/// A handler may only write a byte. The pipe is made once and never closed, so that one that runs late
/// writes to nobody else's descriptor.
enum SignalPipe {
  /// The byte that is not a signal: there is news.
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

  /// The end to wait on.
  static func readEnd() throws(TerminalError) -> Int32 { try ends.get() }

  /// Safe in a signal handler, once `readEnd` was called.
  ///
  /// A full pipe wakes its reader as well.
  static func post(_ byte: UInt8) {
    let saved = errno
    var byte = byte
    _ = Glibc.write(writeEnd.load(ordering: .relaxed), &byte, 1)
    errno = saved
  }

  /// Messages posted since the last call.
  static func drain() throws(TerminalError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(try readEnd(), &buffer, buffer.count)
    return count > 0 ? Array(buffer.prefix(count)) : []
  }
}

/// The signals that come through `SignalPipe` for a while, and what they did before.
struct CaughtSignals {
  private var former: [(number: Int32, action: sigaction)] = []

  /// A signal that was ignored stays so: `nohup` and shells mean it.
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

  /// Writes `number` to the pipe.
  static func catchSignal(_ number: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { SignalPipe.post(UInt8(truncatingIfNeeded: $0)) }
    action.sa_flags = SA_RESTART
    sigaction(number, &action, nil)
  }

  /// Stops this process as Ctrl-Z does; returns when it is continued.
  ///
  /// In a process group that nobody could continue the system does not stop it. The thread may have
  /// SIGTSTP blocked, as Dispatch's have.
  static func stopProcess() {
    signal(SIGTSTP, SIG_DFL)
    // A process that stops here knows without the handler that it was continued.
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
