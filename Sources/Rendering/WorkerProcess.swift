internal import Confinement
internal import Glibc
internal import Logging
internal import PrintModel
internal import Synchronization
internal import System

private let log = Logger(label: "render")

/// One worker, seen from its parent.
///
/// It is killed and reaped when this object is released.
final class WorkerProcess {
  /// The parent's end of the socket; readable when the worker has sent something.
  let socket: Int32
  private let process: pid_t
  private var buffer = WorkerMessageBuffer()
  /// Buffer for a single read from the socket.
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
  /// Commands, or the rest of one, for which the socket had no room.
  private var unsent: ArraySlice<UInt8> = []
  let limits: WorkerLimits
  /// How long its answers may take.
  var timeout: WorkerTimeout
  /// Number of requested `.info` answers that have not arrived.
  private(set) var owedInfos = 0
  private var hasToldGaps = false
  /// Its wait status, once it is known.
  private var status: ExitStatus?
  /// True if its output is one file, without separate pages.
  var drawsOnePiece = false
  /// True if it ended at its memory limit.
  private(set) var isShortOfMemory = false
  /// True if it was ended by a SIGKILL that airprint did not send.
  private(set) var wasKilled = false

  /// Starts `executable` as a worker with `document` as its standard input, and `attachments` from
  /// `Worker.firstAttachment` on; or gives them to the forked worker that is waiting for a document.
  init(
    document: Int32, attachments: [Int32], executable: String, limits: WorkerLimits
  ) throws(Failure) {
    self.limits = limits
    if let forked = WorkerProcess.takeForked(document, attachments) {
      (process, socket) = forked
      timeout = WorkerTimeout(with: process, limits)
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
      throw .fault("A render worker can't be started: \(error).")
    }
    timeout = WorkerTimeout(with: process, limits)
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
    // Each page is drawn and written; so is what they share.
    if case .draw(_, let sides) = command, drawsOnePiece { pages = 2 * sides.count + 1 }
    timeout.beginAnswer(pages: pages)
    let payload = command.workerBytes
    unsent += WorkerMessage.head(.command, length: payload.count) + payload
    flush()
  }

