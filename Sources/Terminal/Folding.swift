internal import ForeignText

/// Folds `text` for searching: case-insensitive, without diacritics, with fullwidth letters as ASCII, and ß as ss.
///
/// Deliberately simple: Latin letters lose everything after "WITH" in their Unicode names.
func folded(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
  var result = String.UnicodeScalarView()
  for scalar in text.lowercased().unicodeScalars {
    switch scalar.value {
    case ..<0x80: result.append(scalar)
    case 0xDF: result.append(contentsOf: "ss".unicodeScalars)
    case 0xFF01...0xFF5E: result.append(Unicode.Scalar(UInt8(scalar.value - 0xFF01 + 0x21)))
    case _ where scalar.isMark: break
    default: result.append(contentsOf: plainLetter(scalar).unicodeScalars)
    }
  }
  return String(result)
}

/// Returns the base letter: `e` for `LATIN SMALL LETTER E WITH ACUTE`.
private func plainLetter(_ scalar: Unicode.Scalar) -> String {
  let start = "LATIN SMALL LETTER "
  guard let name = scalar.properties.name, name.hasPrefix(start) else { return String(scalar) }
  let rest = name.dropFirst(start.count)
  guard rest.dropFirst().hasPrefix(" WITH ") else { return String(scalar) }
  return rest.prefix(1).lowercased()
}

/// Returns true if every word of `filter` occurs in `text`; both must be folded.
func matches(_ text: String, _ filter: String) -> Bool {
  filter.split(separator: " ").allSatisfy { text.contains($0) }
}
