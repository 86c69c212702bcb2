import FoundationEssentials
import TestSupport

/// Any JSON value.
@dynamicMemberLookup
enum JSON: Decodable, Equatable, Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(_ bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let boolean = try? value.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([JSON].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  /// Returns a member of an object; nil if it has no such member, or is not an object.
  subscript(dynamicMember key: String) -> JSON? { self[key] }

  subscript(key: String) -> JSON? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  var array: [JSON]? { if case .array(let array) = self { array } else { nil } }
  var string: String? { if case .string(let string) = self { string } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var bool: Bool? { if case .boolean(let boolean) = self { boolean } else { nil } }
  var isNull: Bool { self == .null }
  var keys: Set<String> { if case .object(let members) = self { Set(members.keys) } else { [] } }
  /// The strings of an array that contains nothing else.
  var strings: [String]? {
    guard let array else { return nil }
    let strings = array.compactMap(\.string)
    return strings.count == array.count ? strings : nil
  }
}

extension Outcome {
  /// Standard output as a single JSON document.
  var json: JSON {
    get throws {
      let value: JSON
      do { value = try JSON(output) } catch {
        throw Missing("JSON in standard output: \(stdout)\n\(stderr)")
      }
      try Schema.check(value)
      return value
    }
  }

  /// Standard output as JSON objects, one per line.
  var jsonLines: [JSON] {
    get throws {
      try stdout.split(separator: "\n").map { line in
        let value: JSON
        do { value = try JSON(Array(line.utf8)) } catch { throw Missing("JSON in: \(line)") }
        try Schema.check(value)
        return value
      }
    }
  }

  /// The exit and the output, for a test's comment.
  var report: String { "\(end)\n\(stdout)\n\(stderr)" }
}