  /// Sends what the worker takes of its commands now.
  ///
  /// It never waits: the worker may itself be waiting until its output is read, or may have been taken over.
  func flush() {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, noSignal | Int32(MSG_DONTWAIT))
      }
      if count < 0 && errno == EINTR { continue }
      // A worker that has ended is noticed at the next read.
      guard count > 0 else { return }
      unsent.removeFirst(count)
    }
  }

  /// Reads what the worker has sent so far, without waiting.
  ///
  /// Returns true when that is all. Throws if the worker has ended.
  func receive() throws(Failure) -> Bool {
    let count = recv(socket, piece.baseAddress, piece.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      timeout.hear()
      buffer.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      return count < piece.count
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      throw died()
    }
    return true
  }

  /// The next complete frame among those received.
  ///
  /// Throws the failure in a failure frame.
  func nextFrame() throws(Failure) -> WorkerMessage? {
    while let frame = try buffer.next() {
      if let frame = try judge(frame) { return frame }
    }
    return nil
  }

  /// The frame, unless it is not part of the work: gaps are logged, and a failure is thrown.
  ///
  /// Only requested answers restart the worker's time: its document may have taken it over.
  private func judge(_ frame: WorkerMessage) throws(Failure) -> WorkerMessage? {
    switch frame.kind {
    case .info:
      guard owedInfos > 0 else { throw WorkerMessage.unexpected }
      owedInfos -= 1
      timeout.beginAnswer()
    case .endOfSide: timeout.beginAnswer()
    case .data:
      // In a single file, an empty frame marks the end of a page.
      if drawsOnePiece {
        timeout.endPage()
      } else if frame.payload.isEmpty {
        throw WorkerMessage.unexpected
      }
    case .failure:
      guard let said = try? WireFailure(workerBytes: frame.payload) else {
        throw WorkerMessage.unexpected
      }
      isShortOfMemory = said.reason == .memoryShortage
      // The worker can't determine which limit it has hit, nor how large that was.
      throw isShortOfMemory ? limits.outOfMemory(said.subject) : said.failure
    case .gaps:
      guard !hasToldGaps else { throw WorkerMessage.unexpected }
      hasToldGaps = true
      let gaps = try? [WorkerSandbox.Gap](workerBytes: frame.payload)
      for gap in gaps ?? [] { log.debug("\(gap.words)") }
      return nil
    case .losses, .renderers, .command: break
    }
    return frame
  }

  /// Checks the worker's limits after waiting for it, whether or not anything was received.
  ///
  /// Stops the worker at its limits. `isDrained`: see `receive`.
  func checkTimeout(isDrained: Bool = true) throws(Failure) {
    do throws(Failure) {
      try timeout.check(isDrained: isDrained)
    } catch {
      stop()
      throw error
    }
  }

  /// Waits for the next frame.
  ///
  /// - `isStarved`: true while the worker can't continue because its document has not arrived; this time is not
  ///   counted.
  func awaitFrame(
    _ cancellation: Cancellation, unless isStarved: () -> Bool = { false }
  ) throws(Failure) -> WorkerMessage {
    while true {
      if let frame = try nextFrame() { return frame }
      if cancellation.isRaised { throw .interrupted(by: cancellation.signal) }
      let begin = ContinuousClock.now
      flush()
      var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let isDrained = try poll(&waiting, 1, 100) > 0 ? receive() : true
      if isStarved() { timeout.hear() } else { timeout.wait(since: begin) }
      // Read the frame before checking limits: it may end a page.
      let frame = try nextFrame()
      try checkTimeout(isDrained: isDrained && frame == nil)
      if let frame { return frame }
    }
  }

  /// Its failure after it has closed its socket: it has ended, or does so at once.
  ///
  /// Otherwise its document has taken it over, and it is ended here.
  private func died() -> Failure {
    for _ in 0..<2_000 where status == nil {
      status = ExitStatus.poll(process)
      if status == nil { usleep(2_000) }
    }
    defer { stop() }
    isShortOfMemory = status == .exit(WorkerSandbox.outOfMemory)
    wasKilled = status == .signal(SIGKILL)
    return isShortOfMemory ? limits.outOfMemory() : limits.crashed
  }

  private func stop() {
    guard status == nil else { return }
    kill(process, SIGKILL)
    status = ExitStatus.wait(for: process)
  }

  private static func takeForked(
    _ document: Int32, _ attachments: [Int32]
  ) -> (process: pid_t, socket: Int32)? {
    if log.logLevel <= .debug {
      return ForkedWorker.take([document, STDERR_FILENO] + attachments)
    }
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { return nil }
    defer { close(null) }
    return ForkedWorker.take([document, null] + attachments)
  }

  /// Starts a worker whose standard output is a socket for both directions.
  ///
  /// All other open descriptors are closed.
  private static func start(
    _ executable: String, input: Int32, output: Int32, _ attachments: [Int32]
  ) throws(SystemError) -> pid_t {
    var start = ProgramStart(["airprint", Worker.command], program: executable)
    start.descriptors = [0: .copy(of: input), 1: .copy(of: output)]
    for (index, attachment) in attachments.enumerated() {
      start.descriptors[Worker.firstAttachment + Int32(index)] = .copy(of: attachment)
    }
    // Messages of libraries that abort the process only matter for debugging.
    if log.logLevel > .debug { start.descriptors[STDERR_FILENO] = .null }
    start.keepsSignalMask = true
    return try start.start()
  }
}

