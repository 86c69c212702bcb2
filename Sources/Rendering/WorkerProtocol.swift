internal import Documents
internal import ForeignText
internal import PrintModel

// Messages between a parent and its worker over one socket, the worker's standard output: frames of a kind, a length
// and a payload. The document is the worker's standard input; its attachments are descriptors, too.

/// A parent's commands.
enum WorkerCommand {
  /// Open the document and describe it, using at most `memory` bytes.
  case inspect(OpeningOptions, memory: Int)
  /// Describe it again, with the marks of these pages, or if empty of all: at least of that many, and of the others as
  /// long as that takes a tenth of a second.
  case measure([Int], atLeast: Int)
  /// Lay out a reflowing document, and then describe it.
  case layOut(PageBox)
  /// Draw these sides, some of a job's, one after the other.
  case draw(SheetSetup, [SheetSide])
  /// The document is raster that is still arriving: decode it, using at most `memory` bytes.
  case decode(memory: Int)
  /// Send the header of the raster's next page.
  case nextPage
  /// Send the lines of that page.
  case lines
  /// The document is compressed by gzip: send its contents, using at most `memory` bytes.
  case unpack(memory: Int)
}

/// A page (index from 0) that Splash draws, with the reason.
struct SplashedPage: Equatable {
  var page: Int
  var reason: SplashReason
}

/// A worker's answers.
enum WorkerMessageKind: UInt8 {
  /// A DocumentInfo as `WorkerValue`; for raster a page's header, and empty after the last page.
  case info = 1
  /// Bytes of the side being drawn, a decoded line, or unpacked contents.
  case data = 2
  /// The side is complete; further data belongs to the next one.
  case endOfSide = 3
  /// A `WireFailure`; the worker can't be used any more.
  case failure = 4
  /// A WorkerCommand as `WorkerValue`, the only kind that a parent sends.
  case command = 5
  /// Gaps in the worker's sandbox on this machine, as `WorkerValue`; only sent if there are any.
  case gaps = 6
  /// What is missing from the side that ends next, as `WorkerValue`; only sent if anything is.
  case losses = 7
  /// The `SplashedPage`s of the side that ends next, as `WorkerValue`; only sent if there are any.
  case renderers = 8
}

struct WorkerMessage {
  var kind: WorkerMessageKind
  var payload: [UInt8]

  /// The kind, then the payload's length in little-endian order.
  static let headLength = 5
  /// Maximum length of a frame; a longer one is not from a genuine worker.
  static let longest = 64 << 20

  static let unexpected = Failure(.fault, "A render worker sent an unexpected message.")
  static let invalid = Failure(.fault, "A render worker sent an invalid message.")

  static func head(_ kind: WorkerMessageKind, length: Int) -> [UInt8] {
    [kind.rawValue] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
  }

  /// Reads the output of `head`; throws if a worker has sent an invalid message.
  static func heading(
    _ head: some RandomAccessCollection<UInt8>
  ) throws(Failure) -> (WorkerMessageKind, length: Int) {
    let length = head.dropFirst().reversed().reduce(0) { $0 << 8 | Int($1) }
    guard let kind = head.first.flatMap(WorkerMessageKind.init), length <= longest else {
      throw invalid
    }
    return (kind, length)
  }
}

/// A Failure as sent over the socket.
struct WireFailure: WorkerRecord {
  private let said: Failure

  init(_ failure: Failure) { said = failure }

  static let form = WorkerForm({ ($0.said.reason, $0.said.message, $0.said.subject) }) {
    WireFailure(Failure($0, $1, about: $2))
  }

  var reason: FailureReason { said.reason }

  /// The failure, restricted to reasons that a document can cause.
  ///
  /// A worker that a document has taken over can't end a command with 0, nor print a line of its own.
  var failure: Failure {
    let isPossible = [.document, .usage].contains(reason.exitCode)
    return Failure(isPossible ? reason : .fault, WireFailure.plain(said.message), about: subject)
  }

  /// The page that it is about, restricted like its message.
  var subject: String? { said.subject.map(WireFailure.plain) }

  /// A text of the worker on one line, and limited in length: by scalars, because a Character may have any number.
  private static func plain(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest))).onOneLine
  }

  /// Maximum scalars of a message; a file name in it may have 4,096.
  private static let longest = 5_000
}

/// Assembles received bytes into frames.
struct WorkerMessageBuffer {
  private var bytes: [UInt8] = []
  /// Where the first frame begins that was not returned yet.
  private var start = 0

  mutating func append(_ more: UnsafeRawBufferPointer) {
    if start == bytes.count {
      // A long frame is rare, and its memory is not kept.
      bytes.removeAll(keepingCapacity: bytes.count <= 1 << 20)
      start = 0
    } else if start > 1 << 20 {
      bytes.removeSubrange(..<start)
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The next complete frame, or nil until more bytes arrive.
  ///
  /// Throws if the worker has sent an invalid message.
  mutating func next() throws(Failure) -> WorkerMessage? {
    let rest = bytes[start...]
    guard rest.count >= WorkerMessage.headLength else { return nil }
    let (kind, length) = try WorkerMessage.heading(rest.prefix(WorkerMessage.headLength))
    let payload = rest.dropFirst(WorkerMessage.headLength).prefix(length)
    guard payload.count == length else { return nil }
    start = payload.endIndex
    return WorkerMessage(kind: kind, payload: Array(payload))
  }
}

/// MSG_NOSIGNAL: writing to a closed socket returns an error instead of raising SIGPIPE.
let noSignal = Int32(0x4000)
