extension Sequence where Element == String {
  /// Joins words as in a sentence: `a`, `a and b`, `a, b and c`.
  package func inWords(joinedBy word: String = "and") -> String {
    let words = Array(self)
    guard let last = words.last else { return "" }
    return words.count == 1 ? last : "\(words.dropLast().joined(separator: ", ")) \(word) \(last)"
  }
}
