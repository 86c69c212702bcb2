internal import CCups
internal import LateLibraries
package import PrintModel

/// One IPP request.
///
/// attributes-charset and attributes-natural-language are added automatically as the first ones. The operation
/// attributes follow in the order given (RFC 8011 §4.1.4: the target first).
package struct Request: Sendable, Equatable {
  package var operation: Int
  package var operationAttributes: [Attribute]
  package var jobAttributes: [Attribute]
  /// Version 2.0, or 1.1 for printers that support nothing later.
  package var version: Version

  package enum Version: Sendable { case v1_1, v2_0 }

  package init(
    _ operation: Capabilities.Operation, operationAttributes: [Attribute],
    jobAttributes: [Attribute] = [], version: Version = .v2_0
  ) {
    self.operation = operation.rawValue
    self.operationAttributes = operationAttributes
    self.jobAttributes = jobAttributes
    self.version = version
  }

  /// The document's compression.
  var compression: String? {
    operationAttributes.first { $0.name == "compression" }?.values.first?.string
  }

  /// The operation's name: `Create-Job`.
  var name: String { Request.name(ofOperation: operation) }

  static func name(ofOperation code: Int) -> String {
    String(cString: ippOpString(ipp_op_t(rawValue: Int32(truncatingIfNeeded: code))))
  }
}

/// A printer's answer: its status and its groups of attributes.
package struct Response: Sendable, Equatable {
  package var status: Status
  /// status-message: the printer's own text.
  package var message: String?
  package var printer: AttributeSet
  /// One set per printer if a server lists its printers (Get-Printers); `printer` then contains all attributes.
  package var printers: [AttributeSet] = []
  /// One set per job (RFC 8011 §4.2.6.2).
  package var jobs: [AttributeSet]
  /// Attributes of the request that the printer did not accept.
  package var unsupported: AttributeSet

  package init(
    status: Status, message: String? = nil, printer: AttributeSet = AttributeSet(),
    jobs: [AttributeSet] = [], unsupported: AttributeSet = AttributeSet()
  ) {
    self.status = status
    self.message = message
    self.printer = printer
    self.jobs = jobs
    self.unsupported = unsupported
  }
}

extension Response {
  /// The printer's own message, else the status keyword, for the end of a sentence: without a full stop.
  package var words: String {
    (message ?? status.description).withoutFullStop
  }
}

/// An IPP status code (RFC 8011 Appendix B).
///
/// A struct, so that unknown codes are preserved.
package struct Status: RawRepresentable, Sendable, Hashable {
  package var rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package var isSuccess: Bool { rawValue < 0x100 }

  package static let ok = Status(rawValue: 0x0000)
  package static let ignoredOrSubstituted = Status(rawValue: 0x0001)
  /// successful-ok-conflicting-attributes.
  package static let conflictSubstituted = Status(rawValue: 0x0002)
  package static let badRequest = Status(rawValue: 0x0400)
  package static let forbidden = Status(rawValue: 0x0401)
  package static let notAuthenticated = Status(rawValue: 0x0402)
  package static let notAuthorized = Status(rawValue: 0x0403)
  package static let notPossible = Status(rawValue: 0x0404)
  package static let timeout = Status(rawValue: 0x0405)
  package static let notFound = Status(rawValue: 0x0406)
  package static let gone = Status(rawValue: 0x0407)
  package static let requestEntityTooLarge = Status(rawValue: 0x0408)
  package static let documentFormatNotSupported = Status(rawValue: 0x040A)
  package static let attributesOrValues = Status(rawValue: 0x040B)
  package static let charsetNotSupported = Status(rawValue: 0x040D)
  package static let conflictingAttributes = Status(rawValue: 0x040E)
  package static let compressionNotSupported = Status(rawValue: 0x040F)
  package static let compressionError = Status(rawValue: 0x0410)
  package static let documentFormatError = Status(rawValue: 0x0411)
  package static let documentUnprintable = Status(rawValue: 0x041B)
  package static let accountInfoNeeded = Status(rawValue: 0x041C)
  package static let accountAuthorizationFailed = Status(rawValue: 0x041F)
  package static let internalError = Status(rawValue: 0x0500)
  package static let operationNotSupported = Status(rawValue: 0x0501)
  package static let serviceUnavailable = Status(rawValue: 0x0502)
  package static let versionNotSupported = Status(rawValue: 0x0503)
  package static let temporaryError = Status(rawValue: 0x0505)
  package static let notAcceptingJobs = Status(rawValue: 0x0506)
  package static let busy = Status(rawValue: 0x0507)
  package static let jobCanceled = Status(rawValue: 0x0508)
  package static let multipleDocumentJobsNotSupported = Status(rawValue: 0x0509)
  package static let deactivated = Status(rawValue: 0x050A)
  package static let tooManyJobs = Status(rawValue: 0x050B)

  /// True if the same request may succeed later: the printer is busy with something else.
  package var mayPass: Bool {
    [.busy, .serviceUnavailable, .temporaryError, .tooManyJobs, .notPossible].contains(self)
  }

  /// True for a fault of the printer's own, which says nothing about what was asked for.
  package var isFault: Bool {
    rawValue >= 0x500
      && ![.operationNotSupported, .versionNotSupported, .jobCanceled].contains(self)
  }
}

