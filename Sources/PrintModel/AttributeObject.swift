/// IPP attributes as a JSON object: IPP's names, units and keywords.
///
/// A single value is encoded as itself, several as an array, a collection as an object.
package struct AttributeObject: Sendable, Encodable {
  private let attributes: [Attribute]

  package init(_ attributes: [Attribute]) { self.attributes = attributes }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: MemberName.self)
    for attribute in attributes {
      let key = MemberName(attribute.name)
      if attribute.values.count == 1 {
        try object.encode(attribute.values[0], forKey: key)
      } else {
        try object.encode(attribute.values, forKey: key)
      }
    }
  }
}

extension Attribute.Value: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .integer(let number), .enumeration(let number): try value.encode(number)
    case .boolean(let flag): try value.encode(flag)
    case .string(_, let text): try value.encode(text)
    case .octets(let bytes), .dateTime(let bytes): try value.encode(bytes)
    case .resolution(let resolution): try value.encode(resolution)
    case .collection(let members): try value.encode(AttributeObject(members))
    case .none, .unknown: try value.encodeNil()
    case .range(let span): try value.encode(["lower": span.lowerBound, "upper": span.upperBound])
    }
  }
}
