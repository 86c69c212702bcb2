internal import Confinement
internal import FoundationEssentials
internal import Glibc
internal import Logging
internal import PrintModel
internal import System

private let log = Logger(label: "render")

/// One worker, seen from its parent. It is killed and waited for when this object goes.
final class WorkerProcess {
  /// Our end of the conversation; readable when the worker has said something.
  let socket: Int32
  private let process: pid_t
  private var buffer = WorkerMessageBuffer()
  private let limits: WorkerLimits
  private var patience: WorkerTimeout
  /// How it ended, once that is known: waitpid(2).
  private var status: Int32?

  /// Starts `executable` as a worker with `document` as its standard input, and `attachments` from
  /// `Worker.firstAttachment` on.
  init(
    document: Int32, attachments: [Int32], executable: String, limits: WorkerLimits
  ) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw WorkerProcess.failure() }
    defer { close(ends[1]) }
    var size: Int32 = 4 << 20
    setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    guard
      let process = WorkerProcess.spawn(
        executable, input: document, output: ends[1], attachments)
    else {
      close(ends[0])
      throw WorkerProcess.failure()
    }
    socket = ends[0]
    self.process = process
    self.limits = limits
    patience = WorkerTimeout(with: process, limits)
  }

  deinit {
    stop()
    close(socket)
  }

  func tell(_ command: Command) throws(Failure) {
    guard let payload = try? JSONEncoder().encode(command) else {
      throw Failure(.fault, "A render worker can't be told what to draw.")
    }
    let bytes = WorkerMessage.head(.command, length: payload.count) + Array(payload)
    // A worker that is gone says so when it is read from.
    _ = bytes.withUnsafeBytes { writeAll($0, to: socket) }
  }

  /// Takes what the worker has said so far, without waiting. The failure is its own, or that it died.
  func receive() throws(Failure) {
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    let count = piece.withUnsafeMutableBytes {
      recv(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
    }
    if count > 0 {
      patience.renew()
      piece.withUnsafeBytes { buffer.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      throw died()
    }
  }

  /// The next whole frame among those received. A failure frame is thrown as what it says.
  func nextFrame() throws(Failure) -> WorkerMessage? {
    guard let frame = try buffer.next() else { return nil }
    switch frame.kind {
    case .failure:
      let said = try? JSONDecoder().decode(WireFailure.self, from: Data(frame.payload))
      throw said?.failure ?? died()
    case .gaps:
      let gaps = try? JSONDecoder().decode([WorkerSandbox.Gap].self, from: Data(frame.payload))
      for gap in gaps ?? [] { log.debug("\(gap.words)") }
      return try nextFrame()
    default: return frame
    }
  }

  /// For who has waited and heard nothing. Stops the worker at its limits.
  func checkPatience() throws(Failure) {
    do throws(Failure) {
      try patience.check()
    } catch {
      stop()
      throw error
    }
  }

  /// Waits for the next frame.
  func awaitFrame(_ cancellation: Cancellation) throws(Failure) -> WorkerMessage {
    while true {
      if let frame = try nextFrame() { return frame }
      if cancellation.isRaised { throw Failure(.interrupted, "Interrupted.") }
      var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, 100) > 0 { try receive() } else { try checkPatience() }
    }
  }

  private func died() -> Failure {
    reap()
    let isExit = (status ?? 0) & 0x7F == 0
    return isExit && (status ?? 0) >> 8 == WorkerSandbox.outOfMemory
      ? limits.outOfMemory : limits.crashed
  }

  private func stop() {
    if status == nil { kill(process, SIGKILL) }
    reap()
  }

  private func reap() {
    guard status == nil else { return }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    self.status = status
  }

  private static func failure() -> Failure {
    Failure(.fault, "A render worker can't be started: \(String(cString: strerror(errno))).")
  }

  /// posix_spawn, because the worker's standard output is a socket that both sides talk through, and
  /// the parent is a plain thread. Everything else that is open is closed.
  private static func spawn(
    _ executable: String, input: Int32, output: Int32, _ attachments: [Int32]
  ) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Out of the way of the numbers that they get, so that none is overwritten before it is copied.
    let clear = Worker.firstAttachment + Int32(attachments.count)
    let sources = ([input, output] + attachments).map { fcntl($0, F_DUPFD_CLOEXEC, clear) }
    defer { for source in sources where source >= 0 { close(source) } }
    guard sources.allSatisfy({ $0 >= 0 }) else { return nil }
    for (index, source) in sources.enumerated() {
      let target = index < 2 ? Int32(index) : Worker.firstAttachment + Int32(index - 2)
      posix_spawn_file_actions_adddup2(&actions, source, target)
    }
    // Whoever started airprint may have left others open.
    closeDescriptors(from: clear, in: &actions)
    // What libraries say when they end a process is for who looks into it.
    if log.logLevel > .debug {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = [
      strdup("airprint"), strdup(Worker.command), nil,
    ]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    let status = posix_spawn(&process, executable, &actions, nil, &arguments, environ)
    errno = status
    return status == 0 ? process : nil
  }
}
