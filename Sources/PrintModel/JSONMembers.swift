extension Encoder {
  /// Encodes members of a JSON object, in addition to those that it has already; nil is null, as with `Null`.
  package func encode(_ members: KeyValuePairs<String, (any Encodable)?>) throws {
    var object = container(keyedBy: MemberName.self)
    for (name, value) in members {
      if let value {
        try object.encode(value, forKey: MemberName(name))
      } else {
        try object.encodeNil(forKey: MemberName(name))
      }
    }
  }
}

extension KeyedEncodingContainer {
  /// Encodes the members that have a value; nil is left out.
  package mutating func encodePresent(_ members: KeyValuePairs<Key, (any Encodable)?>) throws {
    for case (let key, let value?) in members { try encode(value, forKey: key) }
  }
}

extension KeyedDecodingContainer {
  /// Decodes a member; nil if it is missing or null.
  package func value<Value: Decodable>(_ key: Key) throws -> Value? {
    try decodeIfPresent(Value.self, forKey: key)
  }
}

/// A JSON object with these members, for an output that has no other use; nil is null.
package struct JSONObject: Encodable {
  private let members: KeyValuePairs<String, (any Encodable)?>

  package init(_ members: KeyValuePairs<String, (any Encodable)?>) { self.members = members }

  package func encode(to encoder: any Encoder) throws { try encoder.encode(members) }
}

/// A key of any name.
struct MemberName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
