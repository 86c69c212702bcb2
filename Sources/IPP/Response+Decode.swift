internal import CCups
internal import ForeignText
internal import PrintModel

extension Response {
  /// Copies an answer from libcups' memory; the caller still owns the message.
  init(decoding message: OpaquePointer) {
    self.init(status: Status(rawValue: Int(ippGetStatusCode(message).rawValue)))
    var printer: [Attribute] = []
    var unsupported: [Attribute] = []
    var job: [Attribute] = []
    var subscription: [Attribute] = []
    var event: [Attribute] = []
    var misplaced: [Attribute] = []
    var ofOne: [Attribute] = []
    func endGroup() {
      if !ofOne.isEmpty { printers.append(AttributeSet(ofOne)) }
      if !job.isEmpty { jobs.append(AttributeSet(job)) }
      if !subscription.isEmpty { subscriptions.append(AttributeSet(subscription)) }
      if !event.isEmpty { events.append(AttributeSet(event)) }
      (ofOne, job, subscription, event) = ([], [], [], [])
    }
    for element in message.attributes {
      // A separator between two groups: the end of one printer, job or event and the start of the next.
      guard let attribute = element.value else {
        endGroup()
        continue
      }
      switch element.group {
      case IPP_TAG_OPERATION where attribute.name == "status-message":
        self.message = attribute.values.first?.string
      // Some printers state it there, although RFC 8011 §4.2.1.2 has a group for it (ippserver 0.2).
      case IPP_TAG_OPERATION where attribute.name.hasPrefix("job-"): misplaced.append(attribute)
      case IPP_TAG_PRINTER:
        printer.append(attribute)
        ofOne.append(attribute)
      case IPP_TAG_JOB: job.append(attribute)
      case IPP_TAG_SUBSCRIPTION: subscription.append(attribute)
      case IPP_TAG_EVENT_NOTIFICATION: event.append(attribute)
      case IPP_TAG_UNSUPPORTED_GROUP: unsupported.append(attribute)
      default: break
      }
    }
    endGroup()
    if jobs.isEmpty, misplaced.contains(where: { $0.name == "job-id" }) {
      jobs = [AttributeSet(misplaced)]
    }
    self.printer = AttributeSet(printer)
    self.unsupported = AttributeSet(unsupported)
  }
}

/// A received ipp_t.
extension OpaquePointer {
  /// All attributes in order, nil for a separator.
  var attributes: [(group: ipp_tag_t, value: Attribute?)] { attributes(depth: 0) }

  private func attributes(depth: Int) -> [(group: ipp_tag_t, value: Attribute?)] {
    var result: [(group: ipp_tag_t, value: Attribute?)] = []
    var next = ippFirstAttribute(self)
    while let attribute = next {
      let name = ippGetName(attribute).map { String(cString: $0).onOneLine }
      let value = name.map { Attribute($0, OpaquePointer.values(of: attribute, depth: depth)) }
      result.append((ippGetGroupTag(attribute), value))
      next = ippNextAttribute(self)
    }
    return result
  }

  /// Deepest nesting read; collections in the registry nest two deep, and only an invalid answer nests deeper than 8.
  private static let deepest = 8

  private static func values(of attribute: OpaquePointer, depth: Int) -> [Attribute.Value] {
    let tag = ippGetValueTag(attribute)
    return (0..<ippGetCount(attribute)).compactMap { index in
      switch tag {
      case IPP_TAG_INTEGER: .integer(Int(ippGetInteger(attribute, index)))
      case IPP_TAG_ENUM: .enumeration(Int(ippGetInteger(attribute, index)))
      case IPP_TAG_BOOLEAN: .boolean(ippGetBoolean(attribute, index) != 0)
      case IPP_TAG_RANGE: range(attribute, index)
      case IPP_TAG_RESOLUTION: resolution(attribute, index)
      case IPP_TAG_STRING: octets(attribute, index)
      case IPP_TAG_DATE:
        ippGetDate(attribute, index).map {
          .dateTime(Array(UnsafeBufferPointer(start: $0, count: 11)))
        }
      case IPP_TAG_BEGIN_COLLECTION:
        depth < deepest
          ? ippGetCollection(attribute, index).map {
            .collection($0.attributes(depth: depth + 1).compactMap(\.value))
          } : nil
      default: string(attribute, index, tag: tag) ?? Attribute.Value.none
      }
    }
  }

  private static func range(_ attribute: OpaquePointer, _ index: Int32) -> Attribute.Value? {
    var upper: Int32 = 0
    let lower = ippGetRange(attribute, index, &upper)
    return lower <= upper ? .range(Int(lower)...Int(upper)) : nil
  }

  private static func resolution(_ attribute: OpaquePointer, _ index: Int32) -> Attribute.Value? {
    var y: Int32 = 0
    var units = IPP_RES_PER_INCH
    let x = ippGetResolution(attribute, index, &y, &units)
    guard x > 0, y > 0 else { return nil }
    // Dots per centimeter: 236 dpcm is 600 dpi.
    func perInch(_ value: Int32) -> Int {
      units == IPP_RES_PER_CM ? Int((Double(value) * 2.54).rounded()) : Int(value)
    }
    return .resolution(Resolution(x: perInch(x), y: perInch(y)))
  }

  private static func octets(_ attribute: OpaquePointer, _ index: Int32) -> Attribute.Value? {
    var length: Int32 = 0
    let bytes = ippGetOctetString(attribute, index, &length)
    let count = bytes == nil ? 0 : Int(length)
    return .octets(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
  }

  private static func string(
    _ attribute: OpaquePointer, _ index: Int32, tag: ipp_tag_t
  ) -> Attribute.Value? {
    guard let syntax = Attribute.StringSyntax(tag: tag),
      let text = ippGetString(attribute, index, nil)
    else { return nil }
    return .string(syntax, String(cString: text).onOneLine)
  }
}

extension Attribute.StringSyntax {
  fileprivate init?(tag: ipp_tag_t) {
    switch tag {
    case IPP_TAG_KEYWORD: self = .keyword
    case IPP_TAG_NAME, IPP_TAG_NAMELANG: self = .name
    case IPP_TAG_TEXT, IPP_TAG_TEXTLANG: self = .text
    case IPP_TAG_URI: self = .uri
    case IPP_TAG_URISCHEME: self = .uriScheme
    case IPP_TAG_CHARSET: self = .charset
    case IPP_TAG_LANGUAGE: self = .naturalLanguage
    case IPP_TAG_MIMETYPE: self = .mimeMediaType
    default: return nil
    }
  }
}
