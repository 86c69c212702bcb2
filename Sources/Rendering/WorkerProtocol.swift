internal import Documents
internal import ForeignText
internal import FoundationEssentials
internal import Glibc
internal import PrintModel

// Messages between a parent and its worker over one socket, the worker's standard output: frames
// of a kind, a length and so many bytes. The document is the worker's standard input; its attachments are
// the descriptors from 3 on.

/// A parent's commands.
enum WorkerCommand {
  /// Open the document and describe it, in so many bytes of memory.
  case inspect(OpeningOptions, memory: Int)
  /// Tell again, with the height of every page's content.
  case measure
  /// Lay out a document that reflows, and describe it then.
  case layOut(PageBox)
  /// Draw these sides, one after the other.
  case draw(DrawingJob)
  /// The document is raster that is still coming: decode it, in so many bytes of memory.
  case decode(memory: Int)
  /// Tell the header of the next page of that.
  case nextPage
  /// Tell the lines of that page.
  case lines
  /// The document is packed by gzip: tell what is in it, in so many bytes of memory.
  case unpack(memory: Int)
}

/// The job of a worker: some of a job's sides, all alike.
struct DrawingJob {
  var setup: SheetSetup
  var sides: [SheetSide]
}

/// A worker's answers.
enum WorkerMessageKind: UInt8 {
  /// DocumentInfo, as `WorkerValue`; of raster that is decoded a page's header, and nothing behind the last page.
  case info = 1
  /// Bytes of the side that is being drawn, a line that was decoded, or what was packed.
  case data = 2
  /// The side is whole; the next data belong to the next one.
  case endOfSide = 3
  /// A Failure as JSON; the worker is of no more use.
  case failure = 4
  /// A Command as `WorkerValue`, the only kind that a parent sends.
  case command = 5
  /// Gaps in the worker's walls on this machine, as JSON; only where something does.
  case gaps = 6
  /// A sentence about what is missing from the side that ends next.
  case note = 7
}

struct WorkerMessage {
  var kind: WorkerMessageKind
  var payload: [UInt8]

  /// Kind, then the payload's length, least significant byte first.
  static let headLength = 5
  /// No frame is longer than this; what claims to be is not from a worker of ours.
  static let longest = 64 << 20

  static let unexpected = Failure(.fault, "A render worker sent an unexpected message.")

  static func head(_ kind: WorkerMessageKind, length: Int) -> [UInt8] {
    [kind.rawValue] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
  }

  /// Reads what `head` wrote; throws for a worker that sends an invalid message.
  static func heading(
    _ head: some RandomAccessCollection<UInt8>
  ) throws(Failure) -> (WorkerMessageKind, length: Int) {
    let length = head.dropFirst().reversed().reduce(0) { $0 << 8 | Int($1) }
    guard let kind = head.first.flatMap(WorkerMessageKind.init), length <= longest else {
      throw Failure(.fault, "A render worker sent an invalid message.")
    }
    return (kind, length)
  }
}

/// A Failure as it crosses the socket.
struct WireFailure: Codable {
  var code: Int32
  var message: String
  /// `Page 3`, where that asked for more memory than there is; the same with more economy may do.
  var subjectShortOfMemory: String?

  init(_ failure: Failure) {
    subjectShortOfMemory = MemoryShortage.subject(of: failure)
    code = failure.code.rawValue
    message = failure.message
  }

  /// The failure, with an exit code that a document can cause, and no other: a worker that a document has taken over
  /// can't end a command with 0, and writes no line of its own.
  var failure: Failure {
    let code = ExitCode(rawValue: code)
    let known: [ExitCode] = [.document, .usage]
    return Failure(
      code.flatMap { known.contains($0) ? $0 : nil } ?? .fault,
      String(message.prefix(WireFailure.longest)).onOneLine)
  }

  /// Characters of a message; a file's name in it may have 4,096.
  private static let longest = 5_000
}

/// Collects bytes until frames are whole.
struct WorkerMessageBuffer {
  /// Bytes of frames whose head was not looked at yet.
  private var bytes: [UInt8] = []
  private var start = 0
  /// The frame of which the rest is still to come, and how much of its payload that is.
  private var unfinished: WorkerMessage?
  private var missing = 0

  mutating func append(_ more: UnsafeRawBufferPointer) {
    var more = more
    if missing > 0 {
      let count = min(missing, more.count)
      unfinished?.payload.append(contentsOf: more.prefix(count))
      missing -= count
      more = UnsafeRawBufferPointer(rebasing: more.dropFirst(count))
    }
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      start = 0
    } else if start > 1 << 20 {
      bytes.removeSubrange(..<start)
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The next whole frame, or nil while more must come.
  ///
  /// The failure is a worker that sends an invalid message.
  mutating func next() throws(Failure) -> WorkerMessage? {
    if let frame = unfinished {
      guard missing == 0 else { return nil }
      unfinished = nil
      return frame
    }
    let available = bytes.count - start
    guard available >= WorkerMessage.headLength else { return nil }
    let (kind, length) = try WorkerMessage.heading(
      bytes[start..<start + WorkerMessage.headLength])
    let begin = start + WorkerMessage.headLength
    let count = min(length, bytes.count - begin)
    start = begin + count
    var frame = WorkerMessage(kind: kind, payload: [])
    if count < length { frame.payload.reserveCapacity(length) }
    frame.payload += bytes[begin..<start]
    missing = length - count
    guard missing > 0 else { return frame }
    unfinished = frame
    return nil
  }
}

/// MSG_NOSIGNAL: a side that is gone is an answer, not a SIGPIPE.
let noSignal = Int32(0x4000)

/// Sends all of `bytes`; false when the other side is gone.
func sendAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var rest = bytes
  while let base = rest.baseAddress, !rest.isEmpty {
    let count = send(descriptor, base, rest.count, noSignal)
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
  }
  return true
}
