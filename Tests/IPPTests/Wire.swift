internal import CCups
@testable import IPP
import PrintModel
import TestSupport

/// Messages as bytes.
enum Wire {
  /// Returns a request as it is sent, which libcups has to read in the same way.
  static func bytes(of request: Request) throws -> [UInt8] {
    let bytes = request.encode().bytes
    guard rewritten(bytes) == bytes else { throw Missing("a message that libcups can read") }
    return bytes
  }

  /// Returns what libcups writes of a message that it has read.
  static func rewritten(_ bytes: [UInt8]) -> [UInt8] {
    guard let message = ippNew() else { return [] }
    defer { ippDelete(message) }
    var rest = bytes[...]
    let isRead = withUnsafeMutablePointer(to: &rest) { source in
      ippReadIO(
        source,
        { source, room, count in
          guard let rest = source?.assumingMemoryBound(to: ArraySlice<UInt8>.self), let room else {
            return -1
          }
          let piece = rest.pointee.prefix(count)
          for (index, byte) in piece.enumerated() { room[index] = byte }
          rest.pointee = rest.pointee.dropFirst(piece.count)
          return piece.count
        }, 1, nil, message) == IPP_STATE_DATA
    }
    guard isRead else { return [] }
    ippSetState(message, IPP_STATE_IDLE)
    var written: [UInt8] = []
    let isWritten = withUnsafeMutablePointer(to: &written) { target in
      ippWriteIO(
        target,
        { target, more, count in
          target?.assumingMemoryBound(to: [UInt8].self).pointee += UnsafeBufferPointer(
            start: more, count: count)
          return count
        }, 1, nil, message) == IPP_STATE_DATA
    }
    return isWritten ? written : []
  }
}
