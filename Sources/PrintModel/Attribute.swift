/// One IPP attribute (RFC 8011 §5.1): a name and its values, as plain Swift.
package struct Attribute: Sendable, Hashable {
  package var name: String
  package var values: [Value]

  package init(_ name: String, _ values: [Value]) {
    self.name = name
    self.values = values
  }

  package init(_ name: String, _ values: Value...) {
    self.init(name, values)
  }

  /// One value of an attribute.
  package enum Value: Sendable, Hashable {
    case integer(Int)
    case boolean(Bool)
    /// An enum, such as print-quality 4 (normal).
    case enumeration(Int)
    /// Any value that is text on the wire; the syntax decides its tag.
    case string(StringSyntax, String)
    case octets([UInt8])
    case range(ClosedRange<Int>)
    case resolution(Resolution)
    /// RFC 2579's DateAndTime, unparsed: 11 octets.
    case dateTime([UInt8])
    case collection([Attribute])
    /// `no-value`: the attribute exists, but has no value.
    case none
    /// `unknown` and similar, and values of an unknown kind: the attribute exists, and may have a value.
    case unknown
  }

  /// The IPP string syntax of a value.
  ///
  /// It is kept, because a printer may refuse a `name` instead of a `keyword` (python-ipp#719).
  package enum StringSyntax: String, Sendable, CaseIterable {
    case keyword, name, text, uri, uriScheme, charset, naturalLanguage, mimeMediaType
  }
}

extension Attribute.Value {
  /// A length as media-col states it, an integer of 1/100 mm.
  package static func length(_ length: Hundredths) -> Attribute.Value { .integer(length.count) }

  /// The lengths that a roll or a tray supports, a rangeOfInteger of 1/100 mm.
  package static func lengths(_ range: ClosedRange<Hundredths>) -> Attribute.Value {
    .range(range.lowerBound.count...range.upperBound.count)
  }

  package var isOutOfBand: Bool { self == .none || self == .unknown }

  package static func keyword(_ value: String) -> Self { .string(.keyword, value) }
  package static func name(_ value: String) -> Self { .string(.name, value) }
  package static func text(_ value: String) -> Self { .string(.text, value) }
  package static func uri(_ value: String) -> Self { .string(.uri, value) }
  package static func mediaType(_ value: String) -> Self { .string(.mimeMediaType, value) }

  /// The value as a number, for both integers and enums: printers confuse the two.
  package var number: Int? {
    switch self {
    case .integer(let value), .enumeration(let value): value
    default: nil
    }
  }

  package var string: String? {
    if case .string(_, let value) = self { value } else { nil }
  }

  /// A range, or an integer as a range of one value.
  package var span: ClosedRange<Int>? {
    switch self {
    case .range(let value): value
    case .integer(let value): value...value
    default: nil
    }
  }

  package var members: [Attribute]? {
    if case .collection(let value) = self { value } else { nil }
  }
}

/// Attributes by name.
///
/// If a printer states one twice, the first one counts.
package struct AttributeSet: Sendable, Equatable {
  package private(set) var all: [Attribute]
  private var index: [String: Int]

  package init(_ attributes: [Attribute] = []) {
    all = attributes
    index = Dictionary(
      attributes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package subscript(name: String) -> Attribute? { index[name].map { all[$0] } }

  /// Returns the actual values: out-of-band values (`no-value`, `unknown`) count as absent.
  package func values(_ name: String) -> [Attribute.Value] {
    self[name]?.values.filter { !$0.isOutOfBand } ?? []
  }

  /// Returns the values that are text, without empty ones, which are never keywords.
  package func strings(_ name: String) -> [String] {
    values(name).compactMap(\.string).filter { !$0.isEmpty }
  }
  package func string(_ name: String) -> String? { values(name).first?.string }
  package func number(_ name: String) -> Int? { values(name).first?.number }
  package func numbers(_ name: String) -> [Int] { values(name).compactMap(\.number) }
  package func spans(_ name: String) -> [ClosedRange<Int>] { values(name).compactMap(\.span) }
  package func collections(_ name: String) -> [AttributeSet] {
    values(name).compactMap(\.members).map(AttributeSet.init)
  }
  package func resolutions(_ name: String) -> [Resolution] {
    values(name).compactMap { if case .resolution(let value) = $0 { value } else { nil } }
  }
  package func boolean(_ name: String) -> Bool? {
    guard case .boolean(let value)? = values(name).first else { return nil }
    return value
  }
}
