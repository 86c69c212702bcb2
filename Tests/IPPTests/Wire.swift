internal import CCups
@testable import IPP
import PrintModel
import TestSupport

/// Messages as bytes, encoded by libcups.
enum Wire {
  /// Returns a request as it is sent.
  static func bytes(of request: Request) throws -> [UInt8] {
    let message = request.encode()
    defer { ippDelete(message) }
    guard !message.written.isEmpty else { throw Missing("a message that can be written") }
    return message.written
  }
}
