/// A member that is null in JSON if it is nil, instead of being left out, which marks it as unknown.
@propertyWrapper
package struct Null<Value> {
  package var wrappedValue: Value?

  package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
}

extension Null: Sendable where Value: Sendable {}
extension Null: Equatable where Value: Equatable {}
extension Null: Hashable where Value: Hashable {}

extension Null: Encodable where Value: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    if let wrappedValue { try value.encode(wrappedValue) } else { try value.encodeNil() }
  }
}

extension Null: Decodable where Value: Decodable {
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    wrappedValue = value.decodeNil() ? nil : try value.decode(Value.self)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a missing key as null as well: Swift makes `init(from:)` call this for such a member.
  package func decode<Value: Decodable>(
    _ type: Null<Value>.Type, forKey key: Key
  ) throws -> Null<Value> {
    try decodeIfPresent(type, forKey: key) ?? Null(wrappedValue: nil)
  }
}
