extension Collection where Element == String {
  /// ` (did you mean "quality"?)` when one of these words is near to a mistyped one, else nothing.
  package func suggestion(for word: String) -> String {
    nearest(to: word).map { " (did you mean \"\($0)\"?)" } ?? ""
  }

  /// The word that is fewest edits away, if it is no more than a third of its length.
  package func nearest(to word: String) -> String? {
    let ranked = map { ($0, editDistance($0.lowercased(), word.lowercased())) }
    guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= Swift.max(1, best.0.count / 3)
    else { return nil }
    return best.0
  }
}

/// Levenshtein's distance: how many characters must be added, taken away or replaced.
private func editDistance(_ left: String, _ right: String) -> Int {
  let right = Array(right.prefix(64))
  var row = Array(0...right.count)
  for (i, character) in left.prefix(64).enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, other) in right.enumerated() {
      let replaced = diagonal + (character == other ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = Swift.min(replaced, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[right.count]
}
