/// An IPP response made by hand (RFC 8010 §3), so that the reader is not tested against our own writer.
///
/// Attributes are bytes, so it can also contain what a printer should never send.
package struct IPPAnswer: Sendable {
  private var bytes: [UInt8]

  /// Creates a response with a status, the request's number, and the two attributes that start every response.
  package init(to request: ScriptedServer.Request, status: Int = 0, message: String? = nil) {
    bytes = [2, 0, UInt8(status >> 8 & 0xFF), UInt8(status & 0xFF)] + request.id
    group(0x01)
    add(0x47, "attributes-charset", "utf-8")
    add(0x48, "attributes-natural-language", "en")
    if let message { add(0x41, "status-message", message) }
  }

  /// Begins a group: 1 operation, 2 job, 4 printer, 5 unsupported.
  package mutating func group(_ tag: UInt8) { bytes.append(tag) }

  /// Adds an attribute, or, with an empty name, another value to the last attribute.
  package mutating func add(_ tag: UInt8, _ name: String, _ value: [UInt8]) {
    bytes.append(tag)
    for part in [Array(name.utf8), value] {
      bytes += [UInt8(part.count >> 8 & 0xFF), UInt8(part.count & 0xFF)] + part
    }
  }

  package mutating func add(_ tag: UInt8, _ name: String, _ text: String) {
    add(tag, name, Array(text.utf8))
  }

  /// Adds a number: tag 0x21 is integer, 0x23 enum.
  package mutating func add(_ tag: UInt8, _ name: String, _ number: Int32) {
    add(tag, name, (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
  }

  /// Adds meaningless bytes in place of an attribute.
  package mutating func add(raw: [UInt8]) { bytes += raw }

  /// The message, with its end tag.
  package var message: [UInt8] { bytes + [0x03] }

  /// The message in an HTTP response.
  package var http: [UInt8] { IPPAnswer.http(message) }

  /// Returns an HTTP response with any body.
  package static func http(
    _ body: [UInt8], status: String = "200 OK", type: String = "application/ipp",
    fields: [String] = []
  ) -> [UInt8] {
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(body.count)",
    ]
    return Array(((head + fields).joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  /// Returns the offset where an IPP message's attributes end and its document begins.
  static func end(of message: [UInt8]) -> Int? {
    var place = 8
    while place < message.count {
      let tag = message[place]
      place += 1
      if tag == 0x03 { return place }
      if tag < 0x10 { continue }
      for _ in 0..<2 {
        guard place + 2 <= message.count else { return nil }
        place += 2 + (Int(message[place]) << 8 | Int(message[place + 1]))
      }
    }
    return nil
  }
}
