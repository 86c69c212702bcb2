/// A sort key for names in natural order: case-insensitive, and 2 before 10.
///
/// Made once for each name, because that takes longer than comparing two.
package struct NaturalOrder: Comparable {
  fileprivate let text: String
  private let tokens: [Token]

  private enum Token: Equatable {
    case number(Int)
    case word(Substring)
  }

  package init(_ text: String) {
    self.text = text
    var tokens: [Token] = []
    let bytes = text.lowercased()
    var rest = bytes.utf8[...]
    while let first = rest.first {
      let isDigit = Self.isDigit(first)
      let piece = rest.prefix { Self.isDigit($0) == isDigit }
      let word = Substring(piece)
      tokens.append(isDigit ? Int(word).map(Token.number) ?? .word(word) : .word(word))
      rest = rest[piece.endIndex...]
    }
    self.tokens = tokens
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  package static func < (one: NaturalOrder, other: NaturalOrder) -> Bool {
    for (mine, theirs) in zip(one.tokens, other.tokens) where mine != theirs {
      switch (mine, theirs) {
      case (.number(let a), .number(let b)): return a < b
      case (.word(let a), .word(let b)): return a < b
      // Digits come before letters.
      case (.number, .word): return true
      case (.word, .number): return false
      }
    }
    return one.tokens.count == other.tokens.count
      ? one.text < other.text : one.tokens.count < other.tokens.count
  }
}

extension Sequence<String> {
  /// The names in natural order.
  package var inNaturalOrder: [String] {
    map { NaturalOrder($0) }.sorted().map(\.text)
  }
}
