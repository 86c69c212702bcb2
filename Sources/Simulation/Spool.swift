internal import Glibc
internal import PrintModel
internal import Synchronization
internal import System

/// A job's document as it comes in: a file that the client's thread writes and the printing thread reads
/// while it grows.
///
/// The writer is held back when it is far ahead, as a printer's small memory holds back its client: a
/// printer that stops stops reading.
final class Spool: Sendable {
  let path: String
  private let descriptor: Int32
  private let state = Mutex(State())

  private struct State {
    var written = 0
    var consumed = 0
    var end = End.open
    var isUnwanted = false
    /// Nothing is printed before the end: the writer need not wait for the reader.
    var isReadWhole = false
  }

  enum End: Equatable {
    /// More may come.
    case open
    case whole
    /// The client went away.
    case lost
  }

  /// Bytes that the writer may be ahead.
  private static let room = 4 << 20
  /// A document is no longer than this: packed zeros are a thousand times as long when they are unpacked.
  static let longest = 4 << 30
  static let longestPacked = 256 << 20
  private let longest: Int

  /// Exit 73 when the file can't be made.
  init(_ path: String, in folder: OwnFolder, longest: Int) throws(Failure) {
    self.path = path
    self.longest = longest
    descriptor = folder.create(path)
    guard descriptor >= 0 else { throw cannotWrite(path) }
  }

  deinit { close(descriptor) }

  // MARK: The client's side

  /// Takes bytes, and waits while the printer has enough to do.
  ///
  /// False when it wants no more.
  func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Bool {
    while true {
      let (mayGoOn, isWanted) = state.withLock {
        ($0.isReadWhole || $0.written - $0.consumed < Self.room, !$0.isUnwanted)
      }
      guard isWanted else { return false }
      if mayGoOn { break }
      usleep(2_000)
    }
    guard write(bytes, to: descriptor) else { throw cannotWrite(path) }
    return state.withLock {
      $0.written += bytes.count
      return $0.written <= longest
    }
  }

  /// No more bytes come.
  func finish(_ end: End) { state.withLock { $0.end = end } }

  // MARK: The printer's side

  var end: End { state.withLock { $0.end } }
  var size: Int { state.withLock { $0.written } }

  /// The job is over: what still comes is not wanted.
  func refuse() { state.withLock { $0.isUnwanted = true } }

  /// Waits until the document is there; false when its client went away, or it is not wanted.
  func awaitWhole() -> Bool {
    state.withLock { $0.isReadWhole = true }
    while true {
      let (end, isUnwanted) = state.withLock { ($0.end, $0.isUnwanted) }
      if isUnwanted || end == .lost { return false }
      if end == .whole { return true }
      usleep(2_000)
    }
  }

  /// Reads what there is at `offset`, waiting for it; 0 at the end, and when it is not wanted.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let (written, end, isUnwanted) = state.withLock {
        $0.consumed = max($0.consumed, offset)
        return ($0.written, $0.end, $0.isUnwanted)
      }
      if isUnwanted { return 0 }
      if written > offset {
        return max(
          0,
          pread(descriptor, buffer.baseAddress, min(buffer.count, written - offset), off_t(offset)))
      }
      if end != .open { return 0 }
      usleep(2_000)
    }
  }
}

/// Writes all of it.
func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var rest = bytes
  while !rest.isEmpty {
    let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
  }
  return true
}

/// Exit 73 for `path`, with errno's reason.
func cannotWrite(_ path: String) -> Failure {
  Failure(.cannotWrite, "\(path) can't be written: \(SystemError()).")
}
