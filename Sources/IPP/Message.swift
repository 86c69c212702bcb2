internal import CCups
internal import Glibc
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
  /// Makes libcups' message of the request; the caller owns it.
  func encode() -> OpaquePointer {
    let code = ipp_op_t(rawValue: Int32(truncatingIfNeeded: operation))
    guard let message = ippNewRequest(code) else { fatalError("libcups has no memory") }
    if version == .v1_1 { ippSetVersion(message, 1, 1) }
    for attribute in operationAttributes { message.add(attribute, to: IPP_TAG_OPERATION) }
    for attribute in jobAttributes { message.add(attribute, to: IPP_TAG_JOB) }
    return message
  }
}

/// An ipp_t under construction.
extension OpaquePointer {
  /// Adds an attribute whose values are all of the first one's kind.
  ///
  /// Values of another kind are left out: no printer states them, and IPP can't carry them in one attribute.
  func add(_ attribute: Attribute, to group: ipp_tag_t) {
    let name = attribute.name
    let values = attribute.values
    let count = Int32(values.count)
    switch values.first {
    case .integer?:
      ippAddIntegers(self, group, IPP_TAG_INTEGER, name, count, values.compactMap(\.wireNumber))
    case .enumeration?:
      ippAddIntegers(self, group, IPP_TAG_ENUM, name, count, values.compactMap(\.wireNumber))
    case .boolean?:
      let flags = values.compactMap {
        if case .boolean(let flag) = $0 { CChar(flag ? 1 : 0) } else { nil }
      }
      ippAddBooleans(self, group, name, Int32(flags.count), flags)
    case .string(let syntax, _)?:
      addStrings(values.compactMap(\.string), tag: syntax.tag, name: name, to: group)
    case .octets?:
      add(values.compactMap { if case .octets(let bytes) = $0 { bytes } else { nil } }) {
        ippAddOctetString(self, group, name, $0, Int32($0.count))
      } set: {
        ippSetOctetString(self, &$0, $1, $2, Int32($2.count))
      }
    case .range?:
      let ranges = values.compactMap(\.span)
      ippAddRanges(
        self, group, name, Int32(ranges.count),
        ranges.map { Int32(clamping: $0.lowerBound) }, ranges.map { Int32(clamping: $0.upperBound) }
      )
    case .resolution?:
      let all = values.compactMap { if case .resolution(let value) = $0 { value } else { nil } }
      ippAddResolutions(
        self, group, name, Int32(all.count), IPP_RES_PER_INCH,
        all.map { Int32(clamping: $0.x) }, all.map { Int32(clamping: $0.y) })
    case .dateTime(let bytes)? where bytes.count == 11:
      let dates = values.compactMap { if case .dateTime(let bytes) = $0 { bytes } else { nil } }
      add(dates.filter { $0.count == 11 }) {
        ippAddDate(self, group, name, $0)
      } set: {
        ippSetDate(self, &$0, $1, $2)
      }
    case .collection?:
      addCollections(values.compactMap(\.members), name: name, to: group)
    case .none?, .unknown?, .dateTime?, nil:
      let isUnknown = values.first == .unknown
      ippAddOutOfBand(self, group, isUnknown ? IPP_TAG_UNKNOWN : IPP_TAG_NOVALUE, name)
    }
  }

  private func addStrings(_ strings: [String], tag: ipp_tag_t, name: String, to group: ipp_tag_t) {
    // libcups copies the strings (the tag is not IPP_CONST), so these are needed only during the call.
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    ippAddStrings(
      self, group, tag, name, Int32(copies.count), nil, copies.map { UnsafePointer($0) })
  }

  /// Adds the values of an attribute that libcups takes one by one.
  ///
  /// - `begin`: adds the attribute with its first value.
  /// - `set`: sets a further value.
  private func add(
    _ values: [[UInt8]], begin: ([UInt8]) -> OpaquePointer?,
    set: (inout OpaquePointer?, Int32, [UInt8]) -> Void
  ) {
    guard let first = values.first else { return }
    var attribute = begin(first)
    for (index, bytes) in values.enumerated().dropFirst() { set(&attribute, Int32(index), bytes) }
  }

  private func addCollections(_ collections: [[Attribute]], name: String, to group: ipp_tag_t) {
    var built: [OpaquePointer?] = collections.map { members in
      guard let collection = ippNew() else { fatalError("libcups has no memory") }
      for member in members { collection.add(member, to: IPP_TAG_ZERO) }
      return collection
    }
    // From here on, the attribute holds its own references.
    defer { built.forEach { ippDelete($0) } }
    ippAddCollections(self, group, name, Int32(built.count), &built)
  }
}

extension Attribute.Value {
  fileprivate var wireNumber: Int32? { number.map { Int32(clamping: $0) } }
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
