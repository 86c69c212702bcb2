internal import Drawing
internal import Glibc
internal import Logging
package import PrintModel
internal import Raster
internal import System

/// Merges the output of a job's workers in order: side k is drawn by worker k mod n.
///
/// Output of a worker that is ahead is read until `mostAhead` bytes are queued here; then its socket fills up and the
/// worker blocks. So all cores work, and memory is bounded however long the document is.
final class RenderStream: DocumentStream {
  private var workers: [WorkerProcess]
  /// Starts another worker with the same document; nil: workers are not replaced.
  private let startWorker: (() throws(Failure) -> WorkerProcess)?
  private let setup: SheetSetup
  /// For each worker: the sides that it draws, how many of them have arrived completely, and how the next one is drawn.
  private var shares: [[SheetSide]] = []
  private var done: [Int]
  private var memorySavings: [SheetSetup.MemorySaving]
  /// True after some bytes of the current side were returned.
  private var hasBegunSide = false
  private var losses = LossNotes()
  /// Pages that Splash has drawn.
  private(set) var splashed: [Int: SplashReason] = [:]
  /// Pages of sides that are left blank, in every copy, because they can't be drawn.
  private var blanks: Set<[Int]> = []
  private let cancellation: Cancellation
  private let sides: Int
  /// Frames received from each worker but not returned yet.
  private var waiting: [WorkerMessageQueue]
  private var side = 0
  /// Sides whose last byte was returned.
  private var givenOut = 0
  private var head: [UInt8]

  /// Bytes for each worker; a page of a dense 600 dpi color document takes 1 to 4 MB.
  private static let mostAhead = 8 << 20

  init(
    _ setup: SheetSetup, _ sides: [SheetSide], workers: [WorkerProcess],
    _ cancellation: Cancellation, startWorker: (() throws(Failure) -> WorkerProcess)? = nil
  ) throws(Failure) {
    self.workers = workers
    self.setup = setup
    self.startWorker = startWorker
    done = workers.map { _ in 0 }
    memorySavings = workers.map { _ in .none }
    self.cancellation = cancellation
    waiting = workers.map { _ in WorkerMessageQueue() }
    // A PDF is one piece, made by one worker.
    self.sides = setup.output.isOneFile ? 1 : sides.count
    head = RasterFormat(rawValue: setup.output.rawValue)?.fileHead(pages: sides.count) ?? []
    for (index, worker) in workers.enumerated() {
      let share = sides.indices.filter { $0 % workers.count == index }.map { sides[$0] }
      shares.append(share)
      worker.drawsOnePiece = setup.output.isOneFile
      if !setup.output.isOneFile { worker.timeout.allow(for: pixels) }
      worker.tell(.draw(setup, share))
    }
  }

  private var pixels: Int { setup.widthInPixels * setup.length.pixels(dpi: setup.resolution.y) }

  var progress: StreamProgress { StreamProgress(sides: givenOut, allSides: sides) }

  /// The next bytes of the job, in pieces large enough to fill packets: a white band is only 80 bytes.
  ///
  /// Returns a smaller piece when nothing more arrives for a moment, so that a printer never waits for data because the
  /// next page is slow to draw.
  func next() throws(Failure) -> [UInt8]? {
    var piece = head
    head = []
    while side < sides, piece.count < RenderStream.pieceLength {
      guard let frame = try nextFrame(orSilence: !piece.isEmpty) else { break }
      if frame.kind == .endOfSide {
        side += 1
      } else if piece.isEmpty {
        // Most pieces are long enough to be returned unchanged.
        piece = frame.payload
      } else {
        piece += frame.payload
      }
    }
    givenOut = side
    return piece.isEmpty ? nil : piece
  }

  /// In bytes, and in milliseconds.
  private static let pieceLength = 32 << 10
  private static let silence: Int32 = 20

  /// All the bytes of the next side; nil after the last.
  ///
  /// A worker has a whole picture in its memory, and can't send more than that.
  func nextSide() throws(Failure) -> [UInt8]? {
    guard side < sides else { return nil }
    var bytes: [UInt8] = []
    while let frame = try nextFrame(orSilence: false), frame.kind == .data {
      bytes += frame.payload
      guard bytes.count <= workers[side % workers.count].limits.memory else {
        throw WorkerMessage.unexpected
      }
    }
    side += 1
    return bytes
  }