extension Status: CustomStringConvertible {
  /// The keyword, such as `server-error-busy`; unknown codes in hexadecimal.
  package var description: String {
    NetworkLibraries.load()
    return String(
      cString: ippErrorString(ipp_status_t(rawValue: Int32(truncatingIfNeeded: rawValue))))
  }
}

extension Request {
  /// Encodes the request, with the next request-id and this user's language, as libcups determines them.
  func encode() -> WrittenMessage {
    let code = ipp_op_t(rawValue: Int32(truncatingIfNeeded: operation))
    guard let head = ippNewRequest(code) else { fatalError("libcups has no memory") }
    defer { ippDelete(head) }
    let language = ippFindAttribute(head, "attributes-natural-language", IPP_TAG_LANGUAGE)
    var minor: Int32 = 0
    let major = ippGetVersion(head, &minor)
    return WrittenMessage(
      version: version == .v1_1 ? (1, 1) : (Int(major), Int(minor)), code: operation,
      id: Int(ippGetRequestId(head)),
      language: ippGetString(language, 0, nil).map(String.init(cString:)),
      [(IPP_TAG_OPERATION, operationAttributes), (IPP_TAG_JOB, jobAttributes)])
  }
}

/// A message as it is sent (RFC 8010 §3).
struct WrittenMessage {
  let id: Int
  private(set) var bytes: [UInt8] = []

  /// - `charset`, `language`: those of the text in it; nil: the usual ones.
  /// - `groups`: those that have no attributes are left out; the first one, of the operation, begins with the charset and
  ///   the language.
  init(
    version: (major: Int, minor: Int), code: Int, id: Int, charset: String? = nil,
    language: String?, _ groups: [(tag: ipp_tag_t, attributes: [Attribute])]
  ) {
    self.id = id
    bytes = [UInt8(truncatingIfNeeded: version.major), UInt8(truncatingIfNeeded: version.minor)]
    bytes += WrittenMessage.number(code).dropFirst(2) + WrittenMessage.number(id)
    let text = [
      Attribute("attributes-charset", .string(.charset, charset ?? "utf-8")),
      Attribute("attributes-natural-language", .string(.naturalLanguage, language ?? "en")),
    ]
    for (index, group) in groups.enumerated() {
      let attributes = index == 0 ? text + group.attributes : group.attributes
      if !attributes.isEmpty { bytes.append(UInt8(group.tag.rawValue)) }
      for attribute in attributes { add(attribute.values, of: attribute.name) }
    }
    bytes.append(UInt8(IPP_TAG_END.rawValue))
  }

