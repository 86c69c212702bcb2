internal import CCups
internal import LateLibraries
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

  init(_ message: OpaquePointer) {
    operation = Int(ippGetOperation(message).rawValue)
    var minor: Int32 = 0
    let major = ippGetVersion(message, &minor)
    version = (Int(major), Int(minor))
    id = Int(ippGetRequestId(message))
    attributes = message.attributes.compactMap { element in
      element.value.map { (Group(rawValue: Int(element.group.rawValue)) ?? .other, $0) }
    }
    operationAttributes = AttributeSet(
      attributes.filter { $0.group == .operation }.map(\.attribute))
    jobAttributes = AttributeSet(attributes.filter { $0.group == .job }.map(\.attribute))
    // Two groups of the same kind are separated by an element that is not an attribute.
    let groups = message.attributes.split { $0.value == nil }
    subscriptions = groups.compactMap { group in
      let own = group.filter { $0.group == IPP_TAG_SUBSCRIPTION }.compactMap(\.value)
      return own.isEmpty ? nil : AttributeSet(own)
    }
  }

  /// The operation's name: `Create-Job`.
  package var name: String {
    String(cString: ippOpString(ipp_op_t(rawValue: Int32(truncatingIfNeeded: operation))))
  }
}

extension Response {
  /// Makes libcups' message of the answer; the caller owns it.
  ///
  /// Charset and language are those of the request, if it has any.
  func encode(answering request: OpaquePointer) -> OpaquePointer {
    guard let message = ippNewResponse(request) else { fatalError("libcups has no memory") }
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
    guard let request = ippNew() else { fatalError("libcups has no memory") }
    defer { ippDelete(request) }
    let message = encode(answering: request)
    defer { ippDelete(message) }
    ippSetState(message, IPP_STATE_IDLE)
    let target = RecordedBytes([])
    let state = ippWriteIO(
      Unmanaged.passUnretained(target).toOpaque(),
      { target, bytes, count in
        guard let target, let bytes else { return -1 }
        return Unmanaged<RecordedBytes>.fromOpaque(target).takeUnretainedValue()
          .write(UnsafeBufferPointer(start: bytes, count: count))
      }, 1, nil, message)
    return state == IPP_STATE_DATA ? target.bytes : []
  }

  /// Decodes an answer that was recorded from its first byte as sent; nil for invalid bytes, or without libcups.
  package init?(recorded bytes: [UInt8]) {
    guard NetworkLibraries.missing == nil else { return nil }
    guard let message = ippNew() else { fatalError("libcups has no memory") }
    defer { ippDelete(message) }
    let source = RecordedBytes(bytes)
    let state = ippReadIO(
      Unmanaged.passUnretained(source).toOpaque(),
      { source, target, count in
        guard let source, let target else { return -1 }
        return Unmanaged<RecordedBytes>.fromOpaque(source).takeUnretainedValue()
          .read(to: target, count)
      }, 1, nil, message)
    guard state == IPP_STATE_DATA else { return nil }
    self.init(decoding: message)
  }
}

extension OpaquePointer {
  /// Adds groups of one kind.
  fileprivate func add(_ groups: [AttributeSet], to tag: ipp_tag_t) {
    for (index, group) in groups.enumerated() {
      if index > 0 { ippAddSeparator(self) }
      for attribute in group.all { add(attribute, to: tag) }
    }
  }
}

/// Bytes in memory for libcups to read or write.
///
/// Used for one `ippReadIO` or `ippWriteIO`, on its thread.
private final class RecordedBytes {
  private(set) var bytes: [UInt8]
  private var position = 0
  private var message = MessageGuard()

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func write(_ more: UnsafeBufferPointer<ipp_uchar_t>) -> Int {
    bytes += more
    return more.count
  }

  func read(to target: UnsafeMutablePointer<ipp_uchar_t>, _ count: Int) -> Int {
    let step = min(count, bytes.count - position)
    guard message.allows(bytes[position..<position + step]) else { return -1 }
    for index in 0..<step { target[index] = bytes[position + index] }
    position += step
    return step
  }
}