  /// The next bytes of the current side, or its end; with `orSilence`, nil when nothing arrives for a moment.
  private func nextFrame(orSilence: Bool) throws(Failure) -> WorkerMessage? {
    let current = side % workers.count
    let begun = ContinuousClock.now
    while true {
      if let frame = waiting[current].take() {
        switch frame.kind {
        case .data, .endOfSide:
          hasBegunSide = frame.kind == .data
          return frame
        // All workers but the first describe the document before they draw.
        case .info: continue
        // In the order of the sides, so that a loss is told of the first page that has it; from a worker that has read the
        // document, which may have taken it over.
        case .losses:
          for loss in (try? [Loss](workerBytes: frame.payload)) ?? [] { losses.add(loss) }
        case .failure, .command, .gaps, .renderers:
          throw WorkerMessage.unexpected
        }
      }
      if cancellation.isRaised { throw .interrupted(by: cancellation.signal) }
      let limit = Duration.milliseconds(RenderStream.silence)
      if orSilence, begun.duration(to: .now) >= limit { return nil }
      try listen(for: current, atMost: orSilence ? RenderStream.silence : 100)
    }
  }

  /// Waits up to `limit` milliseconds for output of any worker that is not too far ahead, and reads it.
  ///
  /// The time counts against `current`, the worker whose side is next.
  private func listen(for current: Int, atMost limit: Int32) throws(Failure) {
    let begin = ContinuousClock.now
    defer { workers[current].timeout.wait(since: begin) }
    for worker in workers { worker.flush() }
    var sockets = workers.indices.map { index in
      let isFull = waiting[index].bytes >= RenderStream.mostAhead
      return pollfd(
        fd: isFull ? -1 : workers[index].socket, events: Int16(POLLIN), revents: 0)
    }
    let count = poll(&sockets, nfds_t(sockets.count), limit)
    if sockets[current].revents == 0 {
      do throws(Failure) {
        try workers[current].checkTimeout()
      } catch {
        return try replace(current, after: error)
      }
    }
    guard count > 0 else { return }
    for index in workers.indices where sockets[index].revents != 0 {
      do throws(Failure) {
        let isDrained = try workers[index].receive()
        while let frame = try workers[index].nextFrame() {
          switch frame.kind {
          case .renderers: log(frame.payload)
          default: waiting[index].add(frame)
          }
          guard frame.kind == .endOfSide else { continue }
          if memorySavings[index] == .half { addLoss(ofHalf: shares[index][done[index]]) }
          done[index] += 1
          memorySavings[index] = .none
        }
        if index == current { try workers[index].checkTimeout(isDrained: isDrained) }
      } catch {
        try replace(index, after: error)
      }
    }
  }

  func takeLosses() -> [Loss] { losses.take() }

  /// Logs the pages of a worker's side that Splash draws, each once.
  private func log(_ payload: [UInt8]) {
    guard let pages = try? [SplashedPage](workerBytes: payload) else { return }
    let known = Set(shares.joined().flatMap { $0.placements.map(\.page) })
    for page in pages where known.contains(page.page) && splashed[page.page] == nil {
      splashed[page.page] = page.reason
      for line in SplashReason.lines([page.page: page.reason]) { renderLog.debug("\(line)") }
    }
  }

  /// Replaces a worker that failed at a side: if it ran out of memory, a new worker draws the side with the next
  /// saving of memory, and continues with the rest as usual.
  ///
  /// A side that can't be drawn at all is left blank, so that the others keep their places: front and back of a sheet,
  /// and the number of pages, which URF states in its first bytes.
  private func replace(_ index: Int, after failure: Failure) throws(Failure) {
    let share = shares[index][min(done[index], shares[index].count)...]
    let isGivenOut = hasBegunSide && side == index + done[index] * workers.count
    guard !isGivenOut, let startWorker, var first = share.first else { throw failure }
    var careful = setup
    if workers[index].isShortOfMemory, let memorySaving = memorySavings[index].next {
      careful.memorySaving = memorySaving
    } else {
      // A worker killed by the kernel or by a person proves nothing about its page.
      guard !workers[index].wasKilled else { throw failure }
      try leaveBlank(&first, failure)
    }
    waiting[index].dropUnfinishedSide()
    memorySavings[index] = careful.memorySaving
    let worker = try startWorker()
    workers[index] = worker
    worker.timeout.allow(for: pixels)
    worker.tell(.draw(careful, [first]))
    // A page that was left blank once is blank in every copy.
    let rest = share.dropFirst().map { side in
      var side = side
      if blanks.contains(side.placements.map(\.page)) { side.placements = [] }
      return side
    }
    worker.tell(.draw(setup, rest))
  }

