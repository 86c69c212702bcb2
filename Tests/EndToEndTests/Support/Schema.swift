import TestSupport

/// The part of JSON Schema (2020-12) that airprint's schemas use.
enum Schema {
  /// The schema of the lines of `print --json`, and of those of jobs.
  private static let line = Result {
    try JSON(bytes(of: "\(Reader.repository)/docs/print.schema.json"))
  }

  /// Throws if this is such a line that the schema does not describe; other JSON is none of it.
  static func check(_ value: JSON) throws {
    guard value.keys.isSuperset(of: ["job", "exitCode", "reasons"]) else { return }
    let problems = problems(value, by: try line.get())
    guard problems.isEmpty else { throw Missing("\(value), as in the schema: \(problems)") }
  }

  /// Returns the places at which a value is not as its schema requires.
  static func problems(_ value: JSON, by schema: JSON, at place: String = "") -> [String] {
    var found: [String] = []
    let types = schema["type"].map { $0.strings ?? [$0.string ?? ""] }
    if let types, !types.contains(where: { isOf($0, value) }) { found.append("\(place): \(types)") }
    let values = schema["const"].map { [$0] } ?? schema["enum"]?.array
    if let values, !values.contains(value) { found.append("\(place): \(values)") }
    for key in schema["required"]?.strings ?? [] where value[key] == nil {
      found.append("\(place).\(key) is missing")
    }
    if case .object(let members)? = schema["properties"] {
      for (key, inner) in members {
        if let member = value[key] { found += problems(member, by: inner, at: "\(place).\(key)") }
      }
    }
    if let items = schema["items"] {
      found += (value.array ?? []).flatMap { problems($0, by: items, at: "\(place)[]") }
    }
    for part in schema["allOf"]?.array ?? [] { found += problems(value, by: part, at: place) }
    if let condition = schema["if"] {
      let branch = schema[problems(value, by: condition).isEmpty ? "then" : "else"]
      if let branch { found += problems(value, by: branch, at: place) }
    }
    return found
  }

  private static func isOf(_ type: String, _ value: JSON) -> Bool {
    switch value {
    case .null: type == "null"
    case .boolean: type == "boolean"
    case .number(let number): type == "number" || type == "integer" && number == number.rounded()
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}
