internal import FoundationEssentials
internal import PrintModel

/// The value of `-o NAME=VALUE` for a collection: JSON, whose numbers and words are typed as those of other attributes.
indirect enum OptionValue: Sendable, Decodable {
  case word(String)
  case list([OptionValue])
  case members([String: OptionValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let word = try? value.decode(String.self) {
      self = .word(word)
    } else if let number = try? value.decode(Int.self) {
      self = .word("\(number)")
    } else if let flag = try? value.decode(Bool.self) {
      self = .word("\(flag)")
    } else if let list = try? value.decode([OptionValue].self) {
      self = .list(list)
    } else {
      self = .members(try value.decode([String: OptionValue].self))
    }
  }
}

extension PrintRequest.JobOption {
  /// Returns the name of the collection whose members this option has, as JSON or one by its name
  /// (`NAME.MEMBER=VALUE`), with its value; nil for any other option.
  ///
  /// Exit 64 for what begins like JSON and is none.
  func collection() throws(Failure) -> (name: String, value: OptionValue)? {
    let path = name.split(separator: ".").map(String.init)
    let isJSON = value.hasPrefix("{") || value.hasPrefix("[")
    guard isJSON || path.count > 1 else { return nil }
    let read = try? JSONDecoder().decode(OptionValue.self, from: Data(value.utf8))
    guard let tree = isJSON ? read : .word(value) else {
      throw .usage("-o \(name)=\(value): takes JSON, such as {\"MEMBER\":\"VALUE\"}.")
    }
    return (path[0], path.dropFirst().reversed().reduce(tree) { .members([$1: $0]) })
  }
}
