import TestSupport

/// Returns the differences between two JSON texts apart from their values: keys that only one of them has, and values
/// of different types.
///
/// Elements of an array count together; null matches any type.
func differences(_ example: [JSON], _ real: [JSON], at place: String = "") -> [String] {
  let (ours, theirs) = (kinds(example), kinds(real))
  guard !ours.isEmpty, !theirs.isEmpty else { return [] }
  guard ours == theirs else { return ["\(place) is \(theirs), in the example \(ours)"] }
  var found: [String] = []
  let elements = (example.flatMap { $0.array ?? [] }, real.flatMap { $0.array ?? [] })
  found += differences(elements.0, elements.1, at: place + "[]")
  let keys = (
    example.reduce(into: Set()) { $0.formUnion($1.keys) },
    real.reduce(into: Set()) { $0.formUnion($1.keys) }
  )
  for key in keys.0.symmetricDifference(keys.1).sorted() {
    found.append(
      "\(place).\(key) is only in \(keys.0.contains(key) ? "the example" : "the output")")
  }
  for key in keys.0.intersection(keys.1).sorted() {
    found += differences(
      example.compactMap { $0[key] }, real.compactMap { $0[key] }, at: "\(place).\(key)")
  }
  return found
}

private func kinds(_ values: [JSON]) -> Set<String> {
  values.reduce(into: []) { kinds, value in
    switch value {
    case .null: break
    case .boolean: kinds.insert("true or false")
    case .number: kinds.insert("a number")
    case .string: kinds.insert("a text")
    case .array: kinds.insert("an array")
    case .object: kinds.insert("an object")
    }
  }
}

/// Returns the consecutive JSON texts in the bytes, each on one or more lines, and the rest, which is not JSON.
func jsonTexts(_ bytes: [UInt8]) -> (texts: [JSON], rest: String) {
  var texts: [JSON] = []
  var rest = ""
  for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
    rest += line + "\n"
    if let text = try? JSON(Array(rest.utf8)) {
      texts.append(text)
      rest = ""
    }
  }
  return (texts, rest)
}