  /// Adds an attribute, or a collection's member, whose values all have the first one's kind.
  ///
  /// Values of another kind are left out: no printer states them, and libcups can't read them in one attribute.
  private mutating func add(_ values: [Attribute.Value], of name: String) {
    let first = values.first ?? .none
    let alike = values.compactMap { value in
      WrittenMessage.content(of: value, like: first).map { (value, $0) }
    }
    for (index, (value, content)) in (alike.isEmpty ? [(first, [])] : alike).enumerated() {
      add(first.tag, index == 0 ? name : "", content)
      guard let members = value.members else { continue }
      for member in members {
        add(IPP_TAG_MEMBERNAME, "", Array(member.name.utf8))
        add(member.values, of: "")
      }
      add(IPP_TAG_END_COLLECTION, "", [])
    }
  }

  /// Adds a value; a further one of an attribute has no name.
  private mutating func add(_ tag: ipp_tag_t, _ name: String, _ content: [UInt8]) {
    bytes.append(UInt8(tag.rawValue))
    for field in [Array(name.utf8), content] {
      // Lengths are signed.
      let field = field.prefix(Int(Int16.max))
      bytes += WrittenMessage.number(field.count).dropFirst(2) + field
    }
  }

  /// Returns the bytes of a value (RFC 8010 §3.9) of the kind of an attribute's first one; nil for one of another kind,
  /// or of none.
  private static func content(
    of value: Attribute.Value, like first: Attribute.Value
  ) -> [UInt8]? {
    switch (first, value) {
    case (.integer, _), (.enumeration, _): value.number.map(number)
    case (.boolean, .boolean(let flag)): [flag ? 1 : 0]
    case (.string, _): value.string.map { Array($0.utf8) }
    case (.octets, .octets(let octets)): octets
    case (.range, _): value.span.map { number($0.lowerBound) + number($0.upperBound) }
    case (.resolution, .resolution(let dots)):
      number(dots.x) + number(dots.y) + [UInt8(IPP_RES_PER_INCH.rawValue)]
    case (.dateTime, .dateTime(let date)) where first.tag == IPP_TAG_DATE && value.tag == first.tag:
      date
    case (.collection, .collection): []
    default: nil
    }
  }

  private static func number(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: Int32(clamping: number).bigEndian, Array.init)
  }
}

extension Attribute.Value {
  /// The value tag (RFC 8010 §3.5.2).
  fileprivate var tag: ipp_tag_t {
    switch self {
    case .integer: IPP_TAG_INTEGER
    case .enumeration: IPP_TAG_ENUM
    case .boolean: IPP_TAG_BOOLEAN
    case .string(let syntax, _): syntax.tag
    case .octets: IPP_TAG_STRING
    case .range: IPP_TAG_RANGE
    case .resolution: IPP_TAG_RESOLUTION
    case .dateTime(let bytes) where bytes.count == 11: IPP_TAG_DATE
    case .collection: IPP_TAG_BEGIN_COLLECTION
    case .none, .dateTime: IPP_TAG_NOVALUE
    case .unknown: IPP_TAG_UNKNOWN
    }
  }
}

extension Attribute.StringSyntax {
  static let byTag = Dictionary(uniqueKeysWithValues: allCases.map { ($0.tag.rawValue, $0) })

  /// The value tag (RFC 8010 §3.5.2).
  fileprivate var tag: ipp_tag_t {
    switch self {
    case .keyword: IPP_TAG_KEYWORD
    case .name: IPP_TAG_NAME
    case .text: IPP_TAG_TEXT
    case .uri: IPP_TAG_URI
    case .uriScheme: IPP_TAG_URISCHEME
    case .charset: IPP_TAG_CHARSET
    case .naturalLanguage: IPP_TAG_LANGUAGE
    case .mimeMediaType: IPP_TAG_MIMETYPE
    }
  }
}
