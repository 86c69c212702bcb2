/// Encloses right-to-left words in U+2068 (FSI) and U+2069 (PDI), so that they don't reorder anything else (UAX #9): a
/// name in Hebrew must not move the number after it to its other side.
///
/// For a terminal or a desktop; data for programs is left unchanged.
///
/// - `text`: must be clean, so that the result contains no other direction marks.
package func isolated(_ text: String) -> String {
  // In UTF-8, U+0590, the first such scalar, starts with this byte.
  guard text.utf8.contains(where: { $0 >= 0xD6 }) else { return text }
  var output = String.UnicodeScalarView()
  /// Scalars after the last letter of a run, which may or may not continue.
  var pending = String.UnicodeScalarView()
  var isOpen = false
  func close() {
    if isOpen { output.append("\u{2069}") }
    output.append(contentsOf: pending)
    pending.removeAll()
    isOpen = false
  }
  for scalar in text.unicodeScalars {
    if scalar.isRightToLeft {
      if !isOpen { output.append("\u{2068}") }
      output.append(contentsOf: pending)
      pending.removeAll()
      isOpen = true
      output.append(scalar)
    } else if isOpen, scalar.isMark, pending.isEmpty {
      output.append(scalar)
    } else if isOpen, !scalar.isLetter, scalar.value >= 0x20 {
      pending.append(scalar)
    } else {
      close()
      output.append(scalar)
    }
  }
  close()
  return String(output)
}
