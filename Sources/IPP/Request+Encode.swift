internal import CCups
internal import Glibc
internal import PrintModel

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
    case .none?, .dateTime?, nil:
      // A printer's location exists even if it is unknown (PWG 5100.13 §5.6.13).
      let isUnknown = name == "printer-geo-location"
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
