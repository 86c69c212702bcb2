internal import Glibc
internal import PrintModel
internal import Raster
internal import System

/// The pages of a job as its workers draw them, put in order: side k is drawn by worker k mod n.
///
/// A worker that is ahead is listened to until `mostAhead` bytes of its pages wait here; then its socket
/// fills up and it waits. So both cores work, and memory is bounded however long the document is.
final class RenderStream: DocumentStream {
  private let workers: [WorkerProcess]
  private let cancellation: Cancellation
  private let sides: Int
  /// Frames that have come from each worker, but not left yet, and how many bytes they hold.
  private var waiting: [WorkerMessageQueue]
  private var side = 0
  private var head: [UInt8]

  /// Per worker; a page of a dense 600 dpi color document is 1 to 4 MB.
  private static let mostAhead = 8 << 20

  init(
    _ setup: SheetSetup, _ sides: [SheetSide], workers: [WorkerProcess],
    _ cancellation: Cancellation
  ) throws(Failure) {
    self.workers = workers
    self.cancellation = cancellation
    waiting = workers.map { _ in WorkerMessageQueue() }
    // A PDF is one piece, made by one worker.
    self.sides = setup.output.isOneFile ? 1 : sides.count
    head = RasterFormat(rawValue: setup.output.rawValue)?.fileHead(pages: sides.count) ?? []
    for (index, worker) in workers.enumerated() {
      let share = sides.indices.filter { $0 % workers.count == index }.map { sides[$0] }
      try worker.tell(.draw(DrawingJob(setup: setup, sides: share)))
    }
  }

  var progress: StreamProgress { StreamProgress(sides: side, allSides: sides) }

  func next() throws(Failure) -> [UInt8]? {
    if !head.isEmpty {
      defer { head = [] }
      return head
    }
    while side < sides {
      guard let frame = try nextFrame() else {
        side += 1
        continue
      }
      return frame
    }
    return nil
  }

  /// All the bytes of the next side; nil after the last.
  func nextSide() throws(Failure) -> [UInt8]? {
    guard side < sides else { return nil }
    var bytes: [UInt8] = []
    while let frame = try nextFrame() { bytes += frame }
    side += 1
    return bytes
  }

  /// The next bytes of the current side; nil at its end.
  private func nextFrame() throws(Failure) -> [UInt8]? {
    let current = side % workers.count
    while true {
      if let frame = waiting[current].take() {
        switch frame.kind {
        case .data: return frame.payload
        case .endOfSide: return nil
        // The second and later workers tell what the document is before they draw.
        case .info: continue
        case .failure, .command, .gaps:
          throw Failure(.fault, "A render worker said something out of turn.")
        }
      }
      if cancellation.isRaised { throw Failure(.interrupted, "Interrupted.") }
      try listen(for: current)
    }
  }

  /// Waits a moment for any worker that is not too far ahead, and takes what it says. `current` is the
  /// one that nothing goes on without.
  private func listen(for current: Int) throws(Failure) {
    var sockets = workers.indices.map { index in
      let isFull = waiting[index].bytes >= RenderStream.mostAhead
      return pollfd(
        fd: isFull ? -1 : workers[index].socket, events: Int16(POLLIN), revents: 0)
    }
    let count = poll(&sockets, nfds_t(sockets.count), 100)
    if sockets[current].revents == 0 { try workers[current].checkPatience() }
    guard count > 0 else { return }
    for index in workers.indices where sockets[index].revents != 0 {
      try workers[index].receive()
      while let frame = try workers[index].nextFrame() { waiting[index].add(frame) }
    }
  }
}

/// Frames in the order in which they came.
private struct WorkerMessageQueue {
  private var frames: [WorkerMessage] = []
  private var first = 0
  private(set) var bytes = 0

  mutating func add(_ frame: WorkerMessage) {
    frames.append(frame)
    bytes += frame.payload.count
  }

  mutating func take() -> WorkerMessage? {
    guard first < frames.count else { return nil }
    let frame = frames[first]
    // The payload's memory goes with the frame.
    frames[first].payload = []
    first += 1
    bytes -= frame.payload.count
    if first == frames.count {
      frames.removeAll(keepingCapacity: true)
      first = 0
    }
    return frame
  }
}
