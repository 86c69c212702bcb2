internal import CCups
@testable import IPP
import PrintModel
import TestSupport

/// Messages as bytes, encoded and decoded by libcups.
enum Wire {
  /// Returns a request as it is sent.
  static func bytes(of request: Request) throws -> [UInt8] {
    let message = request.encode()
    defer { ippDelete(message) }
    let sink = Bytes()
    let state = ippWriteIO(
      Unmanaged.passUnretained(sink).toOpaque(),
      { context, buffer, length in
        guard let context, let buffer else { return -1 }
        let sink = Unmanaged<Bytes>.fromOpaque(context).takeUnretainedValue()
        sink.bytes += UnsafeBufferPointer(start: buffer, count: length)
        return length
      }, 1, nil, message)
    guard state == IPP_STATE_DATA else { throw Missing("a message that can be written") }
    return sink.bytes
  }

  /// Decodes bytes from a printer; nil if libcups rejects them.
  static func response(from bytes: [UInt8]) -> Response? {
    guard let message = ippNew() else { return nil }
    defer { ippDelete(message) }
    let source = Bytes()
    source.bytes = bytes
    let state = ippReadIO(
      Unmanaged.passUnretained(source).toOpaque(),
      { context, buffer, length in
        guard let context, let buffer else { return -1 }
        let source = Unmanaged<Bytes>.fromOpaque(context).takeUnretainedValue()
        let piece = source.bytes.prefix(length)
        source.bytes.removeFirst(piece.count)
        _ = UnsafeMutableBufferPointer(start: buffer, count: length).update(
          fromContentsOf: piece)
        return piece.count
      }, 1, nil, message)
    return state == IPP_STATE_DATA ? Response(decoding: message) : nil
  }

  private final class Bytes {
    var bytes: [UInt8] = []
  }
}
