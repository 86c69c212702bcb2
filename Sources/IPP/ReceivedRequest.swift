internal import CCups
package import PrintModel

/// An IPP request as a printer receives it; nothing is validated except that it is IPP.
package struct ReceivedRequest: Sendable {
  /// The attribute groups of requests (RFC 8010 §3.5.1); others are `other`.
  package enum Group: Int, Sendable, Comparable {
    case operation = 1
    case job = 2
    case printer = 4
    case unsupported = 5
    case subscription = 6
    case other = 15

    package static func < (left: Group, right: Group) -> Bool { left.rawValue < right.rawValue }
  }

  /// The operation's code, which may be unknown.
  package let operation: Int
  package let version: (major: Int, minor: Int)
  package let id: Int
  /// Every attribute in the order received, with its group.
  package let attributes: [(group: Group, attribute: Attribute)]
  package let operationAttributes: AttributeSet
  package let jobAttributes: AttributeSet
  /// One set per requested subscription (RFC 3995 §11.1.1).
  package let subscriptions: [AttributeSet]

  init(_ message: ReceivedMessage) {
    operation = message.code
    version = (Int(message.version.major), Int(message.version.minor))
    id = message.id
    attributes = message.groups.flatMap { group in
      group.attributes.map { (Group(rawValue: Int(group.tag.rawValue)) ?? .other, $0) }
    }
    operationAttributes = AttributeSet(
      attributes.filter { $0.group == .operation }.map(\.attribute))
    jobAttributes = AttributeSet(attributes.filter { $0.group == .job }.map(\.attribute))
    subscriptions = message.groups
      .filter { $0.tag == IPP_TAG_SUBSCRIPTION && !$0.attributes.isEmpty }
      .map { AttributeSet($0.attributes) }
  }

  /// The operation's name: `Create-Job`.
  package var name: String { Request.name(ofOperation: operation) }
}

extension Response {
  /// Makes libcups' message of the answer; the caller owns it.
  ///
  /// Charset and language are those of the request, if it has any.
  func encode(answering request: ReceivedRequest? = nil) -> OpaquePointer {
    guard let message = ippNew() else { fatalError("libcups has no memory") }
    if let version = request?.version {
      ippSetVersion(message, Int32(version.major), Int32(version.minor))
    }
    ippSetRequestId(message, Int32(truncatingIfNeeded: request?.id ?? 0))
    let asked = request?.operationAttributes
    for (name, syntax, usual) in [
      ("attributes-charset", Attribute.StringSyntax.charset, "utf-8"),
      ("attributes-natural-language", .naturalLanguage, "en"),
    ] {
      let value = Attribute.Value.string(syntax, asked?.string(name) ?? usual)
      message.add(Attribute(name, value), to: IPP_TAG_OPERATION)
    }
    ippSetStatusCode(message, ipp_status_t(rawValue: Int32(truncatingIfNeeded: status.rawValue)))
    if let text = self.message {
      message.add(Attribute("status-message", .text(text)), to: IPP_TAG_OPERATION)
    }
    for attribute in operation.all { message.add(attribute, to: IPP_TAG_OPERATION) }
    for attribute in unsupported.all { message.add(attribute, to: IPP_TAG_UNSUPPORTED_GROUP) }
    message.add(system.all.isEmpty ? [] : [system], to: IPP_TAG_SYSTEM)
    message.add(printers.isEmpty ? [printer] : printers, to: IPP_TAG_PRINTER)
    message.add(jobs, to: IPP_TAG_JOB)
    message.add(subscriptions, to: IPP_TAG_SUBSCRIPTION)
    message.add(events, to: IPP_TAG_EVENT_NOTIFICATION)
    return message
  }

  /// The bytes that `init(recorded:)` decodes.
  package var recorded: [UInt8] {
    let message = encode()
    defer { ippDelete(message) }
    return message.written
  }
}

extension OpaquePointer {
  /// The message's bytes; empty if libcups can't write it.
  var written: [UInt8] {
    ippSetState(self, IPP_STATE_IDLE)
    let target = WrittenBytes()
    let state = ippWriteIO(
      Unmanaged.passUnretained(target).toOpaque(),
      { target, bytes, count in
        guard let target, let bytes else { return -1 }
        return Unmanaged<WrittenBytes>.fromOpaque(target).takeUnretainedValue()
          .write(UnsafeBufferPointer(start: bytes, count: count))
      }, 1, nil, self)
    return state == IPP_STATE_DATA ? target.bytes : []
  }

  /// Adds groups of one kind.
  fileprivate func add(_ groups: [AttributeSet], to tag: ipp_tag_t) {
    for (index, group) in groups.enumerated() {
      if index > 0 { ippAddSeparator(self) }
      for attribute in group.all { add(attribute, to: tag) }
    }
  }
}

/// Bytes that libcups writes with one `ippWriteIO`, on its thread.
private final class WrittenBytes {
  private(set) var bytes: [UInt8] = []

  func write(_ more: UnsafeBufferPointer<ipp_uchar_t>) -> Int {
    bytes += more
    return more.count
  }
}
