internal import Confinement
internal import FoundationEssentials
internal import Glibc
internal import Logging
internal import PrintModel
internal import System

private let log = Logger(label: "render")

/// One worker, seen from its parent.
///
/// It is killed and waited for when this object goes.
final class WorkerProcess {
  /// Our end of the conversation; readable when the worker has sent something.
  let socket: Int32
  private let process: pid_t
  private var buffer = WorkerMessageBuffer()
  /// Room for what is taken from the socket at one time.
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
  private let limits: WorkerLimits
  private var patience: WorkerTimeout
  /// Answers of the kind `.info` that it was asked for and has not given.
  private var owedInfos = 0
  private var hasToldGaps = false
  /// Its wait status, once that is known.
  private var status: ExitStatus?
  /// Its output is one file, whose pages are not told apart.
  var drawsOnePiece = false
  /// It ended because it might take no more memory.
  private(set) var isShortOfMemory = false
  /// It ended by a SIGKILL that was none of ours.
  private(set) var wasKilled = false

  /// Starts `executable` as a worker with `document` as its standard input, and `attachments` from
  /// `Worker.firstAttachment` on; or takes the one that waits for a document without attachments.
  init(
    document: Int32, attachments: [Int32], executable: String, limits: WorkerLimits
  ) throws(Failure) {
    self.limits = limits
    if attachments.isEmpty, let forked = WorkerProcess.takeForked(document) {
      (process, socket) = forked
      patience = WorkerTimeout(with: process, limits)
      return
    }
    do throws(SystemError) {
      let ends = try SocketPair()
      socket = ends.own
      defer { close(ends.other) }
      var size: Int32 = 4 << 20
      setsockopt(ends.other, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
      do throws(SystemError) {
        process = try WorkerProcess.start(
          executable, input: document, output: ends.other, attachments)
      } catch {
        close(ends.own)
        throw error
      }
    } catch {
      throw Failure(.fault, "A render worker can't be started: \(error).")
    }
    patience = WorkerTimeout(with: process, limits)
  }

  deinit {
    stop()
    close(socket)
    piece.deallocate()
  }

  func tell(_ command: WorkerCommand) {
    switch command {
    case .inspect, .measure, .layOut, .nextPage: owedInfos += 1
    case .draw, .decode, .lines, .unpack: break
    }
    var pages = 1
    // Each is drawn, and written; and so is what they have in common.
    if case .draw(let job) = command, drawsOnePiece { pages = 2 * job.sides.count + 1 }
    patience.beginAnswer(pages: pages)
    let payload = command.workerBytes
    let bytes = WorkerMessage.head(.command, length: payload.count) + payload
    // A worker that is gone is noticed when it is read from.
    _ = bytes.withUnsafeBytes { sendAll($0, to: socket) }
  }

  /// Gives sides of many pixels more time: see `WorkerTimeout`.
  func allow(for pixels: Int) { patience.allow(for: pixels) }

  /// Takes what the worker has sent so far, without waiting.
  ///
  /// True when that is all. The failure is its own, or that it died.
  func receive() throws(Failure) -> Bool {
    let count = recv(socket, piece.baseAddress, piece.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      patience.hear()
      buffer.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      return count < piece.count
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      throw died()
    }
    return true
  }

  /// The next whole frame among those received.
  ///
  /// A failure frame is thrown as the failure in it.
  func nextFrame() throws(Failure) -> WorkerMessage? {
    while let frame = try buffer.next() {
      if let frame = try judge(frame) { return frame }
    }
    return nil
  }

  /// The frame, unless it is not part of the work: gaps are reported, and a failure is thrown.
  ///
  /// Only what was asked for gives the worker new time: its document may have taken it over.
  private func judge(_ frame: WorkerMessage) throws(Failure) -> WorkerMessage? {
    switch frame.kind {
    case .info:
      guard owedInfos > 0 else { throw WorkerMessage.unexpected }
      owedInfos -= 1
      patience.beginAnswer()
    case .endOfSide: patience.beginAnswer()
    case .data:
      // In one piece, one without bytes says that a page is done.
      if drawsOnePiece {
        patience.endPage()
      } else if frame.payload.isEmpty {
        throw WorkerMessage.unexpected
      }
    case .failure:
      let said = try? JSONDecoder().decode(WireFailure.self, from: Data(frame.payload))
      guard let said else { throw died() }
      isShortOfMemory = said.subjectShortOfMemory != nil
      // The worker does not know whose limit it has met, nor how much that was.
      throw said.subjectShortOfMemory.map(limits.outOfMemory) ?? said.failure
    case .gaps:
      guard !hasToldGaps else { throw WorkerMessage.unexpected }
      hasToldGaps = true
      let gaps = try? JSONDecoder().decode([WorkerSandbox.Gap].self, from: Data(frame.payload))
      for gap in gaps ?? [] { log.debug("\(gap.words)") }
      return nil
    case .note, .command: break
    }
    return frame
  }

  /// Counts the time since `begin` as spent on this worker alone.
  func countWait(since begin: ContinuousClock.Instant) { patience.wait(since: begin) }

  /// For a caller that has waited, and heard something or not.
  ///
  /// Stops the worker at its limits. `isDrained`: see `receive`.
  func checkPatience(isDrained: Bool = true) throws(Failure) {
    do throws(Failure) {
      try patience.check(isDrained: isDrained)
    } catch {
      stop()
      throw error
    }
  }

  /// Waits for the next frame.
  ///
  /// - `isStarved`: true while the worker can't go on for want of its document: then nothing is its fault.
  func awaitFrame(
    _ cancellation: Cancellation, unless isStarved: () -> Bool = { false }
  ) throws(Failure) -> WorkerMessage {
    while true {
      if let frame = try nextFrame() { return frame }
      if cancellation.isRaised { throw Failure(.interrupted, "Interrupted.") }
      let begin = ContinuousClock.now
      var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let isDrained = try poll(&waiting, 1, 100) > 0 ? receive() : true
      if isStarved() { patience.hear() } else { countWait(since: begin) }
      // It is looked at first: it may be the end of a page.
      let frame = try nextFrame()
      try checkPatience(isDrained: isDrained && frame == nil)
      if let frame { return frame }
    }
  }

  private func died() -> Failure {
    reap()
    isShortOfMemory = status == .exit(WorkerSandbox.outOfMemory)
    wasKilled = status == .signal(SIGKILL)
    return isShortOfMemory ? limits.outOfMemory() : limits.crashed
  }

  private func stop() {
    if status == nil { kill(process, SIGKILL) }
    reap()
  }

  private func reap() {
    if status == nil { status = ExitStatus.wait(for: process) }
  }

  private static func takeForked(
    _ document: Int32
  ) -> (process: pid_t, socket: Int32)? {
    if log.logLevel <= .debug {
      return ForkedWorker.take(document: document, errors: STDERR_FILENO)
    }
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { return nil }
    defer { close(null) }
    return ForkedWorker.take(document: document, errors: null)
  }

  /// A worker's standard output is a socket that both sides talk through.
  ///
  /// Everything else that is open is closed.
  private static func start(
    _ executable: String, input: Int32, output: Int32, _ attachments: [Int32]
  ) throws(SystemError) -> pid_t {
    var start = ProgramStart(["airprint", Worker.command], program: executable)
    start.descriptors = [0: .copy(of: input), 1: .copy(of: output)]
    for (index, attachment) in attachments.enumerated() {
      start.descriptors[Worker.firstAttachment + Int32(index)] = .copy(of: attachment)
    }
    // Messages of libraries when they end a process are for who looks into it.
    if log.logLevel > .debug { start.descriptors[STDERR_FILENO] = .null }
    start.keepsSignalMask = true
    return try start.start()
  }
}
