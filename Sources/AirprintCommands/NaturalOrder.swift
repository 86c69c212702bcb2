extension String {
  /// True when this comes first as people sort: without case, and 2 before 10.
  func precedesNaturally(_ other: String) -> Bool {
    let left = pieces(lowercased())
    let right = pieces(other.lowercased())
    for (mine, theirs) in zip(left, right) where mine != theirs {
      if let a = Int(mine), let b = Int(theirs), a != b { return a < b }
      return mine < theirs
    }
    return left.count == right.count ? self < other : left.count < right.count
  }
}

/// Digits and what stands between them.
private func pieces(_ text: String) -> [Substring] {
  var pieces: [Substring] = []
  var rest = text[...]
  while let first = rest.first {
    let isDigit = first.isASCII && first.isNumber
    let piece = rest.prefix { ($0.isASCII && $0.isNumber) == isDigit }
    pieces.append(piece)
    rest = rest.dropFirst(piece.count)
  }
  return pieces
}
