package import Confinement
internal import Documents
internal import Glibc
internal import LateLibraries
internal import PrintModel
internal import Raster
internal import System

/// The other end of `WorkerProcess`: this executable, started again to open one document and draw sides of it.
///
/// A document that crashes it costs a message, not a job.
package enum Worker {
  /// The hidden command that makes the executable a worker.
  package static let command = "render-worker"

  private static let document: Int32 = 0
  private static let parent: Int32 = 1
  /// The first of the document's attachments; the others follow.
  static let firstAttachment: Int32 = 3

  /// Serves the parent until it hangs up.
  ///
  /// `isForked`: the document is sent later. `readsPDF`: its name is that of a PDF; without, it is most often text.
  package static func run(isForked: Bool, readsPDF: Bool) -> Never {
    // Ctrl-C goes to the whole terminal; the parent decides what happens to the job.
    signal(SIGINT, SIG_IGN)
    signal(SIGTERM, SIG_IGN)
    var serving = Serving()
    if isForked {
      // A library that can't be loaded is reported when it is needed.
      try? (readsPDF ? GraphicsLibraries.pdf : .text).load()
      WorkerSandbox.prepare()
      guard let attachments = ForkedWorker.adopt(from: parent) else { exit(0) }
      serving.attachments = attachments
    }
    var received = WorkerMessageBuffer()
    do {
      while let command = try nextCommand(&received) { try serving.obey(command) }
    } catch {
      answer(.failure, WireFailure(error).workerBytes)
    }
    exit(0)
  }

  /// Enters the sandbox of a worker that draws, and exits with what does not hold (`gaps`).
  package static func tryOut() -> Never {
    exit(WorkerSandbox.exitStatus(for: WorkerSandbox(memory: 256 << 20).enter()))
  }

  /// The restrictions of workers that don't hold on this machine, from one that tries them.
  package static func gaps(executable: String) -> [WorkerSandbox.Gap] {
    var start = ProgramStart(["airprint", command, trial], program: executable)
    start.descriptors = [0: .null, 1: .null, 2: .null]
    guard let process = try? start.start(), case .exit(let status) = ExitStatus.wait(for: process)
    else { return WorkerSandbox.gaps(in: nil) }
    return WorkerSandbox.gaps(in: status)
  }

  /// The argument of such a worker.
  package static let trial = "try"

  /// Exits as soon as the parent has ended, even while a page is drawn, which may take a minute.
  ///
  /// A thread that only waits for the parent's end does this.
  fileprivate static func endWithParent() {
    detachThread {
      let hangUp: Int16 = 0x2000  // POLLRDHUP, hidden behind _GNU_SOURCE
      var socket = pollfd(fd: parent, events: hangUp, revents: 0)
      while poll(&socket, 1, -1) < 0 && errno == EINTR {}
      _exit(0)
    }
  }

  /// Waits for the parent's next command; nil when it hangs up.
  private static func nextCommand(
    _ received: inout WorkerMessageBuffer
  ) throws(Failure) -> WorkerCommand? {
    while true {
      if let frame = try received.next() {
        guard let command = try? WorkerCommand(workerBytes: frame.payload) else {
          throw .fault("A render worker was sent an unknown request.")
        }
        return command
      }
      let got = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { piece in
        let got = read(parent, piece.baseAddress, piece.count)
        if got > 0 { received.append(UnsafeRawBufferPointer(rebasing: piece[..<got])) }
        return got
      }
      guard got > 0 || got < 0 && errno == EINTR else { return nil }
    }
  }

  fileprivate static func answer(_ kind: WorkerMessageKind, _ payload: [UInt8] = []) {
    payload.withUnsafeBytes { answer(kind, bytes: $0) }
  }

  fileprivate static func answer(_ kind: WorkerMessageKind, bytes: UnsafeRawBufferPointer) {
    // In one piece: the parent wakes up for each.
    let message = WorkerMessage.head(kind, length: bytes.count) + bytes
    if !message.withUnsafeBytes({ writeAll($0, to: parent, isSocket: true) }) { exit(0) }
  }

  /// State that a worker keeps between commands.
  private struct Serving {
    /// Those of the document, if they were sent; else they are from `firstAttachment` on.
    var attachments: [Int32]?
    private var open: Document?
    private var raster: RasterDecoding?
    private var isConfined = false

    /// Enters the sandbox before a byte of the document is read, and before there is a second thread: a sandbox does
    /// not include threads that already exist.
    private mutating func confine(for opening: OpeningOptions, memory: Int) {
      guard !isConfined else { return }
      isConfined = true
      var confinement = WorkerSandbox(memory: memory)
      confinement.descriptors += opening.attachments.count
      confinement.reads += opening.filesInFolder
      let gaps = confinement.enter()
      if !gaps.isEmpty { Worker.answer(.gaps, gaps.workerBytes) }
      Worker.endWithParent()
    }

    mutating func obey(_ command: WorkerCommand) throws(Failure) {
      switch command {
      case .inspect(let opening, let memory):
        confine(for: opening, memory: memory)
        let document = try Document(
          opening, descriptor: Worker.document,
          attachments: attachments
            ?? opening.attachments.indices.map { Worker.firstAttachment + Int32($0) })
        open = document
        try tell(document)
      case .measure(let pages, let least):
        if let open { try tell(open, measuring: pages, atLeast: least) }
      case .layOut(let box):
        guard let open else { return }
        try open.layOut(for: box)
        try tell(open)
      case .draw(let setup, let sides):
        guard let open else { return }
        try SideDrawing(document: open, setup: setup).draw(sides) { kind, bytes in
          Worker.answer(kind, bytes: bytes)
        }
      case .decode(let memory):
        confine(for: OpeningOptions(mediaType: ""), memory: memory)
        raster = try RasterDecoding(Worker.document)
      case .nextPage: Worker.answer(.info, try raster?.nextPage() ?? [])
      case .lines:
        while let line = try raster?.nextLine() { Worker.answer(.data, line) }
        Worker.answer(.endOfSide)
      case .unpack(let memory):
        confine(for: OpeningOptions(mediaType: ""), memory: memory)
        try PackedFile.unpack(Worker.document) { Worker.answer(.data, bytes: $0) }
        Worker.answer(.endOfSide)
      }
    }

    private func tell(
      _ document: Document, measuring pages: [Int]? = nil, atLeast least: Int = 0
    ) throws(Failure) {
      let info = try document.info(measuring: pages, atLeast: least)
      guard info.pages.count <= DocumentInfo.Page.most else {
        throw .document("The document has more than \(DocumentInfo.Page.most) pages: split it.")
      }
      Worker.answer(.info, info.workerBytes)
    }
  }
}
