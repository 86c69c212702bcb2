internal import Glibc
package import PrintModel
internal import System

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
    var piece = [UInt8](repeating: 0, count: 256 << 10)
    let count = piece.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
    guard count >= 0 else {
      throw Failure(
        .unreadable, "The file can no longer be read: \(SystemError()).")
    }
    offset += off_t(count)
    isOver = count == 0
    return isOver ? nil : Array(piece[..<count])
  }
}
