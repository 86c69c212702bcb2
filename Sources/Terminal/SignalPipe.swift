import Glibc
import Synchronization

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
