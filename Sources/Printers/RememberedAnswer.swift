internal import System
package import AirprintContext
internal import FoundationEssentials
package import PrintModel
package import Settings

/// A file of the cache: a printer's last answer with all of its attributes.
package struct RememberedAnswer: Codable {
  /// Time of the answer, in seconds since 1970.
  package var asked: Double
  package var attributes: [StoredAttribute]

  init(asked: Double, attributes: [StoredAttribute]) {
    self.asked = asked
    self.attributes = attributes
  }

  /// Reads the cache; nil if it is empty, or if another version wrote it.
  package init?(_ cache: StatusCache) {
    guard let bytes = cache.read(),
      let answer = try? JSONDecoder().decode(RememberedAnswer.self, from: Data(bytes))
    else { return nil }
    self = answer
  }
}

/// An attribute as stored in the cache, with the syntax of every value, unlike in `airprint show --json`.
package struct StoredAttribute: Codable {
  private var name: String
  private var values: [Value]

  private indirect enum Value: Codable {
    case integer(Int)
    case boolean(Bool)
    case enumeration(Int)
    case string(String, String)
    case octets([UInt8])
    case range(Int, Int)
    case resolution(Resolution)
    case dateTime([UInt8])
    case collection([StoredAttribute])
    case none
  }

  package init(_ attribute: Attribute) {
    name = attribute.name
    values = attribute.values.map { value in
      switch value {
      case .integer(let number): .integer(number)
      case .boolean(let flag): .boolean(flag)
      case .enumeration(let number): .enumeration(number)
      case .string(let syntax, let text): .string(syntax.rawValue, text)
      case .octets(let bytes): .octets(bytes)
      case .range(let range): .range(range.lowerBound, range.upperBound)
      case .resolution(let resolution): .resolution(resolution)
      case .dateTime(let bytes): .dateTime(bytes)
      case .collection(let members): .collection(members.map(StoredAttribute.init))
      case .none: .none
      }
    }
  }

  package var attribute: Attribute {
    let values = values.map { value -> Attribute.Value in
      switch value {
      case .integer(let number): .integer(number)
      case .boolean(let flag): .boolean(flag)
      case .enumeration(let number): .enumeration(number)
      case .string(let syntax, let text):
        .string(Attribute.StringSyntax(rawValue: syntax) ?? .keyword, text)
      case .octets(let bytes): .octets(bytes)
      case .range(let low, let high): .range(min(low, high)...max(low, high))
      case .resolution(let resolution): .resolution(resolution)
      case .dateTime(let bytes): .dateTime(bytes)
      case .collection(let members): .collection(members.map(\.attribute))
      case .none: .none
      }
    }
    return Attribute(name, values)
  }
}

extension PrinterConnection {
  /// Caches the printer's latest attributes for `preview`.
  package func rememberAnswer(_ context: Context) {
    let cache = StatusCache(
      context.places, key: target.saved?.uri ?? target.uri, of: .attributes)
    let answer = RememberedAnswer(
      asked: WallClock.seconds, attributes: capabilities.attributes.all.map(StoredAttribute.init))
    if let data = try? JSONEncoder().encode(answer) { cache.write(Array(data)) }
  }
}
