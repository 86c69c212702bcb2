internal import CCups
package import PrintModel

/// An IPP request as a printer receives it; nothing is validated except that it is IPP.
package struct ReceivedRequest: Sendable {
  /// The operation's code, which may be unknown.
  package let operation: Int
  package let version: (major: Int, minor: Int)
  package let id: Int
  /// The tags of its attribute groups in the order received (RFC 8010 §3.5.1), without empty ones.
  package let groupTags: [Int]
  package let operationAttributes: AttributeSet
  package let jobAttributes: AttributeSet

  init(_ message: ReceivedMessage) {
    operation = message.code
    version = (Int(message.version.major), Int(message.version.minor))
    id = message.id
    groupTags = message.groups.filter { !$0.attributes.isEmpty }.map { Int($0.tag.rawValue) }
    operationAttributes = message.set(IPP_TAG_OPERATION)
    jobAttributes = message.set(IPP_TAG_JOB)
  }

  /// The operation's name: `Create-Job`.
  package var name: String { Request.name(ofOperation: operation) }
}

extension Response {
  /// Encodes the answer.
  ///
  /// Charset and language are those of the request, if it has any.
  func encode(answering request: ReceivedRequest? = nil) -> WrittenMessage {
    let asked = request?.operationAttributes
    let words = message.map { [Attribute("status-message", .text($0))] } ?? []
    return WrittenMessage(
      version: request?.version ?? (2, 0), code: status.rawValue, id: request?.id ?? 0,
      charset: asked?.string("attributes-charset"),
      language: asked?.string("attributes-natural-language"),
      [(IPP_TAG_OPERATION, words), (IPP_TAG_UNSUPPORTED_GROUP, unsupported.all)]
        + (printers.isEmpty ? [printer] : printers).map { (IPP_TAG_PRINTER, $0.all) }
        + jobs.map { (IPP_TAG_JOB, $0.all) })
  }

  /// The bytes that `init(recorded:)` decodes.
  package var recorded: [UInt8] { encode().bytes }
}
