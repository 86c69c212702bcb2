internal import Glibc
internal import PrintModel
internal import System

/// A job's document as it arrives: a file that the client's thread writes and the printing thread reads while it grows.
///
/// The writer blocks when it is far ahead, as a printer's small memory blocks its client: a stopped printer stops
/// reading.
final class Spool: Sendable {
  let path: String
  private let descriptor: Int32
  private let state = Monitor(State())

  private struct State {
    var written = 0
    var consumed = 0
    var end = End.open
    var isUnwanted = false
    /// True if nothing is printed before the end, so that the writer need not wait for the reader.
    var isReadWhole = false
  }

  enum End: Equatable {
    /// More bytes may follow.
    case open
    case whole
    /// The client disconnected.
    case lost
    /// The document is not compressed as stated.
    case damaged

    /// True if the rest of the document will not come.
    var isBroken: Bool { self == .lost || self == .damaged }
  }

  /// Maximum number of bytes that the writer may be ahead.
  private static let room = 4 << 20
  /// Maximum length of a document; less if compressed, because packed zeros grow a thousandfold.
  static let longest = 4 << 30
  static let longestPacked = 256 << 20
  private let longest: Int

  /// Creates the file; throws exit 73 when that fails.
  init(_ path: String, in folder: OwnFolder, longest: Int) throws(Failure) {
    self.path = path
    self.longest = longest
    descriptor = folder.create(path)
    guard descriptor >= 0 else { throw cannotWrite(path) }
  }

  deinit { close(descriptor) }

  // MARK: The client's side

  /// Appends bytes, waiting while the printer is busy with earlier ones.
  ///
  /// Returns false when no more bytes are needed.
  func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Bool {
    let isWanted = state.wait { state -> Bool? in
      if state.isUnwanted { return false }
      return state.isReadWhole || state.written - state.consumed < Self.room ? true : nil
    }
    guard isWanted == true else { return false }
    guard writeAll(bytes, to: descriptor) else { throw cannotWrite(path) }
    return state.withLock {
      $0.written += bytes.count
      return $0.written <= longest
    }
  }

  /// Ends the document.
  func finish(_ end: End) { state.withLock { $0.end = end } }

  // MARK: The printer's side

  var end: End { state.withLock { $0.end } }
  var size: Int { state.withLock { $0.written } }

  /// Discards the rest of the document, because the job is over.
  func refuse() { state.withLock { $0.isUnwanted = true } }

  /// Waits for the complete document; false if the rest does not come, or it is no longer needed.
  func awaitWhole() -> Bool {
    state.withLock { $0.isReadWhole = true }
    let isWhole = state.wait { state -> Bool? in
      if state.isUnwanted || state.end.isBroken { return false }
      return state.end == .whole ? true : nil
    }
    return isWhole == true
  }

  /// Reads the bytes at `offset`, waiting for them; returns 0 at the end, and when they are no longer needed.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { $0.consumed = max($0.consumed, offset) }
    let length = state.wait { state -> Int? in
      if state.isUnwanted { return 0 }
      if state.written > offset { return min(buffer.count, state.written - offset) }
      return state.end == .open ? nil : 0
    }
    guard let length, length > 0 else { return 0 }
    return max(0, pread(descriptor, buffer.baseAddress, length, off_t(offset)))
  }
}

/// The failure, exit 73, that `path` can't be written, with errno's reason.
func cannotWrite(_ path: String) -> Failure {
  Failure.cannotWrite("\(path) can't be written: \(SystemError()).")
}