/// The worker that commands which draw have from their start (CStart forks it).
///
/// It waits at its socket for the document, which arrives as descriptors; from then on it works like any other worker.
package enum ForkedWorker {
  /// The process and the parent's end of its socket, until a document is given to it.
  private static let waiting = Mutex<(process: pid_t, socket: Int32)?>(nil)

  /// Makes this worker the one that draws the next document.
  package static func offer(_ process: Int32, _ socket: Int32) {
    waiting.withLock { $0 = (process, socket) }
  }

  /// The worker, with its standard input, its standard error, and the attachments; nil when none is waiting, it has
  /// ended, or these are more than the kernel sends.
  static func take(_ descriptors: [Int32]) -> (process: pid_t, socket: Int32)? {
    guard let worker = waiting.withLock({ $0.take() }) else { return nil }
    if send(descriptors, over: worker.socket) { return worker }
    close(worker.socket)
    return nil
  }

  /// Takes over the document and the standard error that the parent sends, and returns the attachments.
  ///
  /// nil when the parent has ended.
  static func adopt(from parent: Int32) -> [Int32]? {
    guard let given = receive(from: parent), given.count >= 2 else { return nil }
    for (number, descriptor) in zip([STDIN_FILENO, STDERR_FILENO], given) {
      dup2(descriptor, number)
      close(descriptor)
    }
    return Array(given.dropFirst(2))
  }

  // MARK: Descriptors over a socket (unix(7), SCM_RIGHTS; cmsg(3)'s macros are none that Swift has)

  private static let rights: Int32 = 1  // SCM_RIGHTS
  private static let headLength = MemoryLayout<cmsghdr>.size
  /// The most descriptors of one message (SCM_MAX_FD).
  private static let most = 253

  private static func send(_ descriptors: [Int32], over socket: Int32) -> Bool {
    withMessage(descriptors.count) { message, control in
      var head = cmsghdr()
      head.cmsg_len = .init(headLength + descriptors.count * MemoryLayout<Int32>.size)
      head.cmsg_level = SOL_SOCKET
      head.cmsg_type = rights
      control.storeBytes(of: head, as: cmsghdr.self)
      for (index, descriptor) in descriptors.enumerated() {
        control.storeBytes(of: descriptor, toByteOffset: headLength + 4 * index, as: Int32.self)
      }
      message.msg_controllen = .init(head.cmsg_len)
      return sendmsg(socket, &message, noSignal) == 1
    }
  }

  private static func receive(from socket: Int32) -> [Int32]? {
    withMessage(most) { message, control in
      var got = recvmsg(socket, &message, 0x4000_0000)  // MSG_CMSG_CLOEXEC
      while got < 0 && errno == EINTR { got = recvmsg(socket, &message, 0x4000_0000) }
      let head = control.load(as: cmsghdr.self)
      guard got == 1, head.cmsg_type == rights else { return nil }
      let count = (Int(head.cmsg_len) - headLength) / MemoryLayout<Int32>.size
      return (0..<count).map { control.load(fromByteOffset: headLength + 4 * $0, as: Int32.self) }
    }
  }

  /// Calls `body` with a message of one byte that has room for `count` descriptors.
  private static func withMessage<Result>(
    _ count: Int, _ body: (inout msghdr, UnsafeMutableRawBufferPointer) -> Result
  ) -> Result {
    let room = headLength + (count + 1) / 2 * 2 * MemoryLayout<Int32>.size
    var byte: UInt8 = 0
    return withUnsafeMutableBytes(of: &byte) { byte in
      withUnsafeTemporaryAllocation(byteCount: room, alignment: MemoryLayout<cmsghdr>.alignment) {
        control in
        control.initializeMemory(as: UInt8.self, repeating: 0)
        var piece = iovec(iov_base: byte.baseAddress, iov_len: 1)
        return withUnsafeMutablePointer(to: &piece) { piece in
          var message = msghdr()
          message.msg_iov = piece
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = .init(room)
          return body(&message, control)
        }
      }
    }
  }
}
