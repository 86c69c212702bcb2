extension Sequence where Element == String {
  /// Joins words as in a sentence: `a`, `a and b`, `a, b and c`.
  package func inWords(joinedBy word: String = "and") -> String {
    let words = Array(self)
    guard let last = words.last else { return "" }
    return words.count == 1 ? last : "\(words.dropLast().joined(separator: ", ")) \(word) \(last)"
  }
}

extension Int {
  /// Counts things that have a regular plural: `1 page`, `2 pages`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension String {
  /// Another program's sentence for the end of one of ours.
  package var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }

  /// The text as the start of a sentence.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// Returns true if at least one of the words is in it, byte for byte.
  ///
  /// The standard library's search for a string compares characters: some 16,000 instructions for a keyword of IPP.
  package func contains(anyOf words: String...) -> Bool {
    let text = Array(utf8)
    return words.contains { word in
      let (word, first) = (word.utf8, word.utf8.first)
      return text.indices.contains { text[$0] == first && text[$0...].starts(with: word) }
    }
  }
}

extension Sequence where Element: Hashable {
  /// The elements in their order, each once.
  package var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension BidirectionalCollection {
  /// What remains without the elements at both ends that match.
  package func trimming(while isBlank: (Element) -> Bool) -> SubSequence {
    let start = drop(while: isBlank)
    return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? start
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The text without surrounding blanks.
  package var trimmed: Substring { trimming(while: \.isWhitespace) }
}
