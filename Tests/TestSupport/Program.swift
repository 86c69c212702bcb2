import FoundationEssentials
import Glibc
import Synchronization
import System

/// The exit and the output of a program.
package struct Outcome: Sendable {
  package var output: [UInt8]
  package var errors: [UInt8]
  package var end: End
  /// The time from its start to its end.
  package var wallTime: Duration
  /// The processor time of the program and of those that it started and waited for.
  package var processorTime = Duration.zero

  package enum End: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
    /// Killed because its time ran out.
    case timedOut
  }

  package var stdout: String { String(decoding: output, as: UTF8.self) }
  package var stderr: String { String(decoding: errors, as: UTF8.self) }
  /// The exit code; nil if it did not exit by itself.
  package var code: Int32? { if case .exited(let code) = end { code } else { nil } }
}

/// A program that a test started.
///
/// It runs in its own session, without a controlling terminal unless it is given one, so that it can't reach the
/// developer's terminal and Ctrl-C there does not reach it.
package final class Program: Sendable {
  package let pid: Int32
  package let arguments: [String]
  private let started = ContinuousClock.now
  private let state: Mutex<State>

  private struct State {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    /// The descriptor that `send` writes to.
    var input: Int32?
    var outcome: Outcome?
    /// Those that wait for the outcome.
    var waiting: [CheckedContinuation<Outcome, Never>] = []
    var isReaped = false
    var wasKilled = false
    /// True once its terminal is no longer held open.
    var isHungUp = false
    /// The time at which it will be killed.
    var deadline: ContinuousClock.Instant?
  }

  /// The standard input of a program.
  package enum Input: Sendable {
    /// /dev/null
    case none
    /// These bytes, then end of file.
    case bytes([UInt8])
    /// The bytes that `send` writes, until `closeInput`.
    case sent
  }

  /// Starts a program with pipes.
  ///
  /// - `arguments`: the program first: a path, a name to look up, or `airprint` for the one that was built with these
  ///   tests.
  /// - `environment`: the complete environment; usually `Scratch.environment` or `Bench.environment`.
  package convenience init(
    _ arguments: [String], environment: [String: String] = Scratch.shared.environment,
    input: Input = .none
  ) throws {
    try self.init(bytes: arguments.map { Array($0.utf8) }, environment: environment, input: input)
  }

  /// Starts a program with arguments that don't have to be text.
  package init(
    bytes arguments: [[UInt8]], environment: [String: String] = Scratch.shared.environment,
    input: Input = .none
  ) throws {
    let pipes = try Pipes(withInput: input.isPipe)
    self.arguments = arguments.map { String(decoding: $0, as: UTF8.self) }
    pid = try spawn(arguments, environment, pipes.actions)
    let (writeEnd, readEnds) = pipes.keepOwnEnds()
    state = Mutex(State(input: input.isSent ? writeEnd : nil))
    pump(readEnds)
    if case .bytes(let bytes) = input, let writeEnd {
      detachThread {
        writeAll(bytes, to: writeEnd)
        close(writeEnd)
      }
    }
  }

  /// Starts a program in a terminal, for all of its input and output.
  init(
    _ arguments: [String], environment: [String: String], in terminal: PseudoTerminal
  ) throws {
    self.arguments = arguments
    pid = try spawn(arguments.map { Array($0.utf8) }, environment, terminal.actions)
    state = Mutex(State(input: try duplicate(terminal.master)))
    pump([try duplicate(terminal.master)])
  }

  /// Starts a program with a terminal as its standard error, and pipes for the rest.
  init(
    _ arguments: [String], environment: [String: String], errorsOn terminal: PseudoTerminal,
    isControlling: Bool
  ) throws {
    let pipes = try Pipes(withInput: true, withErrors: false)
    self.arguments = arguments
    pid = try spawn(arguments.map { Array($0.utf8) }, environment) {
      pipes.actions(&$0)
      terminal.errorActions(&$0, isControlling: isControlling)
    }
    let (writeEnd, readEnds) = pipes.keepOwnEnds()
    state = Mutex(State(input: writeEnd))
    pump(readEnds + [try duplicate(terminal.master)])
  }

  // MARK: While it runs

  package var isRunning: Bool { state.withLock { $0.outcome == nil } }
  /// The standard output so far; in a terminal, this is all output.
  package var output: [UInt8] { state.withLock { $0.output } }
  package var errors: [UInt8] { state.withLock { $0.errors } }

  /// The resident memory (VmRSS) in kB; nil if the program has ended.
  package var residentMemory: Int? {
    let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }

  package func signal(_ number: Int32) {
    state.withLock { if !$0.isReaped { _ = kill(pid, number) } }
  }

  package func send(_ text: String) {
    state.withLock { if let input = $0.input { writeAll(Array(text.utf8), to: input) } }
  }

  package func closeInput() {
    state.withLock {
      if let input = $0.input { close(input) }
      $0.input = nil
    }
  }

  /// Closes its terminal, as far as this object holds it open.
  func hangUp() { state.withLock { $0.isHungUp = true } }

  /// Waits until the program has written `text` to standard output or standard error.
  package func wait(for text: String, within limit: Duration = timeout) async throws {
    try await eventually("\(arguments[0]) writes “\(text)”", within: limit) {
      // Checked first, so that output written just before the end is not missed.
      let wasRunning = self.isRunning
      let written = String(decoding: self.output + self.errors, as: UTF8.self)
      if written.contains(text) { return true }
      guard wasRunning else { throw Missing("\(self.arguments[0]) ended with: \(written)") }
      return false
    }
  }

  /// Waits until it ends, and kills it if that takes longer than `limit`.
  package func end(within limit: Duration = timeout) async -> Outcome {
    let deadline = ContinuousClock.now + limit
    // The program's own thread enforces the deadline, because other tests' work may delay this one.
    state.withLock { $0.deadline = min($0.deadline ?? deadline, deadline) }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state in
          if state.outcome == nil { state.waiting.append(continuation) }
          return state.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      state.withLock { $0.deadline = .now }
    }
  }

  // MARK: On a thread of its own

  /// Reads until the streams end.
  ///
  /// If a stream is still open a second after the program ended, a program that it left behind holds it. Reading then
  /// stops.
  private func pump(_ descriptors: [Int32]) {
    detachThread { [self] in
      var open = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      var lastChance: ContinuousClock.Instant?
      while open.contains(where: { $0.fd >= 0 }), lastChance.map({ $0 > .now }) ?? true {
        poll(&open, nfds_t(open.count), 100)
        for index in open.indices where open[index].revents != 0 {
          if !keepReading(open[index].fd, isError: index == 1) { end(&open[index]) }
        }
        // A terminal is always the last descriptor.
        if state.withLock({ $0.isHungUp }) { end(&open[open.count - 1]) }
        if lastChance == nil, hasEnded() { lastChance = .now + .seconds(1) }
        killWhenLate()
      }
      var pause: UInt32 = 500
      while !hasEnded() {
        killWhenLate()
        usleep(pause)
        pause = min(pause * 2, 16_000)
      }
      for index in open.indices { end(&open[index]) }
      finish()
    }
  }

  private func end(_ stream: inout pollfd) {
    if stream.fd >= 0 { close(stream.fd) }
    stream.fd = -1
  }

  private func keepReading(_ descriptor: Int32, isError: Bool) -> Bool {
    let chunk = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
    state.withLock {
      if isError { $0.errors += chunk } else { $0.output += chunk }
    }
    return !chunk.isEmpty
  }

  /// Returns true if the program has ended.
  ///
  /// Its pid stays reserved until `finish`, so that no signal hits another process.
  private func hasEnded() -> Bool {
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT | WNOHANG) != 0, errno == EINTR {
    }
    return information.si_signo == SIGCHLD
  }

  private func killWhenLate() {
    state.withLock {
      guard let deadline = $0.deadline, deadline <= .now, !$0.wasKilled else { return }
      $0.wasKilled = true
      kill(pid, SIGKILL)
    }
  }

  private func finish() {
    let wallTime = started.duration(to: .now)
    closeInput()
    let (outcome, waiting) = state.withLock {
      var status: Int32 = 0
      var usage = rusage()
      wait4(pid, &status, 0, &usage)
      $0.isReaped = true
      let signal = status & 0x7F
      let end: Outcome.End =
        $0.wasKilled ? .timedOut : signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
      let times = [usage.ru_utime, usage.ru_stime]
      let outcome = Outcome(
        output: $0.output, errors: $0.errors, end: end, wallTime: wallTime,
        processorTime: times.reduce(.zero) { sum, time in
          sum + .seconds(time.tv_sec) + .microseconds(time.tv_usec)
        })
      let waiting = $0.waiting
      ($0.outcome, $0.waiting) = (outcome, [])
      return (outcome, waiting)
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }
}

extension Program.Input {
  fileprivate var isPipe: Bool { if case .none = self { false } else { true } }
  fileprivate var isSent: Bool { if case .sent = self { true } else { false } }
}

/// Runs a program to its end.
///
/// - `arguments`: as for `Program`; `airprint` is the one that was built with these tests.
/// - `input`: its standard input; nil for /dev/null.
/// - `timeout`: the time after which it is killed.
package func run(
  _ arguments: [String], environment: [String: String] = Scratch.shared.environment,
  input: [UInt8]? = nil, timeout: Duration = timeout
) async throws -> Outcome {
  let program = try Program(
    arguments, environment: environment, input: input.map(Program.Input.bytes) ?? .none)
  return await program.end(within: timeout)
}
