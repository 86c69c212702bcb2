extension Collection where Element == String {
  /// Returns ` (did you mean "quality"?)` if one of these words is similar to a mistyped one, else an empty string.
  package func suggestion(for word: String) -> String {
    nearest(to: word).map { " (did you mean \"\($0)\"?)" } ?? ""
  }

  /// Returns the word with the smallest edit distance, up to a third of its length, and with something of it left; in a
  /// name of several words, one of them may match (`Ofice` for Office Laser).
  package func nearest(to word: String) -> String? {
    let word = word.lowercased()
    var best: (name: String, distance: Int)?
    for name in self {
      let whole = name.lowercased()
      for part in [Substring(whole)] + whole.split(separator: " ") {
        let distance = editDistance(String(part), word)
        guard distance <= Swift.max(1, part.prefix(longest).count / 3),
          distance < Swift.max(part.count, word.count), distance < best?.distance ?? .max
        else { continue }
        best = (name, distance)
      }
    }
    return best?.name
  }
}

/// Number of characters of a name that are compared.
private let longest = 64

/// Returns the number of characters that must be inserted, deleted, replaced or swapped with their neighbor (Damerau's
/// distance, with each position edited once).
private func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left.prefix(longest))
  let right = Array(right.prefix(longest))
  var before = [Int](repeating: 0, count: right.count + 1)
  var row = Array(0...right.count)
  for i in left.indices {
    var next = [i + 1]
    for j in right.indices {
      let replaced = row[j] + (left[i] == right[j] ? 0 : 1)
      var best = Swift.min(replaced, row[j + 1] + 1, next[j] + 1)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        best = Swift.min(best, before[j - 1] + 1)
      }
      next.append(best)
    }
    before = row
    row = next
  }
  return row[right.count]
}