  private func addLoss(ofHalf side: SheetSide) {
    let page = side.placements.first.map { "Page \($0.page + 1)" } ?? "A page"
    losses.add(
      Loss(
        .coarse, page: side.placements.first.map { $0.page + 1 },
        "\(page) is drawn at half of the resolution, \(setup.resolution.x / 2) dpi: more would take more "
          + "memory than page-memory in config.toml allows."))
  }

  /// Maximum number of blank sides in a job: with more, the document isn't worth the paper.
  private static let mostBlanks = 8

  /// Removes the pages from a side, with a warning.
  ///
  /// Throws `failure` if the document did not cause it, or if no other side would have any content.
  private func leaveBlank(_ side: inout SheetSide, _ failure: Failure) throws(Failure) {
    let pages = side.placements.map(\.page)
    side.placements = []
    guard !blanks.contains(pages) else { return }
    let drawn = Set(shares.joined().map { $0.placements.map(\.page) }.filter { !$0.isEmpty })
    guard failure.code == .document, !pages.isEmpty, blanks.count < RenderStream.mostBlanks,
      drawn.subtracting(blanks).count > 1
    else { throw failure }
    blanks.insert(pages)
    let numbers = pages.map { "\($0 + 1)" }
    let which = numbers.count == 1 ? "Page \(numbers[0]) is" : "Pages \(numbers.inWords()) are"
    losses.add(Loss(.page, page: pages[0] + 1, "\(which) left blank: \(failure.message)"))
  }
}

/// A queue of frames.
struct WorkerMessageQueue {
  private var frames: [WorkerMessage] = []
  private var first = 0
  /// Approximate bytes of memory.
  private(set) var bytes = 0

  /// Memory of a frame in addition to its payload; small frames consist mostly of this.
  private static let overhead = 64

  mutating func add(_ frame: WorkerMessage) {
    frames.append(frame)
    bytes += frame.payload.count + WorkerMessageQueue.overhead
  }

  /// Drops the frames of a side that will not be completed.
  mutating func dropUnfinishedSide() {
    while frames.count > first, let last = frames.last, last.kind == .data {
      bytes -= last.payload.count + WorkerMessageQueue.overhead
      frames.removeLast()
    }
  }

  mutating func take() -> WorkerMessage? {
    guard first < frames.count else { return nil }
    let frame = frames[first]
    // Only the returned frame keeps the payload.
    frames[first].payload = []
    first += 1
    bytes -= frame.payload.count + WorkerMessageQueue.overhead
    if first == frames.count {
      frames.removeAll(keepingCapacity: true)
      first = 0
    }
    return frame
  }
}

/// A file sent to the printer unchanged.
package final class FileStream: DocumentStream {
  private let descriptor: Int32
  private let owner: AnyObject?
  private var offset: off_t = 0
  private var isOver = false

  /// `owner` keeps the descriptor open.
  package init(_ descriptor: Int32, of owner: AnyObject? = nil) {
    (self.descriptor, self.owner) = (descriptor, owner)
  }

  package var progress: StreamProgress { StreamProgress(sides: isOver ? 1 : 0, allSides: 1) }

  /// Returns the next piece of the file, nil after the last; throws exit 66 if it can no longer be read.
  package func next() throws(Failure) -> [UInt8]? {
    guard let bytes = piece(of: descriptor, from: offset, most: 256 << 10) else {
      throw .unreadable("The file can no longer be read: \(SystemError()).")
    }
    offset += off_t(bytes.count)
    isOver = bytes.isEmpty
    return isOver ? nil : bytes
  }
}
