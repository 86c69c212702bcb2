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
    for attribute in unsupported.all { message.add(attribute, to: IPP_TAG_UNSUPPORTED_GROUP) }
    message.add(printers.isEmpty ? [printer] : printers, to: IPP_TAG_PRINTER)
    message.add(jobs, to: IPP_TAG_JOB)
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
    var bytes: [UInt8] = []
    let state = withUnsafeMutablePointer(to: &bytes) { target in
      ippWriteIO(
        target,
        { target, more, count in
          target?.assumingMemoryBound(to: [UInt8].self).pointee += UnsafeBufferPointer(
            start: more, count: count)
          return count
        }, 1, nil, self)
    }
    return state == IPP_STATE_DATA ? bytes : []
  }

  /// Adds groups of one kind.
  fileprivate func add(_ groups: [AttributeSet], to tag: ipp_tag_t) {
    for (index, group) in groups.enumerated() {
      if index > 0 { ippAddSeparator(self) }
      for attribute in group.all { add(attribute, to: tag) }
    }
  }
}
